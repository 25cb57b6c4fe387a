#include "solver/pictures/watch_run.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <thread>

#include "solver/base/run_progress.h"
#include "solver/base/terminal.h"
#include "solver/error.h"
#include "solver/pictures/results_state.h"

namespace symdyn
{
namespace
{
int exit_code_of(const std::string &status)
{
  return status == "done" ? exit_done : status.rfind("stopped", 0) == 0 ? exit_signal : exit_computation;
}

/// The last line: how the run has ended.
void print_end(const ResultsState &state)
{
  const bool done = state.status == "done";
  const std::string word = state.status == "killed" ? "the run has ended without a summary: its process was killed" : state.status;
  std::printf("%s", painted(word, done ? Paint::green : Paint::red, stdout).c_str());
  if (const std::string error = state.summary.is_object() ? state.summary.value("error", "") : ""; !error.empty())
    std::printf(": %s", error.c_str());
  std::puts("");
  const nlohmann::json certificate =
      done && state.summary.is_object() ? state.summary.value("certificate", nlohmann::json::object()) : nlohmann::json::object();
  if (const std::string verdict = certificate.value("verdict", ""); !verdict.empty())
    std::printf("%s: %s\n", painted(verdict, paint_of_verdict(verdict), stdout).c_str(), certificate.value("reason", "").c_str());
}

RunProgress progress_of(const ResultsState &state)
{
  try
  {
    return RunProgress::of_json(state.progress);
  }
  catch (const nlohmann::json::exception &)
  {
    throw InputError(state.folder + "/progress.json: is not that of a run of symdyn " SYMDYN_VERSION
                                    ". Watch it with the version that runs");
  }
}
}  // namespace

int watch_run(const std::string &folder)
{
  constexpr auto interval = std::chrono::milliseconds(250);
  const bool terminal = isatty(STDOUT_FILENO);
  std::string shown, warned;
  for (ResultsState state = ResultsState::of(folder);; state = ResultsState::of(folder))
  {
    if (state.progress.is_object())
    {
      const RunProgress progress = progress_of(state);
      const std::string line = progress.line(terminal_columns() - 1);
      if (progress.last_warning != warned)
        std::printf("%s%s: %s\n", terminal ? "\r\033[K" : "", painted("warning", Paint::yellow, stdout).c_str(),
                    progress.last_warning.c_str());
      if (terminal || line != shown)
        std::printf(terminal ? "\r\033[K%s" : "%s\n", line.c_str());
      shown = line;
      warned = progress.last_warning;
      std::fflush(stdout);
    }
    if (state.ended())
    {
      if (terminal && !shown.empty())
        std::puts("");
      print_end(state);
      return exit_code_of(state.status);
    }
    std::this_thread::sleep_for(interval);
  }
}
}  // namespace symdyn
