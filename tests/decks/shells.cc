// Shells in decks: closed forms, published answers, schemes, ranks, restart, supports, loads, folds, beams on shells, and what is refused.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/compare.h"
#include "tests/linear_decks.h"

namespace symdyn::tests::in_shell_decks
{
namespace
{
const std::string still = stages(section("load", "set Type = static"));

/// A surface with one shell of linear elastic stuff.
std::string shell(const std::string &type, const std::string &shape, const int n0, const int n1, const double thickness, const double E,
                  const double nu, const double density = 1., const std::string &more = "")
{
  return "set Structure = discrete\n" +
         section("Mesh", fmt::format("set Type = {}\nset Subdivisions = {}, {}\n", type, n0, n1) + section(type, shape)) +
         elastic(E, nu, density) +
         section("Shells", section("skin", fmt::format("set Thickness = {:.15g}\nset Material = stuff\n", thickness) + more));
}
std::string support(const std::string &name, const std::string &boundary, const std::string &how)
{
  return section("Supports", section(name, "set Boundary = " + boundary + "\nset Type = " + how));
}
std::string load(const std::string &name, const std::string &entries) { return section("Loads", section(name, "set Type = " + entries)); }
std::string node(const std::string &name, const std::string &position)
{
  return section("Points", section(name, "set On mesh = yes\nset Position = " + position));
}
std::string force(const std::string &at, const std::string &components)
{
  return section("Forces", section("at_" + at, "set Points = " + at + "\nset Force = " + components));
}

const std::string roof = "verification/scordelis-lo.prm";
Settings cells(const int n) { return {fmt::format("Mesh/Subdivisions={}, {}", n, n)}; }
double sag_of_roof(const History &history) { return (history.last("edge.z") - 25. * std::cos(40. * M_PI / 180.)) * 1e6; }

/// A cantilever plate along x, 10 x 1 x 0.1.
const std::string strip =
    shell("plate", "set Size = 10, 1", 16, 1, 0.1, 1.2e6, 0., 1000.) + support("root", "x-", "fixed") + node("tip", "10, 1, 0");

/// The free plate of the case `free-plate`, slower.
std::string flying(const int n, const std::string &scheme)
{
  return shell("plate", "set Corner = -0.5, -0.5, 0\nset Size = 1, 1", n, n, 0.02, 2e7, 0.3, 1000.) + node("corner", "0.5, 0.5, 0") +
         section("Initial conditions", "set Velocity = 0.1*(1 + 3*z - y), 0.1*(x - 2*z), 0.1*(2*y - 3*x) + x^2 - y^2") +
         stages(section("fly", "set Type = dynamic")) + section("Time", "set Time step = 0.001\nset End time = 0.05") +
         section("Integrator", "set Scheme = " + scheme);
}

/// A square tube of four walls along z in a file, clamped below: width 0.2 of the middle lines, length 2.
std::string tube(const Folder &folder, const int around, const int along, const bool flip = false)
{
  const double side = 0.2, length = 2.;
  std::string nodes, cells;
  const int per_ring = 4 * around;
  for (int j = 0; j <= along; ++j)
    for (int i = 0; i < per_ring; ++i)
    {
      const double s = side * (i % around) / around - 0.5 * side, w = 0.5 * side;
      const int wall = i / around;
      const double x = wall == 0 ? s : wall == 1 ? w : wall == 2 ? -s : -w, y = wall == 0 ? -w : wall == 1 ? s : wall == 2 ? w : -s;
      nodes += fmt::format("{} {:.12g} {:.12g} {:.12g}\n", j * per_ring + i + 1, x, y, length * j / along);
    }
  int count = 0;
  for (int i = 0; i < per_ring; ++i)
    cells += fmt::format("{} 1 2 1 1 {} {}\n", ++count, i + 1, (i + 1) % per_ring + 1);
  for (int j = 0; j < along; ++j)
    for (int i = 0; i < per_ring; ++i)
    {
      std::array<int, 4> n{j * per_ring + i + 1, j * per_ring + (i + 1) % per_ring + 1, (j + 1) * per_ring + (i + 1) % per_ring + 1,
                           (j + 1) * per_ring + i + 1};
      if (flip && i == 3 && j == 2)
        std::swap(n[1], n[3]);
      cells += fmt::format("{} 3 2 2 2 {} {} {} {}\n", ++count, n[0], n[1], n[2], n[3]);
    }
  std::ofstream(folder / "tube.msh")
      << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n1 1 \"foot\"\n2 2 \"walls\"\n$EndPhysicalNames\n$Nodes\n"
      << (along + 1) * per_ring << "\n"
      << nodes << "$EndNodes\n$Elements\n"
      << count << "\n"
      << cells << "$EndElements\n";
  return "set Structure = discrete\n" + section("Mesh", "set Type = file\nset File = tube.msh") + elastic(2e11, 0., 7850.) +
         section("Shells", section("walls", "set Thickness = 0.004\nset Material = stuff")) + support("foot", "foot", "fixed") +
         section("Points", "set Dimension = 3\n" + section("a", "set On mesh = yes\nset Position = 0.1, 0.1, 2") +
                               section("b", "set On mesh = yes\nset Position = -0.1, 0.1, 2") +
                               section("c", "set On mesh = yes\nset Position = -0.1, -0.1, 2") +
                               section("d", "set On mesh = yes\nset Position = 0.1, -0.1, 2")) +
         still;
}
}  // namespace

/// The case `scordelis-lo`, S4 and S3; and an angle that is wrong is another roof.
TEST(ShellDecks, ScordelisLoRoof)
{
  for (const auto &[n, sag] : {std::pair{4, -0.31767}, {8, -0.30424}, {16, -0.30174}})
  {
    const Folder folder;
    EXPECT_NEAR(sag_of_roof(run_deck(folder, roof, cells(n)).history), sag, 1e-4 * 0.3) << n;
  }
  const Folder folder, other;
  EXPECT_NEAR(sag_of_roof(run_deck(folder, roof, cells(32) + Settings{"Mesh/Cell shape=triangles"}).history), -0.3014, 0.015);
  EXPECT_GT(std::abs(sag_of_roof(run_deck(other, roof, cells(8) + Settings{"Shells/roof/Thickness=0.26"}).history) + 0.30424), 5e-3);
}

/// The case `sze-hemi`, 16 x 16.
TEST(ShellDecks, PinchedHemisphere)
{
  const Folder folder;
  const History history = run_deck(folder, "verification/pinched-hemisphere.prm").history;
  EXPECT_NEAR(history.last("A.x") - 10., 4.0476, 1e-3);
  EXPECT_NEAR(10. - history.last("B.y"), 8.1143, 1e-3);
  EXPECT_NEAR(history.last("yz.R_x"), -200., 1e-5) << "in balance with the force at A";
  EXPECT_LT(history.last("cap.director_error"), 1e-3);
}

/// The case `fv16`, and the mass of the plate.
TEST(ShellDecks, ClampedPlateVibrates)
{
  const Folder folder;
  const std::string deck = shell("plate", "set Size = 10, 10", 16, 16, 0.05, 200e9, 0.3, 8000.) + support("root", "x-", "fixed") +
                           stages(section("forms", "set Type = modes\nset Modes = 6"));
  const Outcome run = run_well(folder, deck);
  EXPECT_NEAR(run.summary["mass"].get<double>(), 8000. * 5., 1e-8);
  const auto modes = table_of(folder / "results/modes-forms.csv");
  const std::vector<double> published{0.4182, 1.0256, 2.5859, 3.2951, 3.7564, 6.5858};
  for (std::size_t i = 0; i < published.size(); ++i)
    EXPECT_NEAR(modes.at("frequency").at(i), published[i], 1.5e-4 * published[i]) << i;
}

/// The case `fv13`: edges that turn about themselves alone.
TEST(ShellDecks, SupportedPlateVibrates)
{
  const Folder folder;
  std::string deck = shell("plate", "set Size = 10, 10", 32, 32, 0.05, 200e9, 0.3, 8000.);
  for (const char *edge : {"x-", "x+"})
    deck += support(edge, edge, "displacement\nset Displacement = 0, 0, 0\nset Rotation = 0, free, free");
  for (const char *edge : {"y-", "y+"})
    deck += support(edge, edge, "displacement\nset Displacement = 0, 0, 0\nset Rotation = free, 0, free");
  run_well(folder, deck + stages(section("forms", "set Type = modes\nset Modes = 6")));
  const auto modes = table_of(folder / "results/modes-forms.csv");
  const std::vector<double> prototype{2.3791, 5.9636, 5.9636, 9.5444, 11.9937, 11.9937};
  for (std::size_t i = 0; i < prototype.size(); ++i)
    EXPECT_NEAR(modes.at("frequency").at(i), prototype[i], 1.5e-4 * prototype[i]) << i;
}

/// A dead force on the edge bends a strip by more than half its length (`sze-1`); a moment on it rolls it up.
TEST(ShellDecks, StripBendsAndRolls)
{
  const Folder bent, rolled, back;
  const History bend = run_well(bent, strip + load("shear", "edge-traction\nset Boundary = x+\nset Force per length = 0, 0, 4") +
                                          stages(section("bend", "set Type = static\nset Increments = 8")))
                           .history;
  EXPECT_NEAR(10. - bend.last("tip.x"), 3.293, 2e-3);
  EXPECT_NEAR(bend.last("tip.z"), 6.705, 2e-3);
  EXPECT_NEAR(bend.last("root.R_z"), -4., 1e-6);
  const std::string moment =
      load("moment", fmt::format("edge-moment\nset Boundary = x+\nset Moment per length = 0, {:.15g}, 0", -20. * M_PI));
  const std::string roll = stages(section("roll", "set Type = static\nset Increments = 20"));
  const History circle = run_well(rolled, strip + moment + roll, {"Mesh/Subdivisions=64, 1"}).history;
  EXPECT_LT(std::hypot(circle.last("tip.x"), circle.last("tip.z")), 0.01 * 10.) << "EI = 100: one whole turn";
  EXPECT_NEAR(circle.last("E_potential"), 0.5 * 100. * std::pow(2. * M_PI / 10., 2) * 10., 5e-3 * 197.4);
  const History half =
      run_well(back, strip + moment + roll, {"Mesh/Subdivisions=64, 1", "Loads/moment/Moment per length=0, -10*pi, 0"}).history;
  EXPECT_NEAR(half.last("tip.z"), 20. / M_PI, 0.02) << "half a turn";
}

/// A closed cylinder under pressure: p R²/(E t) at small pressures; at large ones the shell follows p(R + u) = N(u)/(1 + ...) and Newton
/// converges with the tangent of the load.
TEST(ShellDecks, PressureOpensACylinder)
{
  const std::string deck =
      shell("cylinder-panel", "set Radius = 2\nset Length = 1\nset Angles = 0, 360", 48, 2, 0.01, 1e7, 0.) +
      support("left", "x-", "symmetry") +
      support("right", "x+", "displacement\nset Displacement = free, free, free\nset Rotation = free, 0, 0") +
      section("Supports", section("a", "set Point = 0, 0, 2\nset Type = displacement\nset Displacement = free, 0, free") +
                              section("b", "set Point = 0, 2, 0\nset Type = displacement\nset Displacement = free, free, 0")) +
      node("top", "1, 0, 2") + load("gas", "pressure\nset Pressure = 50") + still;
  const Folder small, large;
  const double u = 50. * 4. / (1e7 * 0.01);
  EXPECT_NEAR(run_well(small, deck).history.last("top.z") - 2., u, 4e-3 * u) << "chords of 48 cells";
  const Outcome strong = run_well(large, deck, {"Loads/gas/Pressure=1e4"});
  // E t (lambda² - 1)/2 lambda/R = p lambda: lambda² = 1 + 2 p R/(E t).
  EXPECT_NEAR(strong.history.last("top.z"), 2. * std::sqrt(1. + 2. * 1e4 * 2. / 1e5), 2e-3);
  EXPECT_LE(strong.history.last("newton"), 8.);
}

/// Two layers of one material are one; a shell off its nodes bends like one in its middle.
TEST(ShellDecks, LayersAndOffset)
{
  const std::string push = load("shear", "edge-traction\nset Boundary = x+\nset Force per length = 0, 0, 1e-4") + still;
  const Folder one, two, off, ply;
  const double tip = run_well(one, strip + push).history.last("tip.z");
  std::string layered = strip;
  const std::string single = "set Thickness = 0.1\nset Material = stuff\n";
  layered.replace(layered.find(single), single.size(), "set Layers = stuff 0.03 0; stuff 0.07 30\n");
  EXPECT_NEAR(run_well(two, layered + push).history.last("tip.z"), tip, 1e-9 * tip);
  EXPECT_NEAR(run_well(off, strip + push, {"Shells/skin/Offset=0.5"}).history.last("tip.z"), tip, 1e-5 * tip);
  expect_refused(layered + push, "layer 2 is ' stuff 0.07': it needs a material, its thickness [m] and its angle [degrees]",
                 {"Shells/skin/Layers=stuff 0.03 0; stuff 0.07"});
  expect_refused(layered + push, "there is no material 'foam' in Materials; there are: stuff", {"Shells/skin/Layers=foam 0.03 0"});
}

/// A thin-walled square tube: bending P L³/(3 E I) + P L/(G A/2), twist of Bredt. Its folds have two directors.
TEST(ShellDecks, TubeOfPlates)
{
  const Folder bent, twisted, flipped;
  const double P = 100., L = 2., t = 0.004, a = 0.2, I = 2. / 3. * t * a * a * a, E = 2e11, G = 1e11;
  std::string deck = tube(bent, 4, 20);
  for (const char *corner : {"a", "b", "c", "d"})
    deck += force(corner, "25, 0, 0");
  const double bend = P * L * L * L / (3. * E * I) + P * L / (G * 2. * a * t);
  const Outcome run = run_well(bent, deck);
  EXPECT_NEAR(0.5 * (run.history.last("a.x") + run.history.last("b.x")), bend, 0.02 * bend);
  EXPECT_NEAR(run.history.last("foot.R_x"), -P, 1e-6);
  deck = tube(twisted, 4, 20) + force("a", "-50, 50, 0") + force("b", "-50, -50, 0") + force("c", "50, -50, 0") + force("d", "50, 50, 0");
  const double T = 4. * 100. * 0.1, twist = T * L / (G * a * a * a * t);
  EXPECT_NEAR((run_well(twisted, deck).history.last("a.y") - 0.1) / 0.1, twist, 0.06 * twist) << "the free end warps";
  expect_refused(tube(flipped, 4, 20, true).replace(tube(flipped, 4, 20, true).find("tube.msh"), 8, flipped / "tube.msh"),
                 "point to different sides of the surface");
}

/// A beam along the middle of a plate shares its nodes: E I of both about their common axis; beside it, it does not.
TEST(ShellDecks, BeamStiffensAPlate)
{
  const auto rib = [](const std::string &offset) {
    return section("Beams", section("rib",
                                    "set From = 0, 0.5, 0\nset To = 10, 0.5, 0\nset Elements = 8\nset Direction = 0, 0, 1\nset Size = 0.4, "
                                    "0.1\nset E = 1.2e6\nset Density = 1000\nset Clamped = from\nset Offset = " +
                                        offset + ", 0"));
  };
  const auto push = load("shear", "edge-traction\nset Boundary = x+\nset Force per length = 0, 0, 1e-4") + still;
  const auto tip = [&](const std::string &more) {
    const Folder folder;
    return run_well(folder, strip + more + push, {"Mesh/Subdivisions=16, 2"}).history.last("tip.z");
  };
  const double bare = tip(""), centred = tip(rib("0")), below = tip(rib("-0.25")), E = 1.2e6;
  const double plate = 1. * 1e-3 / 12., beam = 0.1 * 0.064 / 12., A = 0.1, B = 0.04;
  EXPECT_NEAR(bare, 1e-4 * 1000. / (3. * E * plate), 5e-3 * bare);
  EXPECT_NEAR(centred, 1e-4 * 1000. / (3. * E * (plate + beam)), 0.02 * centred);
  EXPECT_NEAR(below, 1e-4 * 1000. / (3. * E * (plate + beam + A * B / (A + B) * 0.0625)), 0.05 * below);
}

/// P, J and the energy of a free plate, whose start is that of the case `free-plate`, a tenth as fast.
TEST(ShellDecks, FreePlateKeepsWhatItMust)
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

TEST(ShellDecks, Ranks)
{
  const Folder one;
  const History a = run_well(one, flying(6, "newmark")).history;
  for (const int ranks : {2, 3})
  {
    const Folder several;
    const History b = run_well(several, flying(6, "newmark"), {}, ranks).history;
    for (const char *column : {"corner.x", "corner.z", "E_kinetic", "E_potential", "J_x"})
      for (std::size_t i = 0; i < a.rows(); ++i)
        EXPECT_NEAR(b[column].at(i), a[column][i], 1e-9 * largest(a, column, "fly")) << column << ranks;
  }
}

TEST(ShellDecks, Restart)
{
  const Folder whole, split;
  const Settings every_10{"Output/Checkpoint every=10", "Output/Write every=never"};
  run_well(whole, flying(4, "newmark"), every_10);
  run_well(split, flying(4, "newmark"), every_10 + Settings{"Time/End time=0.02"});
  const Outcome on = tool(split, "run --quiet --restart " + split.path + "/results --set 'Time/End time=0.05'");
  ASSERT_EQ(on.exit_code, 0) << on.terminal;
  EXPECT_TRUE(text_of(whole / "results/history.csv") == text_of(split / "results/history.csv"));
}

/// The critical step of the case `explicit-step` with elastic directors of stiffness E t, 0.7 of the largest of the section; and a run.
TEST(ShellDecks, Explicit)
{
  const Folder folder, other;
  const std::string in_time = stages(section("fly", "set Type = dynamic")) + section("Time", "set Time step = auto\nset End time = 1");
  const std::string square = shell("plate", "", 6, 6, 0.1, 1., 0.3) + section("Elements", "set Mass = lumped") +
                             section("Integrator", "set Scheme = central-difference");
  std::ofstream(folder / "deck.prm") << square + stages(section("fly", "set Type = dynamic")) +
                                            section("Time", "set Time step = auto\nset End time = 1");
  const Outcome check = tool(folder, "check " + folder.path + "/deck.prm --set 'Shells/skin/Director stiffness=0.7'");
  const std::string words = "critical explicit time step (lumped mass, central differences): ";
  const std::size_t at = check.terminal.find(words);
  ASSERT_NE(at, std::string::npos) << check.terminal;
  EXPECT_NEAR(std::stod(check.terminal.substr(at + words.size())), 0.05774, 1e-3 * 0.05774);
  const History history =
      run_well(other, flying(4, "central-difference") + section("Elements", "set Mass = lumped"), {"Time/Time step=auto"}).history;
  EXPECT_LT(largest(history, "E_balance_error", "fly"), 0.02 * history["E_total"].front());
  EXPECT_NEAR(history.last("J_y"), history["J_y"].front(), 1e-9);
  expect_refused(square + in_time, "a lumped mass stands at the nodes", {"Shells/skin/Offset=0.5"});
}

/// A strip of three plies along, across, along: bending by the plies along. Turned by 90 degrees it is soft.
TEST(ShellDecks, PliesBendByTheirAngles)
{
  const double E1 = 4e6, E2 = 1e5, t = 0.1, core = 1. / 27.;
  const std::string ply = section("Materials", section("ply",
                                                       "set Type = linear-elasticity-anisotropic\nset E = 4e6, 1e5, 1e5\nset nu = 0, 0, "
                                                       "0\nset G = 1e6, 1e6, 1e6\nset Density = 1"));
  std::string deck = strip;
  const std::string plain = elastic(1.2e6, 0., 1000.), single = "set Thickness = 0.1\nset Material = stuff\n";
  deck.erase(deck.find(plain), plain.size());
  deck.replace(deck.find(single), single.size(),
               fmt::format("set Layers = ply {0} 0; ply {0} 90; ply {0} 0\nset Direction = 1, 0, 0\n", t / 3.));
  deck += ply + load("shear", "edge-traction\nset Boundary = x+\nset Force per length = 0, 0, 1e-4") + still;
  const auto tip = [&](const Settings &settings) {
    const Folder folder;
    return run_well(folder, deck, settings).history.last("tip.z");
  };
  const auto bent = [&](const double faces, const double middle) {
    const double D = t * t * t / 12. * (faces * (1. - core) + middle * core);
    return 1e-4 * 1000. / (3. * D);
  };
  EXPECT_NEAR(tip({}), bent(E1, E2), 5e-3 * bent(E1, E2));
  EXPECT_NEAR(tip({"Shells/skin/Direction=0, 1, 0"}), bent(E2, E1), 5e-3 * bent(E2, E1));
  EXPECT_NEAR(tip({fmt::format("Shells/skin/Layers=ply {0} 90; ply {0} 0; ply {0} 90", t / 3.)}), bent(E2, E1), 5e-3 * bent(E2, E1));
  expect_refused(deck, "is along the normal of cell 1", {"Shells/skin/Direction=0, 0, 1"});
  std::string without = deck;
  without.erase(without.find("set Direction = 1, 0, 0\n"), 24);
  expect_refused(without, "the shell has no Direction");
}

/// Two rotations that are held leave the third, which a plate does not resist about its normal: it is clamped.
TEST(ShellDecks, RotationsThatAreHeld)
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
TEST(ShellDecks, RanksAndRestartsOfLoadedShells)
{
  const Folder one, two, whole, split;
  const History a = run_well(one, tube(one, 4, 8) + load("wind", "pressure\nset Pressure = 1000*z")).history;
  const History b = run_well(two, tube(two, 4, 8) + load("wind", "pressure\nset Pressure = 1000*z"), {}, 2).history;
  for (const char *column : {"a.x", "c.y", "E_potential"})
    EXPECT_NEAR(b.last(column), a.last(column), 1e-9 * std::abs(largest(a, column, "load"))) << column;
  const std::string roll = strip + load("moment", "edge-moment\nset Boundary = x+\nset Follower = yes\nset Moment per length = 0, -20, 0") +
                           stages(section("roll", "set Type = static\nset Increments = 4") + section("swing", "set Type = dynamic")) +
                           section("Time", "set Time step = 0.01\nset End time = 0.1") + section("Integrator", "set Scheme = newmark");
  const Settings every_3{"Output/Checkpoint every=3", "Output/Write every=never"};
  run_well(whole, roll, every_3);
  run_well(split, roll, every_3 + Settings{"Time/End time=0.05"});
  const Outcome on = tool(split, "run --quiet --restart " + split.path + "/results --set 'Time/End time=0.1'");
  ASSERT_EQ(on.exit_code, 0) << on.terminal;
  EXPECT_TRUE(text_of(whole / "results/history.csv") == text_of(split / "results/history.csv"));
}

/// Supports that begin and go: the plate swings free after it has been bent, and one that begins takes directors along.
TEST(ShellDecks, SupportsOfStages)
{
  const std::string held =
      section("Supports", section("lift", "set Boundary = x+\nset Type = displacement\nset Displacement = free, free, 1") +
                              section("grip", "set Boundary = x+\nset Type = fixed"));
  const Folder folder;
  const History history = run_well(folder, strip + held +
                                               stages(section("up", "set Type = static\nset Increments = 2\nset Supports = root, lift") +
                                                      section("flat", "set Type = static\nset Increments = 2\nset Supports = root, grip")))
                              .history;
  EXPECT_NEAR(history.at(0., "tip.z"), 0., 1e-9);
  EXPECT_NEAR(largest(history, "tip.z", "up"), 1., 1e-9);
  EXPECT_GT(history["E_potential"][2], 0.1);
  EXPECT_NEAR(history.last("E_potential"), 0., 1e-9) << "back at rest, with its directors";
  EXPECT_NEAR(history["lift.R_z"][2], 3. * 100. / 1000., 0.02);
}

TEST(ShellDecks, Refused)
{
  const auto refused = [](const Settings &settings, const std::string &words) { expect_refused(strip + still, words, settings); };
  refused({"Shells/skin/Thickness=0"}, "the thickness at (0.3125, 0.5, 0) m is 0 m. It must be > 0");
  refused({"Shells/skin/Thickness=0.1 - 0.02*x"}, "It must be > 0");
  refused({"Shells/skin/Material=steel"}, "Material = steel: there is no material 'steel' in Materials; there are: stuff");
  refused({"Shells/skin/Groups=wing"}, "Groups = wing: the mesh has no group 'wing'; there are: shell");
  refused({"Shells/skin/Direction=0, 0, 0"}, "Direction = 0, 0, 0: needs three numbers, not all zero");
  refused({"Materials/stuff/Type=neo-hooke-log"}, "materials of shells and beams have constant moduli");
  refused({"Supports/root/Boundary=x--"}, "the surface has no boundary 'x--'; there are: x-, x+, y-, y+");
  refused({"Supports/root/Rotation=0, 0, 0"}, "Rotation = 0, 0, 0: Type = fixed says how nodes turn. Remove the entry");
  refused({"Mesh/Subdivisions=4"}, "Subdivisions = 4");
  refused({"Mesh/Fold angle=5"}, "Fold angle = 5: has no effect with Type = plate");
  expect_refused(strip + load("gas", "pressure\nset Pressure = 0") + still, "a pressure of zero has no effect");
  expect_refused(strip + section("Moments", section("drill", "set At = tip\nset Moment = 0, 0, 1")) + still,
                 "is about the normal of a shell, which resists no such moment where it has no fold");
  expect_refused(strip + section("Moments", section("drill", "set At = tip\nset Moment = 0, 1, 1")) + still,
                 "has a part about the normal of a shell");
  refused({"Materials/stuff/Plane=strain"}, "shells are in plane stress");
  expect_refused(strip + section("Shells", section("other", "set Thickness = 1\nset Material = stuff")) + still,
                 "belongs to the shell 'skin', too");
  expect_refused("set Structure = discrete\n" + section("Mesh", "set Type = plate") +
                     section("Points", section("a", "set Mass = 1\nset Position = 0, 0, 0")) + still,
                 "with Structure = discrete a mesh is of shells, and there are none");
  expect_refused(section("Mesh", "set Type = box") + elastic(1., 0., 1.) +
                     section("Shells", section("skin", "set Thickness = 1\nset Material = stuff")) + still,
                 "there is no surface that could be a shell");
}
}  // namespace symdyn::tests::in_shell_decks
