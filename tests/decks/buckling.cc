// Stages of Type = buckling: columns against Euler by every element, plates, bars, preloads, what the answer may not depend on, what is
// refused, .inp files. Reference: Euler, E I pi²/(4 L²) of a clamped column with a free end.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>

#include "tests/compare.h"
#include "tests/frames.h"
#include "tests/inp_model.h"
#include "tests/linear_decks.h"

namespace symdyn::tests::in_buckling
{
namespace
{
constexpr double pi = 3.14159265358979323846;
/// A stage that finds the factors of the load `push`.
std::string buckle(const std::string &more = "") { return section("buckle", "set Type = buckling\nset Loads = push\n" + more); }
std::vector<double> factors_of(const std::string &deck, const Settings &settings = {}, const int ranks = 1)
{
  const Folder folder;
  run_well(folder, deck, settings, ranks);
  return table_of(folder / "results/buckling-buckle.csv")["factor"];
}

/// A plane-stress column of 1 m x h, 20 cells of degree 2, E = 1, pressed by a dead pressure on its end.
std::string plane_column(const double h, const double nu, const double force = 1., const std::string &cells = "20, 1")
{
  return section("Mesh", "set Type = box\nset Dimension = 2\nset Subdivisions = " + cells + "\nset Order = 2\n" +
                             section("box", fmt::format("set Size = 1, {:.15g}", h))) +
         section("Materials", section("stuff", fmt::format("set Type = linear-elasticity\nset E = 1e6\nset nu = {}\nset Density = 1\nset "
                                                           "Plane = stress",
                                                           nu))) +
         section("Supports", section("root", "set Boundary = x-")) +
         section("Loads", section("push", fmt::format("set Type = traction\nset Boundary = x+\nset Traction = {:.15g}, 0", -force / h)));
}
double stiffness_of(const double h) { return 1e6 * h * h * h / 12.; }

/// A beam along x, 2 m, 20 mm x 30 mm, clamped at x = 0, pushed at its end.
std::string beam_column(const std::string &type, const std::string &more = "", const double force = 1.)
{
  return "set Structure = discrete\n" +
         section("Points", section("foot", "set Position = 0, 0, 0\nset Fixed = yes") + section("top", "set Position = 2, 0, 0")) +
         section("Beams",
                 section("mast", "set From = foot\nset To = top\nset Elements = 10\nset Type = " + type +
                                     "\nset Direction = 0, 1, 0\nset Size = 0.02, 0.03\nset E = 2e11\nset nu = 0\nset Density = 8000\n"
                                     "set Clamped = from")) +
         section("Forces", section("push", fmt::format("set Points = top\nset Force = {:.15g}, 0, 0", -force))) + more;
}
const double euler_of_beam = pi * pi * 2e11 * 0.03 * std::pow(0.02, 3) / 12. / 16.;
}  // namespace

/// Numbers of nine-node cells with the same loading, to the digits of the table; a push that is 10^6 times as large has 10^-6 of the
/// factor.
TEST(Buckling, PlaneColumn)
{
  for (const auto &[h, nu, value] :
       {std::tuple{0.02, 0., 2.46728019}, {0.05, 0., 2.46371842}, {0.02, 0.3, 2.46993295}, {0.05, 0.3, 2.46612784}})
  {
    const auto factors = factors_of(plane_column(h, nu) + stages(buckle("set Modes = 2")));
    ASSERT_EQ(factors.size(), 2u);
    EXPECT_NEAR(factors[0] / stiffness_of(h), value, 1e-5 * value) << h << nu;
    EXPECT_NEAR(factors[1] / factors[0], 9., 0.15) << "less by shear";
  }
}

/// B31, B32, elastic and exact directors: Euler within 6e-3; the second factor is that of the other axis; a Sturm count says that none is
/// missing.
TEST(Buckling, BeamColumn)
{
  for (const std::string type : {"B31", "B32"})
    for (const std::string directors : {"elastic", "exact"})
    {
      const Folder folder;
      const Outcome run =
          run_well(folder, beam_column(type, section("Elements", "set Directors = " + directors)) + stages(buckle("set Modes = 3")));
      const auto factors = table_of(folder / "results/buckling-buckle.csv")["factor"];
      ASSERT_EQ(factors.size(), 3u);
      EXPECT_NEAR(factors[0] / euler_of_beam, 1., 6e-3) << type << directors;
      EXPECT_NEAR(factors[1] / factors[0], 2.25, 0.01) << type << directors;
      EXPECT_NEAR(factors[2] / factors[0], 9., type == "B31" ? 0.35 : 0.05) << type << directors;
      EXPECT_TRUE(run.summary["stages"][0]["none is missing"].get<bool>()) << run.summary.dump(1);
      const auto frame = read_grid(files_of(folder / "results/buckling-buckle.pvd").back());
      ASSERT_EQ(frame->GetPointData()->GetNumberOfArrays(), 1) << "strains of second order of an amplitude of 1 mean nothing";
      EXPECT_STREQ(frame->GetPointData()->GetArrayName(0), "displacement");
    }
}

/// Elements whose strains are linear, as those of .inp files without NLGEOM, buckle as the others do about rest.
TEST(Buckling, OfLinearBeams)
{
  const Folder folder;
  const auto factors = [&](const std::string &geometry) {
    run_well(folder, beam_column("B31") + stages(buckle("set Modes = 3")), {"Beams/mast/Geometry=" + geometry});
    return table_of(folder / "results/buckling-buckle.csv")["factor"];
  };
  const auto linear = factors("linear"), nonlinear = factors("nonlinear");
  ASSERT_EQ(linear.size(), 3u);
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(linear[i], nonlinear[i], 1e-7 * nonlinear[i]) << i;
}

/// A bar of 100 x 100 x 3000 mm by 120 C3D20R: factor times load is one number for loads of 1 N to six times the critical one, and two
/// factors are equal. CalculiX 2.20 finds 1.43 of 3e6 N and misses 0.16.
TEST(Buckling, SolidColumnOfAnyLoad)
{
  const auto critical = [](const double force) {
    const auto factors = factors_of(
        section("Mesh", "set Type = box\nset Subdivisions = 2, 2, 15\nset Order = 2\nset Element = serendipity-reduced\n" +
                            section("box", "set Size = 100, 100, 3000")) +
        elastic(210000., 0.28, 7.8e-9) + section("Supports", section("root", "set Boundary = z-")) +
        section("Loads",
                section("push", fmt::format("set Type = traction\nset Boundary = z+\nset Traction = 0, 0, {:.15g}", -force / 1e4))) +
        stages(buckle("set Modes = 2")));
    EXPECT_EQ(factors.size(), 2u);
    EXPECT_NEAR(factors.back() / factors.front(), 1., 1e-6);
    return force * factors.front();
  };
  const double once = critical(1.);
  EXPECT_NEAR(once, 480360., 1e-3 * 480360.);
  for (const double force : {470437.1, 3e6})
    EXPECT_NEAR(critical(force) / once, 1., 1e-6) << force;
}

/// Bryan 1891: 4 pi² D/b². Elastic and exact directors; the dense and the iterative search.
TEST(Buckling, Plate)
{
  const double bryan = 4. * pi * pi * 2.1e11 * 1e-6 / (12. * 0.91);
  for (const std::string directors : {"elastic", "exact"})
    for (const std::string cells : {directors == "exact" ? "8, 8" : "16, 16"})
    {
      const Folder folder;
      const Outcome run =
          run_deck(folder, "verification/bryan-plate.prm", {"Elements/Directors=" + directors, "Mesh/Subdivisions=" + cells});
      ASSERT_EQ(run.exit_code, 0) << run.terminal;
      const auto factors = table_of(folder / "results/buckling-buckle.csv")["factor"];
      EXPECT_NEAR(factors.at(0) / bryan, 1., cells == "8, 8" ? 0.022 : 5e-3) << directors << cells;
      EXPECT_TRUE(run.summary["stages"][0]["none is missing"].get<bool>());
    }
}

/// A bar of 2 m on a hinge, held aside by bars with k = EA/L = 50 and 80 N/m: it falls at k L.
TEST(Buckling, Truss)
{
  const std::string deck = "set Structure = discrete\n" +
                           section("Points", section("foot", "set Position = 0, 0, 0\nset Fixed = yes") +
                                                 section("top", "set Position = 0, 0, 2\nset Mass = 1")) +
                           section("Bars", section("post", "set From = foot\nset To = top\nset EA = 1e6") +
                                               section("x", "set From = top\nset To = ground\nset Anchor = 10, 0, 2\nset EA = 500") +
                                               section("y", "set From = top\nset To = ground\nset Anchor = 0, 10, 2\nset EA = 800")) +
                           section("Forces", section("push", "set Points = top\nset Force = 0, 0, -1"));
  const auto factors = factors_of(deck + stages(buckle("set Modes = 2")));
  ASSERT_EQ(factors.size(), 2u);
  EXPECT_NEAR(factors[0], 100., 1e-5);
  EXPECT_NEAR(factors[1], 160., 1e-5);
}

/// A cantilever of 400 x 2 x 20 mm by 160 C3D20R under a force across at its end falls sideways: 86.81359, 222.1664, 359.5814 N of CalculiX
/// 2.20 (Prandtl, of a slender one: 84.31).
TEST(Buckling, LateralOfANarrowCantilever)
{
  const auto factors =
      factors_of(section("Mesh", "set Type = box\nset Subdivisions = 40, 1, 4\nset Order = 2\nset Element = serendipity-reduced\n" +
                                     section("box", "set Size = 400, 2, 20")) +
                 elastic(210000., 0.3, 7.85e-9) + section("Supports", section("root", "set Boundary = x-")) +
                 section("Points", section("left", "set On mesh = yes\nset Position = 400, 0, 10") +
                                       section("right", "set On mesh = yes\nset Position = 400, 2, 10")) +
                 section("Forces", section("push", "set Points = left, right\nset Force = 0, 0, -0.5")) + stages(buckle("set Modes = 3")));
  ASSERT_EQ(factors.size(), 3u);
  for (const auto &[i, value] : {std::pair{0, 86.81359}, {1, 222.1664}, {2, 359.5814}})
    EXPECT_NEAR(factors[i], value, 1e-5 * value) << i;
}

/// What presses before takes its part: with 0.4 of Euler's load 0.6 are left.
TEST(Buckling, PreloadStays)
{
  const std::string before = section("hold", "set Type = static\nset Loads = hold"),
                    hold = fmt::format("subsection Forces\nsubsection hold\nset Points = top\nset Force = {:.15g}, 0, 0\nend\nend\n",
                                       -0.4 * euler_of_beam);
  const double whole = factors_of(beam_column("B32") + stages(buckle("set Modes = 1"))).at(0),
               rest = factors_of(beam_column("B32") + hold + stages(before + buckle("set Modes = 1"))).at(0);
  EXPECT_NEAR(rest / whole, 1. - 0.4 * euler_of_beam / whole, 2e-3);
}

/// The derivative of the stiffness is that of the stress where the shape before buckling is straight. A Sturm count is of the stress alone.
TEST(Buckling, ConsistentIsTheDerivative)
{
  const std::string law =
      section("Materials", section("stuff", "set Type = st-venant-kirchhoff\nset E = 1e6\nset nu = 0\nset Density = 1"));
  const std::string column = section("Mesh", "set Type = box\nset Dimension = 2\nset Subdivisions = 20, 1\nset Order = 2\n" +
                                                 section("box", "set Size = 1, 0.02")) +
                             law + section("Supports", section("root", "set Boundary = x-")) +
                             section("Loads", section("push", "set Type = traction\nset Boundary = x+\nset Traction = -1, 0"));
  const double stress = factors_of(column + stages(buckle("set Modes = 1"))).at(0),
               consistent = factors_of(column + stages(buckle("set Modes = 1\nset Geometric stiffness = consistent"))).at(0);
  EXPECT_NEAR(consistent / stress, 1., 1e-3);
  EXPECT_GT(std::abs(consistent / stress - 1.), 1e-6) << "the column is shorter when it buckles";
}

TEST(Buckling, OnRanks)
{
  const std::string deck = plane_column(0.05, 0.3, 1., "80, 2") + stages(buckle());
  const auto one = factors_of(deck), two = factors_of(deck, {}, 2);
  ASSERT_EQ(one.size(), two.size());
  for (std::size_t i = 0; i < one.size(); ++i)
    EXPECT_NEAR(two[i] / one[i], 1., 1e-7) << i;
}

/// Loads that pull, those of the other sign, and all.
TEST(Buckling, Signs)
{
  const std::string pull = plane_column(0.05, 0., -1.);
  expect_refused(pull + stages(buckle()), "no positive factor; the nearest of the other sign is -");
  const double pressed = factors_of(plane_column(0.05, 0.) + stages(buckle("set Modes = 1"))).at(0);
  EXPECT_NEAR(factors_of(pull + stages(buckle("set Modes = 1\nset Sign = negative"))).at(0), -pressed, 1e-9 * pressed);
  EXPECT_NEAR(factors_of(pull + stages(buckle("set Modes = 1\nset Sign = both"))).at(0), -pressed, 1e-9 * pressed);
}

TEST(Buckling, Refused)
{
  const std::string column = plane_column(0.05, 0.);
  const auto without = [&](const std::string &name) {
    const auto from = column.find("subsection " + name), to = column.find("end\n\nend\n", from) + 9;
    return column.substr(0, from) + column.substr(to);
  };
  expect_refused(without("Supports") + stages(buckle()), "nothing holds the body");
  expect_refused(without("Loads") + stages(section("buckle", "set Type = buckling")), "no loads grow: the deck has none");
  expect_refused(column + stages(section("buckle", "set Type = buckling\nset Loads = shove")), "there is no load 'shove'");
  const std::string follow = section("Loads", section("push", "set Type = pressure\nset Boundary = x+\nset Pressure = 1"));
  expect_refused(without("Loads") + follow + stages(buckle()), "has no symmetric tangent");
  const std::string far =
      fmt::format("subsection Forces\nsubsection hold\nset Points = top\nset Force = {:.15g}, 0, 0\nend\nend\n", -1.5 * euler_of_beam);
  expect_refused(beam_column("B32") + far + stages(section("hold", "set Type = static\nset Loads = hold") + buckle()),
                 "the state before has 1 unstable mode");
  expect_refused(beam_column("B31", section("Elements", "set Directors = exact")) + stages(buckle("set Geometric stiffness = consistent")),
                 "Set Geometric stiffness = stress");
  expect_refused(beam_column("B31", section("Points", section("ball", "set Position = 3, 0, 0\nset Mass = 1")) +
                                        section("Constraints", section("rod", "set From = top\nset To = ball"))) +
                     stages(buckle()),
                 "buckling has no exact constraints");
}

/// *BUCKLE of C3D8I, 2 x 2 x 20 in 100 x 100 x 3000 mm, as CalculiX 2.20 prints it: 482445.6 (twice), 4335141.
TEST(Buckling, InpFile)
{
  constexpr int n = 3, layers = 20;
  const auto node = [](const int i, const int j, const int k) { return 1 + i + n * (j + n * k); };
  std::string text = "*NODE, NSET=ALL\n", cells = "*ELEMENT, TYPE=C3D8I, ELSET=BODY\n", root = "*NSET, NSET=ROOT\n", load = "*CLOAD\n";
  int cell = 0;
  for (int k = 0; k <= layers; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i)
      {
        text += fmt::format("{}, {}., {}., {}.\n", node(i, j, k), 50 * i, 50 * j, 150 * k);
        if (i + 1 < n && j + 1 < n && k < layers)
          cells +=
              fmt::format("{}, {}, {}, {}, {}, {}, {}, {}, {}\n", ++cell, node(i, j, k), node(i + 1, j, k), node(i + 1, j + 1, k),
                          node(i, j + 1, k), node(i, j, k + 1), node(i + 1, j, k + 1), node(i + 1, j + 1, k + 1), node(i, j + 1, k + 1));
        if (k == 0)
          root += fmt::format("{},\n", node(i, j, k));
        if (k == layers)
          load += fmt::format("{}, 3, {}\n", node(i, j, k), -(i == 1 ? 0.5 : 0.25) * (j == 1 ? 0.5 : 0.25));
      }
  const std::string tables = tables_of(text + cells + root +
                                       "*MATERIAL, NAME=M\n*ELASTIC\n210000., 0.28\n*DENSITY\n7.8e-9\n*SOLID SECTION, ELSET=BODY, "
                                       "MATERIAL=M\n*BOUNDARY\nROOT, 1, 3\n*STEP\n*BUCKLE\n3\n" +
                                       load + "*NODE PRINT, NSET=ROOT\nU\n*END STEP\n");
  ASSERT_NE(tables.find("B U C K L I N G   F A C T O R   O U T P U T"), std::string::npos) << tables.substr(0, 500);
  const auto rows = rows_below(tables.substr(tables.find("FACTOR\n\n")), "FACTOR");
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_NEAR(rows[0].at(1), 482445.6, 1e-3 * 482445.6);
  EXPECT_NEAR(rows[1].at(1), 482445.6, 1e-3 * 482445.6);
  EXPECT_NEAR(rows[2].at(1), 4335141., 5e-3 * 4335141.);  // modes within cells have no part in Kσ here
}
}  // namespace symdyn::tests::in_buckling
