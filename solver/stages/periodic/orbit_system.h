#pragma once
#include <memory>
#include <vector>

#include "solver/mechanical_system.h"

namespace symdyn
{
/// A body that moves about a state at rest with a period T: loads of the state stay as they are at its time, supports rest, and
/// F cos(2 pi t/T) is added [N]. A linearisation is kept as long as the next one is at the same place: all tangents of a step are solved
/// with one factorisation.
class OrbitSystem : public MechanicalSystem
{
public:
  /// `rest`: time of the state [s]; `force`: F, nullptr: none. Both must outlive this.
  OrbitSystem(const MechanicalSystem &whole, double rest, const Vector *force, double period, double factor);

  Vector new_vector() const override { return whole.new_vector(); }
  void mass(const Vector &v, Vector &Mv) const override { whole.mass(v, Mv); }
  void mass_solve(const Vector &p, Vector &v, double tolerance = 1e-14) const override { whole.mass_solve(p, v, tolerance); }
  double potential(const Vector &q) const override { return whole.potential(q); }
  ForceReport internal_force(const Vector &q, Vector &f) const override { return whole.internal_force(q, f); }
  void stiffness(const Vector &q, const Vector &u, Vector &Ku, Part part = Part::all) const override { whole.stiffness(q, u, Ku, part); }
  void third_derivative(const Vector &q, const Vector &a, Vector &r, Part part = Part::all) const override
  {
    whole.third_derivative(q, a, r, part);
  }
  ForceReport discrete_gradient(const Vector &q0, const Vector &q1, Vector &f) const override { return whole.discrete_gradient(q0, q1, f); }
  double dissipation(const Vector &q, const Vector &v) const override { return whole.dissipation(q, v); }
  void damping_force(const Vector &q, const Vector &v, Vector &f) const override { whole.damping_force(q, v, f); }
  void applied_force(double t, const Vector &q, const Vector &v, Vector &f) const override;
  using MechanicalSystem::factor;
  std::shared_ptr<const LinearSolve> factor(const Linearisation &terms) const override;
  void impose(double t, Vector &q, Vector &v, Vector &a) const override;
  void project(Vector &r) const override { whole.project(r); }
  void project_prescribed(Vector &r) const override { whole.project_prescribed(r); }
  const KinematicConstraints &kinematic_constraints() const override { return whole.kinematic_constraints(); }
  bool has(Feature feature) const override { return (feature == Feature::loads && force) || whole.has(feature); }
  const Unknowns &unknowns() const override { return whole.unknowns(); }
  const Diagnosis &diagnosis() const override { return whole.diagnosis(); }

private:
  struct Place
  {
    Weights weights;
    Vector q, v;
  };
  /// On all ranks. Collective.
  bool is_at(const Linearisation &terms) const;

  const MechanicalSystem &whole;
  double rest;
  const Vector *force;
  double period, strength;
  mutable std::vector<Place> places;  ///< of `made`: these change no result
  mutable std::shared_ptr<const LinearSolve> made;
};
}  // namespace symdyn
