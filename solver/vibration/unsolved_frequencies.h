#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace symdyn
{
/// Entry of a harmonic stage in summary.json: the frequencies [Hz] without an answer.
inline const std::string unsolved_frequencies = "unsolved frequencies";

/// "2 of stage sweep (42.7, 43.1 Hz)", or "". `stages`: what summary.json says of each stage, by name.
std::string list_of_unsolved_frequencies(const nlohmann::json &stages, const std::string &unit);
}  // namespace symdyn
