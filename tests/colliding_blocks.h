#pragma once
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "tests/bad_input.h"
#include "tests/blocks.h"
#include "tests/linear_decks.h"

namespace symdyn::tests
{
/// Two soft blocks with cells of different size; the first flies with 1 m/s against the second, not in the middle.
struct CollidingBlocks
{
  /// `of_contact`: entries of Contact/hit.
  explicit CollidingBlocks(const std::string &of_contact = "", const double gap = 0.05,
                           const std::string &velocity = "if(x < 1.02, 1, 0), 0.1, 0.05")
  {
    write_mesh(folder, gap);
    const std::string material = "set Type = neo-hooke-log\nset E = 900\nset nu = 0.3\nset Density = 1";
    deck = section("Mesh", "set Dimension = 3\nset Type = file\nset File = two.msh") +
           section("Materials", section("first", material) + section("second", material)) + section("Elements", "set Mass = lumped") +
           section("Contact", section("hit", "set Between = first-x+, second-x-\n" + of_contact)) +
           section("Initial conditions", "set Velocity = " + velocity) + section("Time", "set Time step = 0.002\nset End time = 0.3") +
           section("Integrator", "set Scheme = midpoint") + section("Newton", "set Tolerance = 1e-12") +
           section("Output", "set Write every = never");
  }
  static void write_mesh(const Folder &folder, const double gap = 0.05)
  {
    Blocks({{{0., 0., 0.}, {1., 1., 1.}, {2, 2, 2}}, {{1. + gap, 0.3, 0.2}, {1., 1., 1.}, {3, 3, 3}}}).write(folder / "two.msh");
  }
  Folder folder;
  std::string deck;
};

inline double largest(const std::vector<double> &values)
{
  double most = 0;
  for (const double value : values)
    most = std::max(most, std::abs(value));
  return most;
}

/// Over the run.
inline double drift(const History &history, const std::string &column, const double scale)
{
  double most = 0;
  for (const double value : history[column])
    most = std::max(most, std::abs(value - history[column].front()));
  return most / scale;
}

/// A run of `end` seconds on one rank, on two, and split in the middle has the same ends: to 1e-9, and to the bit. Returns the first.
inline History expect_ranks_and_restart_to_agree(const std::string &deck, const std::function<void(const Folder &)> &prepare,
                                                 const double end, const int checkpoint_every, const std::vector<std::string> &columns)
{
  const auto settings = [&](const double until) {
    return std::vector<std::string>{fmt::format("Time/End time={}", until), fmt::format("Output/Checkpoint every={}", checkpoint_every),
                                    "Solver/Deterministic=yes", "Integrator/Scheme=newmark"};
  };
  const Folder one, shared, split;
  for (const Folder *folder : {&one, &shared, &split})
    prepare(*folder);
  const History whole = run_well(one, deck, settings(end)).history;
  const Outcome two = run_text(shared, deck, settings(end), 2);
  EXPECT_EQ(two.exit_code, 0) << two.terminal;
  run_well(split, deck, settings(0.5 * end));
  const Outcome on = tool(split, fmt::format("run --quiet --restart {}/results --set 'Time/End time={}'", split.path, end));
  EXPECT_EQ(on.exit_code, 0) << on.terminal;
  const History after = read_history(split / "results/history.csv");
  for (const std::string &column : columns)
  {
    EXPECT_EQ(after.last(column), whole.last(column)) << column;
    EXPECT_NEAR(two.history.last(column), whole.last(column), 1e-9 * largest(whole[column])) << column;
  }
  return whole;
}
}  // namespace symdyn::tests
