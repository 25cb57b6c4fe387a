// Heated bodies, from decks: closed forms, wrong input.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>

#include "tests/heated_decks.h"

namespace symdyn::tests::in_temperature
{
using namespace heated_decks;

/// H1 of the references: free 0.0012; held in one, two and three directions -252, -360 and -630 MPa. In every element.
TEST(Temperature, HeldBlocks)
{
  for (const std::string mesh :
       {"set Order = 1", "set Order = 1\nset Element = mean-dilatation", "set Order = 1\nset Element = incompatible-modes", "set Order = 2",
        "set Cell shape = tetrahedra\nset Order = 1", "set Cell shape = tetrahedra\nset Order = 2",
        "set Order = 2\nset Element = serendipity", "set Order = 2\nset Element = serendipity-reduced"})
    for (const int directions : {0, 1, 2, 3})
    {
      SCOPED_TRACE(mesh + fmt::format(", {} directions", directions));
      std::string supports = planes;
      const char *components[] = {"0, free, free", "free, 0, free", "free, free, 0"}, *ends[] = {"x+", "y+", "z+"};
      for (int d = 0; d < directions; ++d)
        supports += held(ends[d], components[d]);
      const Folder folder;
      const History history = run_well(folder, block("set Subdivisions = 2, 2, 2\n" + mesh) + steel() + hot("120") + tight +
                                                   section("Supports", supports) + corner + heating)
                                  .history;
      const double nu = 0.3, stress = directions == 0 ? 0.
                                                      : -210e9 * 0.0012 /
                                                            (directions == 1   ? 1.
                                                             : directions == 2 ? 1. - nu
                                                                               : 1. - 2. * nu);
      EXPECT_NEAR(history.last("x-.R_x"), -stress, 1e-9 * 630e6);
      EXPECT_NEAR(history.last("corner.u_x"), directions == 0 ? 2. * 0.0012 : 0., 1e-13);
      EXPECT_NEAR(history.last("E_potential"), history.last("W_thermal"), 1e-9 * 2. * 630e6 * 0.0012);
    }
}

/// Large strains: a free body takes (1 + eps) in all directions without stress.
TEST(Temperature, FreeBodiesHaveNoStress)
{
  for (const std::string law : {"neo-hooke-log", "st-venant-kirchhoff", "plastic"})
  {
    const Folder folder;
    const History history = run_well(folder, block() + steel(law, law == "plastic" ? "set Yield stress = 200e6" : "") + hot("20 + 5000") +
                                                 tight + section("Supports", planes) + corner + heating)
                                .history;
    EXPECT_NEAR(history.last("corner.u_x"), 2. * 0.06, 1e-10) << law;
    EXPECT_NEAR(history.last("E_potential"), 0., 1e-13 * 210e9) << law;
  }
}

/// The same of a plate half a metre thick: free across in plane stress, held across in plane strain, where it grows more in the plane.
/// Of the nearest quadrature point: in the middle of a cell of order 2 there is one, where the temperature is that of the Field. Elastic
/// bodies without an expansion have no such column.
TEST(Temperature, ProbesHaveTemperatures)
{
  const std::string mesh = section("Mesh",
                                   "set Type = box\nset Subdivisions = 2, 1, 1\nset Order = 2\n" + section("box", "set Size = 2, 1, 1")),
                    probes = section("Probes", section("cold", "set Point = 0.5, 0.5, 0.5") + section("warm", "set Point = 1.5, 0.5, 0.5") +
                                                   section("end", "set Set = x+")) +
                             section("Supports", planes) + heating;
  const Folder folder, without;
  const auto history = run_well(folder, mesh + steel() + hot("20 + 100*x") + probes).history;
  EXPECT_NEAR(history.last("cold.temperature"), 70., 1e-12);
  EXPECT_NEAR(history.last("warm.temperature"), 170., 1e-12);
  EXPECT_NEAR(history.last("end.temperature"), 20. + 100. * (1.5 + 0.5 * std::sqrt(0.6)), 1e-11) << "Gauss' rule of three points";
  EXPECT_NEAR(history["warm.temperature"][1], 95., 1e-12) << "half of the way";
  EXPECT_NEAR(history["warm.temperature"][0], 20., 1e-12);
  EXPECT_EQ(history.columns.count("warm.p"), 0u);
  const auto elastic = run_well(without, mesh +
                                             section("Materials", section("steel",
                                                                          "set Type = linear-elasticity\nset E = 1\nset nu = "
                                                                          "0\nset Density = 1")) +
                                             probes)
                           .history;
  EXPECT_EQ(elastic.columns.count("warm.temperature"), 0u);
}

/// A table of nodes in a file: cells of order 1 have the mean of their nodes, at the start and after a static stage.
TEST(Temperature, TablesOfNodes)
{
  const std::string mesh =
      "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 1, 1, 0\n4, 0, 1, 0\n5, 0, 0, 1\n6, 1, 0, 1\n7, 1, 1, 1\n8, 0, 1, 1\n"
      "*ELEMENT, TYPE=C3D8, ELSET=BODY\n1, 1, 2, 3, 4, 5, 6, 7, 8\n*NSET, NSET=TOP\n5, 6, 7, 8\n*SURFACE, NAME=X0\n1, S6\n*SURFACE, NAME=Y0\n1, S3\n"
      "*SURFACE, NAME=Z0\n1, S1\n";
  const auto run_with = [&](const std::string &rows, const std::string &more = "") {
    auto folder = std::make_unique<Folder>();
    std::ofstream(*folder / "mesh.inp") << mesh;
    std::ofstream(*folder / "rows.txt") << rows;
    const std::string deck = section("Mesh", "set Type = file\nset File = mesh.inp") + steel() + tight +
                             section("Supports", held("X0", "0, free, free") + held("Y0", "free, 0, free") + held("Z0", "free, free, 0")) +
                             section("Probes", section("end", "set Nearest node = 1, 1, 1")) + heating +
                             section("Temperature", section("measured", "set File = rows.txt\n" + more));
    return run_text(*folder, deck);
  };
  const Outcome both = run_with("# node T_0 T\n1 10 30\n2, 20, 40\n3 10 30\n4 20 40\nTOP 50 80\n");
  ASSERT_EQ(both.exit_code, 0) << both.terminal;
  EXPECT_NEAR(both.history["end.temperature"][0], 32.5, 1e-12);
  EXPECT_NEAR(both.history.last("end.temperature"), 57.5, 1e-12);
  EXPECT_NEAR(both.history.last("end.u_x"), 12e-6 * 25., 1e-10);
  const Outcome start = run_with("TOP 50\n1 10\n2 20\n3 10\n4 20\n");
  ASSERT_EQ(start.exit_code, 0) << start.terminal;
  EXPECT_NEAR(start.history.last("end.temperature"), 32.5, 1e-12) << "stays as it is";
  EXPECT_NEAR(start.history.last("end.u_x"), 0., 1e-15);
  const auto refused = [&](const std::string &rows, const std::string &words, const std::string &more = "") {
    const Outcome outcome = run_with(rows, more);
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_NE(outcome.terminal.find(words), std::string::npos) << outcome.terminal;
  };
  refused("1 10 30\n2 20\n", "rows.txt:2: \"2 20\" has another number of temperatures");
  refused("1 warm\n", "rows.txt:1: \"1 warm\" is not: node T_0");
  refused("", "has no rows");
  refused("99 10\n", "99");
  refused("1 10\n", "stands beside File", "set Value = 3\n");
}

TEST(Temperature, FreePlatesHaveNoStress)
{
  for (const std::string law : {"linear-elasticity", "st-venant-kirchhoff", "plastic"})
    for (const std::string plane : {"stress", "strain"})
    {
      SCOPED_TRACE(law + ", " + plane);
      const Folder folder;
      const History history =
          run_well(
              folder,
              section("Mesh", "set Dimension = 2\nset Type = box\nset Subdivisions = 2, 2\n" + section("box", "set Size = 2, 1")) +
                  steel(law, "set Thickness = 0.5\nset Plane = " + plane + "\n" + (law == "plastic" ? "set Yield stress = 1e12" : "")) +
                  hot("20 + 5000") + tight + section("Supports", held("x-", "0, free") + held("y-", "free, 0")) +
                  section("Probes", section("corner", "set Point = 2, 1")) + heating)
              .history;
      const double eps = 0.06, nu = 0.3;
      if (plane == "stress")
        EXPECT_NEAR(history.last("corner.u_x"), 2. * eps, 1e-10);
      else if (law == "linear-elasticity")
        EXPECT_NEAR(history.last("corner.u_x"), 2. * eps * (1. + nu), 1e-10);
      else
        EXPECT_GT(history.last("corner.u_x"), 2. * eps * (1. + 0.5 * nu));
      const double stored = history.last("E_potential");
      if (plane == "stress")
        EXPECT_NEAR(stored, 0., 1e-13 * 210e9);
      else
        EXPECT_GT(stored, 1e-4 * 210e9) << "held across";
    }
}

/// H2 (Timoshenko 1925): two strips that expand differently bend.
TEST(Temperature, BimetalStrip)
{
  const auto strip = [](const double E1, const double a1, const double E2, const double a2) {
    const Folder folder;
    constexpr int n = 50;
    std::string nodes = "*NODE\n", cells;
    for (int j = 0; j <= 2; ++j)
      for (int i = 0; i <= n; ++i)
        nodes += fmt::format("{}, {}, {}, 0.\n", j * (n + 1) + i + 1, 100e-3 * i / n, 1e-3 * (j - 1));
    for (int j = 0; j < 2; ++j)
    {
      cells += std::string("*ELEMENT, TYPE=CPS4, ELSET=") + (j == 0 ? "lower\n" : "upper\n");
      for (int i = 0; i < n; ++i)
      {
        const int first = j * (n + 1) + i + 1;
        cells += fmt::format("{}, {}, {}, {}, {}\n", j * n + i + 1, first, first + 1, first + n + 2, first + n + 1);
      }
    }
    std::ofstream(folder / "strip.inp") << nodes << cells;
    const auto metal = [](const std::string &name, const double E, const double alpha) {
      return section(name,
                     fmt::format("set Type = linear-elasticity\nset Plane = stress\nset E = {}\nset nu = 0.3\nset Density = 7850\nset "
                                 "Expansion = {}",
                                 E, alpha));
    };
    const std::string mesh = section("Mesh", "set Dimension = 2\nset Type = file\nset File = strip.inp\nset Element = incompatible-modes"),
                      supports = section("left", "set Nodes = 52\nset Type = fixed") +
                                 section("ends", "set Nodes = 1, 103\nset Type = displacement\nset Displacement = 0, free");
    const History history =
        run_well(folder, mesh + section("Materials", metal("lower", E1, a1) + metal("upper", E2, a2)) + hot("120") + tight +
                             section("Supports", supports) + section("Probes", section("tip", "set Point = 0.1, 0")) + heating)
            .history;
    return std::abs(history.last("tip.u_y"));
  };
  EXPECT_NEAR(strip(210e9, 12e-6, 70e9, 23e-6), 3.8076923e-3, 5e-3 * 3.8e-3);
  EXPECT_NEAR(strip(200e9, 1e-5, 200e9, 2e-5), 3.75e-3, 5e-3 * 3.75e-3);
}

/// H3: a thick cylinder, hot inside, in plane strain.
TEST(Temperature, ThickCylinder)
{
  const Folder folder;
  const History history =
      run_well(folder,
               section("Mesh", "set Dimension = 2\nset Type = ring\nset Subdivisions = 20, 24\nset Order = 2\n" +
                                   section("ring", "set Inner radius = 0.1\nset Outer radius = 0.2")) +
                   steel() + section("Temperature", "set Initial = 0\nset Field = 100*log(0.2/sqrt(x^2 + y^2))/log(2)") + tight +
                   section("Supports", section("x", "set Point = 0.2, 0\nset Type = displacement\nset Displacement = free, 0") +
                                           section("z", "set Point = -0.2, 0\nset Type = displacement\nset Displacement = free, 0") +
                                           section("y", "set Point = 0, 0.2\nset Type = displacement\nset Displacement = 0, free")) +
                   section("Probes", section("inner", "set Point = 0.1, 0") + section("outer", "set Point = 0.2, 0")) + heating)
          .history;
  EXPECT_NEAR(history.last("inner.u_x"), 6.05302132e-5, 1e-3 * 6.05e-5);
  EXPECT_NEAR(history.last("outer.u_x"), 1.21060426e-4, 1e-3 * 1.21e-4);
}

/// H4: a slender clamped beam of E A alpha dT = P: its lowest frequency falls as the load of a column would have it.
TEST(Temperature, HeatedBeamsAreSlower)
{
  // w = factor sqrt(EI/(rho A))/L², P_cr = 4 pi² EI/L². Slenderness L/r = 300: of 100, shear lowers the load by 1 %.
  const double thick = 0.12, L = 300. * thick / std::sqrt(12.), critical = 4. * M_PI * M_PI / 9e4 / 12e-6;
  for (const auto &[part, factor] : {std::pair{0., 22.37328545}, {0.25, 19.45168339}, {0.5, 15.95128761}, {0.75, 11.33415462}})
  {
    const Folder folder;
    const std::string supports =
        section("ends", "set Boundary = x-, x+\nset Type = fixed") + section("flat", "set Boundary = z-, z+\nset Type = symmetry");
    run_well(folder, section("Mesh", "set Type = box\nset Subdivisions = 80, 2, 1\nset Order = 2\n" +
                                         section("box", fmt::format("set Size = {}, {}, 0.1", L, thick))) +
                         section("Materials", section("steel",
                                                      "set Type = st-venant-kirchhoff\nset E = 210e9\nset nu = 0\nset Density = 7850\nset "
                                                      "Expansion = 12e-6")) +
                         hot(fmt::format("20 + {}", part * critical)) + section("Supports", supports) +
                         stages(section("heating", "set Type = static") + section("modes", "set Type = modes\nset Modes = 1")));
    const double w = 2. * M_PI * table_of(folder / "results/modes-modes.csv").at("frequency").front(),
                 found = w * L * L / std::sqrt(210e9 * thick * thick / 12. / 7850.);
    EXPECT_NEAR(found, factor, 1e-2 * factor) << part;
  }
}

TEST(Temperature, WrongInput)
{
  const std::string rest = tight + section("Supports", planes) + heating;
  expect_refused(block() + steel() + section("Temperature", "set Initial = t") + rest,
                 "the temperature at the start depends on x, y, z alone");
  expect_refused(block() + steel() + section("Temperature", "") + rest, "the section says no temperature");
  expect_refused(block() + steel() + section("Temperature", section("hot", "set Nodes = A\nset Value = 100")) + rest,
                 "the mesh names no nodes");
  expect_refused(block() + steel() + section("Temperature", section("hot", "set Nodes = A, B, C\nset Value = 100, 200")) + rest,
                 "has 2 values for 3 names");
  const std::string table = "set Expansion table = 0 1e-5, 100 1e-5";
  expect_refused(
      block() + section("Materials", section("steel", "set Type = linear-elasticity\nset E = 1\nset nu = 0\nset Density = 1\n" + table)) +
          hot("120") + rest,
      "T = 120 is outside of its temperatures, 0 to 100");
  // Where the field is the same at all times its end is looked at before the first increment.
  const std::string constants = section("Materials", section("steel",
                                                             "set Type = linear-elasticity\nset Density = 1\nset Temperature = 0\nset "
                                                             "E = 2\nset nu = 0.3\n" +
                                                                 section("At temperatures", section("100", "set E = 1\nset nu = 0.3"))));
  const auto beginning = [&](const std::string &field) {
    const Folder folder;
    const Outcome run = run_text(folder, block() + constants + hot(field) + tight + section("Supports", planes) +
                                             stages(section("heating", "set Type = static\nset Increments = 10\nset Duration = 1")));
    EXPECT_EQ(run.exit_code, 1) << run.terminal;
    EXPECT_NE(run.terminal.find("constants are known from T = 0 to 100, and a point has"), std::string::npos) << run.terminal;
    const std::string file = folder / "results/history.csv";
    return !std::filesystem::exists(file) || read_history(file).rows() <= 1;
  };
  EXPECT_TRUE(beginning("120"));
  EXPECT_FALSE(beginning("20 + 100*t")) << "a function of time is evaluated when its time has come";
  expect_refused(block() + steel() + hot("20 + 100*t") + rest,
                 "Temperature is a function of t, and the stage has no time. Give its Duration");
  expect_refused(block() + section("Materials", section("steel", "set Type = linear-elasticity\nset E = 1\nset nu = 0\nset Density = 1")) +
                     tight + section("Supports", planes) + stages(section("still", "set Type = static\nset Heating = no")),
                 "Heating = no has no effect");
  const auto two = [](const std::string &cold, const std::string &name, const std::string &warm) {
    return section("Materials", section("steel", "set Type = linear-elasticity\nset Density = 1\nset Temperature = 0\n" + cold +
                                                     section("At temperatures", section(name, warm))));
  };
  const std::string good = "set E = 2\nset nu = 0.3\n";
  expect_refused(block() + two("set E = 2\nset nu = 0.7\n", "100", good) + hot("120") + rest, "nu = 0.7");
  expect_refused(block() + two(good, "100", "set E = -1\nset nu = 0.3\n") + hot("120") + rest, "E = -1");
  expect_refused(block() + two(good, "hot", good) + hot("120") + rest, "the name of the section is the temperature");
  const auto expect_warned = [&](const std::string &deck, const std::string &words) {
    const Folder folder;
    const Outcome run = run_well(folder, deck);
    EXPECT_NE(run.terminal.find(words), std::string::npos) << run.terminal;
  };
  expect_warned(block() + steel() + rest, "and the deck gives no temperatures");
  expect_warned(block() + section("Materials", section("steel", "set Type = linear-elasticity\nset E = 1\nset nu = 0\nset Density = 1")) +
                    hot("120") + rest,
                "temperatures have no effect");
}
}  // namespace symdyn::tests::in_temperature
