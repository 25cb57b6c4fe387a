#include "solver/stages/periodic/periodic.h"

#include <deal.II/base/numbers.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solver/base/log.h"
#include "solver/base/timer.h"
#include "solver/diagnosis.h"
#include "solver/error.h"
#include "solver/registry.h"
#include "solver/stages/analysis.h"
#include "solver/stages/periodic/smooth_body.h"
#include "solver/stages/scheme_choice.h"
#include "solver/stages/state_at_rest.h"
#include "solver/vibration/modes_search.h"

namespace symdyn
{
namespace
{
constexpr double whole_turn = 2. * dealii::numbers::PI;

/// As long as it lives, steps are solved to rounding: what a tolerance leaves in stiff modes is no motion of the scheme.
class ExactSteps
{
public:
  explicit ExactSteps(Newton &newton) : newton(newton), tolerance(newton.tolerance) { newton.tolerance = std::min(tolerance, to_rounding); }
  ~ExactSteps() { newton.tolerance = tolerance; }
  ExactSteps(const ExactSteps &) = delete;
  ExactSteps &operator=(const ExactSteps &) = delete;

private:
  static constexpr double to_rounding = 1e-14;
  Newton &newton;
  double tolerance;
};
}  // namespace

void PeriodicStage::declare(Parameters &p)
{
  p.add("Steps a period", steps, "n, time steps of a period: h = T/n; even where half a period is computed", between(8, 100000));
  p.add("Mode", mode, "without Loads: number of the mode that the motions begin with", between(1, 1000));
  p.add(
      "Continue by", by,
      "what is changed from motion to motion; amplitude: displacement of the Probe at the start, energy: both without Loads; frequency; load: "
      "factor on the Loads",
      {"amplitude", "energy", "frequency", "load"});
  p.add("Probe", probe, "PLACE.AXIS of a probe or point (tip.y), whose displacement is reported, and set by Continue by = amplitude");
  double given = 0;
  p.add("Frequency", given, "with Continue by = load: of the Loads [Hz]", positive());
  declare_values(p);
  p.add("Largest step", request.largest_step, "of the arc length from motion to motion, over the largest displacement [-]",
        Range{0., 2., true, false});
  p.add("Orbits at most", request.most_orbits, "where the path ends if the last value is not reached", between(1, 100000));
  p.add("Tolerance", request.tolerance, "of the residual of a periodic motion, over the largest displacement [-]",
        Range{0., 1e-3, true, false});
  p.add(
      "Multipliers", wants_multipliers,
      "compute Floquet multipliers, which say whether a motion is stable: all of them up to Dense unknowns, above these the largest found");
  p.add(
      "Dense unknowns", dense_unknowns,
      "up to so many unknowns (2 a degree of freedom with Loads) matrices are dense: n^2 numbers, and n solutions in each step. Above, free "
      "motions take GMRES, and Loads are refused",
      between(1, 20000));
  if (by == "load")
    frequency = given;
  check_entries(p);
}

void PeriodicStage::declare_values(Parameters &p)
{
  const Parameters unit = by == "load" ? p : p.in_units(by == "amplitude" ? "m" : by == "energy" ? "J" : "Hz");
  Parameters of = unit;
  double first = 0, last = 0;
  of.add(
      "From", first,
      "of the amplitude, energy, frequency (of the scheme, not corrected) or factor: the first value; default: without Loads Up to/Points",
      positive());
  of.add("Up to", last, "the last value", positive());
  of.add("Values", values, "or: all of them, ascending or descending", positive());
  p.add("Points", points, "how many values from From to Up to, at equal distances", between(1, 10000));
  if (p.given("From"))
    from = first;
  if (p.given("Up to"))
    up_to = last;
}

void PeriodicStage::check_entries(const Parameters &p) const
{
  if (p.given("Frequency") != (by == "load"))
    p.fail("Frequency", by == "load" ? "is needed by Continue by = load" : "has no effect without Continue by = load. Remove it");
  if (values.empty() != up_to.has_value())
    p.fail("Up to", values.empty() ? "or Values is needed" : "and Values exclude each other. Remove one");
  for (const char *entry : {"From", "Points"})
    if (!values.empty() && p.given(entry))
      p.fail(entry, "has no effect with Values. Remove one of both");
  if (driven() && values.empty() && !from && points > 1)
    p.fail("From", "is needed with Loads: the first value");
  const bool up = std::is_sorted(values.begin(), values.end(), std::less_equal<>()),
             down = std::is_sorted(values.begin(), values.end(), std::greater_equal<>());
  if (!up && !down)
    p.fail("Values", "must ascend or descend");
  if (from && points == 1)
    p.fail("From", "has no effect with Points = 1, the value Up to alone. Remove it");
  if (from && *from == *up_to)
    p.fail("From", "is Up to: set Points = 1 and remove From, or set another one");
  if (steps % 2 == 1 && !driven())
    p.fail("Steps a period", "must be even: half a period is computed");
  if (driven() && p.given("Mode"))
    p.fail("Mode", "has no effect with Loads, which set the frequency. Remove one of both");
  if (driven() && by != "frequency" && by != "load")
    p.fail("Continue by", "needs `frequency` or `load` with Loads");
  if (!driven() && by == "load")
    p.fail("Continue by", "= load needs Loads: those that oscillate");
  if (by == "amplitude" && probe.empty())
    p.fail("Probe", "is needed by Continue by = amplitude, e.g. tip.y");
}

double PeriodicStage::declare_time(TimeSections &deck, const double start)
{
  const Parameters own = deck.own.section("Integrator");
  deck.integrator_used = deck.integrator_used || !own.exists();
  choose_scheme(own.exists() ? own : deck.root.section("Integrator"), deck.newton, time);
  return start;
}

StageTraits PeriodicStage::traits() const
{
  StageTraits traits;
  traits.perturbation = traits.linear = true;
  traits.modes = mode;
  traits.solves_newton = time.integrator && !time.integrator->is_explicit();
  return traits;
}

std::string PeriodicStage::headline(const Units &) const
{
  return fmt::format("periodic, {}, {} steps a period, by {}", time.scheme, steps, by);
}

void PeriodicStage::check_system(const MechanicalSystem &system) const
{
  const auto refuse = [&](const bool is, const std::string &what, const std::string &fix) {
    if (is)
      throw InputError(fmt::format("{}: a periodic stage has no {}. {}", where, what, fix));
  };
  refuse(system.has(Feature::nonlinear_damping), "damping that depends on the deformation", "Take Rayleigh damping or dashpots along axes");
  if (driven())
    return;
  refuse(system.has(Feature::damping), "damping without a periodic load: its motions die out",
         "Name the loads that oscillate in Loads, or remove the damping");
  if (!time.integrator->promise(system).reversible)
    refuse_scheme(
        *time.parameters,
        "the scheme is not reversible; without Loads half a period is computed, and mirrored. Take newmark, average-acceleration or another "
        "reversible scheme");
}

void PeriodicStage::check(Analysis &analysis)
{
  require_smooth_body(analysis, *this);
  check_linear(analysis, *this);
  check_system(analysis.system());
  check_scheme(*time.integrator, analysis.system(), *time.parameters);
  if (!probe.empty())
    place = probed(analysis, *this, probe);
}

void PeriodicStage::find_force(const Analysis &analysis)
{
  const std::vector<std::string> all = analysis.system().diagnosis().load_names();
  force = analysis.system().new_vector();
  for (const std::string &name : loads.front() == "all" ? all : loads)
  {
    resting_load(analysis, at("Loads"), name, "oscillate", "It does not oscillate");
    force += constant_load(analysis, at("Loads"), name);
  }
  Vector free = force;
  analysis.system().project(free);
  if (free.l2_norm() == 0.)
    throw InputError(at("Loads") + ": they act on what supports hold, and move nothing");
}

double PeriodicStage::energy(const OrbitProblem &problem, const Orbit &orbit) const
{
  const MechanicalSystem &system = problem.whole;
  const Vector none = system.new_vector();
  Vector f = none, u = orbit.q, Mv = none;
  u -= problem.rest;
  system.applied_force(problem.t, problem.rest, none, f);
  system.mass(orbit.v, Mv);
  return system.potential(orbit.q) - system.potential(problem.rest) - f * u + 0.5 * (orbit.v * Mv);
}

OrbitMeasure PeriodicStage::measure(const OrbitProblem &problem) const
{
  const MechanicalSystem &system = problem.whole;
  if (by == "load")
    return {by, [](const Orbit &orbit) { return orbit.factor; },
            [&problem](const Orbit &) {
              OrbitVector g = problem.zero();
              g.p = problem.last_factor;
              return g;
            }};
  if (by == "frequency")
    return {by, [](const Orbit &orbit) { return 1. / orbit.period; },
            [&problem](const Orbit &orbit) {
              OrbitVector g = problem.zero();
              g.p = -problem.first_period / (orbit.period * orbit.period);
              return g;
            }};
  if (by == "energy")
    return {by, [this, &problem](const Orbit &orbit) { return energy(problem, orbit); },
            [&system, &problem](const Orbit &orbit) {
              OrbitVector g = problem.zero();
              Vector f = system.new_vector();
              system.applied_force(problem.t, problem.rest, system.new_vector(), f);
              system.internal_force(orbit.q, g.x[0]);
              g.x[0] -= f;
              system.project(g.x[0]);
              return g;
            }};
  OrbitVector along = problem.zero();
  place->place.add_force(place->axis, 1., along.x[0]);
  system.project(along.x[0]);
  if (along.x[0].l2_norm() == 0.)
    throw InputError(at("Probe") + ": supports hold it there. Name another one");
  return {by, [this, &problem](const Orbit &orbit) { return place->displacement(orbit.q, problem.rest); },
          [along](const Orbit &) { return along; }};
}

/// By the linear body: of the first value, or small.
double PeriodicStage::amplitude_of_mode() const
{
  constexpr double small = 1e-3, unmoved = 1e-6;
  const Vector &phi = modes.shapes[mode - 1];
  const double first = asked(0.).front();
  if (by == "energy")
    return std::sqrt(2. * first) / modes.omega(mode - 1);
  if (by == "frequency")
    return small / phi.linfty_norm();
  const double of_probe = place->of(phi);
  if (std::abs(of_probe) < unmoved * phi.linfty_norm())
    throw InputError(fmt::format("{}: mode {} does not move it. Name another one", at("Probe"), mode));
  return first / of_probe;
}

std::vector<double> PeriodicStage::asked(const double first) const
{
  if (!values.empty())
    return values;
  const double begin = from ? *from : by == "frequency" ? first + (*up_to - first) / points : *up_to / points;
  std::vector<double> all;
  for (int k = 0; k < points; ++k)
    all.push_back(points == 1 ? *up_to : begin + (*up_to - begin) * k / (points - 1));
  return all;
}

PeriodicStage::Start PeriodicStage::start(const OrbitProblem &problem) const
{
  const Vector none = problem.whole.new_vector();
  Start start{{problem.rest, none, 1., 1.}, problem.zero(), 0.};
  if (driven())
  {
    start.value = asked(0.).front();
    start.orbit.period = 1. / (by == "load" ? frequency : start.value);
    start.orbit.factor = by == "load" ? start.value : 1.;
    start.along.p = 1.;
    return start;
  }
  const double amplitude = amplitude_of_mode();
  start.orbit.period = whole_turn * corrects / modes.omega(mode - 1);
  start.orbit.q.add(amplitude, modes.shapes[mode - 1]);
  start.orbit.q.update_ghost_values();
  start.along.x[0].add(amplitude, modes.shapes[mode - 1]);
  start.value = by == "frequency" ? 0. : asked(0.).front();
  return start;
}

/// Without the load, whose phase a second start would not have: beside rest by a part of what the load moves a body with its mass as
/// springs w² M, which nothing need hold.
void PeriodicStage::check_memory(const OrbitProblem &problem, Orbit orbit) const
{
  constexpr double close = 1e-6, part = 1e-3;
  OrbitProblem free = problem;
  free.force = nullptr;
  if (driven())
  {
    Vector f = force, u = problem.whole.new_vector();
    problem.whole.project(f);
    const auto A = problem.whole.factor(std::pow(problem.w(), 2) * M + K, problem.t, problem.rest, u);
    A->solve(f, u, A->tolerance());
    orbit.q.add(part * orbit.factor, u);
  }
  orbit.q.update_ghost_values();
  const OrbitMotion two(free, orbit, 2), one(free, {two.states()[1].q, two.states()[1].v, orbit.period, 0.}, 1);
  Vector difference = two.states()[2].q, moved = difference;
  difference -= one.states()[1].q;
  moved -= two.states()[0].q;
  if (!two.states()[2].memory.empty() || difference.l2_norm() > close * moved.l2_norm())
    refuse_scheme(
        *time.parameters,
        "the scheme takes more than q and v from step to step, which a periodic stage does not follow. Take newmark, average-acceleration or "
        "another one-step scheme");
}

OrbitPath::MakeJacobian PeriodicStage::jacobians(const OrbitProblem &problem) const
{
  if (shapes.all)
    return [this, &problem](const std::shared_ptr<const OrbitMotion> &motion) { return dense_jacobian(problem, *motion, shapes); };
  return [this, &problem](const std::shared_ptr<const OrbitMotion> &motion) {
    return krylov_jacobian(problem, motion, modes, std::size_t(mode - 1));
  };
}

void PeriodicStage::find_mode(const OrbitProblem &problem, const bool dense)
{
  constexpr int of_preconditioner = 40;
  ModesRequest lowest;
  lowest.number = dense ? mode : std::max(mode, of_preconditioner);
  lowest.stop = request.stop;
  modes = find_modes(problem.whole, problem.t, problem.rest, lowest);
  if (std::size_t(mode) > modes.size())
    throw InputError(fmt::format("{}: the body has {} modes", at("Mode"), modes.size()));
  if (modes.kinds[mode - 1] != Modes::vibration)
    throw InputError(fmt::format("{}: mode {} is {}: it does not vibrate. Take another one, or add Supports", at("Mode"), mode,
                                 in_words(modes.kinds[mode - 1])));
  corrects = dispersion(problem, modes, mode - 1);
}

Progress PeriodicStage::advance(Analysis &analysis)
{
  const ScopedTimer timer("periodic");
  const ExactSteps exact(analysis.newton);
  check_rest(analysis, *this);
  request.stop = analysis.should_stop;
  const State &state = analysis.state;
  const MechanicalSystem &system = analysis.system();
  if (driven())
    find_force(analysis);
  const std::size_t unknowns = state.q.size() * (driven() ? 2 : 1);
  const bool dense = unknowns <= std::size_t(dense_unknowns);
  if (driven() && !dense)
    throw InputError(
        fmt::format("{0}: {1} unknowns are too many for Loads: at most {2} (2 a degree of freedom). Set Dense unknowns = {1} "
                    "(matrices of {3:.2g} GB, {1} solutions in each step), take fewer cells, or harmonic",
                    at("Loads"), unknowns, dense_unknowns, 8e-9 * double(unknowns) * double(unknowns)));
  OrbitProblem problem{system, *time.integrator, state.t, state.q, driven() ? &force : nullptr, steps, by == "load"};
  if (!driven())
    find_mode(problem, dense);
  const Start begin = start(problem);
  problem.first_period = begin.orbit.period;
  problem.last_factor = by == "load" ? asked(0.).back() : 1.;
  shapes = dense ? Shapes::of_all(problem, free_motions(system)) : Shapes::of(problem, modes);
  check_memory(problem, begin.orbit);
  request.values = asked(1. / begin.orbit.period);
  follow(analysis, problem, begin);
  return Progress::ended;
}

void PeriodicStage::follow(Analysis &analysis, const OrbitProblem &problem, const Start &begin)
{
  std::vector<Row> rows;
  request.found = [&](const FoundOrbit &found) {
    rows.push_back(row(problem, found));
    const long done = std::count_if(rows.begin(), rows.end(), [](const Row &one) { return one.found.asked; });
    analysis.show_progress(*this, std::min<long>(done, request.values.size()), request.values.size(), false, 1. / found.orbit.period);
  };
  OrbitPath path(problem, measure(problem), request, jacobians(problem));
  const auto write = [&] {
    if (rows.empty())
      return;
    report(analysis, rows, path.complete());
    write_motion(analysis, problem, rows.back().found.orbit);
  };
  try
  {
    path.follow(begin.orbit, begin.value, begin.along);
  }
  catch (const ComputationError &error)
  {
    write();
    throw ComputationError(fmt::format("{}: {}", where, error.what()));
  }
  catch (const Interrupted &)
  {
    write();
    throw;
  }
  write();
  if (!path.complete())
    log_warning(fmt::format(
        "stage {}: the path ends after {} motions at {:.6g}, before the last value. Raise \"Orbits at most\", or change the value", name,
        rows.size(), rows.back().found.value));
}
SYMDYN_REGISTER(Stage, PeriodicStage, "periodic");
}  // namespace symdyn
