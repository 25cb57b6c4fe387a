#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <map>

#include "solver/base/terminal.h"
#include "solver/error.h"
#include "solver/frontends/calculix_job.h"
#include "solver/pictures/badge.h"
#include "solver/pictures/compare.h"
#include "solver/pictures/convert_mesh.h"
#include "solver/pictures/images/color_maps.h"
#include "solver/pictures/nodal_shapes.h"
#include "solver/pictures/plot_results.h"
#include "solver/pictures/render_results.h"
#include "solver/pictures/report.h"
#include "solver/pictures/shock_command.h"
#include "solver/pictures/sweep.h"
#include "solver/pictures/watch_run.h"

// symdyn-render: the commands of symdyn that read results, or start the program for several.
namespace
{
using namespace symdyn;

/// Of --help; all run in the folder of the sources, after `symdyn run` of quickstart.prm and modal-test.prm of decks/examples. A part.med
/// is not there.
const std::map<std::string, const char *> examples{
    {"compare", "  symdyn compare results/quickstart results/stiff --columns tip.u_y,E_total --no-frames"},
    {"plot",
     "  symdyn plot results/quickstart\n"
     "  symdyn plot results/quickstart results/stiff --columns tip.u_y,E_total --output plots"},
    {"render",
     "  symdyn render results/quickstart --output arm.png --time 0.5 --view iso --edges\n"
     "  symdyn render results/quickstart --output arm.mp4 --colors viridis"},
    {"report", "  symdyn report results/quickstart results/stiff --output report.html"},
    {"watch", "  symdyn watch results/quickstart"},
    {"badge", "  symdyn badge results/quickstart --output verdict.svg"},
    {"spectrum",
     "  symdyn spectrum decks/examples/record.csv --frequencies 0.25,33 --q 10\n"
     "  symdyn spectrum results/quickstart/history.csv --column tip.a_y --output spectrum.csv"},
    {"sweep",
     "  symdyn sweep decks/examples/modal-test.prm --vary Mesh/Order=1,2 --collect mode:1,summary:dofs\n"
     "  symdyn sweep decks/examples/modal-test.prm --vary 'Mesh/Subdivisions=6, 2, 1; 12, 4, 1' --jobs 2 --output results/meshes --table "
     "meshes.csv"},
    {"mac", "  symdyn mac decks/examples/modal-test.unv results/modal-test --output mac"},
    {"export", "  symdyn export results/modal-test --output modes.unv"},
    {"mesh", "  symdyn mesh part.med part.msh"}};

void add_examples(CLI::App &app)
{
  for (const auto &[name, lines] : examples)
  {
    CLI::App *command = app.get_subcommand(name);
    const std::string before = command->get_footer();
    command->footer(before + (before.empty() ? "" : "\n\n") + "Examples:\n" + lines);
  }
}

void add_compare(CLI::App &app, CompareOptions &options)
{
  CLI::App *command = app.add_subcommand(
      "compare", "tells where two folders of results, or two files of them, differ; exit code 1 if they do, 2 if they cannot be compared");
  command->add_option("A", options.a, "folder of results, or a file of one (.csv, .dat, .pvd)")->required();
  command->add_option("B", options.b, "another")->required();
  command
      ->add_option(
          "--tolerance", options.tolerance,
          "relative to the largest size of each quantity (default: 1e-9; of frames never less than 1e-5: they hold single precision; of .dat files than 1e-6)")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--columns", options.columns, "these alone: tip.u_y,E_total")->delimiter(',');
  command->add_option("--ignore", options.ignored, "columns that may differ: newton,krylov")->delimiter(',');
  command->add_flag("!--no-frames", options.frames, "compare the tables alone");
}

void add_plot(CLI::App &app, PlotOptions &options)
{
  CLI::App *command =
      app.add_subcommand("plot", "draws energies, momenta, probes and spectra of one run or several over one another: SVG or PNG");
  command->add_option("RESULTS", options.results, "folders of results")->required();
  command->add_option("--output", options.output, "folder of the pictures (default: plots/ in the first of the results)");
  command->add_option("--columns", options.columns, "of history.csv, these alone: tip.u_y,E_total")->delimiter(',');
  command->add_option("--format", options.format, "svg, sharp at any size, or png (default: svg)")->check(CLI::IsMember({"svg", "png"}));
}

void add_render(CLI::App &app, RenderOptions &options)
{
  CLI::App *command = app.add_subcommand("render", "draws the deformed body coloured by a field, or an animation of it, without a window");
  command->add_option("RESULTS", options.result, "folder of results, or a .pvd file")->required();
  command->add_option(
      "--output", options.output,
      "NAME.png: a picture; NAME.gif, NAME.mp4 or NAME.webm: an animation (the last two by ffmpeg); a name without ending: a folder of "
      "pictures (default: render.png with the results)");
  command->add_option("--time", options.time, "of the picture: the frame nearest to it (default: the last)");
  command->add_option(
      "--field", options.field,
      "of the frames, of points or cells (default: von_mises, or displacement where there is no stress); of vectors and tensors the norm");
  command->add_option("--range", options.range, "LOW,HIGH: ends of the colours (default: of what is drawn)")->delimiter(',');
  command->add_option(
      "--scale", options.scale,
      "factor on the displacement (default: 1; of modes and other shapes, whose amplitude means nothing, an eighth of the body's size)");
  command->add_option("--size", options.size, "WIDTHxHEIGHT in pixels (default: 1280x720)");
  command->add_option("--up", options.up, "axis that points upwards in 3-D: y or z (default: y)")->check(CLI::IsMember({"y", "z"}));
  command->add_option("--view", options.view,
                      "X,Y,Z: direction from the body to the camera; or x, -x, y, -y, z, -z, iso, without perspective (default: z in 2-D, "
                      "else from the side and above)");
  command->add_flag("--edges", options.edges, "draw the edges of the cells on the surface");
  command->add_option("--colors", options.colors,
                      fmt::format("map of colours: {} (default: {})", fmt::join(color_map_names(), ", "), color_map_names().front()));
  command->add_option("--title", options.title, "default: that of the deck");
  command->add_option("--delay", options.delay, "between pictures of an animation [s], 0.01 to 655.35 (default: 0.1)");
}

void add_report(CLI::App &app, ReportOptions &options)
{
  CLI::App *command = app.add_subcommand(
      "report", "writes one HTML page on one or more runs, which needs no network: 3-D view, plots, modes, deck, certificate");
  command->add_option("RESULTS", options.results, "folders of results; plots have all of them over one another")->required();
  command->add_option("--output", options.output, "name of the page (default: report.html in the first folder)");
}

/// Commands that take one folder.
struct FolderOptions
{
  std::string folder, output, colour = "auto";
};

void add_watch_and_badge(CLI::App &app, FolderOptions &options)
{
  CLI::App *watch = app.add_subcommand(
      "watch", "follows a run until it ends; exit code 0: it is done, 2: it failed or was killed, 4: it was stopped with its state saved");
  CLI::App *badge = app.add_subcommand("badge", "writes the verdict of the certificate of a run as an SVG picture");
  for (CLI::App *command : {watch, badge})
    command->add_option("RESULTS", options.folder, "folder of results")->required();
  watch->add_option("--color", options.colour, "colours: auto (on terminals, unless NO_COLOR is set), always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  badge->add_option("--output", options.output, "name of the picture (default: badge.svg in the folder)");
}

void add_spectrum(CLI::App &app, ShockOptions &options)
{
  CLI::App *command = app.add_subcommand("spectrum", "shock response spectrum of an acceleration over time, as a table");
  command->add_option("FILE", options.file, "lines `t a`, or a table with titles (history.csv) and --column")->required();
  command->add_option("--column", options.column, "of the acceleration: tip.a_x");
  command->add_option("--frequencies", options.range, "LOWEST,HIGHEST [Hz] (default: what the record resolves)")->delimiter(',');
  command->add_option("--points-an-octave", options.per_octave, "frequencies in an octave (default: 12)");
  command->add_option("--q", options.quality, "quality of the oscillators, 1/(2 zeta) (default: 10)");
  command->add_option("--output", options.output, "file of the table (default: the terminal)");
  command->add_flag("--overwrite", options.overwrite, "replace this file");
}

void add_sweep(CLI::App &app, SweepOptions &options)
{
  CLI::App *command =
      app.add_subcommand("sweep", "runs a deck for all combinations of values of some entries, and collects results in one table");
  command->footer(
      "Repeat the command to resume: runs that are done are kept, others are run. All decks are checked before the first run.\n"
      "Quantities of --collect: peak:COLUMN (largest absolute value), min:COLUMN, max:COLUMN, last:COLUMN, of history.csv;\n"
      "mode:N or mode:STAGE:N (frequency of a mode); summary:KEY or summary:KEY/KEY (a number in summary.json: dofs).\n"
      "Exit codes: 0 done, 1 wrong input, 2 a run failed, 4 stopped by a signal.");
  command->add_option("DECK", options.deck, "input deck (.prm, .json, or .inp of Abaqus and CalculiX)")->required();
  command
      ->add_option("--vary", options.vary,
                   "Section/Entry=a,b,c: an entry and its values (a;b;c where values contain commas); may be repeated")
      ->required()
      ->take_all()
      ->expected(1);
  command->add_option("--set", options.settings, "Section/Entry=value: replaces an entry in all runs; may be repeated")
      ->take_all()
      ->expected(1);
  command->add_option("--collect", options.collect, "columns of the table: peak:tip.u_y,mode:1")->delimiter(',');
  command->add_option("--jobs", options.jobs, "runs at the same time, each on one rank (default: 1)");
  command->add_option("--output", options.output, "folder with a folder of results for each run (default: results/<deck>-sweep)");
  command->add_option("--table", options.table, "file of the table (default: sweep.csv)");
  command->add_option("--plugin", options.plugins, "shared library for all runs; may be repeated")->take_all()->expected(1);
  command->add_flag("--overwrite", options.overwrite, "repeat all runs, and replace the table");
}

void add_mesh(CLI::App &app, MeshOptions &options)
{
  CLI::App *command = app.add_subcommand(
      "mesh", "writes a mesh of another program (.med, .e, .bdf, ...) as .msh with its sets of cells, by meshio of Python");
  command->add_option("IN", options.from, "a mesh that meshio reads")->required();
  command->add_option("OUT", options.to, "the .msh to write: its physical groups are the sets of IN")->required();
  command->add_option("--without", options.without, "sets that need not be in OUT: A,B")->delimiter(',');
  command->add_flag("--overwrite", options.overwrite, "replace OUT");
}

void add_mac(CLI::App &app, MacOptions &options)
{
  CLI::App *command =
      app.add_subcommand("mac", "pairs the modes of two runs, or of a test and a run, by their shapes (modal assurance criterion)");
  command->add_option("A", options.a, "folder of results, a collection modes-NAME.pvd, or a universal file with shapes (.uff, .unv)")
      ->required();
  command->add_option("B", options.b, "folder of results, or a collection: its shapes are taken at the nodes of A")->required();
  command
      ->add_option("--tolerance", options.tolerance,
                   "largest distance of a node of A that is outside of B (default: a hundredth of the structure)")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--factor", options.factor, "how many units of length of B are one of the universal file A (default: 1)")
      ->check(CLI::PositiveNumber);
  command->add_option("--output", options.output, "NAME: writes NAME.csv, NAME-pairs.csv, NAME-sensors.csv and NAME.svg");
}

void add_export(CLI::App &app, ExportOptions &options)
{
  CLI::App *command = app.add_subcommand("export", "writes the modes of a run as a universal file (.unv), with nodes and elements");
  command->add_option("RESULTS", options.results, "folder of results, or a collection modes-NAME.pvd")->required();
  command->add_option("--output", options.output, "name of the file (default: modes.unv in the folder)");
  command->add_flag("--overwrite", options.overwrite, "replace this file");
}

int print(const std::vector<std::string> &names)
{
  for (const std::string &name : names)
    std::printf("%s\n", name.c_str());
  return exit_done;
}

struct Options
{
  CompareOptions comparison;
  PlotOptions plots;
  RenderOptions picture;
  ReportOptions page;
  FolderOptions folder;
  ShockOptions shock;
  SweepOptions sweep;
  MacOptions mac;
  ExportOptions modes;
  MeshOptions mesh;
};

int run(const std::string &command, const Options &options)
{
  use_colours(options.folder.colour);
  if (command == "compare")
    return compare(options.comparison);
  if (command == "plot")
    return print(plot_results(options.plots));
  if (command == "report")
    return print({write_report(options.page)});
  if (command == "watch")
    return watch_run(options.folder.folder);
  if (command == "badge")
    return print({write_badge(options.folder.folder, options.folder.output)});
  if (command == "spectrum")
  {
    const std::string file = write_shock_spectrum(options.shock);
    return file.empty() ? exit_done : print({file});
  }
  if (command == "mac")
    return compare_modes(options.mac);
  if (command == "export")
    return print({export_modes(options.modes)});
  if (command == "mesh")
    return convert_mesh(options.mesh);
  if (command == "sweep")
    return sweep(options.sweep);
  return print(render_results(options.picture));
}
}  // namespace

int main(int argc, char **argv)
{
  if (std::filesystem::path(argv[0]).filename() == "symdyn-ccx")
    return run_as_calculix(argc, argv);
  CLI::App app{"symdyn: reads results back"};
  app.require_subcommand(1);
  Options options;
  add_compare(app, options.comparison);
  add_plot(app, options.plots);
  add_render(app, options.picture);
  add_report(app, options.page);
  add_watch_and_badge(app, options.folder);
  add_spectrum(app, options.shock);
  add_sweep(app, options.sweep);
  add_mac(app, options.mac);
  add_export(app, options.modes);
  add_mesh(app, options.mesh);
  add_examples(app);
  const bool compares = argc > 1 && std::string(argv[1]) == "compare";
  const int wrong = compares ? exit_computation : exit_input;  // 1 says that results differ
  try
  {
    app.parse(argc, argv);
  }
  catch (const CLI::ParseError &error)
  {
    return app.exit(error) == 0 ? exit_done : wrong;
  }
  try
  {
    return run(app.get_subcommands().front()->get_name(), options);
  }
  catch (const InputError &error)
  {
    std::fprintf(stderr, "%s: %s\n", painted("error", Paint::red, stderr).c_str(), error.what());
    return wrong;
  }
  catch (const std::exception &error)
  {
    std::fprintf(stderr, "error: internal: %s\nThis is a bug in symdyn. Please report it with the command.\n", error.what());
    return exit_internal;
  }
}
