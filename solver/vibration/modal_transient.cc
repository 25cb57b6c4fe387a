#include "solver/vibration/modal_transient.h"

#include <deal.II/lac/full_matrix.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solver/base/log.h"
#include "solver/error.h"
#include "solver/linear/many_products.h"
#include "solver/parameters.h"
#include "solver/vibration/linear_motion.h"

namespace symdyn
{
namespace
{
/// exp(A) by scaling, Taylor's series and squaring (Moler and Van Loan 2003, method 3).
dealii::FullMatrix<double> exponential(dealii::FullMatrix<double> A)
{
  constexpr double small = 0.5;
  constexpr int terms = 14;  // 0.5^15/15! < 1e-16
  const int squarings = std::max(0, int(std::ceil(std::log2(std::max(A.linfty_norm(), small) / small))));
  A *= std::ldexp(1., -squarings);
  const unsigned int n = A.m();
  dealii::FullMatrix<double> sum{dealii::IdentityMatrix(n)}, power{dealii::IdentityMatrix(n)}, next(n, n);
  for (int k = 1; k <= terms; ++k)
  {
    power.mmult(next, A);
    next *= 1. / k;
    power = next;
    sum.add(1., power);
  }
  for (int k = 0; k < squarings; ++k)
  {
    sum.mmult(next, sum);
    sum = next;
  }
  return sum;
}

/// Adds what the modes that are left out answer to a load that went from f0 to f1 in a step, and to its rate.
void correct_end_of_step(const StaticCorrection &correction, Vector f0, const Vector &f1, const double h, State &state)
{
  state.q += correction.of(f1);
  f0.sadd(-1. / h, 1. / h, f1);
  state.v += correction.of(f0);
  state.q.update_ghost_values();
  state.v.update_ghost_values();
}
}  // namespace

void ModalDamping::declare(Parameters &p)
{
  p.add("Damping ratios", ratios, "zeta [-]: one for all modes, or one a mode", Range{0., 1., false, true});
  p.add("Structural damping", structural, "loss factor eta of the stiffness, K (1 + i eta) [-]", not_negative());
  p.in_units("1/s, s").add("Rayleigh damping", rayleigh,
                           "alpha [1/s], beta [s]: alpha/(2 omega) + beta omega/2 is added to the ratio of each mode", not_negative());
  if (!rayleigh.empty() && rayleigh.size() != 2)
    p.fail("Rayleigh damping", "needs two numbers, alpha [1/s] and beta [s]");
  where = p.where("Damping ratios");
  p.add(
      motion_entry, motion,
      "motion that Damping ratios and Rayleigh damping resist where supports or the base move: relative motion: from the supports; absolute motion: in space, as in CalculiX; automatic: "
      "ratios and beta the relative motion, alpha the absolute one (with Base frame = relative, and in modal transient stages, the one from the base)",
      {"automatic", "relative motion", "absolute motion"});
  if (p.given(motion_entry))
    motion_given = p.where(motion_entry);
  if (p.given(motion_entry) && ratios.empty() && rayleigh.empty())
    p.fail(motion_entry, "has no effect without Damping ratios or Rayleigh damping. Remove the entry");
}

void ModalDamping::check_motion(const bool supports_move) const
{
  if (!motion_given.empty() && !supports_move)
    throw InputError(fmt::format("{}: no support and no base moves in this stage, and the entry has no effect. Remove it", motion_given));
}

std::vector<double> ModalDamping::of(const Modes &modes) const
{
  if (ratios.size() > 1 && ratios.size() != modes.size())
    throw InputError(fmt::format("{}: {} ratios for {} modes. Give one for all, or one a mode", where, ratios.size(), modes.size()));
  std::vector<double> all = ratios.size() > 1 ? ratios : std::vector<double>(modes.size(), ratios.empty() ? 0. : ratios.front());
  for (std::size_t i = 0; i < modes.size() && !rayleigh.empty(); ++i)
    if (const double omega = modes.omega(i); omega > 0.)
      all[i] += 0.5 * (rayleigh[0] / omega + rayleigh[1] * omega);
  return all;
}

void ModalTransient::declare(Parameters &p)
{
  request.declare(p);
  damping.declare(p);
  p.renamed("Until steady", "Stop when steady");
  p.add(
      "Stop when steady", steady,
      "the stage ends before its end time when the largest displacement changes by less than this part of it in a step [-]; 0: it does not",
      not_negative());
  StaticCorrection::declare(p, correction_wanted);
}

bool ModalTransient::is_steady(const State &before, const State &after) const
{
  if (steady == 0.)
    return false;
  const double was = before.q.linfty_norm(), is = after.q.linfty_norm();
  return std::abs(is - was) < steady * is;
}

void ModalTransient::check(const MechanicalSystem &system, const Parameters &p) const
{
  if (!system.has(Feature::linear))
    log_warning(fmt::format(
        "{}: the structure is nonlinear; this stage is linear about the state it starts from, and the balance of energy shows the difference",
        p.where()));
}

Promise ModalTransient::promise(const MechanicalSystem &system) const
{
  Promise promise;
  if (system.has(Feature::moving_supports))
    promise.order = 0;  // its balance of energy lacks what supports do to modes that are left out: no sign of a step that is too long
  promise.linear_momentum = Where::nowhere;  // modes that are left out carry a part of it
  return promise;
}

void ModalTransient::prepare(const MechanicalSystem &whole, const double t, const Vector &at, const double h)
{
  q0 = at;
  about = std::make_unique<AtRest>(whole, t, q0);
  const MechanicalSystem &system = **about;
  modes = find_modes(system, t, q0, request);
  internal = system.new_vector();
  system.internal_force(q0, internal);
  const std::vector<double> of_system = modal_damping(system, q0, modes, true), given = damping.of(modes);
  ratios.clear();
  oscillators.clear();
  transitions.clear();
  for (std::size_t i = 0; i < modes.size(); ++i)
  {
    const double omega = modes.omega(i),
                 own = omega > 0. ? 2. * given[i] * omega + damping.structural * modes.elastic[i] / omega : damping.of_rigid(),
                 c = of_system[i] + own;
    ratios.push_back(omega > 0. ? c / (2. * omega) : 0.);
    oscillators.push_back({modes.kinds[i] == Modes::rigid || modes.kinds[i] == Modes::mechanism ? 0. : modes.squares[i], c, own});
    transitions.push_back(transition(oscillators.back(), h));
  }
  damping.check_motion(system.has(Feature::moving_supports));
  supports = system.has(Feature::moving_supports) ? std::make_unique<SupportResponse>(system, t, q0) : nullptr;
  correction = StaticCorrection::wanted(correction_wanted, modes) ? std::make_unique<StaticCorrection>(system, t, q0, modes) : nullptr;
  prepared_for = h;
}

ModalTransient::Transition ModalTransient::transition(const Oscillator &oscillator, const double h)
{
  const auto &[k, c, own] = oscillator;
  (void)own;
  // (w y, y', p, p', ∫y): scaled by w, so that no entry is larger than the others.
  const double w = std::max({std::sqrt(std::abs(k)), c, 1. / std::abs(h)});
  dealii::FullMatrix<double> A(5, 5);
  A(0, 1) = w * h;
  A(1, 0) = -k / w * h;
  A(1, 1) = -c * h;
  A(1, 2) = h;
  A(2, 3) = h;
  A(4, 0) = h / w;
  const dealii::FullMatrix<double> E = exponential(A);
  Transition T;
  const double out[] = {1. / w, 1., 1.}, in[] = {w, 1., 1., 1.};
  const int rows[] = {0, 1, 4};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 4; ++j)
      T[i][j] = out[i] * E(rows[i], j) * in[j];
  return T;
}

Vector ModalTransient::load_at(const MechanicalSystem &system, const double t) const
{
  Vector f = system.new_vector(), rest = system.new_vector();
  system.applied_force(t, q0, rest, f);
  f -= internal;
  system.project(f);
  return f;
}

void ModalTransient::compose(const std::vector<double> &y, const std::vector<double> &rate, const std::vector<double> &load,
                             State &state) const
{
  state.q = q0;
  state.v = 0.;
  state.a = 0.;
  std::vector<double> acceleration;
  for (std::size_t i = 0; i < modes.size(); ++i)
    acceleration.push_back(load[i] - oscillators[i].damping * rate[i] - oscillators[i].stiffness * y[i]);
  add_many<3>(modes.shapes, {&y, &rate, &acceleration}, {&state.q, &state.v, &state.a});
  for (Vector *x : {&state.q, &state.v, &state.a})
    x->update_ghost_values();
}

double ModalTransient::lost_share(const State &state) const
{
  const MechanicalSystem &system = **about;
  Vector moved = state.q, rate = state.v, f = system.new_vector();
  moved -= q0;
  if (supports)
  {
    const QuasiStaticMotion quasi_static = quasi_static_motion(system, state.t);
    moved -= quasi_static.u;
    rate -= quasi_static.v;
    system.project(rate);
  }
  system.project(moved);
  moved.update_ghost_values();
  tangent(system, state.t, q0, moved, f);
  const double potential = moved * f;
  system.mass(rate, f);
  const double kinetic = rate * f;
  double kept = 0;
  for (std::size_t i = 0; i < modes.size(); ++i)
    kept += oscillators[i].stiffness * std::pow(modes.momenta[i] * moved, 2) + std::pow(modes.momenta[i] * rate, 2);
  const double all = potential + kinetic;
  return all > 0. ? std::max(0., 1. - kept / all) : 0.;
}

void ModalTransient::start(const MechanicalSystem &system, State &state, double) const
{
  Vector moved = state.q, velocity = state.v;
  moved -= q0;
  QuasiStaticMotion quasi_static;
  if (supports)
  {
    quasi_static = quasi_static_motion(system, state.t);
    moved -= quasi_static.u;
    velocity -= quasi_static.v;
    system.project(moved);
    system.project(velocity);
  }
  const std::vector<double> y = products(modes.momenta, moved), rate = products(modes.momenta, velocity);
  const Vector load = load_at(system, state.t);
  std::vector<double> p = modes.project(load);
  for (std::size_t i = 0; supports && i < modes.size(); ++i)
    p[i] -= quasi_static.inertia[i];
  compose(y, rate, p, state);
  if (supports)
    add(quasi_static, state);
  if (correction)
  {
    state.q += correction->of(load);
    state.q.update_ghost_values();
  }
  state.memory[base] = q0;
}

double ModalTransient::advance_oscillators(const std::vector<double> &p0, const std::vector<double> &p1, const double h,
                                           std::vector<double> &y, std::vector<double> &rate) const
{
  double dissipated = 0;
  for (std::size_t i = 0; i < modes.size(); ++i)
  {
    const Oscillator &oscillator = oscillators[i];
    const Transition T = h == prepared_for ? transitions[i] : transition(oscillator, h);
    const double slope = (p1[i] - p0[i]) / h;
    const std::array<double, 4> before{y[i], rate[i], p0[i], slope};
    const auto row = [&](const int k) { return T[k][0] * before[0] + T[k][1] * before[1] + T[k][2] * before[2] + T[k][3] * before[3]; };
    y[i] = row(0);
    rate[i] = row(1);
    if (oscillator.own_damping == 0.)
      continue;
    // The loss is the work less the gain of energy: c ∫y'² = ∫p y' - [y'²/2 + k y²/2].
    const double work = p1[i] * y[i] - p0[i] * before[0] - slope * row(2);
    const double gain =
        0.5 * (rate[i] * rate[i] - before[1] * before[1]) + 0.5 * oscillator.stiffness * (y[i] * y[i] - before[0] * before[0]);
    dissipated += oscillator.own_damping / oscillator.damping * (work - gain);
  }
  return dissipated;
}

StepReport ModalTransient::step(const MechanicalSystem &system, State &state, const double h) const
{
  Vector moved = state.q, velocity = state.v;
  moved -= q0;
  const Vector f0 = load_at(system, state.t), f1 = load_at(system, state.t + h);
  std::vector<double> p0 = modes.project(f0), p1 = modes.project(f1);
  const SupportStep step_of_supports = supports ? support_step(system, state, h) : SupportStep();
  if (supports)
  {
    moved -= step_of_supports.start.u;
    velocity -= step_of_supports.start.v;
    for (std::size_t i = 0; i < modes.size(); ++i)
    {
      p0[i] += step_of_supports.drag[i];
      p1[i] += step_of_supports.drag[i];
    }
  }
  std::vector<double> y = products(modes.momenta, moved), rate = products(modes.momenta, velocity);
  for (std::size_t i = 0; supports && i < modes.size(); ++i)
    rate[i] += step_of_supports.start.rate[i] - step_of_supports.rate[i];
  StepReport report;
  report.force = ForceReport{};  // none is evaluated: motion is linear
  report.dissipated = advance_oscillators(p0, p1, h, y, rate);
  for (std::size_t i = 0; supports && i < modes.size(); ++i)
  {
    rate[i] += step_of_supports.rate[i] - step_of_supports.end.rate[i];
    p1[i] -= step_of_supports.end.inertia[i];
  }
  compose(y, rate, p1, state);
  if (supports)
    add(step_of_supports.end, state);
  if (correction)
    correct_end_of_step(*correction, f0, f1, h, state);
  state.t += h;
  ++state.n;
  return report;
}
}  // namespace symdyn
