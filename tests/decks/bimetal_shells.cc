// Shells of layers that expand differently: free ones bend, held ones are stressed.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>

#include "tests/heated_decks.h"
#include "tests/in_process.h"
#include "tests/parts.h"

namespace symdyn::tests::in_bimetal_shells
{
using namespace heated_decks;
namespace
{
struct Metal
{
  double E, nu, alpha, t;
  double s() const { return E / (1. - nu); }
};
constexpr Metal steel_below{210e9, 0.3, 12e-6, 1e-3}, copper_above{117e9, 0.3, 17e-6, 2e-3};
constexpr double heat = 80.;  // K

std::string metal(const std::string &name, const Metal &of, const std::string &more = "")
{
  return section(name, fmt::format("set Type = linear-elasticity\nset E = {}\nset nu = {}\nset Density = 8000\nset Expansion = {}\n", of.E,
                                   of.nu, of.alpha) +
                           more);
}
std::string metals(const Metal &below, const Metal &above) { return section("Materials", metal("steel", below) + metal("copper", above)); }

/// The curvature of a strip of two layers (Timoshenko 1925, Analysis of bi-metal thermostats, eq. 4), the upper one above: it is hollow
/// from below where the upper one expands more. With E/(1 - nu) that of a plate.
double timoshenko(const Metal &below, const Metal &above)
{
  const double m = below.t / above.t, n = below.s() / above.s(), h = below.t + above.t;
  return 6. * (above.alpha - below.alpha) * heat * (1. + m) * (1. + m) /
         (h * (3. * (1. + m) * (1. + m) + (1. + m * n) * (m * m + 1. / (m * n))));
}

/// A strip of 0.1 x 0.01 m, held at three corners; M is the middle of an edge.
constexpr double length = 0.1;
std::string strip(const std::string &type)
{
  std::string nodes, cells;
  constexpr int n = 10;
  for (int j = 0; j < 2; ++j)
    for (int i = 0; i <= n; ++i)
      nodes += fmt::format("{}, {:.15g}, {:.15g}, 0\n", j * (n + 1) + i + 1, length * i / n, 0.01 * j);
  for (int i = 1; i <= n; ++i)
    cells += type == "S4" ? fmt::format("{}, {}, {}, {}, {}\n", i, i, i + 1, i + n + 2, i + n + 1)
                          : fmt::format("{}, {}, {}, {}\n{}, {}, {}, {}\n", 2 * i - 1, i, i + 1, i + n + 2, 2 * i, i, i + n + 2, i + n + 1);
  return "*NODE\n" + nodes + "*ELEMENT, TYPE=" + type + ", ELSET=SKIN\n" + cells +
         fmt::format("*NSET, NSET=A\n1\n*NSET, NSET=B\n{}\n*NSET, NSET=C\n{}\n*NSET, NSET=M\n{}\n", n + 1, n + 2, n / 2 + 1);
}
std::string on(const std::string &name, const std::string &components)
{
  return section(name, "set Nodes = " + name + "\nset Type = displacement\nset Displacement = " + components);
}

std::string shell(const std::string &more = "")
{
  return "set Structure = discrete\n" + section("Mesh", "set Type = file\nset File = strip.inp") + tight +
         section("Shells", section("skin",
                                   "set Direction = 1, 0, 0\nset Geometry = linear\nset Layers = steel 0.001 0; copper 0.002 0\n"
                                   "set Layer stresses at = 0.045, 0.005, 0\n" +
                                       more)) +
         section("Supports", on("A", "0, 0, 0") + on("B", "free, 0, 0") + on("C", "free, free, 0")) +
         section("Points", "set Dimension = 3\n" + section("middle", "set On nodes = M") + "set Report = middle") + hot("100") + heating;
}

History run_strip(const std::string &deck, const std::string &type = "S4")
{
  const Folder folder;
  write_file(folder, "strip.inp", strip(type));
  return run_well(folder, deck).history;
}
}  // namespace

/// w = -kappa (x² - x L)/2, and no force anywhere.
TEST(BimetalShells, BendAsTimoshenkoFound)
{
  const double kappa = timoshenko(steel_below, copper_above);
  EXPECT_GT(kappa, 0.1);
  for (const std::string type : {"S4", "S3"})
    for (const std::string offset : {"", "set Offset = 0.5", "set Offset = -1.3"})
    {
      SCOPED_TRACE(type + " " + offset);
      const History history = run_strip(shell(offset) + metals(steel_below, copper_above), type);
      EXPECT_NEAR(history.last("middle.z"), kappa * length * length / 8., 1e-9 * kappa * length * length);
      EXPECT_NEAR(history.last("E_potential"), 0., 1e-12 * 210e9 * 1e-6 * 1e-3 * 1e-3);
    }
  // The other way round, and not at all.
  Metal cold = copper_above, same = copper_above;
  cold.alpha = 0.;
  same.alpha = steel_below.alpha;
  EXPECT_NEAR(run_strip(shell() + metals(steel_below, cold)).last("middle.z"), timoshenko(steel_below, cold) * length * length / 8.,
              1e-9 * kappa * length * length);
  EXPECT_LT(timoshenko(steel_below, cold), -0.1);
  EXPECT_NEAR(run_strip(shell() + metals(steel_below, same)).last("middle.z"), 0., 1e-12 * length);
}

/// The layers of a free strip: neither force nor moment, and a jump of stress between them.
TEST(BimetalShells, LayersHoldEachOther)
{
  const History history = run_strip(shell() + metals(steel_below, copper_above));
  const auto stress = [&](const std::string &place) { return history.last("skin.at1." + place); };
  const double t1 = steel_below.t, t2 = copper_above.t, z1 = -1e-3, z2 = 0.5e-3;
  for (const std::string component : {"S11", "S22"})
  {
    const double bottom1 = stress("layer1_bottom_" + component), middle1 = stress("layer1_middle_" + component),
                 top1 = stress("layer1_top_" + component), bottom2 = stress("layer2_bottom_" + component),
                 middle2 = stress("layer2_middle_" + component), top2 = stress("layer2_top_" + component);
    EXPECT_GT(std::abs(middle1), 1e6);
    EXPECT_NEAR(t1 * middle1 + t2 * middle2, 0., 1e-9 * t1 * std::abs(middle1));
    EXPECT_NEAR(t1 * z1 * middle1 + t2 * z2 * middle2 + (t1 * t1 * (top1 - bottom1) + t2 * t2 * (top2 - bottom2)) / 12., 0.,
                1e-9 * t1 * t1 * std::abs(middle1));
    const double jump = (copper_above.alpha - steel_below.alpha) * heat;
    EXPECT_NEAR(top1 / steel_below.s() - bottom2 / copper_above.s(), jump, 1e-9 * jump);
  }
}

/// Held at all edges: V = (A e² + 2 B e kappa + D kappa²) of the area, which the heat has given.
TEST(BimetalShells, HeldOnesAreStressed)
{
  std::string hold;
  for (const std::string edge : {"x-", "x+", "y-", "y+"})
    hold += section(edge, "set Boundary = " + edge + "\nset Type = fixed");
  const std::string deck = "set Structure = discrete\n" +
                           section("Mesh", "set Type = plate\nset Subdivisions = 1, 1\n" + section("plate", "set Size = 2, 1")) + tight +
                           metals(steel_below, copper_above) + section("Supports", hold) +
                           section("Shells", section("skin",
                                                     "set Direction = 1, 0, 0\nset Geometry = linear\nset Offset = 0.5\n"
                                                     "set Layers = steel 0.001 0; copper 0.002 0")) +
                           hot("100") + heating;
  const Folder folder;
  const History history = run_well(folder, deck).history;
  const double s1 = steel_below.s() * steel_below.t, s2 = copper_above.s() * copper_above.t, z1 = 0.5e-3, z2 = 2e-3, A = s1 + s2,
               B = s1 * z1 + s2 * z2, D = s1 * (z1 * z1 + 1e-6 / 12.) + s2 * (z2 * z2 + 4e-6 / 12.), e1 = steel_below.alpha * heat,
               e2 = copper_above.alpha * heat, N = s1 * e1 + s2 * e2, M = s1 * z1 * e1 + s2 * z2 * e2,
               V = 2. * (D * N * N - 2. * B * N * M + A * M * M) / (A * D - B * B);
  EXPECT_NEAR(history.last("E_potential"), V, 1e-9 * V);
  EXPECT_NEAR(history.last("W_thermal"), V, 1e-9 * V);
}

/// Parts of a heating, and two ranks. Where an increment ends where the last one leads, both are equilibrium to rounding alone.
TEST(BimetalShells, RestartsAndRanks)
{
  const std::string deck = shell() + metals(steel_below, copper_above) + section("Solver", "set Deterministic = yes");
  for (const bool extrapolate : {false, true})
  {
    const std::vector<std::string> settings{"Stages/heating/Increments=4",
                                            std::string("Stages/heating/Extrapolate=") + (extrapolate ? "yes" : "no"),
                                            "Output/Checkpoint every=2"};  // where a run forgets the tangents that it keeps
    const Folder whole, parts, two;
    for (const Folder *folder : {&whole, &parts, &two})
      write_file(*folder, "strip.inp", strip("S4"));
    const History history = run_well(whole, deck, settings).history, shared = run_well(two, deck, settings, 2).history;
    ASSERT_EQ(run_in_parts(parts, write_file(parts, "deck.prm", deck), settings, 2).exit_code, 0);
    const History divided = read_history(parts / "results/history.csv");
    EXPECT_GT(std::abs(history.last("middle.z")), 1e-4);
    for (const std::string column : {"middle.z", "skin.at1.layer1_top_S11"})
    {
      EXPECT_EQ(divided.last(column), history.last(column)) << column;
      EXPECT_NEAR(shared.last(column), history.last(column), 1e-9 * std::abs(history.last(column))) << column;
    }
  }
}

TEST(BimetalShells, WhatIsRefused)
{
  const std::string two = metals(steel_below, copper_above);
  const auto refused = [](const std::string &deck, const std::string &words) {
    const Folder folder;
    write_file(folder, "strip.inp", strip("S4"));
    const Outcome outcome = run_deck(folder, write_file(folder, "deck.prm", deck));
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_EQ(has(outcome.terminal, words), "");
  };
  refused(shell() + two + section("Temperature", "set Gradient = 5"), "layers expand differently, and Temperature gives a Gradient");
  refused(shell("set Nodal thickness = yes\n") + two, "Remove the entry");
  refused(shell() + section("Materials", metal("steel", steel_below) + metal("copper", copper_above, "set Reference temperature = 30")),
          "layer 2 has the Reference temperature 30, and another one 20");
  refused(shell() + section("Materials", metal("steel", steel_below) +
                                             section("copper",
                                                     "set Type = linear-elasticity-anisotropic\nset E = 2e9, 1e9, 1e9\nset nu = 0.3, 0.3, "
                                                     "0.3\nset G = 1e9, 1e9, 1e9\nset Density = 1000")),
          "layer 2 is not isotropic");
}
}  // namespace symdyn::tests::in_bimetal_shells
