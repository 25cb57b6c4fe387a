#pragma once
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace symdyn
{
/// The command line as it was given. It includes nothing of the libraries of the computation, so that the program that reads it starts at
/// once.
struct CommandLine
{
  std::string command;  ///< "run", "check", ...
  std::string deck, name, output, target, restart;
  std::vector<std::string> settings;  ///< of --set
  std::vector<std::string> plugins;   ///< shared libraries that register more
  bool overwrite = false, quiet = false;
  std::string colour = "auto";                                     ///< of --color: auto, always, never
  double max_wall_time = std::numeric_limits<double>::infinity();  ///< [s]
  std::string scheme, report;                                      ///< of verify
  int steps = 200;                                                 ///< of verify
  std::string material, strain, stress, mixed, gradient, out;      ///< of point
  int point_steps = 100;                                           ///< of point
  std::string from, stage;                                         ///< of new
  bool slurm = false;
  std::string shell;                                                 ///< of completion
  std::map<std::string, std::vector<std::string>> commands;          ///< all, with their options, for completion
  bool markdown = false, json = false, schema = false, prm = false;  ///< of parameters
  std::vector<std::string> petsc;                                    ///< what follows after --
  char *program = nullptr;                                           ///< the first word, for MPI
};

/// Reads the words of the command line. Returns -1 if `line.command` is to be run, else the exit code: help, the version or an error was
/// printed.
int read_command_line(int argc, char **argv, CommandLine &line);

/// Commands of symdyn-render, which reads results: `compare`, `plot`, `render`, `report`, `watch`, `badge`, `spectrum`, `sweep`, `mesh`.
bool is_command_of_render(const std::string &command);
}  // namespace symdyn

/// Runs a command on the library of the computation, libsymdyn. Returns the exit code. The program loads it by this name. MPI is started,
/// unless it runs already.
extern "C" int symdyn_run_command(const symdyn::CommandLine *line);
