// The law `plastic` at one point: closed forms, an independent program, and what every increment must hold to.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <tuple>
#include <vector>

#include "materials/algebra/tensor_functions.h"
#include "materials/point/material_point.h"
#include "solver/error.h"
#include "tests/materials.h"

namespace symdyn::tests::in_plastic
{
namespace
{
using Gradient = MaterialPoint::Gradient;
using Target = MaterialPoint::Target;
constexpr double E = 200000., nu = 0.3;

std::unique_ptr<Material> plastic(const std::string &more, const double E_of = E, const double nu_of = nu)
{
  return make("plastic", fmt::format("set E = {}\nset nu = {}\n{}", E_of, nu_of, more));
}
std::string yield(const double stress, const double H = 0.)
{
  return fmt::format("set Yield stress = {}\n", stress) + (H == 0. ? "" : fmt::format("set Hardening modulus = {}\n", H));
}
const std::string two_backstresses = "set Backstress moduli = 60000, 15000\nset Backstress recovery = 400, 30\n";
const std::string small = "set Kinematics = small\n";

Gradient shear(const double gamma) { return {{{1., gamma, 0.}, {0., 1., 0.}, {0., 0., 1.}}}; }

/// Uniaxial: one strain or stress is given, the other stresses vanish.
Target uniaxial(const double value, const bool is_stress)
{
  Target target;
  target.is_stress.fill(true);
  target.is_stress[0] = is_stress;
  target.value[0] = value;
  return target;
}
Target strained(const std::array<double, 6> &strain) { return {strain, {}}; }

/// A strain path in equal steps.
void go(MaterialPoint &point, const std::array<double, 6> &to, const int steps, const double dt = 1.)
{
  const std::array<double, 6> from = point.strain();
  for (int k = 1; k <= steps; ++k)
  {
    std::array<double, 6> now;
    for (int c = 0; c < 6; ++c)
      now[c] = from[c] + (to[c] - from[c]) * k / steps;
    point.step(strained(now), dt);
  }
}
}  // namespace

/// Simple shear to gamma = 4 in N steps, Cauchy stress and p: an independent program of the same algorithm. In the limit of small steps the
/// shear stress of a perfectly plastic body is sigma_y/sqrt(3).
TEST(Plastic, SimpleShearMultiplicative)
{
  struct Row
  {
    double H;
    int steps;
    double gamma, s11, s12, p;
  };
  for (const Row &row : {Row{500., 4, 1., 135.989901, 271.979802, 0.55337324},
                         {500., 4, 4., 354.234733, 698.34704, 2.21257258},
                         {500., 40, 1., 16.668091, 309.792002, 0.57470318},
                         {500., 40, 2., 26.618351, 475.689618, 1.15041504},
                         {500., 40, 4., 48.650254, 807.295861, 2.30162836},
                         {500., 400, 4., 12.52153, 809.116013, 2.3031957},
                         {500., 4000, 4., 8.897299, 809.185093, 2.30326883},
                         {0., 40, 1., 7.47732, 144.143758, 0.57597731},
                         {0., 40, 4., 7.47732, 144.143758, 2.30714214},
                         {0., 4000, 4., 0.343001, 144.33716, 2.30831142}})
  {
    const auto law = plastic(yield(250., row.H));
    MaterialPoint point(*law);
    for (int k = 1; k <= row.steps * row.gamma / 4.; ++k)
      point.step(shear(4. * k / row.steps), 1.);
    EXPECT_NEAR(point.stress()[0], row.s11, 6e-7 + 1e-8 * std::abs(row.s11)) << row.H << " " << row.steps;
    EXPECT_NEAR(point.stress()[1], -row.s11, 6e-7 + 1e-8 * std::abs(row.s11)) << row.H << " " << row.steps;
    EXPECT_NEAR(point.stress()[3], row.s12, 6e-7 + 1e-8 * row.s12) << row.H << " " << row.steps;
    EXPECT_NEAR(point.flow(), row.p, 1e-8) << row.H << " " << row.steps;
  }
}

/// The additive split of logarithms loses shear stress: the limit of this measure, from an independent program.
TEST(Plastic, SimpleShearLogarithmic)
{
  struct Row
  {
    std::string law;
    double gamma, s11, s12, p;
  };
  const std::string logarithmic = "set Kinematics = logarithmic\n", prager = yield(250.) + "set Backstress moduli = 500\n";
  for (const Row &row : {Row{yield(250.) + logarithmic, 1., 15.562107, 140.549443, 0.57282562},
                         {yield(250.) + logarithmic, 4., 97.18559, 76.833601, 1.87420814},
                         {yield(250., 500.) + logarithmic, 2., 169.980958, 383.967965, 1.09640506},
                         {prager, 1., 87.1082, 283.40505, 0.5715872},
                         {prager, 4., 526.45388, 291.40669, 1.8701561}})
  {
    const auto law = plastic(row.law);
    MaterialPoint point(*law);
    for (int k = 1; k <= 1000 * row.gamma; ++k)
      point.step(shear(k / 1000.), 1.);
    EXPECT_NEAR(point.stress()[0], row.s11, 1e-5 * row.s11) << row.law;
    EXPECT_NEAR(point.stress()[3], row.s12, 1e-5 * row.s12) << row.law;
    EXPECT_NEAR(point.flow(), row.p, 1e-5 * row.p) << row.law;
  }
}

/// Kirchhoff's stress sigma_y + H p at p = eps - tau/E, closed form, in one step or many.
TEST(Plastic, UniaxialStressIsTheClosedForm)
{
  for (const int steps : {1, 7})
    for (const auto &[eps, p, kirchhoff, cauchy] :
         {std::array{0.1, 0.09850374064838, 299.25187032419, 299.07282054673}, {0.5, 0.49750623441397, 498.75311720698, 498.25585591499}})
    {
      const auto law = plastic(yield(250., 500.));
      MaterialPoint point(*law);
      for (int k = 1; k <= steps; ++k)
        point.step(uniaxial(eps * k / steps, false), 1.);
      EXPECT_NEAR(point.flow(), p, 1e-9) << steps;
      EXPECT_NEAR(point.stress()[0], cauchy, 1e-9 * cauchy) << steps;
      const auto e = point.strain();
      EXPECT_NEAR(point.stress()[0] * std::exp(e[0] + e[1] + e[2]), kirchhoff, 1e-9 * kirchhoff);
      EXPECT_NEAR(e[1], -nu * kirchhoff / E - 0.5 * p, 1e-10);
    }
}

/// Two steps of a general deformation gradient: stresses, energies and their sum W_n, of an independent program.
TEST(Plastic, TwoStepsWithTheirEnergies)
{
  const auto law = plastic(yield(250., 500.));
  MaterialPoint point(*law);
  point.step({{{1.1, 0.2, 0.05}, {-0.1, 0.95, 0.1}, {0.02, -0.03, 1.02}}}, 1.);
  const double first[6] = {11945.147452087656,  15235.0931044911, 13619.373894000957,
                           -1418.5679890230574, -595.37290289651, -926.9365470199483};
  for (int c = 0; c < 6; ++c)
    EXPECT_NEAR(point.second_stress()[c], first[c], 1e-9 * 15235.);
  EXPECT_NEAR(point.flow(), 0.11129107506296314, 1e-11);
  EXPECT_NEAR(point.kept(), 3.0964258471675237, 1e-9);
  EXPECT_NEAR(point.stored_energy(), 608.5847903459902 + 3.0964258471675237, 1e-7);
  EXPECT_NEAR(point.dissipated(), 27.822768765740783, 1e-8);
  EXPECT_NEAR(point.increment(), 639.5039849588985, 1e-7);
  EXPECT_NEAR(point.increment(), point.stored_energy() + point.dissipated(), 1e-10);
  point.step({{{1., 0.3, 0.}, {0., 1., 0.}, {0., 0., 1.}}}, 1.);
  const double second[6] = {-199.1593583436232, 87.19949902692035,  7.45674446815109,
                            161.09193322697982, -37.40518736326873, -50.47053205783753};
  for (int c = 0; c < 6; ++c)
    EXPECT_NEAR(point.second_stress()[c], second[c], 1e-9 * 15235.);
  EXPECT_NEAR(point.flow(), 0.2643130519636479, 1e-10);
}

/// A stretch with and without a full turn about z: the same stress in the body, and an independent program's.
TEST(Plastic, RotationsAreNotSeen)
{
  for (const std::string measure : {"multiplicative", "logarithmic"})
  {
    const auto law = plastic(yield(250., 500.) + "set Kinematics = " + measure + "\n");
    MaterialPoint still(*law), spinning(*law);
    for (int k = 1; k <= 20; ++k)
    {
      const double s = k / 20., a = std::exp(0.3 * s), b = std::exp(-0.14 * s), angle = 2. * M_PI * s, c = std::cos(angle),
                   d = std::sin(angle);
      still.step({{{a, 0., 0.}, {0., b, 0.}, {0., 0., b}}}, 1.);
      spinning.step({{{c * a, -d * b, 0.}, {d * a, c * b, 0.}, {0., 0., b}}}, 1.);
    }
    EXPECT_NEAR(still.stress()[0], 3525.9766013, 1e-7);
    EXPECT_NEAR(still.stress()[1], 3138.0050658, 1e-7);
    EXPECT_NEAR(still.flow(), 0.29161816065, 1e-11);
    for (int c = 0; c < 6; ++c)
      EXPECT_NEAR(spinning.stress()[c], still.stress()[c], 1e-11 * 3526. * 20.);
    for (std::size_t i = 0; i < still.variables().size(); ++i)
      EXPECT_NEAR(spinning.variables()[i][0], still.variables()[i][0], 1e-12 * std::max(1., std::abs(still.variables()[i][0])));
  }
}

/// Strains at 330 MPa and p at -230 MPa, after each of so many cycles in so many steps a half one.
std::array<std::vector<double>, 2> ratcheted(const int steps, const int cycles)
{
  const auto law = plastic(small + yield(200.) + two_backstresses);
  MaterialPoint point(*law);
  std::array<std::vector<double>, 2> all{std::vector<double>{0.}, std::vector<double>{0.}};
  for (int half = 0; half < 2 * cycles; ++half)
  {
    const double start = point.stress()[0], end = half % 2 ? -230. : 330.;
    for (int k = 1; k <= steps; ++k)
      point.step(uniaxial(start + (end - start) * k / steps, true), 1.);
    all[half % 2].push_back(half % 2 ? point.flow() : point.strain()[0]);
  }
  return all;
}

/// Cycles of 330 and -230 MPa ratchet: closed form of exponentials, approached with order 1.
TEST(Plastic, RatchetingOfTwoBackstresses)
{
  const auto coarse = ratcheted(200, 10), fine = ratcheted(400, 10);
  for (const auto &[what, cycle, exact] :
       {std::tuple{0, 1, 0.0041237932}, {1, 1, 0.0043787286}, {0, 2, 0.0048862818}, {0, 10, 0.0083481874}, {1, 10, 0.0453314799}})
  {
    EXPECT_NEAR((coarse[what][cycle] - exact) / (fine[what][cycle] - exact), 2., 0.05) << cycle;
    EXPECT_NEAR(2. * fine[what][cycle] - coarse[what][cycle], exact, 1e-4 * exact) << cycle;
  }
}

/// The same over 200 cycles, extrapolated; each late cycle adds as much.
TEST(Plastic, RatchetingOfTwoHundredCyclesNightly)
{
  const auto coarse = ratcheted(100, 200), fine = ratcheted(200, 200);
  const auto limit = [&](const int cycle) { return 2. * fine[0][cycle] - coarse[0][cycle]; };
  for (const auto &[cycle, exact] : {std::pair{50, 0.0226843014}, {100, 0.0405908608}, {200, 0.0764039795}})
    EXPECT_NEAR(limit(cycle), exact, 2e-3 * exact) << cycle;
  EXPECT_NEAR(limit(200) - limit(199), 0.000358130953, 2e-3 * 0.000358130953);
  EXPECT_NEAR(2. * fine[1][100] - coarse[1][100], 0.4521589127, 2e-3 * 0.4521589127);
}

/// sigma = 200 + 100 (1 - exp(-10 p)) + sum C/gamma (1 - exp(-gamma p)): backstresses in the limit of small steps.
TEST(Plastic, VoceAndTwoBackstresses)
{
  const std::string voce = "set Saturation stress = 100\nset Saturation rate = 10\n";
  for (const auto &[p, sigma, eps] :
       {std::array{0.002, 313.6985212596, 0.003568492606}, {0.01, 486.3598020222, 0.01243179901}, {0.05, 777.7818536453, 0.053888909268}})
  {
    const auto isotropic = plastic(small + yield(200.) + voce), law = plastic(small + yield(200.) + voce + two_backstresses);
    MaterialPoint alone(*isotropic);
    const double flow = 200. + 100. * (1. - std::exp(-10. * p));
    alone.step(uniaxial(p + flow / E, false), 1.);
    EXPECT_NEAR(alone.stress()[0], flow, 1e-9 * flow);
    std::array<double, 2> errors{};
    for (const int steps : {200, 400})
    {
      MaterialPoint at(*law);
      for (int k = 1; k <= steps; ++k)
        at.step(uniaxial(eps * k / steps, false), 1.);
      errors[steps / 200 - 1] = std::abs(at.stress()[0] - sigma);
    }
    EXPECT_LT(errors[1], 2e-2 * sigma);
    EXPECT_NEAR(errors[0] / errors[1], 2., 0.3) << "of order 1 in the step";
  }
}

/// Strain along four legs, not proportional: an independent program of the same algorithm, 10 steps a leg.
TEST(Plastic, NonProportionalPathOfTwoBackstresses)
{
  const auto law = plastic(small + yield(200.) + "set Saturation stress = 100\nset Saturation rate = 10\n" + two_backstresses);
  MaterialPoint point(*law);
  const double corners[4][3] = {{302.6928550164, 0, 0.008032496442},
                                {79.8461426051, 277.971472687, 0.017733280272},
                                {-258.4247385404, 85.2599421986, 0.025798033492},
                                {-39.9136508471, -233.0424795608, 0.035205604371}};
  const std::array<double, 6> path[4] = {
      {0.01, -0.005, -0.005, 0., 0., 0.}, {0.01, -0.005, -0.005, 0.01, 0., 0.}, {0., 0., 0., 0.01, 0., 0.}, {}};
  for (int leg = 0; leg < 4; ++leg)
  {
    go(point, path[leg], 10);
    EXPECT_NEAR(point.stress()[0], corners[leg][0], 1e-8 * 300.) << leg;
    EXPECT_NEAR(point.stress()[3], corners[leg][1], 1e-8 * 300.) << leg;
    EXPECT_NEAR(point.flow(), corners[leg][2], 1e-10) << leg;
  }
}

/// A square path of plane strain in one step a leg, perfectly plastic and hardening: NAFEMS' test of points, an independent program.
TEST(Plastic, SquarePathOfPlaneStrain)
{
  const double R = 2.5e-5;
  const double legs[8][2] = {{R, 0}, {R, 0}, {0, R}, {0, R}, {-R, 0}, {-R, 0}, {0, -R}, {0, -R}};
  const double perfect[8][3] = {{7.5, 2.5, 2.5},
                                {11.666667, 6.666667, 6.666667},
                                {14.166667, 14.166667, 9.166667},
                                {16.666667, 19.553418, 13.779915},
                                {10.142977, 15.719753, 11.63727},
                                {5.253735, 10.977844, 8.768421},
                                {2.753735, 3.477844, 6.268421},
                                {0.187741, -2.97604, 2.788298}};
  const auto law = plastic(small + yield(5.), 250000., 0.25), hardening = plastic(small + yield(5., 62500.), 250000., 0.25);
  MaterialPoint point(*law), other(*hardening), fine(*law);
  std::array<double, 6> eps{};
  for (int leg = 0; leg < 8; ++leg)
  {
    eps[0] += legs[leg][0];
    eps[1] += legs[leg][1];
    point.step(strained(eps), 1.);
    other.step(strained(eps), 1.);
    go(fine, eps, 1000);
    for (int c = 0; c < 3; ++c)
      EXPECT_NEAR(point.stress()[c], perfect[leg][c], 1e-6) << leg;
  }
  const double last[3] = {-0.759083, -2.426142, 3.185225}, exact_last[3] = {0.235107, -2.997115, 2.762009};
  for (int c = 0; c < 3; ++c)
  {
    EXPECT_NEAR(other.stress()[c], last[c], 1e-6);
    EXPECT_NEAR(fine.stress()[c], exact_last[c], 3e-3);
  }
}

/// A thin tube, drawn to eps = 0.003 and held, then twisted: sigma and tau in closed form (Hohenemser, Prager), approached with order 1.
TEST(Plastic, ThinTubeDrawnAndTwisted)
{
  const auto law = plastic(small + yield(200.));
  std::vector<double> errors, of_tau;
  for (const int steps : {500, 1000, 2000})
  {
    MaterialPoint point(*law);
    point.step(uniaxial(0.003, false), 1.);
    for (int k = 1; k <= steps; ++k)
    {
      Target target = uniaxial(0.003, false);
      target.is_stress[3] = false;
      target.value[3] = 0.5 * 0.006 * k / steps;
      point.step(target, 1.);
    }
    errors.push_back(std::abs(point.stress()[0] - 10.9515302757));
    of_tau.push_back(std::abs(point.stress()[3] - 115.2968111508));
  }
  EXPECT_LT(errors.back(), 0.05);
  EXPECT_LT(of_tau.back(), 0.002);
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 1., 0.05);
  EXPECT_NEAR(std::log2(of_tau[1] / of_tau[2]), 1., 0.05);
}

/// sigma = sigma_y + D p'^(1/n), steadily.
TEST(Plastic, RatesRaiseTheStress)
{
  struct Case
  {
    std::string rate;
    double overstress;
  };
  for (const Case &one :
       {Case{"set Rate = norton\nsubsection norton\nset Drag stress = 100\nset Exponent = 5\nend\n", 39.8107170543},
        {"set Rate = perzyna\nsubsection perzyna\nset Fluidity = 100\nset Exponent = 5\nend\n", 200. * std::pow(1e-4, 0.2)},
        {"set Rate = cowper-symonds\nsubsection cowper-symonds\nset Reference rate = 40\nset Exponent = 5\nend\n",
         200. * std::pow(0.01 / 40., 0.2)},
        {"set Rate = johnson-cook\nsubsection johnson-cook\nset Coefficient = 0.1\nset Reference rate = 1e-3\nend\n",
         200. * 0.1 * std::log(10.)},
        {"set Rate = johnson-cook\nsubsection johnson-cook\nset Coefficient = 0.1\nset Reference rate = 1\nend\n", 0.}})
  {
    const auto law = plastic(small + yield(200.) + one.rate);
    EXPECT_TRUE(inelastic(*law)->depends_on_rates());
    MaterialPoint point(*law);
    for (int k = 1; k <= 40; ++k)
      point.step(uniaxial(0.01 * k * 0.1, false), 0.1);
    EXPECT_NEAR(point.stress()[0], 200. + one.overstress, 1e-7 * 200.) << one.rate;
    const double before = point.dissipated(), p = point.flow();
    point.step(uniaxial(0.041, false), 0.1);
    EXPECT_NEAR(point.dissipated() - before, (200. + one.overstress) * (point.flow() - p), 1e-9) << one.rate;
  }
}

/// (A + B p^n)(1 + C ln p'/p'_0), copper of Johnson and Cook 1983 at the reference temperature.
TEST(Plastic, FlowStressOfJohnsonAndCook)
{
  const std::string curve =
      "set Yield stress = 90e6\nset Johnson-Cook modulus = 292e6\nset Johnson-Cook exponent = 0.31\nset Rate = johnson-cook\nsubsection johnson-cook\nset Coefficient = 0.025\nset Reference rate = 1\nend\n";
  const auto law = plastic(small + curve, 117e9, 0.35);
  MaterialPoint point(*law);
  for (int k = 1; k <= 200; ++k)
    point.step(uniaxial(0.1015 * k / 200., false), 1e-3);
  const double p = point.flow(), rate = 0.1015 / 200. / 1e-3;
  EXPECT_GT(p, 0.099);
  EXPECT_LT(rate, 1.) << "below the reference rate, which then has no influence";
  EXPECT_NEAR(point.stress()[0], 90e6 + 292e6 * std::pow(p, 0.31), 1e-10 * 233e6);
  MaterialPoint fast(*law);
  for (int k = 1; k <= 300; ++k)
    fast.step(uniaxial(0.51 * k / 300., false), 0.51 / 300. / 1e4);
  const double static_stress = 90e6 + 292e6 * std::pow(fast.flow(), 0.31);
  EXPECT_NEAR(fast.stress()[0] / static_stress, 1. + 0.025 * std::log(1e4), 2e-4);
}

TEST(Plastic, ATableIsItsLines)
{
  const auto law = plastic(small + "set Hardening table = 0 200, 0.01 250, 0.03 300\n");
  MaterialPoint point(*law);
  for (const auto &[eps, expected_p] : {std::pair{0.005 + 225. / E, 0.005}, {0.02 + 275. / E, 0.02}, {0.05 + 300. / E, 0.05}})
  {
    point.step(uniaxial(eps, false), 1.);
    EXPECT_NEAR(point.flow(), expected_p, 1e-12);
  }
  EXPECT_NEAR(point.kept(), 0.5 * 50. * 0.01 + 75. * 0.02 + 100. * 0.02, 1e-10);
}
}  // namespace symdyn::tests::in_plastic
