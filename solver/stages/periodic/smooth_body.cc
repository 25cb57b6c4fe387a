#include "solver/stages/periodic/smooth_body.h"

#include <fmt/format.h>

#include "solver/error.h"
#include "solver/history.h"
#include "solver/nodal_constraints.h"
#include "solver/searching.h"
#include "solver/spinning.h"
#include "solver/stages/analysis.h"

namespace symdyn
{
void require_smooth_body(const Analysis &analysis, const Stage &stage)
{
  const MechanicalSystem &system = analysis.system();
  const auto refuse = [&](const bool is, const std::string &what, const std::string &fix) {
    if (is)
      throw InputError(fmt::format("{}: Type = {} has no {}. {}", stage.where, stage.type, what, fix));
  };
  refuse(remembering(system), "laws with a memory", "Take elastic materials, or a dynamic stage");
  refuse(is_constrained(system), "exact constraints", "Set Constraints/Treatment = penalty, Elements/Directors = elastic");
  refuse(searching(system), "contact", "Leave it out, or take a dynamic stage");
  refuse(spinning(system), "frame that turns", "Remove the section Rotation");
  refuse(system.has(Feature::follower_loads), "loads that follow the body: they have no exact linearisation",
         "Take Type = dead-pressure, of moments Geometry = linear");
}
}  // namespace symdyn
