#pragma once
#include <functional>
#include <vector>

#include "elements/site_mass.h"
#include "elements/space/dense_block.h"

namespace symdyn
{
/// The dense masses of a system, and the inverse of what M has at their sites. That is one matrix, on every rank.
class DenseMasses
{
public:
  using Project = std::function<void(Vector &)>;
  /// `others`: the diagonal of what else M has at owned sites [kg].
  DenseMasses(const Space &space, std::vector<DenseMass> masses, std::vector<double> others);

  void add_product(double m, const Vector &x, Vector &y) const;
  void add_to(double m, const BlockMatrix &A) const;
  /// += the mean over the components, of owned sites.
  void add_diagonal(std::vector<double> &diagonal) const;
  /// At these sites v = P v with P (A v - p) = 0, A: these masses and the diagonal of the others; P: a projector of sites, the same until
  /// forget_held(), empty: 1. Other sites stay. p = P p. Collective. Errors: ComputationError for an A that is not positive definite.
  void solve(const Vector &p, const Project &project, Vector &v) const;
  /// The same divided by w², for M w².
  void precondition(double w, const Vector &p, const Project &project, Vector &v) const;
  void forget_held() const { of_held.clear(); }

private:
  /// L of A = L Lᵀ, by rows.
  std::vector<double> factor(const Project &project) const;
  /// A, and P A P + m (1 - P) with m of the site.
  std::vector<double> matrix() const;
  void hold(const Project &project, std::vector<double> &A) const;
  /// Of x, at these sites, on every rank.
  std::vector<double> gathered(const Vector &x) const;

  const Space &space;
  std::vector<DenseMass> given;
  std::vector<double> others;
  std::vector<DenseBlock> blocks;
  std::vector<std::uint64_t> sites;             ///< of all, ascending
  mutable std::vector<double> of_all, of_held;  ///< factors; empty: not made yet
};
}  // namespace symdyn
