// All registered laws, random strains, memories and steps: no point fails inside documented ranges, nothing is won, S = 2 dW_n/dC.
#include <gtest/gtest.h>

#include <cmath>

#include "materials/algebra/tensor_functions.h"
#include "tests/materials/increments.h"

namespace symdyn::tests::in_random_increments
{
namespace
{
constexpr double step = 1e-6;  ///< of differences

/// Texts of decks that use each law, its measures and pieces.
std::vector<std::string> variants(const std::string &law)
{
  const std::string usual = constants(law), elastic = "set E = 1000\nset nu = 0.3\n";
  if (law == "plastic")
    return {usual,
            usual + "set Kinematics = logarithmic\nset Saturation stress = 20\nset Saturation rate = 16\n",
            usual + "set Kinematics = small\nset Backstress moduli = 30, 10\nset Backstress recovery = 40, 3\n",
            usual +
                "set Kinematics = logarithmic\nset Backstress moduli = 30\nset Rate = norton\nsubsection norton\nset Drag stress = 50\nset "
                "Exponent = 8\nend\n",
            usual +
                "set Swift stress = 30\nset Swift strain = 0.01\nset Swift exponent = 0.3\nset Rate = cowper-symonds\nsubsection "
                "cowper-symonds\nset Reference rate = 40\nset Exponent = 5\nend\n",
            usual +
                "set Johnson-Cook modulus = 20\nset Johnson-Cook exponent = 0.3\nset Rate = johnson-cook\nsubsection johnson-cook\nset "
                "Coefficient = 0.02\nset Reference rate = 1\nend\n",
            elastic +
                "set Hardening table = 0 10, 0.1 15, 0.5 18\nset Rate = perzyna\nsubsection perzyna\nset Fluidity = 10\nset Exponent = "
                "4\nend\n"};
  if (law == "creep")
    return {usual, usual + "set Yield stress = 10\nset Saturation stress = 20\nset Saturation rate = 16\n",
            usual + "set Yield stress = 10\nset Time exponent = -0.4\nset Kinematics = multiplicative\n",
            usual + "set Time exponent = -0.4\nset Hardens by = strain\n", usual + "set Time exponent = -0.4\nset Kinematics = small\n"};
  if (law == "ramberg-osgood")
    return {usual};
  return {usual};
}

struct Faults
{
  long failed = 0, won = 0, slope = 0;
};

/// Of points with E = 1000: |dW_n/ds - ½ S : H| along a unit H, by central differences. W_n has kinks in its slope's slope at most, so that
/// the error is below E step also there.
bool is_gradient(const InelasticMaterial *rule, const Material &law, const Symmetric<Wide> &C, const Symmetric<Wide> &S, const Wide *m,
                 const double dt)
{
  const Symmetric<Wide> H = wide([] { return random_symmetric(1.); });
  const auto W = [&](const double h) { return rule ? rule->incremental_energy(plus(C, h, H), m, dt) : law.psi(plus(C, h, H)); };
  const Wide slope = (W(step) - W(-step)) / Wide(2. * step), expected = Wide(0.5) * contract(S, H);
  for (int lane = 0; lane < lanes; ++lane)
  {
    double size = E;
    for (int c = 0; c < 6; ++c)
      size = std::max(size, std::abs(S[c][lane]));
    if (!(std::abs(slope[lane] - expected[lane]) <= 10. * step * size))
      return false;
  }
  return true;
}

Faults go(const Material &law, const long points)
{
  const InelasticMaterial *rule = inelastic(law);
  std::vector<Wide> m = rule ? rule->virgin() : std::vector<Wide>(), next(m.size());
  Faults faults;
  for (long k = 0; k < points / lanes; ++k)
  {
    const double dt = std::pow(10., random_number(4.));
    const Symmetric<Wide> C = wide(random_C), S = rule ? rule->incremental_stress(C, m.data(), dt, next.data()) : law.stress(C);
    for (int i = 0; i < lanes; ++i)
    {
      double sum = 0.;
      for (int c = 0; c < 6; ++c)
        sum += S[c][i];
      for (const Wide &value : next)
        sum += value[i];
      faults.failed += !std::isfinite(sum);
      faults.won += rule && !(rule->dissipated(next.data())[i] >= rule->dissipated(m.data())[i]);
    }
    if (!rule || rule->has_potential())
      faults.slope += !is_gradient(rule, law, C, S, m.data(), dt);
    if (rule)
      m = k % 50 == 49 ? rule->virgin() : next;
  }
  return faults;
}

void expect_all_laws_hold(const long points)
{
  for (const std::string &name : Registry<Material>::instance().names())
    for (const std::string &text : variants(name))
    {
      SCOPED_TRACE(name + "\n" + text);
      const Faults faults = go(*make(name, text), points);
      EXPECT_EQ(faults.failed, 0);
      EXPECT_EQ(faults.won, 0);
      EXPECT_EQ(faults.slope, 0);
    }
}

/// A law whose stress is not the gradient of its energy, and which wins energy.
class Wrong : public InelasticOf<Wrong>
{
public:
  void declare(Parameters &) override {}
  int variables() const override { return 1; }
  void begin(double *m) const override { *m = 0.; }
  Wide dissipated(const Wide *m) const override { return *m; }
  Wide energy(const Symmetric<Wide> &C, const Wide *, double) const { return Wide(500.) * contract(C, C); }
  template <class T>
  Symmetric<T> stress(const Symmetric<T> &C, const Wide *from, double, T *to) const
  {
    if (to)
      *to = constant<T>(*from) - C[0];
    return scaled_by(T(1900.), C);
  }
};
}  // namespace

TEST(RandomIncrements, LawsHold) { expect_all_laws_hold(10000); }
TEST(RandomIncrements, LawsHoldNightly) { expect_all_laws_hold(1000000); }

TEST(RandomIncrements, WrongLawsAreFound)
{
  const Faults faults = go(Wrong(), 1000);
  EXPECT_EQ(faults.failed, 0);
  EXPECT_GT(faults.won, 900);
  EXPECT_GT(faults.slope, 100);
}
}  // namespace symdyn::tests::in_random_increments
