// Laws of contact: values, derivatives by differences, mean slopes.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "elements/contact/laws/contact_law.h"

namespace symdyn::tests::in_contact_laws
{
std::unique_ptr<ContactLaw> law_of(const std::string &name, const ContactEntries &entries)
{
  auto law = Registry<ContactLaw>::instance().make(name);
  const auto [entry, rule] = law->take(entries);
  EXPECT_EQ(rule, "") << entry;
  return law;
}

ContactEntries usual()
{
  ContactEntries entries;
  entries.stiffness = 5.;
  entries.layer = 0.2;
  entries.pressure = 3.;
  entries.distance = 0.07;
  entries.pressures = {0., 1., 1.5, 4.};
  entries.closures = {0.01, 0.05, 0.12, 0.2};
  return entries;
}

/// b and its derivatives, of -(1 - x)³ ln x by computer algebra, to nine digits.
TEST(ContactLaws, BarrierIsThatOfTheTable)
{
  const std::vector<std::array<double, 5>> rows{{0.1, 1.6785845328, -12.885281776, 133.9339595, -2362.815511},
                                                {0.3, 0.4129626719, -2.9131733557, 18.667796889, -123.631244},
                                                {0.5, 0.0866433976, -0.7698603854, 5.579441542, -33.15888308},
                                                {0.7, 0.0096302235, -0.1348736634, 1.468545511, -11.664831},
                                                {0.9, 0.000105360516, -0.004271926581, 0.131117544, -2.746017689}};
  for (const bool inside : {true, false})
  {
    ContactEntries entries;
    entries.stiffness = 1.;
    entries.layer = 1.;
    entries.inside = inside;
    const auto law = law_of("barrier", entries);
    for (const auto &row : rows)
    {
      const auto phi = law->at(row[0] - (inside ? 1. : 0.));
      for (int i = 0; i < 4; ++i)
        EXPECT_NEAR(phi[i], row[i + 1], 5e-9 * std::abs(row[i + 1]) + 1e-12) << row[0] << ", derivative " << i;
    }
    EXPECT_NEAR(law->reach(), inside ? 0. : 1., 1e-15);
    EXPECT_NEAR(law->least(), inside ? -1. : 0., 2e-3);
  }
}

/// Five points; the error is h⁴ times the fifth derivative.
double difference(const ContactLaw &law, const int order, const double g, const double h)
{
  const auto at = [&](const double s) { return law.at(g + s * h)[order]; };
  return (8. * (at(1.) - at(-1.)) - (at(2.) - at(-2.))) / (12. * h);
}

TEST(ContactLaws, DerivativesAreThoseOfTheEnergy)
{
  for (const std::string name : {"barrier", "linear", "exponential", "table", "tension"})
  {
    const auto law = law_of(name, usual());
    // In places where nothing jumps: of the table rows at 0.01, 0.05, 0.12, 0.2.
    for (const double g : {-0.33, -0.17, -0.15, -0.08, -0.03, 0.03, 0.1, 0.149, 0.17, 0.199})
      if (g > law->least())
        for (int order = 0; order < 4; ++order)
        {
          const double exact = law->at(g)[order + 1], h = 1e-4 * (g > law->least() + 0.1 ? 1. : 0.1);
          EXPECT_NEAR(difference(*law, order, g, h), exact, 1e-6 * (std::abs(exact) + 1.))
              << name << " at " << g << ", derivative " << order;
        }
  }
}

/// How far the derivative after `order` jumps at g: differences of that derivative on both sides, and the larger of them.
std::array<double, 2> jump_after(const ContactLaw &law, const int order, const double g, const double h)
{
  const double at = law.at(g)[order];
  const double below = (at - law.at(g - h)[order]) / h, above = (law.at(g + h)[order] - at) / h;
  return {std::abs(above - below), std::max(std::abs(above), std::abs(below))};
}

/// How many derivatives are continuous, at all places where a law changes its formula, and that the next one is not, the control: also the
/// fifth, which laws do not give. Ten differences beside a place, where the formula goes on, the same measure finds no jump.
TEST(ContactLaws, AreAsSmoothAsTheySay)
{
  const std::vector<std::pair<std::string, std::vector<double>>> kinks{
      {"barrier", {0.}}, {"linear", {0.}}, {"exponential", {0.14, 0.21}}, {"tension", {7., 14.}}, {"table", {-0.01, -0.05, -0.12, -0.2}}};
  for (const auto &[name, places] : kinks)
  {
    ContactEntries entries = usual();
    if (name == "tension")
      entries.distance = 7.;
    const auto law = law_of(name, entries);
    const int smooth = law->smoothness();
    ASSERT_LE(smooth, 4) << name << " gives no more derivatives";
    for (const double g : places)
    {
      SCOPED_TRACE(name + " at " + std::to_string(g));
      constexpr double h = 1e-9;
      const auto below = law->at(g - h), above = law->at(g + h), scale = law->at(g - 0.03);
      for (int order = 0; order <= smooth; ++order)
        EXPECT_NEAR(below[order], above[order], 1e-5 * (std::abs(scale[order]) + 1.)) << "derivative " << order;
      // Short against the clearance: what is smooth changes by a few percent over it. All jumps are more than half of the larger side.
      const double way = 1e-3 * entries.distance;
      const auto [jump, larger] = jump_after(*law, smooth, g, way);
      EXPECT_GT(jump, 0.5 * larger) << "derivative " << smooth + 1;
      EXPECT_GT(larger, 0.);
      for (const double beside : {g - 10. * way, g + 10. * way})
        EXPECT_LT(jump_after(*law, smooth, beside, way)[0], 0.1 * larger) << "derivative " << smooth + 1 << " at " << beside;
    }
  }
}

/// K d when pressed, minus the tension when open, nothing beyond twice the clearance.
TEST(ContactLaws, TensionIsThatOfCalculix)
{
  ContactEntries entries = usual();
  entries.distance = 1e3;
  const auto law = law_of("tension", entries);
  EXPECT_NEAR(-law->at(-1e5)[1] / (entries.stiffness * 1e5), 1., 1e-4);
  EXPECT_NEAR(law->at(900.)[1] / entries.pressure, 1., 1e-3);
  EXPECT_EQ(law->at(0.)[1], 0.);
  EXPECT_EQ(law->at(2001.)[0], 0.);
  EXPECT_LT(law->at(1500.)[0], 0.) << "open nodes that are held are below the energy of free ones";
}

TEST(ContactLaws, BarrierGoesOnSmoothlyBelowItsLeastGap)
{
  const auto law = law_of("barrier", usual());
  const double g = law->least(), h = 1e-9;
  for (int order = 0; order < 5; ++order)
    EXPECT_NEAR(law->at(g - h)[order] / law->at(g + h)[order], 1., 1e-3);
  EXPECT_LT(law->at(g - 1.)[1], law->at(g)[1]) << "and pushes harder";
}

TEST(ContactLaws, ExponentialIsItsIntegralOfThePressure)
{
  const ContactEntries entries = usual();
  const auto law = law_of("exponential", entries);
  const double c0 = entries.distance, p0 = entries.pressure;
  EXPECT_NEAR(-law->at(0.)[1], p0, 1e-14);
  EXPECT_NEAR(-law->at(c0)[1], 0.01 * p0, 1e-14);
  EXPECT_EQ(law->at(3. * c0)[1], 0.);
  const auto pressure = [&](const double g) {  // as the manual has it
    const double y = std::min(1., std::max(0., g / c0 - 2.));
    return p0 * std::exp(-std::log(100.) * g / c0) * (1. - std::pow(y, 4) * (35. - 84. * y + 70. * y * y - 20. * y * y * y));
  };
  for (const double from : {-0.5, 0.3, 1.7, 2.2, 2.9})
  {
    constexpr int n = 20000;
    double sum = 0;
    const double h = (3. - from) * c0 / n;
    for (int i = 0; i < n; ++i)
      sum += h * pressure(from * c0 + (i + 0.5) * h);
    EXPECT_NEAR(law->at(from * c0)[0], sum, 1e-6 * sum + 1e-18) << from;
  }
}

TEST(ContactLaws, TableMeetsItsRows)
{
  const ContactEntries entries = usual();
  const auto law = law_of("table", entries);
  for (std::size_t i = 0; i < entries.closures.size(); ++i)
    EXPECT_NEAR(-law->at(-entries.closures[i])[1], entries.pressures[i], 1e-14);
  double before = 0;
  for (double d = 0.; d < 0.3; d += 1e-3)  // monotone
  {
    EXPECT_GE(-law->at(-d)[1], before - 1e-15);
    before = -law->at(-d)[1];
  }
  ContactEntries wrong = entries;
  wrong.pressures = {0., 2., 1.5, 4.};
  EXPECT_NE(Registry<ContactLaw>::instance().make("table")->take(wrong)[1], "");
  wrong.pressures = {0., 1., std::nan(""), 4.};
  EXPECT_NE(Registry<ContactLaw>::instance().make("table")->take(wrong)[1], "");
  wrong.pressures = {0.1, 1., 2., 4.};
  EXPECT_NE(Registry<ContactLaw>::instance().make("table")->take(wrong)[1], "");
}

/// D (g1 - g0) is the change of Phi to rounding, however near both gaps are; dD/dg1 by differences.
TEST(ContactLaws, MeanSlopesAreThoseOfTheEnergy)
{
  for (const std::string name : {"barrier", "linear", "exponential", "table", "tension"})
  {
    const auto law = law_of(name, usual());
    for (const double g : {-0.18, -0.1, -0.03, -0.001, 0.02})
      for (const double way : {0.1, 1e-3, 1e-5, 1e-8, -1e-8, -1e-5, -1e-3, -0.015})
      {
        const double g1 = g + way;
        if (g1 <= law->least())
          continue;
        const MeanSlope mean(*law, g, g1);
        const double rounding = 4e-16 * (std::abs(law->at(g)[0]) + std::abs(law->at(g1)[0]) + std::abs(g * law->at(g)[1]) + 1e-3);
        EXPECT_NEAR(mean.value * (g1 - g), law->at(g1)[0] - law->at(g)[0], rounding) << name << " " << g << " " << way;
        const double h = 1e-2 * std::abs(way);
        if (std::abs(way) < 1e-5 || std::abs(g1) < 2. * h)
          continue;
        const double slope = (MeanSlope(*law, g, g1 + h).value - MeanSlope(*law, g, g1 - h).value) / (2. * h);
        EXPECT_NEAR(mean.change, slope, 2e-3 * (std::abs(slope) + 0.1)) << name << " " << g << " " << way;
      }
  }
}
}  // namespace symdyn::tests::in_contact_laws
