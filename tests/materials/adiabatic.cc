// Johnson's and Cook's softening by the heat of plastic work, at one point.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>

#include "materials/point/material_point.h"
#include "solver/error.h"
#include "tests/materials/increments.h"

namespace symdyn::tests::in_adiabatic
{
namespace
{
/// Copper of Johnson and Cook (1983).
std::string copper(const double fraction, const double start)
{
  return fmt::format(
      "set Kinematics = small\nset E = 117e9\nset nu = 0.35\nset Density = 8930\nset Yield stress = 90e6\n"
      "set Johnson-Cook modulus = 292e6\nset Johnson-Cook exponent = 0.31\nset Heat fraction = {}\nset Specific heat = 383\n"
      "set Room temperature = 298\nset Melting temperature = 1356\nset Softening exponent = 1.09\nset Start temperature = {}\n",
      fraction, start);
}
const std::string rate = "set Rate = johnson-cook\nsubsection johnson-cook\nset Coefficient = 0.025\nset Reference rate = 1\nend\n";

MaterialPoint::Target uniaxial(const double strain)
{
  MaterialPoint::Target target;
  target.is_stress.fill(true);
  target.is_stress[0] = false;
  target.value[0] = strain;
  return target;
}
MaterialPoint pulled(const Material &law, const double strain, const int steps, const double duration)
{
  MaterialPoint point(law);
  for (int k = 1; k <= steps; ++k)
    point.step(uniaxial(strain * k / steps), duration / steps);
  return point;
}
}  // namespace

/// The third number of F10 of the references, at 600 K, over that of its formula at 298 K: 0.7449.
TEST(Adiabatic, StressAtATemperature)
{
  const double softer = 366507938.264 / (382e6 * (1. + 0.025 * std::log(1e5)));
  const auto cold = make("plastic", copper(1e-9, 298.) + rate), hot = make("plastic", copper(1e-9, 600.) + rate);
  const MaterialPoint of_cold = pulled(*cold, 0.5, 300, 5e-5), of_hot = pulled(*hot, 0.5, 300, 5e-5);
  EXPECT_NEAR(of_hot.stress()[0] / of_cold.stress()[0], softer, 1e-3) << "at almost the same p";
  const double p = of_hot.flow(), R = 90e6 + 292e6 * std::pow(p, 0.31);
  EXPECT_NEAR(of_hot.stress()[0], R * (1. + 0.025 * std::log(1e4)) * softer, 3e-4 * R);
}

/// T' = beta sigma p'/(rho c), integrated in short steps of p, to which the law tends with order 1; energies add up to the work.
TEST(Adiabatic, HeatOfThePlasticWork)
{
  constexpr double beta = 0.9;
  const auto law = make("plastic", copper(beta, 298.));
  std::array<double, 2> errors{};
  for (const int i : {0, 1})
  {
    const MaterialPoint point = pulled(*law, 0.6, 200 << i, 1.);
    const auto stress = [](const double p, const double T) {
      return (90e6 + 292e6 * std::pow(p, 0.31)) * (1. - std::pow(std::max(T - 298., 0.) / 1058., 1.09));
    };
    double T = 298., work = 0.;
    constexpr int fine = 20000;
    for (int k = 0; k < fine; ++k)
    {
      const double dp = point.flow() / fine, p = (k + 0.5) * dp, half = T + beta * stress(p, T) * 0.5 * dp / (8930. * 383.);
      work += stress(p, half) * dp;
      T += beta * stress(p, half) * dp / (8930. * 383.);
    }
    EXPECT_GT(T, 330.);
    EXPECT_NEAR(point.memory().back(), T - 298., 2e-2 * (T - 298.));
    EXPECT_NEAR(point.dissipated() + point.kept(), point.memory().back() * 8930. * 383. / beta, 1e-9 * work) << "work is stored or lost";
    errors[i] = std::abs(point.stress()[0] - stress(point.flow(), T));
  }
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 1., 0.15);
  const auto cold = make("plastic", copper(1e-9, 298.));
  EXPECT_GT(pulled(*cold, 0.6, 200, 1.).stress()[0], 1.02 * pulled(*law, 0.6, 200, 1.).stress()[0]) << "the control";
}

/// Backstresses store a part of the plastic work, which heats as the rest.
TEST(Adiabatic, HeatOfBackstresses)
{
  const auto law = make("plastic", copper(0.9, 298.) + "set Backstress moduli = 2e9\nset Backstress recovery = 5\n");
  const MaterialPoint point = pulled(*law, 0.3, 200, 1.);
  const double work = point.dissipated() + point.kept();
  EXPECT_NEAR(point.memory().back() * 8930. * 383. / 0.9, work, 1e-9 * work);
  const auto without = make("plastic", copper(0.9, 298.));
  EXPECT_GT(point.memory().back(), 1.2 * pulled(*without, 0.3, 200, 1.).memory().back());
}

TEST(Adiabatic, DerivativesHaveSlopeTwo)
{
  for (const std::string measure : {"small", "logarithmic", "multiplicative"})
  {
    SCOPED_TRACE(measure);
    Point point("plastic",
                "set E = 1000\nset nu = 0.3\nset Density = 1\nset Yield stress = 20\nset Hardening modulus = 200\nset Heat "
                "fraction = 0.9\nset Specific heat = 1\nset Room temperature = 0\nset Melting temperature = 40\nset Softening "
                "exponent = 1\nset Kinematics = " +
                    measure + "\n");
    expect_state_keeps_its_stress(point, wide(random_C), 0.4);
    EXPECT_GT(point.memory()[point.law().variables() - 1][0], 0.5) << "warmer";
    expect_derivatives(point.increment(0.4), flowing(point.law(), point.memory(), 0.4));
  }
}

TEST(Adiabatic, WrongInput)
{
  const std::string usual = "set E = 1000\nset nu = 0.3\nset Yield stress = 20\n", density = "set Density = 1\n",
                    all = "set Heat fraction = 0.9\nset Specific heat = 1\nset Room temperature = 0\nset Softening exponent = 1\n";
  for (const auto &[text, words] : {std::pair{density + "set Heat fraction = 0.9\n", "Give all five, or none"},
                                    {density + all + "set Melting temperature = -1\n", "is not above Room temperature"},
                                    {density + all + "set Melting temperature = 9\nset Start temperature = 10\n", "molten at the start"},
                                    {all + "set Melting temperature = 9\n", "needs the Density"}})
    try
    {
      make("plastic", usual + text);
      ADD_FAILURE() << text;
    }
    catch (const InputError &error)
    {
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
}
}  // namespace symdyn::tests::in_adiabatic
