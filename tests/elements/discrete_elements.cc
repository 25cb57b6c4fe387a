// Every discrete element: force, stiffness and third derivative are the slopes of its energy, its discrete gradient keeps the energy and,
// where V does, the momenta; what a deck may not say.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>

#include "solver/unknowns.h"
#include "tests/discrete_checks.h"
#include "tests/discrete_deck.h"
#include "tests/input.h"
#include "tests/scheme.h"

namespace symdyn::tests::in_discrete_elements
{
namespace
{
struct Element
{
  std::string deck;
  bool momenta = true;      ///< of V and its discrete gradient
  bool polynomial = false;  ///< of fourth degree
  bool straight = false;    ///< a force that is linear in displacements, where the test looks
};

const std::map<std::string, Element> &elements()
{
  const std::string
      chain = "subsection Points\nset Dimension = 1\nsubsection site\nset Count = 5\nset Mass = 2\nset Position = 0.3*i\nend\nend\n",
      body =
          "subsection Rigid bodies\nsubsection top\nset Mass = 2\nset Inertia = 1, 1.5, 2\nset Position = 0, 1, 0\nset Rotation = 0.3, -0.2, 0.5\n"
          "set Angular velocity = 1, 0.2, 0.1\nset Rigidity = 3\nend\nend\n";
  static const std::map<std::string, Element> table{
      {"bar green-lagrange", {cloud + section("Bars", "set From = a\nset To = row\nset EA = 5\n"), true, true}},
      {"bar linear", {cloud + section("Bars", "set From = a\nset To = row\nset EA = 5\nset Law = linear\n")}},
      {"bar to the ground",
       {cloud + section("Bars", "set From = row\nset To = ground\nset Anchor = 2, 0, 0\nset EA = 5\nset Law = linear\n"), false}},
      {"cable, taut and slack", {cloud + section("Bars", "set From = a\nset To = row\nset EA = 5\nset Law = cable\nset Length = 1.6\n")}},
      {"spring quadratic", {cloud + section("Springs", "set From = a\nset To = b\nset Stiffness = 7\nset Length = 0.8\n")}},
      {"spring quartic",
       {cloud + section("Springs", "set Law = quartic\nset From = a\nset To = b\nset Stiffness = 7\nset Length = 0.8\n"), true, true}},
      {"spring of small displacements",
       {cloud + section("Springs", "set Law = small-displacement\nset From = a\nset To = row\nset Stiffness = 7\n"), false, true, true}},
      {"spring with directions",
       {cloud +
            section(
                "Springs",
                "set Law = small-displacement\nset From = a\nset To = b\nset Stiffness = 7\nset Direction = 1, 2, 0\nset Direction at To = 0, 0, 1\n"),
        false, true, true}},
      {"spring to the ground with a direction",
       {cloud + section("Springs",
                        "set Law = small-displacement\nset From = row\nset To = ground\nset Stiffness = 7\nset Direction = 1, 2, 3\n"),
        false, true, true}},
      {"spring of a table with a direction",
       {cloud +
            section(
                "Springs",
                "set Law = table\nset From = a\nset To = b\nset Forces = -3, 0, 5\nset Elongations = -9, -2, 8\nset Direction = 1, 2, 0\n"),
        false, false, true}},
      {"spring angle",
       {cloud + section("Springs", "set Law = angle\nset From = a\nset Centre = b\nset To = row1\nset Stiffness = 2\nset Angle = 70\n"),
        false}},
      {"coulomb",
       {cloud + section("Pair potentials", "set Law = coulomb\nset Constant = 2\nset Points = a, row\nset Charges = 1, -0.5\n")}},
      {"lennard-jones", {cloud + section("Pair potentials", "set Law = lennard-jones\nset Points = a, b, row\nset A = 0.5\nset B = 1\n")}},
      {"morse",
       {cloud + section("Pair potentials", "set Law = morse\nset Points = a, b\nset Depth = 2\nset Width = 1.3\nset Distance = 0.9\n")}},
      {"torsional chain",
       {chain + section("Torsional chains", "set Points = site\nset Coupling = 2\nset Cyclic = yes\nset Depth = 0.3\nset Width = 3\n"),
        false}},
      {"rigid body", {body, true, true}},
      {"penalties",
       {cloud +
            "subsection Constraints\nset Treatment = penalty\nset omega = 3\nsubsection rod\nset From = a\nset To = row\nset Length = 1\nend\n"
            "subsection plane\nset Law = plane\nset Points = b\nset Anchor = 0, 0, 0\nset Normal = 1, 2, 0\nend\n"
            "subsection sphere\nset Law = expression\nset Points = row0\nset Expression = x^2 + y^2 + z^2 - 1\nend\nend\n",
        false}}};
  return table;
}

Vector near(DiscreteDeck &deck) { return Random(3).vector(deck.start().q, 0.1); }
}  // namespace

TEST(DiscreteElements, DerivativesHaveSlopeTwo)
{
  for (const auto &[name, element] : elements())
  {
    SCOPED_TRACE(name);
    if (element.straight)  // differences have rounding alone
      continue;
    DiscreteDeck deck(element.deck);
    expect_derivatives(deck.system(), near(deck), Part::all, element.polynomial);
  }
}

/// V(q + d) - V(q) = f·d + ½ d·K d, exactly, and the matrix is the one that stiffness() multiplies with.
TEST(DiscreteElements, StraightSpringsAreQuadratic)
{
  int looked = 0;
  for (const auto &[name, element] : elements())
  {
    if (!element.straight)
      continue;
    SCOPED_TRACE(name);
    ++looked;
    DiscreteDeck deck(element.deck);
    const MechanicalSystem &system = deck.system();
    const Vector q = near(deck), d = Random(5).vector(q, 0.3);
    Vector f = system.new_vector(), Kd = f, moved = q;
    moved += d;
    system.internal_force(q, f);
    system.stiffness(q, d, Kd);
    EXPECT_NEAR(system.potential(moved) - system.potential(q), f * d + 0.5 * (d * Kd), 1e-13);
    EXPECT_GT(d * Kd, 0.01);
    const auto force = [&](const Vector &x, Vector &y) { system.stiffness(q, x, y); };
    EXPECT_LT(largest(matrix_of(system, *system.factor(K, 0., q, q)), matrix_of(system, force)), 1e-13);
  }
  EXPECT_EQ(looked, 4);
}

TEST(DiscreteElements, DiscreteGradients)
{
  for (const auto &[name, element] : elements())
  {
    SCOPED_TRACE(name);
    DiscreteDeck deck(element.deck);
    const MechanicalSystem &system = deck.system();
    const Vector q0 = near(deck);
    Vector f = system.new_vector(), xi = f;
    for (const double size : {0.3, 1e-2, 1e-4, 1e-6, 1e-9, 0.})
    {
      const Vector q1 = moved(q0, size, Random(6).vector(q0, 0.5));
      system.discrete_gradient(q0, q1, f);
      const double V0 = system.potential(q0), V1 = system.potential(q1);
      EXPECT_NEAR(f * moved(q1, -1., q0), V1 - V0, 1e-13 * (1. + std::abs(V0) + std::abs(V1))) << size;
      for (std::size_t i = 0; i < system.unknowns().momenta().size() && element.momenta; ++i)
      {
        system.unknowns().generator(i, moved(0.5, q0, q1), xi);
        EXPECT_NEAR(f * xi, 0., 1e-12 * (1. + f.l2_norm())) << size;
      }
    }
    // Its tangent, by sixth-order differences.
    const Vector q1 = moved(q0, 0.2, Random(6).vector(q0, 0.5)), v = q0;
    const auto quotient = [&](const Vector &x, Vector &y) {
      y = 0.;
      for (const auto &[place, weight] : {std::pair{1., 45.}, {2., -9.}, {3., 1.}})
        for (const double sign : {1., -1.})
        {
          system.discrete_gradient(q0, moved(q1, sign * place * 1e-3, x), f);
          y.add(sign * weight / 60e-3, f);
        }
    };
    const auto exact = matrix_of(system, *system.factor({{K, 0., &q1, &v, &q0}}));
    EXPECT_LT(largest(exact, matrix_of(system, quotient)), 1e-8 * (1. + exact.linfty_norm()));
    EXPECT_EQ(system.has(Feature::momentum_gradient), name != "spring angle" && name != "penalties");
  }
}

/// Linear, also where both ends meet.
TEST(DiscreteElements, SpringWithoutLength)
{
  DiscreteDeck deck(cloud + section("Springs", "set From = a\nset To = b\nset Stiffness = 7\nset Length = 0\n"));
  const MechanicalSystem &system = deck.system();
  Vector q = system.new_vector(), f = q;
  system.internal_force(q, f);
  EXPECT_NEAR(f.local_element(0), -7. * 1.1, 1e-14);
  EXPECT_NEAR(f.local_element(4), 7. * 0.1, 1e-14);
  q.local_element(0) = 1.1;
  q.local_element(1) = 0.1;
  system.internal_force(q, f);
  EXPECT_EQ(f.l2_norm(), 0.);
}

/// A kinked law passes from slack to taut without a jump of the energy balance.
TEST(DiscreteElements, CableAcrossItsKink)
{
  DiscreteDeck deck("subsection Points\nset Dimension = 1\nsubsection a\nset Mass = 1\nset Position = 0.5\nend\nend\n" +
                    section("Bars", "set From = a\nset To = ground\nset Anchor = 0\nset EA = 10\nset Law = cable\nset Length = 1\n"));
  const MechanicalSystem &system = deck.system();
  Vector q = system.new_vector(), f = q, q1 = q;
  EXPECT_EQ(system.potential(q), 0.) << "slack";
  for (const double to : {0.4, 0.49999, 0.5, 0.50001, 0.6})
  {
    q.local_element(0) = 0.4999;
    q1.local_element(0) = to;
    system.discrete_gradient(q, q1, f);
    EXPECT_NEAR(f.local_element(0) * (to - 0.4999), system.potential(q1) - system.potential(q), 1e-15) << to;
  }
  EXPECT_NEAR(system.potential(q1), 0.5 * 10. * 0.01, 1e-15);
}

/// Dashpots between points: force is the slope of R, a rigid motion feels none, momenta are kept.
TEST(DiscreteElements, AxialDashpots)
{
  DiscreteDeck deck(cloud + section("Dashpots", "set From = a\nset To = row\nset Coefficient = 0.7\n"));
  const MechanicalSystem &system = deck.system();
  const Vector q = near(deck), v = Random(8).vector(q, 1.);
  Vector f = system.new_vector(), xi = f;
  system.damping_force(q, v, f);
  EXPECT_NEAR(f * v, 2. * system.dissipation(q, v), 1e-14);
  EXPECT_GT(f.l2_norm(), 0.1);
  for (std::size_t i = 0; i < 6; ++i)
  {
    system.unknowns().generator(i, q, xi);
    EXPECT_NEAR(f * xi, 0., 1e-14);
    EXPECT_NEAR(system.dissipation(q, xi), 0., 1e-28);
  }
  const auto force = [&](const Vector &x, Vector &y) { system.damping_force(q, x, y); };
  EXPECT_LT(largest(matrix_of(system, *system.factor(C, 0., q, v)), matrix_of(system, force)), 1e-14);
  EXPECT_TRUE(system.has(Feature::stiffness_damping));
}

/// R = c/2 (m·v_to - n·v_from)², and to the ground c/2 (n·v)².
TEST(DiscreteElements, DashpotsWithDirections)
{
  const std::string ends = "set From = a\nset To = b\nset Coefficient = 0.7\nset Direction = 3, 4, 0\nset Direction at To = 0, 0, 2\n";
  DiscreteDeck deck(cloud + section("Dashpots", ends)),
      held(cloud + section("Dashpots", "set Points = a\nset Coefficient = 0.7\nset Direction = 3, 4, 0\n"));
  const Vector q = near(deck), v = Random(8).vector(q, 1.);
  const double along_a = 0.6 * v[0] + 0.8 * v[1], along_b = v[5];
  for (const auto &[system, rate] : {std::pair{&deck.system(), along_b - along_a}, {&held.system(), -along_a}})
  {
    Vector f = system->new_vector();
    system->damping_force(q, v, f);
    EXPECT_NEAR(system->dissipation(q, v), 0.5 * 0.7 * rate * rate, 1e-14);
    EXPECT_NEAR(f * v, 0.7 * rate * rate, 1e-14);
    EXPECT_NEAR(f[0], -0.7 * rate * 0.6, 1e-14);
    const auto force = [&, system = system](const Vector &x, Vector &y) { system->damping_force(q, x, y); };
    EXPECT_LT(largest(matrix_of(*system, *system->factor(C, 0., q, v)), matrix_of(*system, force)), 1e-14);
    EXPECT_FALSE(system->has(Feature::nonlinear_damping));
  }
}

/// A straight chain in a plane bends to either side alike: the angle passes 180 degrees without a jump.
TEST(DiscreteElements, PlaneAngleAcrossItsCut)
{
  for (const double rest : {180., 170., -90.})
  {
    DiscreteDeck deck(
        "subsection Points\nset Dimension = 2\nsubsection a\nset Mass = 1\nset Position = -1, 0\nend\n"
        "subsection b\nset Mass = 1\nset Position = 0, 0\nend\nsubsection c\nset Mass = 1\nset Position = 1, 0\nend\nend\n" +
        section("Springs", "set Law = angle\nset From = a\nset Centre = b\nset To = c\nset Stiffness = 2\nset Angle = " +
                               std::to_string(rest) + "\n"));
    const MechanicalSystem &system = deck.system();
    Vector up = system.new_vector(), down = up;
    up.local_element(1) = std::tan(0.01);
    down.local_element(1) = -std::tan(0.01);
    // From c over b to a counts against the clock: a up is more than 180 degrees seen from a to c, less from c to a.
    const double degree = M_PI / 180., off = rest > 0. ? (180. - rest) * degree : 90. * degree;
    const double larger = std::max(system.potential(up), system.potential(down)),
                 smaller = std::min(system.potential(up), system.potential(down));
    EXPECT_NEAR(larger, std::pow(off + 0.01, 2), 1e-12) << rest;
    EXPECT_NEAR(smaller, std::pow(off - 0.01, 2), 1e-12) << rest;
  }
}

/// A weight on a cable beside one on a slack cable: R of the nail, and the tension of the lines in a frame.
TEST(DiscreteElements, ReactionsAndTensions)
{
  DiscreteDeck deck(
      "subsection Points\nset Dimension = 2\nset Gravity = 0, -10\nsubsection nail\nset Fixed = yes\nset Position = 0, 0\nend\n"
      "subsection bob\nset Mass = 2\nset Position = 0, -1\nset Displacement = 0, -0.1\nend\n"
      "subsection lower\nset Mass = 3\nset Position = 0, -1.5\nset Displacement = 0, -0.25\nend\nend\n"
      "subsection Bars\nsubsection rope\nset From = nail\nset To = bob\nset Law = cable\nset EA = 500\nend\n"
      "subsection string\nset From = bob\nset To = lower\nset Law = cable\nset EA = 100\nend\n"
      "subsection slack\nset From = nail\nset To = lower\nset Law = cable\nset EA = 100\nset Length = 2\nend\nend\n");
  State state = deck.start();
  Scheme("newmark").integrator->start(deck.system(), state, 0.01);
  EXPECT_NEAR(state.a.linfty_norm(), 0., 1e-12) << "in equilibrium: 50 N and 30 N";
  const auto columns = deck.structure.report_columns(Units());
  const auto values = deck.structure.report(state, false);
  ASSERT_EQ(columns.size(), values.size());
  const auto value = [&](const std::string &column) {
    return values.at(std::find_if(columns.begin(), columns.end(), [&](const Column &one) { return one.title() == column; }) -
                     columns.begin());
  };
  EXPECT_NEAR(value("nail.R_y [N]"), 50., 1e-12);
  EXPECT_NEAR(value("nail.R_x [N]"), 0., 1e-12);
  const std::string folder = ::testing::TempDir();
  std::ifstream frame(folder + "/" + deck.structure.write_frame(state, folder, 7).at(0));
  std::string line;
  while (std::getline(frame, line) && line.find("Name=\"tension\"") == std::string::npos)
    ;
  std::vector<double> tensions;
  for (double number; frame >> number;)
    tensions.push_back(number);
  ASSERT_EQ(tensions.size(), 6u) << "three points, three lines";
  EXPECT_NEAR(tensions[3], 50., 1e-12);
  EXPECT_NEAR(tensions[4], 30., 1e-12);
  EXPECT_EQ(tensions[5], 0.);
}

namespace
{
std::string error_of(const std::string &text)
{
  return message([&] { DiscreteDeck deck(text); });
}
}  // namespace

TEST(DiscreteElements, ErrorsNameThePlaceAndTheWayOut)
{
  const auto expect_error = [](const std::string &text, const std::vector<std::string> &parts) {
    const std::string error = error_of(cloud + text);
    for (const std::string &part : parts)
      EXPECT_NE(error.find(part), std::string::npos) << error << "\nlacks: " << part;
  };
  expect_error(section("Bars", "set From = a\nset To = b\nset EA = -5\n"), {"test.prm:", "EA = -5", "> 0"});
  expect_error(section("Bars", "set From = a\nset To = b\nset Law = cable\n"), {"EA", "cable needs it"});
  expect_error(section("Springs", "set Law = angle\nset From = a\nset To = b\nset Stiffness = 1\n"), {"Centre", "angle needs"});
  expect_error(section("Springs", "set From = a\nset To = c\nset Stiffness = 1\n"), {"no point or group 'c'", "there are: a"});
  expect_error(section("Pair potentials", "set Law = coulomb\nset Points = a, b\nset Constant = 1\nset Charges = 1\n"),
               {"Charges", "each needs its charge"});
  expect_error(
      section("Pair potentials", "set Law = morse\nset Points = a, b\nset A = 1\nset Depth = 1\nset Width = 1\nset Distance = 1\n"),
      {"A = 1", "no effect"});
  expect_error(section("Pair potentials", "set Law = coulomb\nset Points = a, b\nset Constant = 1\nset Charges = 0, 0\n"),
               {"Charges = 0, 0", "all zero"});
  expect_error(section("Potentials", "set Points = a\nset Expression = abs(x) + y^2\n"),
               {"not differentiable where the points start", "across x"});
  expect_error(section("Potentials", "set Points = a\nset Expression = sqrt(x^2 + y^2 + z^2)\n"), {"not differentiable", "sqrt of 0"});
  expect_error(section("Potentials", "set Points = a\nset Expression = 3 + step(x)*y^2 + step(x)\n"), {"not differentiable", "across x"});
  EXPECT_NO_THROW(DiscreteDeck(cloud + section("Potentials", "set Points = a\nset Expression = max(0, x)^2 + 1e4*tanh(50*x)\n")));
  expect_error(section("Torsional chains", "set Points = row\nset Coupling = 1\n"), {"one dimension"});
  expect_error(section("Rigid bodies", "set Inertia = 1, 1, 3\nset Position = 0, 0, 0\n"), {"triangle inequality", "I_3"});
  expect_error(section("Dashpots", "set Points = a\nset From = a\nset To = b\nset Coefficient = 1\n"), {"Give one of both"});
  expect_error(section("Springs", "set From = a\nset To = b\nset Stiffness = 1\nset Direction = 1, 0, 0\n"),
               {"Direction", "no effect with Law = quadratic"});
  expect_error(section("Springs", "set Law = small-displacement\nset From = a\nset To = b\nset Stiffness = 1\nset Direction = 0, 0, 0\n"),
               {"Direction", "is zero"});
  expect_error(
      section(
          "Springs",
          "set Law = small-displacement\nset From = a\nset To = ground\nset Stiffness = 1\nset Direction = 1, 0, 0\nset Anchor = 1, 0, 0\n"),
      {"Anchor", "no effect with a Direction"});
  expect_error(
      section("Springs", "set Law = small-displacement\nset From = a\nset To = b\nset Stiffness = 1\nset Direction at To = 1, 0, 0\n"),
      {"needs the Direction at From"});
  expect_error(section("Dashpots", "set Points = a\nset Coefficient = 1\nset Direction = 1, 0, 0\nset Direction at To = 1, 0, 0\n"),
               {"Direction at To", "ground does not move"});
  expect_error("subsection Points\nsubsection held\nset Position = 3, 0, 0\nset Fixed = yes\nset Free = w\nset Mass = 1\nend\nend\n",
               {"Free = w", "letters of xyz"});
  expect_error("subsection Points\nsubsection held\nset Position = 3, 0, 0\nset Fixed = yes\nset Free = x\nend\nend\n", {"needs its mass"});
  expect_error("subsection Points\nsubsection held\nset Position = 3, 0, 0\nset Free = x\nset Mass = 1\nend\nend\n",
               {"is of a fixed point"});
  expect_error(
      "subsection Points\nsubsection held\nset Position = 3, 0, 0\nset Fixed = yes\nset Free = x\nset Motion = t, 0, 0\nset Mass = 1\nend\nend\n",
      {"free along x", "write 0"});
  expect_error("subsection Constraints\nset Treatment = penalty\nsubsection rod\nset From = a\nset To = b\nend\nend\n",
               {"omega", "penalty needs it"});
  expect_error("subsection Constraints\nsubsection rod\nset Law = plane\nset From = a\nset Points = b\nend\nend\n",
               {"From = a", "no effect with Law = plane"});
  expect_error("subsection Constraints\nsubsection rod\nset Law = orthonormal\nset Body = a\nend\nend\n", {"no rigid body"});
  expect_error("subsection Constraints\nsubsection rod\nset Law = expression\nset Expression = 3\nend\nend\n", {"holds no coordinate"});
}
}  // namespace symdyn::tests::in_discrete_elements
