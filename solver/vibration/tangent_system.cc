#include "solver/vibration/tangent_system.h"

#include "solver/nodal_constraints.h"

namespace symdyn
{
TangentSystem::TangentSystem(const MechanicalSystem &whole, const double t, const Vector &at)
    : whole(whole), nodal(*whole.nodal_constraints()), t(t), q(at), force(whole.new_vector()), constraints(whole.kinematic_constraints())
{
  constraints.nodal = nullptr;
  for (Rotation &body : constraints.rotations)
    body.held = body.held || nodal.hold(body);
  q.update_ghost_values();
  Vector applied = whole.new_vector();
  const Vector rest = applied;
  whole.internal_force(q, force);
  whole.applied_force(t, q, rest, applied);
  force -= applied;
}

void TangentSystem::mass_solve(const Vector &p, Vector &v, const double tolerance) const
{
  if (!mass_matrix || !mass_matrix->current())
    mass_matrix = factor(M, t, q, new_vector());
  mass_matrix->solve(p, v, tolerance);
}

void TangentSystem::stiffness(const Vector &at, const Vector &u, Vector &Ku, const Part part) const
{
  whole.stiffness(at, u, Ku, part);
  if (part == Part::all)
    nodal.subtract_curvature(q, force, u, Ku);
}

std::shared_ptr<const LinearSolve> TangentSystem::factor(const Linearisation &terms) const
{
  Linearisation along = terms;
  for (LinearTerm &term : along)
    term.across = &force;
  return whole.factor(along);
}

void TangentSystem::project(Vector &r) const
{
  nodal.subtract_forces(q, r);
  whole.project(r);
}

AtRest::AtRest(const MechanicalSystem &system, const double t, const Vector &q)
    : made(system.nodal_constraints() ? std::make_unique<TangentSystem>(system, t, q) : nullptr), seen(made ? made.get() : &system)
{
}
}  // namespace symdyn
