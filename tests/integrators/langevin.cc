// Random numbers as functions of a counter, and geometric Langevin: exact statistics of a linear oscillator.
#include <gtest/gtest.h>

#include <limits>

#include "solver/error.h"
#include "solver/integrator.h"
#include "solver/random.h"
#include "solver/verify/particles.h"
#include "tests/bodies.h"
#include "tests/liar.h"
#include "tests/oscillator.h"
#include "tests/papers.h"
#include "tests/scheme.h"

namespace symdyn::tests::in_langevin
{
namespace
{
/// V = k q²/2, and says that it is linear.
class Spring : public Oscillator
{
public:
  Spring(const double m, const double k, const double c = 0.) : Oscillator(Oscillator::spring(m, k, c)) {}
  bool has(const Feature feature) const override { return feature == Feature::linear || Oscillator::has(feature); }
};

constexpr double m = 2., k = 3., friction = 0.5, kT = 0.7, h = 0.5;

std::string bath(const std::string &base, const std::string &settings = "", const double temperature = kT, const double gamma = friction,
                 const int seed = 0)
{
  return "set gamma = " + std::to_string(gamma) + "\nset kT = " + std::to_string(temperature) + "\nset seed = " + std::to_string(seed) +
         "\nset base = " + base + "\n" + (settings.empty() ? "" : subsection(base, settings));
}
const std::string quarter = bath("zhang-skeel", "set beta = 0.25");

using Matrix = std::array<std::array<double, 2>, 2>;
Matrix operator*(const Matrix &A, const Matrix &B)
{
  Matrix C{};
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      for (int l = 0; l < 2; ++l)
        C[i][j] += A[i][l] * B[l][j];
  return C;
}
Matrix transposed(const Matrix &A) { return {{{A[0][0], A[1][0]}, {A[0][1], A[1][1]}}}; }

/// (q, p) after a step from (q, p) = (x, y).
std::array<double, 2> step(const Scheme &scheme, const Spring &system, const double x, const double y)
{
  const State end = scheme.run(system, system.start(x, y / m), h, 1);
  return {end.q.local_element(0), m * end.v.local_element(0)};
}

/// What check() says to this deck, "" if nothing.
std::string refusal(const std::string &settings, const MechanicalSystem &system)
{
  Deck deck = Deck::from_text(settings, "test.prm");
  Parameters p = deck.root();
  const auto integrator = Registry<Integrator>::instance().make("langevin");
  try
  {
    integrator->declare(p);
    integrator->check(system, p);
  }
  catch (const InputError &error)
  {
    return error.what();
  }
  return "";
}
}  // namespace

/// Random123, kat_vectors: philox4x32 10.
TEST(Random, KnownAnswers)
{
  constexpr std::uint32_t all = 0xffffffff;
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (PhiloxCounter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({all, all, all, all}, {all, all}), (PhiloxCounter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (PhiloxCounter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

/// Moments, and what neighbours in each argument have in common: each mean within four standard errors.
TEST(Random, NormalNumbersAreNormalAndIndependent)
{
  constexpr int n = 200000;
  double mean = 0, square = 0, fourth = 0, within_one = 0;
  std::array<double, 3> common{};
  for (int i = 0; i < n; ++i)
  {
    const double x = standard_normal(7, i % 100, i / 100);
    mean += x / n;
    square += x * x / n;
    fourth += x * x * x * x / n;
    within_one += (std::abs(x) < 1.) / double(n);
    common[0] += x * standard_normal(8, i % 100, i / 100) / n;
    common[1] += x * standard_normal(7, i % 100 + 1, i / 100) / n;
    common[2] += x * standard_normal(7, i % 100, i / 100 + 1) / n;
  }
  const double four_errors = 4. / std::sqrt(n), p = std::erf(std::sqrt(0.5));
  EXPECT_NEAR(mean, 0., four_errors);
  EXPECT_NEAR(square, 1., std::sqrt(2.) * four_errors);
  EXPECT_NEAR(fourth, 3., std::sqrt(96.) * four_errors);
  EXPECT_NEAR(within_one, p, std::sqrt(p * (1. - p)) * four_errors);
  for (const double x : common)
    EXPECT_NEAR(x, 0., four_errors);
}

/// The covariance C = B C Bᵀ + Q of the stationary Gaussian, B the map of a step without noise and Q what the noise adds.
TEST(Langevin, StationaryCovarianceOfTheOscillator)
{
  const Spring system(m, k);
  const Scheme cold("langevin", bath("zhang-skeel", "set beta = 0.25", 0.)), warm("langevin", quarter);
  const auto from_q = step(cold, system, 1., 0.), from_p = step(cold, system, 0., 1.), noise = step(warm, system, 0., 0.);
  EXPECT_EQ(noise[0], 0.);
  const double strength = noise[1] / standard_normal(0, 0, 0);
  EXPECT_NEAR(strength * strength, m * kT * (1. - std::exp(-2. * friction * h / m)), 1e-14);
  Matrix B{{{from_q[0], from_p[0]}, {from_q[1], from_p[1]}}}, C{{{0., 0.}, {0., strength * strength}}};
  for (int doubling = 0; doubling < 12; ++doubling)  // C = sum of B^n Q B^nᵀ
  {
    const Matrix more = B * C * transposed(B);
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j)
        C[i][j] += more[i][j];
    B = B * B;
  }
  const auto checks = checks_of("000.gla.harmonic");
  ASSERT_EQ(checks.size(), 1u);
  compare(checks[0], {C[0][0], C[0][1], C[1][0], C[1][1]});
  const double stiffness = k / (1. + 0.25 * h * h * k / m);
  EXPECT_NEAR(C[0][0], kT / (stiffness * (1. - h * h * stiffness / (4. * m))), 1e-12);
}

/// A long run has the statistics of the exact covariance: means of batches, four standard errors.
TEST(Langevin, LongRunHasTheStationaryCovariance)
{
  constexpr int batches = 200, steps = 1000;
  const Spring system(m, k);
  const Scheme scheme("langevin", quarter);
  State state = scheme.run(system, system.start(0., 0.), h, 1000);
  std::array<std::vector<double>, 3> means;
  for (int b = 0; b < batches; ++b)
  {
    std::array<double, 3> sum{};
    for (int i = 0; i < steps; ++i)
    {
      scheme.integrator->step(system, state, h);
      const double q = state.q.local_element(0), p = m * state.v.local_element(0);
      sum[0] += q * q / steps;
      sum[1] += q * p / steps;
      sum[2] += p * p / steps;
    }
    for (int i = 0; i < 3; ++i)
      means[i].push_back(sum[i]);
  }
  const std::array<double, 3> expected{0.27913411458333304, 0., m * kT};
  for (int i = 0; i < 3; ++i)
  {
    double mean = 0, variance = 0;
    for (const double x : means[i])
      mean += x / batches;
    for (const double x : means[i])
      variance += (x - mean) * (x - mean) / (batches - 1);
    EXPECT_NEAR(mean, expected[i], 4. * std::sqrt(variance / batches)) << i;
    EXPECT_LT(std::sqrt(variance / batches), 0.02) << "the test must be able to fail";
  }
}

TEST(Langevin, IsAFunctionOfItsSeed)
{
  const Particles system = Particles::pendulum();
  const State start = system.start({0.3, -1.1, 1.2, -2.1}, {0.2, -0.1, 0.3, 0.4});
  const auto end = [&](const int seed) {
    return Scheme("langevin", bath("stormer-verlet", "", kT, friction, seed)).run(system, start, 0.1, 20);
  };
  EXPECT_EQ(distance(end(1), end(1)), 0.);
  EXPECT_GT(distance(end(1), end(2)), 0.1);
  // A restart continues the path, as the step number is part of the state.
  const Scheme scheme("langevin", bath("stormer-verlet", "", kT, friction, 1));
  EXPECT_EQ(distance(scheme.run(system, scheme.run(system, start, 0.1, 8), 0.1, 12), end(1)), 0.);
}

TEST(Langevin, WithoutABathIsTheBase)
{
  const Particles system = Particles::pendulum();
  const State start = system.start({0.3, -1.1, 1.2, -2.1}, {0.2, -0.1, 0.3, 0.4});
  for (const auto &[base, settings] :
       std::vector<std::pair<std::string, std::string>>{{"stormer-verlet", ""},
                                                        {"newmark", "set beta = 0.25"},
                                                        {"variational-newmark", "set beta = 0.25\nset start = suris"},
                                                        {"zhang-skeel", "set beta = 0.4"},
                                                        {"yoshida4", "set base = midpoint"},
                                                        {"bathe", ""},
                                                        {"hht-alpha", ""},
                                                        {"generalized-alpha", ""}})
  {
    // Memory apart from q and v makes the base start again: it does not matter where nothing has changed in between.
    std::ostringstream entries;
    entries << "set gamma = 1e-9\nset kT = 1e-30\nset base = " << base << "\n" << (settings.empty() ? "" : subsection(base, settings));
    const State with = Scheme("langevin", entries.str()).run(system, start, 0.05, 20),
                without = Scheme(base, settings + "\n").run(system, start, 0.05, 20);
    EXPECT_LT(distance(with, without), 1e-8) << base;
    EXPECT_EQ(with.n, 20u);
    EXPECT_NEAR(with.t, 1., 1e-14);
  }
}

/// Each step with damping, or with a memory of v, starts from the velocity that the noise has left.
TEST(Langevin, TheBaseStartsAnewWhereItRemembersTheVelocity)
{
  const Spring damped(m, k, 0.8);
  const Particles pendulum = Particles::pendulum();
  const auto two_steps = [](const std::string &base, const std::string &settings, const MechanicalSystem &system, const State &start) {
    const Scheme scheme("langevin", bath(base, settings));
    const State middle = scheme.run(system, start, 0.1, 1);
    State fresh = middle;
    fresh.memory.clear();
    return distance(scheme.run(system, start, 0.1, 2), scheme.run(system, fresh, 0.1, 1));
  };
  EXPECT_LT(two_steps("newmark", "set beta = 0.25", damped, damped.start(1., 0.5)), 1e-14);
  EXPECT_LT(two_steps("two-step", "", pendulum, pendulum.start({0.3, -1.1, 1.2, -2.1}, {0.2, -0.1, 0.3, 0.4})), 1e-11);
}

TEST(Langevin, HeldDegreesOfFreedomFeelNoBath)
{
  Oscillator system = Oscillator::spring(m, k);
  system.prescribed[0] = [](const double t) { return 0.2 * t; };
  system.prescribed[1] = [](const double) { return 0.2; };
  system.prescribed[2] = [](const double) { return 0.; };
  const State end = Scheme("langevin", bath("stormer-verlet")).run(system, system.start(0., 0.2), 0.1, 10);
  EXPECT_NEAR(end.q.local_element(0), 0.2, 1e-14);
  EXPECT_NEAR(end.v.local_element(0), 0.2, 1e-14);
}

TEST(Langevin, TangentIsTheDerivativeOfTheStep)
{
  const Particles system = Particles::pendulum();
  const State start = system.start({0.3, -1.1, 1.2, -2.1}, {0.2, -0.1, 0.3, 0.4}),
              delta = system.start({0.3, 0.7, -0.2, 0.4}, {-0.5, 0.1, 0.6, 0.2});
  EXPECT_LT(tangent_error(Scheme("langevin", bath("zhang-skeel", "set beta = 0.25")), system, start, 0.1, delta), 1e-7);
  EXPECT_LT(tangent_error(Scheme("langevin", bath("stormer-verlet")), system, start, 0.1, delta), 1e-9);
}

/// Noise has no order and keeps nothing: `symdyn verify` says so, and finds nothing broken.
TEST(Langevin, VerifyHoldsItToNoOrder)
{
  const VerifySubject subject(Deck::read(SYMDYN_SOURCE "/decks/papers/kmow-conservative.prm"), 1000, false);
  const Scheme scheme("langevin", bath("stormer-verlet"));
  SchemeCheck check("langevin", *scheme.integrator, subject, 100);
  check.run();
  EXPECT_EQ(name_of(findings_of(check).at("order").verdict), "not applicable");
  EXPECT_EQ(name_of(findings_of(check).at("form").verdict), "not promised");
  for (const Finding &finding : check.findings)
    EXPECT_NE(finding.verdict, Verdict::broken) << finding.property << ": " << finding.reason;
}

TEST(Langevin, PromisesAndRefusals)
{
  const Particles system = Particles::pendulum();
  const Promise promise = Scheme("langevin", bath("stormer-verlet")).integrator->promise(system);
  EXPECT_EQ(promise.order, 0);
  EXPECT_EQ(promise.symplectic, Where::nowhere);
  EXPECT_EQ(promise.linear_momentum, Where::nowhere);
  EXPECT_FALSE(promise.energy_bounded);
  EXPECT_EQ(promise.stable_h_omega, 2.);
  EXPECT_EQ(refusal(bath("stormer-verlet"), system), "");
  EXPECT_NE(refusal("set gamma = 1", system).find("Give gamma [kg/s] and kT [J]"), std::string::npos);
  EXPECT_NE(refusal("set kT = 1", system).find("Give gamma [kg/s] and kT [J]"), std::string::npos);
  EXPECT_NE(refusal("set gamma = 0\nset kT = 1", system).find("gamma = 0"), std::string::npos);
  EXPECT_NE(refusal("set gamma = 1\nset kT = -1", system).find("kT = -1"), std::string::npos);
  EXPECT_NE(refusal(bath("langevin"), system).find("base = langevin"), std::string::npos);
  EXPECT_NE(refusal(bath("zhang-skeel"), Particles::ring_well(1., 1., 0.1)).find("without damping"), std::string::npos)
      << "as the base says";
  Body<2> body(made_of("neo-hooke-log"));
  EXPECT_NE(refusal(bath("stormer-verlet"), body.system()).find("diagonal mass"), std::string::npos);
}
}  // namespace symdyn::tests::in_langevin
