#include "solver/stages/held.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "solver/base/log.h"
#include "solver/diagnosis.h"
#include "solver/dynamics/weakest_motion.h"
#include "solver/error.h"
#include "solver/stages/analysis.h"
#include "solver/vibration/tangent_system.h"

namespace symdyn
{
namespace
{
/// Of contacts that are open at the state, which resist nothing, or only touch; "" where there is none.
std::string open_contacts(const Analysis &analysis)
{
  const std::vector<std::string> all = analysis.system().diagnosis().frozen_contacts(analysis.state);
  std::vector<std::string> open;
  for (const std::string &contact : all)
    if (contact.find(", open") != std::string::npos)
      open.push_back(contact);
  if (open.empty())
    return all.empty() ? ""
                       : fmt::format(". Contacts hold nothing before they press: {}. Hold the body by a soft spring", fmt::join(all, "; "));
  return fmt::format(
      ". Open contacts resist nothing: {}. Lower Clearance by the gap and 1e-7 of a cell, with Law = linear or hard, or hold the body by a "
      "soft spring; between boundaries of solids Start = adjust closes gaps",
      fmt::join(open, "; "));
}

const char *const needs_supports = "a static stage needs supports that hold the body";
const char *const ways_to_hold = "Add a support, join it to a part that is held, or make the stage dynamic";
}  // namespace

void check_held(const Analysis &analysis, const Stage &stage, const Vector &q, const bool holds)
{
  const std::string free = analysis.structure->free_motions(q, analysis.units);
  if (free.empty())
    return;
  HeldMotions *motions = holds ? analysis.structure->supports().held_motions() : nullptr;
  const std::string held = motions ? motions->find(q, analysis.units) : "";
  if (held.empty())
    throw InputError(fmt::format("{}: {}; {}. {}{}", stage.where, needs_supports, free, ways_to_hold, open_contacts(analysis)));
  log_warning(
      fmt::format("{}: {}. Free motions = held: the stage holds it {}, where no force may arise. Add a support", stage.where, free, held));
}

double hold_motions(Analysis &analysis, const Stage &stage, const bool holds)
{
  analysis.actions.holds_motions = false;  // what moves freely without springs is found
  HeldMotions *motions = holds ? analysis.structure->supports().held_motions() : nullptr;
  if (!motions)
    return 0.;
  const MechanicalSystem &system = analysis.system();
  Vector f = system.new_vector();
  motions->find(may_be_stressed(analysis, stage) ? analysis.state.q : f, analysis.units);
  motions->rest(analysis.state);
  analysis.actions.holds_motions = true;
  About(system, analysis.state)->internal_force(analysis.state.q, f);
  return f.l1_norm();
}

void recall_motions(Analysis &analysis, const bool holds)
{
  HeldMotions *motions = holds ? analysis.structure->supports().held_motions() : nullptr;
  analysis.actions.holds_motions = motions;
  if (motions)
    motions->recall(analysis.state);
}

void check_pushed(const Analysis &analysis, const Stage &stage, const MechanicalSystem &system, const Vector &q, double &largest)
{
  constexpr double rounding = 1e-6;
  if (!analysis.actions.holds_motions)
    return;
  Vector f = system.new_vector();
  system.internal_force(q, f);
  const HeldMotions &motions = *analysis.structure->supports().held_motions();
  largest = std::max(largest, f.l1_norm());
  const std::string pushed = motions.pushed(q, rounding * largest, analysis.units);
  if (!pushed.empty())
    throw InputError(fmt::format("{}: {}; loads push it where it moves freely: what the stage holds (Free motions = held) bears {}. {}{}",
                                 stage.where, needs_supports, pushed, ways_to_hold, open_contacts(analysis)));
}

bool may_be_stressed(const Analysis &analysis, const Stage &stage)
{
  if (analysis.system().has(Feature::linear))
    return false;
  for (auto earlier = analysis.stages.begin(); earlier->get() != &stage; ++earlier)
    if ((*earlier)->traits().is_static())
      return true;
  return false;
}

void check_tangent(const Analysis &analysis, const LinearSolve &tangent)
{
  WeakestMotion motion;
  try
  {
    motion = weakest_motion(analysis.system(), tangent);
  }
  catch (const ComputationError &error)
  {
    throw ComputationError(fmt::format("{}. The stiffness may be singular: look at the supports", error.what()));
  }
  log_detail(fmt::format("least resistance of the tangent: {:.2e}{}", motion.resistance,
                         motion.known ? ", of a motion largest " + motion.in_words(Units::after(analysis.units.length)) : " or more"));
  if (motion.singular())
    throw InputError(fmt::format(
        "nothing resists a motion of the structure that is largest {}: the stiffness is singular (resistance {:.1e}, rounding). Add a support, join it to a part that "
        "is held, or make the stage dynamic{}",
        motion.in_words(Units::after(analysis.units.length)), motion.resistance, open_contacts(analysis)));
}

std::string weakness_at(const Analysis &analysis, const State &start)
{
  constexpr double weak = 1e-12;
  const std::string supports = ". Look at the supports";
  try
  {
    const AtRest about(analysis.system(), start.t, start.q);
    const auto tangent = about->factor(K, start.t, start.q, start.v);
    const WeakestMotion motion = weakest_motion(*about, *tangent);
    if (!motion.known || motion.resistance > weak)
      return "";
    return fmt::format(
        ". At the start of the increment hardly anything resists a motion that is largest {} (resistance {:.1e} of its cells'){}",
        motion.in_words(Units::after(analysis.units.length)), motion.resistance, supports);
  }
  catch (const ComputationError &)
  {
    return ". The stiffness at the start of the increment is singular" + supports;
  }
}
}  // namespace symdyn
