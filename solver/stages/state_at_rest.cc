#include "solver/stages/state_at_rest.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "solver/base/log.h"
#include "solver/diagnosis.h"
#include "solver/error.h"
#include "solver/history.h"
#include "solver/spinning.h"
#include "solver/stages/analysis.h"
#include "solver/vibration/held_constraints.h"
#include "solver/vibration/linear_motion.h"
#include "solver/vibration/modes_table.h"
#include "solver/vibration/tangent_system.h"

namespace symdyn
{
void check_linear(const Analysis &analysis, const Stage &stage)
{
  try
  {
    check_linear_system(analysis.system());
  }
  catch (const InputError &error)
  {
    throw InputError(stage.where + ": " + error.what());
  }
  const Remembering *laws = remembering(analysis.system());
  const bool complex = laws && stage.traits().solves_complex && !laws->relaxing().empty();  // HarmonicStage says it
  if (laws && laws->depends_on_rates() && !complex)
    log_warning(fmt::format(
        "stage {}: memory is frozen: materials that creep, relax or flow by their rate are elastic about the state, with their moduli at t = 0 "
        "and without loss. Give Damping, or take a dynamic stage{}",
        stage.name, laws->relaxing().empty() ? "" : ", or a harmonic stage with Method = direct or fast"));
}

void refuse_uneven_bearings(const Analysis &analysis, const std::string &where, const std::string &way)
{
  const Spinning *frame = spinning(analysis.structure->system());
  if (const auto bearing = frame ? frame->uneven_bearing() : std::nullopt)
    throw InputError(
        fmt::format("{}: needs real modes, and a bearing with {} ({}) pushes a rotor around its axis, which takes complex modes: a stage "
                    "of Type = campbell or complex modes{}",
                    where, bearing->why, bearing->where, way));
}

void refuse_unbalances(const Parameters &p, const std::vector<std::string> &names, const std::string &entry)
{
  const bool all = names.empty() || names.front() == "all";
  for (const std::string &unbalance : p.root().section("Unbalance").named_sections())
    if (all || std::count(names.begin(), names.end(), unbalance))
      p.fail(entry, fmt::format("'{}' is an unbalance, which stands in the frame of the rotor, and does not oscillate. Take a stage of "
                                "Type = unbalance{}",
                                unbalance, all ? ", or name other loads" : ""));
}

void check_rest(const Analysis &analysis, const Stage &stage, const bool any_speed)
{
  const State &state = analysis.state;
  for (const std::string &contact : analysis.system().diagnosis().frozen_contacts(state))
    log_line(fmt::format("stage {}: contact {}: stays as it is", stage.name, contact));
  if (const Spinning *frame = spinning(analysis.structure->system()); !any_speed && frame && frame->centrifugal() != 1.)
    throw InputError(fmt::format(
        "{}: the frame turns ({}), and the state does not bear its centrifugal load, whose stress stiffens the body. Put a static stage "
        "before this one, with \"rotation\" among its Loads, or without the entry",
        stage.where, frame->where_turning()));
  if (!any_speed && spinning(analysis.structure->system()) && analysis.system().has(Feature::linear))
    log_line(fmt::format(
        "stage {}: the laws are linear, so that no stress of the centrifugal load stiffens the body, while its spin softens it. Where that counts, "
        "take Type = st-venant-kirchhoff, and beams and shells without Geometry = linear",
        stage.name));
  if (const Spinning *frame = spinning(analysis.structure->system()))
    frame->check_revolution(state);
  hold_constraints_at_rest(analysis.system(), state.t, state.q);
  const AtRest about(analysis.system(), state.t, state.q);
  const MechanicalSystem &system = *about;
  if (system.has(Feature::linear))  // K is the same everywhere
    return;
  Vector f = system.new_vector(), r = f, rest = f;
  system.internal_force(state.q, f);
  system.applied_force(state.t, state.q, rest, r);
  r -= f;
  const double size = f.l2_norm() + r.l2_norm();
  system.project(r);
  constexpr double unbalanced = 1e-4, of_rounding = 1e3;
  const auto tangent = system.factor(K, state.t, state.q, rest);
  if (r.l2_norm() > unbalanced * size && r.l2_norm() > of_rounding * tangent->rounding(state.q))
    log_warning(fmt::format(
        "stage {}: the state is not in equilibrium (|f_applied - f_int| = {:.3g}{}, {:.2g} of the forces): the stage is about a body that would not rest as it "
        "stands. Put a static stage before it",
        stage.name, r.l2_norm(), Units::after(analysis.units.force), r.l2_norm() / size));
}

void report_modes(Analysis &analysis, const Stage &stage, const Modes &modes, const std::vector<double> &ratios)
{
  report_modes(analysis, stage, modes, ModesTable(analysis.system(), analysis.state.q, modes, ratios, analysis.units));
}

void report_modes(Analysis &analysis, const Stage &stage, const Modes &modes, const ModesTable &table)
{
  log_line(table.lines(stage.name));
  (*analysis.found)[stage.name] = table.summary();
  if (modes.uncounted)
    log_line(fmt::format("stage {}: Sturm check = no: of several modes with one frequency some may be missing", stage.name));
  else if (!modes.complete)
    log_warning(fmt::format(
        "stage {}: nothing has counted the modes: of several with one frequency some may be missing. mumps counts them where the stiffness is symmetric (loads that follow may make it unsymmetric)",
        stage.name));
  if (std::count(modes.kinds.begin(), modes.kinds.end(), Modes::unstable))
    log_warning(
        fmt::format("stage {}: the state is unstable: omega² < 0 (modes marked `unstable` grow). It is beyond buckling", stage.name));
}
}  // namespace symdyn
