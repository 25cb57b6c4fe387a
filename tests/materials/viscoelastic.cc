// Prony series by themselves and `viscoelastic` against closed forms.
#include <gtest/gtest.h>

#include "materials/inelastic/prony.h"
#include "tests/materials/increments.h"

namespace symdyn::tests::in_viscoelastic
{
namespace
{
const double pi = std::acos(-1.);
const std::vector<double> ratios{0.3, 0.2, 0.1}, times{0.1, 1., 10.};
const std::string terms = "set Shear ratios = 0.3, 0.2, 0.1\nset Times = 0.1, 1, 10\n";
const std::string bulk_terms = terms + "set Bulk ratios = 0.1, 0, 0.4\n";
const std::string small = "set Elastic = linear-elasticity\n";
constexpr double G0 = 1e6, K0 = 2.1666666666667e6;
const std::string solid = small + terms + line("mu", G0) + line("kappa", K0);

Symmetric<Wide> sheared(const double gamma) { return {{1., 1., 1., gamma, 0., 0.}}; }

/// Σ g_i f(tau_i)
template <class F>
double over_terms(const F &f)
{
  double sum = 0.;
  for (std::size_t i = 0; i < ratios.size(); ++i)
    sum += ratios[i] * f(times[i]);
  return sum;
}
const std::string elastic_laws[] = {"linear-elasticity",   "neo-hooke-log", "neo-hooke-simo", "mooney-rivlin", "ogden",
                                    "st-venant-kirchhoff", "holzapfel",     "hyperfoam",      "ramberg-osgood"};
std::string deck(const std::string &elastic, const std::string &prony)
{
  return "set Elastic = " + elastic + "\n" + prony + constants(elastic);
}
}  // namespace

// Reference numbers: closed forms of G0 = 1 MPa, g = 0.3, 0.2, 0.1, tau = 0.1, 1, 10 s.
TEST(Prony, ModuliAreTheClosedForms)
{
  const double t[] = {0., 0.05, 0.5, 1., 5., 20., 100.}, G[] = {1000000., 871706.33, 618450.46, 564073.25, 462000.66, 413533.53, 400004.54};
  for (int i = 0; i < 7; ++i)
    EXPECT_NEAR(relaxation_modulus(G0, ratios, times, t[i]), G[i], 1e-8 * G0);
  const double w[] = {0.1, 1., 10., 100.}, storage[] = {452010.2, 601980.2, 848009.8, 997009.6},
               loss[] = {72801.68, 139603.96, 170801.88, 31802.77};
  for (int i = 0; i < 4; ++i)
  {
    const auto modulus = complex_modulus(G0, ratios, times, w[i]);
    EXPECT_NEAR(modulus.real(), storage[i], 6e-8 * G0);  // the digits of the numbers
    EXPECT_NEAR(modulus.imag(), loss[i], 1e-8 * G0);
    const double real = 1. - over_terms([&](double tau) { return 1. / (1. + w[i] * w[i] * tau * tau); }),
                 imaginary = over_terms([&](double tau) { return w[i] * tau / (1. + w[i] * w[i] * tau * tau); });
    EXPECT_NEAR(modulus.real(), G0 * real, 1e-12 * G0);
    EXPECT_NEAR(modulus.imag(), G0 * imaginary, 1e-12 * G0);
  }
}

TEST(Prony, CoefficientsOfAStepHaveNoJump)
{
  for (const double x : {0., 1e-12, 1e-4, 0.4999999, 0.5000001, 3., 1e5})
  {
    const RelaxationStep step(x);
    const long double e = std::exp(-static_cast<long double>(x)), y = x;
    const bool tiny = x < 1e-3;
    EXPECT_NEAR(step.decay, e, 1e-15);
    EXPECT_NEAR(step.mean, tiny ? 1. - x / 2. + x * x / 6. : double((1 - e) / y), 1e-12);
    EXPECT_NEAR(step.lost(), tiny ? 2. * x - 2. * x * x : double(1 - e * e), 1e-11);
    EXPECT_NEAR(step.gained(), tiny ? x / 3. - x * x / 4. : double((y - 2 * (1 - e) + (1 - e * e) / 2) / (y * y)), 1e-12);
  }
}

TEST(Viscoelastic, RelaxesByTheModulusInAnySteps)
{
  Point point("viscoelastic", solid);
  const double gamma = 0.01;
  EXPECT_NEAR(point.accept(sheared(gamma), 0.)[3][0], G0 * gamma, 1e-12 * G0 * gamma);
  double t = 0.;
  for (const double h : {0.001, 0.049, 0.45, 0.5, 4., 15., 80.})
  {
    t += h;
    const auto S = point.accept(sheared(gamma), h);
    EXPECT_NEAR(S[3][0], relaxation_modulus(G0, ratios, times, t) * gamma, 1e-10 * G0 * gamma);
    EXPECT_NEAR(point.stored(), 0.5 * G0 * gamma * gamma * over_terms([&](double tau) { return std::exp(-2. * t / tau); }), 1e-11);
    EXPECT_NEAR(point.dissipated(), -0.5 * G0 * gamma * gamma * over_terms([&](double tau) { return std::expm1(-2. * t / tau); }), 1e-11);
  }
}

/// Strain linear in time: exact in one step, energies too.
TEST(Viscoelastic, RampIsExact)
{
  const double expected[3][2] = {{0.1, 87946.29941}, {1., 651585.3317}, {10., 4862111.479}};
  for (const int steps : {1, 7})
    for (const auto &[t, tau12] : expected)
    {
      Point point("viscoelastic", solid);
      double S = 0.;
      const double end = t;
      for (int n = 1; n <= steps; ++n)
        S = point.accept(sheared(end * n / steps), end / steps)[3][0];
      EXPECT_NEAR(S, tau12, 1e-9 * tau12);
      const double size = 0.5 * G0 * end * end;
      const auto fade = [&](double tau) { return -std::expm1(-end / tau); };
      EXPECT_NEAR(point.stored(), 0.5 * G0 * over_terms([&](double tau) { return std::pow(tau * fade(tau), 2); }), 1e-12 * size);
      EXPECT_NEAR(point.dissipated(),
                  G0 * over_terms([&](double tau) { return tau * (end - 2. * tau * fade(tau) - 0.5 * tau * std::expm1(-2. * end / tau)); }),
                  1e-12 * size);
    }
}

/// Steady response to sin(w t), w = 1: storage and loss modulus; by order 2 in the step.
TEST(Viscoelastic, HarmonicStrainsSeeTheComplexModulus)
{
  const auto modulus = complex_modulus(G0, ratios, times, 1.);
  const auto error = [&](const int steps_a_period) {
    Point point("viscoelastic", solid);
    double worst = 0.;
    for (int n = 1; n <= 20 * steps_a_period; ++n)
    {
      const double t = 2. * pi * n / steps_a_period, S = point.accept(sheared(std::sin(t)), 2. * pi / steps_a_period)[3][0];
      if (n > 19 * steps_a_period)
        worst = std::max(worst, std::abs(S - modulus.real() * std::sin(t) - modulus.imag() * std::cos(t)));
    }
    return worst / std::abs(modulus);
  };
  EXPECT_LT(error(200), 1e-4);
  EXPECT_NEAR(std::log2(error(20) / error(40)), 2., 0.15);
}

/// eps = 0.01 held, sides free; K constant. Reference: own integration by DOP853.
TEST(Viscoelastic, UniaxialRelaxation)
{
  const double values[][3] = {{0., 26000., -0.003},
                              {0.1, 21188.9156, -0.0033700834},
                              {1., 15613.15537, -0.003798988},
                              {10., 12290.97622, -0.0040545403},
                              {100., 11304.48631, -0.0041304241}};
  Point point("viscoelastic", solid);
  double side = 0., t = 0.;
  const auto strained = [&] { return Symmetric<Wide>{{1.02, 1. + 2. * side, 1. + 2. * side, 0., 0., 0.}}; };
  const auto advance = [&](const double h) {
    const double at_0 = point.stress(strained(), h)[1][0];
    side += 1e-3;
    const double slope = (point.stress(strained(), h)[1][0] - at_0) / 1e-3;
    side -= 1e-3 + at_0 / slope;  // the law is linear
    return point.accept(strained(), h)[0][0];
  };
  EXPECT_NEAR(advance(0.), values[0][1], 1e-8 * values[0][1]);
  double next = 1e-4;
  for (int k = 1; k < 5; ++k)
  {
    double S = 0.;
    const double ratio = std::pow(values[k][0] / (k > 1 ? values[k - 1][0] : next), 1. / 500.);
    if (k == 1)
      for (int n = 0; n < 10; ++n)
        advance(next / 10.);
    t = k > 1 ? values[k - 1][0] : next;
    for (int n = 0; n < 500; ++n, t *= ratio)
      S = advance(t * (ratio - 1.));
    EXPECT_NEAR(S, values[k][1], 1e-5 * values[k][1]);
    EXPECT_NEAR(side, values[k][2], 1e-5 * std::abs(values[k][2]));
  }
}

TEST(Viscoelastic, IncrementHasAPotential)
{
  for (const std::string &elastic : elastic_laws)
    for (const double dt : {0., 0.3})
    {
      SCOPED_TRACE(elastic);
      Point point("viscoelastic", deck(elastic, bulk_terms));
      point.accept(wide(random_C), 0.2);
      point.accept(wide(random_C), 0.5);
      expect_derivatives(point.increment(dt), wide(random_C), elastic == "linear-elasticity");
    }
}

TEST(Viscoelastic, AcceptedStateKeepsItsStress)
{
  for (const std::string &elastic : elastic_laws)
  {
    Point point("viscoelastic", deck(elastic, bulk_terms));
    for (const double dt : {0., 0.2, 3.})
      expect_state_keeps_its_stress(point, wide(random_C), dt);
  }
}

/// Frozen: the elastic law about the state; after a very long increment: that of the long-term moduli.
TEST(Viscoelastic, EndsAreTheElasticLaws)
{
  const auto C = wide(random_C);
  const auto at_once = make("neo-hooke-simo", constants(""))->stress(C),
             at_last = make("neo-hooke-simo", line("mu", 0.4 * mu) + line("kappa", 0.5 * kappa))->stress(C);
  Point point("viscoelastic", deck("neo-hooke-simo", bulk_terms));
  const auto first = point.stress(C), last = point.stress(C, 1e13);
  for (int m = 0; m < 6; ++m)
  {
    EXPECT_NEAR(first[m][0], at_once[m][0], 1e-12 * E);
    EXPECT_NEAR(last[m][0], at_last[m][0], 1e-9 * E);
  }
}

/// About a state that has relaxed, an increment of length h leaves 1 - (1 - exp(-h/tau))/(h/tau) of each term out.
TEST(Viscoelastic, RelaxingChangesAreThoseOfIncrements)
{
  for (const std::string &elastic : elastic_laws)
  {
    SCOPED_TRACE(elastic);
    Point point("viscoelastic", deck(elastic, bulk_terms));
    const auto C = wide(random_C);
    for (int n = 0; n < 20; ++n)
      point.accept(C, 1e3);
    const double h = 0.7;
    std::vector<double> weights;
    for (const double tau : point.law().relaxation_times())
      weights.push_back(1. - RelaxationStep(h / tau).mean);
    Symmetric<Wide> S, S_h;
    Tangent<Wide> D, D_h, D_0;
    PointLaw(point.law(), point.memory(), 0., nullptr, weights.data()).tangent(C, S, D);
    PointLaw(point.law(), point.memory(), h).tangent(C, S_h, D_h);
    PointLaw(point.law(), point.memory(), 0.).tangent(C, S_h, D_0);
    double difference = 0.;
    for (int m = 0; m < 6; ++m)
      for (int n = 0; n < 6; ++n)
      {
        EXPECT_NEAR(D(m, n)[0], D_h(m, n)[0], 1e-10 * E) << m << n;
        difference = std::max(difference, std::abs(D_0(m, n)[0] - D_h(m, n)[0]));
      }
    EXPECT_GT(difference, 0.01 * E) << "the control must fail";
  }
}

/// Without rates: the elastic law, whose stress the terms remember.
TEST(Viscoelastic, IncrementsWithoutRatesDoNotRelax)
{
  Point point("viscoelastic", deck("neo-hooke-simo", bulk_terms));
  const double h = point.law().length_without_rates();
  const auto C = wide(random_C);
  const auto at_once = make("neo-hooke-simo", constants(""))->stress(C), S = point.accept(C, h);
  for (int m = 0; m < 6; ++m)
    EXPECT_NEAR(S[m][0], at_once[m][0], 1e-13 * E);
  EXPECT_LT(point.dissipated(), 1e-200);
}

/// Work of a closed path = A end - A start + dissipated, to order 2 in h; a second cycle costs no less than nothing.
TEST(Viscoelastic, WorkIsStoredOrDissipated)
{
  for (const std::string &elastic : elastic_laws)
  {
    SCOPED_TRACE(elastic);
    const auto defect = [&](const int steps) {
      Point point("viscoelastic", deck(elastic, bulk_terms));
      const Cycle r = cycle(point, steps, 2., 0.4);
      EXPECT_GT(r.dissipated, 0.01 * E * 0.16);
      return r.defect();
    };
    EXPECT_LT(defect(400), 1e-5 * E);
    EXPECT_NEAR(std::log2(defect(200) / defect(400)), 2., 0.15);
  }
}

/// Without time nothing is lost: the branches store what the elastic law does.
TEST(Viscoelastic, FastPathsAreConservative)
{
  Point point("viscoelastic", deck("neo-hooke-log", bulk_terms));
  const Symmetric<Wide> C = wide(random_C);
  point.accept(wide(random_C), 0.);
  point.accept(C, 0.);
  EXPECT_EQ(point.dissipated(), 0.);
  EXPECT_NEAR(point.free_energy(C), make("neo-hooke-log", constants(""))->psi(C)[0], 1e-11 * E);
}

TEST(Viscoelastic, Objectivity)
{
  for (const std::string elastic : {"linear-elasticity", "neo-hooke-log", "ogden"})
    expect_isotropy("viscoelastic", deck(elastic, bulk_terms));
}

TEST(Viscoelastic, RandomHistoriesStayFinite)
{
  for (const std::string elastic : {"linear-elasticity", "neo-hooke-log", "mooney-rivlin"})
    expect_finite("viscoelastic", deck(elastic, bulk_terms), 100000 / lanes / 3);
}

TEST(Viscoelastic, BadInput)
{
  const auto message = [](const std::string &text) -> std::string {
    try
    {
      make("viscoelastic", text + constants(""));
    }
    catch (const InputError &error)
    {
      return error.what();
    }
    return "accepted";
  };
  const std::map<std::string, std::string> cases = {
      {"set Times = 1, 2\nset Shear ratios = 0.6, 0.4\n", "the sum of the ratios is 1 but must be < 1"},
      {"set Times = 1, 2\nset Shear ratios = 0.6, -0.1\n", "a ratio is -0.1 but must be >= 0"},
      {"set Times = 1, 0\nset Shear ratios = 0.6, 0.1\n", "a relaxation time is 0 s but must be > 0"},
      {"set Times = 1, 2\nset Shear ratios = 0.6\n", "there are 1 ratios for 2 Times"},
      {"set Times = 1, 2\nset Bulk ratios = 0.6\n", "there are 1 ratios for 2 Times"},
      {"set Shear ratios = 0.6\n", "no relaxation times are given"},
      {"set Times = 1\n", "neither Shear ratios nor Bulk ratios are given"},
      {terms + "set Elastic = rubber\n", "no such material"},
      {terms + "set Elastic = viscoelastic\n", "needs a hyperelastic"},
      {terms + "set Elastic = linear-elasticity\nset Plane = stress\n", "plane stress is not supported"}};
  for (const auto &[text, expected] : cases)
    EXPECT_NE(message(text).find(expected), std::string::npos) << message(text);
  EXPECT_EQ(message(terms), "accepted");
}
}  // namespace symdyn::tests::in_viscoelastic
