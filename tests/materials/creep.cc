// The law `creep` at one point: closed forms of Norton's law, by time and by strain; beside plastic flow.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>

#include "materials/point/material_point.h"
#include "solver/error.h"
#include "tests/materials/increments.h"

namespace symdyn::tests::in_creep
{
namespace
{
std::unique_ptr<Material> creep(const double E_of, const double A, const double n, const std::string &more = "")
{
  return make("creep",
              fmt::format("set Kinematics = small\nset E = {}\nset nu = 0.3\nset Creep coefficient = {:.15g}\nset Creep exponent = {}\n{}",
                          E_of, A, n, more));
}

MaterialPoint::Target uniaxial(const double value, const bool is_stress)
{
  MaterialPoint::Target target;
  target.is_stress.fill(true);
  target.is_stress[0] = is_stress;
  target.value[0] = value;
  return target;
}
}  // namespace

/// Under a constant stress the strain is sigma/E + A sigma^n t, in any steps.
TEST(Creep, ConstantStressIsExact)
{
  const auto law = creep(200000., 1e-12, 5.);
  for (const int steps : {1, 7})
  {
    MaterialPoint point(*law);
    for (int k = 0; k < steps; ++k)
      point.step(uniaxial(100., true), 1. / steps);
    EXPECT_NEAR(point.strain()[0], 0.0105, 1e-9);
    EXPECT_NEAR(point.dissipated(), 100. * 0.01, 1e-8) << "stress times creep strain";
  }
}

/// Relaxation under a constant strain: sigma = (sigma_0^(1-n) + (n-1) E A t)^(-1/(n-1)), with order 1.
TEST(Creep, RelaxationUnderAConstantStrain)
{
  const auto law = creep(210000., 1e-10, 5.);
  for (const auto &[t, sigma] : {std::pair{0.001, 58.63073378}, {0.01, 33.02550176}, {0.1, 18.5747125}, {1., 10.4455033}})
  {
    std::array<double, 2> errors{};
    for (const int k : {0, 1})
    {
      const int steps = k == 0 ? 500 : 1000;
      MaterialPoint point(*law);
      point.step(uniaxial(200., true), 1e-12);
      const double eps = point.strain()[0];
      double before = 0;
      for (int i = 1; i <= steps; ++i)  // graded: the stress falls fast at first
      {
        const double now = t * std::pow(double(i) / steps, 4);
        point.step(uniaxial(eps, false), now - before);
        before = now;
      }
      errors[k] = std::abs(point.stress()[0] - sigma);
    }
    EXPECT_LT(errors[1], 1e-3 * sigma) << t;
    EXPECT_NEAR(std::log2(errors[0] / errors[1]), 1., 0.15) << t;
  }
}

/// p = A q^n t^(m+1)/(m+1) under a constant stress, by time exactly, by strain in the limit; after a step of the stress they differ as they
/// must: time goes on, strain looks for the time of its curve.
TEST(Creep, TimeAndStrainHardening)
{
  constexpr double A = 1e-6, n = 3., m = -0.5;
  const auto by_time = creep(1000., A, n, "set Time exponent = -0.5\n"),
             by_strain = creep(1000., A, n, "set Time exponent = -0.5\nset Hardens by = strain\n");
  const auto curve = [&](const double q, const double t) { return A * std::pow(q, n) * std::pow(t, m + 1.) / (m + 1.); };
  MaterialPoint time(*by_time), strain(*by_strain);
  constexpr int steps = 4000;
  for (int k = 1; k <= steps; ++k)
  {
    const double dt = 4. * (std::pow(double(k) / steps, 2) - std::pow(double(k - 1) / steps, 2));
    time.step(uniaxial(10., true), dt);
    strain.step(uniaxial(10., true), dt);
  }
  EXPECT_NEAR(time.flow(), curve(10., 4.), 1e-9 * curve(10., 4.));
  EXPECT_NEAR(strain.flow(), curve(10., 4.), 2e-3 * curve(10., 4.));
  for (int k = 0; k < steps; ++k)
  {
    time.step(uniaxial(20., true), 4. / steps);
    strain.step(uniaxial(20., true), 4. / steps);
  }
  const double of_time = curve(10., 4.) + curve(20., 8.) - curve(20., 4.);
  // The curve of 20 has the strain of curve(10, 4) at t* = 4/8².
  const double of_strain = curve(20., 4. / 64. + 4.);
  EXPECT_NEAR(time.flow(), of_time, 1e-9 * of_time);
  EXPECT_NEAR(strain.flow(), of_strain, 2e-3 * of_strain);
  EXPECT_GT(std::abs(of_strain / of_time - 1.), 0.2) << "or the test could not tell";
}

/// S = 2 dW_n/dC by differences, by time and by strain, from the virgin state and from a crept one.
TEST(Creep, StressIsTheSlopeOfTheIncrement)
{
  for (const std::string more : {"", "set Time exponent = -0.5\n", "set Time exponent = -0.3\nset Hardens by = strain\n"})
  {
    const auto law = creep(1000., 1e-4, 3., more);
    const InelasticMaterial &rule = *inelastic(*law);
    std::vector<Wide> m = rule.virgin(), next(m.size());
    for (const bool crept : {false, true})
    {
      if (crept)
        rule.incremental_stress(wide(random_C), m.data(), 0.1, next.data());
      if (crept)
        m = next;
      const Symmetric<Wide> C = wide(random_C), H = wide([] { return random_symmetric(1.); }),
                            S = rule.incremental_stress(C, m.data(), 0.02, nullptr);
      const auto at = [&](const double h) {
        Symmetric<Wide> r = C;
        for (int c = 0; c < 6; ++c)
          r[c] += h * H[c];
        return rule.incremental_energy(r, m.data(), 0.02);
      };
      const Wide slope = 0.5 * contract(S, H), difference = (1. / 2e-5) * (at(1e-5) - at(-1e-5));
      for (int i = 0; i < lanes; ++i)
        EXPECT_NEAR(difference[i], slope[i], 1e-4 * std::abs(slope[i]) + 1e-5) << more << crept;
    }
  }
}

namespace
{
const std::string hardens = "set Yield stress = 4\nset Hardening modulus = 100\n";
}

/// Under a constant stress above the yield stress: sigma/E + (sigma - sigma_y)/H + A sigma^n t, in any steps, and all work is accounted
/// for.
TEST(Creep, BesidePlasticFlowUnderAConstantStress)
{
  const auto law = creep(1000., 1e-3, 2., hardens);
  for (const int steps : {1, 7})
  {
    MaterialPoint point(*law);
    for (int k = 0; k < steps; ++k)
      point.step(uniaxial(6., true), 3. / steps);
    constexpr double plastic = 0.02, crept = 1e-3 * 36. * 3.;
    EXPECT_NEAR(point.strain()[0], 0.006 + plastic + crept, 1e-10);
    EXPECT_NEAR(point.flow(), plastic + crept, 1e-10);
    EXPECT_NEAR(point.memory().back(), crept, 1e-10) << "p_creep";
    EXPECT_NEAR(point.kept(), 0.5 * 100. * plastic * plastic, 1e-9);
    EXPECT_NEAR(point.dissipated(), 4. * plastic + 6. * crept, 1e-9);
  }
}

/// Without rates only plastic flow is left, and below the yield stress only creep.
TEST(Creep, BesidePlasticFlowEachAloneIsItsLaw)
{
  Point both("creep", "set E = 1000\nset nu = 0.3\nset Creep coefficient = 1e-3\nset Creep exponent = 3\n" + hardens),
      plastic("plastic", "set E = 1000\nset nu = 0.3\nset Kinematics = logarithmic\n" + hardens),
      elastic_limit("creep", "set E = 1000\nset nu = 0.3\nset Creep coefficient = 1e-3\nset Creep exponent = 3\nset Yield stress = 1e9\n"),
      crept("creep", "set E = 1000\nset nu = 0.3\nset Creep coefficient = 1e-3\nset Creep exponent = 3\n");
  const Symmetric<Wide> C = wide(random_C);
  const auto at_once = PointLaw(both.law(), both.memory(), std::numeric_limits<double>::infinity()).stress(C),
             alone = plastic.increment(1.).stress(C), slow = elastic_limit.stress(C, 0.3), creeping = crept.stress(C, 0.3);
  double difference = 0.;
  for (int m = 0; m < 6; ++m)
  {
    EXPECT_NEAR(at_once[m][0], alone[m][0], 1e-11 * E);
    EXPECT_NEAR(slow[m][0], creeping[m][0], 1e-11 * E);
    difference = std::max(difference, std::abs(both.stress(C, 0.3)[m][0] - creeping[m][0]));
  }
  EXPECT_GT(difference, 1e-4 * E) << "the control";
}

/// A strain that grows, rests and grows again, in uniaxial stress: s' = E (e' - p' - A s^n), p' > 0 where s = sigma_y + H p; the reference
/// takes short steps of Runge and Kutta, the law tends to it with order 1.
TEST(Creep, BesidePlasticFlowAsTheEquationsOfRates)
{
  constexpr double modulus = 1000., A = 1e-4, n = 3., sigma_y = 4., H = 100.;
  const auto rate = [](const double t) { return t < 1. ? 0.02 : t < 2. ? 0. : 0.03; };
  double s = 0., p = 0., c = 0.;
  constexpr int fine = 30000;
  for (int k = 0; k < fine; ++k)
  {
    constexpr double h = 3. / fine;
    const double e = rate((k + 0.5) * h);
    const auto slope = [&](const double stress) {
      const double free = e - A * std::pow(stress, n);
      const bool flows = stress >= sigma_y + H * p - 1e-12 && free > 0.;
      return std::array{flows ? modulus * H / (modulus + H) * free : modulus * free, flows ? modulus / (modulus + H) * free : 0.};
    };
    const auto first = slope(s), second = slope(s + h * first[0]);
    c += 0.5 * h * A * (std::pow(s, n) + std::pow(s + h * first[0], n));
    s += 0.5 * h * (first[0] + second[0]);
    p += 0.5 * h * (first[1] + second[1]);
  }
  const auto law = creep(modulus, A, n, hardens);
  std::array<double, 3> errors{};
  for (int i = 0; i < 3; ++i)
  {
    const int steps = 150 << i;
    MaterialPoint point(*law);
    double strain = 0.;
    for (int k = 0; k < steps; ++k)
    {
      strain += rate((k + 0.5) * 3. / steps) * 3. / steps;
      point.step(uniaxial(strain, false), 3. / steps);
    }
    errors[i] = std::abs(point.memory().back() - c);
    EXPECT_NEAR(point.stress()[0], s, 5e-3 * s);
    EXPECT_NEAR(point.flow() - point.memory().back(), p, 0.05 * p);
    EXPECT_GT(c, 0.2 * p) << "both count";
  }
  EXPECT_LT(errors[2], 5e-3 * c);
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 1., 0.15);
}

/// S = 2 dW_n/dC, D and the second derivative by differences with slope 2, in every measure, also by time and by strain.
TEST(Creep, BesidePlasticFlowDerivativesHaveSlopeTwo)
{
  for (const std::string measure : {"small", "logarithmic", "multiplicative"})
    for (const std::string more : {"", "set Time exponent = -0.5\n", "set Time exponent = -0.3\nset Hardens by = strain\n"})
    {
      SCOPED_TRACE(measure + ": " + more);
      Point point("creep",
                  "set E = 1000\nset nu = 0.3\nset Creep coefficient = 1e-6\nset Creep exponent = 3\nset Yield stress = 20\n"
                  "set Saturation stress = 30\nset Saturation rate = 5\nset Hardening modulus = 100\nset Kinematics = " +
                      measure + "\n" + more);
      expect_state_keeps_its_stress(point, wide(random_C), 0.4);
      const Wide crept = point.memory()[point.law().variables() - 1], all = point.law().flow(point.memory());
      int both = 0;
      for (int lane = 0; lane < lanes; ++lane)
        both += crept[lane] > 1e-3 * all[lane] && all[lane] - crept[lane] > 1e-3 * all[lane];
      EXPECT_GT(both, 0);
      expect_derivatives(point.increment(0.4), flowing(point.law(), point.memory(), 0.4));
    }
}

TEST(Creep, WrongInput)
{
  for (const auto &[text, words] :
       {std::pair{"set Creep exponent = 3\n", "Give Creep coefficient and Creep exponent"},
        {"set Creep coefficient = 1\nset Creep exponent = 0.5\n", ">= 1"},
        {"set Creep coefficient = 1\nset Creep exponent = 3\nset Time exponent = -1.5\n", "(-1, 0]"},
        {"set Creep coefficient = 1\nset Creep exponent = 3\nset Hardening modulus = 5\n", "Yield stress is missing"},
        {"set Creep coefficient = 1\nset Creep exponent = 3\nset Hardening table = 0 0.02, 0.1 0.01, 1 0.01\n",
         "beside creep a step has several answers"}})
    try
    {
      make("creep", std::string("set E = 1\nset nu = 0.3\n") + text);
      ADD_FAILURE() << text;
    }
    catch (const InputError &error)
    {
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
}
}  // namespace symdyn::tests::in_creep
