// Laws that flow with constants over the temperature: closed forms, derivatives, dissipation, energy, and what is refused.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>

#include "solver/error.h"
#include "tests/materials/increments.h"

namespace symdyn::tests::in_heated_flow
{
namespace
{
std::string constants(const double E, const double nu, const std::string &more)
{
  return fmt::format("set E = {}\nset nu = {}\n{}", E, nu, more);
}

/// A quantity of one component that the law shows.
double shown(const HotPoint &point, const std::string &name)
{
  std::vector<Wide> values(64);
  point.law().show(point.m.data(), values.data());
  std::size_t at = 0;
  for (const Remembered &one : point.law().remembered())
  {
    if (one.name == name)
      return values[at][0];
    at += one.components;
  }
  return std::nan("");
}

/// `plastic` with constants at 0 and 100, and at 300 if `third` is given.
std::string steel(const std::string &common, const std::string &cold, const std::string &hot, const std::string &third = "")
{
  const auto section = [&](const int T, const std::string &text) { return fmt::format("subsection {}\n{}{}end\n", T, common, text); };
  return "set Type = plastic\nset Temperature = 0\n" + common + cold + "subsection At temperatures\n" + section(100, hot) +
         (third.empty() ? "" : section(300, third)) + "end\n";
}

const std::string small = "set Kinematics = small\n", cold = constants(2000., 0.3, "set Yield stress = 20\nset Hardening modulus = 300\n"),
                  hot = constants(1000., 0.2, "set Hardening table = 0 10, 0.05 18, 0.2 20\n"),
                  molten = constants(500., 0.2, "set Yield stress = 2\n");
}  // namespace

/// Pure shear: sqrt(3) tau = sigma_y(T) + H(T) p, p = (gamma - tau/mu(T))/sqrt(3), with constants that are linear between two temperatures,
/// and each lane at its own.
TEST(HeatedFlow, ShearIsTheClosedFormAtEachTemperature)
{
  const std::string text = steel(small, cold, constants(1000., 0.2, "set Yield stress = 10\nset Hardening modulus = 100\n"), molten);
  const auto mixed = [](const double T, const double at_0, const double at_100, const double at_300) {
    return T < 100. ? at_0 + (at_100 - at_0) * T / 100. : at_100 + (at_300 - at_100) * (T - 100.) / 200.;
  };
  const auto tau = [&](const double T, const double gamma) {
    const double mu = mixed(T, 2000. / 2.6, 1000. / 2.4, 500. / 2.4), sy = mixed(T, 20., 10., 2.), H = mixed(T, 300., 100., 0.);
    const double p = (std::sqrt(3.) * mu * gamma - sy) / (3. * mu + H);
    return (sy + H * p) / std::sqrt(3.);
  };
  HotPoint point(text);
  Wide T = 0.;
  for (int lane = 0; lane < lanes; ++lane)
    T.set(lane, 290. * lane / (lanes - 1.));
  point.heat(T);
  const Wide together = point.accept(simple_shear(0.1), 1.)[3];
  for (int lane = 0; lane < lanes; ++lane)
  {
    EXPECT_NEAR(together[lane], tau(T[lane], 0.1), 1e-12 * 20.) << "T = " << T[lane];
    HotPoint alone(text);
    alone.heat(Wide(T[lane]));
    EXPECT_EQ(alone.accept(simple_shear(0.1), 1.)[3][0], together[lane]);  // no lane depends on what stands beside it
  }
  EXPECT_GT(std::abs(together[0] - together[lanes - 1]), 5.);
}

/// At its own temperature each set of constants is the law that it is alone.
TEST(HeatedFlow, EachSetHoldsAtItsTemperature)
{
  for (const std::string &measure : {small, std::string("set Kinematics = logarithmic\n"), std::string()})
    for (const auto &[T, own] : {std::pair{0., cold}, {100., hot}, {300., molten}})
    {
      SCOPED_TRACE(measure + own);
      HotPoint point(steel(measure, cold, hot, molten));
      point.heat(Wide(T));
      Point alone("plastic", measure + own);
      for (const double gamma : {0.02, 0.3, 0.1})
      {
        const Symmetric<Wide> S = point.accept(simple_shear(gamma), 1.), expected = alone.accept(simple_shear(gamma), 1.);
        for (int c = 0; c < 6; ++c)
          EXPECT_NEAR(S[c][0], expected[c][0], 1e-12 * 100.);
      }
      EXPECT_NEAR(point.law().dissipated(point.m.data())[0], alone.dissipated(), 1e-12 * 10.);
      EXPECT_NEAR(point.law().stored(point.m.data())[0], alone.stored(), 1e-12 * 10.);
    }
}

TEST(HeatedFlow, DerivativesHaveSlopeTwo)
{
  const std::string rate = "set Rate = norton\nsubsection norton\nset Drag stress = 5\nset Exponent = 3\nend\n";
  const std::string smooth = constants(1000., 0.2, "set Yield stress = 10\nset Saturation stress = 8\nset Saturation rate = 9\n");
  for (const std::string &common : {small, std::string(), "set Kinematics = logarithmic\nset Backstress moduli = 100\n" + rate, rate})
  {
    SCOPED_TRACE(common);
    HotPoint point(steel(common, cold, smooth, molten) + "set Expansion = 1e-3\n");
    point.heat(Wide(70.));
    expect_derivatives(point.increment(0.5), flowing(point.law(), point.m.data(), 0.5), false);
    point.accept(wide(random_C), 0.5);
    point.heat(Wide(180.));
    expect_derivatives(point.increment(0.), wide(random_C), common == small);
  }
}

/// Prager's backstress is C(T) times the plastic strain of all earlier flow: in shear sqrt(3) tau = sigma_y(T) + C(T) p, also where p has
/// grown at another temperature.
TEST(HeatedFlow, BackstressFollowsTheTemperature)
{
  const auto law = [](const double C_hot) {
    return steel(small, constants(2000., 0.3, "set Yield stress = 20\nset Backstress moduli = 300\n"),
                 constants(1000., 0.2, fmt::format("set Yield stress = 10\nset Backstress moduli = {}\n", C_hot)));
  };
  for (const double C : {100., 300., 500.})
    for (const double T : {50., 100.})
    {
      HotPoint point(law(C));
      point.accept(simple_shear(0.2), 1.);
      const double before = point.law().stored(point.m.data())[0];
      EXPECT_GT(before, 0.5);
      point.heat(Wide(T));
      const double part = T / 100., C_T = 300. + part * (C - 300.), yield = 20. - part * 10.,
                   mu = (1. - part) * 2000. / 2.6 + part * 1000. / 2.4;
      EXPECT_NEAR(point.law().stored(point.m.data())[0], before * C_T / 300., 1e-12 * before);
      const double tau = point.accept(simple_shear(0.4), 1.)[3][0], p = (0.4 - tau / mu) / std::sqrt(3.);
      EXPECT_NEAR(std::sqrt(3.) * tau, yield + C_T * p, 1e-11 * yield);
      std::vector<Wide> shown(20);
      point.law().show(point.m.data(), shown.data());
      EXPECT_NEAR(std::sqrt(3.) * shown[11][0], C_T * p, 1e-11 * yield) << "the field backstress";
      // Back again: the elastic range lies about the backstress.
      const double back = point.accept(simple_shear(-0.4), 1.)[3][0], q = (-0.4 - back / mu) / std::sqrt(3.);
      EXPECT_NEAR(std::sqrt(3.) * back, -yield + C_T * q, 1e-11 * yield);
    }
}

/// Backstresses that recover, of other constants at each temperature: those of one temperature are those of its law alone.
TEST(HeatedFlow, RecoveringBackstressesAtATemperature)
{
  const std::string common = "set Kinematics = logarithmic\n";
  const auto part = [](const double E, const double C, const double gamma) {
    return constants(E, 0.3,
                     fmt::format("set Yield stress = 20\nset Backstress moduli = {}, 50\nset Backstress recovery = {}, 0\n", C, gamma));
  };
  for (const bool warm : {false, true})
  {
    HotPoint both(steel(common, part(2000., 300., 7.), part(1000., 100., 2.))),
        alone("set Type = plastic\n" + common + (warm ? part(1000., 100., 2.) : part(2000., 300., 7.)) + "set Expansion = 0\n");
    both.heat(Wide(warm ? 100. : 0.));
    EXPECT_FALSE(both.law().has_potential());
    for (const double gamma : {0.1, 0.3, -0.2})
    {
      const Symmetric<Wide> S = both.accept(simple_shear(gamma), 1.), T = alone.accept(simple_shear(gamma), 1.);
      EXPECT_NEAR(S[3][0], T[3][0], 1e-12 * 20.);
      EXPECT_NEAR(both.law().dissipated(both.m.data())[0], alone.law().dissipated(alone.m.data())[0], 1e-12 * 20.);
    }
  }
}

namespace
{
/// Creep with constants at 0 and at 100 degrees.
HotPoint creep_of_two(const std::string &of_cold, const std::string &of_hot)
{
  return HotPoint("set Type = creep\nset Temperature = 0\n" + of_cold + "subsection At temperatures\nsubsection 100\n" + of_hot +
                  "end\nend\n");
}

/// At the temperature of a set the law is that of the set alone; each step flows by more than `least`.
void expect_each_set_at_its_temperature(const std::string &of_cold, const std::string &of_hot, const std::vector<double> &shears,
                                        const double least)
{
  for (const bool warm : {false, true})
  {
    HotPoint both = creep_of_two(of_cold, of_hot), alone("set Type = creep\n" + (warm ? of_hot : of_cold) + "set Expansion = 0\n");
    both.heat(Wide(warm ? 100. : 0.));
    for (const double gamma : shears)
    {
      EXPECT_NEAR(both.accept(simple_shear(gamma), 0.5)[3][0], alone.accept(simple_shear(gamma), 0.5)[3][0], 1e-12 * 20.);
      EXPECT_NEAR(both.law().flow(both.m.data())[0], alone.law().flow(alone.m.data())[0], 1e-13);
      EXPECT_NEAR(both.law().dissipated(both.m.data())[0], alone.law().dissipated(alone.m.data())[0], 1e-12);
      EXPECT_GT(both.law().last_flow(both.m.data())[0], least);
    }
  }
}
}  // namespace

/// Norton's law: at the temperatures of its constants the law of that temperature alone; between two of them the stress that the rate of
/// flow needs is linear in T. Hardening by time and by strain, too.
TEST(HeatedFlow, CreepOverTheTemperature)
{
  const auto part = [](const double E, const double A, const double n, const std::string &more) {
    return constants(E, 0.3, fmt::format("set Creep coefficient = {}\nset Creep exponent = {}\n{}", A, n, more));
  };
  for (const std::string more : {"", "set Time exponent = -0.4\n", "set Time exponent = -0.4\nset Hardens by = strain\n"})
  {
    SCOPED_TRACE(more);
    const std::string of_cold = small + part(2000., 1e-4, 3., more), of_hot = small + part(1000., 3e-3, 2., more);
    expect_each_set_at_its_temperature(of_cold, of_hot, {0.02, 0.05, 0.05}, 1e-5);
    if (!more.empty())
      continue;
    HotPoint point = creep_of_two(of_cold, of_hot);
    point.heat(Wide(25.));
    const double tau = point.accept(simple_shear(0.05), 0.5)[3][0], rate = point.law().flow(point.m.data())[0] / 0.5;
    const double needed = 0.75 * std::pow(rate / 1e-4, 1. / 3.) + 0.25 * std::sqrt(rate / 3e-3);
    EXPECT_NEAR(std::sqrt(3.) * tau, needed, 1e-11 * needed);
    expect_derivatives(point.increment(0.5), simple_shear(0.08), false);
  }
}

/// Creep beside plastic flow: each set at its temperature; between them sigma_y and the stress of a rate of creep are linear in T.
TEST(HeatedFlow, CreepBesideFlowOverTheTemperature)
{
  const auto part = [](const double E, const double A, const double n, const double yield) {
    return small + constants(E, 0.3,
                             fmt::format("set Creep coefficient = {}\nset Creep exponent = {}\nset Yield stress = {}\n"
                                         "set Hardening modulus = {}\n",
                                         A, n, yield, 10. * yield));
  };
  const std::string of_cold = part(2000., 1e-5, 3., 30.), of_hot = part(1000., 3e-4, 2., 12.);
  expect_each_set_at_its_temperature(of_cold, of_hot, {0.01, 0.05, 0.09}, 0.);
  constexpr double dt = 0.02;
  HotPoint point = creep_of_two(of_cold, of_hot);
  point.heat(Wide(25.));
  const double q = std::sqrt(3.) * point.accept(simple_shear(0.09), dt)[3][0], p = point.law().flow(point.m.data())[0];
  const double crept = shown(point, "p_creep");
  EXPECT_GT(crept, 1e-4);
  EXPECT_GT(p - crept, 1e-3);
  const double flow = 0.75 * (30. + 300. * (p - crept)) + 0.25 * (12. + 120. * (p - crept)),
               creep = 0.75 * std::pow(crept / dt / 1e-5, 1. / 3.) + 0.25 * std::sqrt(crept / dt / 3e-4);
  EXPECT_NEAR(q, flow, 1e-10 * q);
  EXPECT_NEAR(q, creep, 1e-10 * q);
  EXPECT_GT(std::abs(q - (30. + 300. * (p - crept))), 1.) << "negative control";
  expect_derivatives(point.increment(dt), simple_shear(0.12), false);
}

/// The balance of a point that is heated and strained in turn: work of stress and of heating at rest is stored or dissipated. W_n(C) -
/// A(C0) bounds the work of a step from both sides as steps shrink: the error falls with them.
TEST(HeatedFlow, WorkIsStoredOrDissipated)
{
  const auto imbalance = [](const int steps, const std::string &of_cold, const std::string &of_hot) {
    HotPoint point(steel(small, cold + of_cold, hot + of_hot, molten + of_hot));
    double work = 0., heating = 0.;
    Symmetric<Wide> C = identity<Wide>(), S{};
    for (int k = 1; k <= steps; ++k)
    {
      const double before = point.free_energy(C);
      point.heat(Wide(250. * k / steps));
      heating += point.free_energy(C) - before;
      S = point.increment(0.).stress(C);
      const Symmetric<Wide> next = simple_shear(0.2 * std::sin(4. * k / steps));
      const Symmetric<Wide> S1 = point.accept(next, 1.);
      work += 0.5 * (S[3] + S1[3])[0] * (next[3] - C[3])[0];
      C = next;
    }
    const double dissipated = point.law().dissipated(point.m.data())[0];
    EXPECT_GT(dissipated, 1.);
    EXPECT_GT(std::abs(heating), 0.05);
    return (work + heating - dissipated - point.free_energy(C)) / dissipated;
  };
  for (const auto &[of_cold, of_hot] : {std::pair{"", ""}, {"set Backstress moduli = 400\n", "set Backstress moduli = 50\n"}})
  {
    const double coarse = imbalance(200, of_cold, of_hot), fine = imbalance(800, of_cold, of_hot);
    EXPECT_LT(std::abs(fine), 2e-3);
    EXPECT_LT(std::abs(fine), 0.4 * std::abs(coarse));
  }
}

/// The yield stress falls as the point is heated at a strain that stays: it flows, and dissipates.
TEST(HeatedFlow, HeatingAtRestFlows)
{
  HotPoint point(steel(small, cold, hot, molten));
  point.accept(simple_shear(0.02), 1.);
  double last = point.law().dissipated(point.m.data())[0];
  for (const double T : {50., 150., 250., 100., 0.})
  {
    point.heat(Wide(T));
    const double tau = point.accept(simple_shear(0.02), 1.)[3][0], now = point.law().dissipated(point.m.data())[0];
    EXPECT_LE(std::sqrt(3.) * std::abs(tau), 20. + 300. * 0.02);
    EXPECT_GE(now, last);
    last = now;
  }
  EXPECT_GT(last, 0.05);
}

TEST(HeatedFlow, WhatCannotBeIsRefused)
{
  const auto refused = [](const std::string &text, const std::string &what) {
    try
    {
      heated_material(text);
      ADD_FAILURE() << text << " passed";
    }
    catch (const InputError &error)
    {
      EXPECT_NE(std::string(error.what()).find(what), std::string::npos) << error.what();
    }
  };
  refused(steel("", cold + "set Kinematics = logarithmic\n", hot), "Kinematics = logarithmic: is another in At temperatures");
  refused(steel("set Kinematics = logarithmic\n", cold + "set Backstress moduli = 100\n", hot + "set Backstress moduli = 200, 300\n"),
          "there are 1 backstresses at one temperature, and 2 at 100");
  refused(steel(small, cold, constants(1000., 0.2, "")), "Yield stress is missing");
  const std::string creep = "set E = 1\nset nu = 0\nset Creep coefficient = 1\nset Creep exponent = 2\n";
  const auto creeping = [&creep](const std::string &of_cold, const std::string &of_hot) {
    return "set Type = creep\nset Temperature = 0\n" + creep + of_cold + "subsection At temperatures\nsubsection 10\n" + creep + of_hot +
           "end\nend\n";
  };
  refused(creeping("", "set Time exponent = -0.5\n"), "Repeat both in each section of At temperatures");
  refused(creeping("set Time exponent = -0.5\n", "set Time exponent = -0.5\nset Hardens by = strain\n"), "Repeat both in each section");
  refused(creeping("set Yield stress = 1\n", ""), "Give it in each section of At temperatures, or in none");
  refused(creeping("", "set Yield stress = 1\n"), "Give it in each section of At temperatures, or in none");
  refused(
      "set Type = viscoelastic-multiplicative\nset Temperature = 0\nset mu = 1\nset kappa = 2\nset Branch moduli = 1\nset Times = 1\n"
      "subsection At temperatures\nsubsection 10\nset mu = 1\nset kappa = 2\nset Branch moduli = 1\nset Times = 1\nend\nend\n",
      "constants of laws of this Type (viscoelastic-multiplicative) do not depend on temperatures yet");
  HotPoint point(steel(small, cold, hot));
  EXPECT_THROW(point.heat(Wide(101.)), InputError);
}
}  // namespace symdyn::tests::in_heated_flow
