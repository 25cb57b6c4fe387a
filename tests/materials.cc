#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <random>

#include "materials/elastic_constants.h"
#include "materials/lanes.h"
#include "materials/material_of.h"
#include "materials/spectral.h"
#include "solver/deck.h"
#include "solver/registry.h"

using namespace symdyn;

namespace
{
constexpr double E = 1000., nu = 0.3, mu = E / (2. * (1. + nu)), kappa = E / (3. * (1. - 2. * nu));
constexpr double lambda = kappa - 2. / 3. * mu;
constexpr double exact = 1e-12;

/// The toy of the tutorial: a material of which nothing is known but its energy.
class Toy : public MaterialOf<Toy>
{
public:
  void declare(Parameters &p) override { constants.declare(p); }
  template <class T>
  T psi(const Symmetric<T> &C) const
  {
    using std::log;
    const T III = determinant(C), log_III = log(III);
    return 0.5 * constants.mu * (trace(C) - 3. - log_III) + 0.125 * constants.lambda * log_III * log_III;
  }

private:
  ElasticConstants constants;
};
SYMDYN_REGISTER(Material, Toy, "test-toy");

/// Terms mu/alpha (J^(-alpha/3) tr(C^(alpha/2)) - 3) + kappa/2 (J - 1)² for alpha = 4, 8, -4: polynomials of C and C⁻¹,
/// to be differentiated without eigenvalues.
class EvenOgden : public MaterialOf<EvenOgden>
{
public:
  explicit EvenOgden(int alpha) : alpha(alpha) {}
  void declare(Parameters &) override {}
  template <class T>
  T psi(const Symmetric<T> &C) const
  {
    using std::sqrt;
    const T III = determinant(C), r = rcbrt(III);
    const Symmetric<T> square = times_itself(C), cof = cofactor(C);
    const T J = sqrt(III), fourth = r * r * r * r;
    const T I = alpha == 4   ? T(r * r * trace(square))
                : alpha == 8 ? T(fourth * contract(square, square))
                             : T(fourth * contract(cof, cof));
    return mu * 2. / (alpha * alpha) * (I - 3.) + 0.5 * kappa * (J - 1.) * (J - 1.);
  }
  template <class T>
  static Symmetric<T> times_itself(const Symmetric<T> &C)
  {
    Symmetric<T> r;
    for (int i = 0; i < 3; ++i)
      for (int j = i; j < 3; ++j) r(i, j) = C(i, 0) * C(0, j) + C(i, 1) * C(1, j) + C(i, 2) * C(2, j);
    return r;
  }

private:
  int alpha;
};

std::unique_ptr<Material> make(const std::string &name, const std::string &text)
{
  auto material = Registry<Material>::instance().make(name);
  Deck deck = Deck::from_text(text, "test.prm");
  Parameters p = deck.root();
  material->declare(p);
  deck.finish();
  return material;
}

std::string line(const std::string &name, double value)
{
  char text[64];
  std::snprintf(text, sizeof text, "set %s = %.17g\n", name.c_str(), value);
  return text;
}

std::string ogden(const std::string &factors, const std::string &exponents)
{
  return "set mu = " + factors + "\nset alpha = " + exponents + "\n" + line("kappa", kappa);
}

std::string ogden(double exponent)
{
  return line("mu", 2. * mu / exponent) + line("alpha", exponent) + line("kappa", kappa);
}

/// Constants that make the registered material E, nu at C = I. Those that are not stated through (E, nu) are listed.
std::string constants(const std::string &name)
{
  if (name == "mooney-rivlin") return line("c10", 0.3 * mu) + line("c01", 0.2 * mu) + line("kappa", kappa);
  if (name == "ogden")
  {
    char factors[128];
    std::snprintf(factors, sizeof factors, "%.17g, %.17g", 0.8 * 2. * mu / 1.3, -0.2 * 2. * mu / 2.);
    return ogden(factors, "1.3, -2");
  }
  if (name.find("anisotropic") != std::string::npos)  // isotropic ones, turned
  {
    const auto thrice = [](const std::string &entry, const double value) {
      char text[128];
      std::snprintf(text, sizeof text, "set %s = %.17g, %.17g, %.17g\n", entry.c_str(), value, value, value);
      return std::string(text);
    };
    return thrice("E", E) + thrice("nu", nu) + thrice("G", mu) + "set Axes = 1, 0.5, 0.2, -0.3, 1, 0.4\n";
  }
  return line("E", E) + line("nu", nu);
}

void for_each_material(const std::function<void(const std::string &, const Material &)> &test)
{
  for (const std::string &name : Registry<Material>::instance().names())
  {
    SCOPED_TRACE(name);
    test(name, *make(name, constants(name)));
  }
  for (const std::string name : {"linear-elasticity", "st-venant-kirchhoff"})
  {
    SCOPED_TRACE(name + ", plane stress");
    test(name + " (plane stress)", *make(name, constants(name) + "set Plane = stress\n"));
  }
}

std::mt19937 generator(7);

double random_number(double size)
{
  return std::uniform_real_distribution<double>(-size, size)(generator);
}

Symmetric<double> random_symmetric(double size)
{
  Symmetric<double> r;
  for (double &component : r.e) component = random_number(size);
  return r;
}

/// Rows orthonormal, from three random rotations.
std::array<std::array<double, 3>, 3> random_rotation()
{
  std::array<std::array<double, 3>, 3> Q{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  for (int k = 0; k < 3; ++k)
  {
    const double angle = random_number(3.), c = std::cos(angle), s = std::sin(angle);
    auto &a = Q[k], &b = Q[(k + 1) % 3];
    for (int i = 0; i < 3; ++i)
    {
      const double ai = a[i], bi = b[i];
      a[i] = c * ai - s * bi;
      b[i] = s * ai + c * bi;
    }
  }
  return Q;
}

/// Q C Qᵀ
Symmetric<double> rotate(const Symmetric<double> &C, const std::array<std::array<double, 3>, 3> &Q)
{
  Symmetric<double> r{};
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j)
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l) r(i, j) += Q[i][k] * C(k, l) * Q[j][l];
  return r;
}

Symmetric<double> with_squared_stretches(double x, double y, double z)
{
  return rotate({{x, y, z, 0., 0., 0.}}, random_rotation());
}

Symmetric<double> random_C()
{
  return with_squared_stretches(1. + random_number(0.5), 1. + random_number(0.5), 1. + random_number(0.5));
}

/// A different point in every lane.
Symmetric<Wide> wide(const std::function<Symmetric<double>()> &point)
{
  Symmetric<Wide> C{};
  for (int i = 0; i < lanes; ++i) set_lane(C, i, point());
  return C;
}

/// A curve through C with random first and second derivatives.
Symmetric<Jet<Wide>> curve(const Symmetric<Wide> &C)
{
  const auto H = wide([] { return random_symmetric(1.); }), K = wide([] { return random_symmetric(1.); });
  Symmetric<Jet<Wide>> r;
  for (int m = 0; m < 6; ++m) r[m] = {C[m], H[m], K[m]};
  return r;
}

void expect_near(const std::vector<double> &a, const std::vector<double> &b, double relative, double size = 0.)
{
  for (const double x : b) size = std::max(size, std::abs(x));
  for (std::size_t i = 0; i < b.size(); ++i) ASSERT_NEAR(a[i], b[i], relative * size) << "component " << i;
}

/// Stress, tangent and both derivatives of the stress along a curve agree in every lane. Sizes below `size` count as
/// it.
void expect_same(const Material &a, const Material &b, const Symmetric<Wide> &C, double relative = exact,
                 double size = 0.)
{
  const auto path = curve(C);
  const Symmetric<Jet<Wide>> ja = a.stress(path), jb = b.stress(path);
  const Symmetric<Wide> Sa = a.stress(C), Sb = b.stress(C);
  Symmetric<Wide> Ta, Tb;
  Tangent<Wide> Da, Db;
  a.tangent(C, Ta, Da);
  b.tangent(C, Tb, Db);
  for (int i = 0; i < lanes; ++i)
  {
    std::vector<double> x[6], y[6];
    for (int m = 0; m < 6; ++m)
    {
      const Jet<Wide> &u = ja[m], &v = jb[m];
      const double values[2][5] = {{Sa[m][i], Ta[m][i], u.x[i], u.d[i], u.dd[i]},
                                   {Sb[m][i], Tb[m][i], v.x[i], v.d[i], v.dd[i]}};
      for (int k = 0; k < 5; ++k)
      {
        x[k].push_back(values[0][k]);
        y[k].push_back(values[1][k]);
      }
      for (int n = 0; n < 6; ++n)
      {
        x[5].push_back(Da(m, n)[i]);
        y[5].push_back(Db(m, n)[i]);
      }
    }
    const char *what[6] = {"stress", "stress of tangent", "stress of Jet", "first", "second derivative", "D"};
    for (int k = 0; k < 6; ++k)
    {
      SCOPED_TRACE(std::string(what[k]) + ", lane " + std::to_string(i));
      expect_near(x[k], y[k], relative, size);
    }
  }
}

/// D_mn = lambda δ_IJ δ_KL + mu (δ_IK δ_JL + δ_IL δ_JK)
double isotropic(int m, int n, double first)
{
  return (m < 3 && n < 3 ? first : 0.) + (m == n ? (m < 3 ? 2. : 1.) * mu : 0.);
}
}  // namespace

TEST(Materials, EnergyAndStressVanishAtIdentity)
{
  for_each_material(
      [](const std::string &, const Material &material)
      {
        EXPECT_NEAR(material.psi(identity<Wide>())[lanes - 1], 0., 1e-13 * E);
        const Symmetric<Wide> S = material.stress(identity<Wide>());
        for (int m = 0; m < 6; ++m) EXPECT_NEAR(S[m][0], 0., 1e-13 * E);
      });
}

TEST(Materials, TangentAtIdentityIsIsotropicElasticity)
{
  for_each_material(
      [](const std::string &, const Material &material)
      {
        Symmetric<Wide> S;
        Tangent<Wide> D;
        material.tangent(identity<Wide>(), S, D);
        const bool plane = material.plane_stress();
        for (int m = 0; m < 6; ++m)
          for (int n = 0; n < 6; ++n)
          {
            const double d = isotropic(m, n, plane ? E * nu / (1. - nu * nu) : lambda);
            EXPECT_NEAR(D(m, n)[0], plane && (m == 2 || n == 2) ? 0. : d, exact * E) << m << n;
          }
        EXPECT_NEAR(material.longitudinal_modulus(), plane ? E / (1. - nu * nu) : kappa + 4. / 3. * mu, exact * E);
      });
}

TEST(Materials, StressAndTangentsAreDerivativesOfEnergy)
{
  for_each_material(
      [](const std::string &name, const Material &material)
      {
        const auto oracle = material.differentiated();
        ASSERT_TRUE(oracle || name == "ogden") << "only energies in principal stretches are held otherwise";
        for (int k = 0; oracle && k < 20; ++k) expect_same(material, *oracle, wide(random_C));
        if (oracle) expect_same(material, *oracle, identity<Wide>(), exact, E);
      });
}

namespace
{
std::string axes_of(const std::array<std::array<double, 3>, 3> &Q)  // columns of Q: the first two axes
{
  char text[256];
  std::snprintf(text, sizeof text, "set Axes = %.17g, %.17g, %.17g, %.17g, %.17g, %.17g\n", Q[0][0], Q[1][0], Q[2][0], Q[0][1], Q[1][1], Q[2][1]);
  return text;
}

const std::string timber = "set E = 11e3, 0.9e3, 0.5e3\nset nu = 0.4, 0.42, 0.5\nset G = 0.7e3, 0.6e3, 0.05e3\n";
const std::string triclinic = "set Stiffness = 100, 30, 80, 20, 25, 90, 5, -4, 3, 40, 6, 2, -3, 1, 35, -2, 4, 1, 3, -2, 30\n";
}  // namespace

/// A material and its axes turned together see the turned strain as before; with the axes alone they do not.
TEST(Anisotropic, TurnsWithItsAxes)
{
  for (const std::string name : {"linear-elasticity-anisotropic", "st-venant-kirchhoff-anisotropic"})
    for (const std::string &moduli : {timber, triclinic})
    {
      const auto fixed = make(name, moduli);
      const Symmetric<double> C = random_C();
      const auto Q = random_rotation();
      const auto turned = make(name, moduli + axes_of(Q));
      const double psi = fixed->psi(wide([&] { return C; }))[0];
      EXPECT_NEAR(turned->psi(wide([&] { return rotate(C, Q); }))[0], psi, 1e-12 * psi);
      EXPECT_GT(std::abs(turned->psi(wide([&] { return C; }))[0] - psi), 1e-4 * psi) << "negative control";
      expect_same(*turned, *turned->differentiated(), wide(random_C));
    }
}

/// The orders of the moduli, and a bar of timber under tension: eps22 = -nu12 sigma/E1.
TEST(Anisotropic, ConstantsAreTheNamedOnes)
{
  Symmetric<Wide> S;
  Tangent<Wide> D;
  make("linear-elasticity-anisotropic", triclinic)->tangent(identity<Wide>(), S, D);
  EXPECT_EQ(D(0, 0)[0], 100.);
  EXPECT_EQ(D(1, 2)[0], 25.);
  EXPECT_EQ(D(2, 3)[0], 3.) << "D3312";
  EXPECT_EQ(D(3, 4)[0], 1.) << "D1213";
  EXPECT_EQ(D(5, 5)[0], 30.);
  make("linear-elasticity-anisotropic", "set Stiffness = 100, 30, 80, 20, 25, 90, 40, 35, 30\n")->tangent(identity<Wide>(), S, D);
  EXPECT_EQ(D(4, 4)[0], 35.) << "D1313";
  EXPECT_EQ(D(2, 3)[0], 0.);
  const auto wood = make("linear-elasticity-anisotropic", timber);
  const double sigma = 7., eps = sigma / 11e3;
  Symmetric<Wide> C = identity<Wide>();
  C[0] += 2. * eps;
  C[1] -= 2. * 0.4 * eps;
  C[2] -= 2. * 0.42 * eps;
  const Symmetric<Wide> stress = wood->stress(C);
  EXPECT_NEAR(stress[0][0], sigma, 1e-10);
  for (int m = 1; m < 6; ++m) EXPECT_NEAR(stress[m][0], 0., 1e-10);
}

TEST(Anisotropic, BadModuliAreRefused)
{
  const auto refused = [](const std::string &constants, const std::string &part) {
    try
    {
      make("linear-elasticity-anisotropic", constants);
      ADD_FAILURE() << constants;
    }
    catch (const InputError &error)
    {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  refused("set Stiffness = 100, 130, 80, 20, 25, 90, 40, 35, 30\n", "positive definite");
  refused("set Stiffness = 100, 30, 80, 20, 25, 90, 40, 0, 30\n", "positive definite");
  refused("set Stiffness = 100, 30\n", "9 (orthotropic) or 21");
  refused("set E = 11e3, 0.9e3, 0.5e3\nset nu = 4, 0.42, 0.5\nset G = 700, 600, 50\n", "positive definite");
  refused("set E = 11e3, 0.9e3\nset nu = 0.4, 0.42, 0.5\nset G = 700, 600, 50\n", "three numbers");
  refused("set E = 11e3, -0.9e3, 1e3\nset nu = 0.4, 0.42, 0.5\nset G = 700, 600, 50\n", "must be > 0");
  refused(timber + "set Axes = 1, 0, 0, 2, 0, 0\n", "parallel");
  refused(timber + "set Axes = 1, 0, 0\n", "six numbers");
  refused(timber + "set Stiffness = 100, 30, 80, 20, 25, 90, 40, 35, 30\n", "either");
  refused("", "either");
}

TEST(Materials, EnergyIsIsotropic)
{
  for_each_material(
      [](const std::string &, const Material &material)
      {
        const Symmetric<double> C =
            material.plane_stress() ? Symmetric<double>{{1.3, 0.8, 1., 0.2, 0., 0.}} : random_C();
        auto Q = random_rotation();
        if (material.plane_stress()) Q = {{{0.6, 0.8, 0.}, {-0.8, 0.6, 0.}, {0., 0., 1.}}};
        const Wide a = material.psi(wide([&] { return C; })), b = material.psi(wide([&] { return rotate(C, Q); }));
        EXPECT_GT(a[0], 0.);
        EXPECT_NEAR(a[0], b[0], exact * E);
      });
}

/// At C ± h H: differences of psi and of the stress have the slope 2 in h.
TEST(Materials, CentralDifferencesHaveSlopeTwo)
{
  for_each_material(
      [](const std::string &name, const Material &material)
      {
        const Symmetric<Wide> C = wide(random_C), H = wide([] { return random_symmetric(1.); });
        const auto at = [&](double h)
        {
          Symmetric<Wide> r = C;
          for (int m = 0; m < 6; ++m) r[m] += h * H[m];
          return r;
        };
        Symmetric<Wide> S;
        Tangent<Wide> D;
        material.tangent(C, S, D);
        Symmetric<Jet<Wide>> path;
        for (int m = 0; m < 6; ++m) path[m] = {C[m], H[m], Wide(0.)};
        const auto along = material.stress(path);
        const auto errors = [&](double h)
        {
          std::array<double, 3> e{};
          const double slope = 0.5 * contract(S, H)[0];
          e[0] = std::abs((material.psi(at(h))[0] - material.psi(at(-h))[0]) / (2. * h) - slope);
          const Symmetric<Wide> ahead = material.stress(at(h)), behind = material.stress(at(-h)),
                                here = material.stress(C);
          for (int m = 0; m < 6; ++m)
          {
            double d = 0.;
            for (int n = 0; n < 6; ++n) d += (n < 3 ? 0.5 : 1.) * D(m, n)[0] * H[n][0];
            e[1] += std::abs((ahead[m][0] - behind[m][0]) / (2. * h) - d);
            e[2] += std::abs((ahead[m][0] - 2. * here[m][0] + behind[m][0]) / (h * h) - along[m].dd[0]);
          }
          return e;
        };
        const auto coarse = errors(0.008), fine = errors(0.004);
        const bool quadratic = name.find("linear") == 0 || name.find("st-venant") == 0;
        for (int k = 0; k < 3; ++k)
          if (quadratic)
            EXPECT_LT(fine[k], 1e-8 * E);
          else
            EXPECT_NEAR(std::log2(coarse[k] / fine[k]), 2., 0.15) << "derivative " << k + 1;
      });
}

TEST(Materials, EnergyAloneIsEnough)
{
  const auto toy = make("test-toy", constants("")), by_hand = make("neo-hooke-log", constants(""));
  expect_same(*toy, *by_hand, wide(random_C));
}

TEST(Materials, NamedFormsAreTheFormulas)
{
  const Symmetric<Wide> C = wide(random_C);
  const double J = std::sqrt(determinant(C)[0]), I1 = trace(C)[0], I2 = trace(cofactor(C))[0], log_J = std::log(J);
  const double isochoric = std::pow(J, -2. / 3.) * I1 - 3., second = std::pow(J, -4. / 3.) * I2 - 3.;
  const double quadratic = kappa / 2. * (J - 1.) * (J - 1.);
  const std::map<std::string, double> psi = {
      {"neo-hooke-log", mu / 2. * (I1 - 3.) - mu * log_J + lambda / 2. * log_J * log_J},
      {"neo-hooke-quadratic", mu / 2. * isochoric + quadratic},
      {"neo-hooke-simo", mu / 2. * isochoric + kappa / 4. * (J * J - 1. - 2. * log_J)},
      {"mooney-rivlin", 0.3 * mu * isochoric + 0.2 * mu * second + quadratic}};
  for (const auto &[name, value] : psi) EXPECT_NEAR(make(name, constants(name))->psi(C)[0], value, exact * E) << name;
}

TEST(PlaneStress, EliminatesTheThickness)
{
  for (const std::string name : {"linear-elasticity", "st-venant-kirchhoff"})
  {
    const auto plane = make(name, constants("") + "set Plane = stress\n"), solid = make(name, constants(""));
    EXPECT_TRUE(plane->plane_stress() && !solid->plane_stress());
    EXPECT_EQ(plane->small_strain(), name == "linear-elasticity");
    Symmetric<Wide> C{{1.2, 0.9, 1., 0.1, 0., 0.}}, deformed = C;
    EXPECT_EQ(solid->thickness_stretch_squared(C)[0], 1.);
    deformed[2] = plane->thickness_stretch_squared(C);
    const Symmetric<Wide> S = plane->stress(C), S_solid = solid->stress(deformed);
    EXPECT_NEAR(plane->psi(C)[0], solid->psi(deformed)[0], exact * E);
    for (int m = 0; m < 6; ++m) EXPECT_NEAR(S[m][0], S_solid[m][0], exact * E) << m;
    EXPECT_EQ(S[2][0], 0.);
  }
}

TEST(ElasticConstants, PairsAreTheSame)
{
  const auto a = make("neo-hooke-log", line("E", E) + line("nu", nu));
  const Symmetric<Wide> C = wide(random_C);
  expect_same(*a, *make("neo-hooke-log", line("lambda", lambda) + line("mu", mu)), C);
  expect_same(*a, *make("neo-hooke-log", line("kappa", kappa) + line("mu", mu)), C);
}

TEST(ElasticConstants, BadOnesAreRefused)
{
  const std::vector<std::array<std::string, 3>> bad = {
      {"set E = 1000\nset nu = 0.5\n", "test.prm:2", "Use e.g. nu = 0.499"},
      {"set E = 1000\nset nu = 0.7\n", "test.prm:2", "is 0.7 but must be < 0.5"},
      {"set E = 1000\nset nu = -1\n", "test.prm:2", "is -1 but must be > -1"},
      {"set E = -3\nset nu = 0.3\n", "test.prm:1", "is -3 Pa but must be > 0"},
      {"set kappa = 10\nset mu = 0\n", "test.prm:2", "is 0 Pa but must be > 0"},
      {"set kappa = -10\nset mu = 1\n", "test.prm:1", "is -10 Pa but must be > 0"},
      {"set lambda = -1\nset mu = 1\n", "test.prm:1", "Give lambda > -2/3 mu"},
      {"set E = 1000\n", "test.prm:1", "constants given are E,"},
      {"set E = 1000\nset mu = 300\n", "test.prm", "constants given are E, mu,"},
      {"set E = 1000\nset nu = 0.3\nset lambda = 1\nset mu = 1\n", "test.prm", "Remove all but one pair"},
      {"", "test.prm", "no elastic constants are given"}};
  for (const auto &[text, place, rule] : bad) try
    {
      make("neo-hooke-simo", text);
      ADD_FAILURE() << "accepted: " << text;
    }
    catch (const InputError &error)
    {
      const std::string message = error.what();
      EXPECT_NE(message.find(place), std::string::npos) << message;
      EXPECT_NE(message.find(rule), std::string::npos) << message;
    }
}

TEST(ElasticConstants, MooneyRivlinAndOgdenRefuse)
{
  EXPECT_THROW(make("mooney-rivlin", "set c10 = 1\nset kappa = 1\n"), InputError);
  EXPECT_THROW(make("mooney-rivlin", "set c10 = 1\nset c01 = -2\nset kappa = 1\n"), InputError);
  EXPECT_THROW(make("mooney-rivlin", "set c10 = 1\nset c01 = 2\nset kappa = 0\n"), InputError);
  EXPECT_THROW(make("ogden", ogden("1, 2", "2")), InputError);
  EXPECT_THROW(make("ogden", ogden("1, 2", "2, 0")), InputError);
  EXPECT_THROW(make("ogden", ogden("-1", "2")), InputError);
  EXPECT_THROW(make("ogden", "set mu = 1\nset alpha = 2\n"), InputError);
}

namespace
{
/// Squared stretches of which two or three are equal or differ by `gap`, in a random basis.
Symmetric<double> nearly_equal(double gap, bool three)
{
  return with_squared_stretches(1.2, 1.2 * (1. + gap), three ? 1.2 * (1. - 0.7 * gap) : 0.8);
}

/// Points at which spectral formulas can fail: random, I, two or three stretches equal or nearly so.
void for_each_spectrum(const std::function<void(const Symmetric<Wide> &)> &test)
{
  for (int k = 0; k < 5; ++k) test(wide(random_C));
  test(identity<Wide>());
  for (const bool three : {false, true})
  {
    test(wide([&] { return nearly_equal(0., three); }));
    for (int digits = 1; digits <= 16; ++digits)
      for (const double part : {1., 0.3})
      {
        SCOPED_TRACE("gap 1e-" + std::to_string(digits));
        test(wide([&] { return nearly_equal(part * std::pow(10., -digits), three); }));
      }
  }
}

/// A B as a general 3×3 matrix.
template <class T>
std::array<std::array<T, 3>, 3> product(const std::array<std::array<T, 3>, 3> &A, const Symmetric<T> &B)
{
  std::array<std::array<T, 3>, 3> r;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) r[i][j] = A[i][0] * B(0, j) + A[i][1] * B(1, j) + A[i][2] * B(2, j);
  return r;
}
}  // namespace

/// C^(1/2) C^(1/2) = C and C (C^(-1/3))³ = I with first and second derivatives, by the product rule alone.
TEST(Spectral, PowersMultiplyAlsoWhereEigenvaluesMeet)
{
  for_each_spectrum(
      [](const Symmetric<Wide> &points)
      {
        const Symmetric<Jet<double>> C = lane(curve(points), 0);
        const Spectrum s = spectrum(lane(points, 0));
        const std::array<std::array<Jet<double>, 3>, 3> one{{{1., 0., 0.}, {0., 1., 0.}, {0., 0., 1.}}};
        const auto root = power(s, C, 0.5), inverse_root = power(s, C, -1. / 3.);
        const auto is_C = product(product(one, root), root);
        const auto is_one = product(product(product(product(one, C), inverse_root), inverse_root), inverse_root);
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j)
          {
            const Jet<double> c = is_C[i][j] - C(i, j), o = is_one[i][j] - one[i][j];
            for (const double error : {c.x, c.d, c.dd, o.x, o.d, o.dd}) ASSERT_NEAR(error, 0., 3e-14);
          }
      });
}

TEST(Ogden, IsNeoHookeAndMooneyRivlin)
{
  const auto neo_hooke = make("neo-hooke-quadratic", constants("")),
             mooney = make("mooney-rivlin", constants("mooney-rivlin"));
  const auto one = make("ogden", ogden(2.));
  char factors[64];
  std::snprintf(factors, sizeof factors, "%.17g, %.17g", 0.6 * mu, -0.4 * mu);
  const auto two = make("ogden", ogden(factors, "2, -2"));
  for_each_spectrum(
      [&](const Symmetric<Wide> &C)
      {
        expect_same(*one, *neo_hooke, C, exact, E);
        expect_same(*two, *mooney, C, exact, E);
        EXPECT_NEAR(two->psi(C)[0], mooney->psi(C)[0], exact * E);
      });
}

TEST(Ogden, EvenExponentsAreInvariants)
{
  for (const int alpha : {4, 8, -4})
  {
    SCOPED_TRACE(alpha);
    const EvenOgden polynomial(alpha);
    const auto ogden_term = make("ogden", ogden(alpha));
    for_each_spectrum(
        [&](const Symmetric<Wide> &C)
        {
          expect_same(*ogden_term, polynomial, C, exact, E);
          EXPECT_NEAR(ogden_term->psi(C)[0], polynomial.psi(C)[0], exact * E);
        });
  }
}

/// The vector functions of wide.h against the C library.
TEST(Wide, FunctionsAreThoseOfTheLibrary)
{
  for (int k = 0; k < 20000; ++k)
  {
    const double x = k % 2 ? std::exp(random_number(700.)) : 1. + random_number(0.5) * std::pow(10., -k % 16);
    const Wide a = map_lanes(Wide(x), [](double s) { return s; });
    ASSERT_NEAR(log(a)[0], std::log(x), 3e-16 * std::abs(std::log(x))) << x;
    ASSERT_NEAR(rcbrt(a)[lanes - 1] * std::cbrt(x), 1., 1e-15) << x;
    ASSERT_EQ(sqrt(a)[0], std::sqrt(x));
  }
  for (const double x : {0., -1., std::nan("")})
    EXPECT_TRUE(std::isnan(log(Wide(x))[0]) && std::isnan(rcbrt(Wide(x))[0]) && std::isnan(rcbrt(x))) << x;
}
