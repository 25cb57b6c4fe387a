// Schemes of a discrete Lagrangian: variational Newmark, the alpha families, midpoint, symplectic Euler, Stoermer-Verlet. On a few point
// masses; ids are those of reference/papers.csv.
#include <gtest/gtest.h>

#include "solver/error.h"
#include "tests/bodies.h"
#include "tests/invariants.h"
#include "tests/plate.h"

namespace symdyn::tests::in_variational
{
namespace
{
struct Case
{
  std::string name, settings;
  int order;
  bool reversible;
};
/// All of them, symplectic and momentum-preserving in (q, M v).
const std::vector<Case> schemes{
    {"variational-newmark", "set beta = 0.25\n", 2, true},
    {"variational-newmark", "set beta = 0.4\n", 2, true},
    {"galerkin-alpha", "set alpha = 0.2\n", 1, false},
    {"galerkin-alpha", "set alpha = 0.5\n", 2, true},
    {"galerkin-alpha", "set alpha = 1\n", 1, false},
    {"symmetric-galerkin-alpha", "set alpha = 0.2\n", 2, true},
    {"symmetric-galerkin-alpha", "set alpha = 0\n", 2, true},
    {"midpoint", "", 2, true},
    {"symplectic-euler", "", 1, false},
    {"stormer-verlet", "", 2, true},
};

void for_each_scheme(const std::function<void(const Case &, const Scheme &)> &test)
{
  for (const Case &c : schemes)
  {
    SCOPED_TRACE(c.name + " " + c.settings);
    test(c, Scheme(c.name, c.settings));
  }
}

/// Largest distance of two runs of n steps that start at the same state.
double deviation(const Scheme &one, const Scheme &other, const MechanicalSystem &system, const State &start, const double h, const int n)
{
  State a = start, b = start;
  one.integrator->start(system, a, h);
  other.integrator->start(system, b, h);
  double largest = 0;
  for (int k = 0; k < n; ++k)
  {
    one.integrator->step(system, a, h);
    other.integrator->step(system, b, h);
    largest = std::max(largest, distance(a, b));
  }
  return largest;
}
}  // namespace

TEST(Variational, OrderIsThePromisedOne)
{
  for_each_scheme([](const Case &c, const Scheme &scheme) {
    const Particles pendulum = Particles::pendulum(), well = Particles::ring_well(1., 3.);
    EXPECT_EQ(scheme.integrator->promise(pendulum).order, c.order);
    EXPECT_NEAR(measured_order(scheme, pendulum, pendulum_start(pendulum), 1., 160), c.order, 0.15);
    EXPECT_NEAR(measured_order(scheme, well, well.start({0.7, -0.5}, {0.3, 0.4}), 2., 320), c.order, 0.15);
    EXPECT_NEAR(damped_order(scheme), c.order, 0.15) << "damped";
  });
}

TEST(Variational, StepIsSymplectic)
{
  for_each_scheme([](const Case &, const Scheme &scheme) {
    const Particles pendulum = Particles::pendulum();
    EXPECT_LT(symplectic_defect(scheme, pendulum, pendulum_start(pendulum), 0.2), 1e-10);
    EXPECT_LT(oscillator_defect(scheme, 1.), 1e-10);
    EXPECT_LT(oscillator_defect(scheme, 3.), 1e-10);
    EXPECT_EQ(scheme.integrator->promise(pendulum).symplectic, Where::in_qv);
  });
  // In variables that are not theirs, they are not: 000.sympl.newmark_0.25_suris with (q, M v) read as Suris'.
  const Particles pendulum = Particles::pendulum();
  EXPECT_GT(symplectic_defect(Scheme("midpoint"), pendulum, pendulum_start(pendulum), 0.2, 0.25), 1e-3);
  EXPECT_GT(symplectic_defect(Scheme("newmark"), pendulum, pendulum_start(pendulum), 0.2), 1e-3);
}

TEST(Variational, TangentIsTheDerivativeOfTheStep)
{
  for_each_scheme([](const Case &, const Scheme &scheme) { expect_exact_tangent(scheme, true, 1e-9); });
  expect_exact_tangent(Scheme("variational-newmark", "set beta = 0.3\nset start = suris\n"), true, 1e-9);
}

TEST(Variational, TangentsKeepTheFormFor1000Steps)
{
  for_each_scheme([](const Case &, const Scheme &scheme) {
    const Particles pendulum = Particles::pendulum();
    EXPECT_LT(tangent_form_drift(scheme, pendulum, pendulum_start(pendulum), 0.05, 1000), 1e-10);
  });
  const Particles pendulum = Particles::pendulum();
  EXPECT_GT(tangent_form_drift(Scheme("newmark", "set beta = 0.25\nset gamma = 0.55\n"), pendulum, pendulum_start(pendulum), 0.05, 1000),
            1e-3);
}

TEST(Variational, ReversibleWhereItIsPromised)
{
  for_each_scheme([](const Case &c, const Scheme &scheme) {
    const Particles pendulum = Particles::pendulum();
    const double error = irreversibility(scheme, pendulum, pendulum_start(pendulum), 0.2);
    EXPECT_EQ(scheme.integrator->promise(pendulum).reversible, c.reversible);
    if (c.reversible)
      EXPECT_LT(error, 1e-12);
    else
      EXPECT_GT(error, 1e-4);
  });
}

/// 004.cons.midpoint.max|J-J0|, for 1000 steps and all schemes
TEST(Variational, AngularMomentumStays)
{
  const Particles well = Particles::ring_well();
  const State start = well.start(oscillator_q, oscillator_v);
  for_each_scheme(
      [&](const Case &, const Scheme &scheme) { EXPECT_LT(drift_of(angular_momentum, scheme, well, start, 0.2, 1000), 1e-12); });
  EXPECT_GT(drift_of(angular_momentum, Scheme("newmark"), well, start, 0.2, 1000), 1e-3);
}

TEST(Variational, EnergyOscillatesAndDoesNotDrift)
{
  const Particles well = Particles::ring_well(1., 3.);
  // Mean of E - E0 over the last quarter of a run less that over the first, and the largest |E - E0|.
  const auto drift = [&](const Scheme &scheme) {
    State state = well.start(oscillator_q, oscillator_v);
    const double h = 0.1, first = energy(well, state);
    const int quarter = 5000;
    double change = 0, largest = 0;
    scheme.integrator->start(well, state, h);
    for (int k = 0; k < 4 * quarter; ++k)
    {
      scheme.integrator->step(well, state, h);
      const double error = energy(well, state) - first;
      largest = std::max(largest, std::abs(error));
      if (k < quarter || k >= 3 * quarter)
        change += (k < quarter ? -1. : 1.) * error / quarter;
    }
    return std::pair{std::abs(change), largest};
  };
  for_each_scheme([&](const Case &c, const Scheme &scheme) {
    const auto [change, largest] = drift(scheme);
    EXPECT_LT(largest, c.order == 1 ? 0.2 : 0.1);
    EXPECT_GT(largest, 1e-3);
    EXPECT_LT(change, 0.15 * largest);
  });
  const auto [change, largest] = drift(Scheme("newmark", "set gamma = 0.51\n"));
  EXPECT_GT(change, 0.5 * largest);
}

/// E_d = -dL_d/dh becomes E as h vanishes.
TEST(Variational, DiscreteEnergyIsThatOfTheLagrangian)
{
  const Particles well = Particles::ring_well(1., 3.);
  const double h = 0.05;
  for_each_scheme([&](const Case &c, const Scheme &scheme) {
    const auto difference = [&](const double step) {
      State state = well.start({0.7, -0.5}, {0.3, 0.4});
      scheme.integrator->start(well, state, step);
      const State first = state;
      scheme.integrator->step(well, state, step);
      return std::abs(scheme.integrator->discrete_energy(well, first, state, step) - energy(well, first));
    };
    EXPECT_LT(difference(h / 32), 0.06 * difference(h)) << c.order;
    EXPECT_GT(difference(h), 1e-6);
  });
}

TEST(Variational, OneStepOfThePapers)
{
  const Particles well = Particles::ring_well(), pendulum = Particles::pendulum();
  const State w = well.start(oscillator_q, oscillator_v), p = pendulum_start(pendulum);
  const auto alpha = [](const std::string &name) { return Scheme(name, "set alpha = 0.2\n"); };
  const auto pushforward = [](const double beta) { return Scheme("variational-newmark", set("beta", beta)); };
  const Scheme midpoint("midpoint"), verlet("stormer-verlet"), euler("symplectic-euler");
  expect_step("004.one_step.midpoint", midpoint, well, w, 1,
              {1.090772162032447, 0.1194726949732827, 0.4077216203244717, 0.5947269497328269}, 1e-13);
  expect_step("004.one_step.sym_alpha_0.2", alpha("symmetric-galerkin-alpha"), well, w, 1,
              {1.0938108509213733, 0.11962281717592241, 0.39498630012740626, 0.5917379347827124}, 1e-13);
  expect_step("004.one_step.L_d^alpha_0.2", alpha("galerkin-alpha"), well, w, 1,
              {1.0946462932088918, 0.11987403042844451, 0.4665393325555736, 0.5992126901777782}, 1e-13);
  expect_step("004.one_step.explicit_newmark", verlet, well, w, 1, {1.1, 0.12, 0.3680294623999998, 0.5856032140799999}, 1e-13);
  expect_step("004.one_step.pushforward_1/4", pushforward(0.25), well, w, 1, {1.1, 0.12, 0.3871818063078868, 0.5876925606881331}, 1e-13);
  expect_step("004.one_step.pushforward_0.4", pushforward(0.4), well, w, 1, {1.1, 0.12, 0.3958431116875828, 0.5886374303659181}, 1e-13);
  expect_step("000.one_step_h0.2.midpoint", midpoint, pendulum, p, 1,
              {0.3039523947452223, -1.0691521266020387, 1.2715616361553268, -2.04221445484695, -0.16047605254777664, 0.40847873397961243,
               0.4156163615532672, 0.1778554515305041},
              1e-12);
  expect_step(
      "000.one_step_h0.2.verlet", verlet, pendulum, p, 1,
      {0.29823999999999995, -1.0568, 1.27368, -2.0452, -0.11375522130739235, 0.3465705244139524, 0.39632967457136653, 0.19569924306329584},
      1e-12);
  expect_step("000.one_step_h0.2.pushforward_0.25", pushforward(0.25), pendulum, p, 1,
              {0.3137912207175721, -1.0803658993112075, 1.2673870353183934, -2.0382907932889913, -0.05716170221317152, 0.2613098450373911,
               0.3731390364667799, 0.22185389255483368},
              1e-12);
  expect_step("000.one_step_h0.2.variational_euler", euler, pendulum, p, 1,
              {0.25647999999999993, -0.9935999999999999, 1.28736, -2.0704000000000002, -0.2176000000000004, 0.5320000000000008,
               0.4368000000000001, 0.14799999999999985},
              1e-12);
}

TEST(Variational, RunsOfThePapers)
{
  const Particles well = Particles::ring_well();
  const State w = well.start(oscillator_q, oscillator_v);
  const Scheme midpoint("midpoint"), verlet("stormer-verlet");
  expect_step("004.cons.midpoint.step1", midpoint, well, w, 1,
              {1.0907721620324473, 0.1194726949732827, 0.4077216203244717, 0.5947269497328269, 0.31010491189040146, 0.6}, 1e-12);
  expect_step("004.cons.midpoint.step10", midpoint, well, w, 10,
              {0.31248367583259473, 0.9364207224849281, -0.42201912487197546, 0.6554343859378141, 0.3044793949503837, 0.6}, 1e-12);
  expect_step("004.cons.midpoint.step25", midpoint, well, w, 25,
              {-0.995241061026187, 0.14586065657444025, 0.4125712264650501, -0.6633346792336009, 0.30525436229631925, 0.6}, 1e-11);
  expect_step("004.cons.midpoint.step1000", midpoint, well, w, 1000,
              {0.5222837292982553, -0.6801438225997136, 0.4903551003779029, 0.510236089406345, 0.3018898612036959, 0.6}, 1e-9);
  expect_step("004.cons.midpoint.step10000", midpoint, well, w, 10000,
              {-0.43810980598244276, -0.8025629236405475, 0.4036337700882995, -0.630112582800593, 0.30245436623992195, 0.6}, 1e-8);
  expect_step("004.cons.explicit_newmark.step25", verlet, well, w, 25,
              {-0.8939769546266187, 0.056185781412586504, 0.294482139976283, -0.689666222329105, 0.3125233810956305, 0.6}, 1e-11);
}

TEST(Variational, VariationalNewmarkFromSurisIsNewmark)
{
  const Particles pendulum = Particles::pendulum();
  for (const double c : {0., 0.3})
    for (const double beta : {0.25, 0.4})
    {
      Particles system = pendulum;
      system.c = c;
      const double h = 0.1;
      const Scheme shadow("variational-newmark", set("beta", beta) + "set start = suris\n"), newmark("newmark", set("beta", beta));
      State x = pendulum_start(system), q = x;
      shadow.integrator->start(system, x, h);
      newmark.integrator->start(system, q, h);
      double largest = 0, apart = 0;
      for (int k = 0; k < 200; ++k)
      {
        shadow.integrator->step(system, x, h);
        newmark.integrator->step(system, q, h);
        State there = x;
        there.q = x.memory.at("q_newmark");
        largest = std::max(largest, distance(there, q));
        apart = std::max(apart, distance(x, q));
      }
      EXPECT_LT(largest, 1e-11) << beta;
      EXPECT_GT(apart, 1e-3);
      // A second start changes nothing.
      State again = x;
      shadow.integrator->start(system, again, h);
      EXPECT_LT(distance(again, x), 1e-14);
    }
}

TEST(Variational, EndsOfTheFamiliesAreKnownSchemes)
{
  const Particles pendulum = Particles::pendulum(), damped = [] {
    Particles system = Particles::pendulum();
    system.c = 0.5;
    return system;
  }();
  const State start = pendulum_start(pendulum);
  const Scheme midpoint("midpoint"), verlet("stormer-verlet"), newmark0("newmark", "set beta = 0\n");
  for (const Particles &system : {pendulum, damped})
  {
    EXPECT_LT(deviation(Scheme("galerkin-alpha", "set alpha = 0.5\n"), midpoint, system, start, 0.1, 100), 1e-12);
    EXPECT_LT(deviation(Scheme("symmetric-galerkin-alpha", "set alpha = 0.5\n"), midpoint, system, start, 0.1, 100), 1e-12);
    EXPECT_LT(deviation(verlet, newmark0, system, start, 0.1, 100), 1e-12);
    EXPECT_LT(deviation(Scheme("variational-newmark", "set beta = 0\n"), verlet, system, start, 0.1, 100), 1e-12);
    EXPECT_LT(deviation(Scheme("galerkin-alpha", "set alpha = 0\n"), Scheme("symplectic-euler"), system, start, 0.1, 100), 1e-12);
  }
  EXPECT_LT(deviation(Scheme("symmetric-galerkin-alpha", "set alpha = 0\n"), verlet, pendulum, start, 0.1, 100), 1e-12);
  EXPECT_LT(deviation(Scheme("symmetric-galerkin-alpha", "set alpha = 0.8\n"), Scheme("symmetric-galerkin-alpha", "set alpha = 0.2\n"),
                      damped, start, 0.1, 100),
            1e-12);

  // alpha = 1: drift, then kick.
  State state = Scheme("galerkin-alpha", "set alpha = 1\n").run(pendulum, start, 0.1, 1), by_hand = start;
  Vector a = pendulum.new_vector();
  by_hand.q.add(0.1, start.v);
  pendulum.internal_force(by_hand.q, a);
  pendulum.mass_solve(a, a);
  by_hand.v.add(-0.1, a);
  EXPECT_LT(distance(state, by_hand), 1e-14);
}

/// Solids, lumped and consistent, clamped and shaken.
TEST(Variational, SolidsAreAdvancedWithTheOrder)
{
  for (const std::string mass : {"lumped", "consistent"})
    for (const std::string &more : {clamp, shaker})
      for_each_scheme([&](const Case &c, const Scheme &scheme) {
        if (mass == "consistent" && scheme.integrator->is_explicit())
          return;
        SCOPED_TRACE(mass + more);
        EXPECT_NEAR(plate_order(scheme, plate(mass, "neo-hooke-log", more), 0.8, 40), c.order, 0.15);
      });
}

/// On linear bodies symmetric-galerkin-alpha is newmark with beta = alpha (1 - alpha), newmark with beta = 1/4 is the midpoint rule.
TEST(Variational, LinearSolidsCannotTellThemFromNewmark)
{
  const std::string deck = plate("consistent", "linear-elasticity", clamp);
  const auto apart = [&](const Scheme &one, const Scheme &other) {
    return distance(plate_run(one, deck, 2., 100).q, plate_run(other, deck, 2., 100).q);
  };
  const Scheme newmark("newmark", "set beta = 0.21\n"), average("newmark");
  EXPECT_LT(apart(Scheme("symmetric-galerkin-alpha", "set alpha = 0.3\n"), newmark), 1e-11);
  EXPECT_LT(apart(Scheme("midpoint"), average), 1e-11);
  EXPECT_GT(apart(newmark, average), 1e-5);
}

TEST(Variational, StabilityLimitIsThePromisedOne)
{
  for (const auto &[name, settings] : {std::pair{"galerkin-alpha", "set alpha = 0.2\n"},
                                       {"symmetric-galerkin-alpha", "set alpha = 0.3\n"},
                                       {"variational-newmark", "set beta = 0.2\n"},
                                       {"stormer-verlet", ""},
                                       {"symplectic-euler", ""}})
  {
    SCOPED_TRACE(name);
    Particles spring({1.});
    Particles::Matrix A(1, 1);
    A(0, 0) = 1.;
    spring.terms.push_back(
        {A, {[](double s) { return 0.5 * s; }, [](double) { return 0.5; }, [](double) { return 0.; }, [](double) { return 0.; }}});
    const Scheme scheme(name, settings);
    const double limit = scheme.integrator->promise(spring).stable_h_omega;
    const auto size = [&](const double h) { return scheme.run(spring, spring.start({1.}, {0.3}), h, 2000).q.linfty_norm(); };
    EXPECT_LT(size(0.999 * limit), 1e3);
    EXPECT_GT(size(1.001 * limit), 1e20);
  }
}

TEST(Variational, BadSettingsAreRefused)
{
  EXPECT_THROW(Scheme("variational-newmark", "set beta = -0.1\n"), InputError);
  EXPECT_THROW(Scheme("variational-newmark", "set start = q0\n"), InputError);
  EXPECT_THROW(Scheme("galerkin-alpha", "set alpha = 1.1\n"), InputError);
  EXPECT_THROW(Scheme("symmetric-galerkin-alpha", "set alpha = -0.1\n"), InputError);
  EXPECT_THROW(Scheme("midpoint", "set alpha = 0.5\n"), InputError);
  Body<2> body(plate("consistent", "neo-hooke-log", clamp));
  Deck deck = Deck::from_text("", "test.prm");
  const Parameters p = deck.root();
  EXPECT_THROW(Scheme("stormer-verlet").integrator->check(body.system(), p), InputError);
  EXPECT_THROW(Scheme("symplectic-euler").integrator->check(body.system(), p), InputError);
}
}  // namespace symdyn::tests::in_variational
