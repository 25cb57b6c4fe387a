#pragma once
#include "solver/linear/petsc.h"

namespace symdyn
{
/// Krylov's method with symmetric Gauss–Seidel over each rank's nodes by Eisenstat's trick (1981). The blocks on the diagonal scaled to I,
/// A becomes I + L + U + E: L and U below and above the diagonal on this rank, E in columns of other ranks. Solved is
///     (I + L)⁻¹ (I + L + U + E) (I + U)⁻¹ x^ = (I + L)⁻¹ r,    x = (I + U)⁻¹ x^,
/// whose product with p is t + (I + L)⁻¹ (p - t + E t), t = (I + U)⁻¹ p: one sweep up and one down are product and preconditioner together.
/// Conjugate gradients where A is symmetric (minimal residuals where it is indefinite; not if a block on its diagonal is), else GMRES.
///
/// L, U and E are held in single precision, so that a solve is exact to about 1e-6; what is asked for beyond 1e-5 comes from solving again
/// for what A, in double precision, leaves, until that no longer helps: ComputationError if more than 1e-6 (or ten times the tolerance) is
/// left then. Own code because PETSc's PCEISENSTAT wants scalar rows of doubles.
class EisenstatSolver : public PetscSolver
{
public:
  EisenstatSolver();
  ~EisenstatSolver() override;
  void set_up(const LinearOperator &A) override;
  /// A tolerance below 1e-5 is of |r - A x|; above, of the residual of the equation for x^.
  int solve(const Vector &r, Vector &x, double tolerance) override;
  bool iterative() const override { return true; }
  std::unique_ptr<LinearSolver> fresh() const override { return std::make_unique<EisenstatSolver>(); }
  std::string name() const override { return "eisenstat (" + krylov_name() + " + ssor)"; }

private:
  struct Scaled;
  std::unique_ptr<Scaled> scaled;
  bool symmetric = true;
  bool scalable = true;  ///< its blocks on the diagonal
};
}  // namespace symdyn
