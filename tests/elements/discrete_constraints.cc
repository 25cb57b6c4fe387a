// Constraints between points and their derivatives; the schemes that hold them: order, symplectic form, reversal, moving points, rotations.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "solver/dynamics/energy.h"
#include "solver/dynamics/multipliers.h"
#include "solver/error.h"
#include "tests/discrete_checks.h"
#include "tests/discrete_deck.h"
#include "tests/input.h"
#include "tests/scheme.h"

namespace symdyn::tests::in_discrete_constraints
{
/// G is the slope of g, the discrete G its quotient, the curvature the slope of G.
TEST(DiscreteConstraints, DerivativesAreSlopes)
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
  const Vector q0 = Random(3).vector(deck.start().q, 0.1), q1 = moved(q0, 0.3, Random(6).vector(q0, 0.5)), w = Random(7).vector(q0, 1.);
  std::vector<double> u0, u1, direction, before, after;
  g.gather(q0, u0);
  g.gather(q1, u1);
  g.gather(w, direction);
  ConstraintRows G, D;
  g.jacobian(u0, G);
  g.discrete_jacobian(u0, u1, D);
  std::vector<double> change(u0.size());
  for (std::size_t k = 0; k < u0.size(); ++k)
    change[k] = u1[k] - u0[k];
  g.values(u0, before);
  g.values(u1, after);
  const auto shifted = [&](const double h) {
    std::vector<double> u = u0;
    for (std::size_t k = 0; k < u.size(); ++k)
      u[k] += h * direction[k];
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
    for (std::size_t k = 0; k < u0.size(); ++k)
      exact += bend[k] * direction[k];
    g.values(shifted(1e-3), ahead);
    g.values(shifted(-1e-3), behind);
    EXPECT_NEAR((ahead[i] - 2. * before[i] + behind[i]) / 1e-6, exact, 1e-4 * (1. + std::abs(exact)));
  }
}

/// What stands for constraints in static and linear stages is a potential like others; without stiffnesses there is none.
TEST(DiscreteConstraints, SpringsInTheirPlaceAreAPotential)
{
  DiscreteDeck deck(cloud +
                    "subsection Constraints\nsubsection squared\nset Law = distance-squared\nset From = b\nset To = row\nend\n"
                    "subsection pin\nset Law = pin\nset From = row0\nset To = row1\nend\n"
                    "subsection plane\nset Law = plane\nset Points = b\nset Anchor = 1, 2, 3\nset Normal = 1, 2, 0\nend\nend\n");
  const MechanicalSystem &system = deck.system();
  const HolonomicConstraints &g = *system.constraints();
  const Vector q = Random(3).vector(deck.start().q, 0.1), x = Random(7).vector(q, 1.);
  const double free = system.potential(q);
  std::vector<double> u, values;
  g.gather(q, u);
  g.values(u, values);
  double of_springs = 0;
  for (int i = 0; i < g.size(); ++i)
  {
    g.springs->k.push_back(3. + i);
    g.springs->lambda.push_back(0.5 - 0.2 * i);
    of_springs += (0.5 * g.springs->k[i] * values[i] - g.springs->lambda[i]) * values[i];
  }
  ASSERT_GT(std::abs(of_springs), 0.01);
  EXPECT_NEAR(system.potential(q) - free, of_springs, 1e-13);
  expect_derivatives(system, q, Part::all, true);
  Vector Ax = system.new_vector(), Kx = Ax, Mx = Ax;
  system.factor(M + 0.1 * K, 0., q, q)->multiply(x, Ax);
  system.stiffness(q, x, Kx);
  system.mass(x, Mx);
  Mx.add(0.1, Kx);
  EXPECT_LT(distance(Ax, Mx), 1e-13 * Mx.l2_norm());
  g.springs->release();
  EXPECT_EQ(system.potential(q), free);
}

namespace
{
double symplectic_area(const MechanicalSystem &system, const State &a, const State &b)
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
  const MechanicalSystem &system = deck.system();
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
    for (State *z : {&before[k], &after[k]})
      z->q = z->v = 0.;
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
TEST(DiscreteConstraints, RattleIsSymplectic)
{
  const std::string deck =
      "subsection Points\nset Dimension = 2\nset Gravity = 0, -1\n"
      "subsection a\nset Mass = 1\nset Position = 0.6, -0.8\nset Velocity = 0.8, 0.6\nend\n"
      "subsection b\nset Mass = 2\nset Position = 1.4, -1.4\nset Velocity = 0.2, 1.4\nend\n"
      "subsection c\nset Mass = 3\nset Position = 2, -1\nset Velocity = 0.2, 0.3\nend\nend\n"
      "subsection Springs\nsubsection soft\nset Law = quartic\nset From = b\nset To = c\nset Stiffness = 4\nset Length = 1\nend\nend\n"
      "subsection Constraints\nset Project = yes\nsubsection hanger\nset From = a\nset To = ground\nset Anchor = 0, 0\nend\n"
      "subsection rod\nset From = a\nset To = b\nend\nend\n";
  EXPECT_LT(area_defect(deck, "rattle"), 1e-9);
  EXPECT_GT(area_defect(deck, "gonzalez-constrained"), 1e-5);
}

TEST(DiscreteConstraints, RattleRunsBack)
{
  DiscreteDeck deck(cloud +
                    "subsection Bars\nsubsection rod\nset From = a\nset To = row\nset EA = 3\nend\nend\n"
                    "subsection Constraints\nset Project = yes\nsubsection rod\nset From = a\nset To = b\nend\nend\n");
  const MechanicalSystem &system = deck.system();
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

TEST(DiscreteConstraints, ConstrainedSchemesHaveOrderTwo)
{
  DiscreteDeck deck(cloud +
                    "subsection Bars\nsubsection rod\nset From = a\nset To = row\nset EA = 3\nend\nend\n"
                    "subsection Constraints\nset Project = yes\nsubsection rod\nset From = a\nset To = b\nend\n"
                    "subsection far\nset From = b\nset To = row2\nend\nend\n");
  const MechanicalSystem &system = deck.system();
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
TEST(DiscreteConstraints, ConstrainedSchemesWithDampingHaveOrderTwo)
{
  DiscreteDeck deck(cloud +
                    "subsection Bars\nsubsection rod\nset From = a\nset To = row\nset EA = 3\nend\nend\n"
                    "subsection Dashpots\nsubsection between\nset From = a\nset To = row\nset Coefficient = 0.5\nend\n"
                    "subsection drag\nset Points = b\nset Coefficient = 0.8\nend\nend\n"
                    "subsection Constraints\nset Project = yes\nsubsection rod\nset From = a\nset To = b\nend\nend\n");
  const MechanicalSystem &system = deck.system();
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

/// A pendulum whose pivot is shaken: the pivot's place, speed and acceleration act in the constraints; the energy balance counts the work
/// of the pivot.
TEST(DiscreteConstraints, ConstraintsAtMovingPoints)
{
  DiscreteDeck deck(
      "subsection Points\nset Dimension = 2\nset Gravity = 0, -9.81\nsubsection pivot\nset Fixed = yes\nset Position = 0, 0\n"
      "set Motion = 0.1*(1 - cos(5*t)), 0.05*sin(3*t)^2\nend\n"
      "subsection bob\nset Mass = 1.5\nset Position = 0.6, -0.8\nset Velocity = 0.8, 0.6\nend\nend\n"
      "subsection Constraints\nsubsection rod\nset From = pivot\nset To = bob\nend\nend\n");
  const MechanicalSystem &system = deck.system();
  const State exact = Scheme("adams").run(system, deck.start(), 0.1, 10);
  for (const std::string name : {"shake", "rattle", "newmark-constrained", "gonzalez-constrained"})
  {
    const Scheme scheme(name);
    const State coarse = scheme.run(system, deck.start(), 0.01, 100), fine = scheme.run(system, deck.start(), 0.005, 200);
    EXPECT_NEAR(std::log2(distance(coarse.q, exact.q) / distance(fine.q, exact.q)), 2., 0.15) << name;
    EXPECT_NEAR(std::log2(std::abs(coarse.v.local_element(2) - exact.v.local_element(2)) /
                          std::abs(fine.v.local_element(2) - exact.v.local_element(2))),
                2., 0.15)
        << name;
    EXPECT_LT(constraint_error(*system.constraints(), fine).g, 1e-13) << name;
  }
  EnergyBalance energy_balance;
  const Scheme scheme("adams");
  State state = deck.start();
  scheme.integrator->start(system, state, 0.002);
  energy_balance.start(system, state, false);
  for (int k = 0; k < 500; ++k)
  {
    const State before = state;
    scheme.integrator->step(system, state, 0.002);
    energy_balance.advance(system, before, state, 0.002, WorkRule::trapezoidal, false);
  }
  EXPECT_GT(std::abs(energy_balance.external_work()), 0.5);
  EXPECT_NEAR(energy_balance.balance_error(), 0., 1e-4) << "second order in the step";
}

/// The Lie group method with unequal moments, where the momentum turns against the body: order 1 against the oracle on the rotations; R
/// stays a rotation, and without a potential so does the momentum in space, which the energy of a sphere could not tell.
TEST(DiscreteConstraints, CayleyStepsOfAnUnequalBody)
{
  const std::string
      body =
          "subsection Rigid bodies\nsubsection top\nset Inertia = 1, 1.5, 2\nset Position = 0, 0, 0\nset Rotation = 0.3, -0.8, 0.5\n"
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

/// The form on the tangents of constraints and of rotations, which are curved: kept by rattle and hp-cayley; not by schemes without that
/// promise.
TEST(DiscreteConstraints, FormsOnConstraintsAndRotations)
{
  DiscreteDeck pendulum(
      "subsection Points\nset Dimension = 2\nset Gravity = 0, -9.81\n"
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

  DiscreteDeck top(
      "subsection Rigid bodies\nsubsection top\nset Mass = 2\nset Inertia = 1, 2, 2.5\nset Position = 0.1, 0, 0\nset Velocity = 0, 0.2, 0\n"
      "set Rotation = 0.3, 0.2, 0.1\nset Angular velocity = 0.1, 2, 0.3\nend\nend\n"
      "subsection Potentials\nsubsection field\nset Expression = 3*top_3.z + 0.5*(top.x^2 + top.y^2 + top.z^2) + 0.7*top.x*top_1.y\nend\nend\n");
  EXPECT_LT(form_drifts(Scheme("hp-cayley"), top.system(), top.start(), 0.005, 200).second, 1e-10);
  DiscreteDeck stiff(
      "subsection Rigid bodies\nsubsection top\nset Mass = 2\nset Inertia = 1, 2, 2.5\nset Rigidity = 100\nset Position = 0.1, 0, 0\n"
      "set Angular velocity = 0.1, 2, 0.3\nend\nend\nsubsection Potentials\nsubsection field\nset Expression = 3*top_3.z\nend\nend\n");
  const double lost = form_drifts(Scheme("rk4"), stiff.system(), stiff.start(), 0.005, 200).second;
  EXPECT_GT(lost, 1e-6);
  EXPECT_LT(lost, 1.) << "stable";
}

/// What cannot be held says which constraint it is.
TEST(DiscreteConstraints, RedundantOnesAreNamed)
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
}  // namespace symdyn::tests::in_discrete_constraints
