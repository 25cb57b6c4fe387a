#include "solver/base/program_path.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "solver/base/names.h"

namespace symdyn
{
std::string program_of_path(const std::string &name)
{
  const char *path = std::getenv("PATH");
  std::error_code error;
  for (const std::string &folder : split(path ? path : "", ':'))
    if (const std::string file = folder + "/" + name; access(file.c_str(), X_OK) == 0 && !std::filesystem::is_directory(file, error))
      return file;
  return "";
}
}  // namespace symdyn
