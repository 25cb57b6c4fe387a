#include "solver/dynamics/slow_manifold.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "solver/constraints.h"
#include "solver/diagnosis.h"
#include "solver/error.h"
#include "solver/integrator.h"
#include "solver/parameters.h"
#include "solver/unknowns.h"

namespace symdyn
{
namespace
{
/// |g| may grow so much within the window, from what it is in the period about its middle.
constexpr double largest_slow_growth = 10.;
/// (window times frequency of the slow motion)², beyond which the filter takes the slow motion for an oscillation.
constexpr double largest_bend = 1.;
constexpr int iterations_of_frequency = 30;

double slow_norm(const std::vector<double> &x) { return std::sqrt(std::inner_product(x.begin(), x.end(), x.begin(), 0.)); }

double slow_distance(std::vector<double> x, const std::vector<double> &y)
{
  std::transform(x.begin(), x.end(), y.begin(), x.begin(), std::minus<>());
  return slow_norm(x);
}

Vector slow_difference(const Vector &x, const Vector &y)
{
  Vector d = x;
  d -= y;
  d.update_ghost_values();
  return d;
}

/// g and G v.
SlowManifold::Iterate values_at(const MechanicalSystem &system, const State &state)
{
  SlowManifold::Iterate at;
  const HolonomicConstraints *constraints = system.penalties();
  if (!constraints)
    return at;
  std::vector<double> u, w;
  constraints->gather(state.q, u);
  constraints->gather(state.v, w);
  at.g.resize(constraints->size());
  constraints->values(u, at.g);
  ConstraintRows G;
  constraints->jacobian(u, G);
  for (int i = 0; i < G.size(); ++i)
    at.rate.push_back(G.times(i, w));
  return at;
}

/// M^-1 K_stiff(q) d / omega²
Vector stiff_part(const MechanicalSystem &system, const Vector &q, const Vector &d, const double omega)
{
  Vector r = system.new_vector(), x = r;
  system.stiffness(q, d, r, Part::stiff);
  system.project(r);
  system.mass_solve(r, x);
  x *= 1. / (omega * omega);
  return x;
}

/// The largest eigenvalue of G M^-1 Gᵀ of the penalties, by the power method: omega² times it is the square of their highest frequency.
double largest_inverse_mass(const MechanicalSystem &system, const Vector &q)
{
  const HolonomicConstraints &g = *system.penalties();
  std::vector<double> u, w, mode(g.size());
  for (int i = 0; i < g.size(); ++i)
    mode[i] = std::sin(1. + 12.9898 * i);
  ConstraintRows G;
  g.gather(q, u);
  g.jacobian(u, G);
  double value = 0;
  for (int k = 0; k < iterations_of_frequency; ++k)
  {
    const double size = slow_norm(mode);
    if (!(size > 0.))
      return 0.;
    w.assign(g.coordinates(), 0.);
    for (double &part : mode)
      part /= size;
    G.add_transposed(mode, w);
    Vector force = system.new_vector(), x = force;
    g.scatter(w, force);
    system.mass_solve(force, x);
    x.update_ghost_values();
    g.gather(x, w);
    for (int i = 0; i < g.size(); ++i)
      mode[i] = G.times(i, w);
    value = slow_norm(mode);
  }
  return value;
}

/// A field to which no mode is orthogonal by symmetry, made of the rigid motions: a function of the positions, whatever the partition.
Vector without_symmetry(const MechanicalSystem &system, const Vector &q)
{
  Vector field = system.new_vector(), xi = field;
  for (std::size_t i = 0; i < system.unknowns().momenta().size(); ++i)
  {
    system.unknowns().generator(i, q, xi);
    if (const double size = xi.linfty_norm(); size > 0.)
      field.add((i + 1.) / size, xi);
  }
  // Of all components of a node, which stand together, so that each depends on all coordinates; in one dimension there are no rotations to
  // tell places.
  std::size_t n = 0;
  for (const std::string &name : system.unknowns().momenta())
    n += name[0] == 'P';
  n = std::max<std::size_t>(n, 1);
  const bool line = n >= system.unknowns().momenta().size();
  for (std::size_t k = 0; k < field.locally_owned_size() / n; ++k)
  {
    double sum = line ? k : 0.;
    for (std::size_t d = 0; d < n; ++d)
      sum += (1. + 0.618 * d) * field.local_element(n * k + d);
    for (std::size_t d = 0; d < n; ++d)
      field.local_element(n * k + d) = std::sin(1. + 12.9898 * sum + 2.4 * d);
  }
  return field;
}

/// How far q is from the constraints, or, without any, from q0.
double excursion(const MechanicalSystem &system, const State &state, const Vector &q0)
{
  return system.penalties() ? slow_norm(values_at(system, state).g) : slow_difference(state.q, q0).l2_norm();
}
}  // namespace

/// What the filter gives, and how far the window led.
struct SlowManifold::Window
{
  Vector q, v;
  Vector bend;         ///< v(t - L/omega) + v(t + L/omega) - 2 v(t)
  double fastest = 0;  ///< largest |v| at the ends and in the middle
};

double SlowManifold::kernel(const double s)
{
  // A product that is fused with the sum would round the weights, and the multipliers with them, otherwise on each processor.
  const auto rounded = [](const volatile double product) { return product; };
  const double x = std::abs(s), cube = std::pow(x, 3);
  if (x <= 0.5)
    return 2. - rounded(2. * x) - rounded(8. * x * x) + rounded(8. * cube);
  return x <= 1. ? 2. - rounded(22. / 3. * x) + rounded(8. * x * x) - rounded(8. / 3. * cube) : 0.;
}

std::string SlowManifold::Report::text() const
{
  std::string text = fmt::format("omega = {:.4g} rad/s, {} iterations{}", omega, iterations(), converged ? "" : ", not converged"), g, rate;
  for (const Iterate &at : iterates)
    if (!at.g.empty())
    {
      g += fmt::format("{}{:.3g}", g.empty() ? "; |g| " : ", ", slow_norm(at.g));
      rate += fmt::format("{}{:.3g}", rate.empty() ? "; |dg/dt| " : ", ", slow_norm(at.rate));
    }
    else if (&at != &iterates.front())
    {
      g += fmt::format("{}{:.3g}", g.empty() ? "; changes of q " : ", ", at.change);
      rate += fmt::format("{}{:.3g}", rate.empty() ? "; of v " : ", ", at.change_of_rate);
    }
  return text + g + rate;
}

void SlowManifold::declare(Parameters &p)
{
  p.add(
      "omega", omega,
      "frequency of the stiff oscillations that are filtered away [rad/s], and down to half of it; 0: omega of the penalties, where their frequencies with the "
      "masses of the deck are within the filter, else the highest of these; without penalties the highest of the part that is marked Stiff",
      not_negative());
  p.add("Periods", periods, "half the window of the filter, in periods of omega [-]; L = 2 pi times this", between(2, 100));
  p.add("Steps per period", steps_per_period, "of the integration within the window [-]; stable below omega_max = omega Steps/pi",
        between(4, 1000));
  p.add(
      "Tolerance", tolerance,
      "the projection is done when g [its unit] and dg/dt [its unit/s] change by less in an iteration; must be well below |lambda|/omega²",
      positive());
  p.add(
      "Filter", filter,
      "changes: K(j/n)/n times the changes of q and v from the middle of the window, which keeps a constant exactly; states: times q and v themselves, as the "
      "paper has it: the sum of the weights is rounded, to 4e-16 of q in g",
      {"changes", "states"});
  p.add("Iterations", most_iterations, "at most", between(1, 1000));
  p.add("Not converged", not_converged,
        "what happens after so many Iterations: fail, the run ends; accept, the last iterate is taken, with a warning", {"fail", "accept"});
}

void SlowManifold::check(const MechanicalSystem &system, const Parameters &p) const
{
  const bool stiff = system.has(Feature::stiff_part);
  if (is_constrained(system))
    p.fail("", "means of states leave exact constraints. Use --set Constraints/Treatment=penalty, or do not project");
  if (!system.penalties() && !stiff)
    p.fail(
        "",
        "without penalties and without a part that is marked Stiff there are no fast oscillations, and no slow manifold. Set Stiff = yes in "
        "Constraints or in a section of Materials or of bars, springs and potentials, or do not project");
  if (omega == 0. && system.kinematic_constraints().penalty_omega == 0. && !stiff)
    p.fail("omega", "the system does not say how stiff its penalties are. Give omega [rad/s]");
  if (periods * steps_per_period % 2 != 0)
    p.fail("Steps per period",
           "Periods times Steps per period must be even: else the filter does not keep a constant. Make one of them even");
}

void SlowManifold::check_window(const MechanicalSystem &system, const State &state, const Parameters &p, const double duration) const
{
  const double here = stiff_frequency(system, state.q), window = 4. * M_PI * periods;
  if (here > 0. && window / here > duration)
    p.fail(
        "omega",
        fmt::format("the window of the filter, 2 L/omega = {:.3g} s with omega = {:.4g} rad/s, is longer than the motion, {:.3g} s: omega "
                    "must be above {:.4g} rad/s, else the system is not stiff and needs no projection",
                    window / here, here, duration, window / duration));
}

double SlowManifold::stiff_frequency(const MechanicalSystem &system, const Vector &q) const
{
  if (omega > 0.)
    return omega;
  if (const double given = system.kinematic_constraints().penalty_omega; given > 0.)
  {
    const double fastest = given * std::sqrt(largest_inverse_mass(system, q));
    const bool filtered = 2. * fastest > given && M_PI * fastest < given * steps_per_period;
    return filtered ? given : fastest;
  }
  Vector mode = without_symmetry(system, q), r = mode;
  double square = 0;
  for (int k = 0; k < iterations_of_frequency; ++k)
  {
    system.project(mode);
    if (const double size = mode.l2_norm(); size > 0.)
      mode *= 1. / size;
    mode.update_ghost_values();
    system.stiffness(q, mode, r, Part::stiff);
    system.project(r);
    Vector Mu = system.new_vector();
    system.mass(mode, Mu);
    square = (mode * r) / (mode * Mu);
    mode.zero_out_ghost_values();
    system.mass_solve(r, mode);
  }
  return std::sqrt(std::max(square, 0.));
}

SlowManifold::Report SlowManifold::project(const MechanicalSystem &system, State &state) const
{
  Report report;
  report.omega = stiff_frequency(system, state.q);
  if (!(report.omega > 0.))
    fail(system, state, "the stiff part has no stiffness here", "Give omega");
  State at = state;
  solve_motion(system, at);
  report.iterates.push_back(values_at(system, at));
  bool bent = false;
  do
  {
    report.iterates.push_back(iterate(system, at, report.iterates.back(), report.omega, bent));
    report.converged = std::max(report.iterates.back().change, report.iterates.back().change_of_rate) < tolerance;
  } while (!report.converged && report.iterations() < most_iterations);
  if (bent)
    fail(system, state,
         fmt::format("omega = {:.4g} rad/s is too small for the filter: the slow motion changes altogether within its window of {:.3g} s",
                     report.omega, 4. * M_PI * periods / report.omega),
         "The system is not stiff enough for a slow manifold; do not project");
  if (!report.converged && not_converged == "fail")
    fail(
        system, state,
        fmt::format("after {} iterations g still changes by {:.3g} and dg/dt by {:.3g} (Tolerance {:.3g}; rounding of dg/dt is {:.1g})",
                    report.iterations(), report.iterates.back().change, report.iterates.back().change_of_rate, tolerance,
                    std::numeric_limits<double>::epsilon() * report.omega * at.q.l2_norm()),
        "Raise Tolerance or Iterations; where the changes do not fall any more the last iterate is as good as it gets, and Not converged = accept "
        "takes it");
  state = std::move(at);
  return report;
}

SlowManifold::Iterate SlowManifold::iterate(const MechanicalSystem &system, State &at, const Iterate &last, const double omega_here,
                                            bool &bent) const
{
  Window window = filtered(system, at, omega_here);
  State next = at;
  next.q.swap(window.q);
  next.v.swap(window.v);
  next.q.update_ghost_values();
  next.v.update_ghost_values();
  solve_motion(system, next);  // imposes the prescribed motion
  Iterate here = values_at(system, next);
  if (system.penalties())
  {
    here.change = slow_distance(here.g, last.g);
    here.change_of_rate = slow_distance(here.rate, last.rate);
  }
  else
  {
    here.change = stiff_part(system, at.q, slow_difference(next.q, at.q), omega_here).l2_norm();
    here.change_of_rate =
        slow_difference(stiff_part(system, next.q, next.v, omega_here), stiff_part(system, at.q, at.v, omega_here)).l2_norm();
  }
  bent = window.bend.l2_norm() > largest_bend * window.fastest;
  at = std::move(next);
  return here;
}

SlowManifold::Window SlowManifold::filtered(const MechanicalSystem &system, const State &state, const double omega_here) const
{
  const double h = 2. * M_PI / (steps_per_period * omega_here), middle = kernel(0.) / (periods * steps_per_period);
  const bool by_changes = filter == "changes";
  Window window;
  window.q = window.v = window.bend = system.new_vector();
  window.q.add(by_changes ? 1. : middle, state.q);
  window.v.add(by_changes ? 1. : middle, state.v);
  window.fastest = state.v.l2_norm();
  integrate(system, state, h, window);
  integrate(system, state, -h, window);
  return window;
}

void SlowManifold::integrate(const MechanicalSystem &system, const State &state, const double h, Window &window) const
{
  const int n = periods * steps_per_period;
  const bool by_changes = filter == "changes";
  State at = state;
  double near = excursion(system, at, state.q);
  for (int j = 1; j <= n; ++j)
  {
    at.t = state.t + j * h;
    at.q.add(h, at.v, 0.5 * h * h, at.a);
    Vector v_half = at.v;
    v_half.add(0.5 * h, at.a);
    at.v.add(h, at.a);
    at.q.update_ghost_values();
    at.v.update_ghost_values();
    const bool admissible = solve_motion(system, at).admissible();
    at.v = v_half;
    at.v.add(0.5 * h, at.a);
    system.impose(at.t, at.q, at.v, at.a);
    const double far = excursion(system, at, state.q);
    if (j <= steps_per_period)
      near = std::max(near, far);
    if (!admissible || !(far <= largest_slow_growth * near + tolerance))
      fail(
          system, at,
          fmt::format("the motion leaves the neighbourhood of the slow manifold within the window: {} grows from {:.3g} to {:.3g}",
                      system.penalties() ? "|g|" : "the way", near, far),
          fmt::format(
              "Steps of {:.3g} s are stable for frequencies below {:.4g} rad/s only, and the highest is {:.4g} where the window begins: raise omega, or "
              "\"Steps per period\"",
              std::abs(h), 2. / std::abs(h), system.diagnosis().highest_frequency(state.t, state.q)));
    const double weight = kernel(double(j) / n) / n;
    window.q.add(weight, at.q, by_changes ? -weight : 0., state.q);
    window.v.add(weight, at.v, by_changes ? -weight : 0., state.v);
  }
  window.bend.add(1., at.v, -1., state.v);
  window.fastest = std::max(window.fastest, at.v.l2_norm());
}

void SlowManifold::fail(const MechanicalSystem &system, const State &state, const std::string &what, const std::string &advice) const
{
  Vector f = system.new_vector();
  const std::string diagnosis = system.internal_force(state.q, f).admissible() ? "" : ": " + system.diagnosis().diagnose(state.q);
  throw ComputationError(fmt::format("slow manifold: step {}, t = {:.6g} s: {}{}. {}", state.n, state.t, what, diagnosis, advice));
}
}  // namespace symdyn
