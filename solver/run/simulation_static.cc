#include <fmt/format.h>

#include "solver/base/log.h"
#include "solver/error.h"
#include "solver/run/simulation.h"

// Static stages: equilibrium by load increments.
namespace symdyn
{
namespace
{
constexpr int most_cuts = 10;  ///< an increment becomes 1/1024 of itself at least
}

void Simulation::begin_static(const Stage &stage)
{
  MechanicalSystem &system = structure->system();
  Vector load = system.new_vector();
  system.set_statics(true);
  system.set_load_factor(1.);
  system.applied_force(stage.duration > 0. ? state.t + stage.duration : state.t, state.q, state.v, load);
  place.start = state.t;
  if (supports_change() && may_be_stressed(stage))
    check_held(stage, state.q);
  tangent_checked = false;
  largest_plausible = 0.;
  reach(stage, 0.);
  system.impose(state.t, state.q, state.v, state.a);
  if (books_open)
    energy_balance.restart(system, state, true);
  else
    energy_balance.start(system, state, true);
  books_open = true;
  record(stage, 0., {}, true);
  const bool any = std::count(acting.begin(), acting.end(), true) > 0;
  if (any && load.l2_norm() == 0. && !system.has(Feature::gravity))
    log_warning(fmt::format("stage {}: all loads are zero at t = {:g}{}, the time of this static stage (look at their amplitudes)",
                            stage.name, state.t, Units::after(units.time)));
}

void Simulation::reach(const Stage &stage, const double part)
{
  load_factor = stage.ramp ? part : 1.;
  state.t = place.start + part * stage.duration;
  structure->system().set_load_factor(load_factor);
}

bool Simulation::run_static(const Stage &stage)
{
  if (place.begun)
    resumed.reset();
  else
    begin_static(stage);
  place.begun = true;
  for (long k = place.done + 1; k <= stage.increments; ++k)
  {
    if (should_stop())
      return false;
    advance_static(stage, double(k - 1) / stage.increments, double(k) / stage.increments, 0);
    show_progress(stage, double(k) / stage.increments, k == stage.increments);
    place.done = k;
    if (checkpoint_is_due())
      write_checkpoint();
    if (stop_reason == 3)
      return false;
  }
  place.done = 0;
  return true;
}

void Simulation::advance_static(const Stage &stage, const double from, const double to, const int cuts)
{
  MechanicalSystem &system = structure->system();
  const State before = state;
  reach(stage, to);
  NewtonReport report;
  try
  {
    report = static_increment(fmt::format("stage {}, {:.6g} of its loads", stage.name, to));
  }
  catch (const ComputationError &error)
  {
    state = before;
    reach(stage, from);
    if (!stage.cut)
      throw ComputationError(error.what() + weakness_at(before));
    if (cuts == most_cuts)
      throw ComputationError(fmt::format("{}. The increment was cut {} times", error.what(), cuts));
    log_line(
        fmt::format("stage {}: the increment from {:.6g} to {:.6g} of the loads does not converge and is halved", stage.name, from, to));
    log_detail(error.what());
    const double middle = 0.5 * (from + to);
    advance_static(stage, from, middle, cuts + 1);
    return advance_static(stage, middle, to, cuts + 1);
  }
  Vector load = system.new_vector();
  system.applied_force(state.t, state.q, state.v, load);
  if (report.iterations == 0 && report.residuals.front() > 1e-3 * load.l2_norm() / stage.increments && load.l2_norm() > 0.)
    log_warning(fmt::format(
        "stage {}, {:.6g} of its loads: |r| = {:.3g}{} is below the rounding of the stiffness forces and was left: the load is too "
        "small for this body, or the increments are too many",
        stage.name, to, report.residuals.front(), Units::after(units.force)));
  ++steps;
  ++state.n;
  last_newton = report.iterations;
  warn_of_size(stage);
  energy_balance.advance(system, before, state, 1., WorkRule::trapezoidal, true);
  record(stage, to - from, {report.iterations, report.krylov}, to == 1.);
}

NewtonReport Simulation::static_increment(const std::string &name)
{
  MechanicalSystem &system = structure->system();
  Vector q = state.q, v = state.v, a = state.a, f = system.new_vector();
  system.impose(state.t, q, v, a);
  NewtonProblem problem;
  problem.name = name;
  problem.linear = system.has(Feature::linear);
  problem.residual = [&](const Vector &x, Vector &r) {
    system.internal_force(x, r);
    system.applied_force(state.t, x, v, f);
    r -= f;
    system.project(r);
  };
  problem.linearise = [&](const Vector &x) {
    const auto tangent = system.factor(K, state.t, x, v);
    check_tangent(*tangent);
    return tangent;
  };
  problem.rounding = [&](const Vector &x) { return system.rounding(x); };
  problem.admissible = [&] { return system.admissible(); };
  problem.diagnose = [&](const Vector &x) { return system.diagnose(x); };
  const NewtonReport report = newton.solve(problem, q);
  q.update_ghost_values();
  state.q.swap(q);
  return report;
}
}  // namespace symdyn
