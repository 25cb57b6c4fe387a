#pragma once
#include <deal.II/lac/lapack_full_matrix.h>

#include <vector>

#include "elements/discrete_system.h"
#include "solver/linear_operator.h"

namespace symdyn
{
/// The linearised system: rows of a dense matrix, or blocks of a sparse one.
struct DiscreteSystem::Matrix
{
  std::vector<double> entries;  ///< dense, by rows
  dealii::LAPACKFullMatrix<double> lu;
  mutable dealii::Vector<double> right;

  BlockPattern pattern;
  OwnedBlockMatrix blocks;
  std::unique_ptr<Operator> sparse;
  std::shared_ptr<LinearSolver> solver;
};

/// The blocks, for a linear solver.
class DiscreteSystem::Operator : public LinearOperator
{
public:
  explicit Operator(const DiscreteSystem &system) : system(system) {}
  bool symmetric() const override { return is_symmetric; }
  bool constant() const override { return system.linear(); }
  double stiffness_over_mass() const override { return ratio; }
  Vector new_vector() const override { return system.new_vector(); }
  std::uint64_t kind() const override { return weights_changed; }
  std::shared_ptr<const dealii::Utilities::MPI::Partitioner> nodes() const override { return pattern().nodes; }
  int block() const override { return pattern().block; }
  const BlockPattern &pattern() const override { return system.matrix->pattern; }
  std::vector<Vector> rigid_modes() const override { return system.rigid_modes(); }
  void assemble(const BlockMatrix &A) const override;
  void project(Vector &x) const override { system.project(x); }
  void multiply(const Vector &x, Vector &y) const override { system.matrix->blocks.multiply(x, y); }

  void set(const Linearisation &terms, double stiffness_over_mass);

private:
  const DiscreteSystem &system;
  bool is_symmetric = true;
  double ratio = 0;
  std::vector<Weights> weights;
  std::uint64_t weights_changed = 0;
};
}  // namespace symdyn
