#pragma once
#include <memory>
#include <string>
#include <vector>

#include "solver/block_matrix.h"
#include "solver/registry.h"
#include "solver/vector.h"

namespace symdyn
{
class Parameters;

/// What a solver may want to know of the matrix it is given.
struct MatrixProperties
{
  bool symmetric = true;
  /// The tangent is the same at every q: a factorisation serves the whole run.
  bool constant = false;
  /// Largest ratio of the stiffness to the mass part on the diagonal: beta h² omega² of the stiffest mode, about. Infinite
  /// without mass.
  double stiffness_over_mass = 0;
};

/// Options given to PETSc (after -- on the command line) that nobody has asked for so far: misspelt, or of another solver.
std::vector<std::string> unused_petsc_options();

/// A sparse linear solver with its matrix. Registered by deck name in Registry<LinearSolver>.
class LinearSolver
{
public:
  virtual ~LinearSolver() = default;
  virtual void declare(Parameters &p) = 0;
  /// Allocates the matrix; `modes` are the near null space (rigid bodies), may be empty. Collective.
  virtual void allocate(const BlockPattern &pattern, const std::vector<Vector> &modes) = 0;
  /// Where to write the values, then `factor`.
  virtual BlockMatrix &matrix() = 0;
  virtual void factor(const MatrixProperties &properties) = 0;
  /// Errors: ComputationError. Returns Krylov iterations.
  virtual int solve(const Vector &r, Vector &x, double tolerance) = 0;
  virtual void multiply(const Vector &x, Vector &y) = 0;
  virtual bool iterative() const = 0;
  /// "cg + gamg": what works at present.
  virtual std::string name() const = 0;

protected:
  /// ComputationError unless |r - A x| is what an iterative method says: on an indefinite matrix its recurrence may lie.
  void verify(const Vector &r, const Vector &x, double tolerance);
};
}  // namespace symdyn
