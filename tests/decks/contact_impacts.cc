// Contact with obstacles in decks: a bar on a wall, restart, ranks, and what is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tests/linear_decks.h"

namespace symdyn::tests::in_contact_impacts
{
/// A bar, 10 m long, c = 30 m/s, whose foot x = 0 touches a floor.
std::string bar_over(const double floor, const int cells, const std::string &contact, const std::string &scheme, const double h,
                     const double end)
{
  return section("Mesh",
                 fmt::format("set Dimension = 2\nset Type = box\nset Subdivisions = {}, 1\n", cells) + section("box", "set Size = 10, 1")) +
         elastic(900., 0., 1.) + section("Elements", "set Mass = lumped") +
         section("Obstacles", section("wall", fmt::format("set Type = plane\nset Point = {:.15g}, 0\nset Normal = 1, 0", floor))) +
         section("Contact", section("hit", "set Between = x-, wall\n" + contact)) +
         section("Time", fmt::format("set Time step = {:.17g}\nset End time = {:.15g}", h, end)) +
         section("Integrator", "set Scheme = " + scheme);
}
std::string barrier(const double stiffness, const double layer)
{
  return fmt::format("set Stiffness = {:.15g}\nset Layer = {:.15g}\nset Side = outside", stiffness, layer);
}

/// 100 cells that hit a wall at 10 m/s.
std::string bar_on_wall(const double layer, const double h, const double h_omega, const std::string &scheme, const double end = 1.)
{
  const double stiffness = std::pow(h_omega / h, 2) * 0.05;  // rho_A = rho h_e/2
  return bar_over(-layer, 100, barrier(stiffness, layer), scheme, h, end) + section("Initial conditions", "set Velocity = -10, 0") +
         section("Output", "set Write every = never");
}

double drift(const History &history)
{
  double most = 0;
  for (const double E : history["E_total"])
    most = std::max(most, std::abs(E / history["E_total"].front() - 1.));
  return most;
}

/// Results of an independent program in one dimension (references R5 and R7 of contact): mean velocity after the impact, largest |dH|/H0
/// until t = 2. While it lasts the force is rho c v A = 300 N.
TEST(ContactImpacts, ABarLeavesAWallAsInOneDimension)
{
  constexpr double h = 0.1 / 30.;
  struct Row
  {
    const char *scheme;
    double layer, h, h_omega, velocity, drift;
  };
  for (const Row &row : {Row{"newmark", 0.1, h, std::sqrt(2.), 9.8745, 0.},
                         {"newmark", 0.4, h, 1., 9.944466, 0.},
                         {"zhang-skeel", 0.4, h, 0.5, 9.970731, 0.00071},
                         {"zhang-skeel", 0.8, 2. * h, 1., 9.971412, 0.0018},
                         {"central-difference", 0.1, h / 4., 1., 0., 0.000422},
                         {"midpoint", 0.1, h, 2., 0., 0.00227}})
  {
    SCOPED_TRACE(row.scheme);
    const Folder folder;
    const Outcome run = run_well(folder, bar_on_wall(row.layer, row.h, row.h_omega, row.scheme, 2.));
    if (row.velocity > 0.)
    {
      EXPECT_NEAR(run.history.last("P_x") / 10., row.velocity, 1e-4);
    }
    if (row.drift > 0.)
    {
      EXPECT_NEAR(std::log2(drift(run.history) / row.drift), 0., 0.1);
    }
    EXPECT_GT(*std::max_element(run.history["hit.force_x"].begin(), run.history["hit.force_x"].end()), 280.);
    EXPECT_EQ(run.history.last("E_contact"), 0.);
  }
  const Folder folder;
  EXPECT_LT(drift(run_well(folder, bar_on_wall(0.1, h, 1., "discrete-gradient")).history), 1e-10);
}

/// A bar of 20 cells that bounces on a floor, from a height of 5 m, H0 = 1000 J about it: largest and last of (H - H0)/H0.
std::array<double, 2> bounces(const std::string &scheme, const std::string &contact, const double h)
{
  const Folder folder;
  const Outcome run = run_well(folder, bar_over(-5., 20, contact, scheme, h, 1000.) +
                                           section("Loads", section("weight", "set Type = gravity\nset Acceleration = -10, 0")) +
                                           section("Newton", "set Tolerance = 1e-13") + section("Output", "set Write every = never"));
  const std::vector<double> &E = run.history["E_total"];
  double most = 0;
  for (const double now : E)
    most = std::max(most, std::abs(now - E.front()) / 1000.);
  return {most, (E.back() - E.front()) / 1000.};
}

/// Reference R6 of contact, of an independent program: bands within a factor 2, energy-momentum 1e-10, the loss of hht-alpha. The control:
/// of a law with one continuous derivative the energy grows without a bound, as a random walk does (0.28 in that program; starts that
/// differ by 1 mm give 0.02 to 0.08 here).
TEST(ContactImpacts, EnergyOfManyBouncesNightly)
{
  const std::string contact = barrier(1800., 0.5);
  constexpr double h = 0.5 / 30.;  // CFL 1
  for (const auto &[scheme, band] : {std::pair{"newmark", 0.0412}, {"midpoint", 0.0393}})
    EXPECT_NEAR(std::log2(bounces(scheme, contact, 0.3 * h)[0] / band), 0., 1.) << scheme;
  EXPECT_LT(bounces("discrete-gradient", contact, 0.3 * h)[0], 1e-10);
  const double lost = bounces("hht-alpha", contact, 0.3 * h)[1];
  EXPECT_LT(lost, -0.45);
  EXPECT_GT(lost, -0.5);
  const double explicit_band = bounces("central-difference", contact, 0.1 * h)[0];
  EXPECT_NEAR(std::log2(explicit_band / 0.004), 0., 1.);
  EXPECT_GT(bounces("central-difference", "set Law = linear\nset Stiffness = 18000", 0.1 * h)[0], 4. * explicit_band);
}

/// Reference R5: a bar meets a wall; a layer of one cell, kappa = E. The velocity of release tends to 10 m/s, its error falls by at least
/// 1.4 with each halving of cells and steps. A wall of half the stiffness or half the layer moves the answer by less than that error.
TEST(ContactImpacts, ReleaseVelocitiesConverge)
{
  const auto released = [](const int cells, const double stiffness, const double layer, const double steps_a_cell) {
    const double size = 10. / cells;
    const Folder folder;
    return run_well(folder, bar_over(-layer * size, cells, barrier(stiffness * 900. / size, layer * size), "newmark",
                                     size / 30. / steps_a_cell, 1.) +
                                section("Initial conditions", "set Velocity = -10, 0") + section("Output", "set Write every = never"))
               .history.last("P_x") /
           10.;
  };
  double coarser = 0;
  for (const auto &[cells, velocity] : {std::pair{50, 9.8014}, {100, 9.8745}, {200, 9.9139}})
  {
    SCOPED_TRACE(cells);
    const double found = released(cells, 1., 1., 1.), error = 10. - found;
    EXPECT_NEAR(found, velocity, 0.02 * (10. - velocity));
    if (coarser > 0.)
    {
      EXPECT_GT(coarser / error, 1.4);
    }
    coarser = error;
  }
  constexpr double resolved = 4.;  // steps that take no part in this
  const double found = released(100, 1., 1., resolved), error = 10. - found;
  for (const auto &[stiffness, layer] : {std::pair{0.5, 1.}, {1., 0.5}})
    EXPECT_LT(std::abs(released(100, stiffness, layer, resolved) - found), 0.2 * error);
}

/// `Time step = auto` is short enough for the wall, too; the body's own critical step is not.
TEST(ContactImpacts, AutomaticStepsKnowTheWall)
{
  const double of_body = 0.5 / 30.;
  const std::string deck =
      bar_over(-0.5, 20, "set Side = outside\nset Largest speed = 1", "central-difference", 0.9 * of_body, 0.9 * of_body * 100) +
      section("Initial conditions", "set Velocity = -1, 0") + section("Output", "set Write every = never");
  const auto run = [&](const std::vector<std::string> &settings) {
    const Folder folder;
    return run_well(folder, deck, settings);
  };
  for (const std::string stiffness : {"auto", "20000"})
  {
    SCOPED_TRACE(stiffness);
    const Outcome found = run({"Time/Time step=auto", "Contact/hit/Stiffness=" + stiffness});
    EXPECT_EQ(has(found.log, "which closed contacts shorten to"), "");
    EXPECT_LT(drift(found.history), 0.02);
    EXPECT_GT(found.history.last("P_x"), 9.);
  }
  EXPECT_GT(drift(run({"Contact/hit/Stiffness=4000", "Monitors/Energy alarm=warn"}).history), 0.1)
      << "control: 0.9 of the body's critical step";
}

TEST(ContactImpacts, ARestartInTheImpactIsTheStraightRun)
{
  const Folder straight, split;
  const std::string plain = bar_on_wall(0.1, 1. / 300., 1., "newmark", 0.5);
  const std::vector<std::string> bits{"Output/Checkpoint every=90", "Solver/Deterministic=yes"};
  std::vector<std::string> first = bits;
  first.push_back("Time/End time=0.3");
  const Outcome whole = run_well(straight, plain, bits), half = run_well(split, plain, first);
  EXPECT_GT(half.history.last("hit.pressure"), 0.);
  const Outcome on = tool(split, "run --quiet --restart " + split.path + "/results --set 'Time/End time=0.5'");
  ASSERT_EQ(on.exit_code, 0) << on.terminal;
  const History end = read_history(split / "results/history.csv");
  for (const char *column : {"P_x", "E_total", "hit.force_x", "hit.gap"})
    EXPECT_EQ(end.last(column), whole.history.last(column)) << column;
}

/// The layer of schemes that take forces without Newton's method is twelve steps thick, whatever they are called; that of others is a part
/// of a face.
TEST(ContactImpacts, LayersThatAreChosen)
{
  const auto layer = [](const std::string &scheme, const std::vector<std::string> &more = {}) {
    const Folder folder;
    std::vector<std::string> settings{"Contact/hit/Layer=auto", "Obstacles/wall/Point=-2, 0", "Time/End time=0.01",
                                      "Contact/hit/Stiffness=auto"};
    settings.insert(settings.end(), more.begin(), more.end());
    const std::string log = run_well(folder, bar_on_wall(0.1, 0.1 / 30., 1., scheme), settings).log;
    const std::size_t at = log.find(", layer ");
    return at == std::string::npos ? NAN : std::stod(log.substr(at + 8));
  };
  for (const std::string scheme : {"newmark", "yoshida4"})
    EXPECT_NEAR(layer(scheme), 0.01, 1e-6) << scheme;
  for (const std::string scheme : {"zhang-skeel", "central-difference", "newmark-partial"})
    EXPECT_NEAR(layer(scheme), 0.4, 1e-4) << scheme;
  EXPECT_NEAR(layer("newmark", {"Integrator/newmark/beta=0"}), 0.4, 1e-4);
}

/// A step that ends behind the wall is refused, not run on.
TEST(ContactImpacts, AStepThroughAnObstacleEndsTheRun)
{
  const Folder folder;
  const Outcome run = run_text(folder, bar_on_wall(0.01, 0.1 / 30., 0.1, "central-difference"));
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(has(run.terminal, "x- would pass wall at"), "");
}

/// A wall that begins to move with its own velocity, into a body that rests.
TEST(ContactImpacts, AMovingWallPushes)
{
  const Folder folder;
  const Outcome run = run_well(folder, bar_on_wall(0.1, 0.1 / 30., 1., "newmark"),
                               {"Obstacles/wall/Motion=10*t, 0", "Initial conditions/Velocity=-1, 0", "Time/End time=0.5"});
  EXPECT_EQ(run.terminal.find("supports hold"), std::string::npos) << run.terminal;
  EXPECT_GT(run.history.last("P_x"), 80.) << "it flies away faster than the wall";
  double worst = 0;
  for (const double error : run.history["E_balance_error"])
    worst = std::max(worst, std::abs(error));
  EXPECT_LT(worst, 1e-3 * run.history.last("E_total"));
}

/// A block that falls on a slope, on two and three ranks as on one.
TEST(ContactImpacts, RanksAgree)
{
  const std::vector<std::string> settings{"Time/End time=0.3", "Mesh/Subdivisions=3, 2, 2", "Output/Write every=never",
                                          "Newton/Tolerance=1e-12"};
  const Folder one;
  const History whole = run_deck(one, "examples/impact.prm", settings).history;
  EXPECT_GT(*std::max_element(whole["drop.pressure"].begin(), whole["drop.pressure"].end()), 1e3) << "it has hit the floor";
  for (const int ranks : {2, 3})
  {
    const Folder several;
    const Outcome shared = run_deck(several, "examples/impact.prm", settings, ranks);
    ASSERT_EQ(shared.exit_code, 0) << shared.terminal;
    for (const char *column : {"P_x", "P_z", "E_total", "drop.gap"})
    {
      double scale = 0;
      for (const double value : whole[column])
        scale = std::max(scale, std::abs(value));
      EXPECT_NEAR(shared.history.last(column), whole.last(column), 1e-9 * scale) << column << ranks;
    }
  }
}

/// A moving plane presses a block in a static stage: between two of them its stress is that of the closure of both layers.
TEST(ContactImpacts, APlaneThatMovesPresses)
{
  const Folder folder;
  const std::string deck =
      section("Mesh", "set Type = box\nset Subdivisions = 2, 2, 2\n" + section("box", "set Size = 1, 1, 1")) + elastic(1e6, 0., 1000.) +
      section("Supports", section("foot", "set Boundary = x-\nset Type = displacement\nset Displacement = 0, free, free") +
                              section("y", "set Boundary = y-\nset Type = symmetry") +
                              section("z", "set Boundary = z-\nset Type = symmetry")) +
      section("Obstacles", section("press", "set Type = plane\nset Point = 1, 0, 0\nset Normal = -1, 0, 0\nset Motion = -0.1*t, 0, 0")) +
      section("Contact", section("top", "set Between = x+, press\nset Law = linear\nset Stiffness = 1e8")) +
      stages(section("press", "set Type = static\nset Increments = 4\nset Duration = 1"));
  const History history = run_well(folder, deck).history;
  // p = k d and p = E u, d + u = 0.1.
  const double p = 0.1 / (1. / 1e8 + 1. / 1e6);
  EXPECT_NEAR(history.last("top.pressure"), p, 1e-8 * p);
  EXPECT_NEAR(history.last("top.force_x"), -p, 1e-8 * p);
  EXPECT_NEAR(history.last("top.gap"), -p / 1e8, 1e-8 * p / 1e8);
}

/// Newton's first iterate lies far beyond the barrier, where |r| is 1e16 N: what is accepted is an equilibrium all the same.
TEST(ContactImpacts, StatesAreThoseOfEquilibrium)
{
  const std::string cube = section("Mesh", "set Type = box\nset Subdivisions = 3, 3, 3\n" + section("box", "set Size = 0.1, 0.1, 0.1")) +
                           elastic(1e6, 0.4, 1100., "neo-hooke-log") +
                           section("Obstacles", section("press",
                                                        "set Type = plane\nset Point = 0, 0, -0.001\nset Normal = 0, 0, 1\nset "
                                                        "Motion = 0, 0, 0.012*t")) +
                           section("Contact", section("foot", "set Between = z-, press"));
  const std::string top = section("Supports", section("top", "set Boundary = z+\nset Type = fixed"));
  std::vector<double> forces;
  for (const int increments : {5, 20})
  {
    const Folder folder;
    const History history =
        run_well(folder,
                 cube + top + stages(section("press", fmt::format("set Type = static\nset Duration = 1\nset Increments = {}", increments))))
            .history;
    forces.push_back(history.last("foot.force_z"));
    EXPECT_NEAR(history.last("top.R_z"), -forces.back(), 1e-6 * forces.back()) << "supports bear what presses";
  }
  EXPECT_NEAR(forces[0], forces[1], 1e-6 * forces[1]);
  const Folder folder;
  const History fall =
      run_well(folder,
               cube + section("Initial conditions", "set Velocity = 0, 0, -6") +
                   section("Time", "set Time step = 0.0005\nset End time = 0.01") + section("Integrator", "set Scheme = newmark"),
               {"Obstacles/press/Motion=0, 0, 0"})
          .history;
  double most = 0;
  for (std::size_t i = 1; i < fall.rows(); ++i)
  {
    most = std::max(most, fall["foot.force_z"][i]);
    EXPECT_NEAR(fall["P_z"][i] - fall["P_z"][i - 1], 0.5 * 0.0005 * (fall["foot.force_z"][i - 1] + fall["foot.force_z"][i]), 1e-6) << i;
  }
  EXPECT_GT(most, 1e3) << "it has hit the plane";
}

TEST(ContactImpacts, RefusesWhatItCannot)
{
  const std::string good = bar_on_wall(0.1, 1. / 300., 1., "newmark");
  const auto refused = [&](const std::string &words, const std::vector<std::string> &settings) { expect_refused(good, words, settings); };
  refused("overlap at the start: gap -0.05 m", {"Obstacles/wall/Point=0.05, 0"});
  refused("boundary 'wal' does not exist", {"Contact/hit/Between=x-, wal"});
  refused("names 'x-' twice", {"Contact/hit/Between=x-, x-, wall"});
  refused("has no effect with Law = linear", {"Contact/hit/Law=linear"});
  refused("above 2 an impact with newmark multiplies the energy", {"Contact/hit/Stiffness=90000"});
  refused("more than 10 times the size of the body", {"Obstacles/wall/Point=-200, 0"});
  refused("no contact names this obstacle", {"Obstacles/other/Type=plane", "Obstacles/other/Normal=0, 1"});
  refused("gradient of Distance of obstacle 'bent' has the length 2",
          {"Obstacles/bent/Type=expression", "Obstacles/bent/Distance=2*x + 0.2", "Contact/hit/Between=x-, bent",
           "Obstacles/wall/Point=-1, 0"});
  refused("must not fall from row to row",
          {"Contact/more/Between=x+, wall", "Contact/more/Law=table", "Contact/more/Pressures=0, 2, 1", "Contact/more/Closures=0, 1, 2"});
  refused("another contact has 'x-' and 'wall', too", {"Contact/more/Between=x-, wall", "Contact/more/Layer=0.1"});
  refused("has no effect with schemes that use Newton's method", {"Contact/hit/Layer=auto", "Contact/hit/Largest speed=3"});
  refused("zhang-skeel uses the third derivative of V",
          {"Integrator/Scheme=zhang-skeel", "Contact/more/Between=x+, wall", "Contact/more/Law=linear", "Contact/more/Stiffness=100"});
}
}  // namespace symdyn::tests::in_contact_impacts
