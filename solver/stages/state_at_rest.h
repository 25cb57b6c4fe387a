#pragma once
#include <string>
#include <vector>

#include "solver/vibration/modes.h"

// What stages about a state at rest have in common.
namespace symdyn
{
struct Analysis;
class ModesTable;
class Stage;

/// Errors: InputError for a system whose linear motion we do not compute.
void check_linear(const Analysis &analysis, const Stage &stage);
/// Warns where forces are not in balance in a state that a stage takes for one at rest.
void check_rest(const Analysis &analysis, const Stage &stage);
/// Lines in the log, and in summary.json.
void report_modes(Analysis &analysis, const Stage &stage, const Modes &modes, const std::vector<double> &ratios);
void report_modes(Analysis &analysis, const Stage &stage, const Modes &modes, const ModesTable &table);
}  // namespace symdyn
