#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solver/base/log.h"
#include "solver/base/timer.h"
#include "solver/dynamics/critical_step.h"
#include "solver/dynamics/multipliers.h"
#include "solver/error.h"
#include "solver/run/simulation.h"

// What must hold before the first step.
namespace symdyn
{
void Simulation::check_start() const
{
  const MechanicalSystem &system = structure->system();
  Vector f = system.new_vector();
  system.internal_force(state.q, f);
  if (system.admissible() && std::isfinite(f.l2_norm()) && std::isfinite(system.potential(state.q)))
    return;
  const std::string diagnosis = system.diagnose(state.q);
  throw InputError(fmt::format("{}: the run cannot start from its initial positions: {}. Change them, or the law", deck.name(),
                               diagnosis.empty() ? "the energy there is not finite" : diagnosis));
}

void Simulation::check_initial_velocity() const
{
  Vector v = state.v;
  structure->system().project(v);  // that of supports is theirs
  if (v.linfty_norm() > 0. && std::none_of(stages.begin(), stages.end(), [](const Stage &stage) { return stage.moves(); }))
    throw InputError(fmt::format("{}: the initial velocity has no effect: the deck has no stage in time. Remove it, or add a dynamic stage",
                                 deck.name()));
}

void Simulation::check_constraints()
{
  const HolonomicConstraints *constraints = structure->system().constraints();
  if (!constraints)
    return;
  try
  {
    Multipliers multipliers(structure->system());
    rate_multipliers(multipliers, state);
    Parameters section = deck.root().section("Constraints");
    if (structure->projects_start())
      project_start(declare_start_projection(section));
  }
  catch (const ComputationError &error)
  {
    throw InputError(fmt::format("{} [Constraints]: {}", deck.name(), error.what()));
  }
  const ConstraintError error = constraint_error(*constraints, state);
  constexpr double rounding = 1e-9;
  const double speed = std::max(state.v.linfty_norm(), std::numeric_limits<double>::min());
  const bool off = !(error.distance <= rounding);
  if (!off && error.speed <= rounding * speed)
    return;
  std::vector<double> u, g;
  constraints->gather(state.q, u);
  constraints->values(u, g);
  throw InputError(fmt::format(
      "{} [Constraints]: the start is not on {}: {}. Change {}, or move {} onto the constraints with --set Constraints/Project={}",
      deck.name(), constraint_in_words(*constraints, off ? error.distance_at : error.speed_at),
      off ? fmt::format("g = {:.6g}", g[error.distance_at])
          : fmt::format("a speed across it of {:.3g}{}", error.speed, Units::after(units.length + "/" + units.time)),
      off ? "positions" : "velocities", off ? "the start" : "the velocities alone", off ? "yes" : "velocities"));
}

void Simulation::project_start(const StartProjection what)
{
  const Vector q = state.q, v = state.v;
  what == StartProjection::velocities ? project_rates(structure->system(), state) : project_on_constraints(structure->system(), state);
  Vector dq = state.q, dv = state.v;
  dq -= q;
  dv -= v;
  const std::string of_positions =
      what == StartProjection::all ? fmt::format("positions by at most {:.3g}{}, ", dq.linfty_norm(), Units::after(units.length)) : "";
  start_note = fmt::format("the start is moved onto the constraints: {}velocities by at most {:.3g}{}", of_positions, dv.linfty_norm(),
                           Units::after(units.length + "/" + units.time));
}

void Simulation::warn_of_loose_newton(const Stage &stage) const
{
  constexpr double tight_enough = 1e-8;
  const Promise promise = stage.integrator->promise(structure->system());
  const bool keeps = promise.symplectic != Where::nowhere || promise.energy || promise.angular_momentum != Where::nowhere;
  if (const double tolerance = stage.integrator->solver_tolerance(); keeps && tolerance > tight_enough)
    log_warning(fmt::format(
        "the equations of a step are solved to {0:g}: {1} then keeps its structure (symplectic form, momenta, energy) to about {0:g} "
        "a step only. Tighten {2} to 1e-10",
        tolerance, stage.scheme, tolerance == newton.tolerance ? "Newton/Tolerance" : "\"Solve tolerance\" of the scheme"));
}

double Simulation::critical_step_of(const Integrator &integrator)
{
  const ScopedTimer timer("critical step");
  return critical_step(integrator, structure->system(), state);
}

void Simulation::warn_if_unstable_later(Stage &stage)
{
  if (stage.step == 0. || stage.allow_unstable || !std::isfinite(stage.integrator->promise(structure->system()).stable_h_omega))
    return;
  const double now = critical_step_of(*stage.integrator);
  if (stage.step <= now)
    return;
  if (structure->system().has(Feature::linear) && !supports_change())
    fix_time_step(stage);
  log_warning(fmt::format(
      "{}: the critical step of {} is {:.6g}{} at the start of the run; unless the stages before or other supports raise it, {:g} will be refused",
      stage.where_step, stage.scheme, now, Units::after(units.time), stage.step));
}

void Simulation::fix_time_step(Stage &stage)
{
  const bool automatic = stage.step == 0.;
  if (!std::isfinite(stage.integrator->promise(structure->system()).stable_h_omega))
  {
    if (automatic)
      throw InputError(stage.where_step + ": `auto` is for explicit schemes; this one has no critical step. Give the step in seconds");
    if (stage.allow_unstable)
      throw InputError(stage.where_step + ": \"Allow unstable step\" has no effect: this scheme has no critical step. Remove it");
    return;
  }
  critical = critical_step_of(*stage.integrator);
  if (automatic && !std::isfinite(critical))
    throw InputError(stage.where_step +
                     ": `auto` needs a frequency, and nothing vibrates here (V'' = 0 at the start). Give the step in seconds");
  const double longest = stage.at_most > 0. ? std::min(0.9 * critical, stage.at_most) : 0.9 * critical;
  const double safe = (stage.end - stage.start) / std::ceil((stage.end - stage.start) / longest * (1. - 1e-12));  // divides the stage
  if (automatic && longest < stage.at_least * (1. - 1e-9))
    throw InputError(fmt::format(
        "{}: `auto` is {:.6g}{}, shorter than \"Automatic step at least\" = {:g}. CalculiX would scale the masses of small cells up to that step; symdyn scales "
        "no masses. Remove the bound (of *DYNAMIC, EXPLICIT: the third number), or enlarge the smallest cells",
        stage.where_step, longest, Units::after(units.time), stage.at_least));
  if (automatic)
  {
    stage.step = safe;
    log_line(fmt::format("time step: {:.6g}{} ({} the critical step {:.6g}{})", stage.step, Units::after(units.time),
                         longest < 0.9 * critical ? "as \"Automatic step at most\" asks;" : "0.9 of", critical, Units::after(units.time)));
  }
  else if (stage.step > critical && !stage.allow_unstable)
    throw InputError(
        fmt::format("{}: the critical step of {} is {:.6g}{} here; a larger one is unstable. Use --set \"{}/Time step={:.12g}\", or "
                    "`auto`",
                    stage.where_step, stage.scheme, critical, Units::after(units.time), stage.time_section, safe));
}
}  // namespace symdyn
