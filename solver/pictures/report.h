#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace symdyn
{
struct ReportOptions
{
  std::vector<std::string> results;  ///< folders of runs
  std::string output;                ///< default: report.html in the first of them
};

/// Writes one HTML page on the runs, which needs no network; returns its name. Errors: InputError for folders without results, and for a
/// file that cannot be written.
std::string write_report(const ReportOptions &options);

/// What the page shows of one run beside the views: state, deck, log, tables (report_run.cc).
nlohmann::json report_of_run(const std::string &folder);
/// Frames, modes and vibrations for the 3-D view, in about so many bytes; the least is two frames each (report_views.cc).
nlohmann::json report_views(const std::string &folder, const nlohmann::json &units, std::size_t bytes);
}  // namespace symdyn
