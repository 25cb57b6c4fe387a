#include "solver/stages/equilibrium.h"

#include <fmt/format.h>

#include "solver/diagnosis.h"
#include "solver/error.h"
#include "solver/searching.h"
#include "solver/unknowns.h"
#include "solver/vibration/held_constraints.h"

namespace symdyn
{
NewtonReport solve_with_multipliers(const Newton &newton, const MechanicalSystem &system, const NewtonProblem &problem, Vector &q)
{
  constexpr int most = 40;
  NewtonReport report = newton.solve(problem, q);
  for (int k = 0; improve_multipliers(system, q); ++k)
  {
    if (k == most)
      throw ComputationError(
          fmt::format("{}: exact constraints are not reached in {} equilibria. Double \"Increments\"", problem.name, most));
    const NewtonReport more = newton.solve(problem, q);
    report.iterations += more.iterations;
    report.krylov += more.krylov;
    report.linearisations += more.linearisations;
    if (more.iterations == 0)  // what the multipliers changed by is rounding of forces, and g cannot become smaller
      break;
  }
  return report;
}

void judge(NewtonProblem &problem, const MechanicalSystem &system)
{
  problem.norm = [&](const Vector &r) { return system.unknowns().norm(r); };
  problem.rounding = [](const LinearSolve &tangent, const Vector &x) { return tangent.rounding(x); };
  problem.diagnose = [&](const Vector &x) { return system.diagnosis().diagnose(x); };
  if (const Searching *neighbours = searching(system))
    problem.free_part = [neighbours](const Vector &x, const Vector &dx) { return neighbours->free_part(x, dx); };
}
}  // namespace symdyn
