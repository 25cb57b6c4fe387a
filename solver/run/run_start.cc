#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "solver/base/log.h"
#include "solver/cyclic.h"
#include "solver/diagnosis.h"
#include "solver/dynamics/multipliers.h"
#include "solver/dynamics/start_projection.h"
#include "solver/error.h"
#include "solver/nodal_constraints.h"
#include "solver/run/run.h"
#include "solver/searching.h"

// What must hold before the first step.
namespace symdyn
{
void Run::build()
{
  if (std::exchange(built, true))
    return;
  Structure &structure = *analysis.structure;
  take_needs();
  structure.build();
  analysis.look_at_state();
  analysis.recorder.attach(structure, analysis.monitors, analysis.units, on_mesh);
  analysis.supports.check(analysis);
  // What a static stage prescribes comes with its increments.
  analysis.actions.reached = analysis.stages.front()->traits().ramps ? 0. : 1.;
  structure.initialise(analysis.state);
  search_about(analysis.system(), analysis.state.q);
  check_start();
  analysis.actions.reached = 1.;
  check_initial_velocity();
  check_constraints();
  analysis.at_rest = analysis.state.q;
  check_stages();
  long most = 0;
  for (const auto &stage : analysis.stages)
    if (const TimeStepping *stepping = stage->stepping())
      most = std::max(most, stepping->steps());
  const TimeStepping *last = analysis.stages.back()->stepping();
  const double end = last ? last->end : 0.;
  analysis.slow_motion.check(analysis.system(), analysis.state, end, most);
  analysis.monitors.check(analysis.system(), end);
}

void Run::take_needs()
{
  Structure &structure = *analysis.structure;
  structure.needs_tangent = structure.solves_complex = false;
  structure.needs_true_mass.clear();
  for (const auto &stage : analysis.stages)
  {
    const StageTraits traits = stage->traits();
    structure.needs_tangent = structure.needs_tangent || traits.needs_tangent;
    structure.solves_complex = structure.solves_complex || traits.solves_complex;
    if (traits.needs_tangent && !traits.is_static() && structure.needs_true_mass.empty())
      structure.needs_true_mass = stage->name;
    structure.modes = std::max(structure.modes, traits.modes);
  }
  structure.actions = &analysis.actions;
  structure.first_supports = analysis.stages.front()->supports;
}

void Run::check_stages()
{
  analysis.loads.reset(analysis);
  for (const auto &stage : analysis.stages)
  {
    LoadProgramme::check(analysis, *stage);
    if (cyclic_sector(analysis.structure->system()) && !stage->traits().of_sectors)
      throw InputError(fmt::format(
          "{}: Type = {} is not available with Cyclic symmetry. Model the whole, or take static, dynamic, modes, complex modes, buckling or harmonic",
          stage->where, stage->type));
    stage->check(analysis);
    analysis.loads.enter(analysis, *stage);
  }
  analysis.loads.reset(analysis);
  LoadProgramme::warn_of_idle(analysis);
}

void Run::check_start() const
{
  const MechanicalSystem &system = analysis.system();
  Vector f = system.new_vector();
  const ForceReport report = system.internal_force(analysis.state.q, f);
  if (report.admissible() && std::isfinite(f.l2_norm()) && std::isfinite(system.potential(analysis.state.q)))
    return;
  const std::string diagnosis = system.diagnosis().diagnose(analysis.state.q);
  throw InputError(fmt::format("{}: the run cannot start from its initial positions: {}. Change them, or the law", deck.name(),
                               diagnosis.empty() ? "the energy there is not finite" : diagnosis));
}

void Run::check_initial_velocity() const
{
  Vector v = analysis.state.v;
  analysis.system().project(v);  // that of supports is theirs
  if (v.linfty_norm() > 0. && !analysis.moves())
    throw InputError(fmt::format("{}: the initial velocity has no effect: the deck has no stage in time. Remove it, or add a dynamic stage",
                                 deck.name()));
}

void Run::check_directors(const NodalConstraints &directors) const
{
  constexpr double rounding = 1e-9;
  const NodalConstraints::Deviation error = directors.deviation(analysis.state.q, analysis.state.v);
  const bool off = !(error.g <= rounding);
  if (!off && error.rate <= rounding * error.speed)
    return;
  throw InputError(
      fmt::format("{}: the start strains exact directors, the {} most: by {}. Change the initial {}, or set Elements/Directors = elastic",
                  deck.name(), off ? error.node : error.node_of_rate,
                  off ? fmt::format("{:.3g} from length 1 and right angles", error.g)
                      : fmt::format("{:.3g}{}", error.rate, Units::after("1/" + analysis.units.time)),
                  off ? "positions" : "velocities"));
}

void Run::check_constraints()
{
  if (const NodalConstraints *directors = analysis.system().nodal_constraints())
    check_directors(*directors);
  const HolonomicConstraints *constraints = analysis.system().constraints();
  if (!constraints)
    return;
  try
  {
    Multipliers multipliers(analysis.system());
    rate_multipliers(multipliers, analysis.state);
    Parameters section = deck.root().section("Constraints");
    if (analysis.structure->projects_start())
      project_start(declare_start_projection(section) == StartProjection::velocities);
  }
  catch (const ComputationError &error)
  {
    throw InputError(fmt::format("{} [Constraints]: {}", deck.name(), error.what()));
  }
  const ConstraintError error = constraint_error(*constraints, analysis.state);
  constexpr double rounding = 1e-9;
  const double speed = std::max(analysis.state.v.linfty_norm(), std::numeric_limits<double>::min());
  const bool off = !(error.distance <= rounding);
  if (!off && error.speed <= rounding * speed)
    return;
  std::vector<double> u, g;
  constraints->gather(analysis.state.q, u);
  constraints->values(u, g);
  throw InputError(fmt::format(
      "{} [Constraints]: the start is not on {}: {}. Change {}, or move {} onto the constraints with --set Constraints/Project={}",
      deck.name(), constraint_in_words(*constraints, off ? error.distance_at : error.speed_at),
      off ? fmt::format("g = {:.6g}", g[error.distance_at])
          : fmt::format("a speed across it of {:.3g}{}", error.speed, Units::after(analysis.units.length + "/" + analysis.units.time)),
      off ? "positions" : "velocities", off ? "the start" : "the velocities alone", off ? "yes" : "velocities"));
}

void Run::project_start(const bool velocities_alone)
{
  const Vector q = analysis.state.q, v = analysis.state.v;
  velocities_alone ? project_rates(analysis.system(), analysis.state) : project_on_constraints(analysis.system(), analysis.state);
  Vector dq = analysis.state.q, dv = analysis.state.v;
  dq -= q;
  dv -= v;
  const std::string of_positions =
      velocities_alone ? "" : fmt::format("positions by at most {:.3g}{}, ", dq.linfty_norm(), Units::after(analysis.units.length));
  start_note = fmt::format("the start is moved onto the constraints: {}velocities by at most {:.3g}{}", of_positions, dv.linfty_norm(),
                           Units::after(analysis.units.length + "/" + analysis.units.time));
}
}  // namespace symdyn
