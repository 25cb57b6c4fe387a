#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/compare.h"
#include "tests/run.h"

// Runs of the decks of the papers on constraints.
namespace symdyn::tests::in_constrained
{
inline Settings scheme(const std::string &name) { return {"Integrator/Scheme=" + name}; }
inline Settings span(const std::string &step, const std::string &end) { return {"Time/Time step=" + step, "Time/End time=" + end}; }

inline const Settings exact{"Constraints/Treatment=exact"};
inline const Settings full = scheme("zhang-skeel"), simplified = scheme("zhang-skeel-simplified"), oracle = scheme("adams");

/// A row a step, no frames. `fails`: the motion is lost before the end, as in the reference.
inline History run(const std::string &deck, const Settings &settings, const bool fails = false)
{
  const Folder folder;
  const Outcome outcome = run_deck(folder, deck, settings + Settings{"Output/Write every=never", "Output/History every=1"});
  EXPECT_EQ(outcome.exit_code != 0, fails) << deck << outcome.terminal;
  return outcome.history;
}

inline std::vector<double> at(const History &history, const double t, const std::vector<std::string> &columns)
{
  std::vector<double> values;
  for (const std::string &column : columns)
    values.push_back(history.at(t, column));
  return values;
}

/// NAME.x, NAME.y, ... of each.
inline std::vector<std::string> columns(const std::vector<std::string> &names, const std::string &what)
{
  std::vector<std::string> all;
  for (const std::string &name : names)
    for (const char axis : what)
      all.push_back(name + "." + axis);
  return all;
}

/// The t of "....t10[..]".
inline double time_of(const std::string &id) { return std::stod(id.substr(id.rfind(".t") + 2)); }
inline long step_of(const std::string &id) { return std::stol(id.substr(id.rfind(".step") + 5)); }

inline double change(const std::vector<double> &values)
{
  double largest = 0;
  for (const double value : values)
    largest = std::max(largest, std::abs(value - values.front()));
  return largest;
}
}  // namespace symdyn::tests::in_constrained
