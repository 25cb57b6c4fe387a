#pragma once
#include <map>
#include <nlohmann/json.hpp>

#include "solver/archive.h"

namespace symdyn
{
/// What an archive holds in memory, and where the rest of it is.
struct Archive::Content
{
  /// Blocks of this rank.
  struct Blocks
  {
    std::size_t doubles = 0;
    std::vector<std::uint64_t> identities;
    std::vector<double> values;
  };

  nlohmann::json values = nlohmann::json::object();
  std::map<std::string, Vector> vectors;
  std::map<std::string, Blocks> blocks;

  std::string file;            ///< that was read; "": the archive is made in memory
  nlohmann::json layout;       ///< its header
  std::size_t data_begin = 0;  ///< in bytes
};

/// Numbers of JSON, which knows no nan and no infinity.
nlohmann::json exact(double value);
nlohmann::json exact(const std::vector<double> &values);
double from_exact(const nlohmann::json &value);
}  // namespace symdyn
