#include "solver/base/memory_usage.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

namespace symdyn
{
namespace
{
constexpr double unlimited = std::numeric_limits<double>::infinity();

/// The number behind `key` in a file of lines "key number", or the first number if there is no key; else `fallback`.
double number_in(const std::string &file, const std::string &key, const double fallback)
{
  std::ifstream in(file);
  std::string word;
  while (key.empty() ? false : bool(in >> word))
    if (word == key)
      break;
  double value = 0;
  return in >> value ? value : fallback;  // "max" is no number: no limit
}

double status(const std::string &key)
{
  constexpr double kilobyte = 1024.;
  return number_in("/proc/self/status", key, 0.) * kilobyte;
}

/// What the limits of a group and of those around it leave. Pages of files that can be dropped do not count as used.
double left_in_group(const std::string &top, const std::string &path, const bool second_version)
{
  const char *limit = second_version ? "/memory.max" : "/memory.limit_in_bytes",
             *usage = second_version ? "/memory.current" : "/memory.usage_in_bytes";
  double left = unlimited;
  for (std::filesystem::path group = path;; group = group.parent_path())
  {
    const std::string folder = top + (group == "/" ? "" : group.string());
    const double droppable = number_in(folder + "/memory.stat", second_version ? "inactive_file" : "total_inactive_file", 0.);
    const double used = number_in(folder + usage, "", 0.) - droppable;
    left = std::min(left, number_in(folder + limit, "", unlimited) - used);
    if (!group.has_relative_path())  // "/": in a container the group itself
      return left;
  }
}
}  // namespace

double available_memory(const std::string &root)
{
  constexpr double kilobyte = 1024.;
  double left = number_in(root + "/proc/meminfo", "MemAvailable:", unlimited / kilobyte) * kilobyte;
  std::ifstream groups(root + "/proc/self/cgroup");  // "0::/path" (version 2), "4:memory:/path" (version 1)
  for (std::string line; std::getline(groups, line);)
  {
    std::istringstream fields(line);
    std::string number, controllers, path;
    std::getline(fields, number, ':');
    std::getline(fields, controllers, ':');
    std::getline(fields, path);
    if (path.empty() || path[0] != '/')
      continue;
    if (controllers.empty())
      left = std::min(left, left_in_group(root + "/sys/fs/cgroup", path, true));
    else if (("," + controllers + ",").find(",memory,") != std::string::npos)
      left = std::min(left, left_in_group(root + "/sys/fs/cgroup/memory", path, false));
  }
  return std::max(left, 0.);
}

double memory_of_factors(const int dim, const double n) { return dim == 2 ? 75. * n * std::log2(n) : 280. * std::pow(n, 4. / 3.); }

double resident_memory() { return status("VmRSS:"); }

double peak_memory() { return status("VmHWM:"); }
}  // namespace symdyn
