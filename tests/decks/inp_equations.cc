// *EQUATION, nodes beside the body, springs, dashpots, masses and bars of .inp files against closed formulas.
#include "tests/inp_model.h"

namespace symdyn::tests::in_inp_equations
{
namespace
{
constexpr double E = 1000, rho = 2;
/// What agrees to the digits that tables have.
constexpr double digits = 2e-6;
const std::string print = "*NODE PRINT, NSET=ALL\nU\n";

/// The components of all nodes that move only along x.
std::string along_x(const std::string &set) { return "*BOUNDARY\n" + set + ", 2, 3\n"; }
}  // namespace

TEST(InpModel, EquationsBetweenNodesHoldExactlyOnRanks)
{
  // A rod of nu = 0, pulled at one node of its tip: with the tip tied to be plane it lengthens by F L/(E A) everywhere.
  const std::string free = rod(3) + "*BOUNDARY\nROOT, 1, 3\nALL, 2, 3\n",
                    tied = free + "*EQUATION\n2\n13, 1, 1., 14, 1, -1.\n2\n13, 1, 1., 15, 1, -1.\n2\n16, 1, 2., 13, 1, -2.\n",
                    step = static_step("*CLOAD\n14, 1, 6.\n" + print);
  const auto plane = rows_below(tables_of(tied + step), "displacements"), bent = rows_below(tables_of(free + step), "displacements");
  for (int k = 1; k <= 4; ++k)
  {
    EXPECT_NEAR(of_node(plane, 12 + k)[0], 6. * 3 / E, digits * 6. * 3 / E);
    EXPECT_NEAR(of_node(plane, 4 + k)[0], 6. / E, digits);
  }
  EXPECT_GT(std::abs(of_node(bent, 14)[0] - of_node(bent, 16)[0]), 1e-3) << "without equations the tip does not stay plane";
  const auto shared = rows_below(tables_of(tied + step, {"Linear solver/Type=cg", "Linear solver/Tolerance=1e-12"}, 2), "displacements");
  for (int k = 1; k <= 16; ++k)
    EXPECT_NEAR(of_node(shared, k)[0], of_node(plane, k)[0], 1e-8) << "two ranks, an iterative solver: node " << k;
}

TEST(InpModel, EquationsWithAPrescribedNodeBesideTheBody)
{
  // 2 u_tip - u_100 = 0 with u_100 = 0.06: the tip moves by 0.03, and the body holds against it with E A 0.03/L.
  const std::string model =
      rod(3) +
      "*NODE, NSET=ALL\n100, 9., 9., 9.\n*BOUNDARY\nROOT, 1, 3\nALL, 2, 3\n100, 1, 1, 0.06\n*EQUATION\n2\n13, 1, 2., 100, 1, -1.\n"
      "2\n14, 1, 2., 100, 1, -1.\n2\n15, 1, 2., 100, 1, -1.\n2\n16, 1, 2., 100, 1, -1.\n";
  const std::string tables = tables_of(model + static_step(print + "*NODE PRINT, NSET=ROOT, TOTALS=ONLY\nRF\n"));
  const auto u = rows_below(tables, "displacements");
  EXPECT_NEAR(of_node(u, 100)[0], 0.06, digits);
  EXPECT_NEAR(of_node(u, 15)[0], 0.03, digits);
  EXPECT_NEAR(of_node(u, 7)[0], 0.01, digits);
  const auto total = rows_below(tables, "total force");
  ASSERT_EQ(total.size(), 1u);
  EXPECT_NEAR(total[0][0], -E * 0.03 / 3, 1e-5 * E);
  // Supports that contradict the equation.
  const std::string said = refusal_of(model + "*BOUNDARY\n13, 1, 1, 0.1\n" + static_step(print));
  EXPECT_NE(said.find("model.inp:"), std::string::npos) << said;
  EXPECT_NE(said.find("contradicts supports"), std::string::npos) << said;
  EXPECT_NE(refusal_of(model + "*EQUATION\n1\n13, 4, 1.\n" + static_step(print)).find("4: the component is 1 to 3"), std::string::npos);
}

TEST(InpModel, SpringToANodeBesideTheBodyVibratesAsItsMassSays)
{
  // A stiff block of mass 2, its four nodes at x = 0 tied to one end of a spring in the mean: f = sqrt(k/m)/(2 pi), a mode; the static
  // answer is F/k.
  const double k = 0.08, m = rho;
  const std::string model =
      rod(1, "*ELASTIC\n1e7, 0.\n") +
      "*NODE, NSET=ALL\n100, -2., 0., 0.\n101, -1., 0., 0.\n*ELEMENT, TYPE=SPRINGA, ELSET=S\n50, 100, 101\n*SPRING, ELSET=S\n\n0.08\n"
      "*BOUNDARY\n100, 1, 3\n101, 2, 3\n" +
      along_x("ALL") + "*EQUATION\n5\n101, 1, 1., 1, 1, -.25, 2, 1, -.25, 3, 1, -.25\n4, 1, -.25\n";
  for (const char *nlgeom : {"", ", NLGEOM"})
  {
    const auto u = rows_below(tables_of(model + static_step("*CLOAD\nTIP, 1, 0.01\n" + print, nlgeom)), "displacements");
    EXPECT_NEAR(of_node(u, 101)[0], 0.04 / k, 1e-5 * 0.04 / k) << nlgeom;
    EXPECT_NEAR(of_node(u, 3)[0], 0.04 / k, 1e-5 * 0.04 / k) << nlgeom;
  }
  const Folder folder;
  std::ofstream(folder / "model.inp") << model + "*STEP\n*FREQUENCY\n1\n*END STEP\n";
  ASSERT_EQ(run_deck(folder, folder / "model.inp").exit_code, 0);
  std::istringstream modes(text_of(folder / "results/modes-step-1.csv"));
  std::string line, number, kind, frequency;
  std::getline(modes, line);
  std::getline(modes, number, ',');
  std::getline(modes, kind, ',');
  std::getline(modes, frequency, ',');
  EXPECT_NEAR(std::stod(frequency), std::sqrt(k / m) / (2 * M_PI), 1e-5) << line;
}

TEST(InpModel, DashpotBrakesABlockThatIsTiedToIt)
{
  // m v' = F - c v from rest, all nodes tied to the end of the dashpot: x = F/c (t - m/c (1 - exp(-c t/m))).
  std::string ties;
  for (int k = 1; k <= 8; ++k)
    ties += "2\n" + std::to_string(k) + ", 1, 1., 101, 1, -1.\n";
  const std::string model =
      rod(1) +
      "*NODE, NSET=ALL\n100, -2., 0., 0.\n101, -1., 0., 0.\n*ELEMENT, TYPE=DASHPOTA, ELSET=D\n50, 100, 101\n*DASHPOT, ELSET=D\n\n3.\n"
      "*BOUNDARY\n100, 1, 3\n101, 2, 3\n" +
      along_x("ALL") + "*EQUATION\n" + ties;
  const std::string step =
      "*STEP\n*DYNAMIC, DIRECT, ALPHA=0.\n0.01, 1.\n*CLOAD\nTIP, 1, 1.\n*NODE PRINT, NSET=ALL, FREQUENCY=1000\nU, V\n*END STEP\n";
  const double F = 4, c = 3, m = rho, v = F / c * (1 - std::exp(-c / m)), x = F / c - m / c * v;
  const auto tables = tables_of(model + step);
  for (const int node : {2, 7, 101})
  {
    EXPECT_NEAR(of_node(rows_below(tables, "displacements"), node)[0], x, 1e-4 * x);
    EXPECT_NEAR(of_node(rows_below(tables, "velocities"), node)[0], v, 1e-4 * v);
  }
  const std::string weaker = [&] {
    std::string text = model + step;
    return text.replace(text.find("\n3.\n"), 4, "\n1.\n");
  }();
  EXPECT_GT(of_node(rows_below(tables_of(weaker), "velocities"), 101)[0], 1.2 * v) << "the coefficient matters";
}

/// A block all of whose nodes have the displacement of one along x: its mass matrix is that of one unknown.
TEST(InpModel, BlockThatEquationsMakeRigid)
{
  std::string ties;
  for (int k = 1; k <= 8; ++k)
    ties += "2\n" + std::to_string(k) + ", 1, 1., 101, 1, -1.\n";
  const std::string model =
      rod(1, "*ELASTIC\n210000., 0.3\n") +
      "*NODE, NSET=ALL\n100, -2., 0., 0.\n101, -1., 0., 0.\n*ELEMENT, TYPE=SPRINGA, ELSET=S\n50, 100, 101\n*SPRING, ELSET=S\n\n10.\n"
      "*BOUNDARY\n100, 1, 3\n101, 2, 3\n" +
      along_x("ALL") + "*EQUATION\n" + ties;
  const double omega = std::sqrt(10. / rho), t = 0.8;
  for (const char *F : {"1.", "0.3", "0.7"})
  {
    const auto u = rows_below(tables_of(model + "*STEP\n*DYNAMIC, DIRECT, ALPHA=0.\n0.004, 0.8\n*CLOAD\n101, 1, " + F +
                                        "\n*NODE PRINT, NSET=ALL, FREQUENCY=1000\nU\n*END STEP\n"),
                              "displacements");
    const double exact = std::stod(F) / 10. * (1 - std::cos(omega * t));
    EXPECT_NEAR(of_node(u, 3)[0], exact, 1e-3 * exact);
  }
}

TEST(InpModel, EquationsGoInALaterStep)
{
  // Two blocks that share no node, the second tied to the first; it takes half of the force with it, and when it is let go keeps its
  // velocity F t/(2 m).
  std::string two = rod(1);
  two +=
      "*NODE, NSET=ALL\n11, 3., 0., 0.\n12, 3., 1., 0.\n13, 3., 1., 1.\n14, 3., 0., 1.\n15, 4., 0., 0.\n16, 4., 1., 0.\n17, 4., 1., 1.\n18, 4., 0., 1.\n"
      "*ELEMENT, TYPE=C3D8, ELSET=BODY\n9, 11, 12, 13, 14, 15, 16, 17, 18\n*EQUATION\n";
  for (int k = 1; k <= 8; ++k)
    two += "2\n1" + std::to_string(k) + ", 1, 1., 5, 1, -1.\n";
  for (const int k : {6, 7, 8, 1, 2, 3, 4})
    two += "2\n" + std::to_string(k) + ", 1, 1., 5, 1, -1.\n";
  const std::string
      held = "*BOUNDARY\nALL, 2, 3\n",
      first = "*STEP\n*DYNAMIC, DIRECT, ALPHA=0.\n0.1, 1.\n*CLOAD\nTIP, 1, 1.\n*NODE PRINT, NSET=ALL, FREQUENCY=1000\nV\n*END STEP\n";
  const auto then = [&](const std::string &removed) {
    return rows_below(tables_of(two + held + first + "*STEP\n*DYNAMIC, DIRECT, ALPHA=0.\n0.1, 1.\n" + removed +
                                "*NODE PRINT, NSET=ALL, FREQUENCY=1000\nV\n*END STEP\n"),
                      "velocities (vx,vy,vz) for set ALL and time  0.2000000E+01");
  };
  std::string free = "*EQUATION, REMOVE\n";
  for (int k = 1; k <= 8; ++k)
    free += "1" + std::to_string(k) + ", 1\n";
  const double v = 4. / (2 * rho);
  EXPECT_NEAR(of_node(then(""), 15)[0], 2 * v, 1e-5) << "still tied";
  EXPECT_NEAR(of_node(then(free), 15)[0], v, 1e-5) << "let go";
  EXPECT_NEAR(of_node(then(free), 3)[0], 3 * v, 1e-5) << "the force drives the first alone";
  EXPECT_NE(refusal_of(two + held + first + "*STEP\n*DYNAMIC, DIRECT\n0.1, 1.\n*EQUATION, REMOVE\n5, 1\n*END STEP\n")
                .find("no equation begins with this node and component"),
            std::string::npos);
}

TEST(InpModel, TableOfASpringIsFollowed)
{
  // 10 N at 1, 100 N at 20: 11 N at 1 + 19/90. The rod is stiff; the spring leads on from its tip to a node at rest.
  const std::string model =
      rod(1, "*ELASTIC\n1e9, 0.\n") +
      "*NODE, NSET=ALL\n100, 30., 0., 0.\n*ELEMENT, TYPE=SPRINGA, ELSET=S\n50, 5, 100\n*SPRING, ELSET=S, NONLINEAR\n\n-100., -20.\n0., 0.\n10., 1.\n100., 20.\n"
      "*BOUNDARY\n100, 1, 3\n" +
      along_x("ALL") + "*EQUATION\n2\n5, 1, 1., 6, 1, -1.\n2\n5, 1, 1., 7, 1, -1.\n2\n5, 1, 1., 8, 1, -1.\n";
  const auto u = rows_below(tables_of(model + static_step("*CLOAD\n5, 1, -11.\n" + print, ", NLGEOM")), "displacements");
  EXPECT_NEAR(of_node(u, 5)[0], -1. - 19. / 90., 1e-5) << "drawn apart";
  const auto pushed = rows_below(tables_of(model + static_step("*CLOAD\n5, 1, 5.\n" + print, ", NLGEOM")), "displacements");
  EXPECT_NEAR(of_node(pushed, 5)[0], 1., 1e-5) << "pressed: another slope";
  EXPECT_NE(refusal_of(model + static_step("*CLOAD\n5, 1, 1.\n")).find("*SPRING, NONLINEAR: needs *STEP, NLGEOM"), std::string::npos);
}

TEST(InpModel, BarsAndMassesBesideTheBody)
{
  // Two bars at 45 degrees from nodes at rest to the tip of a soft rod: 2 (E A/L) cos² of one side and the other.
  const double EA = 5e5 * 0.02, L = std::sqrt(2.), stiffness = 2 * EA / L * 0.5 + E / 1.;
  const std::string model =
      rod(1) +
      "*NODE, NSET=ALL\n100, 0., -1., 0.\n101, 0., 1., 0.\n*ELEMENT, TYPE=T3D2, ELSET=T\n50, 100, 5\n51, 101, 5\n*MATERIAL, NAME=B\n*ELASTIC\n5e5, .3\n*SOLID SECTION, ELSET=T, MATERIAL=B\n0.02\n"
      "*BOUNDARY\n100, 1, 3\n101, 1, 3\nROOT, 1, 3\n" +
      along_x("ALL") + "*EQUATION\n2\n5, 1, 1., 6, 1, -1.\n2\n5, 1, 1., 7, 1, -1.\n2\n5, 1, 1., 8, 1, -1.\n";
  const auto u = rows_below(tables_of(model + static_step("*CLOAD\n6, 1, 1.\n" + print)), "displacements");
  EXPECT_NEAR(of_node(u, 5)[0], 1. / stiffness, digits / stiffness);
  const std::string none = [&] {
    std::string text = model;
    return text.erase(text.find("*SOLID SECTION, ELSET=T"), std::string("*SOLID SECTION, ELSET=T, MATERIAL=B\n0.02\n").size());
  }();
  EXPECT_NE(refusal_of(none + static_step("*CLOAD\n6, 1, 1.\n")).find("element 50 (TYPE=T3D2): has no properties"), std::string::npos);
  // A mass of 7 on each node of the tip of a stiff block between two springs' worth of nothing: a = F/(m + 4*7).
  const std::string heavy =
      rod(1, "*ELASTIC\n1e6, 0.\n") + "*ELEMENT, TYPE=MASS, ELSET=W\n60, 5\n61, 6\n62, 7\n63, 8\n*MASS, ELSET=W\n7.\n" + along_x("ALL");
  const std::string step =
      "*STEP\n*DYNAMIC, DIRECT, ALPHA=0.\n0.01, 1.\n*CLOAD\nROOT, 1, 7.5\n*NODE PRINT, NSET=ALL, FREQUENCY=1000\nU\n*END STEP\n";
  EXPECT_NEAR(of_node(rows_below(tables_of(heavy + step), "displacements"), 6)[0], 0.5, 2e-4);
}
}  // namespace symdyn::tests::in_inp_equations
