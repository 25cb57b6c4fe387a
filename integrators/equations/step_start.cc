#include "integrators/equations/step_start.h"

#include <cmath>
#include <limits>

#include "solver/error.h"

namespace symdyn
{
Vector unknown_at(const MechanicalSystem &system, const Vector &Q, const double dq, const Vector &q, const Vector &x)
{
  Vector other = q;
  other -= Q;
  other *= 1. / dq;
  other -= x;
  system.project(other);
  other += x;
  other.update_ghost_values();
  return other;
}

Vector unknown_of_drift(const MechanicalSystem &system, const Vector &Q, const double dq, const State &state, const double h,
                        const Vector &x)
{
  constexpr double rounding = 1e-12;
  if (dq < (0.25 - rounding) * h * h)
    return x;
  Vector q = state.q;
  q.add(h, state.v);
  return unknown_at(system, Q, dq, q, x);
}

bool is_nearer(const NewtonProblem &problem, const Vector &other, const Vector &x)
{
  Vector r = x;
  const auto size_at = [&](const Vector &trial) {
    const bool admissible = problem.residual(trial, r).admissible();
    const double size = problem.norm(r);
    return admissible && std::isfinite(size) ? size : std::numeric_limits<double>::infinity();
  };
  const double here = size_at(x);
  return size_at(other) < here;
}

NewtonReport solve_from(const Vector &start, const Newton &newton, NewtonProblem &problem, Vector &x)
{
  const Vector predicted = x;
  try
  {
    x = start;
    x.update_ghost_values();
    return newton.solve(problem, x);
  }
  catch (const ComputationError &)
  {
    if (problem.carry)
      problem.carry(false);
    problem.carry = nullptr;
    x = predicted;
    x.update_ghost_values();
  }
  return newton.solve(problem, x);
}
}  // namespace symdyn
