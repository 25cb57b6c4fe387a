// Zhang-Skeel and its relatives: one linear solve a step. On a few point masses and small solids; ids are those of
// reference/papers.csv.
#include <gtest/gtest.h>

#include "solver/error.h"
#include "solver/unknowns.h"
#include "tests/bodies.h"
#include "tests/invariants.h"
#include "tests/plate.h"

namespace symdyn::tests::in_linearly_implicit
{
namespace
{
Scheme full(const double beta) { return Scheme("zhang-skeel", set("beta", beta)); }
Scheme simplified(const double beta) { return Scheme("zhang-skeel-simplified", set("beta", beta)); }
Scheme stiff(const double beta) { return Scheme("zhang-skeel-stiff", set("beta", beta)); }

/// Two masses and springs: V = ½ q·(K0 + K1) q, K1 marked stiff; K0 and K1 do not commute.
Particles springs()
{
  Particles system({1., 2., 1.5, 0.7});
  const auto linear = [](const double k) -> decltype(Particles::Term::phi) {
    return {[k](double s) { return 0.5 * k * s; }, [k](double) { return 0.5 * k; }, [](double) { return 0.; }, [](double) { return 0.; }};
  };
  Particles::Matrix soft(4, 4), hard(4, 4);
  for (int i = 0; i < 4; ++i)
    soft(i, i) = 1. + i;
  hard(0, 0) = hard(3, 3) = 1.;
  hard(0, 3) = hard(3, 0) = -0.9;
  hard(1, 1) = 0.5;
  system.terms.push_back({soft, linear(1.)});
  system.terms.push_back({hard, linear(9.), true});
  return system;
}

/// Slope of the symplectic defect of one step, from h and h/2.
double defect_slope(const Scheme &scheme, const Particles &system, const State &start, const double h)
{
  return std::log2(symplectic_defect(scheme, system, start, h) / symplectic_defect(scheme, system, start, 0.5 * h));
}
}  // namespace

TEST(ZhangSkeel, IsSymplecticAndItsRelativesAreNot)
{
  const Particles pendulum = Particles::pendulum();
  const State start = pendulum_start(pendulum);
  for (const double beta : {0.25, 0.4})
  {
    EXPECT_LT(symplectic_defect(full(beta), pendulum, start, 0.2), 1e-10) << beta;
    EXPECT_LT(oscillator_defect(full(beta), 3.), 1e-10) << beta;
    EXPECT_LT(oscillator_defect(full(beta), 1.), 1e-10) << beta;
  }
  EXPECT_GT(oscillator_defect(simplified(0.25), 3.), 1e-5);
  EXPECT_NEAR(defect_slope(simplified(0.4), pendulum, start, 0.02), 5., 0.3);
  // With all of the curved part stiff the stiff one is the simplified one; with one bar of it, it is not.
  EXPECT_NEAR(symplectic_defect(stiff(0.4), pendulum, start, 0.2), symplectic_defect(simplified(0.4), pendulum, start, 0.2), 1e-10);
  Particles one_stiff = pendulum;
  one_stiff.terms[0].stiff = false;
  EXPECT_NEAR(defect_slope(stiff(0.4), one_stiff, start, 0.02), 3., 0.3);
}

TEST(ZhangSkeel, OnLinearSystemsOnlyTheStiffOneIsNotSymplectic)
{
  const Particles system = springs();
  const State start = pendulum_start(system);
  EXPECT_LT(symplectic_defect(full(0.4), system, start, 0.2), 1e-10);
  EXPECT_LT(symplectic_defect(simplified(0.4), system, start, 0.2), 1e-10);
  EXPECT_GT(symplectic_defect(stiff(0.4), system, start, 0.2), 1e-5);
  EXPECT_NEAR(defect_slope(stiff(0.4), system, start, 0.05), 3., 0.3);
}

TEST(ZhangSkeel, OrderIsTwo)
{
  const Particles pendulum = Particles::pendulum(), well = Particles::ring_well(1., 3.);
  const State p = pendulum_start(pendulum), w = well.start({0.7, -0.5}, {0.3, 0.4});
  EXPECT_NEAR(measured_order(stiff(0.4), pendulum, p, 1., 160), 2., 0.15);
  EXPECT_NEAR(measured_order(full(0.4), well, w, 2., 160), 2., 0.15);
  EXPECT_NEAR(measured_order(simplified(0.4), well, w, 2., 160), 2., 0.15);
}

TEST(ZhangSkeel, IsReversible)
{
  const Particles pendulum = Particles::pendulum();
  for (const Scheme &scheme : {full(0.4), simplified(0.4), stiff(0.4)})
    EXPECT_LT(irreversibility(scheme, pendulum, pendulum_start(pendulum), 0.2), 1e-12) << scheme.name;
}

TEST(ZhangSkeel, TangentIsTheDerivativeOfTheStep)
{
  for (const double beta : {0., 0.25, 0.4})
  {
    expect_exact_tangent(full(beta), false, 1e-9);
    expect_exact_tangent(simplified(beta), false, 1e-9);
  }
  const Particles pendulum = Particles::pendulum();
  EXPECT_LT(tangent_error(stiff(0.4), pendulum, pendulum_start(pendulum), 0.2, pendulum_direction(pendulum)), 1e-9);
  const Particles linear = springs();
  EXPECT_LT(tangent_error(stiff(0.4), linear, pendulum_start(linear), 0.2, pendulum_direction(linear)), 1e-9);
}

TEST(ZhangSkeel, TangentsKeepTheFormFor1000Steps)
{
  const Particles pendulum = Particles::pendulum();
  const State start = pendulum_start(pendulum);
  EXPECT_LT(tangent_form_drift(full(0.4), pendulum, start, 0.05, 1000), 1e-9);
  EXPECT_GT(tangent_form_drift(simplified(0.4), pendulum, start, 0.05, 1000), 1e-6);
  EXPECT_GT(tangent_form_drift(stiff(0.4), pendulum, start, 0.05, 1000), 1e-5);
}

TEST(ZhangSkeel, AngularMomentumIsThatOfTheThirdDerivative)
{
  Particles pendulum = Particles::pendulum();
  pendulum.g = {0., 0., 0., 0.};
  const State start = pendulum_start(pendulum);
  EXPECT_LT(drift_of(angular_momentum, full(0.4), pendulum, start, 0.05, 1000), 1e-11);
  EXPECT_GT(drift_of(angular_momentum, simplified(0.4), pendulum, start, 0.05, 1000), 1e-6);
  EXPECT_GT(drift_of(angular_momentum, stiff(0.4), pendulum, start, 0.05, 1000), 1e-6);
  // Rotation symmetric with equal masses: Z&S keeps it, 1000 steps.
  const Particles well = Particles::ring_well();
  EXPECT_LT(drift_of(angular_momentum, full(0.4), well, well.start(oscillator_q, oscillator_v), 0.2, 1000), 1e-12);
}

TEST(ZhangSkeel, LinearMomentumOfFreeBodiesStays)
{
  Particles free = Particles::pendulum();
  free.g = {0., 0., 0., 0.};
  free.terms.erase(free.terms.begin());
  const auto P_x = [](const MechanicalSystem &system, const State &state) {
    Vector p = system.new_vector(), xi = p;
    system.mass(state.v, p);
    system.unknowns().generator(0, state.q, xi);
    return xi * p;
  };
  for (const Scheme &scheme : {full(0.4), simplified(0.4), stiff(0.4)})
    EXPECT_LT(drift_of(P_x, scheme, free, pendulum_start(free), 0.05, 1000), 1e-11) << scheme.name;
}

TEST(ZhangSkeel, OneStepOfThePapers)
{
  const Particles well = Particles::ring_well();
  const State w = well.start(oscillator_q, oscillator_v);
  expect_step("004.one_step.Z&S_0.25", full(0.25), well, w, 1, {1.1, 0.12, 0.38707622572291384, 0.5876810428061361}, 1e-13);
  expect_step("004.one_step.Z&S_0.4", full(0.4), well, w, 1, {1.1, 0.12, 0.3955177165186165, 0.5886019327111218}, 1e-13);
  expect_step("004.one_step.Z&Ss_0.25", simplified(0.25), well, w, 1, {1.1, 0.12, 0.3877697153951584, 0.5877566962249263}, 1e-13);
}

TEST(ZhangSkeel, ZeroBetaIsStoermerVerlet)
{
  const Particles pendulum = Particles::pendulum();
  const State start = pendulum_start(pendulum), verlet = Scheme("stormer-verlet").run(pendulum, start, 0.1, 100);
  for (const Scheme &scheme : {full(0.), simplified(0.), stiff(0.)})
  {
    EXPECT_LT(distance(scheme.run(pendulum, start, 0.1, 100), verlet), 1e-12) << scheme.name;
    EXPECT_TRUE(scheme.integrator->is_explicit());
  }
}

/// f = -M^-1 U', U = V - c/2 V'·(M + c V'')^-1 V', with unequal masses: the sign and the scale of the third-derivative term.
TEST(ZhangSkeel, KickIsTheForceOfAPotential)
{
  const Particles system = Particles::ring_well(1., 3.);
  const double h = 0.2, beta = 0.4, c = beta * h * h, epsilon = 1e-3;
  const auto U = [&](const Vector &x) {
    Vector g = system.new_vector(), a = g;
    system.internal_force(x, g);
    system.factor(M + c * K, 0., x, x)->solve(g, a, 1e-15);
    return system.potential(x) - 0.5 * c * (g * a);
  };
  State state = system.start({0.7, -0.5}, {0., 0.});
  full(beta).integrator->start(system, state, h);
  Vector Mf = system.new_vector();
  system.mass(state.a, Mf);
  for (int i : {0, 1})
  {
    double slope = 0;
    for (const auto &[place, weight] : {std::pair{1., 8.}, {-1., -8.}, {2., -1.}, {-2., 1.}})
    {
      Vector x = state.q;
      x.local_element(i) += place * epsilon;
      slope += weight * U(x) / (12. * epsilon);
    }
    EXPECT_NEAR(Mf.local_element(i), -slope, 1e-9);
  }
  // E_d has this U.
  State after = state;
  const Scheme scheme = full(beta);
  scheme.integrator->step(system, after, h);
  Vector d = state.a;
  d *= 0.5 * h;
  Vector Md = d;
  system.mass(d, Md);
  EXPECT_NEAR(scheme.integrator->discrete_energy(system, state, after, h), 0.5 * (d * Md) + U(state.q), 1e-13);
}

TEST(ZhangSkeel, WarnsBeforeItIsLost)
{
  const auto warning = [](const Scheme &scheme, const Particles &system, const State &start, const double h, const int n) {
    State state = start;
    scheme.integrator->start(system, state, h);
    for (int k = 0; k < n; ++k)
      if (const StepReport report = scheme.integrator->step(system, state, h); !report.warning.empty())
        return report.warning;
    return std::string();
  };
  // At rest, omega = 20: omega h² = 0.05 is far inside of the range, omega h² = 2 far outside.
  const Particles gentle = Particles::pendulum(20.), wild = Particles::pendulum(200.);
  const State start = gentle.start({0., -1., 1., -2.}, {0., 0., 0., 0.});
  EXPECT_EQ(warning(full(0.4), gentle, start, 0.05, 200), "");
  EXPECT_NE(warning(full(0.4), wild, start, 0.1, 50).find("leaves its range"), std::string::npos);
  EXPECT_EQ(warning(simplified(0.4), wild, start, 0.1, 50), "") << "has no third-derivative term";
  // Far inside of the ring V'' is negative: M + c V'' is indefinite for a large step.
  const Particles well = Particles::ring_well();
  EXPECT_NE(warning(simplified(1.), well, well.start({0.5, 0.1}, {0., 0.}), 1.2, 3).find("not positive definite"), std::string::npos);
  EXPECT_EQ(warning(simplified(1.), well, well.start({0.5, 0.1}, {0., 0.}), 0.1, 3), "");
}

/// 000.linear_stability.*
TEST(ZhangSkeel, LinearStabilityIsThePromisedOne)
{
  Particles spring({1.});
  Particles::Matrix A(1, 1);
  A(0, 0) = 1.;
  spring.terms.push_back(
      {A, {[](double s) { return 0.5 * s; }, [](double) { return 0.5; }, [](double) { return 0.; }, [](double) { return 0.; }}, true});
  for (const auto &make : {full, simplified, stiff})
  {
    for (const auto &[beta, limit] : {std::pair{0., 2.}, {0.2, 4.47213595499958}, {0.24, 9.999999999999996}})
    {
      const Scheme scheme = make(beta);
      EXPECT_NEAR(scheme.integrator->promise(spring).stable_h_omega, limit, 1e-9);
      const auto size = [&](const double h) { return scheme.run(spring, spring.start({1.}, {0.3}), h, 2000).q.linfty_norm(); };
      EXPECT_LT(size(0.999 * limit), 1e3) << scheme.name;
      EXPECT_GT(size(1.001 * limit), 1e10) << scheme.name;
    }
    const Scheme scheme = make(0.25);
    EXPECT_TRUE(std::isinf(scheme.integrator->promise(spring).stable_h_omega));
    EXPECT_LT(scheme.run(spring, spring.start({1.}, {0.3}), 100., 1000).q.linfty_norm(), 1e6);
  }
}

/// Solids, lumped and consistent, clamped and shaken.
TEST(ZhangSkeel, SolidsAreAdvancedWithOrderTwo)
{
  for (const std::string mass : {"lumped", "consistent"})
    for (const std::string &more : {clamp, shaker})
      for (const Scheme &scheme : {full(0.3), simplified(0.3)})
      {
        SCOPED_TRACE(scheme.name + mass + more);
        EXPECT_NEAR(plate_order(scheme, plate(mass, "neo-hooke-log", more), 0.8, 40), 2., 0.15);
      }
}

TEST(ZhangSkeel, OnLinearSolidsItIsVariationalNewmark)
{
  for (const std::string mass : {"lumped", "consistent"})
    for (const std::string &more : {clamp, shaker})
    {
      const std::string deck = plate(mass, "linear-elasticity", more);
      const State pushforward = plate_run(Scheme("variational-newmark", "set beta = 0.3\n"), deck, 2., 100);
      EXPECT_LT(distance(plate_run(full(0.3), deck, 2., 100), pushforward), 1e-10);
      EXPECT_LT(distance(plate_run(simplified(0.3), deck, 2., 100), pushforward), 1e-10);
      EXPECT_GT(distance(plate_run(full(0.31), deck, 2., 100), pushforward), 1e-6);
    }
}

/// On a solid with consistent mass: the tangents carried along keep the form with Z&S, not without the third derivative.
TEST(ZhangSkeel, SolidsKeepTheForm)
{
  for (const bool corrected : {true, false})
  {
    Body<2> body(plate("consistent", "neo-hooke-log", clamp));
    const Scheme scheme = corrected ? full(0.3) : simplified(0.3);
    Random random;
    State state, one, two;
    body.solid.initialise(state);
    one.q = random.vector(state.q, 0.1);
    one.v = random.vector(state.q, 1.);
    two.q = random.vector(state.q, 0.1);
    two.v = random.vector(state.q, 1.);
    for (Vector *x : {&one.q, &one.v, &two.q, &two.v})
      body.system().project(*x);
    const double h = 0.03;
    scheme.integrator->start(body.system(), state, h);
    scheme.integrator->start_tangent(body.system(), state, h, one);
    scheme.integrator->start_tangent(body.system(), state, h, two);
    const auto form = [&] {
      Vector p1 = body.system().new_vector(), p2 = p1;
      body.system().mass(one.v, p1);
      body.system().mass(two.v, p2);
      return one.q * p2 - two.q * p1;
    };
    const double first = form();
    for (int k = 0; k < 20; ++k)
    {
      const State before = state;
      scheme.integrator->step(body.system(), state, h);
      scheme.integrator->step_tangent(body.system(), before, state, h, one);
      scheme.integrator->step_tangent(body.system(), before, state, h, two);
    }
    if (corrected)
      EXPECT_NEAR(form() / first, 1., 1e-10);
    else
      EXPECT_GT(std::abs(form() / first - 1.), 1e-7);
  }
}

TEST(ZhangSkeel, BadSettingsAreRefused)
{
  const auto refused = [](const Scheme &scheme, const MechanicalSystem &system, const std::string &words) {
    Deck deck = Deck::from_text("", "test.prm");
    const Parameters p = deck.root();
    try
    {
      scheme.integrator->check(system, p);
    }
    catch (const InputError &error)
    {
      return std::string(error.what()).find(words) != std::string::npos;
    }
    return false;
  };
  EXPECT_THROW(Scheme("zhang-skeel", "set beta = -0.1\n"), InputError);
  const Particles damped = Particles::ring_well(1., 1., 0.1), well = Particles::ring_well();
  for (const Scheme &scheme : {full(0.4), simplified(0.4), stiff(0.4)})
    EXPECT_TRUE(refused(scheme, damped, "lagrange-dalembert")) << scheme.name;
  EXPECT_TRUE(refused(stiff(0.4), well, "marks stiff"));
  EXPECT_FALSE(refused(stiff(0.4), Particles::pendulum(), ""));
  EXPECT_FALSE(refused(full(0.4), well, ""));
  Body<2> body(plate("consistent", "neo-hooke-log", clamp));
  EXPECT_TRUE(refused(full(0.), body.system(), "diagonal mass"));
}
}  // namespace symdyn::tests::in_linearly_implicit
