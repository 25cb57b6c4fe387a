#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/compare.h"
#include "tests/linear_decks.h"

// Decks whose directors constraints keep.
namespace symdyn::tests::in_exact_directors
{
/// The cases `free-plate` and `free-plate-explicit`.
inline std::string plate(const int n, const std::string &mass, const std::string &scheme, const double h, const double end)
{
  return "set Structure = discrete\n" +
         section("Mesh",
                 fmt::format("set Type = plate\nset Subdivisions = {}, {}\n", n, n) + section("plate", "set Corner = -0.5, -0.5, 0")) +
         elastic(2e7, 0.3, 1000.) + section("Shells", section("skin", "set Thickness = 0.02\nset Material = stuff")) +
         section("Elements", "set Directors = exact\nset Mass = " + mass) +
         section("Initial conditions", "set Velocity = 1 + 3*z - y, x - 2*z, 2*y - 3*x + 20*(x^2 - y^2)") +
         stages(section("fly", "set Type = dynamic")) +
         section("Time", fmt::format("set Time step = {:.15g}\nset End time = {:.15g}", h, end)) +
         section("Integrator", "set Scheme = " + scheme) + section("Output", "set Write every = never");
}
/// Two beams at an angle with a mass at the end of one, free in space.
inline std::string frame(const std::string &mass, const std::string &scheme)
{
  const std::string stuff = "set Elements = 4\nset Size = 0.1, 0.2\nset E = 1e6\nset nu = 0.2\nset Density = 1000\nset Type = B31\n";
  return "set Structure = discrete\n" +
         section("Points", section("a", "set Position = 0, 0, 0") + section("b", "set Position = 2, 0, 0") +
                               section("c", "set Position = 2, 1, 0.5\nset Mass = 5")) +
         section("Beams", section("ab", "set From = a\nset To = b\nset Direction = 0, 1, 0\n" + stuff) +
                              section("bc", "set From = b\nset To = c\nset Direction = 1, 0, 0\n" + stuff)) +
         section("Elements", "set Directors = exact\nset Mass = " + mass) +
         section("Initial conditions", "set Velocity = 0.5*z - y, x, 0.3 + (x - 1)^2 - 0.5*x") +
         stages(section("fly", "set Type = dynamic")) + section("Time", "set Time step = 0.0005\nset End time = 0.05") +
         section("Integrator", "set Scheme = " + scheme) + section("Output", "set Write every = never");
}
inline double change(const History &history, const std::string &column) { return std::abs(history.last(column) - history[column].front()); }
inline double most(const History &history, const std::string &column) { return largest(history, column, "fly"); }
/// P and J at every time, over the largest component of each.
inline void expect_momenta_kept(const History &history, const double share)
{
  for (const std::string vector : {"P", "J"})
  {
    const double size = std::max({most(history, vector + "_x"), most(history, vector + "_y"), most(history, vector + "_z")});
    for (const char *component : {"_x", "_y", "_z"})
      for (const double value : history[vector + component])
        ASSERT_NEAR(value, history[vector + component].front(), share * size) << vector << component;
  }
}
}  // namespace symdyn::tests::in_exact_directors
