#include <deal.II/base/mpi.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "solver/checkpoint.h"
#include "solver/commands.h"
#include "solver/deck.h"
#include "solver/error.h"
#include "solver/linear_petsc_matrix.h"
#include "solver/log.h"
#include "solver/phase.h"
#include "solver/signals.h"
#include "solver/simulation.h"
#include "solver/verify.h"

namespace
{
using namespace symdyn;

struct CommandLine
{
  std::string deck, name, output, target;
  std::vector<std::string> settings;
  RunOptions options;
  VerifyOptions verify;
  bool markdown = false, json = false, prm = false;
};

Deck read_deck(const CommandLine &line)
{
  Deck deck = Deck::read(line.deck);
  for (const std::string &setting : line.settings)
    deck.set(setting);
  return deck;
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
  if (std::filesystem::path(line.target).extension() != ".prm")
    throw InputError(line.target + ": a deck is written as .prm. Give such a name");
  const auto folder = [](const std::string &file) { return std::filesystem::weakly_canonical(std::filesystem::absolute(file)).parent_path(); };
  if (folder(line.target) != folder(line.deck))
    throw InputError(line.target + ": the files that " + line.deck + " names are found from its folder. Write the deck there");
  if (std::filesystem::exists(line.target) && !line.options.overwrite)
    throw InputError(line.target + ": exists. Give another name, or --overwrite");
  std::ofstream file(line.target);
  file << "# from " << std::filesystem::path(line.deck).filename().string() << "\n" << deck.as_prm();
  file.close();
  if (!file)
    throw InputError(line.target + ": cannot be written");
  return exit_done;
}

/// The deck of the checkpoint, if no other is given.
void prepare_restart(CommandLine &line)
{
  const std::string &folder = line.options.restart;
  if (folder.empty() && line.deck.empty())
    throw InputError("run: give a deck, or --restart with the folder of a run that is to go on");
  if (folder.empty())
    return;
  if (!line.output.empty() || line.options.overwrite)
    throw InputError("--restart " + folder + ": the run goes on in this folder. Remove --output and --overwrite; to keep what is there, copy the folder first");
  if (!line.deck.empty())
    return;
  const Checkpoint checkpoint = Checkpoint::read_facts(folder + "/checkpoint");
  line.deck = checkpoint.facts.at("deck file");
  std::vector<std::string> settings = checkpoint.facts.at("settings");
  settings.insert(settings.end(), line.settings.begin(), line.settings.end());
  line.settings = settings;
}

int run(CommandLine &line)
{
  const double start = Phase::now();
  Log::instance().quiet(line.options.quiet);
  prepare_restart(line);
  catch_signals();
  RunOptions &options = line.options;
  for (const double allowed = options.max_wall_time;;)
  {
    Deck deck = read_deck(line);
    options.deck = std::filesystem::absolute(line.deck);
    options.settings = line.settings;
    options.output = !options.restart.empty() ? options.restart : line.output.empty() ? "results/" + deck.stem() : line.output;
    options.max_wall_time = allowed - (Phase::now() - start);
    warn_of(deck);
    Simulation simulation(deck);
    if (const int code = simulation.run(options); code != Simulation::go_on)
      return code;
    options.restart = options.output;
    options.refreshed = true;
  }
}

int check(const CommandLine &line)
{
  Log::instance().quiet(true);
  Deck deck = read_deck(line);
  warn_of(deck);
  Simulation simulation(deck);
  simulation.build();
  const std::string text = simulation.description();
  if (dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0)
    std::fputs(text.c_str(), stdout);
  return exit_done;
}

int verify(CommandLine &line)
{
  Log::instance().quiet(true);
  Deck deck = read_deck(line);
  if (line.verify.report.empty())
    line.verify.report = "results/" + deck.stem() + "-verify";
  return Verification(deck, line.verify).run();
}

int parameters(const CommandLine &line)
{
  const auto format = line.json ? ReferenceFormat::json : line.prm ? ReferenceFormat::prm : ReferenceFormat::markdown;
  std::fputs(deck_reference(format).c_str(), stdout);
  return exit_done;
}

/// What `work` returns, or the code of what it throws.
template <class Work>
int guarded(const Work &work)
{
  const bool root = dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0;
  const auto say = [&](const std::string &text) {
    if (root)
      std::fprintf(stderr, "error: %s\n", text.c_str());
    log_detail("error: " + text);
  };
  try
  {
    return work();
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
  catch (const std::exception &error)
  {
    say(fmt::format("internal: {}\nThis is our fault, not yours. Please report it with the deck.", error.what()));
    // Other ranks may wait in a collective call that this one will never reach.
    if (dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD) > 1)
      MPI_Abort(MPI_COMM_WORLD, exit_internal);
    return exit_internal;
  }
}

/// Of commands that another program does: it loads VTK, and neither deal.II nor MPI.
const std::map<std::string, const char *> of_render{{"compare", "tells where two folders of results, or two files of them, differ; exit code 1 if they do"},
                                                    {"plot", "draws energies, momenta, probes and spectra of one run or several: SVG"},
                                                    {"render", "draws the deformed body, or an animation of it, without a window"}};

/// Returns only if the program is not there.
int become_render(char **argv)
{
  std::error_code error;
  const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  for (const std::filesystem::path &program : {here / "symdyn-render", here / "../libexec/symdyn/symdyn-render"})
    execv(program.c_str(), argv);
  std::fprintf(stderr, "error: symdyn %s needs the program symdyn-render, which is not beside symdyn in %s and not in ../libexec/symdyn. Build or install it with symdyn\n", argv[1],
               here.c_str());
  return std::string(argv[1]) == "compare" ? exit_computation : exit_input;  // 1 says that results differ
}

/// Before MPI starts: a run on one rank needs no network, and one thread a rank is all that is wanted.
void prepare_environment()
{
  if (!std::getenv("OMPI_COMM_WORLD_SIZE"))
  {
    setenv("OMPI_MCA_pml", "ob1", 0);
    setenv("OMPI_MCA_btl", "self,vader", 0);
  }
  if (void *set_threads = dlsym(RTLD_DEFAULT, "openblas_set_num_threads"))
    reinterpret_cast<void (*)(int)>(set_threads)(1);
}
}  // namespace

int main(int argc, char **argv)
{
  if (argc > 1 && of_render.count(argv[1]) > 0)
    return become_render(argv);
  CommandLine line;
  CLI::App app{"symdyn: nonlinear structural dynamics from an input deck"};
  app.set_version_flag("--version", "symdyn " SYMDYN_VERSION);
  app.require_subcommand(1);
  app.footer("PETSc options follow after --. Exit codes: 0 done, 1 wrong input, 2 the computation failed, 3 our fault, 4 stopped by a\n"
             "signal or the wall time limit with its state saved, 5 a promise broken.");

  const auto deck_options = [&line](CLI::App *command, const bool required = true) {
    command->add_option("DECK", line.deck, "input deck (.prm, .json, or .inp of Abaqus and CalculiX)")->required(required);
    command->add_option("--set", line.settings, "Section/Entry=value: replaces an entry of the deck; may be repeated")->take_all()->expected(1);
  };
  CLI::App *run_command = app.add_subcommand("run", "computes a deck");
  deck_options(run_command, false);
  run_command->add_option("--output", line.output, "folder of the results (default: results/<deck>)");
  run_command->add_flag("--overwrite", line.options.overwrite, "replace the results in a folder that is not empty");
  run_command->add_flag("--quiet", line.options.quiet, "print warnings and errors only");
  run_command->add_option("--restart", line.options.restart, "folder of a run that goes on from its checkpoint; DECK and its --set need not be repeated");
  run_command->add_option("--max-wall-time", line.options.max_wall_time, "stop after so many seconds, with the state saved")->check([](const std::string &text) { return std::atof(text.c_str()) > 0. ? std::string() : "must be a number of seconds > 0"; });
  CLI::App *check_command = app.add_subcommand("check", "reads a deck, builds its mesh and describes the model; computes nothing");
  deck_options(check_command);
  CLI::App *convert_command = app.add_subcommand("convert", "writes a deck, .inp or .json, as .prm");
  deck_options(convert_command);
  convert_command->add_option("TARGET", line.target, "the .prm to write, in the folder of the deck")->required();
  convert_command->add_flag("--overwrite", line.options.overwrite, "replace TARGET");
  CLI::App *verify_command = app.add_subcommand("verify", "measures on the structure of a deck what a scheme keeps: order, symplectic form, momenta, energy");
  deck_options(verify_command);
  verify_command->add_option("--scheme", line.verify.scheme, "name of a scheme, or all (default: the scheme of the deck)");
  verify_command->add_option("--steps", line.verify.steps, "steps of the long runs (default: 200)");
  verify_command->add_option("--report", line.verify.report, "folder of verify.json, plots and index.html (default: results/<deck>-verify)");
  verify_command->add_flag("--overwrite", line.verify.overwrite, "replace the report in a folder that is not empty");
  CLI::App *parameters_command = app.add_subcommand("parameters", "prints every entry a deck may have");
  CLI::Option *markdown = parameters_command->add_flag("--markdown", line.markdown, "as tables (default)");
  parameters_command->add_flag("--json", line.json, "as JSON")->excludes(markdown);
  parameters_command->add_flag("--prm", line.prm, "as a commented deck")->excludes(markdown)->excludes("--json");
  CLI::App *new_command = app.add_subcommand("new", "writes a commented deck to start from");
  new_command->add_option("NAME", line.name, "name of the deck")->required();

  for (const auto &[name, help] : of_render)  // for --help
    app.add_subcommand(name, help);

  // What follows after -- is PETSc's.
  int own = 0;
  while (own < argc && std::string(argv[own]) != "--")
    ++own;
  std::vector<char *> petsc_arguments{argv[0]};
  for (int i = own + 1; i < argc; ++i)
    petsc_arguments.push_back(argv[i]);
  petsc_arguments.push_back(nullptr);
  try
  {
    app.parse(own, argv);
  }
  catch (const CLI::ParseError &error)
  {
    return app.exit(error) == 0 ? exit_done : exit_input;
  }

  prepare_environment();
  int petsc_count = int(petsc_arguments.size()) - 1;
  char **petsc_values = petsc_arguments.data();
  if (petsc_count > 1)
    petsc_options_are_given();
  dealii::Utilities::MPI::MPI_InitFinalize mpi(petsc_count, petsc_values, 1);
  if (*run_command)
    return guarded([&] { return run(line); });
  if (*check_command)
    return guarded([&] { return check(line); });
  if (*convert_command)
    return guarded([&] { return convert(line); });
  if (*verify_command)
    return guarded([&] { return verify(line); });
  if (*parameters_command)
    return guarded([&] { return parameters(line); });
  return guarded([&] {
    std::printf("%s\n", write_new_deck(line.name).c_str());
    return exit_done;
  });
}
