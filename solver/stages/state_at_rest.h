#pragma once
#include <string>
#include <vector>

#include "solver/vibration/modes.h"

// What stages about a state at rest have in common.
namespace symdyn
{
struct Analysis;
class ModesTable;
class Parameters;
class Stage;

/// Errors: InputError for a system whose linear motion we do not compute.
void check_linear(const Analysis &analysis, const Stage &stage);
/// Warns where forces are not in balance in a state that a stage takes for one at rest. `any_speed`: of a stage that adds the load of a
/// frame that turns by itself.
void check_rest(const Analysis &analysis, const Stage &stage, bool any_speed = false);
/// Errors: InputError where bearings make the stiffness unsymmetric, or a function of the speed. `where`: the stage or entry that needs
/// real modes; `way`: another way out.
void refuse_uneven_bearings(const Analysis &analysis, const std::string &where, const std::string &way = "");
/// Errors: InputError where `names` of loads, of the entry, have one of Unbalance, which stands in the frame that turns. None, or all: all.
void refuse_unbalances(const Parameters &p, const std::vector<std::string> &names, const std::string &entry);
/// Lines in the log, and in summary.json.
void report_modes(Analysis &analysis, const Stage &stage, const Modes &modes, const std::vector<double> &ratios);
void report_modes(Analysis &analysis, const Stage &stage, const Modes &modes, const ModesTable &table);
}  // namespace symdyn
