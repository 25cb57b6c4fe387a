// .inp files without cells: springs, bars, dashpots and masses alone, against closed formulas.
#include "tests/inp_model.h"

namespace symdyn::tests::in_inp_discrete
{
namespace
{
constexpr double digits = 2e-6;  ///< of tables
const std::string two_nodes = "*NODE, NSET=ALL\n1, 0., 0., 0.\n2, 1., 0., 0.\n", rail = "*BOUNDARY\n1, 1, 3\n2, 2, 3\n";

/// A mass of 2 at node 2 on a spring k = 200 at node 1: omega = 10.
const std::string oscillator =
    two_nodes +
    "*ELEMENT, TYPE=SPRINGA, ELSET=K\n1, 1, 2\n*ELEMENT, TYPE=MASS, ELSET=M\n2, 2\n*SPRING, ELSET=K\n\n200.\n*MASS, ELSET=M\n2.\n" + rail;

/// Two bars of E A = 6.25e5 from (0, 0, 0) and (0, 0, 10) to (5, 0, 5).
const std::string truss =
    "*NODE, NSET=ALL\n1, 0, 0, 0\n2, 5, 0, 5\n3, 0, 0, 10\n*ELEMENT, TYPE=T3D2, ELSET=BARS\n1, 1, 2\n2, 2, 3\n*BOUNDARY\n1, 1, 3\n3, 1, 3\n"
    "*MATERIAL, NAME=M\n*ELASTIC\n1e7, 0.3\n*SOLID SECTION, ELSET=BARS, MATERIAL=M\n0.0625\n";

std::vector<double> of_last_time(const std::string &tables, const std::string &title, const int node)
{
  return of_node(rows_below(tables.substr(tables.rfind(title)), title), node);
}
}  // namespace

TEST(InpDiscrete, SpringsAreStretched)
{
  const std::string spring = two_nodes + "*ELEMENT, TYPE=SPRINGA, ELSET=K\n1, 1, 2\n" + rail, print = "*NODE PRINT, NSET=ALL\nU, RF\n";
  const std::string linear = tables_of(spring + "*SPRING, ELSET=K\n\n10.\n" + static_step("*CLOAD\n2, 1, 1.\n" + print));
  EXPECT_NEAR(of_node(rows_below(linear, "displacements"), 2)[0], 0.1, digits);
  EXPECT_NEAR(of_node(rows_below(linear, "forces"), 1)[0], -1., digits) << "RF holds against the force";
  // 10 up to 1, then 90/19 a unit: 11 at 1 + 19/90.
  const std::string table = tables_of(spring + "*SPRING, ELSET=K, NONLINEAR\n0., 0.\n10., 1.\n100., 20.\n" +
                                      static_step("*CLOAD\n2, 1, 11.\n" + print, ", NLGEOM"));
  EXPECT_NEAR(of_node(rows_below(table, "displacements"), 2)[0], 1. + 19. / 90., digits);
}

TEST(InpDiscrete, BarsCarryTheirForceAsStress)
{
  const double area = 0.0625, pull = 1. / std::sqrt(2.),
               u = 1. / (1e7 * area / (5. * std::sqrt(2.)));  // each bar has F/sqrt 2, K_xx = 2 k/2
  const std::string tables = tables_of(truss + static_step("*CLOAD\n2, 1, 1.\n*NODE PRINT, NSET=ALL\nU, RF\n*EL PRINT, ELSET=BARS\nS\n"));
  EXPECT_NEAR(of_node(rows_below(tables, "displacements"), 2)[0], u, digits * u);
  EXPECT_NEAR(of_node(rows_below(tables, "displacements"), 2)[1], 0., digits * u) << "nothing moves it along y";
  EXPECT_NEAR(of_node(rows_below(tables, "forces"), 3)[0], -0.5, digits);
  const auto stresses = rows_below(tables, "stresses");
  ASSERT_EQ(stresses.size(), 16u) << "8 points of integration each";
  for (const auto &row : stresses)
  {
    const double s = pull / area / 2., xz = row[0] == 1 ? s : -s;
    const std::vector<double> expected{s, 0., s, 0., xz, 0.};
    for (int i = 0; i < 6; ++i)
      EXPECT_NEAR(row[i + 2], expected[i], digits * s) << "component " << i;
  }
}

/// A held bar has N = -E A alpha dT; a free node goes by alpha dT L. With NLGEOM of the Green-Lagrange strain, a little more.
TEST(InpDiscrete, BarsAreHeated)
{
  const std::string two =
                        "*NODE, NSET=ALL\n1, 0., 0., 0.\n2, 2., 0., 0.\n3, 4., 0., 0.\n*ELEMENT, TYPE=T3D2, ELSET=BARS\n1, 1, 2\n2, 2, 3\n",
                    of = "*MATERIAL, NAME=M\n*ELASTIC\n1e7, 0.3\n*EXPANSION, ZERO=20.\n1e-5\n*SOLID SECTION, ELSET=BARS, MATERIAL=M\n0.25\n"
                         "*INITIAL CONDITIONS, TYPE=TEMPERATURE\nALL, 20.\n",
                    heat = "*TEMPERATURE\nALL, 120.\n", print = "*NODE PRINT, NSET=ALL\nU, RF\n", stresses = "*EL PRINT, ELSET=BARS\nS\n",
                    sides = "*BOUNDARY\n1, 1, 3\n2, 2, 3\n3, 2, 3\n";
  constexpr double eps = 1e-3, force = 1e7 * 0.25 * eps;
  const std::string held = tables_of(two + sides + "3, 1, 1\n" + of + static_step(heat + print + stresses)),
                    free = tables_of(two + sides + of + static_step(heat + print + stresses)),
                    nonlinear = tables_of(two + sides + "3, 1, 1\n" + of + static_step(heat + print, ", NLGEOM"));
  EXPECT_NEAR(of_node(rows_below(held, "forces"), 1)[0], force, digits * force);
  EXPECT_NEAR(of_node(rows_below(held, "displacements"), 2)[0], 0., 1e-12);
  EXPECT_NEAR(of_node(rows_below(free, "displacements"), 3)[0], 4. * eps, digits * 4. * eps);
  for (const auto *tables : {&held, &free})
  {
    const auto stress = rows_below(*tables, "stresses");
    ASSERT_EQ(stress.size(), 16u) << *tables;
    EXPECT_NEAR(stress[0][2], tables == &held ? -1e7 * eps : 0., digits * 1e7 * eps);
  }
  EXPECT_NEAR(of_node(rows_below(nonlinear, "forces"), 1)[0], force * (1. + eps / 2.), digits * force);
  const auto refused = [&](const std::string &inside, const std::string &words) {
    const std::string said = refusal_of(two + sides + "3, 1, 1\n" + of + static_step(inside));
    EXPECT_NE(said.find(words), std::string::npos) << said;
  };
  refused("*TEMPERATURE\n2, 120.\n", "bars have one temperature");
  const std::string lost =
      refusal_of(two + sides + of.substr(0, of.find(", ZERO")) + ", ZER0=20." + of.substr(of.find("\n1e-5")) + static_step(heat));
  EXPECT_NE(lost.find("*EXPANSION, ZER0: this option is not known here; there are: TYPE, ZERO"), std::string::npos) << lost;
}

TEST(InpDiscrete, MassOnASpringVibrates)
{
  const std::string tables = tables_of(
      oscillator +
      "*INITIAL CONDITIONS, TYPE=VELOCITY\n2, 1, 3.\n*STEP\n*FREQUENCY\n1\n*END STEP\n*STEP\n*DYNAMIC, DIRECT, ALPHA=0.\n.0005, .1\n"
      "*NODE PRINT, NSET=ALL, FREQUENCY=1000\nU, V, RF\n*END STEP\n");
  EXPECT_NE(tables.find("0.1000000E+02"), std::string::npos) << "omega: " << tables;
  const double t = 0.1, u = 0.3 * std::sin(10. * t), v = 3. * std::cos(10. * t);
  EXPECT_NEAR(of_last_time(tables, "displacements", 2)[0], u, 1e-5);
  EXPECT_NEAR(of_last_time(tables, "velocities", 2)[0], v, 1e-4);
  EXPECT_NEAR(of_last_time(tables, "forces", 1)[0], -200. * u, 1e-2);
}

TEST(InpDiscrete, DashpotsOfOneComponentBrake)
{
  // c of 4 to the ground and of 2 between the nodes, of which one rests: 2 v' + 6 v = 0.
  const std::string dashpots =
      two_nodes +
      "*ELEMENT, TYPE=MASS, ELSET=M\n1, 2\n*ELEMENT, TYPE=DASHPOT1, ELSET=D\n2, 2\n*ELEMENT, TYPE=DASHPOT2, ELSET=E\n3, 1, 2\n*MASS, ELSET=M\n2.\n"
      "*DASHPOT, ELSET=D\n1\n4.\n*DASHPOT, ELSET=E\n1, 1\n2.\n" +
      rail + "*INITIAL CONDITIONS, TYPE=VELOCITY\n2, 1, 3.\n";
  const std::string tables =
      tables_of(dashpots + "*STEP\n*DYNAMIC, DIRECT, ALPHA=0.\n.0005, .2\n*NODE PRINT, NSET=ALL, FREQUENCY=1000\nU, V\n*END STEP\n");
  EXPECT_NEAR(of_last_time(tables, "velocities", 2)[0], 3. * std::exp(-3. * 0.2), 1e-5);
  EXPECT_NEAR(of_last_time(tables, "displacements", 2)[0], 1. - std::exp(-3. * 0.2), 1e-5);
}

TEST(InpDiscrete, SpringsOfOneComponentDoNotTurn)
{
  // k1 = 50 from x of node 2 to the ground; k2 = 20 between x of node 2 and y of node 1, which is moved by 0.3: 50 u + 20 (u - 0.3) = 4.
  const std::string springs =
      two_nodes +
      "*ELEMENT, TYPE=SPRING1, ELSET=G\n1, 2\n*ELEMENT, TYPE=SPRING2, ELSET=B\n2, 2, 1\n*SPRING, ELSET=G\n1\n50.\n*SPRING, ELSET=B\n1, 2\n20.\n"
      "*BOUNDARY\n1, 1, 1\n1, 3, 3\n1, 2, 2, 0.3\n2, 2, 3\n";
  for (const std::string options : {"", ", NLGEOM"})
  {
    const std::string tables = tables_of(springs + static_step("*CLOAD\n2, 1, 4.\n*NODE PRINT, NSET=ALL\nU, RF\n", options));
    const double u = (4. + 20. * 0.3) / 70.;
    EXPECT_NEAR(of_node(rows_below(tables, "displacements"), 2)[0], u, digits) << options;
    EXPECT_NEAR(of_node(rows_below(tables, "displacements"), 1)[1], 0.3, digits) << options;
    EXPECT_NEAR(of_node(rows_below(tables, "forces"), 1)[1], -20. * (u - 0.3), 1e-5) << options;
  }
  // A table: 10 up to 1, then 90/19 a unit.
  const std::string table = two_nodes +
                            "*ELEMENT, TYPE=SPRING1, ELSET=G\n1, 2\n*SPRING, ELSET=G, NONLINEAR\n1\n-1000., -100.\n10., 1.\n100., 20.\n" +
                            rail + static_step("*CLOAD\n2, 1, 11.\n*NODE PRINT, NSET=ALL\nU\n", ", NLGEOM");
  EXPECT_NEAR(of_node(rows_below(tables_of(table), "displacements"), 2)[0], 1. + 19. / 90., digits);
}

TEST(InpDiscrete, SpringsOfOneComponentHoldABody)
{
  // A rod of one cube on four springs of 25 along x at its root, held across: F/100, and the same elongation along the rod as without.
  const std::string springs =
      "*ELEMENT, TYPE=SPRING1, ELSET=G\n11, 1\n12, 2\n13, 3\n14, 4\n*SPRING, ELSET=G\n1\n25.\n*BOUNDARY\nALL, 2, 3\n";
  const auto rows =
      rows_below(tables_of(rod(1) + springs + static_step("*CLOAD\nTIP, 1, 2.\n*NODE PRINT, NSET=ALL\nU\n")), "displacements");
  EXPECT_NEAR(of_node(rows, 1)[0], 8. / 100., digits);
  EXPECT_NEAR(of_node(rows, 5)[0], 8. / 100. + 8. / 1000., digits);
}

TEST(InpDiscrete, SupportsMove)
{
  // The spring's end moves by 0.2 sin-free: a ramp of 0.1 s to 0.2, u = 2 t - 0.2 sin(10 t) meanwhile.
  const std::string text =
      oscillator +
      "*AMPLITUDE, NAME=A\n0., 0., 1., 1.\n*STEP\n*DYNAMIC, DIRECT, ALPHA=0.\n.0005, .1\n*BOUNDARY, AMPLITUDE=A\n1, 1, 1, 2.\n"
      "*NODE PRINT, NSET=ALL, FREQUENCY=1000\nU\n*END STEP\n";
  const std::string tables = tables_of(text);
  EXPECT_NEAR(of_last_time(tables, "displacements", 1)[0], 0.2, digits);
  EXPECT_NEAR(of_last_time(tables, "displacements", 2)[0], 0.2 - 0.2 * std::sin(1.), 2e-4);
}

TEST(InpDiscrete, MotionsThatCarryOnKnowTheTotalTime)
{
  const std::string table = "0., 0., 1., 1.\n", step = "*STEP\n*DYNAMIC, DIRECT, ALPHA=0.\n.0005, .1\n",
                    print = "*NODE PRINT, NSET=ALL, FREQUENCY=1000\nU\n*END STEP\n";
  const std::string moved = step + "*BOUNDARY, AMPLITUDE=A\n1, 1, 1, 2.\n*END STEP\n" + step + print;
  const std::string ball =
      rod(1) +
      "*NODE\n20, 0., 5., 0.\n*ELEMENT, TYPE=SPRINGA, ELSET=K\n20, 20, 5\n*SPRING, ELSET=K\n\n10.\n*BOUNDARY\nROOT, 1, 3\n20, 1, 3\n";
  const std::string outer = step + "*BOUNDARY, AMPLITUDE=A\n20, 2, 2, 2.\n*END STEP\n" + step + print;
  for (const std::string &anew : {oscillator + "*AMPLITUDE, NAME=A\n" + table + moved, ball + "*AMPLITUDE, NAME=A\n" + table + outer})
  {
    const std::string said = refusal_of(anew),
                      place = fmt::format("model.inp:{}: AMPLITUDE=A: this motion stays active in step-2",
                                          1 + std::count(anew.begin(), anew.begin() + anew.find("*BOUNDARY, AMPLITUDE"), '\n'));
    EXPECT_NE(said.find(place), std::string::npos) << place << " is not in: " << said;
    EXPECT_NE(said.find("TIME=TOTAL TIME"), std::string::npos) << said;
  }
  const std::string total = "*AMPLITUDE, NAME=A, TIME=TOTAL TIME\n" + table;
  EXPECT_NEAR(of_last_time(tables_of(oscillator + total + moved), "displacements", 1)[0], 2. * 0.2, digits) << "at the end of both steps";
  EXPECT_NE(refusal_of(oscillator + total + step + "*BOUNDARY, AMPLITUDE=A\n1, 1, 1, 2.\n*END STEP\n" + static_step("") + step + print)
                .find("stays active in step-3"),
            std::string::npos)
      << "the total time goes on in static steps, the time of the deck does not";
}

TEST(InpDiscrete, LinesOfTablesAreBetweenPoints)
{
  const Folder folder;
  std::ofstream(folder / "model.inp")
      << truss
      << "*NODE\n4, 5., 0., 5.\n*ELEMENT, TYPE=SPRING1, ELSET=G\n11, 2\n*ELEMENT, TYPE=SPRING2, ELSET=B\n12, 2, 4\n*SPRING, ELSET=G\n1\n50.\n"
         "*SPRING, ELSET=B\n1, 1\n20.\n*BOUNDARY\n4, 1, 3\n"
      << static_step("*CLOAD\n2, 1, 1.\n*EL PRINT, ELSET=BARS\nS\n");
  for (const std::string spring : {"G 11", "B 12"})
  {
    const Outcome outcome = run_deck(folder, folder / "model.inp", {"Tables/step-1 BARS/Lines=BARS 1, " + spring});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_NE(outcome.terminal.find("Tables/step-1 BARS/Lines"), std::string::npos) << outcome.terminal;
    EXPECT_NE(outcome.terminal.find("'" + spring + "' has a Direction"), std::string::npos) << outcome.terminal;
  }
  const Outcome outcome = run_deck(folder, folder / "model.inp");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.terminal;
}

TEST(InpDiscrete, InitialConditionsWithoutEffectAreSaid)
{
  const auto warnings = [](const std::string &lines) {
    const Folder folder;
    std::ofstream(folder / "model.inp") << oscillator << "*NODE\n3, 9., 0., 0.\n*INITIAL CONDITIONS, TYPE=VELOCITY\n"
                                        << lines << "*STEP\n*DYNAMIC, DIRECT\n.01, .01\n*NODE PRINT, NSET=ALL\nU\n*END STEP\n";
    const Outcome outcome = run_deck(folder, folder / "model.inp");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.terminal;
    std::string text = outcome.terminal;
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
  };
  const std::string none = "has no effect";
  const std::size_t line = 1 + std::count(oscillator.begin(), oscillator.end(), '\n') + 3;
  EXPECT_EQ(warnings("2, 1, 3.\n").find(none), std::string::npos);
  EXPECT_EQ(warnings("1, 1, 0.\n").find(none), std::string::npos) << "0 is what it has";
  for (const auto &[given, nodes] : {std::pair{"2, 2, 3.", "node 2, which *BOUNDARY holds along component 2"},
                                     {"1, 1, 3.", "node 1, which"},
                                     {"3, 1, 3.", "node 3, which"},
                                     {"ALL, 3, 3.", "nodes 1, 2, which"}})
  {
    const std::string said = warnings(given + std::string("\n")),
                      expected = fmt::format("model.inp:{}: {}: has no effect on {}", line, given, nodes);
    EXPECT_NE(said.find(expected), std::string::npos) << expected << " is not in: " << said;
  }
}

TEST(InpDiscrete, WhatItCannotBeIsSaidWithTheLine)
{
  const auto expect = [](const std::string &text, const std::string &line_of, const std::string &words) {
    const std::string said = refusal_of(text),
                      place = fmt::format("model.inp:{}:", 1 + std::count(text.begin(), text.begin() + text.find(line_of), '\n'));
    EXPECT_NE(said.find(place), std::string::npos) << place << " is not in: " << said;
    EXPECT_NE(said.find(words), std::string::npos) << words << " is not in: " << said;
  };
  const std::string step = static_step("*CLOAD\n2, 1, 1.\n");
  expect(oscillator + "*EQUATION\n2\n1, 1, 1., 2, 1, 1.\n" + step, "*EQUATION", "file without cells");
  expect(oscillator + static_step("*DLOAD\nK, GRAV, 9.81, 0., 0., -1.\n"), "*DLOAD", "file without cells");
  expect(truss + static_step("*EL PRINT, ELSET=BARS\nS\n", ", NLGEOM"), "*EL PRINT", "without NLGEOM only");
  expect(oscillator + static_step("*EL PRINT, ELSET=K\nS\n"), "*EL PRINT", "is no bar");
  const std::string light = two_nodes + "*ELEMENT, TYPE=SPRINGA, ELSET=K\n1, 1, 2\n*SPRING, ELSET=K\n\n10.\n" + rail;
  expect(light + "*STEP\n*DYNAMIC\n.1, 1.\n*END STEP\n", "1, 1, 2\n", "no mass");
  expect(light + step + static_step("*BOUNDARY\n2, 1, 1, 0.1\n"), "2, 1, 1, 0.1", "holds it otherwise in another step");
  const std::string oil =
      two_nodes +
      "*ELEMENT, TYPE=MASS, ELSET=M\n1, 2\n*ELEMENT, TYPE=DASHPOTA, ELSET=D\n2, 1, 2\n*MASS, ELSET=M\n2.\n*DASHPOT, ELSET=D\n\n1., 10.\n2., 20.\n" +
      rail;
  expect(oil + step, "2., 20.", "changes with the frequency");
  const std::string grounded = two_nodes + "*ELEMENT, TYPE=SPRING1, ELSET=G\n1, 2\n*SPRING, ELSET=G\n";
  expect(grounded + "4\n50.\n" + rail + step, "4\n50", "the component is 1 to 3");
  expect(grounded + "1, 2\n50.\n" + rail + step, "1, 2\n50", "1 components of nodes are expected");
  expect(grounded + "1\n" + rail + step, "*SPRING", "needs one line of data");
  expect(two_nodes + "*TRANSFORM, NSET=ALL\n0., 1., 0., -1., 0., 0.\n*ELEMENT, TYPE=SPRING1, ELSET=G\n1, 2\n*SPRING, ELSET=G\n1\n50.\n" +
             rail + step,
         "1, 2\n*SPRING", "axes of its own");
  const std::string mixed = two_nodes +
                            "*ELEMENT, TYPE=SPRING1, ELSET=G\n1, 2\n*ELEMENT, TYPE=SPRINGA, ELSET=G\n2, 1, 2\n*SPRING, ELSET=G\n1\n50.\n" +
                            rail + step;
  expect(mixed, "*SPRING, ELSET", "Give each its own set");
}
}  // namespace symdyn::tests::in_inp_discrete
