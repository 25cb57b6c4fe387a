// Beams and moments in decks: closed forms, published answers, schemes, ranks, restart, solids, and what is refused.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/compare.h"
#include "tests/linear_decks.h"
#include "tests/parts.h"

namespace symdyn::tests::in_beam_decks
{
namespace
{
using Parts = std::vector<std::pair<std::string, std::string>>;

/// A deck with the first `text` of each pair replaced by the second.
std::string changed(std::string deck, const Parts &parts)
{
  for (const auto &[text, by] : parts)
  {
    const std::size_t at = deck.find(text);
    EXPECT_NE(at, std::string::npos) << text;
    deck.replace(at, text.size(), by);
  }
  return deck;
}

const std::string still = stages(section("load", "set Type = static"));

/// A cantilever of steel along x, 2 m, 20 mm along z (axis 1) and 30 mm along y; a force along z and a moment on its tip.
const std::string cantilever = R"(set Structure = discrete
subsection Points
  set Dimension = 3
  subsection root
    set Position = 0, 0, 0
    set Fixed = yes
  end
  subsection tip
    set Position = 2, 0, 0
    set Mass = 1e-9
  end
end
subsection Beams
  subsection arm
    set From = root
    set To = tip
    set Elements = 8
    set Direction = 0, 0, 1
    set Size = 0.02, 0.03
    set E = 2e11
    set nu = 0.25
    set Density = 8000
    set Clamped = from
  end
end
subsection Forces
  subsection push
    set Points = tip
    set Force = 0, 0, 0.01
  end
end
)";
const std::string twist = "subsection Moments\n  subsection twist\n    set At = tip\n    set Moment = 1, 0, 0\n  end\nend\n";
constexpr double area = 6e-4, I = 0.03 * 0.02 * 0.02 * 0.02 / 12., E = 2e11, arm = 2.;

/// A strip rolled up by a dead moment at its tip: the case `rollup`.
const std::string strip = changed(cantilever, {{"Position = 2,", "Position = 12,"},
                                               {"Elements = 8", "Elements = 16"},
                                               {"0.02, 0.03", "0.1, 1"},
                                               {"E = 2e11\n    set nu = 0.25", "E = 1.2e6"},
                                               {"Forces\n  subsection push\n    set Points = tip\n    set Force = 0, 0, 0.01",
                                                "Moments\n  subsection bend\n    set At = tip\n    set Moment = 0, -2*pi*100/12, 0"}}) +
                          stages(section("roll", "set Type = static\nset Increments = 25"));

/// A block of rock with a pole on its corner.
const std::string pole_on_rock = section("Mesh", "set Subdivisions = 2, 2, 2") + elastic(1e9, 0.2, 2000.) +
                                 section("Supports", section("ground", "set Boundary = z-")) + R"(subsection Beams
  subsection pole
    set From = 1, 1, 1
    set To = 1, 1, 3
    set Direction = 1, 0, 0
    set Section = pipe
    set Size = 0.05, 0.005
    set E = 2e11
    set nu = 0.3
    set Density = 7850
    set Clamped = from
    set Line load = 10, 0, 0
  end
end
subsection Moments
  subsection twist
    set At = 1, 1, 3
    set Moment = 0, 0, 5
  end
end
)" + still;

const std::string elbow = "verification/elbow.prm";
const Settings to_3{"Time/End time=3", "Output/Write every=never"};

Outcome elbow_run(const Folder &folder, const Settings &settings = {}, const int ranks = 1)
{
  Outcome run = run_deck(folder, elbow, to_3 + settings, ranks);
  EXPECT_EQ(run.exit_code, 0) << run.terminal;
  return run;
}

/// Largest difference of a column between two runs.
double difference(const History &a, const History &b, const std::string &column)
{
  double most = 0;
  for (std::size_t i = 0; i < a.rows(); ++i)
    most = std::max(most, std::abs(a[column][i] - b[column].at(i)));
  return most;
}

/// Place of the elbow along z, and of the tip, of the case `elbow`.
void expect_path(const History &history, const double tolerance)
{
  for (const auto &[t, z] : {std::pair{1., 0.95187}, {2., 4.11422}, {3., 5.50073}})
    EXPECT_NEAR(history.at(t, "elbow.z"), z, tolerance * z) << t;
  EXPECT_NEAR(history.at(3., "tip.x"), 10.78842, tolerance);
  EXPECT_NEAR(history.at(3., "tip.y"), 8.93822, tolerance);
  EXPECT_NEAR(history.at(3., "tip.z"), 1.50641, tolerance);
}

const std::string rubber =
    changed(cantilever, {{"Position = 2, 0, 0\n    set Mass = 1e-9", "Position = 2, 0, 0\n    set Mass = 1\n    set Velocity = 0, 0, 3"},
                         {"Elements = 8", "Elements = 4"},
                         {"0.02, 0.03", "0.1, 0.2"},
                         {"E = 2e11", "E = 1e7"},
                         {"Density = 8000", "Density = 1000"},
                         {"0, 0, 0.01", "0, 0, 0.01*t"}}) +
    section("Time", "set Time step = auto\nset End time = 0.3") + section("Integrator", "set Scheme = central-difference") +
    section("Elements", "set Mass = lumped");
}  // namespace

/// Deflection of bending and shear, reaction, section forces at the Gauss points next to the ends.
TEST(BeamDecks, CantileverBends)
{
  const Folder folder;
  const History history = run_well(folder, cantilever + still).history;
  const double P = 0.01, G = E / 2.5, u = P * std::pow(arm, 3) / (3. * E * I) + P * arm / (5. / 6. * G * area);
  EXPECT_NEAR(history.last("tip.z"), u, 1e-6 * u);
  EXPECT_NEAR(history.last("root.R_z"), -P, 1e-6 * P);
  EXPECT_NEAR(history.last("arm.V1_from"), P, 1e-6 * P);
  EXPECT_NEAR(history.last("arm.V1_to"), P, 1e-6 * P);
  const double off = 0.5 * arm / 8. * (1. - 1. / std::sqrt(3.));
  EXPECT_NEAR(history.last("arm.M1_from"), -P * (arm - off), 1e-6 * P * arm);
  EXPECT_NEAR(history.last("arm.M1_to"), -P * off, 1e-6 * P * arm);
  EXPECT_LT(history.last("arm.director_error"), 1e-10);
}

/// Reaction and work of the weight of a beam: it grows with the increments, V = -½ w·u at the end.
TEST(BeamDecks, Weight)
{
  const Folder folder;
  const History history = run_well(folder, changed(cantilever, {{"Dimension = 3", "Dimension = 3\n  set Gravity = 0, 0, -9.81"}}) + still,
                                   {"Forces/push/Force=0,0,1e-9", "Stages/load/Increments=4"})
                              .history;
  EXPECT_NEAR(history.last("root.R_z"), 9.81 * 8000. * area * arm, 1e-6);
  EXPECT_LT(std::abs(history.last("E_balance_error")), 1e-3 * std::abs(history.last("E_total")));
}

/// Frequencies of the slender beam, (1.875104 / L)² sqrt(E I / (rho A)), less what shear and rotatory inertia take.
TEST(BeamDecks, CantileverVibrates)
{
  const Folder folder;
  run_well(folder, cantilever + stages(section("shapes", "set Type = modes\nset Modes = 2")), {"Forces/push/Force=0,0,t"});
  const auto modes = table_of(folder / "results/modes-shapes.csv");
  const double bent = std::pow(1.875104068711961 / arm, 2) * std::sqrt(E / (8000. * area)) / (2. * M_PI);
  const double weak = bent * std::sqrt(I), strong = 1.5 * weak;
  EXPECT_NEAR(modes.at("frequency").at(0), weak, 1.5e-4 * weak);
  EXPECT_NEAR(modes.at("frequency").at(1), strong, 3e-4 * strong);
  EXPECT_LT(modes.at("frequency").at(1), strong);
}

/// The tip comes back to the root, within 1e-3 of the length; half of the moment takes it to 2 L / pi above.
TEST(BeamDecks, MomentRollsAStrip)
{
  const Folder folder;
  const History full = run_well(folder, strip).history;
  EXPECT_LT(std::hypot(full.last("tip.x"), full.last("tip.y"), full.last("tip.z")), 0.0121);
  EXPECT_NEAR(full.last("E_potential"), 164.4934, 2e-3 * 164.4934);
  EXPECT_NEAR(full.last("arm.M1_from"), -2. * M_PI * 100. / 12., 0.02);
  EXPECT_LT(full.last("arm.director_error"), 1e-3);
  EXPECT_NEAR(full.last("tip.rot_y"), -2. * M_PI, 1e-3 * 2. * M_PI) << "past pi";
  EXPECT_NEAR(full["tip.rot_y"].at(13), -2. * M_PI * 13. / 25., 1e-3 * 2. * M_PI);
  const History half = run_well(folder, strip, {"Moments/bend/Moment=0, -pi*100/12, 0"}).history;
  EXPECT_NEAR(half.last("tip.z"), 24. / M_PI, 0.01);
}

/// The case `elbow` with its scheme: the published prototype, and energy that stays when nothing acts.
TEST(BeamDecks, ElbowKeepsItsEnergy)
{
  const Folder folder;
  const History history = elbow_run(folder).history;
  expect_path(history, 1e-3);
  const double energy = history.at(2., "E_total");
  EXPECT_NEAR(energy, 114.819, 5e-3);
  for (std::size_t i = 0; i < history.rows(); ++i)
    EXPECT_LT(std::abs(history["E_balance_error"][i]), 1e-8 * energy) << i;
}

/// Stiffer directors lead to those that keep their products, of the prototype.
TEST(BeamDecks, StifferDirectors)
{
  const Folder folder;
  const History history = elbow_run(folder, {"Beams/inner/Director stiffness=100", "Beams/outer/Director stiffness=100"}).history;
  expect_path(history, 1e-5);
  EXPECT_NEAR(history.at(2., "E_total"), 114.819089, 1e-4);
  EXPECT_LT(history.last("inner.director_error"), 5e-6);
}

TEST(BeamDecks, ElbowByNewmark)
{
  const Folder folder;
  expect_path(elbow_run(folder, {"Integrator/Scheme=newmark"}).history, 1e-2);
}

TEST(BeamDecks, TwoRanks)
{
  const Folder one, two;
  const Settings ten_steps{"Time/End time=0.5", "Newton/Tolerance=1e-13"};
  const History a = elbow_run(one, ten_steps).history, b = elbow_run(two, ten_steps, 2).history;
  constexpr double of_both = 2. * 10. * 1e-13;  // each solves ten steps to 1e-13
  for (const char *column : {"elbow.z", "tip.x", "tip.z", "E_kinetic", "E_potential", "inner.M1_from", "outer.T_from", "root.R_z"})
    EXPECT_LT(difference(a, b, column), of_both * largest(a, column, "dynamic")) << column;
}

TEST(BeamDecks, Restart)
{
  const Folder whole, split;
  const Settings every_5{"Output/Checkpoint every=5", "Output/Write every=never"};
  ASSERT_EQ(run_deck(whole, elbow, every_5 + Settings{"Time/End time=1"}).exit_code, 0);
  ASSERT_EQ(run_deck(split, elbow, every_5 + Settings{"Time/End time=0.5"}).exit_code, 0);
  const Outcome on = tool(split, "run --quiet --restart " + split.path + "/results --set 'Time/End time=1'");
  ASSERT_EQ(on.exit_code, 0) << on.terminal;
  EXPECT_TRUE(text_of(whole / "results/history.csv") == text_of(split / "results/history.csv"));
}

/// Rotations past pi go on after a restart.
TEST(BeamDecks, RestartOfARoll)
{
  const Folder whole, parts;
  const std::string deck = write_file(whole, "strip.prm", strip);
  ASSERT_EQ(run_deck(whole, deck).exit_code, 0);
  ASSERT_EQ(run_in_parts(parts, deck, {}, 4).exit_code, 0);
  EXPECT_TRUE(text_of(whole / "results/history.csv") == text_of(parts / "results/history.csv"));
}

/// A clamped beam and a free one, which keeps P and J.
TEST(BeamDecks, Explicit)
{
  const Folder folder;
  const Outcome clamped = run_well(folder, rubber, {"Beams/arm/Director stiffness=1"});
  EXPECT_LT(largest(clamped.history, "E_balance_error", "dynamic"), 0.01 * clamped.history["E_total"].front());
  const Outcome loose = run_well(folder, changed(rubber, {{"Fixed = yes", "Mass = 1e-3"}, {"set Clamped = from", ""}}),
                                 {"Forces/push/Force=0,0,1e-9*t", "Beams/arm/Director stiffness=1"});
  EXPECT_LT(largest(loose.history, "E_balance_error", "dynamic"), 0.01 * loose.history["E_total"].front());
  EXPECT_NEAR(loose.history.last("P_z"), loose.history["P_z"].front(), 1e-9);
  EXPECT_NEAR(loose.history.last("J_y"), loose.history["J_y"].front(), 1e-8);
  EXPECT_GT(loose.history.last("E_potential"), 1.) << "it bends";
  expect_refused(rubber, "is explicit and needs a diagonal mass", {"Elements/Mass=consistent"});
}

/// An element whose ends have the velocities and the angular velocity of a rotation turns without a strain; without the latter it bends.
TEST(BeamDecks, AngularVelocityOfPoints)
{
  const auto spinning = [](const std::string &of_ends) {
    const auto end = [&](const char *name, const double x) {
      return section(name, fmt::format("set Position = {}, 0, 0\nset Velocity = 0, {}, 0\n", x, 2. * x) + of_ends);
    };
    return section("Points", end("a", -1.) + end("b", 1.)) +
           section(
               "Beams",
               section("rod",
                       "set From = a\nset To = b\nset Type = B31\nset Elements = 1\nset Section = rectangle\nset Size = 0.1, 0.2\nset E = "
                       "1e9\nset Density = 1000\nset Direction = 0, 0, 1")) +
           stages(section("fly", "set Type = dynamic")) + section("Time", "set Time step = 0.001\nset End time = 0.02") +
           section("Integrator", "set Scheme = discrete-gradient");
  };
  const Folder turned, bent;
  const History whole = run_well(turned, "set Structure = discrete\n" + spinning("set Angular velocity = 0, 0, 2")).history;
  const double mass = 1000. * 0.02 * 2.;
  EXPECT_NEAR(whole["J_z"].front(), 2. * mass * (4. / 12. + 0.04 / 12.), 1e-9) << "of a rod with the depth 0.2";
  EXPECT_LT(largest(whole, "E_potential", "fly"), 1e-3 * whole["E_total"].front());
  const History ends_alone = run_well(bent, "set Structure = discrete\n" + spinning("")).history;
  EXPECT_GT(largest(ends_alone, "E_potential", "fly"), 2. * largest(whole, "E_potential", "fly"));
  const std::string deck = "set Structure = discrete\n" + spinning("set Angular velocity = 0, 0, 2");
  expect_refused(deck + section("Beams", section("rod", "set Clamped = from")), "Angular velocity = 0, 0, 2: a support");
  expect_refused(deck + section("Points", section("lone", "set Position = 5, 0, 0\nset Mass = 1\nset Angular velocity = 1, 0, 0")),
                 "Angular velocity = 1, 0, 0: no beam or shell turns with the point");
}

/// A pole shares a node with the block, and its top is a place of its own.
TEST(BeamDecks, PoleOnASolid)
{
  const Folder folder;
  const History history = run_well(folder, pole_on_rock).history;
  const double off = 0.5 * 2. / 10. * (1. - 1. / std::sqrt(3.));
  EXPECT_NEAR(history.last("pole.M1_from"), -10. * std::pow(2. - off, 2) / 2., 1e-3);
  EXPECT_NEAR(history.last("pole.T_from"), 5., 1e-6);
  EXPECT_NEAR(history.last("ground.R_x"), -20., 1e-8);
  const Outcome check = tool(folder, "check " + folder.path + "/deck.prm");
  EXPECT_EQ(check.exit_code, 0) << check.terminal;
  EXPECT_EQ(has(check.terminal, "pole, 10 elements B32 of pipe, length 2 m"), "");
}

/// A pole between points beside the solid, whose top has no mass of its own, weighs by the gravity of the body: reaction and section force.
TEST(BeamDecks, PoleBetweenPointsWeighs)
{
  const std::string points =
      section("Points", section("foot", "set Position = 1, 1, 1\nset On mesh = yes") + section("top", "set Position = 1, 1, 3"));
  const std::string weight = section("Loads", section("weight", "set Type = gravity\nset Acceleration = 0, 0, -10"));
  const double A = M_PI * (0.05 * 0.05 - 0.045 * 0.045), of_pole = 7850. * A * 2. * 10., of_rock = 2000. * 10.;
  for (const auto &[from, to] : {std::pair{"foot", "top"}, {"1, 1, 1", "1, 1, 3"}})
  {
    const std::string deck =
        changed(pole_on_rock,
                {{"1, 1, 1", from}, {"To = 1, 1, 3", std::string("To = ") + to}, {"At = 1, 1, 3", "At = top"}, {"10, 0, 0", "0, 0, -1"}}) +
        points + weight;
    const Folder folder;
    const History history = run_well(folder, deck).history;
    EXPECT_NEAR(history.last("ground.R_z"), of_pole + of_rock + 2., 1e-5) << from;
    EXPECT_NEAR(history.last("pole.N_from"), -(of_pole + 2.), 0.03 * of_pole) << from;
    EXPECT_LT(history.last("top.z"), 3.) << from;
  }
}

/// A beam along an edge of a solid shares the nodes there.
TEST(BeamDecks, BeamAlongASolid)
{
  const Folder folder;
  const std::string along =
      changed(pole_on_rock, {{"To = 1, 1, 3", "To = 1, 1, 0\n    set Elements = 4\n    set Type = B31"}, {"At = 1, 1, 3", "At = 1, 1, 0"}});
  std::ofstream(folder / "deck.prm") << along;
  const Outcome check = tool(folder, "check " + folder.path + "/deck.prm");
  EXPECT_EQ(check.exit_code, 0) << check.terminal;
  EXPECT_EQ(has(check.terminal, "3 nodes are points or nodes of the mesh"), "");
}

TEST(BeamDecks, Ends)
{
  const auto refused = [](const Parts &parts, const std::string &words) { expect_refused(changed(cantilever, parts) + still, words); };
  refused({{"To = tip", "To = root"}}, "deck.prm:16 [Beams/arm] To = root: the beam has no length: To is where From is");
  refused({{"Direction = 0, 0, 1", "Direction = 2, 0, 0"}}, "deck.prm:18 [Beams/arm] Direction = 2, 0, 0: is along the beam.");
  refused({{"To = tip", "To = tup"}}, "deck.prm:16 [Beams/arm] To = tup: there is no point 'tup'; there are tip, root.");
  refused({{"Clamped = from", "Clamped = foot"}}, "deck.prm:23 [Beams/arm] Clamped = foot: 'foot' is no end. The ends are from and to");
  refused({{"Clamped = from", "Clamped = from\n    set Hinged = from"}}, "deck.prm:24 [Beams/arm] Hinged = from: 'from' is Clamped, too.");
  refused({{"Dimension = 3", "Dimension = 2"}, {"0, 0, 0", "0, 0"}, {"2, 0, 0", "2, 0"}, {"0, 0, 0.01", "0, 0.01"}},
          "deck.prm:14 [Beams/arm]: beams are in space. Set Points/Dimension = 3");
  refused({{"Clamped", "Klamped"}}, "deck.prm:23: unknown entry 'Klamped' in section Beams/arm; did you mean 'Clamped'?");
}

TEST(BeamDecks, Sections)
{
  const auto refused = [](const Parts &parts, const std::string &words) { expect_refused(changed(cantilever, parts) + still, words); };
  refused({{"0.02, 0.03", "0.02"}}, "deck.prm:19 [Beams/arm] Size = 0.02: Section = rectangle needs 2 numbers: sides along axes 1 and 2");
  refused({{"Size = 0.02, 0.03", "Size = 6e-4, 1e-8, 2e-8, 0, 4e-8, 0.8, 0.8\n    set Section = general"}},
          "General section: J = 4e-08 is above I1 + I2 = 3e-08.");
  refused({{"Density = 8000", "Density = 8000\n    set Inertia = 1, 1, 1, 0"}},
          "[Beams/arm] Inertia = 1, 1, 1, 0: there is a Density, too. Remove one of both");
}

TEST(BeamDecks, Moments)
{
  const auto refused = [](const std::string &old, const std::string &by, const std::string &words) {
    expect_refused(cantilever + changed(twist, {{old, by}}) + still, words);
  };
  refused("At = tip", "At = 1, 1, 1", "[Moments/twist] At = 1, 1, 1: no beam ends there");
  refused("At = tip", "At = top", "[Moments/twist] At = top: there is no point 'top'; there are tip, root.");
  refused("1, 0, 0", "0, 0, 0", "[Moments/twist] Moment = 0, 0, 0: has no effect, because it is zero. Remove the section");
}

/// Ends that nearly coincide are one; an end on a beam that does not end there, and loads of one name are
/// refused.
TEST(BeamDecks, Joints)
{
  const std::string stub =
      "set E = 2e11\nset Density = 8000\nset Section = circle\nset Size = 0.01\nset Elements = 2\nset Direction = 0, 1, 0.1\n";
  const auto with = [&](const std::string &entries) { return cantilever + section("Beams", section("stub", entries + stub)) + still; };
  const Folder folder;
  const auto joined = run_well(folder, with("set From = 2.0000000001, 0, 0\nset To = 2, 0, 1\n")).history;
  EXPECT_LT(std::abs(joined.last("stub.M1_from")), 1e-6);
  expect_refused(with("set From = 1, 0, 0\nset To = 1, 0, 1\n"), "From = 1, 0, 0: lies on the beam 'arm', to which it would not be joined");
  expect_refused(with("set From = tip\nset To = 1.3, 0, 0\n"), "To = 1.3, 0, 0: lies on the beam 'arm'");
  expect_refused(with("set From = tip\nset To = 2, 0, 1\nset Line load = 1, 0, 0\n") +
                     section("Moments", section("stub", "set At = tip\nset Moment = 1, 0, 0")),
                 "there is another load of this name");
  expect_refused(changed(cantilever, {{"subsection Beams",
                                       "subsection Points\n  subsection lone\n    set Position = 5, 0, 0\n  end\nend\nsubsection Beams"}}) +
                     still,
                 "[Points/lone]: the point moves, has no Mass, and no beam or coupling moves it along all axes");
}
}  // namespace symdyn::tests::in_beam_decks
