#pragma once
#include <deal.II/lac/lapack_full_matrix.h>

#include <vector>

#include "elements/discrete_system.h"
#include "solver/block_matrix.h"

namespace symdyn
{
/// The linearised system: rows of a dense matrix, or the blocks of a sparse solver.
struct DiscreteSystem::Matrix
{
  std::vector<double> entries;  ///< dense, by rows
  dealii::LAPACKFullMatrix<double> lu;
  mutable dealii::Vector<double> right;

  BlockPattern pattern;
  std::shared_ptr<LinearSolver> solver;
};
}  // namespace symdyn
