// Newmark and its relatives: order, canonical variables, tangents, equivalences; on a few point masses.
#include <gtest/gtest.h>

#include "solver/dynamics/symplectic.h"
#include "solver/unknowns.h"
#include "solver/verify/particles.h"
#include "tests/scheme.h"

namespace symdyn::tests::in_newmark_family
{
namespace
{
using Named = std::pair<std::string, std::string>;

const std::vector<Named> conservative{{"newmark", ""},
                                      {"newmark", "set beta = 0\n"},
                                      {"newmark", "set beta = 0.4\n"},
                                      {"central-difference", ""},
                                      {"average-acceleration", ""},
                                      {"linear-acceleration", ""},
                                      {"fox-goodwin", ""}};
const std::vector<Named> dissipative{{"hht-alpha", ""},
                                     {"hht-alpha", "set alpha = -0.3\n"},
                                     {"wbz-alpha", ""},
                                     {"wbz-alpha", "set alpha = -0.3\n"},
                                     {"generalized-alpha", ""},
                                     {"generalized-alpha", "set rho infinity = 0.3\n"},
                                     {"generalized-alpha", "set force = evaluated\n"},
                                     {"bathe", ""},
                                     {"bathe", "set gamma = 0.4\n"}};
const std::vector<Named> partial{
    {"newmark-partial", ""}, {"newmark-partial", "set guess = previous\n"}, {"newmark-partial", "set beta = 0.4\n"}};

std::vector<Named> together(std::vector<Named> all, const std::vector<Named> &more)
{
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

/// Systems with unequal masses, and a state and a tangent on them.
struct Case
{
  std::string name;
  Particles system;
  State start, direction;
};
Case pendulum(const double c = 0.)
{
  Particles system = Particles::pendulum();
  system.c = c;
  return {"pendulum", system, system.start({0.3, -1.1, 1.2, -2.1}, {0.2, -0.1, 0.3, 0.4}),
          system.start({0.5, -0.2, 0.1, 0.7}, {0.3, 0.4, -0.6, 0.2})};
}
Case ring_well(const double c = 0.)
{
  const Particles system = Particles::ring_well(1., 3., c);
  return {"ring well", system, system.start({0.7, -0.5}, {0.3, 0.4}), system.start({0.3, -0.6}, {0.8, 0.2})};
}
std::vector<Case> cases(const bool damped)
{
  return damped ? std::vector<Case>{pendulum(), ring_well(), pendulum(0.5), ring_well(0.5)} : std::vector<Case>{pendulum(), ring_well()};
}

double difference(const Vector &a, const Vector &b)
{
  Vector d = a;
  d -= b;
  return d.linfty_norm();
}

void expect_order_two(const Named &named, const Case &at, const State &exact)
{
  SCOPED_TRACE(named.first + " " + named.second + " on " + at.name + ", c = " + std::to_string(at.system.c));
  const Scheme scheme(named.first, named.second);
  const State coarse = scheme.run(at.system, at.start, 1. / 160, 160), fine = scheme.run(at.system, at.start, 1. / 320, 320);
  EXPECT_NEAR(std::log2(difference(coarse.q, exact.q) / difference(fine.q, exact.q)), 2., 0.15) << "q";
  EXPECT_NEAR(std::log2(difference(coarse.v, exact.v) / difference(fine.v, exact.v)), 2., 0.15) << "v";
}

void expect_same(const Named &a, const Named &b, const Case &at)
{
  SCOPED_TRACE(a.first + " " + a.second + " and " + b.first + " " + b.second + " on " + at.name);
  EXPECT_LT(
      distance(Scheme(a.first, a.second).run(at.system, at.start, 0.1, 10), Scheme(b.first, b.second).run(at.system, at.start, 0.1, 10)),
      1e-12);
}

}  // namespace

TEST(NewmarkFamily, OrderIsTwoInQAndV)
{
  for (const Case &at : cases(true))
  {
    const State exact = runge_kutta(at.system, at.start, 1., 10000);
    for (const Named &named :
         at.system.c == 0. ? together(together(conservative, dissipative), partial) : together(conservative, dissipative))
      expect_order_two(named, at, exact);
  }
}

TEST(NewmarkFamily, TangentsAreThoseOfTheStep)
{
  for (const Case &at : cases(true))
    for (const Named &named :
         at.system.c == 0. ? together(together(conservative, dissipative), partial) : together(conservative, dissipative))
      EXPECT_LT(tangent_error(Scheme(named.first, named.second), at.system, at.start, 0.1, at.direction), 1e-8)
          << named.first << " " << named.second << at.name << ", c = " << at.system.c;
}

TEST(NewmarkFamily, SymplecticAndReversibleInSurisVariables)
{
  for (const Case &at : cases(false))
    for (const Named &named : conservative)
    {
      SCOPED_TRACE(named.first + " " + named.second + at.name);
      const Scheme scheme(named.first, named.second);
      const double beta = scheme.integrator->suris_shift();
      EXPECT_LT(form_drifts(scheme, at.system, at.start, 0.2, 200).first, 1e-12);
      EXPECT_LT(symplectic_defect(scheme, at.system, at.start, 0.2, beta), 1e-10);
      EXPECT_LT(irreversibility(scheme, at.system, at.start, 0.2), 1e-12);
      const Promise promise = scheme.integrator->promise(at.system);
      EXPECT_EQ(promise.symplectic, beta == 0. ? Where::in_qv : Where::canonical_h);
      EXPECT_TRUE(promise.reversible);
      if (beta > 0.)
      {
        EXPECT_GT(symplectic_defect(scheme, at.system, at.start, 0.2), 1e-3) << "in (q, M v)";
        EXPECT_GT(symplectic_defect(scheme, at.system, at.start, 0.2, -beta), 1e-3) << "with the sign of the paper";
      }
    }
}

TEST(NewmarkFamily, DissipativeOnesAreNotSymplectic)
{
  for (const Case &at : cases(false))
    for (const Named &named : dissipative)
    {
      SCOPED_TRACE(named.first + " " + named.second + at.name);
      const Scheme scheme(named.first, named.second);
      for (const double shift : {0., 0.25})
        EXPECT_GT(symplectic_defect(scheme, at.system, at.start, 0.2, shift), 1e-4);
      EXPECT_GT(form_drifts(scheme, at.system, at.start, 0.2, 200).first, 1e-3);
      EXPECT_GT(irreversibility(scheme, at.system, at.start, 0.2), 1e-5);
      const Promise promise = scheme.integrator->promise(at.system);
      EXPECT_EQ(promise.symplectic, Where::nowhere);
      EXPECT_FALSE(promise.reversible || promise.energy_bounded);
    }
}

TEST(NewmarkFamily, DefectOfPartialNewmarkIsOfOrderSix)
{
  const Case at = pendulum();
  const Scheme scheme("newmark-partial");
  for (const double h : {0.2, 0.1})
  {
    const double coarse = symplectic_defect(scheme, at.system, at.start, h, 0.25),
                 fine = symplectic_defect(scheme, at.system, at.start, h / 2, 0.25);
    EXPECT_NEAR(std::log2(coarse / fine), 6., 0.3) << h << " " << coarse << " " << fine;
  }
  // From the previous q, whose distance is h instead of h², it is of lower order.
  const Scheme previous("newmark-partial", "set guess = previous\n");
  EXPECT_LT(std::log2(symplectic_defect(previous, at.system, at.start, 0.05, 0.25) /
                      symplectic_defect(previous, at.system, at.start, 0.025, 0.25)),
            4.3);
  EXPECT_GT(irreversibility(scheme, at.system, at.start, 0.2), 1e-6);
}

/// Linear momentum stays in every scheme; angular momentum only in x = q + beta h² M^-1 dV/dq of Newmark's.
TEST(NewmarkFamily, Momenta)
{
  Particles bar = Particles::pendulum();
  bar.terms.erase(bar.terms.begin());
  bar.g = {0., 0., 0., 0.};
  const State start = bar.start({0.3, -1.1, 1.2, -2.1}, {0.2, -0.1, 0.3, 0.4});
  const auto momentum = [&](const State &state, const std::size_t i, const double shift) {
    Vector x = state.q, f = bar.new_vector(), a = f, xi = f, p = f;
    bar.internal_force(state.q, f);
    bar.mass_solve(f, a);
    x.add(shift, a);
    bar.unknowns().generator(i, x, xi);
    bar.mass(state.v, p);
    return xi * p;
  };
  for (const Named &named : together(together(conservative, dissipative), partial))
  {
    SCOPED_TRACE(named.first + " " + named.second);
    const Scheme scheme(named.first, named.second);
    const double h = 0.2, shift = scheme.integrator->suris_shift() * h * h;
    const State end = scheme.run(bar, start, h, 50);
    for (const int i : {0, 1})
      EXPECT_NEAR(momentum(end, i, 0.), momentum(start, i, 0.), 1e-12);
    const double drift = std::abs(momentum(end, 2, shift) - momentum(start, 2, shift));
    if (scheme.integrator->promise(bar).angular_momentum == Where::nowhere)
      EXPECT_GT(drift, 1e-6);
    else
      EXPECT_LT(drift, 1e-12);
  }
}

TEST(NewmarkFamily, SpecialCasesAreTheSameScheme)
{
  const Named average{"newmark", "set beta = 0.25\n"};
  for (const Case &at : cases(true))
  {
    expect_same({"average-acceleration", ""}, average, at);
    expect_same({"linear-acceleration", ""}, {"newmark", "set beta = 0.16666666666666667\n"}, at);
    expect_same({"fox-goodwin", ""}, {"newmark", "set beta = 0.083333333333333333\n"}, at);
    expect_same({"central-difference", ""}, {"newmark", "set beta = 0\n"}, at);
    expect_same({"hht-alpha", "set alpha = 0\n"}, average, at);
    expect_same({"wbz-alpha", "set alpha = 0\n"}, average, at);
    expect_same({"generalized-alpha", "set rho infinity = 1\n"}, average, at);
    // rho = 1/2: alpha_m = 0, alpha_f = 1/3; rho = 0: alpha_m = -1, alpha_f = 0
    expect_same({"generalized-alpha", "set rho infinity = 0.5\n"}, {"hht-alpha", "set alpha = -0.33333333333333331\n"}, at);
  }
}

/// rho = 1: q1 = q0 + h (v0 + v1)/2 and M (v1 - v0)/h = -F((q0 + q1)/2, (v0 + v1)/2), symplectic in (q, M v).
TEST(NewmarkFamily, EvaluatedGeneralizedAlphaIsTheMidpointRule)
{
  const Scheme scheme("generalized-alpha", "set rho infinity = 1\nset force = evaluated\n");
  for (const Case &at : cases(true))
  {
    State state = at.start;
    scheme.integrator->start(at.system, state, 0.1);
    for (int n = 0; n < 10; ++n)
    {
      const State before = state;
      scheme.integrator->step(at.system, state, 0.1);
      Vector q = before.q, v = before.v, r = at.system.new_vector(), f = r, dv = state.v, dq = state.q;
      q.sadd(0.5, 0.5, state.q);
      v.sadd(0.5, 0.5, state.v);
      dv -= before.v;
      dq -= before.q;
      dq.add(-0.1, v);
      at.system.mass(dv, r);
      at.system.internal_force(q, f);
      r.add(0.1, f);
      at.system.damping_force(q, v, f);
      r.add(0.1, f);
      EXPECT_LT(r.linfty_norm() + dq.linfty_norm(), 1e-13);
    }
  }
  const Case at = pendulum();
  EXPECT_LT(symplectic_defect(scheme, at.system, at.start, 0.2), 1e-10);
  EXPECT_LT(irreversibility(scheme, at.system, at.start, 0.2), 1e-12);
  EXPECT_LT(tangent_error(scheme, at.system, at.start, 0.2, at.direction), 1e-8);
  EXPECT_EQ(scheme.integrator->promise(at.system).symplectic, Where::in_qv);
}

/// Of M a + F = e, which a start with a wrong a0 leaves, the averaged form at rho = 1 makes -e in each step.
TEST(NewmarkFamily, AveragedFormAtRhoOneHasARootMinusOne)
{
  const Case at = pendulum();
  const auto balance = [&](const State &state) {
    Vector e = at.system.new_vector(), f = e;
    at.system.mass(state.a, e);
    at.system.internal_force(state.q, f);
    e += f;
    return e;
  };
  for (const auto &[rho, root] : {std::pair{"1", -1.}, {"0.5", 0.}})
  {
    const Scheme scheme("generalized-alpha", "set rho infinity = " + std::string(rho));
    State state = at.start;
    scheme.integrator->start(at.system, state, 0.05);
    state.a.local_element(0) += 0.01;
    const double e = balance(state)[0];
    EXPECT_NEAR(e, 0.01, 1e-14);
    for (int n = 0; n < 100; ++n)
      scheme.integrator->step(at.system, state, 0.05);
    EXPECT_EQ(std::abs(balance(state)[0] - e) < 1e-12, root == -1.) << "after an even number of steps";
    scheme.integrator->step(at.system, state, 0.05);
    EXPECT_EQ(std::abs(balance(state)[0] + e) < 1e-12, root == -1.) << "after an odd number of steps";
  }
}

/// M a1 + F1 at the end of a step halves with h, where the scheme does not make it zero.
TEST(NewmarkFamily, AccelerationOfAlphaSchemesIsTheirOwn)
{
  const Case at = pendulum(0.5);
  const auto unbalanced = [&](const Scheme &scheme, const int n) {
    const State state = scheme.run(at.system, at.start, 1. / n, n);
    Vector e = at.system.new_vector(), f = e;
    at.system.mass(state.a, e);
    at.system.internal_force(state.q, f);
    e += f;
    at.system.damping_force(state.q, state.v, f);
    e += f;
    return e.linfty_norm();
  };
  for (const Named &named : together(conservative, dissipative))
  {
    SCOPED_TRACE(named.first + " " + named.second);
    const Scheme scheme(named.first, named.second);
    if (scheme.integrator->carries_acceleration())
      EXPECT_LT(unbalanced(scheme, 160), 1e-12);
    else
      EXPECT_NEAR(std::log2(unbalanced(scheme, 160) / unbalanced(scheme, 320)), 1., 0.15);
  }
}

/// Started with v + (h²/12) da/dt and read with v - (h²/12) da/dt, da/dt = -M^-1 V''(q) v.
TEST(NewmarkFamily, FoxGoodwinIsOfOrderFourInProcessedVariables)
{
  const Scheme fox_goodwin("fox-goodwin"), linear("linear-acceleration");
  for (const Case &at : cases(false))
  {
    const State exact = runge_kutta(at.system, at.start, 1., 10000);
    const auto processed = [&](State state, const double factor) {
      Vector Kv = at.system.new_vector(), jerk = Kv;
      at.system.stiffness(state.q, state.v, Kv);
      at.system.mass_solve(Kv, jerk);
      state.v.add(-factor, jerk);
      return state;
    };
    const auto error = [&](const Scheme &scheme, const int n) {
      const double factor = 1. / (12. * n * n);
      return distance(processed(scheme.run(at.system, processed(at.start, factor), 1. / n, n), -factor), exact);
    };
    for (const int n : {40, 80})
      EXPECT_NEAR(std::log2(error(fox_goodwin, n) / error(fox_goodwin, 2 * n)), 4., 0.15) << at.name << n;
    EXPECT_NEAR(std::log2(error(linear, 40) / error(linear, 80)), 2., 0.15);
  }
}
}  // namespace symdyn::tests::in_newmark_family
