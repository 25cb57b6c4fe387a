#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <mutex>
#include <thread>

#include "solver/base/csv.h"
#include "solver/base/number.h"
#include "solver/base/signals.h"
#include "solver/base/text_file.h"
#include "solver/error.h"
#include "solver/frontends/calculix_job.h"
#include "solver/frontends/printed_fields.h"
#include "solver/pictures/sweep_processes.h"

namespace symdyn
{
namespace
{
namespace fs = std::filesystem;

/// "" where no program of this name is in PATH.
std::string in_path(const std::string &program)
{
  const char *path = std::getenv("PATH");
  std::string folders = path ? path : "";
  for (std::size_t at = 0; at <= folders.size();)
  {
    const std::size_t end = std::min(folders.find(':', at), folders.size());
    const fs::path found = fs::path(folders.substr(at, end - at)) / program;
    if (access(found.c_str(), X_OK) == 0)
      return found.string();
    at = end + 1;
  }
  return "";
}

/// `symdyn run`, on as many ranks as OMP_NUM_THREADS says, where mpirun is there.
std::vector<std::string> words_of(const std::string &deck, const std::string &results)
{
  std::vector<std::string> words{symdyn_program(), "run", deck, "--output", results, "--overwrite", "--color", "never"};
  const char *threads = std::getenv("OMP_NUM_THREADS");
  const int ranks = threads ? number_from<int>(threads).value_or(1) : 1;
  const std::string mpirun = ranks > 1 ? in_path("mpirun") : "";
  if (mpirun.empty())
    return words;
  std::vector<std::string> parallel{mpirun, "--oversubscribe", "-n", fmt::format("{}", ranks)};
  if (geteuid() == 0)
    parallel.push_back("--allow-run-as-root");
  words.insert(words.begin(), parallel.begin(), parallel.end());
  return words;
}

/// A line of what the run printed, in CalculiX's form: places are those of the input, not of the deck with our tables.
std::string as_calculix_has_it(std::string line, const std::string &deck, const CalculixJob &job, const CalculixMesh &input)
{
  for (std::size_t at = line.find(deck + ":"); at != std::string::npos; at = line.find(deck + ":"))
  {
    const std::size_t begin = at + deck.size() + 1, end = line.find_first_not_of("0123456789", begin);
    const auto number = number_from<std::size_t>(line.substr(begin, end - begin));
    if (!number || *number == 0 || *number > job.origin.size())
      break;
    const CalculixMesh::Place &place = input.places[job.origin[*number - 1]];
    line = line.substr(0, at) + fmt::format("{}:{}", place.file, place.line) + (end == std::string::npos ? "" : line.substr(end));
  }
  for (const auto &[ours, theirs] : {std::pair{"error: ", " *ERROR in symdyn: "}, {"warning: ", " *WARNING in symdyn: "}})
    if (line.rfind(ours, 0) == 0)
      line = theirs + line.substr(std::string(ours).size());
  return line;
}

void write_text(const std::string &file, const std::string &text)
{
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  if (!stream.flush())
    throw InputError(file + ": cannot be written. Look at the rights of the folder and the space on the disk");
}

/// Increments of all steps, from history.csv.
void write_progress(const std::string &job, const std::string &history)
{
  std::string sta = "SUMMARY OF JOB INFORMATION\n  STEP      INC     ATT  ITRS     TOT TIME     STEP TIME      INC TIME\n",
              cvg = "SUMMARY OF CONVERGENCE INFORMATION\n  STEP   INC  ATT  ITER\n";
  const CsvTable table = CsvTable::read(history, true);
  if (table.rows() > 0 && table.has("step") && table.has("newton"))
  {
    const std::size_t length = table.column("step"), newton = table.column("newton"), stage = table.column("stage");
    int step = 0, increment = 0;
    double whole = 0., of_step = 0.;
    std::string name;
    for (std::size_t i = 0; i < table.rows(); ++i)
    {
      if (table.texts[stage][i] != name)
      {
        name = table.texts[stage][i];
        ++step;
        increment = 0;
        of_step = 0.;
      }
      const double h = table.values[length][i];
      if (!(h > 0.))
        continue;
      whole += h;
      of_step += h;
      sta += fmt::format("{:6d}{:11d}{:6d}{:6d}{:14.6E}{:14.6E}{:14.6E}\n", step, ++increment, 1, int(table.values[newton][i]), whole,
                         of_step, h);
      cvg += fmt::format("{:6d}{:6d}{:5d}{:6d}\n", step, increment, 1, int(table.values[newton][i]));
    }
  }
  write_text(job + ".sta", sta);
  write_text(job + ".cvg", cvg);
}

/// While a run goes on, each second: the lines that it has printed since, and its increments. So a front-end's monitor sees them.
class FollowedRun
{
public:
  FollowedRun(std::string job, std::string terminal, std::string history, std::function<std::string(std::string)> say)
      : job(std::move(job)), terminal(std::move(terminal)), history(std::move(history)), say(std::move(say)), thread([this] { follow(); })
  {
  }
  ~FollowedRun() { end(); }
  /// The rest. Errors: InputError.
  void end()
  {
    if (!thread.joinable())
      return;
    {
      const std::lock_guard lock(mutex);
      ended = true;
    }
    woken.notify_one();
    thread.join();
    show(true);
  }

private:
  void follow()
  {
    constexpr auto interval = std::chrono::seconds(1);
    std::unique_lock lock(mutex);
    while (!woken.wait_for(lock, interval, [this] { return ended; }))
      try
      {
        show(false);
        if (fs::exists(history))
          write_progress(job, history);
      }
      catch (const InputError &)  // an incomplete row; the last call reports a full disk
      {
      }
  }
  void show(const bool all)
  {
    std::ifstream in(terminal);
    in.seekg(shown);
    for (std::string line; std::getline(in, line) && (all || !in.eof());)
    {
      std::printf("%s\n", say(std::move(line)).c_str());
      shown = in.eof() ? shown : std::streamoff(in.tellg());
    }
    std::fflush(stdout);
  }

  const std::string job, terminal, history;
  const std::function<std::string(std::string)> say;
  std::streamoff shown = 0;
  std::mutex mutex;
  std::condition_variable woken;
  bool ended = false;
  std::thread thread;  // begins last
};

void warn_of_missing_fields(const std::string &job, const CalculixJob &prepared)
{
  for (const std::string &label : prepared.left_out)
    std::printf(" *WARNING in symdyn: %s is not written into %s.frd. There are U, V, RF, NT, S, E, ENER and PEEQ\n", label.c_str(),
                job.c_str());
  if (prepared.without_points > 0)
    std::printf(" *WARNING in symdyn: %s.frd has no fields of points of integration of %zu beams, shells, bars and plane elements\n",
                job.c_str(), prepared.without_points);
  std::fflush(stdout);
}

void run_job(const std::string &job)
{
  const std::string input_file = job + ".inp", folder = job + ".symdyn", deck = folder + "/" + fs::path(job).filename().string() + ".inp",
                    results = folder + "/results", terminal = folder + "/terminal.txt";
  for (const char *ending : {".frd", ".dat", ".sta", ".cvg"})
    fs::remove(job + ending);
  if (!fs::exists(input_file))
    throw InputError(input_file + ": there is no such file. Name the job without the ending .inp");
  const CalculixMesh input = CalculixMesh::read(input_file);
  const CalculixJob prepared = CalculixJob::of(input);
  const std::string dat = results + "/" + fs::path(job).filename().string() + ".dat";
  fs::create_directories(folder);
  for (const std::string &old : {dat, results + "/history.csv"})
    fs::remove(old);
  std::string text;
  for (const std::string &line : prepared.lines)
    text += line + "\n";
  write_text(deck, text);
  warn_of_missing_fields(job, prepared);
  SweepProcesses processes;
  setenv(ends_with, fmt::format("{}", getpid()).c_str(), 1);
  processes.start(0, words_of(deck, results), terminal);
  FollowedRun followed(job, terminal, results + "/history.csv",
                       [&](std::string line) { return as_calculix_has_it(std::move(line), deck, prepared, input); });
  const int code = processes.wait().exit_code;
  followed.end();
  if (fs::exists(dat))
  {
    const PrintedFile printed = PrintedFile::read(dat, input, CalculixJob::nodes, CalculixJob::elements);
    if (printed.rest.find_first_not_of(" \n") != std::string::npos)
      write_text(job + ".dat", printed.rest);
    if (!printed.moments.empty() || code == 0)
      write_text(job + ".frd", frd_text(input, printed.moments));
  }
  else if (code == 0)
    write_text(job + ".frd", frd_text(input, {}));
  if (fs::exists(results + "/history.csv"))
    write_progress(job, results + "/history.csv");
  if (code != 0)
    throw ComputationError(fmt::format("the run ended with code {}; what it wrote is in {}", code, results));
}
}  // namespace

int run_as_calculix(const int argc, char **argv)
{
  std::string job;
  if (argc == 1)  // front-ends look for this name
    std::printf("Usage: symdyn-ccx -i JOB, in the place of CalculiX\n");
  for (int i = 1; i < argc; ++i)
  {
    const std::string word = argv[i];
    if (word == "-v" || word == "--version")
    {
      std::printf("\nThis is symdyn %s, in the place of CalculiX\n\n", SYMDYN_VERSION);
      return exit_done;
    }
    if (word == "-h" || word == "--help")
    {
      std::printf(
          "symdyn-ccx [-i] JOB: runs JOB.inp and writes JOB.frd, JOB.dat, JOB.sta and JOB.cvg as CalculiX does; frames for ParaView\n"
          "are in JOB.symdyn/results. OMP_NUM_THREADS: ranks. -v: version.\n");
      return exit_done;
    }
    if (word != "-i" || i + 1 == argc)
      job = word;
  }
  if (job.size() > 4 && job.compare(job.size() - 4, 4, ".inp") == 0)
    job.resize(job.size() - 4);
  try
  {
    if (job.empty() || job[0] == '-')
      throw InputError("symdyn-ccx needs the name of a job: symdyn-ccx -i JOB");
    run_job(job);
    std::printf("\n Job finished\n\n");
    return exit_done;
  }
  catch (const std::exception &error)
  {
    std::printf(" *ERROR in symdyn: %s\n", error.what());
    return exit_input;
  }
}
}  // namespace symdyn
