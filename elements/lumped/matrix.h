#pragma once
#include <vector>

#include "elements/lumped/system.h"
#include "elements/space/rigid_modes.h"
#include "solver/linear/band_matrix.h"
#include "solver/linear_operator.h"

namespace symdyn
{
/// The linearised system: a band in a numbering of its own, or blocks of a sparse matrix.
struct DiscreteSystem::Matrix
{
  bool is_band = false;
  BandMatrix band;
  std::vector<unsigned int> number;  ///< in the band, of each degree of freedom
  mutable std::vector<double> right, left;

  BlockPattern pattern;
  OwnedBlockMatrix blocks;
  std::unique_ptr<Operator> sparse;
  std::shared_ptr<LinearSolver> solver;
};

/// The blocks, for a linear solver.
class DiscreteSystem::Operator : public LinearOperator
{
public:
  Operator(const DiscreteSystem &system, const Matrix &matrix) : system(system), matrix(matrix) {}
  bool symmetric() const override { return is_symmetric; }
  bool constant() const override { return system.linear(); }
  double stiffness_over_mass() const override { return ratio; }
  Vector new_vector() const override { return system.new_vector(); }
  std::uint64_t kind() const override { return weights_changed; }
  std::shared_ptr<const dealii::Utilities::MPI::Partitioner> nodes() const override { return pattern().nodes; }
  int block() const override { return pattern().block; }
  const BlockPattern &pattern() const override { return matrix.pattern; }
  std::vector<Vector> rigid_modes() const override { return symdyn::rigid_modes(system); }
  void assemble(const BlockMatrix &A) const override;
  void project(Vector &x) const override { system.project(x); }
  void multiply(const Vector &x, Vector &y) const override { matrix.blocks.multiply(x, y); }

  void set(const Linearisation &terms, double stiffness_over_mass);

private:
  const DiscreteSystem &system;
  const Matrix &matrix;
  bool is_symmetric = true;
  double ratio = 0;
  std::vector<Weights> weights;
  std::uint64_t weights_changed = 0;
};
}  // namespace symdyn
