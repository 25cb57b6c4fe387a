#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "solver/error.h"
#include "solver/program/command_line.h"
#include "solver/program/one_rank.h"

// The program `symdyn`: it reads the command line, and loads what the command needs. The libraries of the computation are about 200 files,
// whose 330000 symbols take a third of a second to bind: --version, --help and errors of the command line do without them.
namespace
{
using namespace symdyn;

/// Becomes symdyn-render, which loads VTK and neither deal.II nor MPI. Returns only if the program is not there.
int become_render(char **argv)
{
  std::error_code error;
  const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  for (const std::filesystem::path &program : {here / "symdyn-render", here / "../libexec/symdyn/symdyn-render"})
    execv(program.c_str(), argv);
  std::fprintf(
      stderr,
      "error: symdyn %s needs the program symdyn-render, which is not beside symdyn in %s and not in ../libexec/symdyn. Build or install it with symdyn\n",
      argv[1], here.c_str());
  return std::string(argv[1]) == "compare" ? exit_computation : exit_input;  // 1 says that results differ
}

int run_command(const CommandLine &line)
{
  void *library = dlopen(SYMDYN_LIBRARY, RTLD_LAZY | RTLD_GLOBAL);  // global: the plugins of MPI use its symbols
  void *entry = library ? dlsym(library, "symdyn_run_command") : nullptr;
  if (!entry)
  {
    std::fprintf(stderr, "error: the library of symdyn cannot be loaded: %s. Build or install symdyn again\n", dlerror());
    return exit_internal;
  }
  return reinterpret_cast<decltype(&symdyn_run_command)>(entry)(&line);
}
}  // namespace

int main(int argc, char **argv)
{
  if (argc > 1 && is_command_of_render(argv[1]))
    return become_render(argv);
  CommandLine line;
  if (const int code = read_command_line(argc, argv, line); code >= 0)
    return code;
  prepare_for_one_rank();
  limit_threads();
  return run_command(line);
}
