// Springs that yield gradually.
#include "elements/lumped/bouc_wen_law.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "elements/lumped/yield_law.h"

namespace symdyn::tests::in_bouc_wen
{
namespace
{
/// A spring that is driven from elongation to elongation.
struct Driven
{
  BoucWenLaw law;
  std::array<double, BoucWenLaw::variables> m{};

  BoucWenLaw::InStep step(double *to = nullptr) const { return {law, {m.data(), 1., to}, 0}; }
  double to(const double e)
  {
    std::array<double, BoucWenLaw::variables> next{};
    const double F = step().at(e)[1];
    step(next.data()).remember(e);
    m = next;
    return F;
  }
};

BoucWenLaw law(const double n, const double b, const double ratio = 0.1) { return {100., 2., ratio, n, b, 0.}; }
constexpr double z_y = 0.02;
}  // namespace

/// z = z_y (1 - exp(-e/z_y)) of n = 1, z_y tanh(e/z_y) of n = 2; unloading with b = 1/2 is elastic; from n = 2, b = 1 unloading is z_y tan.
TEST(BoucWen, LoadingIsTheClosedForm)
{
  for (const double x : {1e-9, 1e-3, 0.4, 2.5, 40., 1e5})
  {
    const double e = x * z_y;
    EXPECT_NEAR(Driven{law(1., 0.5)}.to(e), 10. * e + 90. * z_y * -std::expm1(-x), 1e-13 * (1. + 10. * e)) << x;
    EXPECT_NEAR(Driven{law(2., 0.5)}.to(-e), -10. * e - 90. * z_y * std::tanh(x), 1e-13 * (1. + 10. * e)) << x;
  }
  Driven elastic{law(2., 0.5)}, softer{law(2., 1.)};
  const double top = elastic.to(0.03);
  EXPECT_EQ(softer.to(0.03), top) << "loading does not know b";
  EXPECT_NEAR(elastic.to(0.02), top - 100. * 0.01, 1e-13);
  const double z = z_y * std::tanh(1.5);
  EXPECT_NEAR(softer.to(0.025), 10. * 0.025 + 90. * z_y * std::tan(std::atan(z / z_y) - 0.25), 1e-13);
}

/// One increment or many, forth, back beyond the kink at z = 0 and forth: the same state.
TEST(BoucWen, IncrementsOfOneWayDoNotMatter)
{
  for (const double n : {1., 1.5, 2., 5., 30.})
    for (const double b : {0.5, 0.8, 2.})
    {
      Driven once{law(n, b)}, often = once;
      double at = 0.;
      for (const double goal : {0.05, -0.03, 0.02, 0.021, -0.2})
      {
        const double F = once.to(goal);
        for (int k = 1; k <= 7; ++k)
          often.to(at + (goal - at) * k / 7.);
        at = goal;
        EXPECT_NEAR(often.step().at(at)[1], F, 2e-13) << n << " " << b;
        EXPECT_NEAR(often.m[4], once.m[4], 1e-13) << n << " " << b;
      }
      EXPECT_GT(once.m[4], 0.1) << "it has flowed";
    }
}

/// F = dW_n/de, dF/de, d²F/de² by differences of slope two; W_n = A + dissipated, which never falls; the discrete gradient does the work
/// W_n(e1) - W_n(e0).
TEST(BoucWen, NeverGivesEnergy)
{
  for (const double n : {1., 1.5, 2., 5.})
    for (const double b : {0.5, 0.9})
    {
      Driven spring{law(n, b)};
      spring.to(0.03);
      const double at = spring.m[0] + spring.m[1];
      for (const double e : {0.029, 0.01, -0.01, -0.1, 0.0301, 0.035, 0.2})
      {
        std::array<double, BoucWenLaw::variables> next{};
        const auto step = spring.step();
        spring.step(next.data()).remember(e);
        EXPECT_GE(next[4], spring.m[4] - 1e-17);
        EXPECT_LE(std::abs(next[1]), z_y);
        const double A = 50. * (0.1 * e * e + 0.9 * next[1] * next[1]), A0 = 50. * (0.1 * at * at + 0.9 * spring.m[1] * spring.m[1]);
        EXPECT_NEAR(step.at(e)[0] - A, next[4] - spring.m[4], 1e-15 * (1. + A) * 10.);
        EXPECT_NEAR(step.secant(at, e)[0] * (e - at), A - A0 + next[4] - spring.m[4], 3e-14 * (1. + A + A0));
        EXPECT_NEAR(step.at(at)[1], 10. * at + 90. * spring.m[1], 1e-14);
        for (int order = 0; order < 3; ++order)
        {
          const double scale = 100. * std::pow(z_y, 1 - order);  // of the slope
          const auto error = [&](const double h) {
            return std::abs((step.at(e + h)[order] - step.at(e - h)[order]) / (2. * h) - step.at(e)[order + 1]) / scale;
          };
          const double coarse = error(4e-5), fine = error(2e-5);
          if (order < 2 || coarse > 1e-9)
          {
            EXPECT_LT(fine, 0.27 * coarse + 3e-10) << n << " " << b << " e = " << e << " derivative " << order + 1;
          }
          EXPECT_LT(coarse, order < 2 ? 1e-4 : 1e-3) << n << " " << b << " e = " << e << " derivative " << order + 1;
        }
        EXPECT_NEAR((step.secant(at, e + 1e-7)[0] - step.secant(at, e - 1e-7)[0]) / 2e-7, step.secant(at, e)[1], 1e-4);
      }
    }
  // Negative control: below b = 1/2 unloading gives energy.
  Driven wrong{law(2., 0.2)};
  wrong.to(0.03);
  const double before = wrong.m[4];
  wrong.to(0.02);
  EXPECT_LT(wrong.m[4], before - 1e-4);
}

/// Large n: the law of Prager with C = a k/(1 - a), whose slope beyond yield is a k.
TEST(BoucWen, TendsToThePlasticLaw)
{
  YieldLaw sharp;
  sharp.k = 100.;
  sharp.yield = 0.9 * 2.;  // both yield at z = z_y
  const auto worst = [&](const double n) {
    Driven spring{law(n, 0.5)};
    std::array<double, 3> m{};
    sharp.k = 90.;
    double most = 0.;
    for (const double goal : {0.05, -0.03, 0.02, 0.021, -0.2})
    {
      std::array<double, 3> next{};
      const YieldLaw::InStep step(sharp, {m.data(), 1., next.data()}, 0);
      most = std::max(most, std::abs(spring.to(goal) - 10. * goal - step.at(goal)[1]));
      step.remember(goal);
      m = next;
    }
    return most;
  };
  EXPECT_LT(worst(50.), 0.02);
  EXPECT_LT(worst(50.), 0.1 * worst(2.));
  EXPECT_GT(worst(2.), 0.1) << "control";
}
}  // namespace symdyn::tests::in_bouc_wen
