#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace symdyn
{
/// How the run of a folder stands.
struct ResultsState
{
  std::string folder;
  std::string status;       ///< "running", "killed", or that of summary.json: "done", "failed", "incomplete", "stopped by a signal", ...
  nlohmann::json summary;   ///< null: there is none
  nlohmann::json progress;  ///< null: there is none

  /// Errors: InputError for a folder without results.
  static ResultsState of(const std::string &folder);
  bool ended() const { return status != "running"; }
};

/// A JSON file; null where it cannot be read.
nlohmann::json json_of(const std::string &file);
/// A whole file; "" where it cannot be read.
std::string text_of_file(const std::string &file);
}  // namespace symdyn
