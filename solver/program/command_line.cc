#include "solver/program/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "solver/base/names.h"
#include "solver/error.h"

namespace symdyn
{
namespace
{
const std::map<std::string, const char *> of_render{
    {"compare", "compare two folders of results, or two files of them; exit code 1 if they differ"},
    {"plot", "plot energies, momenta, probes and spectra of one or more runs as SVG"},
    {"render", "draw the deformed body, or an animation of it, without a window"},
    {"report", "write one HTML page on one or more runs: 3-D view, plots, modes, deck, certificate; it needs no network"},
    {"export", "write the modes of a run as a universal file (.unv)"},
    {"mac", "pair the modes of two runs, or of a test and a run, by their shapes"},
    {"mesh", "write a mesh of another program as .msh with its sets of cells (needs Python with meshio)"},
    {"spectrum", "shock response spectrum of an acceleration over time"},
    {"sweep", "run a deck for all combinations of values of some entries, and collect results in one table"},
    {"watch", "follow a run on the terminal until it ends"},
    {"badge", "write the verdict of a run's certificate as a small SVG picture"}};

/// Of --help; all run in the folder of the sources.
const std::map<std::string, const char *> examples{
    {"run",
     "  symdyn run decks/examples/quickstart.prm\n"
     "  symdyn run decks/examples/quickstart.prm --set Materials/rubber/E=8e6 --output results/stiff"},
    {"check", "  symdyn check decks/examples/quickstart.prm\n  symdyn check decks/verification/beam.inp"},
    {"convert", "  symdyn convert decks/examples/quickstart.prm decks/examples/quickstart.json"},
    {"verify",
     "  symdyn verify decks/examples/pendulum-states.prm\n"
     "  symdyn verify decks/papers/to-rigid-body.prm --scheme newmark --steps 50"},
    {"point",
     "  printf 'time,e11\\n1,0.01\\n' > path.csv\n"
     "  symdyn point decks/examples/ratcheting.prm --strain path.csv --out point.csv"},
    {"parameters", "  symdyn parameters --prm > all-entries.prm\n  symdyn parameters --schema > deck.schema.json"},
    {"new", "  symdyn new mine.prm\n  symdyn new wedge.prm --from decks/examples/wedge.msh --stage modes"},
    {"schemes", "  symdyn schemes"},
    {"doctor", "  symdyn doctor\n  symdyn doctor --json"},
    {"completion", "  source <(symdyn completion bash)"}};

void add_plugins(CLI::App *command, CommandLine &line)
{
  command->add_option("--plugin", line.plugins, "shared library that registers schemes, materials, loads or stages; may be repeated")
      ->take_all()
      ->expected(1);
}

void add_deck(CLI::App *command, CommandLine &line, const bool required = true)
{
  command->add_option("DECK", line.deck, "input deck (.prm, .json, or .inp of Abaqus and CalculiX); -: a .prm or .json from standard input")
      ->required(required);
  command->add_option("--set", line.settings, "Section/Entry=value: replaces an entry of the deck; may be repeated")
      ->take_all()
      ->expected(1);
  command
      ->add_option("--color", line.colour, "colours of errors, warnings and verdicts (default: auto: on terminals, unless NO_COLOR is set)")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  add_plugins(command, line);
}

void add_run(CLI::App &app, CommandLine &line)
{
  CLI::App *command = app.add_subcommand("run", "run an analysis");
  add_deck(command, line, false);
  command->add_option("--output", line.output, "folder of the results (default: results/<deck>)");
  command->add_flag("--overwrite", line.overwrite, "replace the results in a folder that is not empty");
  command->add_flag("--quiet", line.quiet, "print warnings and errors only");
  command->add_option("--restart", line.restart,
                      "resume the run in this results folder from its checkpoint; DECK and its --set need not be repeated");
  command->add_option("--max-wall-time", line.max_wall_time, "stop after this many seconds and save a checkpoint")
      ->check([](const std::string &text) { return std::atof(text.c_str()) > 0. ? std::string() : "must be a number of seconds > 0"; });
}

void add_verify(CLI::App &app, CommandLine &line)
{
  CLI::App *command = app.add_subcommand(
      "verify", "test which invariants a time integrator preserves on this model: order, symplectic form, momenta, energy");
  add_deck(command, line);
  command->add_option("--scheme", line.scheme, "name of a scheme, or all (default: the scheme of the deck)");
  command->add_option("--steps", line.steps, "steps of the long runs (default: 200)");
  command->add_option("--report", line.report, "folder of verify.json, plots and index.html (default: results/<deck>-verify)");
  command->add_flag("--overwrite", line.overwrite, "replace the report in a folder that is not empty");
}

void add_point(CLI::App &app, CommandLine &line)
{
  CLI::App *command = app.add_subcommand("point",
                                         "drive one material point of a deck along a path of strain, stress or F, without a mesh, or "
                                         "repeat the point of a run that failed (failed-point.json in place of the deck)");
  add_deck(command, line);
  command->add_option("--material", line.material, "section of Materials (default: the only one)");
  CLI::Option_group *path = command->add_option_group("path", "a table (CSV); each row is reached in --steps steps from the row before");
  path->add_option("--strain", line.strain, "columns time, e11, e22, e33, e12, e13, e23 (small, or logarithmic); not given: 0");
  path->add_option("--stress", line.stress, "columns time, s11 ... s23 [Pa] (Cauchy); not given: 0");
  path->add_option("--mixed", line.mixed, "columns time, and e.. or s.. for each component; not given: stress 0");
  path->add_option("--F", line.gradient, "columns time, F11, F12, ... F33; not given: those of the identity");
  path->require_option(0, 1);
  command->add_option("--steps", line.point_steps, "steps to each row (default: 100)");
  command->add_option("--out", line.out, "file of the answer (default: the terminal)");
  command->add_flag("--overwrite", line.overwrite, "replace this file");
}

void add_commands(CLI::App &app, CommandLine &line)
{
  add_run(app, line);
  add_deck(app.add_subcommand("check", "validate a deck and print a model summary (no analysis)"), line);
  CLI::App *convert = app.add_subcommand("convert", "write a deck as .prm or .json");
  add_deck(convert, line);
  convert->add_option("TARGET", line.target, "the .prm or .json to write, in the folder of the deck")->required();
  convert->add_flag("--overwrite", line.overwrite, "replace TARGET");
  add_verify(app, line);
  add_point(app, line);
  CLI::App *parameters = app.add_subcommand("parameters", "print every entry a deck may have");
  add_plugins(parameters, line);
  CLI::Option *markdown = parameters->add_flag("--markdown", line.markdown, "as tables (default)");
  parameters->add_flag("--json", line.json, "as JSON")->excludes(markdown);
  parameters->add_flag("--prm", line.prm, "as a commented deck")->excludes(markdown)->excludes("--json");
  parameters->add_flag("--schema", line.schema, "as a JSON Schema (draft-07) of .json decks")
      ->excludes(markdown)
      ->excludes("--json")
      ->excludes("--prm");
  CLI::App *start = app.add_subcommand("new", "write a commented deck to start from");
  start->add_option("NAME", line.name, "name of the deck")->required();
  start->add_option("--from", line.from,
                    "mesh (.msh, .inp, .vtk, .ucd): the deck has its boundaries, and a material for each of its groups of cells");
  start->add_option("--stage", line.stage, "with --from: what is computed: static (default), dynamic or modes")
      ->check(CLI::IsMember({"static", "dynamic", "modes"}));
  start->add_flag("--slurm", line.slurm, "write NAME.slurm, too: a job for Slurm that runs the deck and goes on from its checkpoint");
  add_plugins(app.add_subcommand("schemes", "print all time integrators with their order and what they preserve"), line);
  app.add_subcommand("doctor",
                     "print versions of libraries, memory, disk and the programs that are found; exit code 2 if symdyn is incomplete")
      ->add_flag("--json", line.json, "as JSON");
  app.add_subcommand("completion", "print a script that completes commands, options and entries: source <(symdyn completion bash)")
      ->add_option("SHELL", line.shell, "bash")
      ->required()
      ->check(CLI::IsMember({"bash"}));
  for (const auto &[name, lines] : examples)
    app.get_subcommand(name)->footer(std::string("Examples:\n") + lines);
  for (const auto &[name, help] : of_render)  // for --help
    app.add_subcommand(name, help);
}

/// With their options; symdyn-render has its own.
std::map<std::string, std::vector<std::string>> all_commands(const CLI::App &app)
{
  std::map<std::string, std::vector<std::string>> all;
  for (const CLI::App *command : app.get_subcommands([](const CLI::App *) { return true; }))
  {
    std::vector<std::string> &options = all[command->get_name()];
    for (const CLI::Option *option : command->get_options())
      for (const std::string &name : option->get_lnames())
        options.push_back("--" + name);
    for (const CLI::App *group : command->get_subcommands([](const CLI::App *one) { return one->get_name().empty(); }))
      for (const CLI::Option *option : group->get_options())
        for (const std::string &name : option->get_lnames())
          options.push_back("--" + name);
    if (is_command_of_render(command->get_name()))
      options.clear();
  }
  return all;
}

/// Whether the first word is a command that there is not; then it says so.
bool is_unknown_command(const CLI::App &app, const std::string &word)
{
  std::vector<std::string> names;
  for (const CLI::App *command : app.get_subcommands([](const CLI::App *) { return true; }))
    names.push_back(command->get_name());
  if (word.empty() || word[0] == '-' || std::count(names.begin(), names.end(), word) > 0)
    return false;
  const std::vector<std::string> sorted = nearest_first(word, names);
  std::fprintf(stderr, "error: unknown command '%s'. Did you mean '%s'? Commands: %s. `symdyn --help` describes them\n", word.c_str(),
               sorted.front().c_str(), join(sorted).c_str());
  return true;
}
}  // namespace

bool is_command_of_render(const std::string &command) { return of_render.count(command) > 0; }

int read_command_line(const int argc, char **argv, CommandLine &line)
{
  CLI::App app{"symdyn: nonlinear structural dynamics from an input deck", "symdyn"};
  app.set_version_flag("--version", "symdyn " SYMDYN_VERSION);
  app.require_subcommand(1);
  app.footer(
      "PETSc options follow after --. Exit codes: 0 done, 1 wrong input, 2 the computation failed or a file was lost, 3 internal error,\n"
      "4 stopped by a signal or the wall time limit with its state saved, 5 a guaranteed property is violated.");
  add_commands(app, line);
  if (argc < 2)
  {
    std::fputs(app.help().c_str(), stdout);
    return exit_input;
  }
  if (is_unknown_command(app, argv[1]))
    return exit_input;
  const int own = int(std::find_if(argv, argv + argc, [](const char *word) { return std::string(word) == "--"; }) - argv);
  line.petsc.assign(argv + std::min(own + 1, argc), argv + argc);
  line.program = argv[0];
  try
  {
    app.parse(own, argv);
  }
  catch (const CLI::ParseError &error)
  {
    return app.exit(error) == 0 ? exit_done : exit_input;
  }
  line.command = app.get_subcommands().front()->get_name();
  if (line.command == "completion")
    line.commands = all_commands(app);
  return -1;
}
}  // namespace symdyn
