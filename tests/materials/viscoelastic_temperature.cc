// `viscoelastic` with constants over the temperature and times that shift: closed forms, derivatives, second law, errors.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>

#include "solver/error.h"
#include "tests/materials/increments.h"

namespace symdyn::tests::in_viscoelastic_temperature
{
namespace
{
const std::string small = "set Elastic = linear-elasticity\n", finite = "set Elastic = neo-hooke-simo\n",
                  terms = "set Shear ratios = 0.3, 0.2\nset Times = 0.1, 1\n", bulk = "set Bulk ratios = 0.4, 0.1\n",
                  wlf = "set Shift = wlf\nset Shift reference = 20\nsubsection wlf\nset C1 = 17.44\nset C2 = 51.6\nend\n";

std::string moduli(const double mu, const double kappa) { return fmt::format("set mu = {}\nset kappa = {}\n", mu, kappa); }

/// Constants at 0 and at 100.
std::string rubber(const std::string &common, const std::string &cold, const std::string &hot, const std::string &more = "")
{
  return "set Type = viscoelastic\nset Temperature = 0\n" + common + cold + more + "subsection At temperatures\nsubsection 100\n" + common +
         hot + "end\nend\n";
}
const std::string cold = moduli(1000., 3000.), hot = moduli(400., 2400.);

/// Its own temperature in each lane, from `first` to `last`.
Wide spread(const double first, const double last)
{
  Wide T = 0.;
  for (int lane = 0; lane < lanes; ++lane)
    T.set(lane, first + (last - first) * lane / (lanes - 1.));
  return T;
}
}  // namespace

/// Shear gamma at once and held for t: tau = mu (1 - Σ g_i + Σ g_i exp(-t/tau_i)) gamma. Heat at rest changes mu, and nothing of what the
/// dashpots have gone.
TEST(HeatedViscoelastic, RelaxedShearFollowsTheModulus)
{
  const double gamma = 0.01;
  const Wide T = spread(0., 100.);
  HotPoint point(rubber(small + terms + bulk, cold, hot));
  const auto part = [](const double t) { return 0.5 + 0.3 * std::exp(-t / 0.1) + 0.2 * std::exp(-t); };
  point.accept(simple_shear(gamma), 0.);
  const double early = point.accept(simple_shear(gamma), 0.3)[3][0], stored = point.law().stored(point.m.data())[0],
               lost = point.law().dissipated(point.m.data())[0];
  EXPECT_NEAR(early, 1000. * part(0.3) * gamma, 1e-13 * early);
  EXPECT_NEAR(lost, 0.5 * gamma * gamma * 1000. * (0.3 * (1. - std::exp(-6.)) + 0.2 * (1. - std::exp(-0.6))), 1e-13 * lost);
  point.heat(T);
  const Symmetric<Wide> rest = point.increment(0.).stress(simple_shear(gamma)), later = point.accept(simple_shear(gamma), 0.4);
  for (int lane = 0; lane < lanes; ++lane)
  {
    const double mu = 1000. - 6. * T[lane];
    EXPECT_NEAR(rest[3][lane], mu * part(0.3) * gamma, 1e-13 * early) << T[lane];
    EXPECT_NEAR(later[3][lane], mu * part(0.7) * gamma, 1e-13 * early) << T[lane];
  }
  HotPoint warm(rubber(small + terms + bulk, cold, hot));
  warm.accept(simple_shear(gamma), 0.);
  warm.accept(simple_shear(gamma), 0.3);
  warm.heat(Wide(100.));
  EXPECT_NEAR(warm.law().stored(warm.m.data())[0], 0.4 * stored, 1e-13 * stored) << "a memory of stresses would have 2.5 times";
  EXPECT_EQ(warm.law().dissipated(warm.m.data())[0], lost) << "heat at rest dissipates nothing";
}

/// At its own temperature each set of constants is the law that it is alone, bits of the sums apart.
TEST(HeatedViscoelastic, EachSetHoldsAtItsTemperature)
{
  for (const std::string &common : {small + terms, small + terms + bulk, finite + terms + bulk})
    for (const auto &[T, own] : {std::pair{0., cold}, {100., hot}})
    {
      SCOPED_TRACE(common + own);
      HotPoint point(rubber(common, cold, hot));
      point.heat(Wide(T));
      Point alone("viscoelastic", common + own);
      for (const double gamma : {0.02, 0.3, 0.1})
      {
        const Symmetric<Wide> C = plus(simple_shear(gamma), 0.3 * gamma, identity<Wide>()), S = point.accept(C, 0.2),
                              expected = alone.accept(C, 0.2);
        for (int c = 0; c < 6; ++c)
          EXPECT_NEAR(S[c][0], expected[c][0], 1e-12 * 1000.);
      }
      EXPECT_NEAR(point.law().dissipated(point.m.data())[0], alone.dissipated(), 1e-12 * 100.);
      EXPECT_NEAR(point.law().stored(point.m.data())[0], alone.stored(), 1e-12 * 100.);
    }
}

TEST(HeatedViscoelastic, DerivativesHaveSlopeTwo)
{
  for (const std::string &common : {small + terms + bulk, finite + terms + bulk, "set Elastic = neo-hooke-log\n" + terms})
  {
    SCOPED_TRACE(common);
    HotPoint point(rubber(common, cold, hot, wlf) + "set Expansion = 1e-3\n");
    point.heat(Wide(30.));
    point.accept(wide(random_C), 0.5);
    point.heat(Wide(70.));
    expect_derivatives(point.increment(0.3), wide(random_C), common == small + terms + bulk);
    expect_derivatives(point.increment(0.), wide(random_C), common == small + terms + bulk);
  }
}

/// A body that is held while its temperature changes: what A loses at one temperature is dissipated, to rounding, and never negative.
TEST(HeatedViscoelastic, RelaxationDissipatesWhatIsLost)
{
  HotPoint point(rubber(small + terms + bulk, cold, hot, wlf));
  const Symmetric<Wide> C = plus(simple_shear(0.02), 0.01, identity<Wide>());
  point.accept(C, 0.);
  double thermal = 0.;
  for (const double T : {20., 80., 10., 100., 35., 0.})
  {
    const double cool = point.free_energy(C);
    point.heat(Wide(T));
    const double before = point.free_energy(C), lost = point.law().dissipated(point.m.data())[0];
    thermal += std::abs(before - cool);
    point.accept(C, 0.02);
    const double gained = point.law().dissipated(point.m.data())[0] - lost;
    EXPECT_NEAR(gained, before - point.free_energy(C), 1e-14 * before);
    EXPECT_GE(gained, 0.);
  }
  EXPECT_GT(thermal, 0.1) << "the temperature matters";
}

/// t at T is t/a_T at the temperature of reference, and each lane has its own.
TEST(HeatedViscoelastic, TimesShift)
{
  const auto part = [](const double t) { return 0.5 + 0.3 * std::exp(-t / 0.1) + 0.2 * std::exp(-t); };
  const std::string alone = "set Type = viscoelastic\n" + small + terms + cold,
                    arrhenius = "set Shift = arrhenius\nset Shift reference = 20\nsubsection arrhenius\nset Activation energy = 8e4\nend\n";
  const Wide T = spread(-40., 60.);
  const auto by_wlf = [](const double at) { return at > 20. - 51.6 ? std::pow(10., -17.44 * (at - 20.) / (51.6 + at - 20.)) : INFINITY; };
  const auto by_arrhenius = [](const double at) { return std::exp(8e4 / 8.314462618 * (1. / (at + 273.15) - 1. / 293.15)); };
  for (const bool is_wlf : {true, false})
  {
    HotPoint point(alone + (is_wlf ? wlf : arrhenius));
    point.heat(T);
    point.accept(simple_shear(0.01), 0.);
    point.accept(simple_shear(0.01), 0.2);
    const Wide tau = point.accept(simple_shear(0.01), 0.3)[3];
    for (int lane = 0; lane < lanes; ++lane)
      EXPECT_NEAR(tau[lane], 10. * part(0.5 / (is_wlf ? by_wlf(T[lane]) : by_arrhenius(T[lane]))), 1e-12 * 10.) << T[lane];
    EXPECT_GT(tau[0] - tau[lanes - 1], 1.) << "times that do not shift";
    EXPECT_NEAR(tau[0], 10., is_wlf ? 1e-13 : 1.) << "frozen below T_r - C2";
  }
}

TEST(HeatedViscoelastic, WrongInput)
{
  const auto refused = [](const std::string &text, const std::string &words) {
    try
    {
      heated_material(text);
      ADD_FAILURE() << "not refused: " << words;
    }
    catch (const InputError &error)
    {
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
  };
  const std::string alone = "set Type = viscoelastic\n" + small + terms + cold;
  refused("set Type = viscoelastic\nset Temperature = 0\n" + small + terms + cold + "subsection At temperatures\nsubsection 100\n" + small +
              "set Shear ratios = 0.3, 0.1\nset Times = 0.1, 1\n" + hot + "end\nend\n",
          "are the same at all temperatures");
  refused("set Type = viscoelastic\nset Temperature = 0\n" + small + terms + cold +
              "subsection At temperatures\nsubsection 100\nset Elastic = "
              "hooke\n" +
              terms + hot + "end\nend\n",
          "no such material");
  refused(alone + "set Shift = wlf\nset Shift reference = 20\n", "needs the numbers of its law, in subsection wlf");
  refused(alone + "set Shift = wlf\nsubsection wlf\nset C1 = 17\nset C2 = 50\nend\n", "is missing: the temperature at which");
  refused(alone + "set Shift = wlf\nset Shift reference = 20\nsubsection wlf\nset C1 = 17\nend\n", "needs both C1 and C2");
  refused(alone + "set Shift = arrhenius\nset Shift reference = -300\nsubsection arrhenius\nset Activation energy = 8e4\nend\n",
          "the shift has no value there");
  refused(alone + "set Shift = wlf\nset Shift reference = 20\nsubsection wlf\nset C1 = -1\nset C2 = 50\nend\n", "C1 = -1: must be > 0");
  refused(alone + "set Shift = wfl\nset Shift reference = 20\n", "Shift = wfl: must be one of wlf, arrhenius");
  refused(alone + "set Shift reference = 20\n", "has no effect without Shift");
  refused(rubber(small + terms, cold, hot + wlf), "belongs to the section of the material alone");
}
}  // namespace symdyn::tests::in_viscoelastic_temperature
