#pragma once
#include "solver/mechanical_system.h"

namespace symdyn
{
/// Another system without its damping and its applied loads: what the promises of a scheme speak of. Loads with a stiffness of
/// their own are not to be in it: factor() still adds that.
class ConservativeSystem : public MechanicalSystem
{
public:
  explicit ConservativeSystem(const MechanicalSystem &whole) : whole(whole) {}

  Vector new_vector() const override { return whole.new_vector(); }
  void mass(const Vector &v, Vector &Mv) const override { whole.mass(v, Mv); }
  void mass_solve(const Vector &p, Vector &v, double tolerance) const override { whole.mass_solve(p, v, tolerance); }
  double potential(const Vector &q) const override { return whole.potential(q); }
  ForceReport internal_force(const Vector &q, Vector &f) const override { return whole.internal_force(q, f); }
  void stiffness(const Vector &q, const Vector &u, Vector &Ku, Part part) const override { whole.stiffness(q, u, Ku, part); }
  void third_derivative(const Vector &q, const Vector &a, Vector &r, Part part) const override { whole.third_derivative(q, a, r, part); }
  ForceReport discrete_gradient(const Vector &q0, const Vector &q1, Vector &f) const override { return whole.discrete_gradient(q0, q1, f); }
  double dissipation(const Vector &, const Vector &) const override { return 0.; }
  void damping_force(const Vector &, const Vector &, Vector &f) const override { f = 0.; }
  void applied_force(double, const Vector &, const Vector &, Vector &f) const override { f = 0.; }
  using MechanicalSystem::factor;
  std::shared_ptr<const LinearSolve> factor(const Linearisation &terms) const override
  {
    Linearisation undamped = terms;
    for (LinearTerm &term : undamped)
      term.weights.c = 0.;
    return whole.factor(undamped);
  }
  void impose(double t, Vector &q, Vector &v, Vector &a) const override { whole.impose(t, q, v, a); }
  void project(Vector &r) const override { whole.project(r); }
  void project_prescribed(Vector &r) const override { whole.project_prescribed(r); }
  bool has(const Feature feature) const override
  {
    switch (feature)
    {
      case Feature::damping:
      case Feature::stiffness_damping:
      case Feature::nonlinear_damping:
      case Feature::loads:
      case Feature::follower_loads:
        return false;
      default:
        return whole.has(feature);
    }
  }
  const KinematicConstraints &kinematic_constraints() const override { return whole.kinematic_constraints(); }
  const Unknowns &unknowns() const override { return whole.unknowns(); }
  const Diagnosis &diagnosis() const override { return whole.diagnosis(); }

private:
  const MechanicalSystem &whole;
};
}  // namespace symdyn
