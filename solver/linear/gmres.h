#pragma once
#include <functional>
#include <utility>

#include "solver/vector.h"

namespace symdyn
{
/// Unknowns of a bordered system: a field, and a number, the same on all ranks.
struct Bordered
{
  Vector x;
  double p = 0;
};

struct BorderedProblem
{
  std::function<void(const Bordered &x, Bordered &y)> multiply, precondition;
  double tolerance = 1e-8;  ///< of |b - A x|, relative to |b|
  int most_iterations = 300;
};

/// A x = b by GMRES of PETSc, preconditioned from the right, without restarts, from x = 0. Returns x and the iterations. Errors:
/// ComputationError if it does not converge. Collective.
std::pair<Bordered, int> solve_bordered(const BorderedProblem &problem, const Bordered &b);
}  // namespace symdyn
