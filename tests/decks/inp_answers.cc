// What decks of Abaqus and CalculiX amount to in numbers: those that CalculiX 2.20 prints for the same deck.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "tests/run.h"

namespace symdyn::tests::in_inp_answers
{
namespace
{
const std::string
    cube =
        "*NODE, NSET=NALL\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n*ELEMENT, TYPE=C3D8, ELSET=EALL\n1,1,2,3,4,5,6,7,8\n*NSET, NSET=BOT\n1,2,3,4\n",
    second = "*NODE, NSET=NALL\n9,0,0,2\n10,1,0,2\n11,1,1,2\n12,0,1,2\n*ELEMENT, TYPE=C3D8, ELSET=EALL\n2,5,6,7,8,9,10,11,12\n",
    material = "*MATERIAL, NAME=M\n*ELASTIC\n1000., 0.\n*DENSITY\n1.\n*SOLID SECTION, ELSET=EALL, MATERIAL=M\n*BOUNDARY\nBOT,1,3\n",
    print = "*NODE PRINT, NSET=NALL\nU\n", end = "*END STEP\n";

std::string tables_of(const std::string &deck, const int ranks = 1)
{
  const Folder folder;
  const Outcome outcome = run_deck(folder, write_file(folder, "deck.inp", deck), {}, ranks);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.terminal;
  return text_of(folder / "results/deck.dat");
}

/// The numbers of the `times`-th table whose title begins so, of all of its rows.
std::vector<double> table(const std::string &text, const std::string &title, int times = 1)
{
  std::size_t at = text.find(title);
  for (; times > 1 && at != std::string::npos; --times)
    at = text.find(title, at + 1);
  std::vector<double> numbers;
  if (at == std::string::npos)
    return numbers;
  const std::size_t start = text.find("\n\n", at) + 2;
  std::istringstream in(text.substr(start, text.find("\n\n", start) - start));
  for (double value = 0; in >> value;)
    numbers.push_back(value);
  return numbers;
}

/// u of a node in the `times`-th table of displacements.
std::vector<double> u_of(const std::string &text, const int node, const int times = 1)
{
  const std::vector<double> all = table(text, " displacements", times);
  for (std::size_t i = 0; i + 3 < all.size(); i += 4)
    if (all[i] == node)
      return {all[i + 1], all[i + 2], all[i + 3]};
  return {};
}

constexpr double digits = 2e-6;  // of what CalculiX prints

void expect_near(const std::vector<double> &found, const std::vector<double> &expected, const double tolerance = digits)
{
  ASSERT_EQ(found.size(), expected.size());
  double largest = 0;
  for (const double value : expected)
    largest = std::max(largest, std::abs(value));
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i], expected[i], tolerance * largest) << i;
}

/// A cantilever 1 x 1.5 x 8 of four C3D8, held at z = 0.
std::string beam(const std::string &material)
{
  std::string nodes = "*NODE, NSET=NALL\n", elements = "*ELEMENT, TYPE=C3D8, ELSET=EALL\n";
  for (int k = 0; k <= 4; ++k)
    for (int j = 0; j < 2; ++j)
      for (int i = 0; i < 2; ++i)
        nodes += std::to_string(4 * k + 2 * j + i + 1) + "," + std::to_string(i) + "," + std::to_string(1.5 * j) + "," +
                 std::to_string(2. * k) + "\n";
  for (int k = 0; k < 4; ++k)
  {
    elements += std::to_string(k + 1);
    for (const int node : {1, 2, 4, 3, 5, 6, 8, 7})
      elements += "," + std::to_string(4 * k + node);
    elements += "\n";
  }
  return nodes + elements + "*NSET, NSET=BOT\n1,2,3,4\n*NSET, NSET=TOP\n17,18,19,20\n*MATERIAL, NAME=M\n*ELASTIC\n210000., .3\n" +
         material + "*DENSITY\n7.8e-9\n*SOLID SECTION, ELSET=EALL, MATERIAL=M\n*BOUNDARY\nBOT,1,3\n";
}

class InpAnswersOnRanks : public ::testing::TestWithParam<int>
{
};
INSTANTIATE_TEST_SUITE_P(Ranks, InpAnswersOnRanks, ::testing::Values(1, 2));
}  // namespace

TEST_P(InpAnswersOnRanks, EnergiesAndVolumesOfElements)
{
  const std::string text = tables_of(
      cube + second + material + "*STEP\n*STATIC\n*CLOAD\n9,3,1.\n*EL PRINT, ELSET=EALL, TOTALS=YES\nELSE,EVOL\n" + end, GetParam());
  expect_near(table(text, " internal energy (element, energy) for set EALL and time  0.1000000E+01"), {1., 2.536556e-03, 2., 3.505817e-03});
  expect_near(table(text, " total internal energy for set EALL"), {6.042373e-03});
  expect_near(table(text, " volume (element, volume) for set EALL"), {1., 1., 2., 1.});
  expect_near(table(text, " total volume for set EALL"), {2.});
  // A hundred steps after the jump of the load, which the first step of each program takes in its own way (3e-5 of the energies after that
  // one).
  const std::string last = ", FREQUENCY=1000\n";
  const std::string moving =
      tables_of(cube + second + material + "*STEP, INC=1000\n*DYNAMIC, DIRECT\n1e-5,1e-3\n*CLOAD\n9,3,1.\n*EL PRINT, ELSET=EALL" + last +
                    "ELSE,ELKE,EVOL\n*EL PRINT, ELSET=EALL, TOTALS=ONLY" + last + "ELKE\n" + end,
                GetParam());
  const std::vector<double> elke = table(moving, " kinetic energy (elem, energy) for set EALL and time  0.1000000E-02"),
                            strain = table(moving, " internal energy (element, energy)");
  ASSERT_EQ(elke.size(), 4u) << moving;
  ASSERT_EQ(strain.size(), 4u) << moving;
  expect_near({elke[1], elke[3]}, {1.943841e-06, 2.535181e-05});
  expect_near({strain[1], strain[3]}, {5.850809e-09, 9.377488e-08});
  expect_near(table(moving, " total kinetic energy for set EALL"), {2.729565e-05});
  EXPECT_EQ(moving.find("total volume"), std::string::npos);
}

TEST(InpAnswers, EnergiesOfElementsAddUpToThoseOfTheRun)
{
  // With a lumped mass, large displacements and elements of second order in the plane: E_kinetic and E_potential of the history are their
  // sums.
  const std::string plane =
      "*NODE, NSET=NALL\n1,0,0\n2,2,0\n3,2,1\n4,0,1\n5,1,0\n6,2,0.5\n7,1,1\n8,0,0.5\n*ELEMENT, TYPE=CPE8, ELSET=EALL\n1,1,2,3,4,5,6,7,8\n*NSET, NSET=BOT\n1,4,8\n*MATERIAL, NAME=M\n*ELASTIC\n1000., 0.3\n"
      "*DENSITY\n1.\n*SOLID SECTION, ELSET=EALL, MATERIAL=M\n0.25\n*BOUNDARY\nBOT,1,2\n";
  const std::string prints = "*EL PRINT, ELSET=EALL, TOTALS=ONLY\nELSE,ELKE,EVOL\n";
  const std::vector<std::pair<std::string, double>> decks_and_volumes = {
      {plane + "*STEP, NLGEOM\n*DYNAMIC, DIRECT\n5e-3,5e-3\n*CLOAD\n3,1,20.\n" + prints + end, 2. * 1. * 0.25},
      {cube + second + material + "*STEP\n*DYNAMIC, EXPLICIT\n1e-3,5e-3\n*CLOAD\n9,3,1.\n" + prints + end, 2.},
      {std::regex_replace(cube + second, std::regex("C3D8"), "C3D8I") + material + "*STEP\n*DYNAMIC, DIRECT\n1e-3,5e-3\n*CLOAD\n9,1,1.\n" +
           prints + end,
       2.}};
  for (const auto &[deck, volume] : decks_and_volumes)
  {
    const Folder folder;
    const Outcome outcome = run_deck(folder, write_file(folder, "deck.inp", deck), {"Output/History every=1"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.terminal;
    const std::string text = text_of(folder / "results/deck.dat");
    const auto last = [&](const std::string &title) {
      std::vector<double> found;
      for (int k = 1; !table(text, title, k).empty(); ++k)
        found = table(text, title, k);
      return found.empty() ? 0. : found[0];
    };
    const double T = outcome.history.last("E_kinetic"), V = outcome.history.last("E_potential");
    ASSERT_GT(T, 0.);
    EXPECT_NEAR(last(" total kinetic energy"), T, digits * T);
    EXPECT_NEAR(last(" total internal energy"), V, digits * V);
    EXPECT_NEAR(last(" total volume"), volume, 1e-6);
  }
}

/// The first line distinguishes a mesh file of Abaqus from one of UCD.
TEST(InpAnswers, AFirstLineThatIsLeftOut)
{
  const std::string deck = cube + material + "*STEP\n*STATIC\n*CLOAD\n5,3,1.\n" + print + end;
  EXPECT_EQ(tables_of(">** hello\n" + deck), tables_of(deck));
}

TEST(InpAnswers, RotationsOfNodesOfSolids)
{
  const auto warned = [](const std::string &held) {
    const Folder folder;
    const Outcome outcome = run_deck(
        folder,
        write_file(folder, "deck.inp", cube + material + "*BOUNDARY\n" + held + "\n*STEP\n*STATIC\n*CLOAD\n5,3,1.\n" + print + end));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.terminal;
    return outcome.terminal.find("has no effect: nodes have no rotations here, which are the components 4 to 6") != std::string::npos;
  };
  EXPECT_TRUE(warned("5,4,6"));
  EXPECT_FALSE(warned("5,1,6")) << "all that the node has";
}

TEST(InpAnswers, NumbersOfExplicitStepsThatMeanNothing)
{
  for (const std::string numbers : {"1e-3,5e-3,,2e-2,4.", "1e-3,5e-3,,-2e-3", "1e-3,5e-3,-1e-6"})
  {
    const Folder folder;
    const Outcome outcome = run_deck(
        folder, write_file(folder, "deck.inp", cube + material + "*STEP\n*DYNAMIC, EXPLICIT\n" + numbers + "\n*CLOAD\n5,3,1.\n" + end));
    EXPECT_EQ(outcome.exit_code, 1) << numbers;
    EXPECT_NE(outcome.terminal.find("deck.inp:"), std::string::npos) << outcome.terminal;
  }
}

TEST(InpAnswers, AxesThatASecondLineTurns)
{
  const auto deck = [&](const std::string &turn) {
    return cube + "*ORIENTATION, NAME=OR\n1,1,0,0,1,0\n" + turn +
           "*MATERIAL, NAME=M\n*ELASTIC, TYPE=ENGINEERING CONSTANTS\n1000.,500.,250.,.1,.15,.2,300.,200.,\n100.\n*SOLID SECTION, ELSET=EALL, MATERIAL=M, ORIENTATION=OR\n*BOUNDARY\nBOT,1,3\n"
           "*STEP\n*STATIC\n*CLOAD\n5,3,1.\n" +
           print + end;
  };
  expect_near(u_of(tables_of(deck("")), 5), {7.163310e-03, 7.163310e-03, 2.347472e-02});
  expect_near(u_of(tables_of(deck("3,30.\n")), 5), {6.824190e-03, 8.672295e-03, 2.476591e-02});
  expect_near(u_of(tables_of(deck("1,90.\n")), 6), {3.742997e-03, 3.393673e-03, -2.476742e-03});
  expect_near(u_of(tables_of(deck("2,45.\n")), 6), {2.853042e-03, 2.406271e-03, -1.646434e-03});
}

TEST(InpAnswers, StructuralDampingOfHarmonicVibration)
{
  // ccx 2.20: six modes, K (1 + 0.1 i); u_x of node 17 at 14 kHz.
  const std::string steps =
      "*STEP\n*FREQUENCY, STORAGE=YES\n6\n*END STEP\n*STEP\n*STEADY STATE DYNAMICS\n14000.,16000.,2\n*CLOAD\nTOP,1,1.\n*NODE PRINT, NSET=TOP\nU\n" +
      end;
  const auto u = [&](const std::string &damping) {
    const std::string text = tables_of(beam(damping) + steps);
    // The tables of modes come first; those of a frequency are the real and the imaginary part.
    const std::string at = "displacements (vx,vy,vz) for set TOP and time  0.1400000E+05";
    return std::complex<double>(table(text, at, 1).at(1), table(text, at, 2).at(1));
  };
  const std::complex<double> damped = u("*DAMPING, STRUCTURAL=0.1\n"), undamped = u("");
  EXPECT_NEAR(damped.real(), 1.590097e-02, 2e-5 * 1.6e-2);
  EXPECT_NEAR(damped.imag(), -2.755295e-03, 2e-5 * 1.6e-2);
  EXPECT_NEAR(undamped.real(), 1.637962e-02, 2e-5 * 1.6e-2);
}

TEST(InpAnswers, ForcesOnANodeFromThisAndAnEarlierStep)
{
  const std::string text = tables_of(cube + material + "*STEP\n*STATIC\n*CLOAD\n5,3,1.\n*CLOAD\n5,3,2.\n" + print + end +
                                     "*STEP\n*STATIC\n*CLOAD\n5,3,1.\n*CLOAD\n5,3,4.\n*CLOAD\n6,3,1.\n" + print + end +
                                     "*STEP\n*STATIC\n*CLOAD\n5,1,1.\n*CLOAD\n5,1,2.\n" + print + end);
  expect_near(u_of(text, 5, 1), {6.642857e-03, 6.642857e-03, 2.078571e-02});
  expect_near(u_of(text, 5, 2), {8.857143e-03, 1.285714e-02, 3.371429e-02});
  expect_near(u_of(text, 5, 3), {3.708242e-02, 4.928571e-03, 4.035714e-02});
}

TEST(InpAnswers, ForcesOnASetWithEquations)
{
  const std::string deck = beam("") + "*EQUATION\n2\n17,1,1.,18,1,-1.\n*STEP\n*STATIC\n*CLOAD\nTOP,1,1.\n*NODE PRINT, NSET=TOP\nU\n" + end;
  expect_near(u_of(tables_of(deck), 17), {9.521247e-03, 3.128216e-06, 8.850624e-04});
}

TEST(InpAnswers, ThePressureAtANodeIsAPressure)
{
  const std::string node = "*NODE, NSET=NALL\n99,9.,9.,9.\n", load = "*STEP\n*STATIC\n*DLOAD\n";
  const std::string direct = tables_of(cube + node + material + load + "EALL,P2,-3.\n" + print + end),
                    through = tables_of(cube + node + material + load + "EALL,P2NP,99\n*BOUNDARY\n99,2,2,-3.\n" + print + end);
  ASSERT_EQ(u_of(direct, 5).size(), 3u);
  EXPECT_NEAR(u_of(direct, 5)[2], 3e-3, 1e-8);
  EXPECT_EQ(u_of(through, 5), u_of(direct, 5));
  const std::vector<double> prescribed = u_of(through, 99);
  ASSERT_EQ(prescribed.size(), 3u) << through;
  expect_near(prescribed, {0., -3., 0.});  // as CalculiX prints it; the node of the other deck is not moved
  EXPECT_EQ(u_of(direct, 99), (std::vector<double>{0., 0., 0.}));
}

TEST(InpAnswers, NoMoreModesThanAreAskedFor)
{
  const std::string step = "*STEP\n*FREQUENCY\n", cards = "*NODE PRINT, NSET=TOP\nU\n" + end;
  const auto run_modes = [&](const std::string &line) {
    const Folder folder;
    return run_deck(folder, write_file(folder, "deck.inp", beam("") + step + line + "\n" + end));
  };
  const auto frequencies = [](const Outcome &run) {
    std::vector<double> f;
    for (const auto &mode : run.summary.at("stages").at(0).at("modes"))
      f.push_back(mode.at("frequency"));
    return f;
  };
  // CalculiX: 21440.03 and 26015.43 Hz lie below 30 kHz, the third is 94896.45 Hz.
  const Outcome all = run_modes("10, 0.01, 30000."), cut = run_modes("2, 0.01, 1000000."), just = run_modes("3, 22000., 30000.");
  for (const Outcome *run : {&all, &cut, &just})
    ASSERT_EQ(run->exit_code, 0) << run->terminal;
  expect_near(frequencies(all), {21440.03, 26015.43}, 1e-5);
  expect_near(frequencies(cut), {21440.03, 26015.43}, 1e-5);
  expect_near(frequencies(just), {26015.43}, 1e-5);
  const std::string more = "may hold more";
  EXPECT_NE(cut.terminal.find("2 modes were asked for"), std::string::npos) << cut.terminal;
  EXPECT_NE(cut.terminal.find(more), std::string::npos) << cut.terminal;
  EXPECT_EQ(all.terminal.find(more), std::string::npos) << all.terminal;
  EXPECT_EQ(just.terminal.find(more), std::string::npos) << just.terminal;
}

TEST(InpAnswers, FramesWhereTheDeckOrOutputAsksForThem)
{
  const auto frames = [&](const std::string &card, const std::vector<std::string> &settings) {
    const Folder folder;
    const Outcome run =
        run_deck(folder, write_file(folder, "deck.inp", cube + material + "*STEP\n*STATIC\n*CLOAD\n5,3,1.\n" + card + end), settings);
    EXPECT_EQ(run.exit_code, 0) << run.terminal;
    return std::filesystem::exists(folder / "results/solution.pvd");
  };
  EXPECT_FALSE(frames(print, {}));
  EXPECT_TRUE(frames("*NODE FILE\nU\n", {}));
  EXPECT_TRUE(frames(print, {"Output/Write every=1"}));
}

TEST(InpAnswers, TablesOfASetThatIsCalledAsANumber)
{
  const std::string deck = cube + "*NSET, NSET=5\n7,8\n" + material + "*STEP\n*STATIC\n*CLOAD\n5,3,1.\n*NODE PRINT, NSET=5\nU\n" + end,
                    text = tables_of(deck);
  expect_near(table(text, " displacements (vx,vy,vz) for set 5 "),
              {7., 1.785714e-03, 1.785714e-03, -1.071429e-03, 8., 1.785714e-03, 2.214286e-03, -9.285714e-04});
}
}  // namespace symdyn::tests::in_inp_answers
