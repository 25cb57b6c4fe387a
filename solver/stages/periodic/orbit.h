#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "solver/integrator.h"
#include "solver/stages/periodic/orbit_system.h"

namespace symdyn
{
/// A periodic motion by its start: q [m], v [m/s], T [s], and the factor on the periodic load.
struct Orbit
{
  Vector q, v;
  double period = 0, factor = 1;
};

/// A vector of unknowns or of residuals: q, and with a periodic load v/w, w = 2 pi/T of the first orbit [m]; and a number without unit.
struct OrbitVector
{
  std::vector<Vector> x;
  double p = 0;
};

/// Periodic motions of a body about a state at rest as fixed points of a scheme of n steps h = T/n.
/// With a periodic load: r = (q_n - q_0, (v_n - v_0)/w), unknowns (q_0, v_0/w). Without one, where time reverses: v_0 = 0, half a period,
/// r = v_(n/2)/w, unknowns q_0. The parameter is T, relative to that of the first orbit, or the factor on the load, relative to its last.
struct OrbitProblem
{
  const MechanicalSystem &whole;
  const Integrator &integrator;
  double t;            ///< of the state at rest [s]
  const Vector &rest;  ///< its q
  const Vector *force = nullptr;
  int steps = 60;  ///< a period
  bool by_factor = false;
  double first_period = 1, last_factor = 1;

  bool half() const { return !force; }
  double w() const;
  OrbitVector zero() const;
  /// The orbit moved by a change of its unknowns.
  Orbit moved(const Orbit &orbit, const OrbitVector &change, double part = 1.) const;
  /// The change of unknowns that moves `from` to `to`.
  OrbitVector change(const Orbit &from, const Orbit &to) const;
};

/// What the scheme makes of a start: a period, or half of it.
class OrbitMotion
{
public:
  /// `steps`: of the period. Errors: ComputationError of a step.
  OrbitMotion(const OrbitProblem &problem, const Orbit &orbit, int steps);
  const Orbit &orbit() const { return start; }
  const std::vector<State> &states() const { return all; }
  /// Tangents at the start go to the end, with the exact linearised steps: their q and v are given, and follow.
  void linearise(std::vector<State> &tangents) const;
  /// Largest |q_k - rest| [m], Euclidean.
  double size() const;
  OrbitVector residual() const;
  /// d residual/d unknowns, of these changes of the unknowns.
  std::vector<OrbitVector> derivative(const std::vector<OrbitVector> &changes) const;
  /// d residual/d parameter, by central differences of whole motions.
  OrbitVector parameter_derivative() const;

private:
  const OrbitProblem &problem;
  Orbit start;
  OrbitSystem system;
  double h;
  std::vector<State> all;
};

/// The motion that a residual needs.
OrbitMotion shoot(const OrbitProblem &problem, const Orbit &orbit);
}  // namespace symdyn
