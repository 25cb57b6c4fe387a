// Every registered material: its energy is the definition, all else follows from it.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "materials/elastic_constants.h"
#include "materials/inelastic.h"
#include "tests/materials.h"

namespace symdyn::tests::in_materials
{
namespace
{
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

/// D_mn = lambda δ_IJ δ_KL + mu (δ_IK δ_JL + δ_IL δ_JK)
double isotropic(int m, int n, double first) { return (m < 3 && n < 3 ? first : 0.) + (m == n ? (m < 3 ? 2. : 1.) * mu : 0.); }
}  // namespace

TEST(Materials, EnergyAndStressVanishAtIdentity)
{
  for_each_material([](const std::string &, const Material &material) {
    EXPECT_NEAR(material.psi(identity<Wide>())[lanes - 1], 0., 1e-13 * E);
    const Symmetric<Wide> S = material.stress(identity<Wide>());
    for (int m = 0; m < 6; ++m)
      EXPECT_NEAR(S[m][0], 0., 1e-13 * E);
  });
}

TEST(Materials, TangentAtIdentityIsIsotropicElasticity)
{
  for_each_material([](const std::string &, const Material &material) {
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
  for_each_material([](const std::string &name, const Material &material) {
    const auto oracle = material.differentiated();
    const std::set<std::string> others{"ogden", "hyperfoam", "ramberg-osgood"};
    ASSERT_TRUE(oracle || others.count(name) || inelastic(material)) << "principal stretches, logarithms, increments are held otherwise";
    for (int k = 0; oracle && k < 20; ++k)
      expect_same(material, *oracle, wide(random_C));
    if (oracle)
      expect_same(material, *oracle, identity<Wide>(), exact, E);
  });
}

TEST(Materials, EnergyIsIsotropic)
{
  for_each_material([](const std::string &, const Material &material) {
    const Symmetric<double> C = material.plane_stress() ? Symmetric<double>{{1.3, 0.8, 1., 0.2, 0., 0.}} : random_C();
    auto Q = random_rotation();
    if (material.plane_stress())
      Q = {{{0.6, 0.8, 0.}, {-0.8, 0.6, 0.}, {0., 0., 1.}}};
    const Wide a = material.psi(wide([&] { return C; })), b = material.psi(wide([&] { return rotate(C, Q); }));
    EXPECT_GT(a[0], 0.);
    EXPECT_NEAR(a[0], b[0], exact * E);
  });
}

/// At C ± h H: differences of psi and of the stress have the slope 2 in h.
TEST(Materials, CentralDifferencesHaveSlopeTwo)
{
  for_each_material([](const std::string &name, const Material &material) {
    const Symmetric<Wide> C = wide(random_C), H = wide([] { return random_symmetric(1.); });
    const auto at = [&](double h) {
      Symmetric<Wide> r = C;
      for (int m = 0; m < 6; ++m)
        r[m] += h * H[m];
      return r;
    };
    Symmetric<Wide> S;
    Tangent<Wide> D;
    material.tangent(C, S, D);
    Symmetric<Jet<Wide>> path;
    for (int m = 0; m < 6; ++m)
      path[m] = {C[m], H[m], Wide(0.)};
    const auto along = material.stress(path);
    const auto errors = [&](double h) {
      std::array<double, 3> e{};
      const double slope = 0.5 * contract(S, H)[0];
      e[0] = std::abs((material.psi(at(h))[0] - material.psi(at(-h))[0]) / (2. * h) - slope);
      const Symmetric<Wide> ahead = material.stress(at(h)), behind = material.stress(at(-h)), here = material.stress(C);
      for (int m = 0; m < 6; ++m)
      {
        double d = 0.;
        for (int n = 0; n < 6; ++n)
          d += (n < 3 ? 0.5 : 1.) * D(m, n)[0] * H[n][0];
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
  const std::map<std::string, double> psi = {{"neo-hooke-log", mu / 2. * (I1 - 3.) - mu * log_J + lambda / 2. * log_J * log_J},
                                             {"neo-hooke-quadratic", mu / 2. * isochoric + quadratic},
                                             {"neo-hooke-simo", mu / 2. * isochoric + kappa / 4. * (J * J - 1. - 2. * log_J)},
                                             {"mooney-rivlin", 0.3 * mu * isochoric + 0.2 * mu * second + quadratic}};
  for (const auto &[name, value] : psi)
    EXPECT_NEAR(make(name, constants(name))->psi(C)[0], value, exact * E) << name;
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
    for (int m = 0; m < 6; ++m)
      EXPECT_NEAR(S[m][0], S_solid[m][0], exact * E) << m;
    EXPECT_EQ(S[2][0], 0.);
  }
}
}  // namespace symdyn::tests::in_materials
