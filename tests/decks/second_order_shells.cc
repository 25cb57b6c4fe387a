// Shells of second order, S8R and S6: plates and curved roofs from files, edges, waves.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>
#include <functional>

#include "tests/inp_model.h"
#include "tests/shell_decks.h"

namespace symdyn::tests::in_second_order_shells
{
namespace
{
using Place = std::array<double, 3>;
/// n0 x n1 cells of S8R, or twice as many S6, on the image of the unit square; sets SKIN, and X0, X1, Y0, Y1 of the sides.
std::string mesh_of(const std::string &type, const int n0, const int n1, const std::function<Place(double, double)> &place)
{
  std::string text = "*NODE\n", cells = "*ELEMENT, TYPE=" + type + ", ELSET=SKIN\n";
  const auto number = [&](const int i, const int j) { return 1 + i + j * (2 * n0 + 1); };
  std::array<std::string, 4> sides{"*NSET, NSET=X0\n", "*NSET, NSET=X1\n", "*NSET, NSET=Y0\n", "*NSET, NSET=Y1\n"};
  for (int j = 0; j <= 2 * n1; ++j)
    for (int i = 0; i <= 2 * n0; ++i)
    {
      if (type == "S8R" && i % 2 == 1 && j % 2 == 1)
        continue;
      const Place X = place(0.5 * i / n0, 0.5 * j / n1);
      text += fmt::format("{}, {:.15g}, {:.15g}, {:.15g}\n", number(i, j), X[0], X[1], X[2]);
      for (const auto &[side, is_on] : {std::pair{0, i == 0}, {1, i == 2 * n0}, {2, j == 0}, {3, j == 2 * n1}})
        sides[side] += is_on ? fmt::format("{}\n", number(i, j)) : "";
    }
  int count = 0;
  const auto add = [&](const std::vector<std::array<int, 2>> &nodes, const int i, const int j) {
    cells += std::to_string(++count);
    for (const auto &[di, dj] : nodes)
      cells += fmt::format(", {}", number(2 * i + di, 2 * j + dj));
    cells += "\n";
  };
  for (int j = 0; j < n1; ++j)
    for (int i = 0; i < n0; ++i)
      if (type == "S8R")
        add({{0, 0}, {2, 0}, {2, 2}, {0, 2}, {1, 0}, {2, 1}, {1, 2}, {0, 1}}, i, j);
      else
      {
        add({{0, 0}, {2, 0}, {2, 2}, {1, 0}, {2, 1}, {1, 1}}, i, j);
        add({{0, 0}, {2, 2}, {0, 2}, {1, 1}, {1, 2}, {0, 1}}, i, j);
      }
  return text + cells + sides[0] + sides[1] + sides[2] + sides[3];
}

std::string stuff(const double E, const double nu, const double density, const double thickness)
{
  return fmt::format("*MATERIAL, NAME=M\n*ELASTIC\n{}, {}\n*DENSITY\n{}.\n*SHELL SECTION, ELSET=SKIN, MATERIAL=M\n{}\n", E, nu, density,
                     thickness);
}
class SecondOrderShells : public testing::TestWithParam<std::string>
{
};
INSTANTIATE_TEST_SUITE_P(All, SecondOrderShells, testing::Values("S8R", "S6"));
}  // namespace

/// The clamped plate of InpThin.ClampedPlate: w = 0.00126 p L⁴/D (Timoshenko, Woinowsky-Krieger 1959, table 35). A quarter, by symmetry.
TEST_P(SecondOrderShells, ClampedPlate)
{
  constexpr double p = 1e4, D = 2e11 * 1e-6 / 12. / (1. - 0.09);
  const auto half = [](const double x, const double y) { return Place{0.5 * x, 0.5 * y, 0.}; };
  const int n = GetParam() == "S8R" ? 6 : 12;
  const std::string tables =
      tables_of(mesh_of(GetParam(), n, n, half) + stuff(2e11, 0.3, 7800, 0.01) + "*BOUNDARY\nX0, XSYMM\nY0, YSYMM\nX1, 1, 6\nY1, 1, 6\n" +
                static_step(fmt::format("*DLOAD\nSKIN, P, {}\n*NODE PRINT, NSET=X0\nU\n", p)));
  EXPECT_NEAR(rows_below(tables, "displacements").at(0).at(3), 0.00126 * p / D, 0.01 * 0.00126 * p / D);
}

/// The Scordelis-Lo roof with curved cells under its weight: -0.3006 by deep shells, -0.3024 published.
TEST_P(SecondOrderShells, CurvedRoof)
{
  const auto place = [](const double x, const double angle) {
    const double phi = angle * 40. * M_PI / 180.;
    return Place{25. * x, 25. * std::sin(phi), 25. * std::cos(phi)};
  };
  const std::string tables =
      tables_of(mesh_of(GetParam(), 8, 8, place) + stuff(4.32e8, 0., 36, 0.25) + "*BOUNDARY\nX0, 2, 3\nX1, XSYMM\nY0, YSYMM\n" +
                static_step("*DLOAD\nSKIN, GRAV, 10., 0., 0., -1.\n*NODE PRINT, NSET=X1\nU\n"));
  const auto rows = rows_below(tables, "displacements");
  EXPECT_NEAR(rows.back().at(3), -0.3006, GetParam() == "S8R" ? 0.003 : 0.008);
}

/// A cantilever under a line load on its edge of three-node lines: F L³/(3 E I).
TEST_P(SecondOrderShells, EdgesOfThreeNodes)
{
  const auto strip = [](const double x, const double y) { return Place{10. * x, y, 0.}; };
  const Folder folder;
  const int n = GetParam() == "S8R" ? 10 : 20, row = 2 * n + 1;
  std::ofstream(folder / "strip.inp")
      << mesh_of(GetParam(), n, 1, strip)
      << fmt::format("*ELEMENT, TYPE=B32, ELSET=tip\n1000, {}, {}, {}\n*ELEMENT, TYPE=B32, ELSET=root\n1001, 1, {}, {}\n", row, 2 * row,
                     3 * row, 1 + row, 1 + 2 * row);
  const std::string deck =
      "set Structure = discrete\n" + section("Mesh", "set Type = file\nset File = strip.inp") + elastic(1.2e6, 0., 1000.) +
      section("Shells", section("skin", "set Groups = SKIN\nset Thickness = 0.1\nset Material = stuff")) +
      in_shell_decks::support("clamp", "root", "fixed") + in_shell_decks::node("end", "10, 0.5, 0") +
      in_shell_decks::load("line", "edge-traction\nset Boundary = tip\nset Force per length = 0, 0, 1e-4") + in_shell_decks::still;
  constexpr double EI = 1.2e6 * 1e-3 / 12.;
  const double exact = 1e-4 * 1000. / (3. * EI);
  EXPECT_NEAR(run_well(folder, deck).history.last("end.z"), exact, 3e-3 * exact);
}
}  // namespace symdyn::tests::in_second_order_shells
