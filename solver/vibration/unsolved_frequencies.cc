#include "solver/vibration/unsolved_frequencies.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "solver/base/names.h"

namespace symdyn
{
std::string list_of_unsolved_frequencies(const nlohmann::json &stages, const std::string &unit)
{
  std::vector<std::string> of_stages;
  for (const auto &[name, facts] : stages.items())
  {
    if (!facts.contains(unsolved_frequencies))
      continue;
    std::vector<std::string> frequencies;
    for (const auto &frequency : facts.at(unsolved_frequencies))
      frequencies.push_back(fmt::format("{:.6g}", frequency.get<double>()));
    of_stages.push_back(fmt::format("{} of stage {} ({} {})", frequencies.size(), name, join(frequencies), unit));
  }
  return join(of_stages);
}
}  // namespace symdyn
