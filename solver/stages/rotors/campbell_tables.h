#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "solver/base/units.h"
#include "solver/stages/rotors/critical_speeds.h"
#include "solver/vibration/rotors/speed_branches.h"

// A Campbell diagram as people read it.
namespace symdyn
{
/// A line a point: speed, branch, frequency in the frame or in fixed axes, damping, direction, nodal diameters.
/// `fixed`: frequencies are converted to fixed axes; `at_rest`: lambda is in them. Fewer speeds than `asked` for: two more columns say so.
std::string campbell_csv(const SpeedBranches &found, bool fixed, bool at_rest, const Units &units, std::size_t asked);
/// A line a speed: the frequency of each branch that is not overdamped, and the lines of engine orders.
std::string campbell_plot_csv(const SpeedBranches &found, const std::vector<double> &speeds, const std::vector<double> &orders, bool fixed,
                              const Units &units);
std::string crossings_csv(const SpeedBranches &found, const Units &units);
std::string meetings_csv(const SpeedBranches &found, const Units &units);
std::string critical_csv(const CriticalSpeeds &critical, const Units &units);
/// For the log and for summary.json.
std::string campbell_lines(const SpeedBranches &found, bool fixed, const Units &units);
nlohmann::json campbell_summary(const SpeedBranches &found, const CriticalSpeeds &critical, bool fixed);
}  // namespace symdyn
