#include "solver/pictures/results_state.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "solver/base/lock_owner.h"
#include "solver/base/run_progress.h"
#include "solver/error.h"

namespace symdyn
{
nlohmann::json json_of(const std::string &file)
{
  std::ifstream in(file);
  const nlohmann::json content = nlohmann::json::parse(in, nullptr, false);
  return content.is_object() ? content : nlohmann::json();
}

std::string text_of_file(const std::string &file)
{
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

ResultsState ResultsState::of(const std::string &folder)
{
  namespace fs = std::filesystem;
  if (!fs::is_directory(folder))
    throw InputError(folder + ": there is no such folder. Give the folder of a run, which holds history.csv");
  const char *const names[] = {"history.csv", "summary.json", "run.log", ProgressFile::file_name};
  const LockOwner owner = LockOwner::of_file(folder + "/" + LockOwner::file_name);
  const bool runs = !owner.host.empty() && (owner.host != host_name() || owner.runs());
  if (!runs && std::none_of(std::begin(names), std::end(names), [&](const char *name) { return fs::exists(fs::path(folder) / name); }))
    throw InputError(folder + ": there are no results of symdyn in this folder. Give the folder of a run, which holds history.csv");
  // The lock was read first: a run that ended before it has written how.
  ResultsState state{folder, "", json_of(folder + "/summary.json"), json_of(folder + "/" + ProgressFile::file_name)};
  if (state.progress.is_object())  // that of a run that goes on from its checkpoint is newer than the summary
    state.status = state.progress.value("status", "running");
  else if (state.summary.is_object())
    state.status = state.summary.value("status", "done");
  else
    state.status = "running";
  if (runs)  // what an earlier run has left may say something else
    state.status = "running";
  else if (state.status == "running")
    state.status = "killed";
  return state;
}
}  // namespace symdyn
