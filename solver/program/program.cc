#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>

#include "solver/archive.h"
#include "solver/base/log.h"
#include "solver/base/names.h"
#include "solver/base/signals.h"
#include "solver/base/terminal.h"
#include "solver/base/timer.h"
#include "solver/deck/deck.h"
#include "solver/error.h"
#include "solver/linear/petsc_options.h"
#include "solver/program/command_line.h"
#include "solver/program/commands.h"
#include "solver/program/completion.h"
#include "solver/program/information.h"
#include "solver/program/new_deck.h"
#include "solver/registry.h"
#include "solver/run/failed_point_file.h"
#include "solver/run/run.h"
#include "solver/run/run_lock.h"
#include "solver/verify/verify.h"

// The commands of the program, on the library of the computation.
namespace symdyn
{
namespace
{
/// Standard input is that of the first rank.
std::string text_of_input()
{
  std::string text;
  if (dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0)
    text.assign(std::istreambuf_iterator<char>(std::cin), {});
  return dealii::Utilities::MPI::broadcast(MPI_COMM_WORLD, text);
}

Deck read_deck(const CommandLine &line)
{
  Deck deck = line.deck == "-" ? Deck::from_text(text_of_input(), "stdin") : Deck::read(line.deck);
  for (const std::string &setting : line.settings)
    deck.set(setting);
  return deck;
}

/// Errors: InputError for a library that does not load, or registers a name that there is.
void load_plugins(const std::vector<std::string> &plugins)
{
  if (!registered_again().empty())
    throw std::logic_error("registered twice: " + join(registered_again()));
  for (const std::string &plugin : plugins)
  {
    if (!std::filesystem::exists(plugin))
      throw InputError("--plugin " + plugin + ": there is no such file");
    if (!dlopen(std::filesystem::absolute(plugin).c_str(), RTLD_NOW | RTLD_GLOBAL))
      throw InputError(fmt::format("--plugin {}: cannot be loaded: {}. Build it against this symdyn", plugin, dlerror()));
    if (!registered_again().empty())
      throw InputError(
          fmt::format("--plugin {}: registers {}, a name that is taken. Choose another name", plugin, join(registered_again())));
  }
}

void warn_of(const Deck &deck)
{
  for (const std::string &warning : deck.warnings())
    log_warning(warning);
}

/// Writes the deck in symdyn's own form.
int convert(const CommandLine &line)
{
  const Deck deck = read_deck(line);
  warn_of(deck);
  const std::string ending = std::filesystem::path(line.target).extension();
  if (ending != ".prm" && ending != ".json")
    throw InputError(line.target + ": a deck is written as .prm or .json. Give such a name");
  const auto folder = [](const std::string &file) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(file)).parent_path();
  };
  if (folder(line.target) != folder(line.deck))
  {
    Deck declared = deck;
    const Run whole(declared);
    if (!declared.files().empty())
      throw InputError(fmt::format("{}: {} names the file {}, which is found from its folder. Write the deck there", line.target, line.deck,
                                   declared.files().begin()->first));
  }
  if (std::filesystem::exists(line.target) && !line.overwrite)
    throw InputError(line.target + ": exists. Give another name, or --overwrite");
  std::ofstream file(line.target);
  if (ending == ".json")
    file << deck.as_json();
  else
    file << "# from " << (line.deck == "-" ? "standard input" : std::filesystem::path(line.deck).filename().string()) << "\n"
         << deck.as_prm();
  file.close();
  if (!file)
    throw InputError(line.target + ": cannot be written");
  return exit_done;
}

/// The deck of the checkpoint, if no other is given.
void prepare_restart(CommandLine &line)
{
  const std::string &folder = line.restart;
  if (folder.empty() && line.deck.empty())
    throw InputError("run: give a deck, or --restart with the folder of a run that is to go on");
  if (folder.empty())
    return;
  if (!line.output.empty() || line.overwrite)
    throw InputError("--restart " + folder +
                     ": the run goes on in this folder. Remove --output and --overwrite; to keep what is there, copy the folder first");
  if (!line.deck.empty())
    return;
  const Archive checkpoint = Archive::read(folder + "/checkpoint");
  checkpoint.get("deck file", line.deck);
  auto settings = checkpoint.get<std::vector<std::string>>("settings");
  settings.insert(settings.end(), line.settings.begin(), line.settings.end());
  line.settings = settings;
  if (line.plugins.empty())
    checkpoint.get("plugins", line.plugins);
}

/// Builds the model and prints its summary.
void describe(Run &whole)
{
  whole.build();
  const std::string text = whole.description();
  if (dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0)
    std::fputs(text.c_str(), stdout);
}

int check_alone(Run &whole, const Deck &deck)
{
  Log::instance().quiet(true);
  describe(whole);
  if (dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0)
    std::printf("%s: Check only = yes: the model is valid, and nothing was computed\n", deck.name().c_str());
  return exit_done;
}

int run(CommandLine line)
{
  const double start = ScopedTimer::now();
  Log::instance().quiet(line.quiet);
  prepare_restart(line);
  load_plugins(line.plugins);
  catch_signals();
  log_petsc_options(line.petsc);
  Deck deck = read_deck(line);
  RunOptions options;
  options.restart = line.restart;
  options.deck = std::filesystem::absolute(line.deck);
  options.settings = line.settings;
  for (const std::string &plugin : line.plugins)
    options.plugins.push_back(std::filesystem::absolute(plugin));
  options.output = !options.restart.empty() ? options.restart : line.output.empty() ? "results/" + deck.stem() : line.output;
  options.max_wall_time = line.max_wall_time - (ScopedTimer::now() - start);
  warn_of(deck);
  Run whole(deck);
  if (whole.checks_only())
    return check_alone(whole, deck);
  if (options.restart.empty())
    prepare_folder("--output", options.output, line.overwrite);
  const RunLock lock(options.restart.empty() ? "--output" : "--restart", options.output);
  return whole.run(options);
}

int check(const CommandLine &line)
{
  Log::instance().quiet(true);
  Deck deck = read_deck(line);
  warn_of(deck);
  Run whole(deck);
  describe(whole);
  return exit_done;
}

/// The table of a path, or of the point of a run that failed.
std::string points_table(const CommandLine &line, const PointPath &path)
{
  const auto failed = FailedPointFile::read(line.deck);
  if (failed && !path.file.empty())
    throw InputError(line.deck + ": is the point of a run that failed, with its own F. Remove the path " + path.file);
  if (failed)
    return replay_point(*failed, line.deck, line.settings);
  if (path.file.empty())
    throw InputError("point: needs one of --strain, --stress, --mixed, --F with a table, or the failed-point.json of a run");
  const Deck deck = read_deck(line);
  warn_of(deck);
  return drive_point(deck, path);
}

int point(const CommandLine &line)
{
  Log::instance().quiet(true);
  Log::instance().use_standard_error();
  PointPath path{line.strain, line.material, PathKind::strain, line.point_steps};
  for (const auto &[file, kind] :
       {std::pair{&line.stress, PathKind::stress}, {&line.mixed, PathKind::mixed}, {&line.gradient, PathKind::gradient}})
    if (!file->empty())
    {
      path.file = *file;
      path.kind = kind;
    }
  if (!line.out.empty() && std::filesystem::exists(line.out) && !line.overwrite)
    throw InputError("--out " + line.out + ": exists. Give another name, or --overwrite");
  const std::string table = points_table(line, path);
  if (line.out.empty())
    std::fputs(table.c_str(), stdout);
  else
  {
    std::ofstream file(line.out);
    file << table;
    file.close();
    if (!file)
      throw InputError("--out " + line.out + ": cannot be written");
  }
  return exit_done;
}

int verify(const CommandLine &line)
{
  Log::instance().quiet(true);
  Deck deck = read_deck(line);
  const VerifyOptions options{line.scheme, line.steps, line.report.empty() ? "results/" + deck.stem() + "-verify" : line.report,
                              line.overwrite};
  return Verification(deck, options).run();
}

int parameters(const CommandLine &line)
{
  const auto format = line.json     ? ReferenceFormat::json
                      : line.schema ? ReferenceFormat::schema
                      : line.prm    ? ReferenceFormat::prm
                                    : ReferenceFormat::markdown;
  std::fputs(deck_reference(format).c_str(), stdout);
  return exit_done;
}

int start_deck(const CommandLine &line)
{
  if (line.from.empty() && !line.stage.empty())
    throw InputError("--stage " + line.stage + ": is of a deck for a mesh. Add --from with its file");
  for (const std::string &file : write_new_deck({line.name, line.from, line.stage.empty() ? "static" : line.stage, line.slurm}))
    std::printf("%s\n", file.c_str());
  return exit_done;
}

int doctor(const CommandLine &line)
{
  bool faults = false;
  std::fputs(diagnosis_of_machine(line.json, faults).c_str(), stdout);
  return faults ? exit_computation : exit_done;
}

int print_completion(const CommandLine &line)
{
  std::fputs(bash_completion(line.commands).c_str(), stdout);
  return exit_done;
}

int print_schemes()
{
  std::fputs(scheme_table().c_str(), stdout);
  return exit_done;
}

int run_command(const CommandLine &line)
{
  if (line.command == "run")
    return run(line);
  load_plugins(line.plugins);
  if (line.command == "check")
    return check(line);
  if (line.command == "convert")
    return convert(line);
  if (line.command == "point")
    return point(line);
  if (line.command == "verify")
    return verify(line);
  if (line.command == "schemes")
    return print_schemes();
  if (line.command == "doctor")
    return doctor(line);
  if (line.command == "completion")
    return print_completion(line);
  return line.command == "parameters" ? parameters(line) : start_deck(line);
}

/// Other ranks may wait in a collective call that this one will never reach.
int end_all_ranks(const int code)
{
  if (dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD) > 1)
    MPI_Abort(MPI_COMM_WORLD, code);
  return code;
}

/// What the command returns, or the code of what it throws.
int guarded(const CommandLine &line)
{
  const bool root = dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0;
  const auto say = [&](const std::string &text) {
    if (root)
      std::fprintf(stderr, "%s: %s\n", painted("error", Paint::red, stderr).c_str(), text.c_str());
    log_detail("error: " + text);
  };
  try
  {
    return run_command(line);
  }
  catch (const InputError &error)
  {
    say(error.what());
    return exit_input;
  }
  catch (const ComputationError &error)
  {
    say(error.what());
    return exit_computation;
  }
  catch (const std::filesystem::filesystem_error &error)  // a folder that goes while it is used: wherever that shows first
  {
    const std::string path = error.path1().empty() ? "the working folder" : error.path1().string();
    say(fmt::format("{}: {}. Was it removed during the run? Run again in a folder that stays", path, error.code().message()));
    return end_all_ranks(exit_computation);
  }
  catch (const std::exception &error)
  {
    say(fmt::format("internal: {}\nThis is a bug in symdyn. Please report it with the deck.", error.what()));
    return end_all_ranks(exit_internal);
  }
}

/// MPI and PETSc ask for the working folder when they start, and abort without one.
bool has_working_folder()
{
  std::error_code error;
  const std::filesystem::path here = std::filesystem::current_path(error);
  if (error)
    std::fprintf(stderr, "error: the working folder: %s. Was it removed? Run again in a folder that stays\n", error.message().c_str());
  return !error;
}

int start_and_run(const CommandLine &line)
{
  int runs_already = 0;
  MPI_Initialized(&runs_already);
  if (runs_already)
    return guarded(line);
  std::vector<std::string> words = petsc_words(line.petsc);
  std::vector<char *> arguments{line.program};
  for (std::string &word : words)
    arguments.push_back(word.data());
  int count = int(arguments.size());
  arguments.push_back(nullptr);
  char **values = arguments.data();
  dealii::Utilities::MPI::MPI_InitFinalize mpi(count, values, 1);
  return guarded(line);
}
}  // namespace
}  // namespace symdyn

int symdyn_run_command(const symdyn::CommandLine *line)
{
  using namespace symdyn;
  use_colours(line->colour);
  if (!has_working_folder())
    return exit_computation;
  try
  {
    return start_and_run(*line);
  }
  catch (const std::exception &error)
  {
    if (!has_working_folder())
      return exit_computation;
    std::fprintf(stderr, "error: internal: MPI or PETSc does not start: %s\n", error.what());
    return exit_internal;
  }
}
