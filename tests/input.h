#pragma once
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "solver/error.h"
#include "solver/parameters.h"

namespace symdyn
{
/// The message of the InputError that `action` must throw.
inline std::string message(const std::function<void()> &action)
{
  try
  {
    action();
  }
  catch (const InputError &error)
  {
    return error.what();
  }
  ADD_FAILURE() << "no InputError";
  return "";
}

/// A folder of this process that goes when the test ends.
class DeckFolder
{
public:
  DeckFolder() : path(std::filesystem::temp_directory_path() / ("symdyn_deck_" + std::to_string(getpid())))
  {
    std::filesystem::create_directories(path / "parts");
  }
  ~DeckFolder() { std::filesystem::remove_all(path); }
  std::string file(const std::string &name, const std::string &text) const
  {
    std::ofstream((path / name).string()) << text;
    return (path / name).string();
  }
  const std::filesystem::path path;
};

/// A section as classes declare it.
struct NewmarkEntries
{
  double beta = 0.25, gamma = 0.5;
  int iterations = 10;
  void declare(Parameters p)
  {
    p.add("beta", beta, "weight of the new acceleration [-]", between(0, 0.5));
    p.add("gamma", gamma, "weight of the new acceleration in v1 [-]", not_negative());
    p.add("Newton iterations", iterations, "at most.", {1, 100});
  }
};
}  // namespace symdyn
