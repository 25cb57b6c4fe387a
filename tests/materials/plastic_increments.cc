// Increments of the law `plastic`: derivatives of W_n, frozen states, random histories.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

#include "materials/inelastic.h"
#include "solver/error.h"
#include "tests/materials/increments.h"

namespace symdyn::tests::in_plastic_increments
{
namespace
{
std::string yield(const double stress, const double H = 0.)
{
  return fmt::format("set E = 1000\nset nu = 0.3\nset Yield stress = {}\nset Hardening modulus = {}\n", stress, H);
}
}  // namespace

/// f'(0) by central differences at h, h/2, ..., extrapolated (Richardson): exact to rounding where f is smooth.
template <class F>
double slope(const F &f, double h)
{
  constexpr int levels = 6;
  std::array<double, levels> row{};
  for (int k = 0; k < levels; ++k, h *= 0.5)
  {
    double better = (f(h) - f(-h)) / (2. * h), factor = 1.;
    for (int j = 0; j < k; ++j)
    {
      const double earlier = std::exchange(row[j], better);
      factor *= 4.;
      better += (better - earlier) / (factor - 1.);
    }
    row[k] = better;
  }
  return row.back();
}

/// S = 2 dW_n/dC and D = 2 dS/dC to 1e-10 of E, far beyond first yield.
TEST(Plastic, StressAndModuliAreDerivativesToRounding)
{
  for (const std::string measure : {"small", "logarithmic", "multiplicative"})
  {
    SCOPED_TRACE(measure);
    const auto law = make("plastic", yield(20., 200.) + "set Kinematics = " + measure + "\n");
    const InelasticMaterial &rule = *inelastic(*law);
    const std::vector<Wide> m = rule.virgin();
    const Symmetric<Wide> C = flowing(rule, m.data(), 1.), H = wide([] { return random_symmetric(1.); });
    Symmetric<Wide> S;
    Tangent<Wide> D;
    rule.incremental_tangent(C, m.data(), 1., S, D);
    constexpr double first = 0.004;
    const auto energy = [&](const double h) { return rule.incremental_energy(plus(C, h, H), m.data(), 1.)[0]; };
    EXPECT_NEAR(slope(energy, first), 0.5 * contract(S, H)[0], 1e-10 * 1000.);
    for (int c = 0; c < 6; ++c)
    {
      double along = 0.;
      for (int n = 0; n < 6; ++n)
        along += (n < 3 ? 0.5 : 1.) * D(c, n)[0] * H[n][0];
      const auto component = [&](const double h) { return rule.incremental_stress(plus(C, h, H), m.data(), 1., nullptr)[c][0]; };
      EXPECT_NEAR(slope(component, first), along, 1e-10 * 1000.) << c;
      EXPECT_GT(std::abs(along - D(0, 0)[0]), 1e-3) << "control: another number";
    }
  }
}

/// Every measure, hardening and rate: S = 2 dW_n/dC, D and the second derivative along curves by differences with slope 2, in increments
/// that flow and that do not.
TEST(Plastic, DerivativesOfTheIncrementHaveSlopeTwo)
{
  const std::string swift = "set Swift stress = 300\nset Swift strain = 0.02\nset Swift exponent = 0.4\n",
                    norton = "set Rate = norton\nsubsection norton\nset Drag stress = 50\nset Exponent = 3\nend\n",
                    cowper = "set Rate = cowper-symonds\nsubsection cowper-symonds\nset Reference rate = 4\nset Exponent = 4\nend\n";
  for (const std::string measure : {"small", "logarithmic", "multiplicative"})
    for (const std::string &more :
         {std::string("set Hardening modulus = 200\n"), swift, swift + norton, cowper, std::string("set Backstress moduli = 300, 100\n"),
          std::string("set Backstress moduli = 300, 100\nset Backstress recovery = 20, 3\n")})
    {
      if (measure == "multiplicative" && more.find("Backstress") != std::string::npos)
        continue;
      SCOPED_TRACE(measure + ": " + more);
      const auto law = make("plastic", "set E = 1000\nset nu = 0.3\nset Yield stress = 20\nset Kinematics = " + measure + "\n" + more);
      const InelasticMaterial &rule = *inelastic(*law);
      std::vector<Wide> m = rule.virgin(), next(m.size());
      const Symmetric<Wide> start = flowing(rule, m.data(), 0.5);
      rule.incremental_stress(start, m.data(), 0.5, next.data());
      ASSERT_GT(rule.last_flow(next.data())[0], 0.001);
      m = next;
      const Symmetric<Wide> C = flowing(rule, m.data(), 0.5), H = wide([] { return random_symmetric(1.); });
      const auto at = [&](const double h) {
        Symmetric<Wide> r = C;
        for (int c = 0; c < 6; ++c)
          r[c] += h * H[c];
        return r;
      };
      for (const double dt : {0.5, 0.})  // flows, and frozen
      {
        Symmetric<Wide> S, ahead, behind;
        Tangent<Wide> D;
        rule.incremental_tangent(C, m.data(), dt, S, D);
        const Symmetric<Wide> again = rule.incremental_stress(C, m.data(), dt, nullptr);
        for (int c = 0; c < 6; ++c)
          EXPECT_NEAR(S[c][0], again[c][0], 1e-10);
        Symmetric<Jet<Wide>> path;
        for (int c = 0; c < 6; ++c)
          path[c] = {C[c], H[c], Wide(0.)};
        const auto along = rule.incremental_stress(path, m.data(), dt);
        std::array<std::array<double, 3>, 2> errors{};
        for (const int k : {0, 1})
        {
          const double h = k == 0 ? 0.002 : 0.001;
          ahead = rule.incremental_stress(at(h), m.data(), dt, nullptr);
          behind = rule.incremental_stress(at(-h), m.data(), dt, nullptr);
          const double dW = (rule.incremental_energy(at(h), m.data(), dt)[0] - rule.incremental_energy(at(-h), m.data(), dt)[0]) / (2. * h);
          errors[k][0] = std::abs(dW - 0.5 * contract(S, H)[0]);
          for (int c = 0; c < 6; ++c)
          {
            double d = 0.;
            for (int n = 0; n < 6; ++n)
              d += (n < 3 ? 0.5 : 1.) * D(c, n)[0] * H[n][0];
            errors[k][1] += std::abs((ahead[c][0] - behind[c][0]) / (2. * h) - d);
            errors[k][2] += std::abs((ahead[c][0] - 2. * S[c][0] + behind[c][0]) / (h * h) - along[c].dd[0]);
          }
        }
        const double floor[3] = {1e-7, 1e-6, 1e-3};
        for (int k = rule.has_potential() ? 0 : 1; k < 3; ++k)
        {
          if (errors[1][k] <= floor[k])
            continue;
          EXPECT_NEAR(std::log2(errors[0][k] / errors[1][k]), 2., 0.2) << "derivative " << k + 1 << ", dt = " << dt << ": " << errors[1][k];
        }
        for (int c = 0; c < 6 && (rule.has_potential() || dt == 0.); ++c)
          for (int n = 0; n < 6; ++n)
            EXPECT_NEAR(D(c, n)[0], D(n, c)[0], 1e-9 * 1000.) << "W_n has no curl";
      }
    }
}

/// Frozen about an accepted state the law gives the stress with which the step ended.
TEST(Plastic, TheAcceptedStateHasItsStress)
{
  for (const std::string measure : {"small", "logarithmic", "multiplicative"})
  {
    const auto law =
        make("plastic", "set E = 1000\nset nu = 0.3\nset Yield stress = 2\nset Hardening modulus = 20\nset Kinematics = " + measure + "\n");
    const InelasticMaterial &rule = *inelastic(*law);
    std::vector<Wide> m = rule.virgin(), next(m.size());
    for (int k = 0; k < 20; ++k)
    {
      const Symmetric<Wide> C = wide(random_C), S = rule.incremental_stress(C, m.data(), 1., next.data());
      m = next;
      const Symmetric<Wide> frozen = rule.incremental_stress(C, m.data(), 0., nullptr);
      for (int c = 0; c < 6; ++c)
        for (int i = 0; i < lanes; ++i)
          EXPECT_NEAR(frozen[c][i], S[c][i], 1e-13 * 1000.);
    }
  }
}

/// Random strains, histories and steps: a number each time, energy that is never won, and each lane as if it were alone.
TEST(Plastic, RandomIncrementsNeverFail)
{
  const std::string voce = "set Saturation stress = 20\nset Saturation rate = 16\n",
                    norton = "set Rate = norton\nsubsection norton\nset Drag stress = 50\nset Exponent = 8\nend\n";
  for (const std::string &text :
       {yield(2.) + voce, yield(2.) + voce + norton,
        yield(2., 1.) + "set Kinematics = logarithmic\nset Backstress moduli = 30, 10\nset Backstress recovery = 40, 3\n" + norton,
        "set Kinematics = small\n" + yield(2.) + "set Backstress moduli = 30\n"})
  {
    SCOPED_TRACE(text);
    const auto law = make("plastic", text);
    const InelasticMaterial &rule = *inelastic(*law);
    std::vector<Wide> m = rule.virgin(), next(m.size()), alone(m.size()), out(m.size());
    long bad = 0;
    for (int k = 0; k < 4000; ++k)
    {
      const double dt = std::pow(10., random_number(6.));
      const Symmetric<Wide> C = wide(random_C), S = rule.incremental_stress(C, m.data(), dt, next.data());
      for (int i = 0; i < lanes; ++i)
      {
        double sum = 0;
        for (int c = 0; c < 6; ++c)
          sum += S[c][i];
        bad += !std::isfinite(sum) || !(rule.last_flow(next.data())[i] >= 0.) ||
               !(rule.dissipated(next.data())[i] >= rule.dissipated(m.data())[i]);
      }
      if (k % 100 == 0)
      {
        const int i = k / 100 % lanes;
        Symmetric<Wide> of_lane;
        for (int c = 0; c < 6; ++c)
          of_lane[c] = C[c][i];
        for (std::size_t v = 0; v < m.size(); ++v)
          alone[v] = m[v][i];
        const Symmetric<Wide> by_itself = rule.incremental_stress(of_lane, alone.data(), dt, out.data());
        for (int c = 0; c < 6; ++c)
          EXPECT_EQ(by_itself[c][0], S[c][i]);
        for (std::size_t v = 0; v < m.size(); ++v)
          EXPECT_EQ(out[v][0], next[v][i]);
      }
      m = k % 50 == 49 ? rule.virgin() : next;
    }
    EXPECT_EQ(bad, 0);
  }
}
TEST(Plastic, WrongInput)
{
  const auto refused = [](const std::string &text, const std::string &words) {
    try
    {
      make("plastic", "set E = 1000\nset nu = 0.3\n" + text);
      ADD_FAILURE() << "accepted: " << text;
    }
    catch (const InputError &error)
    {
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
  };
  refused("", "Yield stress is missing");
  refused("set Yield stress = -1\n", "> 0");
  refused("set Hardening table = 0.1 200, 0.2 300\n", "must be \"0 sigma_y\"");
  refused("set Hardening table = 0 200, 0.2 300, 0.2 310\n", "p does not grow");
  refused("set Hardening table = 0 200, 0.2\n", "is not two numbers");
  refused("set Hardening table = 0 200, 0.2 300\nset Yield stress = 200\n", "the hardening table gives it");
  refused(std::string("set Yield stress = 200\nset Hardening modulus = -3000\n"), "faster than 3 mu");
  refused(std::string("set Yield stress = 200\n") + "set Backstress moduli = 1, 2\nset Backstress recovery = 1\n",
          "1 numbers for 2 backstresses");
  refused(std::string("set Yield stress = 200\n") + "set Backstress moduli = 1\nset Kinematics = multiplicative\n",
          "Set Kinematics = logarithmic");
  refused(std::string("set Yield stress = 200\n") + "set Saturation stress = 1\n", "Give Saturation stress and Saturation rate");
  refused(std::string("set Yield stress = 200\n") + "set Rate = norton\n", "in subsection norton");
  refused(std::string("set Yield stress = 200\n") + "set Rate = norton\nsubsection norton\nset Exponent = 2\nend\n",
          "Drag stress is missing");
}
}  // namespace symdyn::tests::in_plastic_increments
