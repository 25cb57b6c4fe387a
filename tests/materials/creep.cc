// The law `creep` at one point: closed forms of Norton's law, by time and by strain.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>

#include "materials/point/material_point.h"
#include "solver/error.h"
#include "tests/materials.h"

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

TEST(Creep, WrongInput)
{
  for (const auto &[text, words] : {std::pair{"set Creep exponent = 3\n", "Give Creep coefficient and Creep exponent"},
                                    {"set Creep coefficient = 1\nset Creep exponent = 0.5\n", ">= 1"},
                                    {"set Creep coefficient = 1\nset Creep exponent = 3\nset Time exponent = -1.5\n", "(-1, 0]"}})
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
