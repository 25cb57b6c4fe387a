// Stresses in the layers of shells: classical laminate theory, pictures, history.csv, what is refused.
#include <gtest/gtest.h>
// VTK before the rest: it has macros of its own.
#include "tests/frames.h"

#include <array>
#include <cmath>

#include "tests/shell_decks.h"

namespace symdyn::tests::in_shell_decks
{
namespace
{
using Matrix = std::array<std::array<double, 6>, 6>;
using Stress = std::array<double, 3>;

struct Ply
{
  double thickness, degrees;
};
const std::vector<Ply> plies{{0.02, 0.}, {0.05, 45.}, {0.03, -30.}};
constexpr double E1 = 4e6, E2 = 2e5, nu12 = 0.3, G12 = 1e5;

/// Stress along the axes of a section of strains there (Jones 1975, equations 2.80).
std::array<Stress, 3> stiffness_of(const double degrees)
{
  const double c = std::cos(degrees * M_PI / 180.), s = std::sin(degrees * M_PI / 180.), nu21 = nu12 * E2 / E1, d = 1. - nu12 * nu21;
  const double Q11 = E1 / d, Q22 = E2 / d, Q12 = nu12 * E2 / d, Q66 = G12, c2 = c * c, s2 = s * s;
  const double a = Q11 - Q12 - 2. * Q66, b = Q12 - Q22 + 2. * Q66;
  const double q12 = (Q11 + Q22 - 4. * Q66) * s2 * c2 + Q12 * (s2 * s2 + c2 * c2), q16 = a * s * c * c2 + b * s * s2 * c,
               q26 = a * s * s2 * c + b * s * c * c2;
  return {{{Q11 * c2 * c2 + 2. * (Q12 + 2. * Q66) * s2 * c2 + Q22 * s2 * s2, q12, q16},
           {q12, Q11 * s2 * s2 + 2. * (Q12 + 2. * Q66) * s2 * c2 + Q22 * c2 * c2, q26},
           {q16, q26, (Q11 + Q22 - 2. * Q12 - 2. * Q66) * s2 * c2 + Q66 * (s2 * s2 + c2 * c2)}}};
}

/// Strains and curvatures under N, M: the inverse of (A B; B D), by Gauss.
std::array<double, 6> strains(std::array<double, 6> loads)
{
  Matrix m{};
  double low = -0.05;
  for (const auto &[t, degrees] : plies)
  {
    const auto Q = stiffness_of(degrees);
    const double high = low + t;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
      {
        m[i][j] += Q[i][j] * t;
        m[i][j + 3] += Q[i][j] * (high * high - low * low) / 2.;
        m[i + 3][j] = m[i][j + 3];
        m[i + 3][j + 3] += Q[i][j] * (high * high * high - low * low * low) / 3.;
      }
    low = high;
  }
  for (int p = 0; p < 6; ++p)
    for (int i = 0; i < 6; ++i)
      if (i != p)
      {
        const double factor = m[i][p] / m[p][p];
        for (int j = 0; j < 6; ++j)
          m[i][j] -= factor * m[p][j];
        loads[i] -= factor * loads[p];
      }
  for (int i = 0; i < 6; ++i)
    loads[i] /= m[i][i];
  return loads;
}

/// The stress of a ply along its own axes at a height.
Stress stress_of(const Ply &ply, const std::array<double, 6> &e, const double z)
{
  const auto Q = stiffness_of(ply.degrees);
  Stress s{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      s[i] += Q[i][j] * (e[j] + z * e[j + 3]);
  const double c = std::cos(ply.degrees * M_PI / 180.), n = std::sin(ply.degrees * M_PI / 180.);
  return {c * c * s[0] + n * n * s[1] + 2. * c * n * s[2], n * n * s[0] + c * c * s[1] - 2. * c * n * s[2],
          -c * n * s[0] + c * n * s[1] + (c * c - n * n) * s[2]};
}

constexpr double N = 2., M = 0.03;  // per length of the edge

/// The strip of these plies under N and M at its end.
std::string layered_strip()
{
  std::string deck = strip, layers;
  for (const auto &[t, degrees] : plies)
    layers += fmt::format("{}ply {} {}", layers.empty() ? "" : "; ", t, degrees);
  const std::string plain = elastic(1.2e6, 0., 1000.), single = "set Thickness = 0.1\nset Material = stuff\n";
  deck.erase(deck.find(plain), plain.size());
  deck.replace(
      deck.find(single), single.size(),
      "set Geometry = linear\nset Direction = 1, 0, 0\nset Layer stresses = yes\nset Layer stresses at = 7.2, 0.4, 0, 9.9, 0.6, 0\nset Layers = " +
          layers + "\n");
  return deck +
         section("Materials",
                 section("ply", fmt::format("set Type = linear-elasticity-anisotropic\nset E = {0}, {1}, {1}\nset nu = {2}, {2}, {2}\nset "
                                            "G = {3}, {3}, {3}\nset Density = 1",
                                            E1, E2, nu12, G12))) +
         section("Loads",
                 section("pull", fmt::format("set Type = edge-traction\nset Boundary = x+\nset Force per length = {}, 0, 0", N)) +
                     section("bend", fmt::format("set Type = edge-moment\nset Boundary = x+\nset Moment per length = 0, {}, 0\nset "
                                                 "Geometry = linear",
                                                 M))) +
         still;
}
}  // namespace

/// Far from the clamp N11 and M11 are those of the end and the others are 0: at bottom, middle and top of each layer the stress along its
/// axes is that of classical laminate theory, in history.csv and in pictures.
TEST(ShellLayers, ClassicalLaminateTheory)
{
  const Folder folder;
  const History history = run_well(folder, layered_strip(), {"Mesh/Subdivisions=40, 4", "Output/Points=per cell"}).history;
  const std::array<double, 6> e = strains({N, 0., 0., M, 0., 0.});
  double low = -0.05, largest = 0.;
  for (std::size_t i = 0; i < plies.size(); ++i)
  {
    for (const auto &[side, share] : {std::pair{"bottom", 0.}, {"middle", 0.5}, {"top", 1.}})
    {
      const Stress exact = stress_of(plies[i], e, low + share * plies[i].thickness);
      for (int k = 0; k < 3; ++k)
      {
        const std::string column = fmt::format("skin.at1.layer{}_{}_{}", i + 1, side, std::array{"S11", "S22", "S12"}[k]);
        EXPECT_NEAR(history.last(column), exact[k], 1e-2 * std::abs(exact[0]) + 0.02) << column;
        largest = std::max(largest, std::abs(exact[k]));
      }
    }
    low += plies[i].thickness;
  }
  EXPECT_GT(largest, 50.);
  std::string drawn;
  for (const std::string &file : files_of(folder / "results/solution.pvd"))
    if (file.find("parts") != std::string::npos)
      drawn = file;
  const auto grid = read_grid(drawn);
  auto *field = grid->GetPointData()->GetArray("layer2_top");
  ASSERT_NE(field, nullptr);
  ASSERT_EQ(grid->GetPointData()->GetArray("layer4_top"), nullptr);
  const double there = history.last("skin.at1.layer2_top_S11");
  bool found = false;
  for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i)
    found = found || std::abs(field->GetComponent(i, 0) - there) < 1e-5 * std::abs(there);
  EXPECT_TRUE(found) << there;
}

/// The same on two ranks, and what is refused.
TEST(ShellLayers, RanksAndErrors)
{
  const Folder one, two;
  const std::string column = "skin.at2.layer3_bottom_S22";
  const double alone = run_well(one, layered_strip()).history.last(column);
  EXPECT_NEAR(run_well(two, layered_strip(), {}, 2).history.last(column), alone, 1e-8 * std::abs(alone));
  expect_refused(layered_strip(), "is on no cell of the shell", {"Shells/skin/Layer stresses at=20, 0, 0"});
  expect_refused(layered_strip(), "needs three numbers for each place", {"Shells/skin/Layer stresses at=20, 0"});
}
}  // namespace symdyn::tests::in_shell_decks
