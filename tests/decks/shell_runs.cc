// Shells in decks: what is kept, ranks, restarts, stages, explicit steps, pictures.
#include <gtest/gtest.h>
// VTK before the rest: it has macros of its own.
#include "tests/frames.h"

#include <cmath>
#include <numeric>

#include "tests/shell_decks.h"

namespace symdyn::tests::in_shell_decks
{
/// P, J and the energy of a free plate, whose start is that of the case `free-plate`, a tenth as fast.
TEST(ShellRuns, FreePlateKeepsWhatItMust)
{
  const Folder folder;
  const History history = run_well(folder, flying(8, "discrete-gradient")).history;
  EXPECT_NEAR(history["P_x"].front(), 2., 1e-12);
  EXPECT_NEAR(history["J_x"].front(), 0.333466667, 1e-8);
  EXPECT_NEAR(history["J_y"].front(), 0.5002, 1e-8);
  EXPECT_NEAR(history["J_z"].front(), 0.333333333, 1e-8);
  EXPECT_LT(largest(history, "E_balance_error", "fly"), 1e-9 * history["E_total"].front());
  for (const char *column : {"P_x", "P_y", "P_z", "J_x", "J_y", "J_z"})
    EXPECT_NEAR(history.last(column), history[column].front(), 1e-10) << column;
  EXPECT_GT(history.last("E_potential"), 0.01 * history["E_total"].front());
  const Folder other;
  const History damped = run_well(other, flying(8, "hht-alpha")).history;
  EXPECT_GT(largest(damped, "E_balance_error", "fly"), 1e-6 * history["E_total"].front()) << "hht-alpha does not";
}

TEST(ShellRuns, Ranks)
{
  const Settings tight{"Newton/Tolerance=1e-14"};
  const Folder one;
  const History a = run_well(one, flying(6, "newmark"), tight).history;
  for (const int ranks : {2, 3})
  {
    const Folder several;
    const History b = run_well(several, flying(6, "newmark"), tight, ranks).history;
    const auto of = [&](const char *column) { return largest(a, column, "fly"); };
    const double place = of("corner.x"), energy = of("E_total"), J = std::max({of("J_x"), of("J_y"), of("J_z")});
    for (const auto &[column, tolerance] : {std::pair{"corner.x", 1e-12 * place},
                                            {"corner.z", 1e-12 * place},
                                            {"E_kinetic", 1e-10 * energy},
                                            {"E_potential", 1e-10 * energy},
                                            {"J_x", 1e-10 * J}})  // as far as Newton's method leaves them
      for (std::size_t i = 0; i < a.rows(); ++i)
        EXPECT_NEAR(b[column].at(i), a[column][i], tolerance) << column << ranks;
  }
}

TEST(ShellRuns, Restart)
{
  const Folder whole, split;
  const Settings every_10{"Output/Checkpoint every=10", "Output/Write every=never"};
  run_well(whole, flying(4, "newmark"), every_10);
  run_well(split, flying(4, "newmark"), every_10 + Settings{"Time/End time=0.02"});
  const Outcome on = tool(split, "run --quiet --restart " + split.path + "/results --set 'Time/End time=0.05'");
  ASSERT_EQ(on.exit_code, 0) << on.terminal;
  EXPECT_TRUE(text_of(whole / "results/history.csv") == text_of(split / "results/history.csv"));
}

/// The critical step of the case `explicit-step` with elastic directors of stiffness E t, 0.7 of the largest of the section; left out, that
/// of exact directors, t sqrt(0.4 rho/G); and a run.
TEST(ShellRuns, Explicit)
{
  const Folder folder, other;
  const std::string in_time = stages(section("fly", "set Type = dynamic")) + section("Time", "set Time step = auto\nset End time = 1");
  const std::string square = shell("plate", "", 6, 6, 0.1, 1., 0.3) + section("Elements", "set Mass = lumped") +
                             section("Integrator", "set Scheme = central-difference");
  std::ofstream(folder / "deck.prm") << square + stages(section("fly", "set Type = dynamic")) +
                                            section("Time", "set Time step = auto\nset End time = 1");
  const auto critical_step = [&](const std::string &settings) {
    const Outcome check = tool(folder, "check " + folder.path + "/deck.prm" + settings);
    const std::string words = "critical explicit time step (lumped mass, central differences): ";
    const std::size_t at = check.terminal.find(words);
    EXPECT_NE(at, std::string::npos) << check.terminal;
    return at == std::string::npos ? 0. : std::stod(check.terminal.substr(at + words.size()));
  };
  EXPECT_NEAR(critical_step(" --set 'Shells/skin/Director stiffness=0.7'"), 0.05774, 1e-3 * 0.05774);
  EXPECT_NEAR(critical_step(""), 0.1 * std::sqrt(0.4 * 2.6), 0.02 * 0.1);
  const History history =
      run_well(other, flying(4, "central-difference") + section("Elements", "set Mass = lumped"), {"Time/Time step=auto"}).history;
  EXPECT_LT(largest(history, "E_balance_error", "fly"), 0.02 * history["E_total"].front());
  EXPECT_NEAR(history.last("J_y"), history["J_y"].front(), 1e-9);
  const std::string exact = " --set Elements/Directors=exact --set Integrator/Scheme=", off = " --set 'Shells/skin/Offset=0.5'";
  EXPECT_NEAR(critical_step(exact + "rattle" + off), critical_step(exact + "rattle"), 1e-4 * 0.1) << "the same plate";
  EXPECT_NEAR(critical_step(exact + "newmark-constrained --set Elements/Mass=consistent --set 'Time/Time step=0.5'" + off),
              critical_step(exact + "rattle"), 1e-4 * 0.1);
  const Folder bottom;
  const History offset = run_well(bottom, flying(4, "central-difference") + section("Elements", "set Mass = lumped"),
                                  {"Shells/skin/Offset=0.5", "Mesh/plate/Corner=-0.5, -0.5, -0.01",
                                   "Points/corner/Position=0.5, 0.5, -0.01", "Time/Time step=auto"})
                             .history;
  EXPECT_LT(largest(offset, "E_balance_error", "fly"), 0.02 * offset["E_total"].front());
  for (const char *column : {"P_x", "P_z", "J_x", "J_y"})
    EXPECT_NEAR(offset.last(column), offset[column].front(), 1e-9) << column;
  expect_refused(square + in_time + section("Couplings", section("lid", "set At = 0, 0.5, 0\nset Boundaries = x-")),
                 "[Shells/skin] Offset = 0.5: a lumped mass off the nodes does not serve beside couplings", {"Shells/skin/Offset=0.5"});
}

/// Two rotations that are held leave the third, which a plate does not resist about its normal: it is clamped.
TEST(ShellRuns, RotationsThatAreHeld)
{
  const std::string push = load("shear", "edge-traction\nset Boundary = x+\nset Force per length = 0, 0, 1e-4") + still;
  const auto held = [&](const std::string &how) {
    std::string deck = strip;
    deck.replace(deck.find("set Type = fixed"), 16, "set Type = displacement\nset Displacement = 0, 0, 0\nset Rotation = " + how);
    return deck + push;
  };
  const auto tip = [&](const std::string &how) {
    const Folder folder;
    return run_well(folder, held(how)).history.last("tip.z");
  };
  const double clamped = tip("0, 0, 0");
  EXPECT_NEAR(clamped, 1e-4 * 1000. / (3. * 100.), 5e-3 * clamped);
  EXPECT_NEAR(tip("0, 0, free"), clamped, 1e-9 * clamped);
  EXPECT_NEAR(tip("free, 0, free"), clamped, 1e-9 * clamped);
  const Folder hinged;
  EXPECT_NE(run_text(hinged, held("0, free, 0")).exit_code, 0) << "a hinge, about which the strip turns";
}

/// Folds, supports and loads on two ranks; a restart between increments under a follower moment.
TEST(ShellRuns, RanksAndRestartsOfLoadedShells)
{
  const Folder one, two, whole, split;
  const History a = run_well(one, tube(one, 4, 8) + load("wind", "pressure\nset Pressure = 1000*z")).history;
  const History b = run_well(two, tube(two, 4, 8) + load("wind", "pressure\nset Pressure = 1000*z"), {}, 2).history;
  for (const char *column : {"a.x", "c.y", "E_potential"})
    EXPECT_NEAR(b.last(column), a.last(column), 1e-9 * std::abs(largest(a, column, "load"))) << column;
  const std::string roll = strip +
                           load("moment", "edge-moment\nset Boundary = x+\nset Follower = yes\nset Moment per length = 0, -20 - 100*t, 0") +
                           stages(section("roll", "set Type = static\nset Increments = 4") + section("swing", "set Type = dynamic")) +
                           section("Time", "set Time step = 0.01\nset End time = 0.1") + section("Integrator", "set Scheme = newmark");
  const Settings every_3{"Output/Checkpoint every=3", "Output/Write every=never"};
  run_well(whole, roll, every_3);
  run_well(split, roll, every_3 + Settings{"Time/End time=0.05"});
  const Outcome on = command(split, "exec " SYMDYN_BINARY " run --quiet --restart " + split.path + "/results --set 'Time/End time=0.1'");
  ASSERT_EQ(on.exit_code, 0) << on.terminal;
  EXPECT_TRUE(text_of(whole / "results/history.csv") == text_of(split / "results/history.csv"));
}

/// Supports that begin and go: the plate swings free after it has been bent, and one that begins takes directors along.
TEST(ShellRuns, SupportsOfStages)
{
  const std::string held =
      section("Supports", section("lift", "set Boundary = x+\nset Type = displacement\nset Displacement = free, free, 1") +
                              section("grip", "set Boundary = x+\nset Type = fixed"));
  const Folder folder;
  const History history = run_well(folder, strip + held +
                                               stages(section("up", "set Type = static\nset Increments = 2\nset Supports = clamp, lift") +
                                                      section("flat", "set Type = static\nset Increments = 2\nset Supports = clamp, grip")))
                              .history;
  EXPECT_NEAR(history.at(0., "tip.z"), 0., 1e-9);
  EXPECT_NEAR(largest(history, "tip.z", "up"), 1., 1e-9);
  EXPECT_GT(history["E_potential"][2], 0.1);
  EXPECT_NEAR(history.last("E_potential"), 0., 1e-9) << "back at rest, with its directors";
  EXPECT_NEAR(history["lift.R_z"][2], 3. * 100. / 1000., 0.02);
}

/// Stresses that are carried on from iterate to iterate save half of the iterations of a static stage, and change nothing else.
TEST(ShellRuns, CarriedStressesSaveIterations)
{
  const Folder carried, present;
  const std::string pinched = "verification/pinched-hemisphere.prm";
  const History a = run_deck(carried, pinched).history, b = run_deck(present, pinched, {"Newton/Stresses=present"}).history;
  const auto iterations = [](const History &history) { return std::accumulate(history["newton"].begin(), history["newton"].end(), 0.); };
  EXPECT_LT(iterations(a), 0.6 * iterations(b));
  EXPECT_GT(iterations(a), 10.);
  for (const char *column : {"A.x", "B.y", "E_potential"})
    EXPECT_NEAR(a.last(column), b.last(column), 1e-8 * std::abs(b.last(column))) << column;
}

/// So do implicit steps, a little: of the case `perf-plate`, two steps from rest, which begin at q0 either way. The tangent of the discrete
/// gradient takes means of both ends, and saves less.
TEST(ShellRuns, StepsFromTheLastConfigurationSaveIterations)
{
  const auto run = [](const std::string &scheme, const std::string &stresses) {
    const Folder folder;
    return run_well(folder,
                    shell("plate", "set Size = 10, 10", 32, 32, 0.05, 2e11, 0.3, 8000.) + support("clamp", "x-", "fixed") +
                        node("tip", "10, 10, 0") + force("tip", "0, 0, 1e4") + stages(section("load", "set Type = dynamic")) +
                        section("Time", "set Time step = 0.01\nset End time = 0.02") + section("Integrator", "set Scheme = " + scheme),
                    {"Newton/Stresses=" + stresses})
        .history;
  };
  const auto iterations = [](const History &history) { return std::accumulate(history["newton"].begin(), history["newton"].end(), 0.); };
  for (const auto &[scheme, part] : {std::pair{"newmark", 0.9}, {"hht-alpha", 0.9}, {"discrete-gradient", 0.95}})
  {
    const History a = run(scheme, "carried"), b = run(scheme, "present");
    EXPECT_LT(iterations(a), part * iterations(b)) << scheme;
    EXPECT_GE(iterations(a), 2.) << scheme;
    EXPECT_NEAR(a.last("tip.z"), b.last("tip.z"), 1e-6 * std::abs(b.last("tip.z"))) << scheme;
  }
}

/// Output/Thickness = none: the strip is its middle surface, half a thickness above the nodes, with the stress of its faces; a node a node.
TEST(ShellRuns, FramesWithoutThickness)
{
  const Folder folder;
  run_well(folder,
           strip + load("shear", "edge-traction\nset Boundary = x+\nset Force per length = 0, 0, 1e-3") + still +
               section("Output", "set Thickness = none"),
           {"Shells/skin/Offset=0.5"});
  double most = 0.;
  vtkIdType points = 0;
  for (const std::string &file : files_of(folder / "results/solution.pvd"))
    if (file.find("parts") != std::string::npos)
    {
      const auto grid = read_grid(file);
      EXPECT_EQ(grid->GetCellType(0), 9) << "a quadrilateral of VTK";
      points += grid->GetNumberOfPoints();
      for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i)
      {
        most = std::max(most, grid->GetPointData()->GetArray("von_mises")->GetTuple1(i));
        EXPECT_NEAR(grid->GetPoint(i)[2], 0.05, 1e-6);
      }
    }
  EXPECT_GT(points, 0);
  EXPECT_NEAR(most, 6. * 1e-3 * (10. - 0.3125) / 0.01, 1e-3 * 6.) << "in the middle of the first cell";
  expect_refused("set Structure = discrete\n" + section("Points", section("a", "set Position = 0, 0, 0\nset Fixed = yes")) +
                     section("Output", "set Thickness = none"),
                 "Thickness = none: has no effect, because there are no beams or shells");
}

/// Frames: the thickness of a shell and a beam, and the stress of bending on their faces, 6 M/t² in a strip and M c/I in a cantilever.
TEST(ShellRuns, FramesHaveThicknessAndStress)
{
  const Folder plate, beam;
  run_well(plate, strip + load("shear", "edge-traction\nset Boundary = x+\nset Force per length = 0, 0, 1e-3") + still);
  run_well(beam, "set Structure = discrete\n" +
                     section("Points", section("a", "set Position = 0, 0, 0\nset Fixed = yes") + section("b", "set Position = 2, 0, 0")) +
                     section("Beams", section("arm",
                                              "set From = a\nset To = b\nset Elements = 8\nset Direction = 0, 0, 1\nset Size = 0.02, "
                                              "0.03\nset E = 2e11\nset Density = 8000\nset Clamped = from")) +
                     force("b", "0, 0, 0.01") + still);
  const auto drawn = [](const Folder &folder) {
    std::pair<double, std::array<double, 2>> found{0., {1e9, -1e9}};  // largest stress, least and largest z
    for (const std::string &file : files_of(folder / "results/solution.pvd"))
      if (file.find("parts") != std::string::npos)
      {
        const auto grid = read_grid(file);
        for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i)
        {
          const double stress = grid->GetPointData()->GetArray("von_mises")->GetTuple1(i);
          EXPECT_TRUE(std::isfinite(stress));
          found.first = std::max(found.first, stress);
          found.second = {std::min(found.second[0], grid->GetPoint(i)[2]), std::max(found.second[1], grid->GetPoint(i)[2])};
        }
      }
    return found;
  };
  const auto [of_plate, thick] = drawn(plate);
  EXPECT_NEAR(of_plate, 6. * 1e-3 * (10. - 0.3125) / 0.01, 1e-3 * 6.) << "in the middle of the first cell";
  EXPECT_NEAR(thick[1] - thick[0], 0.1, 1e-6);
  const double arm = 2. - 0.125 * (1. - 1. / std::sqrt(3.)), I = 0.03 * 8e-6 / 12.;
  const auto [of_beam, high] = drawn(beam);
  EXPECT_NEAR(of_beam, 0.01 * arm * 0.01 / I, 1e-4 * of_beam) << "at the first Gauss point";
  EXPECT_NEAR(high[1] - high[0], 0.02, 1e-6);
}
namespace
{
/// A panel held at its straight edges, with a mass on two beams above it, pushed and let go. `length` and `mass`: of the deck's units in
/// 1 m and 1 kg.
std::string mast_on_panel(const int cells, const double length, const double mass, const std::string &more)
{
  const auto number = [](const double value) { return fmt::format("{:.15g}", value); };
  const std::string tip = number(-0.3 * length) + ", 0, " + number(2.4 * length);
  const auto beam = [&](const std::string &name, const double x) {
    return section(name, "set From = " + number(x * length) + ", 0, " + number(2. * length) + "\nset To = " + tip +
                             "\nset Elements = 4\nset Section = circle\nset Size = " + number(0.01 * length) +
                             "\nset Material = steel\nset Direction = 0, 1, 0");
  };
  return "set Structure = discrete\n" + section("Units", "set System = none") +
         section("Mesh", fmt::format("set Type = cylinder-panel\nset Subdivisions = {0}, {0}\n", cells) +
                             section("cylinder-panel",
                                     "set Angles = -20, 20\nset Radius = " + number(2. * length) + "\nset Length = " + number(length))) +
         section("Materials", section("steel", "set Type = linear-elasticity\nset nu = 0.3\nset E = " + number(2e11 * mass / length) +
                                                   "\nset Density = " + number(7850. * mass / std::pow(length, 3)))) +
         section("Shells", section("panel", "set Material = steel\nset Thickness = " + number(0.005 * length))) +
         section("Beams", beam("one", 0.) + beam("two", 1.)) +
         section("Points", section("tip", "set Position = " + tip + "\nset Mass = " + number(0.5 * mass))) +
         section("Supports", section("edges", "set Boundary = phi-, phi+")) +
         section("Forces", section("push", "set Points = tip\nset Force = 0, " + number(150. * mass * length) + ", " +
                                               number(-1000. * mass * length))) +
         section("Integrator", "set Scheme = newmark") +
         stages(section("bend", "set Type = static\nset Increments = 4") + section("swing", "set Type = dynamic\nset Loads = none")) +
         section("Output", "set Write every = never\nset History every = 1") + more;
}
}  // namespace

/// Tonnes and millimetres in place of kilograms and metres: the same motion, and 2 % of the iterations at most.
TEST(ShellRuns, MillimetresOrMetres)
{
  const Folder folder;
  const auto run = [&](const double length, const double mass) {
    return run_well(folder, mast_on_panel(8, length, mass, section("Time", "set Time step = 0.001\nset End time = 0.05"))).history;
  };
  const History metres = run(1., 1.), millimetres = run(1e3, 1e-3);
  const auto iterations = [](const History &history) { return std::accumulate(history["newton"].begin(), history["newton"].end(), 0.); };
  ASSERT_EQ(metres.rows(), millimetres.rows());
  const double most = largest(metres, "tip.y", "swing");
  EXPECT_GT(most, 0.005) << "the panel holds the masts about its normal";
  for (std::size_t i = 0; i < metres.rows(); ++i)
    EXPECT_NEAR(1e-3 * millimetres["tip.y"][i], metres["tip.y"][i], 1e-9 * most);
  EXPECT_NEAR(iterations(millimetres), iterations(metres), 0.02 * iterations(metres));
}

/// 100 steps, with nodes of a rigid coupling on several ranks: motions to 1e-12 of the largest.
TEST(ShellRuns, RanksToRounding)
{
  const std::string deck =
      mast_on_panel(4, 1., 1.,
                    section("Couplings", section("lid", "set At = 0.5, 0, 2.6\nset Boundaries = x+")) +
                        section("Newton", "set Tolerance = 1e-12") + section("Time", "set Time step = 0.001\nset End time = 0.1"));
  const Settings from_the_lid{"Beams/one/From=0.5, 0, 2.6"};
  const Folder one;
  const History a = run_well(one, deck, from_the_lid).history;
  for (const int ranks : {2, 3})
  {
    const Folder several;
    const History b = run_well(several, deck, from_the_lid, ranks).history;
    for (const char *column : {"tip.x", "tip.y", "tip.z"})
      for (std::size_t i = 0; i < a.rows(); ++i)
        EXPECT_NEAR(b[column].at(i), a[column][i], 1e-12 * largest(a, column, "swing")) << column << " on " << ranks;
  }
}
}  // namespace symdyn::tests::in_shell_decks
