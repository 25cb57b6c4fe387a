// How steps resolve impacts, fields of contacts at places, their memory, and layers of thin bodies.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tests/press.h"

namespace symdyn::tests::in_contact_reports
{
namespace
{
constexpr double k = 1e5, L = 0.02, rho_A = 0.25, v = 10.;  // rho h_e/2 of lumped cells of 0.5 m

/// A bar of 20 cells, 10 m long, c = 30 m/s, 0.2 m above a wall.
std::string bar_over_wall(const std::string &scheme, const double h, const double end)
{
  return section("Mesh", "set Dimension = 2\nset Type = box\nset Subdivisions = 20, 1\n" + section("box", "set Size = 10, 1")) +
         elastic(900., 0., 1.) + section("Elements", "set Mass = lumped") +
         section("Obstacles", section("wall", "set Type = plane\nset Point = -0.2, 0\nset Normal = 1, 0")) +
         section("Contact",
                 section("hit", fmt::format("set Between = x-, wall\nset Side = outside\nset Stiffness = {}\nset Layer = {}", k, L))) +
         section("Initial conditions", fmt::format("set Velocity = {}, 0", -v)) +
         section("Time", fmt::format("set Time step = {}\nset End time = {}", h, end)) + section("Integrator", "set Scheme = " + scheme) +
         section("Output", "set Write every = never\nset History every = 1");
}

/// Of b = -(1 - x)^3 ln x.
double curvature(const double x)
{
  if (x >= 1.)
    return 0.;
  const double m = 1. - x, n = m / x;
  return m * (-6. * std::log(x) + n * (6. + n));
}

std::size_t count(const std::string &text, const std::string &words)
{
  std::size_t found = 0;
  for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1))
    ++found;
  return found;
}
}  // namespace

/// h omega_c = h sqrt(k b''/rho_A) of the gap in the same row; v h/L of a bar that flies. A warning each, in runs that are too coarse
/// alone.
TEST(ContactResolution, ColumnsHaveTheirDefinition)
{
  const Folder folder;
  constexpr double h = 2e-4;
  const History history = run_well(folder, bar_over_wall("newmark", h, 0.05)).history;
  std::size_t closed = 0;
  for (std::size_t row = 0; row < history.rows(); ++row)
  {
    const double x = history["hit.gap"][row] / L;
    closed += x < 1.;
    const double expected = h * std::sqrt(k * curvature(x) / rho_A);
    EXPECT_NEAR(history["hit.h_omega_c"][row], expected, 1e-6 * (1. + expected)) << row;
  }
  EXPECT_GT(closed, 10u);
  EXPECT_NEAR(history["hit.layers_per_step"].front(), v * h / L, 1e-8);
  EXPECT_NEAR(history["hit.layers_per_step"][5], v * h / L, 1e-8) << "nothing touches yet";
  EXPECT_LT(*std::min_element(history["hit.layers_per_step"].begin(), history["hit.layers_per_step"].end()), 1e-3 * v * h / L);
}

/// A run that goes on in the middle of the impact reports as one that never stopped.
TEST(ContactResolution, ARestartKeepsItsColumns)
{
  const std::string deck = bar_over_wall("central-difference", 2e-4, 0.03);
  const std::vector<std::string> settings{"Solver/Deterministic=yes", "Output/Checkpoint every=25"};
  const Folder whole, parts;
  const History straight = run_well(whole, deck, settings).history;
  EXPECT_GT(largest(straight["hit.h_omega_c"]), 0.1) << "they touch";
  ASSERT_EQ(run_in_parts(parts, write_file(parts, "deck.prm", deck), settings, 5).exit_code, 0);
  EXPECT_TRUE(text_of(whole / "results/history.csv") == text_of(parts / "results/history.csv"));
}

TEST(ContactResolution, CoarseStepsAreWarnedOfOnce)
{
  struct Row
  {
    const char *scheme;
    double h;
    std::size_t of_frequency, of_speed;
  };
  for (const Row &row : {Row{"newmark", 2e-4, 0, 0},
                         {"newmark", 1e-3, 1, 0},
                         {"discrete-gradient", 1e-3, 0, 0},
                         {"central-difference", 2e-4, 0, 0},
                         {"central-difference", 5e-4, 1, 1}})
  {
    SCOPED_TRACE(fmt::format("{} {}", row.scheme, row.h));
    const Folder folder;
    const Outcome run = run_text(folder, bar_over_wall(row.scheme, row.h, 0.05));
    EXPECT_EQ(count(run.log, "h omega_c = h sqrt(Phi''/rho_A)"), row.of_frequency) << run.log;
    EXPECT_EQ(count(run.log, "closes by v_n h/L"), row.of_speed) << run.log;
  }
}

/// Pressed blocks have one pressure, one gap and no slip.
TEST(ContactProbes, HaveTheFieldsOfAPlaceOnOneRankAndTwoRanks)
{
  using namespace of_press;
  const std::string law = fmt::format("set Law = linear\nset Stiffness = {}", of_press::k),
                    probe = section("Probes", section("p", "set Point = 1, 0.37, 0.41\nset Contact = touch") +
                                                  section("q", "set Nearest node = 1, 1, 1\nset Contact = touch"));
  for (const int ranks : {1, 2})
  {
    const Press press(law);
    const Outcome run = run_text(press.folder, press.deck + probe, {}, ranks);
    ASSERT_EQ(run.exit_code, 0) << run.terminal;
    for (const std::string p : {"p", "q"})
    {
      EXPECT_NEAR(run.history.last(p + ".contact_pressure"), stress, 1e-6 * stress);
      EXPECT_NEAR(run.history.last(p + ".contact_gap"), -stress / of_press::k, 1e-3 * stress / of_press::k);
      EXPECT_NEAR(run.history.last(p + ".contact_slip_y"), 0., 1e-9);
    }
    const std::vector<std::string> &header = run.history.header;
    for (const char *column : {"p.contact_gap [m]", "p.contact_pressure [Pa]", "q.contact_slip_z [m]"})
      EXPECT_EQ(std::count(header.begin(), header.end(), column), 1) << column;
  }
  const Press apart(law + "\nset Clearance = 0.22");
  const History open = run_well(apart.folder, apart.deck + probe).history;
  EXPECT_EQ(open.last("p.contact_pressure"), 0.);
  EXPECT_NEAR(open.last("p.contact_gap"), 0.02, 1e-9);
  const auto refused = [&](const std::string &words, const std::string &entries) {
    const Outcome run = run_text(apart.folder, apart.deck + section("Probes", section("p", entries)));
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_EQ(has(run.terminal, words), "") << run.terminal;
  };
  refused("the place is not on the surface of contact 'touch'", "set Point = 0.5, 0.3, 0.3\nset Contact = touch");
  refused("there is no contact 'tuch'; the deck has: touch", "set Point = 1, 0.3, 0.3\nset Contact = tuch");
  refused("has the fields of one place, and Set is the mean of many nodes", "set Set = first-x+\nset Contact = touch");
}

TEST(ContactMemory, IsReportedOfEachContact)
{
  using namespace of_press;
  const Press press(fmt::format("set Law = linear\nset Stiffness = {}", of_press::k));
  const std::string text = run_text(press.folder, press.deck).log;
  const std::size_t at = text.find("memory ", text.find("contact touch:"));
  ASSERT_NE(at, std::string::npos) << text;
  // 36 pairs of faces at least, 8 triangles each at most, 16 points each, of 8 shape functions and 8 slopes, 280 B
  double size = 0, points = 0, faces = 0, lists = 0;
  ASSERT_EQ(std::sscanf(text.c_str() + at, "memory %lf kB (points %lf kB, faces %lf kB, lists of neighbours %lf kB)", &size, &points,
                        &faces, &lists),
            4)
      << text.substr(at, 100);
  EXPECT_GT(points, 36 * 2 * 16 * 0.2);
  EXPECT_LT(points, 36 * 8 * 16 * 0.6);
  EXPECT_GT(faces, 25 * (4 * 8 + 4 * 24) * 1e-3);
  EXPECT_NEAR(size, points + faces + lists, 0.01 * size);
}

/// Two plates of one cell, 0.2 m thick: 0.6 of a cell would do, half of a plate does not.
TEST(ContactLayer, IsAtMostHalfOfTheThinnestBody)
{
  const Folder folder;
  Blocks({{{0., 0., 0.}, {0.2, 1., 1.}, {1, 3, 0}}, {{0.2, 0., 0.}, {0.5, 1., 1.}, {2, 4, 0}}}).write(folder / "two.msh");
  const std::string material = "set Type = linear-elasticity\nset Density = 1\nset E = 1000\nset nu = 0";
  const auto deck = [&](const double layer, const std::string &more = "") {
    return section("Mesh", "set Dimension = 2\nset Type = file\nset File = two.msh") +
           section("Materials", section("first", material) + section("second", material)) +
           section("Contact", section("touch", fmt::format("set Between = first-x+, second-x-\nset Stiffness = 1e4\nset Layer = {}\n{}",
                                                           layer, more))) +
           section("Supports", section("foot", "set Boundary = first-x-") + section("head", "set Boundary = second-x+")) +
           stages(section("press", "set Type = static"));
  };
  const Outcome thick = run_text(folder, deck(0.11));
  EXPECT_EQ(thick.exit_code, 1);
  EXPECT_EQ(has(thick.terminal, "a layer of 0.11 m is more than half of the thinnest body: it is 0.2 m thick behind (0.2, "), "")
      << thick.terminal;
  EXPECT_EQ(has(thick.terminal, "Set it below 0.1 m, or set Side = outside"), "") << thick.terminal;
  EXPECT_EQ(run_text(folder, deck(0.09)).exit_code, 0);
}
}  // namespace symdyn::tests::in_contact_reports
