#pragma once
#include <memory>
#include <string>

#include "solver/linear_solver.h"

namespace symdyn
{
/// The section "Linear solver" of a deck.
struct LinearSolverChoice
{
  std::string type = "automatic";
  double tolerance = 1e-10;
  std::shared_ptr<LinearSolver> solver;
  void declare(Parameters section);
};
}  // namespace symdyn
