#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/run.h"

// Incompatible modes on skewed cells, compared with C3D8I of CalculiX 2.20: the same stiffness, and modes that move
// mass.
namespace symdyn::tests::in_mode_inertia
{
namespace
{
/// NAFEMS FV22: a rhombic plate of 10 m and 1 m, its sides clamped; n x n x layers cells of type C3D8I.
std::string plate(const int n, const int layers, const double angle, const std::string &step)
{
  std::string nodes = "*NODE, NSET=ALL\n", cells = "*ELEMENT, TYPE=C3D8I, ELSET=PLATE\n", edge = "*NSET, NSET=EDGE\n";
  const auto number = [n](const int i, const int j, const int k) { return 1 + i + (n + 1) * (j + (n + 1) * k); };
  for (int k = 0; k <= layers; ++k)
    for (int j = 0; j <= n; ++j)
      for (int i = 0; i <= n; ++i)
      {
        const double along = 10. * j / n;
        nodes += fmt::format("{}, {:.15g}, {:.15g}, {:.15g}\n", number(i, j, k), 10. * i / n + along * std::cos(angle),
                             along * std::sin(angle), double(k) / layers);
        if (i % n == 0 || j % n == 0)
          edge += fmt::format("{},\n", number(i, j, k));
      }
  int cell = 0;
  for (int k = 0; k < layers; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i)
      {
        cells += fmt::format("{}", ++cell);
        for (int z = k; z <= k + 1; ++z)
          cells += fmt::format(", {}, {}, {}, {}", number(i, j, z), number(i + 1, j, z), number(i + 1, j + 1, z), number(i, j + 1, z));
        cells += "\n";
      }
  return nodes + cells + edge + fmt::format("*NSET, NSET=MIDDLE\n{}\n", number(n / 2, n / 2, layers)) +
         "*MATERIAL, NAME=STEEL\n*ELASTIC\n2e11, 0.3\n*DENSITY\n8000\n*SOLID SECTION, ELSET=PLATE, "
         "MATERIAL=STEEL\n*BOUNDARY\nEDGE, 1, 3\n*STEP\n" +
         step + "*END STEP\n";
}

const double skew = std::acos(-1.) / 4., right = 2. * skew;

/// The first natural frequencies [Hz].
std::vector<double> frequencies(const int n, const int layers, const double angle, const std::vector<std::string> &settings = {},
                                const int ranks = 1)
{
  const Folder folder;
  std::ofstream(folder / "plate.inp") << plate(n, layers, angle, "*FREQUENCY\n4\n");
  const Outcome outcome = run_deck(folder, folder / "plate.inp", settings, ranks);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.terminal;
  std::istringstream table(text_of(folder / "results/modes-step-1.csv"));
  std::vector<double> found;
  std::string line;
  std::getline(table, line);
  while (std::getline(table, line))
    found.push_back(std::stod(line.substr(line.find(',', line.find(',') + 1) + 1)));
  EXPECT_GE(found.size(), 4u) << outcome.terminal;
  found.resize(4);
  return found;
}
}  // namespace

TEST(ModeInertia, StaticDeflectionOfSkewedCellsIsThatOfCalculix)
{
  const Folder folder;
  std::ofstream(folder / "plate.inp") << plate(8, 1, skew, "*STATIC\n*CLOAD\nMIDDLE, 3, -1e6\n*NODE PRINT, NSET=MIDDLE\nU\n");
  const Outcome outcome = run_deck(folder, folder / "plate.inp");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.terminal;
  const std::string tables = text_of(folder / "results/plate.dat");
  const double u = std::stod(tables.substr(tables.find_last_of(' ', tables.find_last_not_of(" \n"))));
  EXPECT_NEAR(u, -2.376083e-5, 1e-6 * 2.4e-5) << tables;
}

TEST(ModeInertia, FrequenciesOfFV22Nightly)
{
  // CalculiX 2.20, C3D8I, whose modes have degrees of freedom of their own with mass; here they follow in equilibrium.
  // NAFEMS: 133.95 Hz; fine meshes: 135.5 Hz.
  const std::vector<double> calculix{138.1083, 215.8173, 286.1406, 290.5920}, here = frequencies(8, 1, skew);
  EXPECT_NEAR(here[0], calculix[0], 0.006 * calculix[0]);
  EXPECT_LT(here[0], 139.);
  for (int i = 1; i < 4; ++i)
    EXPECT_NEAR(here[i], calculix[i], 0.03 * calculix[i]) << i;
  EXPECT_NEAR(frequencies(8, 1, skew, {}, 2)[0], here[0], 1e-6 * here[0]);
}

TEST(ModeInertia, FrequenciesOfASquarePlate)
{
  // Of 16 x 16 x 2 and 32 x 32 x 2 cells of CalculiX: 80.02 Hz. Without the mass of the modes 8 x 8 x 1 cells
  // give 82.72 Hz.
  EXPECT_NEAR(frequencies(8, 1, right)[0], 80.02, 0.2);
}

TEST(ModeInertia, LargeMotionsHaveTheMassOfTheNodes)
{
  // M must not depend on how the body is turned: laws of finite strain have no mass of modes.
  EXPECT_NEAR(frequencies(8, 1, skew, {"Materials/STEEL/Type=st-venant-kirchhoff"})[0], 144.617, 0.01);
}
}  // namespace symdyn::tests::in_mode_inertia
