// Shells in decks: closed forms and published answers.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/shell_decks.h"

namespace symdyn::tests::in_shell_decks
{
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

/// The same plate, 4000 times as wide as thick: directors are then 1e9 times as stiff over their inertia as the plate is in its first form.
/// f = pi/2 (m² + n²)/L² sqrt(D/(rho t)).
TEST(ShellDecks, VeryThinPlateVibrates)
{
  const Folder folder;
  constexpr double t = 0.0025, E = 200e9, nu = 0.3, rho = 8000.;
  std::string deck = shell("plate", "set Size = 10, 10", 24, 24, t, E, nu, rho);
  for (const char *edge : {"x-", "x+"})
    deck += support(edge, edge, "displacement\nset Displacement = 0, 0, 0\nset Rotation = 0, free, free");
  for (const char *edge : {"y-", "y+"})
    deck += support(edge, edge, "displacement\nset Displacement = 0, 0, 0\nset Rotation = free, 0, free");
  const Outcome run = run_well(folder, deck + stages(section("forms", "set Type = modes\nset Modes = 4")));
  EXPECT_EQ(run.terminal.find("nothing has counted the modes"), std::string::npos) << run.terminal;
  const auto modes = table_of(folder / "results/modes-forms.csv");
  const double first = 0.5 * M_PI / 100. * std::sqrt(E * t * t / (12. * (1. - nu * nu) * rho));
  for (const auto &[mode, squares] : {std::pair{0, 2.}, {1, 5.}, {2, 5.}, {3, 8.}})
    EXPECT_NEAR(modes.at("frequency").at(mode), squares * first, 0.012 * squares * first) << mode;
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
  EXPECT_NEAR(bend.last("clamp.R_z"), -4., 1e-6);
  const std::string moment =
      load("moment", fmt::format("edge-moment\nset Boundary = x+\nset Moment per length = 0, {:.15g}, 0", -20. * M_PI));
  const std::string roll = stages(section("roll", "set Type = static\nset Increments = 20"));
  const History circle = run_well(rolled, strip + moment + roll, {"Mesh/Subdivisions=64, 1"}).history;
  EXPECT_LT(std::hypot(circle.last("tip.x"), circle.last("tip.z")), 0.01 * 10.) << "EI = 100: one whole turn";
  EXPECT_NEAR(circle.last("tip.rot_y"), -2. * M_PI, 3e-3 * 2. * M_PI);
  EXPECT_NEAR(circle.last("tip.rot_x"), 0., 1e-6);
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

namespace
{
/// A plate of steel, 2 m x 2 m x 20 mm of n x n cells, held at edges; a column of 3 m with a radius of 50 mm under a node, with a torque at
/// its foot.
std::string on_a_column(const int n, const std::string &node, const std::string &edges, const std::string &more)
{
  return shell("plate", "set Size = 2, 2", n, n, 0.02, 2e11, 0.3, 8000.) + support("rim", edges, "fixed") +
         section("Points",
                 section("top", "set On mesh = yes\nset Position = " + node + ", 0") + section("foot", "set Position = " + node + ", -3")) +
         section("Beams", section("column",
                                  "set From = foot\nset To = top\nset Elements = 1\nset Type = B31\nset Direction = 1, 0, 0\nset Section = "
                                  "circle\nset Size = 0.05\nset Material = stuff")) +
         more;
}
const std::string torque = section("Moments", section("torque", "set At = foot\nset Moment = 0, 0, 1000")) + still;
}  // namespace

/// A torque in a column under a plate: M L/(G J) between its ends, and the plate turns by 1.10 M/(G t h²) in its middle (1 of the drilling
/// term, 0.10 of the plate), 5.72 at its free corner. A column whose torsion is released is a mechanism.
TEST(ShellDecks, ColumnUnderAPlateIsHeldAgainstTorsion)
{
  const double G = 2e11 / 2.6, J = 0.5 * M_PI * std::pow(0.05, 4), twist = 1000. * 3. / (G * J);
  for (const auto &[n, middle, corner] : {std::tuple{4, 1.0831, 5.6752}, {8, 1.0965, 5.7168}, {16, 1.0997, 5.7271}})
  {
    const double of_plate = 1000. / (G * 0.02 * std::pow(2. / n, 2));
    for (const auto &[node, edges, c] : {std::tuple{"1, 1", "x-, x+, y-, y+", middle}, {"0, 0", "x+, y+", corner}})
    {
      const Folder folder;
      const History history = run_well(folder, on_a_column(n, node, edges, torque)).history;
      EXPECT_NEAR(history.last("top.rot_z"), c * of_plate, 1e-4 * c * of_plate) << node << n;
      EXPECT_NEAR(history.last("foot.rot_z") - history.last("top.rot_z"), twist, 2e-5 * twist) << node << n;
    }
  }
  const Folder free, exact, linear;
  const Outcome spins = run_text(free, on_a_column(8, "1, 1", "x-, x+, y-, y+", torque), {"Beams/column/Release at To=torsion"});
  EXPECT_NE(spins.exit_code, 0) << spins.terminal;
  const double c = 1.0965 * 1000. / (G * 0.02 * 0.0625);
  for (const auto &[folder, settings] :
       {std::pair{&exact, Settings{"Elements/Directors=exact"}},
        {&linear, Settings{"Shells/skin/Geometry=linear", "Beams/column/Geometry=linear", "Moments/torque/Geometry=linear"}}})
    EXPECT_NEAR(run_well(*folder, on_a_column(8, "1, 1", "x-, x+, y-, y+", torque), settings).history.last("top.rot_z"), c, 1e-4 * c);
}

/// A free plate with a column, thrown and spun: energy and momenta of an energy-momentum scheme, on one rank and two.
TEST(ShellDecks, PlateWithAColumnFliesOnRanks)
{
  const std::string deck =
      flying(2, "discrete-gradient") +
      section("Beams", section("mast",
                               "set From = 0, 0, 0\nset To = 0, 0, 0.5\nset Elements = 2\nset Type = B31\nset Direction = 1, "
                               "0, 0\nset Section = circle\nset Size = 0.02\nset Material = stuff"));
  const Folder one, two, check;
  const History a = run_well(one, deck).history, b = run_well(two, deck, {}, 2).history;
  for (const char *column : {"P_x", "P_y", "P_z", "J_x", "J_y", "J_z"})
    EXPECT_NEAR(a.last(column), a[column].front(), 1e-10) << column;
  EXPECT_NEAR(a.last("E_total"), a["E_total"].front(), 1e-9 * a["E_total"].front());
  for (const char *column : {"corner.x", "corner.z", "E_potential", "J_z"})
    EXPECT_NEAR(b.last(column), a.last(column), 1e-9 * largest(a, column, "fly")) << column;
  const std::string file = check / "deck.prm";
  std::ofstream(file) << deck;
  EXPECT_NE(tool(check, "check " + file).terminal.find("drilling stiffness at 1 node of beams"), std::string::npos);
  for (const char *scheme : {"midpoint", "discrete-gradient"})
  {
    const Outcome run = tool(check, "verify " + file + " --scheme " + scheme + " --steps 20 --report " + check / scheme);
    EXPECT_EQ(run.exit_code, 0) << run.terminal;
  }
}
}  // namespace symdyn::tests::in_shell_decks
