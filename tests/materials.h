// Materials made from the text of a deck, random points of deformation, and what it means that two materials are the same.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <random>

#include "materials/algebra/lanes.h"
#include "materials/material_of.h"
#include "solver/deck/deck.h"
#include "solver/registry.h"
#include "tests/law_constants.h"

namespace symdyn::tests
{
constexpr double E = 1000., nu = 0.3, mu = E / (2. * (1. + nu)), kappa = E / (3. * (1. - 2. * nu));
constexpr double lambda = kappa - 2. / 3. * mu;
constexpr double exact = 1e-12;

inline std::unique_ptr<Material> make(const std::string &name, const std::string &text)
{
  auto material = Registry<Material>::instance().make(name);
  Deck deck = Deck::from_text(text, "test.prm");
  Parameters p = deck.root();
  material->declare(p);
  deck.finish();
  return material;
}

inline std::string line(const std::string &name, double value)
{
  char text[64];
  std::snprintf(text, sizeof text, "set %s = %.17g\n", name.c_str(), value);
  return text;
}

inline std::string ogden(const std::string &factors, const std::string &exponents)
{
  return "set mu = " + factors + "\nset alpha = " + exponents + "\n" + line("kappa", kappa);
}

inline std::string ogden(double exponent) { return line("mu", 2. * mu / exponent) + line("alpha", exponent) + line("kappa", kappa); }

/// Constants that make the registered material E, nu at C = I. Those that are not stated through (E, nu) are listed.
inline std::string constants(const std::string &name)
{
  if (const std::string own = constants_of_its_own(name); !own.empty())
    return own;
  if (name == "mooney-rivlin")
    return line("c10", 0.3 * mu) + line("c01", 0.2 * mu) + line("kappa", kappa);
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

inline std::mt19937 generator(7);

inline double random_number(double size) { return std::uniform_real_distribution<double>(-size, size)(generator); }

inline Symmetric<double> random_symmetric(double size)
{
  Symmetric<double> r;
  for (double &component : r.e)
    component = random_number(size);
  return r;
}

/// Rows orthonormal, from three random rotations.
inline std::array<std::array<double, 3>, 3> random_rotation()
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
inline Symmetric<double> rotate(const Symmetric<double> &C, const std::array<std::array<double, 3>, 3> &Q)
{
  Symmetric<double> r{};
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j)
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l)
          r(i, j) += Q[i][k] * C(k, l) * Q[j][l];
  return r;
}

inline Symmetric<double> with_squared_stretches(double x, double y, double z) { return rotate({{x, y, z, 0., 0., 0.}}, random_rotation()); }

inline Symmetric<double> random_C()
{
  return with_squared_stretches(1. + random_number(0.5), 1. + random_number(0.5), 1. + random_number(0.5));
}

/// A different point in every lane.
inline Symmetric<Wide> wide(const std::function<Symmetric<double>()> &point)
{
  Symmetric<Wide> C{};
  for (int i = 0; i < lanes; ++i)
    set_lane(C, i, point());
  return C;
}

/// A curve through C with random first and second derivatives.
inline Symmetric<Jet<Wide>> curve(const Symmetric<Wide> &C)
{
  const auto H = wide([] { return random_symmetric(1.); }), K = wide([] { return random_symmetric(1.); });
  Symmetric<Jet<Wide>> r;
  for (int m = 0; m < 6; ++m)
    r[m] = {C[m], H[m], K[m]};
  return r;
}

inline void expect_near(const std::vector<double> &a, const std::vector<double> &b, double relative, double size = 0.)
{
  for (const double x : b)
    size = std::max(size, std::abs(x));
  for (std::size_t i = 0; i < b.size(); ++i)
    ASSERT_NEAR(a[i], b[i], relative * size) << "component " << i;
}

/// Stress, tangent and both derivatives of the stress along a curve agree in every lane. Sizes below `size` count as
/// it.
inline void expect_same(const Material &a, const Material &b, const Symmetric<Wide> &C, double relative = exact, double size = 0.)
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
      const double values[2][5] = {{Sa[m][i], Ta[m][i], u.x[i], u.d[i], u.dd[i]}, {Sb[m][i], Tb[m][i], v.x[i], v.d[i], v.dd[i]}};
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
}  // namespace symdyn::tests
