#pragma once
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "solver/base/log.h"
#include "solver/error.h"
#include "solver/program/command_line.h"
#include "tests/rank_server.h"

namespace symdyn::tests
{
/// history.csv: the columns by name without unit.
struct History
{
  std::map<std::string, std::vector<double>> columns;
  std::vector<std::string> stage, header;

  const std::vector<double> &operator[](const std::string &name) const { return columns.at(name); }
  std::size_t rows() const { return stage.size(); }
  double last(const std::string &name) const { return columns.at(name).back(); }
  /// The value in the row whose time is `t`; throws std::out_of_range if there is none.
  double at(double t, const std::string &name) const
  {
    const auto &time = columns.at("time");
    for (std::size_t i = time.size(); i-- > 0;)
      if (std::abs(time[i] - t) <= 1e-9 * std::max(std::abs(t), time.back() * 1e-6))
        return columns.at(name)[i];
    throw std::out_of_range("no row at t = " + std::to_string(t));
  }
};

/// The largest absolute value in the rows of a stage.
inline double largest(const History &history, const std::string &column, const std::string &stage)
{
  double most = 0;
  for (std::size_t i = 0; i < history.rows(); ++i)
    if (history.stage[i] == stage)
      most = std::max(most, std::abs(history[column][i]));
  return most;
}

inline History read_history(const std::string &file)
{
  History history;
  std::ifstream in(file);
  std::string line, cell;
  std::getline(in, line);
  std::vector<std::string> names;
  std::istringstream head(line);
  while (std::getline(head, cell, ','))
  {
    history.header.push_back(cell);
    names.push_back(cell.substr(0, cell.find(" [")));
  }
  while (std::getline(in, line))
  {
    std::istringstream row(line);
    for (std::size_t i = 0; std::getline(row, cell, ','); ++i)
      if (names[i] == "stage")
        history.stage.push_back(cell);
      else
        history.columns[names[i]].push_back(std::stod(cell));
  }
  return history;
}

/// A folder of its own for each run, removed at the end.
class Folder
{
public:
  Folder()
  {
    std::string pattern = std::filesystem::temp_directory_path() / "symdyn-XXXXXX";
    path = mkdtemp(pattern.data());
  }
  ~Folder() { std::filesystem::remove_all(path); }
  Folder(const Folder &) = delete;
  std::string operator/(const std::string &name) const { return path + "/" + name; }
  std::string path;
};

struct Outcome
{
  int exit_code = -1;
  std::string terminal;  ///< standard output and error
  std::string log;       ///< run.log
  History history;
  nlohmann::json summary;
};

using Run = Outcome;

inline std::string quoted(const std::string &text) { return "'" + text + "'"; }

inline std::string text_of(const std::string &file)
{
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// What `work` returns and prints in a child of this process, which has bound the libraries already: a program of its own takes most of a
/// second for that.
template <class Work>
Outcome in_child(const Folder &folder, const Work &work)
{
  const std::string capture = folder / "terminal.txt";
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0)
  {
    dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
    dup2(open(capture.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644), STDOUT_FILENO);
    dup2(STDOUT_FILENO, STDERR_FILENO);
    int code = exit_internal;
    try
    {
      code = work();
    }
    catch (const std::exception &error)  // this child runs no other tests
    {
      std::fprintf(stderr, "%s\n", error.what());
    }
    Log::instance().close();
    std::fflush(nullptr);
    _exit(code);
  }
  int status = -1;
  waitpid(child, &status, 0);
  Outcome run;
  run.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  run.terminal = text_of(capture);
  return run;
}

/// The words of `symdyn WORDS`, if a shell has nothing to do but to take quotes away, and the command is of the library and leaves PETSc's
/// options alone. Else none.
inline std::vector<std::string> plain_words(const std::string &line)
{
  std::vector<std::string> words;
  bool quoting = false, open_word = false;
  for (const char c : line)
  {
    if (!quoting && std::string("|&;<>$`\\\"*?(){}~#").find(c) != std::string::npos)
      return {};
    if (c == '\'')
      quoting = !quoting;
    else if (c == ' ' && !quoting)
    {
      open_word = false;
      continue;
    }
    if (!open_word)
      words.emplace_back();
    open_word = true;
    if (c != '\'')
      words.back() += c;
  }
  const bool library = words.size() > 1 && words[0] == SYMDYN_BINARY && !is_command_of_render(words[1]);
  return library && std::count(words.begin(), words.end(), "--") == 0 ? words : std::vector<std::string>{};
}

inline int run_words(std::vector<std::string> words)
{
  std::vector<char *> arguments;
  for (std::string &word : words)
    arguments.push_back(word.data());
  CommandLine line;
  const int code = read_command_line(int(arguments.size()), arguments.data(), line);
  return code >= 0 ? code : symdyn_run_command(&line);
}

/// Ranks that share a processor with other tests take many times as long: CTest gives the machine to tests with "Rank" in their names.
inline void expect_name_of_ranks()
{
  const auto *test = ::testing::UnitTest::GetInstance()->current_test_info();
  const std::string name = test ? std::string(test->test_suite_name()) + "." + test->name() : "Parallel.";
  const auto has = [&](const char *word) { return name.find(word) != std::string::npos; };
  EXPECT_TRUE(has("Parallel.") || has("Rank") || has("Nightly")) << "a test that starts mpirun must have Rank in its name, not " << name;
}

/// Any command line; standard output and error are captured in `folder`.
inline Outcome command(const Folder &folder, const std::string &line)
{
  if (const std::vector<std::string> words = plain_words(line); !words.empty())
    return in_child(folder, [&] { return run_words(words); });
  if (line.find("mpirun ") != std::string::npos)
    expect_name_of_ranks();
  Outcome run;
  const std::string capture = folder / "terminal.txt";
  // The test program is an MPI process itself: what MPI left in the environment would confuse another mpirun.
  const std::string clean = "for name in $(env | sed -n 's/^\\(\\(OMPI\\|PMIX\\|OPAL\\)_[^=]*\\)=.*/\\1/p'); do unset $name; done; ";
  // Singletons that start at one moment share the folder of their session in /tmp, and one may remove it under the other's hands. Ranks
  // that wait leave the processor to other tests.
  static const Folder sessions;
  const std::string settings = "export OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_orte_tmpdir_base=" + sessions.path + "; ";
  const int status = std::system((clean + settings + through_rank_door(line) + " > " + capture + " 2>&1 < /dev/null").c_str());
  run.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  run.terminal = text_of(capture);
  return run;
}

/// `symdyn WORDS`.
inline Outcome tool(const Folder &folder, const std::string &words) { return command(folder, std::string(SYMDYN_BINARY) + " " + words); }

/// Writes a file into the folder; returns its path.
inline std::string write_file(const Folder &folder, const std::string &name, const std::string &text)
{
  std::filesystem::create_directories(std::filesystem::path(folder / name).parent_path());
  std::ofstream(folder / name) << text;
  return folder / name;
}

/// "" if `part` is in `text`; otherwise what is to be said of it.
inline std::string has(const std::string &text, const std::string &part)
{
  return text.find(part) == std::string::npos ? "'" + part + "' is not in: " + text : "";
}

/// What a run has left in its folder.
inline Outcome with_results(Outcome run, const Folder &folder)
{
  run.log = text_of(folder / "results/run.log");
  if (std::ifstream(folder / "results/history.csv"))
    run.history = read_history(folder / "results/history.csv");
  if (std::ifstream summary(folder / "results/summary.json"); summary)
    run.summary = nlohmann::json::parse(summary);
  return run;
}

/// `symdyn run DECK --set ...` as a program, on `ranks` processes, with its results read back. `deck` relative to decks/ unless absolute.
inline Outcome run_program(const Folder &folder, const std::string &deck, const std::vector<std::string> &settings = {}, int ranks = 1,
                           const std::string &more = "")
{
  const std::string file = deck[0] == '/' ? deck : SYMDYN_SOURCE "/decks/" + deck;
  std::string line = std::string(SYMDYN_BINARY) + " run " + quoted(file) + " --quiet --overwrite --output " + folder.path + "/results";
  if (ranks > 1)
    line = "mpirun --oversubscribe --allow-run-as-root -n " + std::to_string(ranks) + " " + line;
  for (const std::string &setting : settings)
    line += " --set " + quoted(setting);
  return with_results(command(folder, line + " " + more), folder);
}

/// The same; one rank without more words runs in a child of this process.
inline Outcome run_deck(const Folder &folder, const std::string &deck, const std::vector<std::string> &settings = {}, int ranks = 1,
                        const std::string &more = "")
{
  if (ranks > 1 || !more.empty())
    return run_program(folder, deck, settings, ranks, more);
  CommandLine line;
  line.command = "run";
  line.deck = deck[0] == '/' ? deck : SYMDYN_SOURCE "/decks/" + deck;
  line.output = folder / "results";
  line.settings = settings;
  line.quiet = line.overwrite = true;
  return with_results(in_child(folder, [&] { return symdyn_run_command(&line); }), folder);
}

/// A deck that is a text.
inline Outcome run_written(const Folder &folder, const std::string &deck, const std::vector<std::string> &settings = {},
                           const int ranks = 1)
{
  return run_deck(folder, write_file(folder, "deck.prm", deck), settings, ranks);
}
}  // namespace symdyn::tests
