#pragma once
#include <sys/wait.h>

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

/// Any command line; standard output and error are captured in `folder`.
inline Outcome command(const Folder &folder, const std::string &line)
{
  Outcome run;
  const std::string capture = folder / "terminal.txt";
  // The test program is an MPI process itself: what MPI left in the environment would confuse another mpirun.
  const std::string clean = "for name in $(env | sed -n 's/^\\(\\(OMPI\\|PMIX\\|OPAL\\)_[^=]*\\)=.*/\\1/p'); do unset $name; done; ";
  // Singletons that start at one moment share the folder of their session in /tmp, and one may remove it under the other's hands. Ranks
  // that wait leave the processor to other tests.
  static const Folder sessions;
  const std::string settings = "export OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_orte_tmpdir_base=" + sessions.path + "; ";
  const int status = std::system((clean + settings + line + " > " + capture + " 2>&1 < /dev/null").c_str());
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

/// `symdyn run DECK --set ...` on `ranks` processes, with its results read back. `deck` relative to decks/ unless absolute.
inline Outcome run_deck(const Folder &folder, const std::string &deck, const std::vector<std::string> &settings = {}, int ranks = 1,
                        const std::string &more = "")
{
  const std::string file = deck[0] == '/' ? deck : SYMDYN_SOURCE "/decks/" + deck;
  std::string line = std::string(SYMDYN_BINARY) + " run " + quoted(file) + " --quiet --overwrite --output " + folder.path + "/results";
  if (ranks > 1)
    line = "mpirun --oversubscribe --allow-run-as-root -n " + std::to_string(ranks) + " " + line;
  for (const std::string &setting : settings)
    line += " --set " + quoted(setting);
  Outcome run = command(folder, line + " " + more);
  run.log = text_of(folder / "results/run.log");
  if (std::ifstream(folder / "results/history.csv"))
    run.history = read_history(folder / "results/history.csv");
  if (std::ifstream summary(folder / "results/summary.json"); summary)
    run.summary = nlohmann::json::parse(summary);
  return run;
}

/// A deck that is a text.
inline Outcome run_written(const Folder &folder, const std::string &deck, const std::vector<std::string> &settings = {},
                           const int ranks = 1)
{
  return run_deck(folder, write_file(folder, "deck.prm", deck), settings, ranks);
}
}  // namespace symdyn::tests
