#include "integrators/equations/nodal_balance.h"

#include "solver/error.h"
#include "solver/nodal_constraints.h"

namespace symdyn
{
void NodalBalance::move_onto(const MechanicalSystem &system, Vector &x) const
{
  const Balance::Point &point = balance.points.front();
  Vector q = point.q;
  q.add(point.dq, x);
  Vector moved = q;
  system.nodal_constraints()->retract(moved);
  moved -= q;  // zero but at directors
  x.add(1. / point.dq, moved);
  x.update_ghost_values();
}

NewtonReport NodalBalance::solve(const MechanicalSystem &system, const Newton &newton, const std::string &name, Vector &x) const
{
  const NodalConstraints &nodal = *system.nodal_constraints();
  std::vector<Balance::Point> now = balance.points;
  Vector on = x, force = x, acting = *from;
  NewtonProblem problem;
  problem.name = name;
  problem.residual = [&](const Vector &trial, Vector &r) {
    on = trial;
    try
    {
      move_onto(system, on);
    }
    catch (const ComputationError &error)
    {
      throw ComputationError(name + ": " + error.what());
    }
    const ForceReport report = balance.residual(system, on, r, now);
    force = r;
    if (discrete)
    {
      acting = *from;
      acting.sadd(0.5, 0.5, now.front().q);
    }
    nodal.subtract_forces(acting, r);
    system.project(r);
    return report;
  };
  problem.linearise = [&](const Vector &) {
    const Balance::Point &at = now.front();
    LinearTerm term{balance.mass * M + at.weight * (at.dv * C + at.dq * K), at.t, &at.q, &at.v, at.from};
    term.across = &force;
    term.across_at = discrete ? nullptr : from;
    return system.factor(Linearisation{term});
  };
  problem.retract = [&](Vector &trial) { move_onto(system, trial); };
  problem.rounding = [&](const LinearSolve &tangent, const Vector &) { return tangent.rounding(now.front().q); };
  problem.diagnose = [&](const Vector &) { return diagnose(system, now.front().q); };
  move_onto(system, x);
  const NewtonReport report = newton.solve(problem, x);
  move_onto(system, x);
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
