#pragma once
#include <memory>
#include <vector>

#include "solver/joined_operator.h"

namespace symdyn
{
/// Factors of joined copies of A, split at the interface S of A from what is within, I:
///     A = L D Lᵀ up to the Schur complement A_SS - A_SI A_II⁻¹ A_IS (MUMPS), once for all copies;
///     Tᵀ (1 ⊗ Schur complement) T = U D Uᵀ, dense (LAPACK, Bunch and Kaufman 1977).
/// Negative eigenvalues add up (Haynsworth 1968). One rank.
class JoinedFactors
{
public:
  /// Whether they take fewer operations than those of all copies.
  static bool pay(const JoinedOperator &A);

  explicit JoinedFactors(const JoinedOperator &A);
  ~JoinedFactors();
  /// Of the values that A has now. Errors: ComputationError.
  void factor(const JoinedOperator &A);
  void solve_all(const std::vector<Vector> &r, std::vector<Vector> &x) const;
  long negative_eigenvalues() const { return negative; }

private:
  struct Mumps;  ///< factors of one copy
  void join(const JoinedOperator::Joint &joint, const std::vector<double> &schur);

  const JoinedOperator *op;
  std::unique_ptr<Mumps> within;
  std::vector<double> dense;
  std::vector<int> pivots;
  long negative = 0;
};
}  // namespace symdyn
