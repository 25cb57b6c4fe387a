#include <fmt/format.h>

#include "solver/log.h"
#include "solver/simulation.h"

// Static stages: equilibrium by load increments.
namespace symdyn
{
void Simulation::begin_static(const Stage &stage)
{
  MechanicalSystem &system = structure->system();
  Vector load = system.new_vector();
  system.set_load_factor(1.);
  system.applied_force(state.t, state.q, state.v, load);
  load_factor = 0.;
  system.set_load_factor(0.);
  system.impose(state.t, state.q, state.v, state.a);
  books.start(system, state, true);
  record(stage, 0., {}, true);
  if (!structure->facts().loads.empty() && load.l2_norm() == 0. && !system.has(Feature::gravity))
    log_warning(fmt::format("stage {}: all loads are zero at t = {:g}{}, the time of this static stage (look at their amplitudes)", stage.name,
                            state.t, Units::after(units.time)));
}

bool Simulation::run_static(const Stage &stage)
{
  MechanicalSystem &system = structure->system();
  if (resumed)
    resumed.reset();
  else
    begin_static(stage);
  Vector load = system.new_vector();
  system.set_load_factor(1.);
  system.applied_force(state.t, state.q, state.v, load);
  system.set_load_factor(load_factor);
  for (long k = place.done + 1; k <= stage.increments; ++k)
  {
    if (should_stop())
      return false;
    const double factor_before = load_factor;
    const State before = state;
    load_factor = double(k) / stage.increments;
    system.set_load_factor(load_factor);
    try
    {
      const NewtonReport report = static_increment(fmt::format("stage {}, increment {} of {}", stage.name, k, stage.increments));
      if (report.iterations == 0 && report.residuals.front() > 1e-3 * load.l2_norm() / stage.increments && load.l2_norm() > 0.)
        log_warning(fmt::format("stage {}, increment {}: |r| = {:.3g}{} is below the rounding of the stiffness forces and was left: the load is too "
                                "small for this body, or the increments are too many",
                                stage.name, k, report.residuals.front(), Units::after(units.force)));
      ++steps;
      ++state.n;
      last_newton = report.iterations;
      books.advance(system, before, state, 1., WorkRule::trapezoidal, true);
      record(stage, 1. / stage.increments, {report.iterations, report.krylov}, k == stage.increments);
    }
    catch (...)
    {
      state = before;
      load_factor = factor_before;
      system.set_load_factor(factor_before);
      throw;
    }
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
  problem.linearise = [&](const Vector &x) { return system.factor(K, state.t, x, v); };
  problem.rounding = [&](const Vector &x) { return system.rounding(x); };
  problem.admissible = [&] { return system.admissible(); };
  problem.diagnose = [&](const Vector &x) { return system.diagnose(x); };
  const NewtonReport report = newton.solve(problem, q);
  q.update_ghost_values();
  state.q.swap(q);
  return report;
}
}  // namespace symdyn
