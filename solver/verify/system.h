#pragma once
#include <memory>

#include "solver/fourth_derivative.h"
#include "solver/kicking.h"
#include "solver/mechanical_system.h"
#include "solver/searching.h"

namespace symdyn
{
/// Another system without its damping and its applied loads: what the promises of a scheme speak of. Loads with a stiffness of
/// their own are not to be in it: factor() still adds that.
class ConservativeSystem : public MechanicalSystem, public Searching, public Kicking, public KnowsFourthDerivative
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
  bool searches() const override { return searching(whole) != nullptr; }
  void search(const Vector &q) const override { searching(whole)->search(q); }
  double within_reach(const Vector &q, const Vector &dq) const override { return searching(whole)->within_reach(q, dq); }
  double free_part(const Vector &q, const Vector &dq) const override { return searching(whole)->free_part(q, dq); }
  double slack(const Vector &q) const override { return searching(whole)->slack(q); }
  std::string refusal(const Vector &q, const Vector &dq) const override { return searching(whole)->refusal(q, dq); }
  bool kicks() const override { return kicking(whole) != nullptr; }
  const MechanicalSystem &smooth() const override
  {
    if (const MechanicalSystem &now = kicking(whole)->smooth(); !rest || &rest->whole != &now)
      rest = std::make_unique<ConservativeSystem>(now);
    return *rest;
  }
  ForceReport kick(const Vector &q, Vector &f) const override { return kicking(whole)->kick(q, f); }
  double longest_step(double t, const Vector &q) const override { return kicking(whole)->longest_step(t, q); }
  void known_fourth_derivative(const Vector &q, const Vector &a, const Vector &b, Vector &r) const override
  {
    r = 0.;
    if (const auto *knows = dynamic_cast<const KnowsFourthDerivative *>(&whole))
      knows->known_fourth_derivative(q, a, b, r);
  }
  void third_derivative_of_rest(const Vector &q, const Vector &a, Vector &r) const override
  {
    if (const auto *knows = dynamic_cast<const KnowsFourthDerivative *>(&whole))
      knows->third_derivative_of_rest(q, a, r);
    else
      whole.third_derivative(q, a, r, Part::all);
  }

  const MechanicalSystem &whole;
  mutable std::unique_ptr<const ConservativeSystem> rest;  ///< of smooth()
};
}  // namespace symdyn
