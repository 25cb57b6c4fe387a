#include "solver/pictures/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>

#include "solver/base/names.h"
#include "solver/base/sha256.h"
#include "solver/base/terminal.h"
#include "solver/error.h"
#include "solver/pictures/results_state.h"
#include "solver/pictures/sweep_plan.h"
#include "solver/pictures/sweep_processes.h"
#include "solver/pictures/sweep_quantity.h"

namespace symdyn
{
namespace
{
namespace fs = std::filesystem;

/// What is to be done with a run, from what its folder holds.
enum class SweepTask
{
  begin,
  repeat,
  resume,
  keep
};

struct SweptRun
{
  SweepRun run;
  std::vector<std::string> settings;  ///< of --set and --vary
  std::string folder;
  SweepTask task = SweepTask::begin;
  std::string status = "not run";
  std::vector<std::optional<SweepQuantity::Value>> values;
};

/// A value as a cell of a table (RFC 4180).
std::string csv_cell(const std::string &text)
{
  if (text.find_first_of(",\"\n") == std::string::npos)
    return text;
  std::string quoted = "\"";
  for (const char c : text)
    quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

/// The error that a run has printed; "": none.
std::string error_in(const std::string &terminal)
{
  const std::string text = text_of_file(terminal), word = "error: ";
  const std::size_t at = text.find(word);
  return at == std::string::npos ? "" : trim(text.substr(at + word.size()));
}

/// Why results are not of this deck with these settings; "": they are.
std::string difference(const nlohmann::json &summary, const std::vector<std::string> &settings)
{
  const nlohmann::json certificate = summary.value("certificate", nlohmann::json::object());
  if (const auto before = certificate.value("settings", std::vector<std::string>{}); before != settings)
    return "they are of the settings " + join(before);
  for (const nlohmann::json &file : certificate.value("files", nlohmann::json::array()))
    if (const std::string name = file.value("file", ""); sha256_of(name) != file.value("sha256", ""))
      return name + " has changed since";
  return "";
}

SweepTask task_of(const SweptRun &one, const bool overwrite)
{
  std::error_code error;
  if (!fs::exists(one.folder) || fs::is_empty(one.folder, error))
    return SweepTask::begin;
  const ResultsState state = ResultsState::of(one.folder);
  if (!state.ended())
    throw InputError(one.folder + ": a run writes to this folder. Wait until it ends, or choose another --output");
  const bool stopped = state.status.rfind("stopped", 0) == 0;
  if (overwrite || !state.summary.is_object() || !(stopped || state.status == "done"))
    return SweepTask::repeat;
  if (const std::string why = difference(state.summary, one.settings); !why.empty())
    throw InputError(fmt::format("{}: these results are not of this sweep: {}. Choose another --output, or --overwrite to repeat all runs",
                                 one.folder, why));
  return !stopped ? SweepTask::keep : fs::exists(one.folder + "/checkpoint") ? SweepTask::resume : SweepTask::repeat;
}

class Sweep
{
public:
  explicit Sweep(const SweepOptions &options);
  int run();

private:
  void check_options() const;
  void check_table() const;
  void check_decks();
  void run_decks();
  void finish(SweptRun &one, int exit_code);
  void collect(SweptRun &one);
  std::vector<std::string> words(const std::string &command, const SweptRun &one) const;
  std::string terminal_of(const SweptRun &one) const { return one.folder + ".txt"; }
  std::string titles() const;
  void write_table() const;
  std::size_t number_of(const std::string &status) const;

  const SweepOptions options;
  std::string output, program;
  std::vector<VariedEntry> entries;
  std::vector<SweepQuantity> quantities;
  std::vector<SweptRun> runs;
};

Sweep::Sweep(const SweepOptions &options) : options(options), program(symdyn_program())
{
  for (const std::string &text : options.vary)
    entries.push_back(VariedEntry::of(text));
  for (const std::string &text : options.collect)
    quantities.push_back(SweepQuantity::of(text));
  check_options();
  output = options.output.empty() ? "results/" + fs::path(options.deck).stem().string() + "-sweep" : options.output;
  for (const SweepRun &run : runs_of(entries))
  {
    SweptRun one;
    one.run = run;
    one.settings = options.settings;
    one.folder = output + "/" + run.name;
    const std::vector<std::string> own = run.settings(entries);
    one.settings.insert(one.settings.end(), own.begin(), own.end());
    one.task = task_of(one, options.overwrite);
    one.values.resize(quantities.size());
    runs.push_back(one);
  }
  check_table();
}

void Sweep::check_options() const
{
  if (options.jobs < 1)
    throw InputError(fmt::format("--jobs {}: must be at least 1", options.jobs));
  for (const std::string &setting : options.settings)
    for (const VariedEntry &one : entries)
      if (trim(setting.substr(0, setting.find('='))) == one.entry)
        throw InputError(fmt::format("--set {}: --vary gives this entry its values. Remove one of them", setting));
}

/// A table of another sweep, or a file that is no such table, is not replaced.
void Sweep::check_table() const
{
  std::ifstream file(options.table);
  std::string line;
  if (options.overwrite || !file || !std::getline(file, line))
    return;
  const std::string own = "run," + [&] {
    std::vector<std::string> names;
    for (const VariedEntry &one : entries)
      names.push_back(csv_cell(one.entry));
    return join(names, ",");
  }();
  if (line.rfind(own, 0) != 0)
    throw InputError(options.table + ": exists, and is not the table of this sweep. Give another --table, or --overwrite");
}

std::vector<std::string> Sweep::words(const std::string &command, const SweptRun &one) const
{
  if (command == "run" && one.task == SweepTask::resume)
    return {program, "run", "--quiet", "--color", "never", "--restart", one.folder};
  std::vector<std::string> all{program, command, options.deck, "--color", "never"};
  if (command == "run")
    all.insert(all.end(), {"--quiet", "--output", one.folder});
  if (command == "run" && one.task == SweepTask::repeat)
    all.push_back("--overwrite");
  for (const std::string &setting : one.settings)
    all.insert(all.end(), {"--set", setting});
  for (const std::string &plugin : options.plugins)
    all.insert(all.end(), {"--plugin", plugin});
  return all;
}

/// As `symdyn check`, so that a wrong value of the last run is found before the first.
void Sweep::check_decks()
{
  std::vector<std::size_t> left;
  for (std::size_t i = runs.size(); i-- > 0;)
    if (runs[i].task == SweepTask::begin || runs[i].task == SweepTask::repeat)
      left.push_back(i);
  SweepProcesses processes;
  while (!left.empty() || processes.count() > 0)
  {
    while (!left.empty() && int(processes.count()) < options.jobs && !SweepProcesses::interrupted())
    {
      processes.start(left.back(), words("check", runs[left.back()]), terminal_of(runs[left.back()]));
      left.pop_back();
    }
    if (processes.count() == 0)
      return;
    const SweepProcesses::Ended ended = processes.wait();
    const SweptRun &one = runs[ended.number];
    if (ended.exit_code != exit_done && !SweepProcesses::interrupted())
      throw InputError(fmt::format("{}: {}", one.run.name, error_in(terminal_of(one))));
    fs::remove(terminal_of(one));
  }
}

void Sweep::collect(SweptRun &one)
{
  for (std::size_t i = 0; i < quantities.size(); ++i)
    one.values[i] = quantities[i].in(one.folder);
}

void Sweep::finish(SweptRun &one, const int exit_code)
{
  one.status = exit_code == exit_done ? "done" : exit_code == exit_signal ? "stopped" : "failed";
  if (one.status == "failed")
  {
    const std::string why = error_in(terminal_of(one));
    std::fprintf(stderr, "%s: %s: %s\n", painted("error", Paint::red, stderr).c_str(), one.run.name.c_str(),
                 why.empty() ? fmt::format("its process has ended with the code {}", exit_code).c_str() : why.c_str());
  }
  else if (text_of_file(terminal_of(one)).empty())
    fs::remove(terminal_of(one));
  if (one.status == "done")
    collect(one);
  write_table();
}

void Sweep::run_decks()
{
  std::vector<std::size_t> left;
  std::size_t ended_runs = 0;
  for (std::size_t i = runs.size(); i-- > 0;)
    if (runs[i].task != SweepTask::keep)
      left.push_back(i);
  const std::size_t all = left.size();
  SweepProcesses processes;
  while (!left.empty() || processes.count() > 0)
  {
    while (!left.empty() && int(processes.count()) < options.jobs && !SweepProcesses::interrupted())
    {
      processes.start(left.back(), words("run", runs[left.back()]), terminal_of(runs[left.back()]));
      left.pop_back();
    }
    if (processes.count() == 0)
      return;
    const SweepProcesses::Ended ended = processes.wait();
    finish(runs[ended.number], ended.exit_code);
    std::printf("%zu of %zu  %s: %s\n", ++ended_runs, all, runs[ended.number].run.name.c_str(), runs[ended.number].status.c_str());
    std::fflush(stdout);
  }
}

std::string Sweep::titles() const
{
  std::string line = "run";
  for (const VariedEntry &one : entries)
    line += "," + csv_cell(one.entry);
  line += ",status";
  for (std::size_t i = 0; i < quantities.size(); ++i)
  {
    std::string unit;
    for (const SweptRun &one : runs)
      if (one.values[i] && unit.empty())
        unit = one.values[i]->unit;
    line += "," + csv_cell(quantities[i].text + (unit.empty() ? "" : " [" + unit + "]"));
  }
  return line;
}

/// Written beside it and renamed, so that readers never meet half of it.
void Sweep::write_table() const
{
  const std::string draft = options.table + ".part";
  std::ofstream file(draft);
  file << titles() << "\n";
  for (const SweptRun &one : runs)
  {
    file << csv_cell(one.run.name);
    for (const std::string &value : one.run.values)
      file << "," << csv_cell(value);
    file << "," << one.status;
    for (const auto &value : one.values)
      file << "," << (value ? fmt::format("{}", value->value) : "");
    file << "\n";
  }
  file.close();
  std::error_code error;
  fs::rename(draft, options.table, error);
  if (!file || error)
    throw InputError("--table " + options.table + ": cannot be written. Give another name");
}

std::size_t Sweep::number_of(const std::string &status) const
{
  return std::size_t(std::count_if(runs.begin(), runs.end(), [&](const SweptRun &one) { return one.status == status; }));
}

int Sweep::run()
{
  std::error_code error;
  fs::create_directories(output, error);
  if (error)
    throw InputError(fmt::format("--output {}: the folder cannot be made: {}. Choose another", output, error.message()));
  for (SweptRun &one : runs)
    if (one.task == SweepTask::keep)
    {
      one.status = "done";
      collect(one);
    }
  const std::size_t kept = number_of("done");
  check_decks();
  run_decks();
  write_table();
  const std::size_t done = number_of("done"), failed = number_of("failed");
  std::printf("%s: %zu runs, %zu done%s%s; results in %s\n", options.table.c_str(), runs.size(), done,
              kept == 0 ? "" : fmt::format(" ({} of them before)", kept).c_str(),
              failed == 0 ? "" : fmt::format(", {} failed", failed).c_str(), output.c_str());
  return SweepProcesses::interrupted() ? exit_signal : failed > 0 ? exit_computation : exit_done;
}
}  // namespace

int sweep(const SweepOptions &options) { return Sweep(options).run(); }
}  // namespace symdyn
