#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "solver/base/units.h"
#include "solver/vibration/complex_modes.h"

namespace symdyn
{
/// Complex modes as people read them: a file with all digits, lines for the log, and what summary.json holds.
/// `frame`: " in fixed axes" where there is more than one, "".
std::string complex_modes_csv(const ComplexModes &modes, const Units &units, const std::string &frame);
std::string complex_modes_lines(const std::string &stage, const ComplexModes &modes, const Units &units, const std::string &frame);
nlohmann::json complex_modes_summary(const ComplexModes &modes);
}  // namespace symdyn
