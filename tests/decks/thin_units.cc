// Beams, shells and couplings in m, kg, s and in mm, t, s: one answer with as many iterations.
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
/// A block of rubber, 50 mm x 50 mm x 0.5 m, whose lid carries a mast.
std::string block(const In &in)
{
  return in.system() +
         section("Mesh", "set Type = box\nset Subdivisions = 2, 2, 6\nset Order = 2\n" +
                             section("box", "set Size = " + in.place(0.05, 0.05, 0.5))) +
         section("Materials", section("stuff", "set Type = st-venant-kirchhoff\nset E = " + in.stress(1e8) +
                                                   "\nset nu = 0.3\nset Density = " + in.density(1000.))) +
         section("Supports", section("ground", "set Boundary = z-")) +
         section("Points", section("eye", "set Position = " + in.place(0.025, 0.025, 0.5)) +
                               section("tip", "set Position = " + in.place(0.025, 0.025, 1.))) +
         section("Couplings", section("lid", "set At = eye\nset Boundaries = z+")) +
         section("Beams", section("mast", "set From = eye\nset To = tip\nset Elements = 6\nset Size = " + in.length(0.01) + ", " +
                                              in.length(0.02) + "\nset E = " + in.stress(2e9) +
                                              "\nset nu = 0.3\nset Density = " + in.density(8000.) + "\nset Direction = 0, 1, 0")) +
         section("Forces", section("push", "set Points = tip\nset Force = 30, 5, 0"));
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
/// Newton's iterations of both agree to 2 %.
void expect_as_many(const std::array<double, 2> &found, const std::string &what)
{
  EXPECT_NEAR(found[1], found[0], 0.02 * found[0]) << what;
  EXPECT_GT(found[0], 5.) << what;
}
}  // namespace

TEST(ThinUnits, StaticStages)
{
  const std::string bend = stages(section("bend", "set Type = static\nset Increments = 5")) + section("Output", "set Write every = never");
  expect_as_many(expect_same(frame, bend, {"Elements/Directors=elastic"}, 0.05), "frame");
  expect_as_many(expect_same(block, bend, {}, 0.), "block");
  for (const std::string directors : {"elastic", "exact"})
    expect_as_many(expect_same(strip, bend, {"Elements/Directors=" + directors}, 0.05), directors);
}

TEST(ThinUnits, DynamicStages)
{
  const std::string swing = stages(section("swing", "set Type = dynamic")) + section("Time", "set Time step = 0.001\nset End time = 0.06") +
                            section("Output", "set Write every = never");
  for (const auto &[directors, scheme] :
       {std::pair{"elastic", "newmark"}, {"exact", "newmark-constrained"}, {"exact", "gonzalez-constrained"}})
    expect_as_many(
        expect_same(strip, swing, {std::string("Elements/Directors=") + directors, std::string("Integrator/Scheme=") + scheme}, 0.01),
        std::string("strip ") + scheme);
  expect_as_many(expect_same(frame, swing, {"Integrator/Scheme=discrete-gradient"}, 0.005), "frame");
  expect_as_many(expect_same(frame, swing, {"Elements/Directors=exact", "Integrator/Scheme=gonzalez-constrained"}, 0.005), "frame, exact");
  // The stiff directors of the mast raise rounding a millionfold from step to step, and kept tangents decide by it: they are left out.
  expect_as_many(expect_same(block, swing, {"Integrator/Scheme=newmark", "Newton/Tangent=new"}, 0.), "block");
}
}  // namespace symdyn::tests::in_thin_units
