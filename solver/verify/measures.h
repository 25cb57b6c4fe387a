#pragma once
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "solver/integrator.h"
#include "solver/linear/keeps_tangents.h"

namespace symdyn
{
/// A scheme on a system, from a state, with a time step: what the measurements of `symdyn verify` act on.
struct Trial
{
  const MechanicalSystem *system;
  const Integrator *integrator;
  State start;  ///< q and v
  double h = 0;
  int steps = 200;                                           ///< with tangents
  int long_steps = 0;                                        ///< of the whole run, if more
  KeepsTangents *keeps = nullptr;                            ///< the system, if it keeps tangents
  double seconds = std::numeric_limits<double>::infinity();  ///< of wall time; then a run is cut short, but not below 20 steps
};

/// The start of a run, with the neighbours that it needs found about it.
void begin(const MechanicalSystem &system, const Integrator &integrator, State &state, double h);
/// A step of a scheme, with the neighbours that it needs found about its start.
StepReport advance(const MechanicalSystem &system, const Integrator &integrator, State &state, double h);

/// Says whether the wall time of a trial is over, to all ranks alike.
class TrialClock
{
public:
  explicit TrialClock(double seconds);
  bool over() const;

private:
  double seconds, begin;
};

/// The larger of both; NaN if one is.
inline double larger(const double a, const double b) { return std::isnan(b) || b > a ? b : a; }

/// Histories of a run, each with the start as its first entry.
struct RunHistory
{
  std::vector<double> t, energy;
  std::vector<double> drift, drift_qv;                  ///< of the symplectic form, without the start's zero
  std::vector<std::vector<double>> momenta, canonical;  ///< [step][momentum]
  double energy_scale = 0;                              ///< largest kinetic energy plus change of potential [J]
  std::vector<double> momentum_scale;                   ///< |xi_i|_M |v|_M, largest
  double form_floor = 0;                                ///< SymplecticForm::floor()
};
/// A run with everything recorded, with tangents in its first steps. Errors: ComputationError, also of a run whose energy blows up.
RunHistory measured_run(const Trial &trial);

/// Wall time of one step [s], the same on all ranks.
double seconds_of_a_step(const Trial &trial);

/// Each without what oscillates faster than a quarter of 1/h or so: (M + c V''(q))^-1 M applied a few times, c = (4 h)².
void smooth(const MechanicalSystem &system, double h, const Vector &q, std::vector<Vector> &fields);

/// Orders by self-convergence: log2(|S(z(h) - z(h/2))| / |S(z(h/2) - z(h/4))|) in the norm of M, over the
/// times h, 2h, ..., 8h together (at a single time an error may happen to vanish). S is smooth() with `resolved`, the time step that the
/// motion needs: modes that no step resolves have no order.
struct MeasuredOrder
{
  double q = 0, v = 0, h = 0;
  std::string remark;
  bool stays_off = false;  ///< at the smallest h an estimate is off and, from twice that h, hardly nearer
};
/// Halves h until both are within `tolerance` of `expected`, at most a few times. With `without`, the same trial without damping, the order
/// of the difference of both, so that an error of the damping shows however weak it is.
MeasuredOrder measured_order(const Trial &trial, double expected, double tolerance, double resolved, const Trial *without = nullptr);

/// Largest drift of the form in one step over a few random pairs of tangents; in canonical variables or in (q, M v).
struct OneStepDrift
{
  double value = 0, floor = 0;
};
OneStepDrift one_step_drift(const Trial &trial, bool canonical);
/// start + s {dq, dv}, on the constraints.
State neighbour_of(const MechanicalSystem &system, const State &start, double s, const std::array<Vector, 2> &direction);

/// Largest drift of the form on differences of neighbouring runs, which know nothing of the linearised step: after each step central
/// differences of the states of four runs, from starts apart by a small part of the way, along smooth() random directions. Floor: 1e-8 or
/// so.
struct NeighbourDrift
{
  double canonical = 0, qv = 0;
  int steps = 0;
};
NeighbourDrift neighbour_drift(const Trial &trial, double resolved);
/// Absolute change of the form in one step, for one random pair.
double one_step_change(const Trial &trial, bool canonical);
/// The tangent that the scheme computes, against fourth-order differences of whole steps; relative.
double tangent_error(const Trial &trial);
/// A few steps, v -> -v, as many steps: distance from the start with v -> -v, relative to the distance travelled.
double irreversibility(const Trial &trial);

struct MeasuredDissipation
{
  double largest_rise = 0;  ///< of the energy in a step, relative to the energy scale
  double work = 0;          ///< integral of v·C v over the run [J]
  double rate_error = 0;    ///< slope of E lost over the work, less 1, so that a swing of E counts little
  double significance = 0;  ///< |rate_error| / its standard error
};
MeasuredDissipation measured_dissipation(const Trial &trial);

/// Least squares through the means of ten blocks of y over those of x.
struct LineThroughMeans
{
  double slope = 0, error = 0;  ///< error: one standard error; both 0 with fewer than ten values
};
LineThroughMeans line_through_means(const std::vector<double> &x, const std::vector<double> &y);

/// Of an energy history: drift by least squares through means of ten blocks.
struct EnergyTrend
{
  int steps = 0;
  double envelope = 0;      ///< largest |E - E0|
  double growth = 0;        ///< envelope of the second half over that of the first
  double drift = 0;         ///< slope times duration
  double significance = 0;  ///< |slope| / standard error
};
EnergyTrend energy_trend(const std::vector<double> &t, const std::vector<double> &energy);

/// |q - q'|_M / h-free distance of two states: {q, v} in the norm of M.
std::pair<double, double> distances(const MechanicalSystem &system, const State &a, const State &b);
double kinetic_energy(const MechanicalSystem &system, const Vector &v);
}  // namespace symdyn
