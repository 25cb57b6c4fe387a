// What `symdyn check` says of speeds and periods before a run.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/run.h"

namespace symdyn::tests::in_check_estimates
{
namespace
{
std::string section(const std::string &name, const std::string &content) { return "subsection " + name + "\n" + content + "\nend\n"; }

/// A cantilever of steel in mm, t, s.
std::string cantilever(const std::string &density)
{
  return section("Units", "set System = mm-t-s") +
         section("Mesh", "set Type = box\nset Order = 2\nset Subdivisions = 8, 2, 2\n" + section("box", "set Size = 200, 20, 10")) +
         section("Materials", section("steel", "set Type = linear-elasticity\nset E = 210000\nset nu = 0.3\nset Density = " + density)) +
         section("Supports", section("root", "set Boundary = x-")) +
         section("Stages", section("vibration", "set Type = modes\nset Modes = 2"));
}

double number_behind(const std::string &text, const std::string &words)
{
  const std::size_t at = text.find(words);
  return at == std::string::npos ? std::nan("") : std::strtod(text.c_str() + at + words.size(), nullptr);
}

Outcome check(const Folder &folder, const std::string &text) { return tool(folder, "check " + write_file(folder, "deck.prm", text)); }
}  // namespace

TEST(CheckEstimates, SpeedOfWavesAndFirstPeriodAreThoseOfTheBody)
{
  const Folder folder;
  const std::string text = check(folder, cantilever("7.85e-9")).terminal;
  const double E = 210000, nu = 0.3, rho = 7.85e-9, c = std::sqrt(E * (1 - nu) / ((1 + nu) * (1 - 2 * nu) * rho));
  EXPECT_NEAR(number_behind(text, "longitudinal waves in steel: "), c, 1e-3 * c) << text;
  EXPECT_NEAR(number_behind(text, " mm/s, "), 200. / c, 1e-3 * 200. / c) << text;
  // Euler and Bernoulli: omega = 1.875104^2 sqrt(E I/(rho A L^4)) about the thin side; shear makes it 0.3 % less.
  const double omega = std::pow(1.875104 / 200., 2) * std::sqrt(E * 10. * 10. / (12. * rho));
  EXPECT_NEAR(number_behind(text, "first period: "), 2. * M_PI / omega, 0.03 * 2. * M_PI / omega) << text;
  EXPECT_EQ(text.find("waves run at"), std::string::npos) << text;
}

/// Two bodies of one cell: 12 motions without a frequency come first.
TEST(CheckEstimates, FreeBodiesHaveAPeriodToo)
{
  const Folder folder;
  const std::string nodes =
      "*NODE\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n"
      "11,3,0,0\n12,4,0,0\n13,4,1,0\n14,3,1,0\n15,3,0,1\n16,4,0,1\n17,4,1,1\n18,3,1,1\n";
  write_file(folder, "two.inp", nodes + "*ELEMENT, TYPE=C3D8, ELSET=E\n1,1,2,3,4,5,6,7,8\n2,11,12,13,14,15,16,17,18\n");
  const std::string text = check(folder,
                                 "subsection Mesh\nset Type = file\nset File = two.inp\nend\nsubsection Materials\nsubsection soft\n"
                                 "set Type = neo-hooke-log\nset E = 1e9\nset nu = 0\nset Density = 1000\nend\nend\n"
                                 "subsection Time\nset Time step = 1e-4\nset End time = 1e-3\nend\n")
                               .terminal;
  const double period = number_behind(text, "first period: ");
  // Of one cell: its lowest vibrations are shears and bending of faces, omega^2 between E/(rho L^2) and 12 E/(rho L^2).
  EXPECT_GT(period, 2. * M_PI / std::sqrt(12. * 1e6)) << text;
  EXPECT_LT(period, 2. * M_PI / std::sqrt(1e6)) << text;
  EXPECT_EQ(text.find("modes were asked for"), std::string::npos) << text;
}

TEST(CheckEstimates, WrongUnitsOfTheDensityAreWarnedOf)
{
  const Folder folder;
  const Outcome outcome = check(folder, cantilever("7850"));
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(has(outcome.terminal, "[Materials/steel]: waves run at 0.006001 m/s, and in solids at 10 to 15000. Look at the units"), "");
}

/// Of statics without gravity nothing feels the density, which files may leave out.
TEST(CheckEstimates, WhereNothingMovesNothingIsSaid)
{
  const Folder folder;
  std::string text = cantilever("7850");
  text.replace(text.find("set Type = modes\nset Modes = 2"), 30, "set Type = static");
  const Outcome outcome = check(folder, text);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.terminal;
  EXPECT_EQ(outcome.terminal.find("waves"), std::string::npos) << outcome.terminal;
}

TEST(CheckEstimates, ExplicitRunsHaveNoPeriod)
{
  const Folder folder;
  std::string text = cantilever("7.85e-9");
  text.erase(text.find("subsection Stages"));
  text += section("Elements", "set Mass = lumped") + section("Time", "set Time step = auto\nset End time = 1e-5") +
          section("Integrator", "set Scheme = central-difference");
  const Outcome outcome = check(folder, text);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.terminal;
  EXPECT_EQ(has(outcome.terminal, "first period: not estimated, an explicit run has no matrices"), "");
}
}  // namespace symdyn::tests::in_check_estimates
