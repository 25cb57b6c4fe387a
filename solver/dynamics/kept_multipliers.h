#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "solver/mechanical_system.h"

// Multipliers of constraints in State::memory, the same on every rank: the next step begins with them, and a restart has them.
namespace symdyn
{
inline void keep_multipliers(const std::vector<double> &lambda, State &state, const std::string &name = "lambda")
{
  Vector &kept = state.memory[name];
  kept.reinit(lambda.size());
  std::copy(lambda.begin(), lambda.end(), kept.begin());
}
/// {}: there are none.
inline std::vector<double> kept_multipliers(const State &state, const std::string &name = "lambda")
{
  const auto kept = state.memory.find(name);
  return kept == state.memory.end() ? std::vector<double>() : std::vector<double>(kept->second.begin(), kept->second.end());
}
}  // namespace symdyn
