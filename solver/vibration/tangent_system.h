#pragma once
#include <memory>

#include "solver/mechanical_system.h"

namespace symdyn
{
/// A system with nodal constraints, to be linearised at rest about q: motions are those along the constraints, K = V'' - df_applied/dq -
/// sum lambda g'' with Gᵀ lambda the part of the force dV/dq - f_applied across them. Its constraints are part of projections, so that
/// nothing else needs to know them.
class TangentSystem : public MechanicalSystem
{
public:
  /// `whole` must outlive this.
  TangentSystem(const MechanicalSystem &whole, double t, const Vector &q);

  Vector new_vector() const override { return whole.new_vector(); }
  void mass(const Vector &v, Vector &Mv) const override { whole.mass(v, Mv); }
  void mass_solve(const Vector &p, Vector &v, double tolerance = 1e-14) const override;
  double potential(const Vector &at) const override { return whole.potential(at); }
  ForceReport internal_force(const Vector &at, Vector &f) const override { return whole.internal_force(at, f); }
  void stiffness(const Vector &at, const Vector &u, Vector &Ku, Part part = Part::all) const override;
  void third_derivative(const Vector &at, const Vector &a, Vector &r, const Part part = Part::all) const override
  {
    whole.third_derivative(at, a, r, part);
  }
  ForceReport discrete_gradient(const Vector &q0, const Vector &q1, Vector &f) const override { return whole.discrete_gradient(q0, q1, f); }
  double dissipation(const Vector &at, const Vector &v) const override { return whole.dissipation(at, v); }
  void damping_force(const Vector &at, const Vector &v, Vector &f) const override { whole.damping_force(at, v, f); }
  void applied_force(double t, const Vector &at, const Vector &v, Vector &f) const override { whole.applied_force(t, at, v, f); }
  void add_load_stiffness(double t, const Vector &at, const Vector &u, Vector &Ku) const override
  {
    whole.add_load_stiffness(t, at, u, Ku);
  }
  using MechanicalSystem::factor;
  std::shared_ptr<const LinearSolve> factor(const Linearisation &terms) const override;
  void impose(double t, Vector &at, Vector &v, Vector &a) const override { whole.impose(t, at, v, a); }
  void project(Vector &r) const override;
  void project_prescribed(Vector &r) const override { whole.project_prescribed(r); }
  const KinematicConstraints &kinematic_constraints() const override { return constraints; }
  bool has(Feature feature) const override
  {
    return feature != Feature::diagonal_mass && feature != Feature::nodal_mass && whole.has(feature);
  }
  const Unknowns &unknowns() const override { return whole.unknowns(); }
  const Diagnosis &diagnosis() const override { return whole.diagnosis(); }

private:
  const MechanicalSystem &whole;
  const NodalConstraints &nodal;
  double t;
  Vector q, force;
  KinematicConstraints constraints;
  mutable std::shared_ptr<const LinearSolve> mass_matrix;
};

/// A system as linear motion about a state at rest is computed of it: a TangentSystem where it has nodal constraints, or itself.
class AtRest
{
public:
  AtRest(const MechanicalSystem &system, double t, const Vector &q);
  const MechanicalSystem &operator*() const { return *seen; }
  const MechanicalSystem *operator->() const { return seen; }

private:
  std::unique_ptr<TangentSystem> made;
  const MechanicalSystem *seen;
};
}  // namespace symdyn
