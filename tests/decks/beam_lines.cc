// Beams on lines of a mesh: straight ones as between two places, curved ones by closed forms, ranks, what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <iterator>

#include "tests/compare.h"
#include "tests/linear_decks.h"

namespace symdyn::tests::in_beam_lines
{
namespace
{
/// Nodes at places, lines of a set TUBE through them: `per_line` nodes each (end, middle, end).
std::string mesh_of(const std::vector<std::array<double, 3>> &places, const int per_line, const std::string &more = "")
{
  std::string text = "*NODE\n";
  for (std::size_t a = 0; a < places.size(); ++a)
    text += fmt::format("{}, {:.15g}, {:.15g}, {:.15g}\n", a + 1, places[a][0], places[a][1], places[a][2]);
  text += fmt::format("*ELEMENT, TYPE={}, ELSET=TUBE\n", per_line == 2 ? "B31" : "B32");
  int element = 0;
  for (std::size_t a = 0; a + 1 < places.size(); a += per_line - 1)
    text += per_line == 2 ? fmt::format("{}, {}, {}\n", ++element, a + 1, a + 2)
                          : fmt::format("{}, {}, {}, {}\n", ++element, a + 1, a + 2, a + 3);
  return text + fmt::format("*NSET, NSET=ROOT\n1\n*NSET, NSET=TIP\n{}\n", places.size()) + more;
}

const std::string rectangle = "set Direction = 0, 0, 1\nset Size = 0.02, 0.03\nset E = 2e11\nset nu = 0.25\nset Density = 8000\n";

/// Clamped at ROOT, pushed at TIP.
std::string frame(const std::string &type, const std::string &force, const std::string &entries = rectangle)
{
  return "set Structure = discrete\n" + section("Mesh", "set Type = file\nset File = frame.inp") +
         section("Beams", section("tube", "set Groups = TUBE\nset Type = " + type + "\n" + entries)) +
         section("Supports", section("root", "set Nodes = ROOT\nset Type = fixed")) +
         section("Points", section("tip", "set On nodes = TIP")) +
         section("Loads", section("push", "set Type = nodal-force\nset Nodes = TIP\nset Force = " + force)) +
         stages(section("load", "set Type = static"));
}

History run_frame(const std::string &mesh, const std::string &deck, const Settings &settings = {}, const int ranks = 1)
{
  const Folder folder;
  std::ofstream(folder / "frame.inp") << mesh;
  return run_well(folder, deck, settings, ranks).history;
}

/// A quarter of a circle of radius 1 m in the plane z = 0, clamped at (1, 0, 0).
std::string quarter(const int lines, const int per_line)
{
  std::vector<std::array<double, 3>> places;
  const int intervals = lines * (per_line - 1);
  for (int i = 0; i <= intervals; ++i)
    places.push_back({std::cos(0.5 * M_PI * i / intervals), std::sin(0.5 * M_PI * i / intervals), 0.});
  return mesh_of(places, per_line);
}
}  // namespace

/// The same beam between two places.
TEST(BeamLines, StraightOnesAreThoseBetweenTwoPlaces)
{
  std::vector<std::array<double, 3>> places;
  for (int i = 0; i <= 8; ++i)
    places.push_back({0.25 * i, 0., 0.});
  const History lines = run_frame(mesh_of(places, 3), frame("B32", "0, 0, 200"));
  const Folder folder;
  const std::string between =
      "set Structure = discrete\n" +
      section("Points", section("root", "set Position = 0, 0, 0\nset Fixed = yes") + section("tip", "set Position = 2, 0, 0")) +
      section("Beams", section("arm", "set From = root\nset To = tip\nset Elements = 4\nset Clamped = from\n" + rectangle)) +
      section("Forces", section("push", "set Points = tip\nset Force = 0, 0, 200")) + stages(section("load", "set Type = static"));
  const History straight = run_well(folder, between).history;
  EXPECT_GT(std::abs(straight.last("tip.z")), 0.1);
  for (const char *column : {"tip.x", "tip.z", "E_potential"})
    EXPECT_NEAR(lines.last(column), straight.last(column), 1e-10 * std::abs(straight.last(column))) << column;
}

/// Mesh/Type = polyline makes the lines that a file would have.
TEST(BeamLines, PolylinesAreLinesOfAFile)
{
  std::vector<std::array<double, 3>> places;
  for (int i = 0; i <= 4; ++i)
    places.push_back({0.25 * i, 0., 0.});
  for (int i = 1; i <= 6; ++i)
    places.push_back({1. + 0.05 * i, 0.25 * i, 0.});
  const std::string deck = frame("B32", "20, 0, 50");
  const History from_file = run_frame(mesh_of(places, 3), deck);
  std::string drawn = deck;
  const std::string mesh =
      "set Type = polyline\nset Subdivisions = 2, 3\n" + section("polyline", "set Corners = 0 0 0; 1 0 0; 1.3 1.5 0\nset Order = 2");
  for (const auto &[old, by] : std::vector<std::pair<std::string, std::string>>{{"set Type = file\nset File = frame.inp", mesh},
                                                                                {"Groups = TUBE", "Groups = line"},
                                                                                {"Nodes = ROOT", "Nodes = start"},
                                                                                {"nodes = TIP", "nodes = end"},
                                                                                {"Nodes = TIP", "Nodes = corner-3"}})
  {
    ASSERT_NE(drawn.find(old), std::string::npos) << old;
    drawn.replace(drawn.find(old), old.size(), by);
  }
  const History by_shape = run_frame("", drawn);
  EXPECT_GT(std::abs(from_file.last("tip.z")), 0.01);
  for (const char *column : {"tip.x", "tip.z", "tip.rot_y", "E_potential", "tube.M1_from"})
    EXPECT_NEAR(by_shape.last(column), from_file.last(column), 1e-10 * std::abs(from_file.last(column))) << column;
  const History smooth = run_frame("", drawn, {"Mesh/Fold angle=90"});
  EXPECT_GT(std::abs(smooth.last("tip.z") / from_file.last("tip.z") - 1.), 1e-5) << "a corner is a fold";
}

/// A cantilever of 2 m along x, axes z and -y, with a force and a torque at its tip: rotations F L²/(2 E I), T L/(G J), in small
/// displacements proportional to the load; section forces at the points next to both ends and to a node.
TEST(BeamLines, RotationsAndSectionForces)
{
  std::vector<std::array<double, 3>> places;
  for (int i = 0; i <= 8; ++i)
    places.push_back({0.25 * i, 0., 0.});
  constexpr double a = 0.03, b = 0.02, E = 2e11, G = E / 2.5, L = 2., F = 0.1, T = 0.3, EI = E * a * b * b * b / 12., off = 0.25 * 0.42265;
  const double GJ = G * a * b * b * b * (1. / 3. - 0.21 * b / a * (1. - std::pow(b / a, 4) / 12.));
  for (const auto &[geometry, times] : {std::pair{"nonlinear", 1.}, {"linear", 1.}, {"linear", 1e3}})
  {
    const History history = run_frame(mesh_of(places, 3), frame("B32", fmt::format("0, 0, {}", times * F)),
                                      {fmt::format("Loads/push/Moment={}, 0, 0", times * T), "Beams/tube/Section forces at=5",
                                       std::string("Beams/tube/Geometry=") + geometry, std::string("Loads/push/Geometry=") + geometry});
    EXPECT_NEAR(history.last("tip.rot_y") / times, -F * L * L / (2. * EI), 1e-5 * F * L * L / (2. * EI)) << geometry;
    EXPECT_NEAR(history.last("tip.rot_x") / times, T * L / GJ, 1e-5 * T * L / GJ) << geometry;
    for (const auto &[cut, arm] : {std::pair{"from", L - off}, {"5", 1. + off}, {"to", off}})
    {
      const auto force = [&, cut = cut, times = times](const char *name) {
        return history.last(fmt::format("tube.{}_{}", name, cut)) / times;
      };
      EXPECT_NEAR(force("V1"), F, 1e-5 * F) << cut;
      EXPECT_NEAR(force("M1"), -F * arm, 1e-4 * F) << cut;
      EXPECT_NEAR(force("T"), T, 1e-5 * T) << cut;
      EXPECT_NEAR(force("M2"), 0., 3e-4 * F) << cut;
    }
  }
}

/// Castigliano: u_y = pi/4 F R³/EI by a force along y, u_x = (3 pi/4 - 2) F R³/EI by one along x.
TEST(BeamLines, QuarterOfACircle)
{
  constexpr double F = 1e-2, EI = 2e11 * 0.02 * 0.03 * 0.03 * 0.03 / 12., along_y = M_PI / 4., along_x = 0.75 * M_PI - 2.;
  for (const auto &[type, lines, tolerance] : {std::tuple{"B31", 64, 1e-3}, {"B32", 16, 1e-3}})
    for (const std::string geometry : {"nonlinear", "linear"})
    {
      const std::string mesh = quarter(lines, type == std::string("B31") ? 2 : 3);
      const Settings settings{"Beams/tube/Geometry=" + geometry};
      EXPECT_NEAR((run_frame(mesh, frame(type, "0, 0.01, 0"), settings).last("tip.y") - 1.) * EI / F, along_y, tolerance)
          << type << geometry;
      EXPECT_NEAR(run_frame(mesh, frame(type, "0.01, 0, 0"), settings).last("tip.x") * EI / F, along_x, tolerance) << type << geometry;
    }
}

/// Out of the plane: u_z = F R³ (pi/4/EI + (3 pi/4 - 2)/GJ). With a moment in the place of the force the free end turns as Castigliano
/// says.
TEST(BeamLines, OutOfThePlane)
{
  constexpr double F = 1e-2, a = 0.03, b = 0.02, E = 2e11, G = E / 2.5, EI = E * a * b * b * b / 12.;
  const double GJ = G * a * b * b * b * (1. / 3. - 0.21 * b / a * (1. - std::pow(b / a, 4) / 12.));
  const double exact = F * (M_PI / 4. / EI + (0.75 * M_PI - 2.) / GJ);
  const std::string mesh = quarter(16, 3);
  EXPECT_NEAR(run_frame(mesh, frame("B32", "0, 0, 0.01")).last("tip.z"), exact, 2e-3 * exact);
  // A moment M about x, along the tangent at the tip: M cos theta bends, M sin theta twists; (M cos)(F cos)/EI + (M sin)(-F (1 - sin))/GJ.
  const double turned = F * (M_PI / 4. / EI - (1. - M_PI / 4.) / GJ);
  const std::string twist = frame("B32", "0, 0, 0.01");
  const std::size_t at = twist.find("set Force");
  const History moment = run_frame(mesh, twist.substr(0, at) + "set Moment" + twist.substr(at + 9), {"Loads/push/Moment=0.01, 0, 0"});
  EXPECT_NEAR(moment.last("tip.z"), turned, 2e-3 * std::abs(turned));
}

/// Reactions along stiff lines, and section forces, round by E A times the rounding of places: the latter are small here, and left out.
TEST(BeamLines, Ranks)
{
  const auto without_forces = [](History history) {
    for (auto column = history.columns.begin(); column != history.columns.end();)
      column = column->first.rfind("tube.", 0) == 0 ? history.columns.erase(column) : std::next(column);
    return history;
  };
  const std::string mesh = quarter(16, 2), deck = frame("B31", "0, 0, 20");
  const std::string moving = deck.substr(0, deck.find("subsection Stages")) + stages(section("swing", "set Type = dynamic")) +
                             section("Time", "set Time step = 0.002\nset End time = 0.02") + section("Integrator", "set Scheme = newmark");
  const Settings exactly{"Newton/Tolerance=1e-11"};
  const History one = without_forces(run_frame(mesh, moving, exactly));
  EXPECT_GT(largest(one, "tip.z", "swing"), 1e-3);
  for (const int ranks : {2, 3})
    expect_same(one, without_forces(run_frame(mesh, moving, exactly, ranks)), 1e-8, fmt::format("{} ranks", ranks));
}

/// Where two lines meet at an angle beyond that of a fold they are joined stiffly: two arms of 1 m at a right angle.
TEST(BeamLines, Elbow)
{
  std::vector<std::array<double, 3>> places;
  for (int i = 0; i <= 16; ++i)
    places.push_back({std::min(0.125 * i, 1.), std::max(0.125 * i - 1., 0.), 0.});
  constexpr double F = 0.1, a = 0.03, b = 0.02, E = 2e11, G = E / 2.5, EI = E * a * b * b * b / 12.;
  const double GJ = G * a * b * b * b * (1. / 3. - 0.21 * b / a * (1. - std::pow(b / a, 4) / 12.));
  const double exact = F * (2. / 3. / EI + 1. / GJ + 2. / (5. / 6. * G * a * b));
  EXPECT_NEAR(run_frame(mesh_of(places, 3), frame("B32", "0, 0, 0.1"), {"Beams/tube/Director stiffness=100"}).last("tip.z"), exact,
              1e-5 * exact);
}

/// A kink passes its moment on, however fine the mesh: an L in its plane, the tip of the second leg pulled along the first one's normal:
/// F L³ (1/3 + 1)/(E I) along the pull.
TEST(BeamLines, KinksAreStiffOnFineMeshes)
{
  constexpr double EI = 2e11 * 0.02 * 0.03 * 0.03 * 0.03 / 12., exact = 10. * 4. / (3. * EI);
  for (const int n : {4, 64})
  {
    std::vector<std::array<double, 3>> places;
    for (int i = 0; i <= 4 * n; ++i)
      places.push_back({std::min(1., 0.5 * i / n), std::max(0., 0.5 * i / n - 1.), 0.});
    EXPECT_NEAR(run_frame(mesh_of(places, 3), frame("B32", "10, 0, 0")).last("tip.x") - 1., exact, 4e-3 * exact) << n;
  }
}

/// A line load q along z on a coarse quarter of a circle, clamped at one end, is as much as the weight rho A g = q: q times the arc length.
TEST(BeamLines, LineLoadsAreThoseOfTheArc)
{
  const std::string mesh = quarter(2, 3), deck = frame("B32", "0, 0, 1e-9"), weight = "8000*6e-4*9.81";
  const History load = run_frame(mesh, deck, {"Beams/tube/Line load=0, 0, -" + weight, "Beams/tube/Geometry=linear"}),
                gravity = run_frame(mesh, deck, {"Points/Gravity=0, 0, -9.81", "Beams/tube/Geometry=linear"});
  EXPECT_LT(gravity.last("tip.z"), -1e-4);
  EXPECT_NEAR(load.last("tip.z"), gravity.last("tip.z"), 1e-9 * std::abs(gravity.last("tip.z")));
  EXPECT_NEAR(load.last("root.R_z"), 8000. * 6e-4 * 9.81 * M_PI / 2., 2e-3 * 8000. * 6e-4 * 9.81 * M_PI / 2.);
}

/// Two lines that leave a node at a small angle are a hairpin, not a smooth beam: they are joined stiffly, and only one is loaded.
TEST(BeamLines, Hairpin)
{
  const std::string mesh = mesh_of({{0., 0., 0.}, {1., 0., 0.}}, 2, "*NODE\n3, 0, 0.1, 0\n*ELEMENT, TYPE=B31, ELSET=TUBE\n2, 2, 3\n");
  const std::string straight = mesh_of({{0., 0., 0.}, {1., 0., 0.}}, 2);
  const std::string deck = frame("B31", "0, 0, 1");
  EXPECT_NEAR(run_frame(mesh, deck).last("tip.z"), run_frame(straight, deck).last("tip.z"), 1e-3 * run_frame(straight, deck).last("tip.z"));
}

TEST(BeamLines, Refused)
{
  const auto refused = [](const std::string &mesh, const std::string &deck, const std::string &words, const Settings &settings = {}) {
    const Folder folder;
    std::ofstream(folder / "frame.inp") << mesh;
    const Outcome outcome = run_text(folder, deck, settings);
    EXPECT_EQ(outcome.exit_code, 1) << words;
    EXPECT_NE(outcome.terminal.find(words), std::string::npos) << words << " is not in\n" << outcome.terminal;
  };
  const std::string mesh = quarter(8, 2), deck = frame("B31", "0, 0, 1");
  refused(mesh, deck, "the mesh has no group 'PIPE'; there are: TUBE", {"Beams/tube/Groups=PIPE"});
  refused(mesh, deck, "has 2 nodes: set Type = B31", {"Beams/tube/Type=B32"});
  refused(mesh, deck, "has no effect with Groups. Remove one of both", {"Beams/tube/From=TIP"});
  refused(mesh, deck, "Direction is along element", {"Beams/tube/Direction=-0.70710678, 0.70710678, 0"});
  refused(mesh, deck, "belongs to the beam 'tube', too",
          {"Beams/other/Groups=TUBE", "Beams/other/Type=B31", "Beams/other/Direction=0, 0, 1", "Beams/other/Size=1, 1", "Beams/other/E=1",
           "Beams/other/nu=0", "Beams/other/Density=1"});
  refused(mesh_of({{0., 0., 0.}, {1., 0., 0.}}, 2, "*NODE\n3, 0, 1, 0\n4, 0, 2, 0\n*ELEMENT, TYPE=B31, ELSET=LOOSE\n7, 3, 4\n"), deck,
          "of group 'LOOSE' is on no triangle or quadrilateral, and no beam has it");
  refused(mesh, deck, "Section forces at = 99: no cell or beam of the mesh has a node 99", {"Beams/tube/Section forces at=99"});
  refused(quarter(8, 3), frame("B32", "0, 0, 1"), "'2' is no end of an element of the beam", {"Beams/tube/Section forces at=2"});
  refused(mesh, deck, "no cell or beam of the mesh has a node 99", {"Supports/root/Nodes=99"});
}

/// Beams on lines meet others at nodes: an end between them is refused, a polyline that crosses itself has a warning.
TEST(BeamLines, CrossingsAreSaid)
{
  const auto drawn = [&](const std::string &corners, const std::string &more) {
    return "set Structure = discrete\n" +
           section("Mesh", "set Type = polyline\nset Subdivisions = 4\n" + section("polyline", "set Corners = " + corners)) +
           section("Beams", section("tube", "set Groups = line\nset Type = B31\n" + rectangle) + more) +
           section("Supports", section("root", "set Nodes = start\nset Type = fixed")) + stages(section("load", "set Type = static"));
  };
  const std::string brace = section("brace", "set From = 0.6, 0, 0\nset To = 0.6, 1, 0\nset Elements = 2\n" + rectangle);
  expect_refused(drawn("0 0 0; 2 0 0", brace), "lies on the beam 'tube', to which it would not be joined");
  const Folder crossed, meeting;
  EXPECT_EQ(has(run_well(crossed, drawn("0 0 0; 2 0 0; 2 1 0; 0.7 -1 0", "")).terminal, "the beam 'tube' crosses itself at"), "");
  EXPECT_EQ(run_well(meeting, drawn("0 0 0; 2 0 0; 2 1 0; 0.7 2 0", "")).terminal.find("crosses"), std::string::npos);
}

/// What a clamped foot bears: - F, and - X x F - T about it, in large displacements too.
TEST(BeamLines, ReactionMoments)
{
  std::vector<std::array<double, 3>> places;
  for (int i = 0; i <= 8; ++i)
    places.push_back({0.25 * i, 0., 0.});
  for (const Settings &settings : {Settings{}, Settings{"Elements/Directors=exact"}})
  {
    const History history = run_frame(mesh_of(places, 3), frame("B32", "0, 0, 200"), settings + Settings{"Loads/push/Moment=3, 0, 0"});
    const double x = history.last("tip.x"), y = history.last("tip.y"), F = 200.;
    EXPECT_GT(history.last("tip.z"), 0.1);
    EXPECT_NEAR(history.last("root.R_z"), -F, 1e-6 * F);
    EXPECT_NEAR(history.last("root.RM_y"), x * F, 1e-4 * 2. * F);
    EXPECT_NEAR(history.last("root.RM_x"), -3. - y * F, 1e-3);
    EXPECT_NEAR(history.last("root.RM_z"), 0., 1e-3);
  }
}
}  // namespace symdyn::tests::in_beam_lines
