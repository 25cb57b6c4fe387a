// `viscoelastic-multiplicative` against an integration of its equations, and what an increment of it must be.
#include <gtest/gtest.h>

#include "tests/materials/increments.h"

namespace symdyn::tests::in_viscoelastic_multiplicative
{
namespace
{
const double pi = std::acos(-1.);
const std::string branches = "set Branch moduli = 300, 150\nset Times = 0.1, 2\n";
std::string deck(const std::string &elastic) { return "set Elastic = " + elastic + "\n" + branches + constants(elastic); }
const std::string elastic_laws[] = {"neo-hooke-log", "mooney-rivlin", "ogden", "st-venant-kirchhoff"};

/// Kirchhoff stress tau12 and tau11 - tau22 under simple shear: tau = F S Fᵀ.
std::pair<double, double> kirchhoff(const Symmetric<Wide> &S, const double gamma)
{
  return {S[3][0] + gamma * S[1][0], S[0][0] + 2. * gamma * S[3][0] + gamma * gamma * S[1][0] - S[1][0]};
}
Symmetric<Wide> sheared(const double gamma) { return {{1., 1. + gamma * gamma, 1., gamma, 0., 0.}}; }
}  // namespace

// Reference numbers: own integration by DOP853 at 1e-11 of d(C_v⁻¹)/dt = -(1/eta) F⁻¹ tau_v b_e F⁻ᵀ, mu = 0.5, mu_v = 1.5, eta = 1.5.
TEST(ViscoelasticMultiplicative, SimpleShearByReeseAndGovindjee)
{
  const std::string text = "set Elastic = neo-hooke-simo\nset mu = 0.5\nset kappa = 100\nset Branch moduli = 1.5\nset Times = 1\n";
  const double ramp[][3] = {{0.5, 0.82980407, 0.39079368}, {1., 1.36622021, 1.22246969}, {2., 1.96630093, 3.29761646}};
  const double sine[][3] = {{0.25, 1.70277248, 1.66116444},
                            {0.5, -0.35073748, 0.2749549},
                            {1., 0.14460454, 0.40498713},
                            {1.25, 1.63128346, 1.99879111},
                            {1.5, -0.24808172, 0.48597486}};
  const auto errors = [&](const double h, const auto &gamma, const auto &values) {
    Point point("viscoelastic-multiplicative", text);
    double t = 0., worst = 0.;
    int n = 0;
    for (const auto &[end, tau12, N1] : values)
    {
      Symmetric<Wide> S{};
      for (; n < std::lround(end / h); ++n, t = n * h)
        S = point.accept(sheared(gamma((n + 1) * h)), h);
      const auto [shear, normal] = kirchhoff(S, gamma(t));
      worst = std::max({worst, std::abs(shear - tau12), std::abs(normal - N1)});
    }
    return worst;
  };
  const auto line = [](double t) { return t; };
  const auto wave = [](double t) { return std::sin(2. * pi * t); };
  EXPECT_LT(errors(1e-3, line, ramp), 2e-3);
  EXPECT_LT(errors(1e-3, wave, sine), 2e-3);
  EXPECT_NEAR(std::log2(errors(4e-3, line, ramp) / errors(2e-3, line, ramp)), 1., 0.15);
  EXPECT_NEAR(std::log2(errors(2e-3, wave, sine) / errors(1e-3, wave, sine)), 1., 0.15);
}

TEST(ViscoelasticMultiplicative, IncrementHasAPotential)
{
  for (const std::string &elastic : elastic_laws)
    for (const double dt : {0., 0.01, 0.3, 1000.})
    {
      SCOPED_TRACE(elastic + " " + std::to_string(dt));
      Point point("viscoelastic-multiplicative", deck(elastic));
      point.accept(wide(random_C), 0.2);
      point.accept(wide(random_C), 0.5);
      expect_derivatives(point.increment(dt), wide(random_C), false, 0.002);
    }
}

/// Where eigenvalues coincide, nothing is singular.
TEST(ViscoelasticMultiplicative, EqualStretchesAreOrdinary)
{
  Point point("viscoelastic-multiplicative", deck("neo-hooke-log"));
  expect_derivatives(point.increment(0.3), identity<Wide>(), false, 0.002);
  expect_derivatives(point.increment(0.3), wide([] { return with_squared_stretches(1.3, 1.3, 0.7); }), false, 0.002);
}

TEST(ViscoelasticMultiplicative, AcceptedStateKeepsItsStress)
{
  for (const std::string &elastic : elastic_laws)
  {
    Point point("viscoelastic-multiplicative", deck(elastic));
    for (const double dt : {0., 0.2, 3.})
      expect_state_keeps_its_stress(point, wide(random_C), dt);
  }
}

TEST(ViscoelasticMultiplicative, EndsAreTheElasticLaws)
{
  const auto C = wide(random_C);
  const auto at_once = make("neo-hooke-simo", line("mu", mu + 450.) + line("kappa", kappa))->stress(C),
             at_last = make("neo-hooke-simo", constants(""))->stress(C);
  const Point point("viscoelastic-multiplicative", deck("neo-hooke-simo"));
  const auto first = point.stress(C), last = point.stress(C, 1e13);
  for (int m = 0; m < 6; ++m)
  {
    EXPECT_NEAR(first[m][0], at_once[m][0], 1e-12 * E);
    EXPECT_NEAR(last[m][0], at_last[m][0], 1e-9 * E);
  }
}

/// Small strains: the generalised Maxwell solid of the same moduli and times.
TEST(ViscoelasticMultiplicative, SmallStrainsAreMaxwell)
{
  Point point("viscoelastic-multiplicative", deck("neo-hooke-simo"));
  const double gamma = 1e-6, h = 1e-3;
  double t = 0., S = 0.;
  point.accept(sheared(gamma), 0.);
  for (; t < 0.2; t += h)
    S = point.accept(sheared(gamma), h)[3][0];
  EXPECT_NEAR(S / gamma, mu + 300. * std::exp(-t / 0.1) + 150. * std::exp(-t / 2.), 1e-2 * mu);
}

TEST(ViscoelasticMultiplicative, WorkIsStoredOrDissipated)
{
  for (const std::string &elastic : elastic_laws)
  {
    SCOPED_TRACE(elastic);
    const auto defect = [&](const int steps) {
      Point point("viscoelastic-multiplicative", deck(elastic));
      const Cycle r = cycle(point, steps, 2., 0.4);
      EXPECT_GT(r.dissipated, 0.01 * E * 0.16);
      return r.defect();
    };
    EXPECT_LT(defect(1600), 1e-3 * E);
    EXPECT_NEAR(std::log2(defect(800) / defect(1600)), 1., 0.15);
  }
}

TEST(ViscoelasticMultiplicative, Objectivity)
{
  for (const std::string elastic : {"neo-hooke-log", "ogden"})
    expect_isotropy("viscoelastic-multiplicative", deck(elastic));
}

TEST(ViscoelasticMultiplicative, RandomHistoriesStayFinite)
{
  for (const std::string elastic : {"neo-hooke-log", "mooney-rivlin"})
    expect_finite("viscoelastic-multiplicative", deck(elastic), 100000 / lanes / 2);
}

/// C_v stays unimodular and all of a lane's numbers are its own.
TEST(ViscoelasticMultiplicative, LanesDoNotMix)
{
  Point mixed("viscoelastic-multiplicative", deck("neo-hooke-log")), alone("viscoelastic-multiplicative", deck("neo-hooke-log"));
  for (int n = 0; n < 5; ++n)
  {
    const auto C = wide(random_C);
    const auto first = lane(C, 0);
    mixed.accept(C, 0.1);
    alone.accept(wide([&] { return first; }), 0.1);
    for (int v = 0; v < mixed.law().variables(); ++v)
      EXPECT_EQ(mixed.memory()[v][0], alone.memory()[v][0]);
    Symmetric<double> G{};
    for (int m = 0; m < 6; ++m)
      G[m] = mixed.memory()[m][0];
    EXPECT_NEAR(determinant(G), 1., 1e-13);
  }
}

TEST(ViscoelasticMultiplicative, BadInput)
{
  const std::pair<std::string, std::string> cases[] = {
      {"set Times = 1\n", "1 Times for 0 Branch moduli"},
      {"set Times = 1, 2\nset Branch moduli = 3\n", "2 Times for 1 Branch moduli"},
      {"set Times = 0\nset Branch moduli = 3\n", "> 0"},
      {"set Times = 1\nset Branch moduli = -3\n", "> 0"},
      {branches + "set Elastic = rubber\n", "no such material"},
      {branches + "set Elastic = viscoelastic\n", "a hyperelastic one is needed"},
      {branches + "set Elastic = linear-elasticity\n", "small strains, the branches are not"},
      {branches + "set Elastic = st-venant-kirchhoff\nset Plane = stress\n", "plane stress is not supported"}};
  for (const auto &[text, expected] : cases)
    try
    {
      make("viscoelastic-multiplicative", text + constants(""));
      ADD_FAILURE() << "accepted: " << text;
    }
    catch (const InputError &error)
    {
      EXPECT_NE(std::string(error.what()).find(expected), std::string::npos) << error.what();
    }
}

/// About a state whose branches have relaxed, an increment of length h leaves 1 - 1/(1 + h/tau) of each branch out.
TEST(ViscoelasticMultiplicative, RelaxingChangesAreThoseOfIncrements)
{
  for (const std::string &elastic : elastic_laws)
  {
    SCOPED_TRACE(elastic);
    Point point("viscoelastic-multiplicative", deck(elastic));
    const auto C = wide(random_C);
    for (int n = 0; n < 40; ++n)
      point.accept(C, 1e3);
    const double h = 0.7;
    std::vector<double> weights;
    for (const double tau : point.law().relaxation_times())
      weights.push_back(1. - 1. / (1. + h / tau));
    Symmetric<Wide> S, S_h;
    Tangent<Wide> D, D_h;
    PointLaw(point.law(), point.memory(), 0., nullptr, weights.data()).tangent(C, S, D);
    PointLaw(point.law(), point.memory(), h).tangent(C, S_h, D_h);
    for (int m = 0; m < 6; ++m)
      for (int n = 0; n < 6; ++n)
        EXPECT_NEAR(D(m, n)[0], D_h(m, n)[0], 1e-9 * E) << m << n;
  }
}

TEST(ViscoelasticMultiplicative, IncrementsWithoutRatesDoNotRelax)
{
  Point point("viscoelastic-multiplicative", deck("neo-hooke-log"));
  const auto C = wide(random_C);
  const auto frozen = point.stress(C), S = point.accept(C, point.law().length_without_rates());
  for (int m = 0; m < 6; ++m)
    EXPECT_NEAR(S[m][0], frozen[m][0], 1e-10 * E);
  EXPECT_LT(point.dissipated(), 1e-10 * E);
}
}  // namespace symdyn::tests::in_viscoelastic_multiplicative
