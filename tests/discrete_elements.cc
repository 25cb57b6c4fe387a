// Every discrete element: force, stiffness and third derivative are the slopes of its energy, its discrete gradient keeps the energy and, where V does, the
// momenta; constraints and their derivatives; what a deck may not say.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>

#include "discrete_checks.h"
#include "discrete_deck.h"
#include "input.h"
#include "scheme.h"
#include "solver/energy.h"
#include "solver/error.h"
#include "solver/multipliers.h"

namespace symdyn::tests
{
namespace
{
const std::string cloud =
    "subsection Points\n"
    "subsection a\nset Mass = 1\nset Position = 0, 0, 0\nset Velocity = 0.3, -0.1, 0.2\nend\n"
    "subsection b\nset Mass = 3\nset Position = 1.1, 0.1, 0\nset Velocity = 0, 0.4, 0.1\nend\n"
    "subsection row\nset Count = 3\nset Mass = 0.5\nset Position = i, 1.2 - 0.3*i, 0.7 + 0.5*i^2\nset Velocity = 0.1*y, 0, i\nend\nend\n";

std::string section(const std::string &kind, const std::string &entries) { return "subsection " + kind + "\nsubsection one\n" + entries + "end\nend\n"; }

struct Element
{
  std::string deck;
  bool momenta = true;     ///< of V and its discrete gradient
  bool polynomial = false; ///< of fourth degree
};

const std::map<std::string, Element> &elements()
{
  const std::string chain = "subsection Points\nset Dimension = 1\nsubsection site\nset Count = 5\nset Mass = 2\nset Position = 0.3*i\nend\nend\n",
                    body = "subsection Rigid bodies\nsubsection top\nset Mass = 2\nset Inertia = 1, 1.5, 2\nset Position = 0, 1, 0\nset Rotation = 0.3, -0.2, 0.5\n"
                           "set Angular velocity = 1, 0.2, 0.1\nset Rigidity = 3\nend\nend\n";
  static const std::map<std::string, Element> table{
      {"bar green-lagrange", {cloud + section("Bars", "set From = a\nset To = row\nset EA = 5\n"), true, true}},
      {"bar linear", {cloud + section("Bars", "set From = a\nset To = row\nset EA = 5\nset Law = linear\n")}},
      {"bar to the ground", {cloud + section("Bars", "set From = row\nset To = ground\nset Anchor = 2, 0, 0\nset EA = 5\nset Law = linear\n"), false}},
      {"cable, taut and slack", {cloud + section("Bars", "set From = a\nset To = row\nset EA = 5\nset Law = cable\nset Length = 1.6\n")}},
      {"spring quadratic", {cloud + section("Springs", "set From = a\nset To = b\nset Stiffness = 7\nset Length = 0.8\n")}},
      {"spring quartic", {cloud + section("Springs", "set Law = quartic\nset From = a\nset To = b\nset Stiffness = 7\nset Length = 0.8\n"), true, true}},
      {"spring angle", {cloud + section("Springs", "set Law = angle\nset From = a\nset Centre = b\nset To = row1\nset Stiffness = 2\nset Angle = 70\n"), false}},
      {"coulomb", {cloud + section("Pair potentials", "set Law = coulomb\nset Constant = 2\nset Points = a, row\nset Charges = 1, -0.5\n")}},
      {"lennard-jones", {cloud + section("Pair potentials", "set Law = lennard-jones\nset Points = a, b, row\nset A = 0.5\nset B = 1\n")}},
      {"morse", {cloud + section("Pair potentials", "set Law = morse\nset Points = a, b\nset Depth = 2\nset Width = 1.3\nset Distance = 0.9\n")}},
      {"torsional chain", {chain + section("Torsional chains", "set Points = site\nset Coupling = 2\nset Cyclic = yes\nset Depth = 0.3\nset Width = 3\n"), false}},
      {"rigid body", {body, true, true}},
      {"penalties", {cloud + "subsection Constraints\nset Treatment = penalty\nset omega = 3\nsubsection rod\nset From = a\nset To = row\nset Length = 1\nend\n"
                             "subsection plane\nset Law = plane\nset Points = b\nset Anchor = 0, 0, 0\nset Normal = 1, 2, 0\nend\n"
                             "subsection sphere\nset Law = expression\nset Points = row0\nset Expression = x^2 + y^2 + z^2 - 1\nend\nend\n", false}}};
  return table;
}

Vector near(DiscreteDeck &deck) { return Random(3).vector(deck.start().q, 0.1); }
}  // namespace

TEST(DiscreteElements, DerivativesHaveSlopeTwo)
{
  for (const auto &[name, element] : elements())
  {
    SCOPED_TRACE(name);
    DiscreteDeck deck(element.deck);
    expect_derivatives(deck.system(), near(deck), Part::all, element.polynomial);
  }
}

TEST(DiscreteElements, DiscreteGradients)
{
  for (const auto &[name, element] : elements())
  {
    SCOPED_TRACE(name);
    DiscreteDeck deck(element.deck);
    const DiscreteSystem &system = deck.system();
    const Vector q0 = near(deck);
    Vector f = system.new_vector(), xi = f;
    for (const double size : {0.3, 1e-2, 1e-4, 1e-6, 1e-9, 0.})
    {
      const Vector q1 = moved(q0, size, Random(6).vector(q0, 0.5));
      system.discrete_gradient(q0, q1, f);
      const double V0 = system.potential(q0), V1 = system.potential(q1);
      EXPECT_NEAR(f * moved(q1, -1., q0), V1 - V0, 1e-13 * (1. + std::abs(V0) + std::abs(V1))) << size;
      for (std::size_t i = 0; i < system.momenta().size() && element.momenta; ++i)
      {
        system.generator(i, moved(0.5, q0, q1), xi);
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
  const DiscreteSystem &system = deck.system();
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
  const DiscreteSystem &system = deck.system();
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
  const DiscreteSystem &system = deck.system();
  const Vector q = near(deck), v = Random(8).vector(q, 1.);
  Vector f = system.new_vector(), xi = f;
  system.damping_force(q, v, f);
  EXPECT_NEAR(f * v, 2. * system.dissipation(q, v), 1e-14);
  EXPECT_GT(f.l2_norm(), 0.1);
  for (std::size_t i = 0; i < 6; ++i)
  {
    system.generator(i, q, xi);
    EXPECT_NEAR(f * xi, 0., 1e-14);
    EXPECT_NEAR(system.dissipation(q, xi), 0., 1e-28);
  }
  const auto force = [&](const Vector &x, Vector &y) { system.damping_force(q, x, y); };
  EXPECT_LT(largest(matrix_of(system, *system.factor(C, 0., q, v)), matrix_of(system, force)), 1e-14);
  EXPECT_TRUE(system.has(Feature::stiffness_damping));
}

/// G is the slope of g, the discrete G its quotient, the curvature the slope of G.
TEST(DiscreteElements, Constraints)
{
  DiscreteDeck deck(cloud +
                    "subsection Constraints\nsubsection rod\nset From = a\nset To = b\nend\n"
                    "subsection squared\nset Law = distance-squared\nset From = b\nset To = row\nend\n"
                    "subsection tie\nset From = a\nset To = ground\nset Anchor = 1, 2, 3\nend\n"
                    "subsection pin\nset Law = pin\nset From = row0\nset To = row1\nend\n"
                    "subsection plane\nset Law = plane\nset Points = b\nset Anchor = 1, 2, 3\nset Normal = 1, 2, 0\nend\n"
                    "subsection sphere\nset Law = expression\nset Points = row2\nset Expression = x^2*y + sin(z) - 1\nend\nend\n");
  const HolonomicConstraints &g = *deck.system().constraints();
  ASSERT_EQ(g.size(), 1 + 3 + 1 + 3 + 1 + 1);
  const Vector q0 = near(deck), q1 = moved(q0, 0.3, Random(6).vector(q0, 0.5)), w = Random(7).vector(q0, 1.);
  std::vector<double> u0, u1, direction, before, after;
  g.gather(q0, u0);
  g.gather(q1, u1);
  g.gather(w, direction);
  ConstraintRows G, D;
  g.jacobian(u0, G);
  g.discrete_jacobian(u0, u1, D);
  std::vector<double> change(u0.size());
  for (std::size_t k = 0; k < u0.size(); ++k) change[k] = u1[k] - u0[k];
  g.values(u0, before);
  g.values(u1, after);
  const auto shifted = [&](const double h) {
    std::vector<double> u = u0;
    for (std::size_t k = 0; k < u.size(); ++k) u[k] += h * direction[k];
    return u;
  };
  for (int i = 0; i < g.size(); ++i)
  {
    SCOPED_TRACE(g.name(i));
    EXPECT_NEAR(D.times(i, change), after[i] - before[i], 1e-14);
    const bool linear = g.name(i).rfind("p", 0) == 0;
    std::vector<double> ahead, behind, one(g.size(), 0.), bend(u0.size(), 0.);
    expect_slope_two(
        [&](double h) {
          g.values(shifted(h), ahead);
          g.values(shifted(-h), behind);
          return std::abs((ahead[i] - behind[i]) / (2. * h) - G.times(i, direction));
        },
        0.1, linear || g.name(i).rfind("squared", 0) == 0, 1e-10);
    one[i] = 1.;
    g.curvature(u0, one, direction, bend);
    double exact = 0;
    for (std::size_t k = 0; k < u0.size(); ++k) exact += bend[k] * direction[k];
    g.values(shifted(1e-3), ahead);
    g.values(shifted(-1e-3), behind);
    EXPECT_NEAR((ahead[i] - 2. * before[i] + behind[i]) / 1e-6, exact, 1e-4 * (1. + std::abs(exact)));
  }
}

namespace
{
double symplectic_area(const DiscreteSystem &system, const State &a, const State &b)
{
  Vector Mv = system.new_vector();
  system.mass(b.v, Mv);
  const double first = a.q * Mv;
  system.mass(a.v, Mv);
  return first - b.q * Mv;
}

/// Of tangents to the constraints that one step takes along, by differences of fourth order; how far dq ∧ d(M v) changes.
double area_defect(const std::string &deck_text, const std::string &name)
{
  DiscreteDeck deck(deck_text);
  const DiscreteSystem &system = deck.system();
  const Scheme scheme(name);
  const double h = 0.2;
  State start = deck.start();
  project_on_constraints(system, start);
  const auto neighbour = [&](const unsigned int seed, const double s) {
    State z = start;
    z.q.add(s, Random(seed).vector(start.q, 1.));
    z.v.add(s, Random(seed + 1).vector(start.q, 1.));
    project_on_constraints(system, z);
    return z;
  };
  std::array<State, 2> before{start, start}, after{start, start};
  for (int k = 0; k < 2; ++k)
  {
    for (State *z : {&before[k], &after[k]}) z->q = z->v = 0.;
    for (const auto &[place, weight] : {std::pair{1., 8.}, {-1., -8.}, {2., -1.}, {-2., 1.}})
    {
      const double epsilon = 1e-3;
      State z = neighbour(11 + 10 * k, place * epsilon);
      before[k].q.add(weight / (12. * epsilon), z.q);
      before[k].v.add(weight / (12. * epsilon), z.v);
      z = scheme.run(system, z, h, 1);
      after[k].q.add(weight / (12. * epsilon), z.q);
      after[k].v.add(weight / (12. * epsilon), z.v);
    }
  }
  const double area = symplectic_area(system, before[0], before[1]);
  EXPECT_GT(std::abs(area), 0.1);
  return std::abs(symplectic_area(system, after[0], after[1]) - area);
}
}  // namespace

/// RATTLE is symplectic on the constraint manifold, for unequal masses and a nonlinear potential; the energy-momentum scheme is not.
TEST(DiscreteElements, RattleIsSymplectic)
{
  const std::string deck = "subsection Points\nset Dimension = 2\nset Gravity = 0, -1\n"
                           "subsection a\nset Mass = 1\nset Position = 0.6, -0.8\nset Velocity = 0.8, 0.6\nend\n"
                           "subsection b\nset Mass = 2\nset Position = 1.4, -1.4\nset Velocity = 0.2, 1.4\nend\n"
                           "subsection c\nset Mass = 3\nset Position = 2, -1\nset Velocity = 0.2, 0.3\nend\nend\n"
                           "subsection Springs\nsubsection soft\nset Law = quartic\nset From = b\nset To = c\nset Stiffness = 4\nset Length = 1\nend\nend\n"
                           "subsection Constraints\nset Project = yes\nsubsection hanger\nset From = a\nset To = ground\nset Anchor = 0, 0\nend\n"
                           "subsection rod\nset From = a\nset To = b\nend\nend\n";
  EXPECT_LT(area_defect(deck, "rattle"), 1e-9);
  EXPECT_GT(area_defect(deck, "gonzalez-constrained"), 1e-5);
}

TEST(DiscreteElements, RattleRunsBack)
{
  DiscreteDeck deck(cloud + "subsection Bars\nsubsection rod\nset From = a\nset To = row\nset EA = 3\nend\nend\n"
                            "subsection Constraints\nset Project = yes\nsubsection rod\nset From = a\nset To = b\nend\nend\n");
  const DiscreteSystem &system = deck.system();
  State start = deck.start();
  project_on_constraints(system, start);
  for (const std::string name : {"rattle", "newmark-constrained", "gonzalez-constrained"})
  {
    const Scheme scheme(name);
    State z = scheme.run(system, start, 0.05, 40);
    EXPECT_GT(distance(z.q, start.q), 0.1) << name;
    z.v *= -1.;
    z = scheme.run(system, z, 0.05, 40);
    EXPECT_LT(distance(z.q, start.q), 1e-9) << name;
    EXPECT_LT(constraint_error(*system.constraints(), z).g, 1e-12) << name;
  }
}

TEST(DiscreteElements, ConstrainedSchemesHaveOrderTwo)
{
  DiscreteDeck deck(cloud + "subsection Bars\nsubsection rod\nset From = a\nset To = row\nset EA = 3\nend\nend\n"
                            "subsection Constraints\nset Project = yes\nsubsection rod\nset From = a\nset To = b\nend\n"
                            "subsection far\nset From = b\nset To = row2\nend\nend\n");
  const DiscreteSystem &system = deck.system();
  State start = deck.start();
  project_on_constraints(system, start);
  const State exact = Scheme("adams").run(system, start, 0.1, 10);
  for (const std::string name : {"shake", "rattle", "newmark-constrained", "gonzalez-constrained"})
  {
    const Scheme scheme(name);
    const State coarse = scheme.run(system, start, 0.02, 50), fine = scheme.run(system, start, 0.01, 100);
    EXPECT_NEAR(std::log2(distance(coarse.q, exact.q) / distance(fine.q, exact.q)), 2., 0.15) << name;
    EXPECT_NEAR(std::log2(distance(coarse.v, exact.v) / distance(fine.v, exact.v)), 2., 0.15) << name;
  }
}

/// Damping between points, strong: measured with none, a scheme of first order in it looks second order.
TEST(DiscreteElements, ConstrainedSchemesWithDampingHaveOrderTwo)
{
  DiscreteDeck deck(cloud + "subsection Bars\nsubsection rod\nset From = a\nset To = row\nset EA = 3\nend\nend\n"
                            "subsection Dashpots\nsubsection between\nset From = a\nset To = row\nset Coefficient = 0.5\nend\n"
                            "subsection drag\nset Points = b\nset Coefficient = 0.8\nend\nend\n"
                            "subsection Constraints\nset Project = yes\nsubsection rod\nset From = a\nset To = b\nend\nend\n");
  const DiscreteSystem &system = deck.system();
  State start = deck.start();
  project_on_constraints(system, start);
  const State exact = Scheme("adams").run(system, start, 0.1, 10);
  for (const std::string name : {"newmark-constrained", "gonzalez-constrained"})
  {
    const Scheme scheme(name);
    const State coarse = scheme.run(system, start, 0.02, 50), fine = scheme.run(system, start, 0.01, 100);
    EXPECT_NEAR(std::log2(distance(coarse.q, exact.q) / distance(fine.q, exact.q)), 2., 0.15) << name;
    EXPECT_NEAR(std::log2(distance(coarse.v, exact.v) / distance(fine.v, exact.v)), 2., 0.15) << name;
  }
}

/// A pendulum whose pivot is shaken: the pivot's place, speed and acceleration act in the constraints; the books count the work of the pivot.
TEST(DiscreteElements, ConstraintsAtMovingPoints)
{
  DiscreteDeck deck("subsection Points\nset Dimension = 2\nset Gravity = 0, -9.81\nsubsection pivot\nset Fixed = yes\nset Position = 0, 0\n"
                    "set Motion = 0.1*(1 - cos(5*t)), 0.05*sin(3*t)^2\nend\n"
                    "subsection bob\nset Mass = 1.5\nset Position = 0.6, -0.8\nset Velocity = 0.8, 0.6\nend\nend\n"
                    "subsection Constraints\nsubsection rod\nset From = pivot\nset To = bob\nend\nend\n");
  const DiscreteSystem &system = deck.system();
  const State exact = Scheme("adams").run(system, deck.start(), 0.1, 10);
  for (const std::string name : {"shake", "rattle", "newmark-constrained", "gonzalez-constrained"})
  {
    const Scheme scheme(name);
    const State coarse = scheme.run(system, deck.start(), 0.01, 100), fine = scheme.run(system, deck.start(), 0.005, 200);
    EXPECT_NEAR(std::log2(distance(coarse.q, exact.q) / distance(fine.q, exact.q)), 2., 0.15) << name;
    EXPECT_NEAR(std::log2(std::abs(coarse.v.local_element(2) - exact.v.local_element(2)) / std::abs(fine.v.local_element(2) - exact.v.local_element(2))), 2., 0.15)
        << name;
    EXPECT_LT(constraint_error(*system.constraints(), fine).g, 1e-13) << name;
  }
  EnergyBooks books;
  const Scheme scheme("adams");
  State state = deck.start();
  scheme.integrator->start(system, state, 0.002);
  books.start(system, state, false);
  for (int k = 0; k < 500; ++k)
  {
    const State before = state;
    scheme.integrator->step(system, state, 0.002);
    books.advance(system, before, state, 0.002, WorkRule::trapezoidal, false);
  }
  EXPECT_GT(std::abs(books.external_work()), 0.5);
  EXPECT_NEAR(books.balance_error(), 0., 1e-4) << "second order in the step";
}

/// A straight chain in a plane bends to either side alike: the angle passes 180 degrees without a jump.
TEST(DiscreteElements, PlaneAngleAcrossItsCut)
{
  for (const double rest : {180., 170., -90.})
  {
    DiscreteDeck deck("subsection Points\nset Dimension = 2\nsubsection a\nset Mass = 1\nset Position = -1, 0\nend\n"
                      "subsection b\nset Mass = 1\nset Position = 0, 0\nend\nsubsection c\nset Mass = 1\nset Position = 1, 0\nend\nend\n" +
                      section("Springs", "set Law = angle\nset From = a\nset Centre = b\nset To = c\nset Stiffness = 2\nset Angle = " + std::to_string(rest) + "\n"));
    const DiscreteSystem &system = deck.system();
    Vector up = system.new_vector(), down = up;
    up.local_element(1) = std::tan(0.01);
    down.local_element(1) = -std::tan(0.01);
    // From c over b to a counts against the clock: a up is more than 180 degrees seen from a to c, less from c to a.
    const double degree = M_PI / 180., off = rest > 0. ? (180. - rest) * degree : 90. * degree;
    const double larger = std::max(system.potential(up), system.potential(down)), smaller = std::min(system.potential(up), system.potential(down));
    EXPECT_NEAR(larger, std::pow(off + 0.01, 2), 1e-12) << rest;
    EXPECT_NEAR(smaller, std::pow(off - 0.01, 2), 1e-12) << rest;
  }
}

/// The Lie group method with unequal moments, where the momentum turns against the body: order 1 against the oracle on the rotations; R stays a rotation, and
/// without a potential so does the momentum in space, which the energy of a sphere could not tell.
TEST(DiscreteElements, CayleyStepsOfAnUnequalBody)
{
  const std::string body = "subsection Rigid bodies\nsubsection top\nset Inertia = 1, 1.5, 2\nset Position = 0, 0, 0\nset Rotation = 0.3, -0.8, 0.5\n"
                           "set Angular velocity = 1, 0.7, -0.4\nend\nend\n",
                    field = "subsection Potentials\nsubsection field\nset Expression = top_3.z\nend\nend\n",
                    orthonormal = "subsection Constraints\nsubsection turning\nset Law = orthonormal\nset Body = top\nend\nend\n";
  DiscreteDeck free(body + field), held(body + field + orthonormal);
  const State exact = Scheme("adams").run(held.system(), held.start(), 0.1, 20);
  const Scheme scheme("hp-cayley");
  const State coarse = scheme.run(free.system(), free.start(), 0.002, 1000), fine = scheme.run(free.system(), free.start(), 0.001, 2000);
  EXPECT_NEAR(std::log2(distance(coarse.q, exact.q) / distance(fine.q, exact.q)), 1., 0.15);
  const Rotation rotation = free.system().rotations().at(0);
  const auto spatial = [&](const State &state) {  // R Pi
    std::array<double, 3> sum{};
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i)
        sum[i] += (rotation.axes[3 * j + i] + state.q.local_element(rotation.first + 3 * j + i)) * state.memory.at("Pi").local_element(j);
    return sum;
  };
  DiscreteDeck alone(body);
  const State first = scheme.run(alone.system(), alone.start(), 0.1, 0), last = scheme.run(alone.system(), alone.start(), 0.1, 500);
  for (int i = 0; i < 3; ++i)
  {
    EXPECT_NEAR(spatial(last)[i], spatial(first)[i], 1e-12);
    EXPECT_NEAR(momenta_of(alone.system(), last)[3 + i], spatial(first)[i], 1e-12) << "as the columns J have it";
  }
  // The field is along z: its momentum stays, the others do not.
  const State turned = scheme.run(free.system(), free.start(), 0.1, 500), began = scheme.run(free.system(), free.start(), 0.1, 0);
  EXPECT_NEAR(spatial(turned)[2], spatial(began)[2], 1e-12);
  EXPECT_GT(std::abs(spatial(turned)[0] - spatial(began)[0]), 0.01);
}

/// The form on the tangents of constraints and of rotations, which are curved: kept by rattle and hp-cayley; not by schemes without that promise.
TEST(DiscreteElements, FormsOnConstraintsAndRotations)
{
  DiscreteDeck pendulum("subsection Points\nset Dimension = 2\nset Gravity = 0, -9.81\n"
                        "subsection upper\nset Mass = 1.5\nset Position = 0.6, -0.8\nset Velocity = 0.8, 0.6\nend\n"
                        "subsection lower\nset Mass = 0.7\nset Position = 1.4, -1.4\nset Velocity = 0.8, 0.6\nend\nend\n"
                        "subsection Constraints\nsubsection first\nset From = upper\nset To = ground\nset Anchor = 0, 0\nend\n"
                        "subsection second\nset From = upper\nset To = lower\nend\nend\n");
  EXPECT_LT(form_drifts(Scheme("rattle"), pendulum.system(), pendulum.start(), 0.01, 1000).second, 1e-12);
  EXPECT_GT(form_drifts(Scheme("gonzalez-constrained"), pendulum.system(), pendulum.start(), 0.01, 1000).second, 1e-4);
  State delta = pendulum.start(), started = pendulum.start();
  Scheme("rattle").integrator->start(pendulum.system(), started, 0.01);
  for (int i = 0; i < 4; ++i)
  {
    delta.q.local_element(i) = std::sin(1. + i);
    delta.v.local_element(i) = std::cos(2. + i);
  }
  project_tangent(pendulum.system(), started, delta.q, delta.v);
  delta.a = pendulum.system().new_vector();
  State exact = delta, difference = delta, after = started;
  const Scheme rattle("rattle");
  rattle.integrator->start_tangent(pendulum.system(), started, 0.01, exact);
  difference = exact;
  rattle.integrator->step(pendulum.system(), after, 0.01);
  rattle.integrator->step_tangent(pendulum.system(), started, after, 0.01, exact);
  rattle.integrator->Integrator::step_tangent(pendulum.system(), started, after, 0.01, difference);
  EXPECT_LT(distance(exact, difference), 1e-9 * difference.v.linfty_norm());
  EXPECT_NEAR(exact.a.local_element(1), difference.a.local_element(1), 1e-7 * difference.a.linfty_norm());

  DiscreteDeck top("subsection Rigid bodies\nsubsection top\nset Mass = 2\nset Inertia = 1, 2, 2.5\nset Position = 0.1, 0, 0\nset Velocity = 0, 0.2, 0\n"
                   "set Rotation = 0.3, 0.2, 0.1\nset Angular velocity = 0.1, 2, 0.3\nend\nend\n"
                   "subsection Potentials\nsubsection field\nset Expression = 3*top_3.z + 0.5*(top.x^2 + top.y^2 + top.z^2) + 0.7*top.x*top_1.y\nend\nend\n");
  EXPECT_LT(form_drifts(Scheme("hp-cayley"), top.system(), top.start(), 0.005, 200).second, 1e-10);
  DiscreteDeck stiff("subsection Rigid bodies\nsubsection top\nset Mass = 2\nset Inertia = 1, 2, 2.5\nset Rigidity = 100\nset Position = 0.1, 0, 0\n"
                     "set Angular velocity = 0.1, 2, 0.3\nend\nend\nsubsection Potentials\nsubsection field\nset Expression = 3*top_3.z\nend\nend\n");
  const double lost = form_drifts(Scheme("rk4"), stiff.system(), stiff.start(), 0.005, 200).second;
  EXPECT_GT(lost, 1e-6);
  EXPECT_LT(lost, 1.) << "stable";
}

/// A weight on a cable beside one on a slack cable: R of the nail, and the tension of the lines in a frame.
TEST(DiscreteElements, ReactionsAndTensions)
{
  DiscreteDeck deck("subsection Points\nset Dimension = 2\nset Gravity = 0, -10\nsubsection nail\nset Fixed = yes\nset Position = 0, 0\nend\n"
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
  const auto value = [&](const std::string &column) { return values.at(std::find(columns.begin(), columns.end(), column) - columns.begin()); };
  EXPECT_NEAR(value("nail.R_y [N]"), 50., 1e-12);
  EXPECT_NEAR(value("nail.R_x [N]"), 0., 1e-12);
  const std::string folder = ::testing::TempDir();
  std::ifstream frame(folder + "/" + deck.structure.write_frame(state, folder, 7).at(0));
  std::string line;
  while (std::getline(frame, line) && line.find("Name=\"tension\"") == std::string::npos)
    ;
  std::vector<double> tensions;
  for (double number; frame >> number;) tensions.push_back(number);
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
    for (const std::string &part : parts) EXPECT_NE(error.find(part), std::string::npos) << error << "\nlacks: " << part;
  };
  expect_error(section("Bars", "set From = a\nset To = b\nset EA = -5\n"), {"test.prm:", "EA = -5", "> 0"});
  expect_error(section("Bars", "set From = a\nset To = b\nset Law = cable\n"), {"EA", "cable needs it"});
  expect_error(section("Springs", "set Law = angle\nset From = a\nset To = b\nset Stiffness = 1\n"), {"Centre", "angle needs"});
  expect_error(section("Springs", "set From = a\nset To = c\nset Stiffness = 1\n"), {"no point or group 'c'", "there are: a"});
  expect_error(section("Pair potentials", "set Law = coulomb\nset Points = a, b\nset Constant = 1\nset Charges = 1\n"), {"Charges", "each needs its charge"});
  expect_error(section("Pair potentials", "set Law = morse\nset Points = a, b\nset A = 1\nset Depth = 1\nset Width = 1\nset Distance = 1\n"), {"A = 1", "no effect"});
  expect_error(section("Pair potentials", "set Law = coulomb\nset Points = a, b\nset Constant = 1\nset Charges = 0, 0\n"), {"Charges = 0, 0", "all zero"});
  expect_error(section("Potentials", "set Points = a\nset Expression = abs(x) + y^2\n"), {"not differentiable where the points start", "across x"});
  expect_error(section("Potentials", "set Points = a\nset Expression = sqrt(x^2 + y^2 + z^2)\n"), {"not differentiable", "sqrt of 0"});
  expect_error(section("Potentials", "set Points = a\nset Expression = 3 + step(x)*y^2 + step(x)\n"), {"not differentiable", "across x"});
  EXPECT_NO_THROW(DiscreteDeck(cloud + section("Potentials", "set Points = a\nset Expression = max(0, x)^2 + 1e4*tanh(50*x)\n")));
  expect_error(section("Torsional chains", "set Points = row\nset Coupling = 1\n"), {"one dimension"});
  expect_error(section("Rigid bodies", "set Inertia = 1, 1, 3\nset Position = 0, 0, 0\n"), {"triangle inequality", "I_3"});
  expect_error(section("Dashpots", "set Points = a\nset From = a\nset To = b\nset Coefficient = 1\n"), {"Give one of both"});
  expect_error("subsection Constraints\nset Treatment = penalty\nsubsection rod\nset From = a\nset To = b\nend\nend\n", {"omega", "penalty needs it"});
  expect_error("subsection Constraints\nsubsection rod\nset Law = plane\nset From = a\nset Points = b\nend\nend\n", {"From = a", "no effect with Law = plane"});
  expect_error("subsection Constraints\nsubsection rod\nset Law = orthonormal\nset Body = a\nend\nend\n", {"no rigid body"});
  expect_error("subsection Constraints\nsubsection rod\nset Law = expression\nset Expression = 3\nend\nend\n", {"holds no coordinate"});
}

/// What cannot be held says which constraint it is.
TEST(DiscreteElements, RedundantConstraints)
{
  const auto error = [](const std::string &more) {
    DiscreteDeck deck(cloud + "subsection Constraints\nsubsection rod\nset From = a\nset To = b\nend\n" + more + "end\n");
    State start = deck.start();
    Multipliers multipliers(deck.system());
    try
    {
      rate_multipliers(multipliers, start);
    }
    catch (const ComputationError &failure)
    {
      return std::string(failure.what());
    }
    return std::string();
  };
  EXPECT_EQ(error(""), "");
  // Neither small units nor heavy points make constraints redundant.
  EXPECT_EQ(error("subsection small\nset Law = expression\nset Expression = 1e-9*(row0.x - 1)\nend\n"), "");
  const std::string sharp = message([&] { error("subsection sharp\nset Law = expression\nset Expression = sqrt(row0.x)\nend\n"); });
  EXPECT_NE(sharp.find("not differentiable"), std::string::npos) << sharp;
  EXPECT_NE(sharp.find("Constraints/sharp"), std::string::npos) << sharp;
  const std::string twice = error("subsection again\nset From = b\nset To = a\nend\n");
  EXPECT_NE(twice.find("follows from others"), std::string::npos) << twice;
  EXPECT_TRUE(twice.find("'again'") != std::string::npos || twice.find("'rod'") != std::string::npos) << twice;
}
}  // namespace symdyn::tests
