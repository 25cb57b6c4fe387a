#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "solver/base/units.h"
#include "solver/vibration/complex_modes.h"

namespace symdyn
{
/// Complex modes as people read them: a file with all digits, lines for the log, and what summary.json holds.
std::string complex_modes_csv(const ComplexModes &modes, const Units &units);
std::string complex_modes_lines(const std::string &stage, const ComplexModes &modes, const Units &units);
nlohmann::json complex_modes_summary(const ComplexModes &modes);
}  // namespace symdyn
