#pragma once
#include <array>
#include <memory>
#include <vector>

#include "elements/gram/gram_vector.h"

namespace symdyn
{
/// Strains of a type of element, sums of scalar products of vectors that are linear in its nodal vectors y_a, a < vectors:
///     z_p = sum_a G_pa y_a,   e_i(y) = sum_k factor_k z_p(k)·z_q(k),   i < strains
/// Derivatives in G are those in the coordinates of the reference cell, so that all elements of a type share it; metrics stand in D.
struct GramShape
{
  struct Product
  {
    int p, q;
    double factor;
  };
  int vectors = 0;                           ///< n
  std::vector<double> G;                     ///< [p][a]
  std::vector<std::vector<Product>> strain;  ///< m of them
  int strains() const { return int(strain.size()); }
  int derived() const { return int(G.size()) / vectors; }
};

/// A symmetric block of D over some strains, by rows.
struct GramBlock
{
  std::vector<int> strains;
  std::vector<double> D;
};

/// What a family of elements says of one of them.
struct GramModel
{
  std::shared_ptr<const GramShape> shape;
  std::vector<GramBlock> blocks;  ///< of D, which share no strain
  std::vector<double> mass;       ///< [a][b], of the nodal vectors: consistent [kg], [kg m], [kg m²]
  std::vector<double> lumped;     ///< of each nodal vector
  double scale = 0;               ///< energy of a strain of 1, about: by it V rounds [J]
};

/// An element whose energy is quadratic in strains that are quadratic in its nodal vectors: with e(y) of its shape, Y the vectors at rest,
///     eps = e(y) - e(Y),   V = ½ eps·D eps,   sigma = D eps,   B_i(u)_a = dB/dy of e_i: sum_k factor_k (G_pa z_q(u) + G_qa z_p(u))
///     f = sum_i sigma_i B_i(y),   V'' u = sum_i (D B(y)·u)_i B_i(y) + sum_i sigma_i B_i(u)
///     V'''[u,u] = 2 sum_i (D B(y)·u)_i B_i(u) + sum_i (D B(u)·u)_i B_i(y)
///     discrete gradient: sum_i ½ (sigma(y0) + sigma(y1))_i B_i(½ (y0 + y1)): f·(y1 - y0) = V(y1) - V(y0)   (Simo, Tarnow 1992; Gonzalez
///     2000)
/// Where the rows of G that derive have sums 0 over the places, rotations and translations leave V as it is.
class GramElement
{
public:
  using Vectors = std::vector<GramVector>;

  GramElement(GramModel model, const Vectors &rest);

  int vectors() const { return of_type().vectors; }
  const GramShape &of_type() const { return *model.shape; }
  const GramModel &all() const { return model; }
  const std::vector<double> &rest_strains() const { return rest; }

  /// eps
  std::vector<double> strain(const Vectors &y) const;
  /// D eps
  std::vector<double> stress(const std::vector<double> &eps) const;
  double energy(const Vectors &y) const { return energy_of(strain(y)); }
  /// ½ eps·D eps
  double energy_of(const std::vector<double> &eps) const;
  /// f += weight sum_i sigma_i B_i(y)
  void add_force(const std::vector<double> &sigma, const Vectors &y, double weight, Vectors &f) const;
  /// B(y)·u
  std::vector<double> strain_rate(const Vectors &y, const Vectors &u) const;
  /// k += weight (sum_ij D_ij B_i(row) ⊗ B_j(column) + sum_i sigma_i S_i), [3 a + d][3 b + d'], S_i: B_i(u)_a = S_i^ab u_b.
  void add_matrix(const Vectors &row, const Vectors &column, const std::vector<double> &sigma, double weight, std::vector<double> &k) const;

private:
  Vectors derived(const Vectors &y) const;

  GramModel model;
  std::vector<double> rest;
};
}  // namespace symdyn
