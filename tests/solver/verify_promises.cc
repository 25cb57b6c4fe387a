// Verdicts of `symdyn verify` that are easily got wrong: orders from above, damping, moving supports, neighbouring runs.
#include <gtest/gtest.h>

#include "solver/verify/particles.h"
#include "tests/liar.h"
#include "tests/scheme.h"

namespace symdyn::tests::in_verify_promises
{
namespace
{
const std::string decks = SYMDYN_SOURCE "/decks/";

VerifySubject oscillator(const std::string &coefficient)
{
  Deck deck = Deck::read(decks + "papers/kmow-dissipative.prm");
  deck.set("Dashpots/drag/Coefficient=" + coefficient);
  return VerifySubject(deck, 1000, false);
}

Finding damped_finding(const VerifySubject &subject, const Integrator &undamped, const Integrator &damped, const std::string &property)
{
  SchemeCheck check("scheme", undamped, subject, 200);
  check.run();
  check.run_damped(damped);
  return findings_of(check).at(property);
}

Finding damped_finding(const std::string &name, const std::string &coefficient, const std::string &property)
{
  const VerifySubject subject = oscillator(coefficient);
  return damped_finding(subject, *subject.scheme(name, subject.undamped()), *subject.scheme(name, subject.damped()), property);
}

/// The ring well, whose energy balance holds the dashpot for stronger than it is.
class WrongBooks : public Particles
{
public:
  using Particles::Particles;
  double dissipation(const Vector &q, const Vector &v) const override { return 1.3 * Particles::dissipation(q, v); }
};

MeasuredDissipation dissipation_of(const std::string &scheme, const std::string &settings, const Particles &system, const double h,
                                   const double T)
{
  const Scheme with(scheme, settings);
  Trial trial;
  trial.system = &system;
  trial.integrator = with.integrator.get();
  trial.start = system.start({1., 0.}, {0.5, 0.6});
  trial.h = h;
  trial.steps = int(std::lround(T / h));
  return measured_dissipation(trial);
}
}  // namespace

TEST(Verify, AnOrderAboveThePromiseBreaksIt)
{
  const VerifySubject subject(Deck::from_text(free_cube, "cube.prm"), 1000, false);
  Liar liar;
  liar.order = 1;
  liar.set_up("");
  SchemeCheck check("liar", liar, subject, 20);
  check.run();
  const Finding order = findings_of(check).at("order");
  EXPECT_EQ(name_of(order.verdict), "broken") << order.value << ", " << order.reason;
  EXPECT_NEAR(order.value, 2., 0.15);
  EXPECT_NE(order.reason.find("more than promised"), std::string::npos) << order.reason;
}

TEST(Verify, ALinearDeckDoesNotTellOrdersFromAbove)
{
  Deck deck = Deck::from_text(free_cube, "cube.prm");
  deck.set("Materials/soft/Type=linear-elasticity");
  deck.set("Initial conditions/Velocity=x, 0, 0");
  const VerifySubject subject(deck, 1000, false);
  Liar liar;
  liar.order = 1;
  liar.set_up("");
  SchemeCheck check("liar", liar, subject, 20);
  check.run();
  const Finding order = findings_of(check).at("order");
  EXPECT_EQ(name_of(order.verdict), "not applicable") << order.value;
  EXPECT_NE(order.reason.find("on a linear deck"), std::string::npos) << order.reason;
}

TEST(Verify, OrderOfTheDampingHoweverWeak)
{
  for (const char *coefficient : {"1e-3", "0.5"})
  {
    for (const auto &[scheme, order] :
         {std::pair{"two-step", 1.}, {"incremental-potential", 1.}, {"newmark", 2.}, {"lagrange-dalembert", 2.}})
    {
      const Finding finding = damped_finding(scheme, coefficient, "damping order");
      EXPECT_EQ(name_of(finding.verdict), "kept") << scheme << " " << coefficient << ": " << finding.reason;
      EXPECT_NEAR(finding.value, order, 0.15) << scheme << " " << coefficient << ": " << finding.reason;
    }
    const VerifySubject subject = oscillator(coefficient);
    for (const auto &[scheme, order] : {std::pair{"two-step", 2}, {"newmark", 1}})
    {
      Liar liar;
      liar.scheme = scheme;
      liar.order = order;
      liar.set_up("");
      const Finding finding = damped_finding(subject, liar, liar, "damping order");
      EXPECT_EQ(name_of(finding.verdict), "broken") << scheme << " " << coefficient << ": " << finding.reason;
    }
  }
}

TEST(Verify, RateOfTheDamping)
{
  const Particles weak = Particles::ring_well(1., 1., 1e-3);
  for (const auto &[scheme, limit] :
       {std::pair{"newmark", 0.05}, {"midpoint", 0.05}, {"discrete-gradient", 0.05}, {"two-step", 0.25}, {"incremental-potential", 0.25}})
    EXPECT_LT(std::abs(dissipation_of(scheme, "", weak, 0.2, 40.).rate_error), limit) << scheme;
  const MeasuredDissipation strong = dissipation_of("hht-alpha", "set alpha = -0.3\n", weak, 0.2, 40.);
  EXPECT_GT(strong.rate_error, 0.25);
  EXPECT_GT(strong.significance, 6.);
}

TEST(Verify, RateOfTheDampingByHalvesOfH)
{
  const Particles strong = Particles::ring_well(1., 1., 0.5);
  for (const auto &[scheme, order] : {std::pair{"newmark", 2.}, {"midpoint", 2.}, {"two-step", 1.}, {"incremental-potential", 1.}})
  {
    const double coarse = dissipation_of(scheme, "", strong, 0.00625, 4.).rate_error,
                 fine = dissipation_of(scheme, "", strong, 0.003125, 4.).rate_error;
    EXPECT_NEAR(std::log2(coarse / fine), order, 0.15) << scheme << ": " << coarse << ", " << fine;
  }
}

TEST(Verify, WrongBooksOfTheDampingShow)
{
  WrongBooks system({1., 1.});
  static_cast<Particles &>(system) = Particles::ring_well(1., 1., 1e-2);
  const MeasuredDissipation measured = dissipation_of("newmark", "", system, 0.05, 40.);
  EXPECT_NEAR(measured.rate_error, 1. / 1.3 - 1., 0.01);
  EXPECT_GT(measured.significance, 6.);
}

TEST(Verify, NumericalDampingBreaksThePromisedRate)
{
  const Finding honest = damped_finding("newmark", "1e-5", "damping rate"), modest = damped_finding("hht-alpha", "1e-5", "damping rate");
  EXPECT_EQ(name_of(honest.verdict), "kept") << honest.value << ", " << honest.reason;
  EXPECT_EQ(name_of(modest.verdict), "not promised");
  const VerifySubject subject = oscillator("1e-5");
  Liar liar;
  liar.scheme = "hht-alpha";
  liar.set_up("set alpha = -0.3\n");
  const Finding finding = damped_finding(subject, liar, liar, "damping rate");
  EXPECT_EQ(name_of(finding.verdict), "broken") << finding.value << ", " << finding.reason;
}

TEST(Verify, NeighbouringRunsKnowNothingOfTangents)
{
  const VerifySubject subject(Deck::from_text(free_cube, "cube.prm"), 1000, false);
  Liar liar;  // the promise of midpoint, which it keeps
  liar.scheme = "midpoint";
  liar.wrong_tangent = true;
  liar.set_up("");
  SchemeCheck check("liar", liar, subject, 50);
  check.run();
  EXPECT_EQ(name_of(findings_of(check).at("form").verdict), "broken");
  const Finding neighbours = findings_of(check).at("form, neighbours");
  EXPECT_EQ(name_of(neighbours.verdict), "kept") << neighbours.value << ", " << neighbours.reason;
}

TEST(Verify, TangentsWithMovingSupports)
{
  Deck deck = Deck::read(decks + "verification/patch-velocity.prm");
  deck.set("Mesh/Subdivisions=2, 2, 2");
  const VerifySubject subject(deck, 1000, false);
  for (const char *scheme : {"newmark", "midpoint", "hht-alpha"})
  {
    const auto integrator = subject.scheme(scheme, subject.undamped());
    SchemeCheck check(scheme, *integrator, subject, 20);
    check.run();
    const Finding tangent = findings_of(check).at("tangent");
    EXPECT_EQ(name_of(tangent.verdict), "kept") << scheme << ": " << tangent.value;
  }
}
}  // namespace symdyn::tests::in_verify_promises
