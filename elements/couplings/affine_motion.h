#pragma once
#include <array>
#include <vector>

#include "elements/gram/gram_vector.h"

// How nodes move with a reference: rigidly, or the reference as they do on average.
namespace symdyn
{
/// The best affine motion of places X_s with the displacements u_s and the weights w_s, sum w = 1, about their centroid r:
///     u(X) = sum_s w_s u_s + dF (X - r),   dF a = sum_s w_s ((J⁺ c_s)·a) u_s,   c_s = X_s - r,   J = sum_s w_s c_s c_sᵀ
/// Places of a plane (within a tenth of their size) do not determine how its normal n = e1 x e2 moves: there dF n = dF e1 x e2 + e1 x dF
/// e2, that of a small rotation.
class AffineMotion
{
public:
  AffineMotion(std::vector<GramVector> places, std::vector<double> weights);

  /// Of the span of the places about their centroid: 0 to 3.
  int rank() const { return int(axes.size()); }
  const std::vector<GramVector> &span() const { return axes; }
  const GramVector &centroid() const { return middle; }
  /// The part of a vector that is not in the span [m].
  GramVector outside(const GramVector &a) const;

  using Matrix = std::array<GramVector, 3>;  ///< by rows
  /// What the displacement of a place has of dF a; of rank 2 at least.
  Matrix share(std::size_t place, const GramVector &a) const;
  double weight(const std::size_t place) const { return weights[place]; }

private:
  /// w_s (J⁺ c_s)·e of the axes of the span.
  std::vector<double> shares_of_axes(std::size_t place) const;

  std::vector<GramVector> arms;          ///< c
  std::vector<double> weights, inertia;  ///< w; the eigenvalues of J, of the axes
  std::vector<GramVector> axes;          ///< its eigenvectors
  GramVector middle{};
};

/// How many of the six rigid motions of a reference are determined by its nodes: components of places at the arms c, and all
/// rotations where directors follow; its translations where something else determines them, and rotations that are held.
int rank_of_motions(const std::vector<GramVector> &arms, const std::array<bool, 3> &components, const std::vector<GramVector> &directors,
                    bool place_is_known, const std::array<bool, 3> &rotations_are_held = {});
/// Which directors of a reference need a mass of their own, where places at these arms and these directors, which move as x = r + sum_k c_k
/// d_k and d = sum_k c_k d_k, give none to some combination of the sites: the vectors (1, c_k), (0, c_k) do not span all. The first `heavy`
/// directors have one, and the place then, too.
std::vector<std::size_t> massless_directors(const std::vector<GramVector> &arms, const std::vector<GramVector> &directors,
                                            const std::vector<GramVector> &basis, std::size_t heavy);
}  // namespace symdyn
