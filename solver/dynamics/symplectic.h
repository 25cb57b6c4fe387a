#pragma once
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "solver/integrator.h"

namespace symdyn
{
class Archive;

/// (x·M x)^1/2 [kg^1/2 m of displacements].
double mass_norm(const MechanicalSystem &system, const Vector &x);

/// The symplectic form on two tangents that are carried along a run by the linearised steps themselves, in the scheme's canonical
/// variables x = q + s h² M^-1 dV/dq, p = M v (s = Integrator::suris_shift(), Suris 1989):
///     omega = d1q·M d2v - d2q·M d1v + s h² (H d1q·d2v - H d2q·d1v),   H = V''(q)
/// At the start d1 = (u, 0), d2 = (0, M^-1 u), u random on the free degrees of freedom, |u| = 1; of constrained
/// systems their parts along the constraints. A symplectic scheme keeps
/// omega whatever the tolerance of its Newton method. Instrument (b) of three: one-step defects and neighbouring runs (neighbour_drift) are
/// the others.
class SymplecticForm
{
public:
  /// `started`: what Integrator::start left. Errors: those of start_tangent.
  SymplecticForm(const MechanicalSystem &system, const Integrator &integrator, const State &started, double h, unsigned int seed = 1);
  /// Two given tangents: their q and v, with all that goes with them set by start_tangent.
  SymplecticForm(const MechanicalSystem &system, const Integrator &integrator, const State &started, double h,
                 std::array<State, 2> tangents);

  /// After each step of length h, which led from `before` to `after`.
  void advance(const MechanicalSystem &system, const Integrator &integrator, const State &before, const State &after, double h);

  /// In place of advance(), after any number of steps that led to `after`: tangents that come from elsewhere (differences of neighbouring
  /// runs). Their q and v count.
  void replace(const MechanicalSystem &system, const Integrator &integrator, const State &after, double h, std::array<State, 2> tangents);

  void save(Archive archive) const;
  void load(const Archive &archive);

  double omega() const { return now.omega; }
  /// d1q·M d2v - d2q·M d1v, in the variables (q, M v).
  double omega_qv() const { return now.omega_qv; }
  /// |omega - omega at the start| / (|d1| |d2|), where |d1| |d2| = |d1q|_M |d2v|_M + |d2q|_M |d1v|_M
  /// + |s| h² (|H d1q| |d2v| + |H d2q| |d1v|) is the largest value that tangents of the present size allow (Cauchy-Schwarz),
  /// so that 1 means: nothing of the form is left, and more that the tangents shrink (damping). No units.
  double drift() const;
  /// The same in (q, M v): without s.
  double drift_qv() const;
  /// What drift() may show by rounding and inexact linear solves: per step 1e-14, or the defect of linearity of the carried
  /// tangents, measured in the first step, if that is larger (schemes that differentiate by differences: 1e-10 or so).
  double floor() const;
  /// |omega - omega at the start| itself [J s].
  double change() const { return std::abs(now.omega - first.omega); }
  double change_qv() const { return std::abs(now.omega_qv - first.omega_qv); }
  std::uint64_t steps() const { return count; }

private:
  struct Values
  {
    double omega = 0, omega_qv = 0, bound = 0, bound_qv = 0;
  };
  void begin(const MechanicalSystem &system, const Integrator &integrator, const State &started, double h);
  Values evaluate(const MechanicalSystem &system, const Vector &q, double shift) const;
  void measure_linearity(const MechanicalSystem &system, const Integrator &integrator, const State &before, const State &after, double h,
                         State sum);

  std::array<State, 2> delta;
  Values first, now;
  double linearity = 0;
  std::uint64_t count = 0;
};

/// J_i = xi_i(x)·M v in the scheme's canonical variables, x = q + s h² M^-1 dV/dq; for s = 0 the momenta of (q, M v).
/// [kg m/s, kg m²/s]. By xi_i(q)·M v + s h² (xi_i(f) - xi_i(0))·v, f = dV/dq: no solve with M, which acts on all
/// components of a node alike.
std::vector<double> canonical_momenta(const MechanicalSystem &system, const Integrator &integrator, const State &state, double h);
/// The momenta xi_i(q)·M v.
std::vector<double> momenta_of(const MechanicalSystem &system, const State &state);

/// Which momenta V and the supports let a body keep: xi_i·dV/dq vanishes at a few places near the state, and no support holds
/// xi_i. Applied loads and damping are not asked. Collective.
std::vector<bool> symmetries(const MechanicalSystem &system, const State &state);

/// Uniform in [-1, 1] on the free degrees of freedom, zero on the others; the same on every run with as many ranks.
Vector random_vector(const MechanicalSystem &system, unsigned int seed);
}  // namespace symdyn
