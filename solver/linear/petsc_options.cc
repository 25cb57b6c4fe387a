#include "solver/linear/petsc_options.h"

#include <cstdlib>
#include <filesystem>

#include "solver/base/log.h"
#include "solver/base/names.h"
#include "solver/linear/petsc_matrix.h"

namespace symdyn
{
namespace
{
std::string from_environment(const char *name)
{
  const char *value = std::getenv(name);
  return value ? value : "";
}
}  // namespace

std::string petsc_version()
{
  PetscInt major = 0, minor = 0, patch = 0, release = 0;
  PetscGetVersionNumber(&major, &minor, &patch, &release);
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

std::vector<std::string> petsc_words(const std::vector<std::string> &given)
{
  if (!given.empty() || !from_environment("PETSC_OPTIONS").empty())
    petsc_options_are_given();
  std::vector<std::string> words{"-skip_petscrc"};
  words.insert(words.end(), given.begin(), given.end());
  return words;
}

void log_petsc_options(const std::vector<std::string> &given)
{
  if (!given.empty())
    log_line("PETSc options after --: " + join(given, " "));
  if (const std::string more = from_environment("PETSC_OPTIONS"); !more.empty())
    log_line("PETSc options of the environment, PETSC_OPTIONS: " + more);
  std::error_code error;
  for (const std::string &file : {std::string(".petscrc"), std::string("petscrc"), from_environment("HOME") + "/.petscrc"})
    if (std::filesystem::exists(file, error))
      log_line("note: " + file + " is not read. Give PETSc options after -- or in PETSC_OPTIONS");
}
}  // namespace symdyn
