#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "solver/base/terminal.h"

namespace symdyn
{
/// How far a run is: its line on the terminal, and progress.json.
struct RunProgress
{
  std::string status = "running";     ///< at the end that of summary.json
  std::string stage, kind = "steps";  ///< what `done` counts: steps (increments too), frequencies, speeds, modes
  std::string verdict, last_warning;
  std::string time_unit = "1", frequency_unit = "1", energy_unit = "1";
  long number = 1, stages = 1;  ///< of the stage, from 1
  long done = 0, of = 0, steps = 0;
  double part = 0;                           ///< of the stage, 0 to 1
  double left = -1, wall = 0;                ///< to the end of the stage (negative: not known), since the start [s]
  std::optional<double> t, f, energy_error;  ///< in the units of the deck; f of kind speeds: Omega
  std::optional<int> newton;                 ///< iterations of the last step

  /// Of at most so many characters.
  std::string line(std::size_t columns) const;
  nlohmann::json json() const;
  /// Errors: nlohmann::json::exception for what is no progress of a run.
  static RunProgress of_json(const nlohmann::json &content);
};

/// Of the word of a certificate: balanced, coarse, doubtful.
Paint paint_of_verdict(const std::string &word);

/// progress.json: written beside it and renamed, so that readers never meet half of it. A failed write is no fault of the run.
class ProgressFile
{
public:
  static constexpr const char *file_name = "progress.json";
  void open(const std::string &folder) { path = folder + "/" + file_name; }
  /// Whether it is open, and the last one is a second old.
  bool is_due(double now) const;
  void write(const RunProgress &progress, double now);

private:
  std::string path;
  double last = -1e300;  ///< wall time [s]
};
}  // namespace symdyn
