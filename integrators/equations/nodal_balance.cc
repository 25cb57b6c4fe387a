#include "integrators/equations/nodal_balance.h"

#include "integrators/equations/step_start.h"
#include "solver/carried_stresses.h"
#include "solver/error.h"
#include "solver/nodal_constraints.h"
#include "solver/unknowns.h"

// The null space method: Betsch, Leyendecker 2006.
namespace symdyn
{
void NodalBalance::move_onto(const MechanicalSystem &system, Vector &x, const std::string &name) const
{
  const Balance::Point &point = balance.points.front();
  Vector q = point.q;
  q.add(point.dq, x);
  Vector moved = q;
  try
  {
    system.nodal_constraints()->retract(moved);
  }
  catch (const ComputationError &error)
  {
    throw ComputationError(name + ": " + error.what());
  }
  moved -= q;  // zero but at directors
  x.add(1. / point.dq, moved);
  x.update_ghost_values();
}

void NodalBalance::keep_along(const MechanicalSystem &system, const Vector &q1, Vector &r) const
{
  Vector acting = *from;
  if (discrete)
    acting.sadd(0.5, 0.5, q1);
  system.nodal_constraints()->subtract_forces(acting, r);
  system.project(r);
}

LinearTerm NodalBalance::term(const Balance::Point &at, const Vector &force) const
{
  LinearTerm term{balance.mass * M + at.weight * (at.dv * C + at.dq * K), at.t, &at.q, &at.v, at.from};
  term.across = &force;
  term.across_at = discrete ? nullptr : from;
  return term;
}

NewtonReport NodalBalance::solve(const MechanicalSystem &system, const Newton &newton, const std::string &name, Vector &x) const
{
  std::vector<Balance::Point> now = balance.points;
  Vector on = x, force = x;
  NewtonProblem problem;
  problem.name = name;
  problem.residual = [&](const Vector &trial, Vector &r) {
    on = trial;
    move_onto(system, on, name);
    const ForceReport report = balance.residual(system, on, r, now);
    force = r;
    keep_along(system, now.front().q, r);
    return report;
  };
  CarriedStresses stresses;
  if (system.has(Feature::carried_stresses))
    problem.carry = [&](const bool carries) { stresses.begin(carries); };
  problem.linearise = [&](const Vector &) {
    LinearTerm here = term(now.front(), force);
    stresses.add_to(here);
    const auto tangent = system.factor(Linearisation{here});
    stresses.step_from(now.front().q);
    return tangent;
  };
  problem.retract = [&](Vector &trial) {
    stresses.led_to() = balance.points.front().q;
    stresses.led_to().add(balance.points.front().dq, trial);
    move_onto(system, trial, name);
  };
  problem.norm = [&](const Vector &r) { return system.unknowns().norm(r); };
  problem.rounding = [&](const LinearSolve &tangent, const Vector &) { return tangent.rounding(now.front().q); };
  problem.diagnose = [&](const Vector &) { return diagnose(system, now.front().q); };
  move_onto(system, x, name);
  const Vector start = unknown_at(system, balance.points.front().q, balance.points.front().dq, *from, x);
  const bool from_start = problem.carry && newton.stresses == "carried" && is_nearer(problem, start, x);
  const NewtonReport report = from_start ? solve_from(start, newton, problem, x) : newton.solve(problem, x);
  move_onto(system, x, name);
  return report;
}

Vector NodalBalance::reaction(const MechanicalSystem &system, const Vector &x) const
{
  std::vector<Balance::Point> now = balance.points;
  Vector r = x, a = x;
  balance.residual(system, x, r, now);
  system.mass_solve(r, a);
  return a;
}
}  // namespace symdyn
