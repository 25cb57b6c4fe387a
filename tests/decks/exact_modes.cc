// Modes, harmonic and modal transient stages about states with directors that constraints keep.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/compare.h"
#include "tests/linear_decks.h"

namespace symdyn::tests::in_exact_modes
{
namespace
{
const Settings springs{"Elements/Directors=elastic", "Shells/skin/Director stiffness=1000"};

/// A plate 1 x 1 of n x n cells, free.
std::string plate(const int n, const std::string &more)
{
  return "set Structure = discrete\n" +
         section("Mesh", fmt::format("set Type = plate\nset Subdivisions = {}, {}\n", n, n) +
                             section("plate", "set Corner = 0, 0, 0\nset Size = 1, 1")) +
         elastic(2e7, 0.3, 1000.) + section("Shells", section("skin", "set Thickness = 0.02\nset Material = stuff")) +
         section("Points", section("corner", "set Position = 1, 1, 0\nset On mesh = yes\nset Mass = 2")) +
         section("Elements", "set Directors = exact") + section("Output", "set Write every = never") + more;
}
const std::string clamped = section("Supports", section("root", "set Boundary = x-\nset Type = fixed")),
                  forced = section("Forces", section("push", "set Points = corner\nset Force = 0, 0, 2"));

std::vector<double> frequencies(const std::string &deck, const Settings &settings = {}, const int ranks = 1)
{
  const Folder folder;
  const Outcome run = run_well(folder, deck, settings, ranks);
  EXPECT_EQ(run.terminal.find("nothing has counted the modes"), std::string::npos) << run.terminal;
  return table_of(folder / "results/modes-forms.csv").at("frequency");
}
void expect_near(const std::vector<double> &a, const std::vector<double> &b, const double tolerance)
{
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    EXPECT_NEAR(a[i], b[i], tolerance * b[i] + 1e-9 * b.back()) << i;
}
std::string modes(const int number) { return section("forms", fmt::format("set Type = modes\nset Modes = {}", number)); }
}  // namespace

/// Rigid motions, and those of stiff springs; all modes by LAPACK, and the lowest ones of a larger plate, counted by a factorisation.
TEST(ExactModes, FreePlates)
{
  for (const int n : {4, 12})
  {
    const std::string deck = plate(n, stages(modes(12)));
    const std::vector<double> exact = frequencies(deck);
    for (int i = 0; i < 6; ++i)
      EXPECT_EQ(exact.at(i), 0.) << n;
    EXPECT_GT(exact.at(6), 1.);
    expect_near(exact, frequencies(deck, springs), 1e-8);
  }
}

/// Each node has five free motions, or three where two directors are held: the shapes that are counted are all there are.
TEST(ExactModes, FreeMotionsAreCounted)
{
  const Folder folder;
  const Outcome run = run_well(folder, plate(2, stages(modes(60))));
  EXPECT_NE(run.terminal.find("the structure has 45 free motions in all"), std::string::npos) << run.terminal;
  const Folder held;
  EXPECT_NE(run_well(held, plate(2, clamped + stages(modes(60)))).terminal.find("the structure has 30 free motions in all"),
            std::string::npos);
}

/// About a state of large rotations, where constraint forces have a stiffness of their own; on two ranks.
TEST(ExactModes, OfABentPlateOnRanks)
{
  const std::string deck = plate(6, clamped + forced + stages(section("bend", "set Type = static\nset Increments = 4") + modes(8)));
  const std::vector<double> exact = frequencies(deck);
  expect_near(exact, frequencies(deck, springs), 1e-8);
  EXPECT_GT(std::abs(frequencies(deck, {springs[0], "Shells/skin/Director stiffness=0.01"}).at(2) / exact.at(2) - 1.), 1e-5) << "soft ones";
  expect_near(exact, frequencies(deck, {}, 2), 1e-9);
  const std::vector<double> straight = frequencies(plate(6, clamped + stages(modes(8))));
  EXPECT_GT(std::abs(exact.at(2) / straight.at(2) - 1.), 1e-3) << "the state matters";
}

/// All modes and all degrees of freedom give one answer; so do stiff springs.
TEST(ExactModes, HarmonicStages)
{
  const std::string sweep = "set Type = harmonic\nset Frequencies = 1, 9\nset Points = 7\nset Structural damping = 0.02\n";
  const auto amplitudes = [&](const std::string &method, const Settings &settings = {}) {
    const Folder folder;
    run_well(folder, plate(3, clamped + forced + stages(section("sweep", sweep + method))), settings);
    return table_of(folder / "results/harmonic-sweep.csv").at("amplitude corner.z");
  };
  const std::vector<double> direct = amplitudes("set Method = direct");
  expect_near(amplitudes("set Method = modal\nset Modes = 60"), direct, 1e-6);
  expect_near(amplitudes("set Method = direct", springs), direct, 1e-4);
  EXPECT_GT(*std::max_element(direct.begin(), direct.end()), 3. * direct.back());
}

/// All modes are Newmark's motion in small displacements.
TEST(ExactModes, ModalTransient)
{
  const std::string time = section("Time", "set Time step = 0.001\nset End time = 0.1");
  const Settings gentle{"Forces/push/Force=0, 0, 1e-4*sin(20*t)", "Newton/Tolerance=1e-13"};
  const auto motion = [&](const std::string &stage, const std::string &more) {
    const Folder folder;
    return run_well(folder, plate(3, clamped + forced + time + more + stages(section("move", stage))), gentle).history;
  };
  const History modal = motion("set Type = modal transient\nset Modes = 60", ""),
                newmark = motion("set Type = dynamic", section("Integrator", "set Scheme = newmark-constrained"));
  for (std::size_t i = 0; i < modal.rows(); ++i)
    EXPECT_NEAR(modal["corner.z"].at(i), newmark["corner.z"].at(i), 1e-3 * largest(newmark, "corner.z", "move")) << i;
  EXPECT_LT(largest(modal, "skin.director_error", "move"), 1e-8);
}

/// static, modes, dynamic: modes leave the state, and a motion starts from equilibrium.
TEST(ExactModes, BetweenOtherStages)
{
  const Folder folder;
  const Outcome run = run_well(
      folder,
      plate(4, clamped + forced + section("Time", "set Time step = 0.005\nset End time = 0.05") +
                   section("Integrator", "set Scheme = newmark-constrained") +
                   stages(section("bend", "set Type = static\nset Increments = 2") + modes(4) + section("rest", "set Type = dynamic") +
                          section("swing", "set Type = dynamic\nset Loads = none\n" +
                                               section("Time", "set Time step = 0.005\nset End time = 0.1")))));
  EXPECT_LT(largest(run.history, "E_kinetic", "rest"), 1e-12 * largest(run.history, "E_potential", "rest"));
  EXPECT_GT(largest(run.history, "E_kinetic", "swing"), 0.01 * largest(run.history, "E_potential", "swing"));
}
}  // namespace symdyn::tests::in_exact_modes
