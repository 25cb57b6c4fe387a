#pragma once
#include <cmath>
#include <memory>

#include "solver/carried_stresses.h"
#include "solver/newton.h"
#include "solver/nodal_constraints.h"
#include "solver/searching.h"
#include "solver/unknowns.h"
#include "solver/vibration/tangent_system.h"

namespace symdyn
{
/// dV/dq - f_applied at t, less what is across nodal constraints, and its tangent. Points beside these constraints are moved onto them.
class Equilibrium
{
public:
  Equilibrium(const MechanicalSystem &system, const double t, const Vector &v)
      : system(system), nodal(system.nodal_constraints()), t(t), v(v), f(system.new_vector())
  {
  }

  ForceReport residual(const Vector &x, Vector &r)
  {
    const Vector &at = place(x);
    const ForceReport report = system.internal_force(at, r);
    system.applied_force(t, at, v, f);
    r -= f;
    if (nodal)
      nodal->subtract_forces(at, r);
    system.project(r);
    return report;
  }
  std::shared_ptr<const LinearSolve> tangent(const Vector &x)
  {
    const Vector &at = place(x);
    LinearTerm stiffness{K, t, &at, &v};
    stresses.add_to(stiffness);
    const auto made = AtRest(system, t, at)->factor(Linearisation{stiffness});
    stresses.step_from(x);
    return made;
  }
  void carry(const bool carries) { stresses.begin(carries); }
  void retract(Vector &x)
  {
    stresses.led_to() = x;
    nodal->retract(x);
  }

  /// For an increment in which supports move from `from` to q: adds what an elastic structure, memory frozen, does under their jump.
  /// Without it the elements beside them flow first, and Newton's method begins with their tangents.
  void predict(const MechanicalSystem &frozen, const Vector &from, Vector &q) const
  {
    Vector jump = q, r = f, correction = f;
    jump -= from;
    jump.update_ghost_values();
    if (jump.linfty_norm() == 0.)
      return;
    const AtRest elastic(frozen, t, from);
    const auto stiffness = elastic->factor({{K, t, &from, &v}});
    elastic->stiffness(from, jump, r);
    elastic->project(r);
    correction = 0.;
    stiffness->solve(r, correction, stiffness->tolerance());
    q -= correction;
    q.update_ghost_values();
  }

  /// Whether x may be a state on a way from `start`, and leaves a smaller |r| than `other`.
  bool is_nearer(const Vector &x, const Vector &other, const Vector &start)
  {
    if (const Searching *neighbours = searching(system))
    {
      Vector way = x;
      way -= start;
      way.update_ghost_values();
      if (neighbours->within_reach(start, way) < 1. || neighbours->free_part(start, way) < 1.)
        return false;
    }
    Vector r = f;
    if (!residual(x, r).admissible())
      return false;
    const double size = system.unknowns().norm(r);
    const bool other_may_be = residual(other, r).admissible();
    return std::isfinite(size) && (!other_may_be || !(system.unknowns().norm(r) <= size));
  }

private:
  const Vector &place(const Vector &x)
  {
    if (!nodal)
      return x;
    moved = x;
    nodal->retract(moved);
    return moved;
  }

  const MechanicalSystem &system;
  const NodalConstraints *nodal;
  double t;
  const Vector &v;
  Vector f, moved;
  CarriedStresses stresses;
};

/// Equilibria with springs for exact constraints, whose forces become multipliers. Errors: ComputationError.
NewtonReport solve_with_multipliers(const Newton &newton, const MechanicalSystem &system, const NewtonProblem &problem, Vector &q);
/// How |r| is measured, what is rounding, and which iterates may be.
void judge(NewtonProblem &problem, const MechanicalSystem &system);
}  // namespace symdyn
