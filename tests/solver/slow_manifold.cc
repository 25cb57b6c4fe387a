// The projection onto the slow manifold (Ariel, Sanz-Serna, Tsai 2012): filter, frequencies, loads and damping, momenta, errors.
#include "solver/dynamics/slow_manifold.h"

#include <gtest/gtest.h>

#include <complex>
#include <iomanip>

#include "solver/error.h"
#include "solver/verify/particles.h"
#include "tests/bodies.h"
#include "tests/discrete_deck.h"
#include "tests/liar.h"
#include "tests/oscillator.h"
#include "tests/scheme.h"
#include "tests/two_springs.h"

namespace symdyn::tests::in_slow_manifold
{
namespace
{
/// What an error of `action` says, "" if there is none.
template <class Error, class Do>
std::string message(const Do &action)
{
  try
  {
    action();
  }
  catch (const Error &error)
  {
    return error.what();
  }
  return "";
}
}  // namespace

TEST(SlowManifold, KernelHasUnitMassAndThreeVanishingMoments)
{
  for (const int n : {12, 18, 24, 100})
  {
    double mass = 0, second = 0;
    for (int j = -n; j <= n; ++j)
    {
      const double s = double(j) / n, w = SlowManifold::kernel(s) / n;
      mass += w;
      second += w * s * s;
      EXPECT_EQ(w, SlowManifold::kernel(-s) / n);
    }
    EXPECT_NEAR(mass, 1., 1e-14);
    EXPECT_NEAR(second, 0., 1e-14);
  }
}

/// Without penalties the part that is marked stiff says what is fast.
TEST(SlowManifold, OfAPartThatIsMarkedStiff)
{
  const TwoSprings with(1000.), without(1000., false);
  State a = off_manifold(with), b = off_manifold(without), c = b;
  projection(to(1e-9)).project(with, a);
  const auto report = projection(to(1e-9) + "set omega = 1000\n").project(without, b);
  EXPECT_LT(distance(a, b), 1e-9);
  EXPECT_LE(std::abs(report.iterations() - 5), 1);
  EXPECT_NE(report.text().find("changes of q"), std::string::npos);
  // omega of the highest stiff mode, (1 + sqrt 5)/2 times that of one spring when both are straight and at rest.
  const auto automatic = projection(to(1e-9) + "set Iterations = 20\n").project(without, c);
  EXPECT_NEAR(automatic.omega, 1618., 0.05 * 1618.);
  std::ostringstream same;
  same << std::setprecision(17) << to(1e-9) << "set Iterations = 20\nset omega = " << automatic.omega << "\n";
  a = off_manifold(with);
  projection(same.str()).project(with, a);
  EXPECT_LT(distance(a, c), 1e-8);
}

/// m q'' + c q' + k q = sin(3t): the slow solution is the periodic one.
TEST(SlowManifold, LoadsAndDampingActInTheWindow)
{
  class Stiff : public Oscillator
  {
  public:
    bool has(const Feature feature) const override
    {
      return feature == Feature::stiff_part || feature == Feature::linear || Oscillator::has(feature);
    }
  };
  constexpr double c = 2., t = 0.3;
  // Its error, which falls with the fourth power of the window.
  const auto error = [&](const double k) {
    Stiff system;
    static_cast<Oscillator &>(system) = Oscillator::spring(1., k, c);
    system.force = [k](const double s) { return k * std::sin(3. * s); };
    const std::complex<double> i(0., 1.), q = k / (k - 9. + 3. * i * c) * std::exp(3. * i * t);
    State state = system.start(0.1, -5.);
    state.t = t;
    projection("set Tolerance = 1e-12\nset Iterations = 60\n").project(system, state);
    EXPECT_NEAR(state.v.local_element(0), 3. * q.real(), std::pow(3. * 6. * M_PI / std::sqrt(k), 4)) << k;
    return std::abs(state.q.local_element(0) - q.imag());
  };
  EXPECT_LT(error(1e6), 1e-5);
  EXPECT_NEAR(std::log2(error(4e4) / error(16e4)), 4., 0.3);
}

/// omega = 0: that of the penalties, but with masses that put their frequencies beyond the filter the highest of these.
TEST(SlowManifold, FrequencyOfPenaltiesAndMasses)
{
  for (const double mass : {1., 100., 0.01})
  {
    TwoSprings system(1000. * std::sqrt(mass), true, true, mass);
    State state = off_manifold(system);
    const SlowManifold::Report report = projection("set Not converged = accept\n").project(system, state);
    if (mass == 1.)
      EXPECT_EQ(report.omega, 1000.);
    else
      EXPECT_NEAR(report.omega / 1000., std::sqrt(1.5 + std::sqrt(1.25)), 0.1) << "of [1 c; c 2], c near -1; mass " << mass;
    EXPECT_LT(std::abs(report.iterates.back().g[1]), 1e-4) << mass;
  }
}

TEST(SlowManifold, KeepsLinearMomentum)
{
  TwoSprings system(1000., false, false);
  State state = system.start({0.3, 0.1, 1.32, 0.15}, {0.4, -0.5, 0.1, 0.7});
  const auto momentum = [](const State &z, const int d) { return z.v.local_element(d) + z.v.local_element(2 + d); };
  const double x = momentum(state, 0), y = momentum(state, 1);
  projection("set omega = 1000\n").project(system, state);
  EXPECT_NEAR(momentum(state, 0), x, 1e-12);
  EXPECT_NEAR(momentum(state, 1), y, 1e-12);
}

TEST(SlowManifold, FailsLoudly)
{
  const TwoSprings system(1000.), soft(20.);
  State state = off_manifold(system);
  const State before = state;
  const auto failure = [&](const std::string &settings, const MechanicalSystem &of) {
    return message<ComputationError>([&] { projection(settings).project(of, state); });
  };
  EXPECT_NE(failure("set Iterations = 3\n", system).find("after 3 iterations g still changes by"), std::string::npos);
  EXPECT_NE(failure("set omega = 400\n", system).find("leaves the neighbourhood"), std::string::npos);
  EXPECT_NE(failure("set omega = 400\n", system).find("raise omega"), std::string::npos);
  EXPECT_NE(failure(to(1e-2) + "set Iterations = 100\n", soft).find("too small for the filter"), std::string::npos)
      << failure(to(1e-2), soft);
  EXPECT_EQ(distance(state, before), 0.);
}

/// `symdyn verify` on a deck whose omega = 2 is too small for the filter: not applicable, nothing broken.
TEST(SlowManifold, VerifyOfASoftSystemBreaksNoPromise)
{
  const VerifySubject subject(
      Deck::from_text("set Structure = discrete\n" + pendulum_deck() + subsection("Time", "set Time step = 0.05\nset End time = 1"),
                      "pendulum.prm"),
      1000, false);
  const auto scheme = subject.scheme("rk4-slow-manifold", subject.undamped());
  SchemeCheck check("rk4-slow-manifold", *scheme, subject, 20);
  check.run();
  EXPECT_EQ(name_of(findings_of(check).at("order").verdict), "not applicable");
  for (const Finding &finding : check.findings)
    EXPECT_NE(finding.verdict, Verdict::broken) << finding.property << ": " << finding.reason;
}

TEST(SlowManifold, Refusals)
{
  const auto refusal = [](const std::string &settings, const Particles &system, const double duration) {
    return message<InputError>([&] {
      Deck deck = Deck::from_text(settings, "test.prm");
      Parameters p = deck.root();
      SlowManifold manifold;
      manifold.declare(p);
      manifold.check(system, p);
      if (system.penalties())
        manifold.check_window(system, off_manifold(system), p, duration);
    });
  };
  const TwoSprings system(1000.);
  EXPECT_EQ(refusal("", system, 10.), "");
  EXPECT_NE(refusal("", Particles::ring_well(), 10.).find("no slow manifold"), std::string::npos);
  EXPECT_NE(refusal("set omega = 1000", system, 0.03).find("test.prm:1 omega = 1000: the window of the filter, 2 L/omega = 0.0377 s"),
            std::string::npos)
      << refusal("set omega = 1000", system, 0.03);
  EXPECT_NE(refusal("set Periods = 3\nset Steps per period = 5", system, 10.).find("must be even"), std::string::npos);
  EXPECT_NE(refusal("set Tolerance = 0", system, 10.).find("Tolerance = 0"), std::string::npos);
  EXPECT_NE(message<InputError>([] {
              Deck deck = Deck::from_text("", "test.prm");
              Parameters p = deck.root();
              const auto scheme = Registry<Integrator>::instance().make("rk4-slow-manifold");
              scheme->declare(p);
              scheme->check(Particles::ring_well(), p);
            }).find("no slow manifold"),
            std::string::npos);
  const Promise promise = Scheme("rk4-slow-manifold").integrator->promise(system);
  EXPECT_EQ(promise.order, 0);
  EXPECT_EQ(promise.linear_momentum, Where::nowhere);
}
}  // namespace symdyn::tests::in_slow_manifold
