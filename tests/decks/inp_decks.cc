// Abaqus and CalculiX decks, run as a user runs them.
#include <gtest/gtest.h>

#include "tests/run.h"

namespace symdyn::tests::in_inp_decks
{
namespace
{
const std::string program = SYMDYN_BINARY;

/// The numbers of a .dat file.
std::vector<double> numbers(const std::string &text)
{
  std::vector<double> found;
  std::istringstream in(text);
  for (std::string word; in >> word;)
    try
    {
      found.push_back(std::stod(word));
    }
    catch (const std::invalid_argument &)
    {
    }
  return found;
}

/// The numbers of the line two below the one with this title.
std::vector<double> row_below(const std::string &text, const std::string &title)
{
  const auto at = text.find(title);
  if (at == std::string::npos)
    return {};
  const auto start = text.find("\n\n", at) + 2;
  return numbers(text.substr(start, text.find('\n', start) - start));
}

Outcome run_beam(const Folder &folder, const std::string &deck, const int ranks = 1) { return run_deck(folder, folder / deck, {}, ranks); }
}  // namespace

TEST(InpDecks, ConvertedDeckComputesTheSameBits)
{
  const Folder folder;
  std::filesystem::copy(SYMDYN_SOURCE "/decks/verification/beam.inp", folder / "beam.inp");
  ASSERT_EQ(run_beam(folder, "beam.inp").exit_code, 0);
  const std::string tables = text_of(folder / "results/beam.dat"), history = text_of(folder / "results/history.csv");
  const std::string convert = program + " convert " + folder / "beam.inp" + " " + folder / "beam.prm";
  ASSERT_EQ(command(folder, convert).exit_code, 0);
  EXPECT_EQ(command(folder, convert).exit_code, 1) << "it exists";
  EXPECT_EQ(command(folder, convert + " --overwrite").exit_code, 0);
  ASSERT_EQ(run_beam(folder, "beam.prm").exit_code, 0);
  EXPECT_GT(tables.size(), 100u);
  EXPECT_EQ(tables, text_of(folder / "results/beam.dat"));
  EXPECT_EQ(history, text_of(folder / "results/history.csv"));
}

TEST(InpDecks, TablesHoldForcesAndDisplacementsOnRanks)
{
  const Folder folder;
  std::filesystem::copy(SYMDYN_SOURCE "/decks/verification/beam.inp", folder / "beam.inp");
  ASSERT_EQ(run_beam(folder, "beam.inp").exit_code, 0);
  const std::string tables = text_of(folder / "results/beam.dat");
  const auto total = row_below(tables, "total force (fx,fy,fz) for set ROOT and time  0.1000000E+01");
  ASSERT_EQ(total.size(), 3u) << tables;
  EXPECT_NEAR(total[0], 0, 1e-6);
  EXPECT_NEAR(total[2], 100, 1e-4) << "four nodes with 25 N each";
  const auto tip = row_below(tables, "displacements (vx,vy,vz) for set TIP and time  0.1000000E+01");
  ASSERT_EQ(tip.size(), 4u);
  EXPECT_EQ(tip[0], 3) << "the lowest number";
  // Timoshenko's beam: F L^3/(3 E I) + F L/(kappa G A) = 1.52e-2 + 0.30e-2 mm with kappa = 5/6; two cells of incompatible modes are a
  // little stiffer.
  const double F = 100, L = 2, E = 210000, I = 1. / 12., G = E / 2.6, beam = -(F * L * L * L / (3 * E * I) + F * L / (5. / 6. * G));
  EXPECT_NEAR(tip[3], beam, 0.12 * std::abs(beam));

  const auto one = numbers(tables);
  ASSERT_EQ(run_beam(folder, "beam.inp", 2).exit_code, 0);
  const auto two = numbers(text_of(folder / "results/beam.dat"));
  ASSERT_EQ(one.size(), two.size());
  for (std::size_t i = 0; i < one.size(); ++i)
    EXPECT_NEAR(one[i], two[i], 1e-5 * std::max(1., std::abs(one[i])));
}

TEST(InpDecks, SupportsOfMiddleNodesHoldWithAPreconditionerOfDegreeOne)
{
  // Nodes of a cube of 20 nodes: corners, then the middles of its edges.
  const std::string
      nodes =
          "*NODE\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n9,.5,0,0\n10,1,.5,0\n11,.5,1,0\n12,0,.5,0\n"
          "13,.5,0,1\n14,1,.5,1\n15,.5,1,1\n16,0,.5,1\n17,0,0,.5\n18,1,0,.5\n19,1,1,.5\n20,0,1,.5\n",
      rest =
          "*ELEMENT, TYPE=C3D20, ELSET=E\n1,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,\n16,17,18,19,20\n*NSET, NSET=LOW\n1,2,3,4,9,10,11,12\n*NSET, NSET=TOP\n5,6,7,8\n"
          "*MATERIAL, NAME=M\n*ELASTIC\n1000., .3\n*DENSITY\n1.\n*SOLID SECTION, ELSET=E, MATERIAL=M\n*BOUNDARY\nLOW, 1, 3\n*STEP\n*STATIC\n*CLOAD\nTOP, 3, 1.\n"
          "*NODE PRINT, NSET=TOP\nU\n*END STEP\n";
  const Folder folder;
  std::ofstream(folder / "cube.inp") << nodes + rest;
  std::vector<double> tip[2];
  for (const bool matrix_free : {false, true})
  {
    std::vector<std::string> settings{"Linear solver/Type=mumps"};
    if (matrix_free)
      settings = {"Linear solver/Type=matrix-free", "Linear solver/matrix-free/Preconditioner=multigrid", "Linear solver/Tolerance=1e-12"};
    const Outcome outcome = run_deck(folder, folder / "cube.inp", settings);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.terminal;
    tip[matrix_free] = row_below(text_of(folder / "results/cube.dat"), "displacements");
    ASSERT_EQ(tip[matrix_free].size(), 4u);
    EXPECT_GT(tip[matrix_free][3], 4. / 1000) << "forces at corners: more than F L/(E A)";
  }
  EXPECT_NEAR(tip[0][3], tip[1][3], 1e-7);
}

TEST(InpDecks, ErrorsPointAtTheLineOfTheFile)
{
  const Folder folder;
  std::string text = text_of(SYMDYN_SOURCE "/decks/verification/beam.inp");
  text.replace(text.find("210000., 0.3"), 12, "210000., 0.7");
  std::ofstream(folder / "beam.inp") << text;
  const Outcome outcome = run_beam(folder, "beam.inp");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.terminal.find("beam.inp:25 (*ELASTIC) [Materials/STEEL] nu = 0.7"), std::string::npos) << outcome.terminal;
}
}  // namespace symdyn::tests::in_inp_decks
