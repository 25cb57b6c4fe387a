// Points on a solid and beside it: V and its derivatives belong together, factors, masses, constraints, what a deck may not say.
#include <gtest/gtest.h>

#include <cmath>

#include "solver/diagnosis.h"
#include "solver/dynamics/multipliers.h"
#include "solver/error.h"
#include "solver/unknowns.h"
#include "tests/bodies.h"
#include "tests/input.h"
#include "tests/system_checks.h"

namespace symdyn::tests::in_joint
{
namespace
{
std::string block(const std::string &more, const std::string &mass = "lumped")
{
  return subsection("Mesh", "set Subdivisions = 2, 2, 2") + made_of("neo-hooke-log", 3.) + subsection("Elements", "set Mass = " + mass) +
         subsection("Damping", "set Mass proportional = 0.1\nset Stiffness proportional = 0.02") + more;
}

const std::string held = subsection("Supports", subsection("wall", "set Boundary = x-"));

std::string point(const std::string &name, const std::string &entries) { return subsection(name, entries); }

/// Of all kinds: nodes with and without mass, two of them one node, one on the support, own points, a fixed one, a rigid body.
std::string rich()
{
  const std::string mass_on_node = "set Mass = 0.3\n";
  return subsection("Points", "set Gravity = 0.2, 0, -2\n" + point("hook", "set On mesh = yes\nset Position = 1, 1, 1\n" + mass_on_node) +
                                  point("again", "set On mesh = yes\nset Position = 1, 1, 1\n" + mass_on_node) +
                                  point("inner", "set On mesh = yes\nset Position = 0.5, 0.5, 0.5") +
                                  point("on_wall", "set On mesh = yes\nset Position = 0, 1, 1") + point("tops", "set On boundary = z+") +
                                  point("bob", "set Mass = 0.7\nset Position = 1.4, 1.2, 0.6\nset Velocity = 0.1, 0, 0.3") +
                                  point("peg", "set Fixed = yes\nset Position = 1, 1.5, 2\nset Motion = 0.1*t, 0, t^2")) +
         subsection("Rigid bodies",
                    subsection("wheel", "set Mass = 0.4\nset Inertia = 0.1, 0.12, 0.15\nset Position = 2, 1, 1\nset Rigidity = 3")) +
         subsection("Bars", subsection("one", "set From = bob\nset To = hook\nset Law = squared\nset Stiffness = 40") +
                                subsection("held", "set From = bob\nset To = on_wall\nset EA = 50") +
                                subsection("up", "set From = peg\nset To = again\nset EA = 30") +
                                subsection("axle", "set From = wheel\nset To = hook\nset EA = 20")) +
         subsection("Springs", subsection("stay", "set From = inner\nset To = ground\nset Anchor = 2, 2, 3\nset Stiffness = 12")) +
         subsection("Dashpots", subsection("damper", "set From = bob\nset To = hook\nset Coefficient = 0.7") +
                                    subsection("drag", "set Points = inner, bob\nset Coefficient = 0.2")) +
         subsection("Forces", subsection("push", "set Points = hook, bob\nset Force = cos(t), 1, 0")) +
         subsection("Potentials", subsection("pull",
                                             "set From = bob\nset To = tops\nset Expression = "
                                             "1/sqrt(0.5 + (from.x - to.x)^2 + (from.y - to.y)^2 + (from.z - to.z)^2)"));
}

struct Joint : Body<3>
{
  using Body<3>::Body;
  /// A field that supports allow, so small that no cell is inverted.
  Vector random(const unsigned int seed, const double size)
  {
    Vector x = Random(seed).vector(system().new_vector(), size);
    system().project(x);
    x.update_ghost_values();
    return x;
  }
};

TEST(JointSystem, ForceIsTheGradientOfVAndSoOn)
{
  Joint body(block(held + rich()));
  const MechanicalSystem &system = body.system();
  const Vector q = body.random(1, 0.04), w = body.random(2, 0.04), other = body.random(3, 0.04);
  expect_derivatives(system, q, w, other, 0.4);
  Vector f = system.new_vector();
  system.discrete_gradient(q, other, f);
  const double V0 = system.potential(q), V1 = system.potential(other);
  EXPECT_NEAR(f * moved(other, -1., q), V1 - V0, 1e-13 * (std::abs(V0) + std::abs(V1)));
  EXPECT_GT(std::abs(V1 - V0), 1e-3);
  system.damping_force(q, w, f);
  EXPECT_NEAR(0.5 * (f * w), system.dissipation(q, w), 1e-13 * system.dissipation(q, w));
}

/// A x of m M + c C + k K by the system's own products.
Vector product(const MechanicalSystem &system, const Weights &weights, const Vector &q, const Vector &x)
{
  Vector sum = system.new_vector(), part = sum;
  system.mass(x, sum);
  sum *= weights.m;
  system.damping_force(q, x, part);
  sum.add(weights.c, part);
  system.stiffness(q, x, part);
  sum.add(weights.k, part);
  system.project(sum);
  return sum;
}

TEST(JointSystem, FactorsMultiplyAndInvert)
{
  const Weights weights = M + 0.3 * C + 0.02 * K;
  for (const char *solver :
       {"set Type = automatic", "set Type = dense", "set Type = mumps", "set Type = eisenstat",
        "set Type = cg\nsubsection cg\nset Preconditioner = gamg\nend", "set Type = cg\nsubsection cg\nset Preconditioner = jacobi\nend"})
    for (const char *mass : {"lumped", "consistent"})
    {
      Joint body(block(held + rich() + subsection("Linear solver", std::string(solver) + "\nset Tolerance = 1e-13"), mass));
      const MechanicalSystem &system = body.system();
      const Vector q = body.random(1, 0.02), x = body.random(2, 1.);
      const auto A = system.factor(weights, 0.3, q, q);
      Vector Ax = system.new_vector(), found = Ax;
      A->multiply(x, Ax);
      const Vector expected = product(system, weights, q, x);
      EXPECT_LT(distance(Ax, expected), 1e-12 * expected.l2_norm()) << solver << " " << mass;
      A->solve(Ax, found, 1e-13);
      EXPECT_LT(distance(found, x), 1e-9 * x.l2_norm()) << solver << " " << mass;
      // The points do count.
      const Joint without(block(held, mass));
      Vector alone = without.system().new_vector(), of_alone = alone;
      std::copy_n(x.begin(), alone.locally_owned_size(), alone.begin());
      of_alone = product(without.system(), weights, alone, alone);
      double difference = 0;
      for (unsigned int i = 0; i < of_alone.locally_owned_size(); ++i)
        difference = std::max(difference, std::abs(of_alone.local_element(i) - Ax.local_element(i)));
      EXPECT_GT(difference, 1e-2);
    }
}

TEST(JointSystem, TheTangentOfTheDiscreteGradientIsItsDerivative)
{
  Joint body(block(held + rich()));
  const MechanicalSystem &system = body.system();
  const Vector q0 = body.random(1, 0.03), q1 = body.random(2, 0.03), w = body.random(3, 0.05);
  const auto A = system.factor({{{0., 0., 1.}, 0., &q1, &q1, &q0}});
  Vector exact = system.new_vector(), f = exact, back = exact;
  A->multiply(w, exact);
  expect_slope_two(
      [&](double h) {
        system.discrete_gradient(q0, moved(q1, h, w), f);
        system.discrete_gradient(q0, moved(q1, -h, w), back);
        f -= back;
        f *= 1. / (2. * h);
        system.project(f);
        return distance(f, exact);
      },
      0.1, false, 1e-9);
}

TEST(JointSystem, MassesOnNodesAddUp)
{
  for (const char *mass : {"lumped", "consistent"})
  {
    Joint body(block(held + rich(), mass));
    const MechanicalSystem &system = body.system();
    const Vector v = body.random(4, 1.);
    Vector p = system.new_vector(), back = p;
    system.mass(v, p);
    system.mass_solve(p, back);
    EXPECT_LT(distance(back, v), 1e-12 * v.l2_norm()) << mass;
    // All that moves along x: the body, twice 0.3 on one node, bob and the wheel.
    Vector along = system.new_vector();
    system.unknowns().generator(0, system.new_vector(), along);
    system.mass(along, p);
    EXPECT_NEAR(along * p, 3. + 0.6 + 0.7 + 0.4, 1e-12) << mass;
  }
}

TEST(JointSystem, ADiagonalNeedsNoMatrix)
{
  // As explicit schemes ask for it: m M + c C with a drag on points and a lumped mass, to rounding and without a linear solver.
  const std::string points = subsection("Points", point("hook", "set On mesh = yes\nset Position = 1, 1, 1\nset Mass = 0.3") +
                                                      point("bob", "set Mass = 0.7\nset Position = 1.4, 1.2, 0.6")) +
                             subsection("Dashpots", subsection("drag", "set Points = hook, bob\nset Coefficient = 2"));
  Joint body(subsection("Mesh", "set Subdivisions = 2, 2, 2") + made_of("neo-hooke-log", 3.) + subsection("Elements", "set Mass = lumped") +
             subsection("Damping", "set Mass proportional = 0.1") + held + points);
  const MechanicalSystem &system = body.system();
  const Vector q = body.random(1, 0.02), x = body.random(2, 1.);
  const Weights weights = M + 0.3 * C;
  const auto A = system.factor(weights, 0., q, q);
  EXPECT_FALSE(A->iterative());
  Vector Ax = system.new_vector(), found = Ax;
  A->multiply(x, Ax);
  const Vector expected = product(system, weights, q, x);
  EXPECT_LT(distance(Ax, expected), 1e-15 * expected.l2_norm());
  A->solve(Ax, found, 1e-3);
  EXPECT_LT(distance(found, x), 1e-15 * x.l2_norm());
}

TEST(JointSystem, ConstraintsAloneLeaveTheBodyAlone)
{
  // Vectors are the body's own, and factors its own.
  Joint body(block(held +
                   subsection("Points", point("a", "set On mesh = yes\nset Position = 1, 0, 1") +
                                            point("b", "set On mesh = yes\nset Position = 1, 1, 0")) +
                   subsection("Constraints", subsection("rod", "set From = a\nset To = b"))));
  const MechanicalSystem &system = body.system();
  EXPECT_EQ(system.new_vector().get_partitioner(), body.system().new_vector().get_partitioner());
  ASSERT_TRUE(system.constraints());
  EXPECT_NEAR(system.constraints()->length(), 1., 1e-15);
  const Vector q = body.random(1, 0.05), x = body.random(2, 1.);
  Vector joint = system.new_vector(), alone = joint;
  system.factor(M + 0.1 * K, 0., q, q)->multiply(x, joint);
  body.system().factor(M + 0.1 * K, 0., q, q)->multiply(x, alone);
  EXPECT_EQ(distance(joint, alone), 0.);
}

TEST(JointSystem, FrequencyIsThatOfTheStiffSpring)
{
  // A light mass on a stiff spring is faster than the block; the highest frequency is of both.
  const auto with = [](const std::string &stiffness) {
    Joint body(block(held +
                     subsection("Points", point("hook", "set On mesh = yes\nset Position = 1, 1, 1") +
                                              point("bob", "set Mass = 0.01\nset Position = 2, 1, 1")) +
                     subsection("Springs", subsection("s", "set From = bob\nset To = hook\nset Stiffness = " + stiffness))));
    const Vector rest = body.system().new_vector();
    const Joint alone(block(held));
    return body.system().diagnosis().highest_frequency(0., rest) /
           alone.system().diagnosis().highest_frequency(0., alone.system().new_vector());
  };
  EXPECT_NEAR(with("1e-3"), 1., 2e-4);
  EXPECT_GT(with("1e5"), 10.);
}

/// The message that refuses these points beside the block.
std::string refused(const std::string &points, const std::string &more = "")
{
  return message([&] { Joint(block(subsection("Points", points) + more)); });
}

void expect_words(const std::string &text, const std::vector<std::string> &words)
{
  for (const std::string &word : words)
    EXPECT_NE(text.find(word), std::string::npos) << "'" << word << "' is not in: " << text;
}

TEST(JointSystem, RefusesWhatADeckMayNotSay)
{
  const std::string on_mesh = "set On mesh = yes\n";
  expect_words(refused(point("a", on_mesh + "set Position = 0.9, 1, 1")),
               {"test.prm:", "[Points/a] Position = 0.9, 1, 1", "no node of the mesh at (0.9, 1, 1) m: the nearest is at (1, 1, 1) m"});
  expect_words(refused(point("a", on_mesh + "set Position = 1, 1, 1\nset Velocity = 1, 0, 0")), {"Velocity", "moves with the body"});
  expect_words(refused(point("a", on_mesh + "set Position = 1, 1, 1\nset Fixed = yes")), {"Fixed", "Supports"});
  expect_words(refused(point("a", on_mesh)), {"Position", "needs the place of its node"});
  expect_words(refused(point("a", "set On boundary = top")), {"On boundary = top", "boundary 'top' does not exist", "z+"});
  expect_words(refused(point("a", "set On boundary = z+\nset Count = 2")), {"On boundary", "Remove Position and Count"});
  expect_words(refused("set Dimension = 2\n" + point("a", on_mesh + "set Position = 1, 1")), {"Dimension = 2", "that of the mesh"});
  expect_words(refused(point("a", "set Position = 2, 1, 1")), {"Mass", "a point that moves needs its mass"});
  expect_words(
      refused(point("a", on_mesh + "set Position = 1, 1, 1"), subsection("Bars", subsection("b", "set From = a\nset To = c\nset EA = 1"))),
      {"[Bars/b] To = c", "no point or group 'c'"});
  expect_words(refused(point("a", on_mesh + "set Position = 1, 1, 1"), subsection("Bars", subsection("b", "set Fromm = a"))),
               {"unknown entry 'Fromm'"});
  expect_words(message([] { Joint(block(subsection("Bars", subsection("b", "set From = a\nset To = c\nset EA = 1")))); }),
               {"there is no point"});
  // An inclined roller has no axis of its own that is free.
  const std::string roller = subsection("Supports", subsection("wall", "set Boundary = x-\nset Type = roller\nset Normal = 1, 1, 0"));
  expect_words(refused(point("a", on_mesh + "set Position = 0, 1, 1") + point("c", "set Fixed = yes\nset Position = 0, 2, 1"),
                       roller + subsection("Constraints", subsection("rod", "set From = a\nset To = c"))),
               {"[Points/a]", "not along an axis"});
}

TEST(JointSystem, PointsOfADiscreteDeckHaveNoMesh)
{
  const std::string text = "subsection Points\nsubsection a\nset On mesh = yes\nset Position = 0, 0, 0\nend\nend\n";
  Deck deck = Deck::from_text(text, "test.prm");
  Parameters root = deck.root();
  const auto discrete = Registry<Structure>::instance().make("discrete");
  expect_words(message([&] { discrete->declare(root); }), {"test.prm:3", "On mesh", "there is no mesh with Structure = discrete"});
}
}  // namespace
}  // namespace symdyn::tests::in_joint
