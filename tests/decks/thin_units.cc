// Beams and shells in m, kg, s and in mm, t, s: one answer; of shells in static stages with as many iterations.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numeric>

#include "tests/compare.h"
#include "tests/linear_decks.h"

namespace symdyn::tests::in_thin_units
{
namespace
{
/// Numbers of a deck in one of both systems.
struct In
{
  bool mm;
  std::string length(const double x) const { return fmt::format("{:.15g}", mm ? 1000. * x : x); }
  std::string place(const double x, const double y, const double z) const { return length(x) + ", " + length(y) + ", " + length(z); }
  std::string stress(const double p) const { return fmt::format("{:.15g}", mm ? 1e-6 * p : p); }
  std::string density(const double rho) const { return fmt::format("{:.15g}", mm ? 1e-12 * rho : rho); }
  std::string system() const { return mm ? section("Units", "set System = mm-t-s") : ""; }
};

/// A cantilever with a right angle, 1 m and 0.5 m, whose end is pushed to the side.
std::string frame(const In &in)
{
  const std::string stuff = "set Elements = 6\nset Section = rectangle\nset Size = " + in.length(0.01) + ", " + in.length(0.02) +
                            "\nset E = " + in.stress(2e11) + "\nset nu = 0.3\nset Density = " + in.density(8000.) + "\n";
  return "set Structure = discrete\n" + in.system() +
         section("Points", section("foot", "set Position = 0, 0, 0\nset Fixed = yes") +
                               section("corner", "set Position = " + in.place(0, 0, 1)) +
                               section("tip", "set Position = " + in.place(0.5, 0, 1))) +
         section("Beams", section("column", "set From = foot\nset To = corner\nset Clamped = from\nset Direction = 0, 1, 0\n" + stuff) +
                              section("arm", "set From = corner\nset To = tip\nset Direction = 0, 1, 0\n" + stuff)) +
         section("Forces", section("push", "set Points = tip\nset Force = 100, 400, -200"));
}
/// A cantilever strip of 1 m x 0.2 m x 5 mm.
std::string strip(const In &in)
{
  return "set Structure = discrete\n" + in.system() +
         section("Mesh",
                 "set Type = plate\nset Subdivisions = 10, 2\n" + section("plate", "set Size = " + in.length(1) + ", " + in.length(0.2))) +
         section("Materials", section("stuff", "set Type = linear-elasticity\nset E = " + in.stress(2e11) +
                                                   "\nset nu = 0.3\nset Density = " + in.density(8000.))) +
         section("Shells", section("skin", "set Thickness = " + in.length(0.005) + "\nset Material = stuff")) +
         section("Supports", section("clamp", "set Boundary = x-\nset Type = fixed")) +
         section("Points", section("tip", "set On mesh = yes\nset Position = " + in.place(1, 0.2, 0))) +
         section("Forces", section("push", "set Points = tip\nset Force = 0, 0, 150"));
}
double iterations(const History &history)
{
  const std::vector<double> &all = history["newton"];
  return std::accumulate(all.begin(), all.end(), 0.);
}

/// Where the tip goes [m]; Newton's iterations of both.
std::array<double, 2> expect_same(std::string (*deck)(const In &), const std::string &stage, const Settings &settings, const double least)
{
  const Folder metres, millimetres;
  const History a = run_well(metres, deck({false}) + stage, settings).history,
                b = run_well(millimetres, deck({true}) + stage, settings).history;
  EXPECT_EQ(a.rows(), b.rows());
  EXPECT_GT(std::abs(a.last("tip.z") - a["tip.z"].front()), least);
  for (const char *column : {"tip.x", "tip.y", "tip.z"})
    EXPECT_NEAR(1e-3 * b.last(column), a.last(column), 1e-9) << column;
  return {iterations(a), iterations(b)};
}
}  // namespace

TEST(ThinUnits, StaticStages)
{
  const std::string bend = stages(section("bend", "set Type = static\nset Increments = 5")) + section("Output", "set Write every = never");
  expect_same(frame, bend, {"Elements/Directors=elastic"}, 0.05);
  for (const std::string directors : {"elastic", "exact"})
  {
    const auto [metres, millimetres] = expect_same(strip, bend, {"Elements/Directors=" + directors}, 0.05);
    EXPECT_NEAR(millimetres, metres, 0.02 * metres) << directors;
    EXPECT_GT(metres, 5.) << directors;
  }
}

TEST(ThinUnits, DynamicStages)
{
  const std::string swing = stages(section("swing", "set Type = dynamic")) + section("Time", "set Time step = 0.001\nset End time = 0.06") +
                            section("Output", "set Write every = never");
  for (const auto &[directors, scheme] :
       {std::pair{"elastic", "newmark"}, {"exact", "newmark-constrained"}, {"exact", "gonzalez-constrained"}})
    expect_same(strip, swing, {std::string("Elements/Directors=") + directors, std::string("Integrator/Scheme=") + scheme}, 0.01);
  expect_same(frame, swing, {"Elements/Directors=exact", "Integrator/Scheme=gonzalez-constrained"}, 0.005);
}
}  // namespace symdyn::tests::in_thin_units
