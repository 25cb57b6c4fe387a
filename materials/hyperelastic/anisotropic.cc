#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "materials/elastic_constants.h"
#include "materials/hyperelastic/material_axes.h"
#include "materials/hyperelastic/quadratic_law.h"
#include "solver/registry.h"

namespace symdyn
{
namespace
{
constexpr int components = 6;  ///< 11, 22, 33, 12, 13, 23
using Moduli = std::array<std::array<double, components>, components>;

constexpr int first_of[components] = {0, 1, 2, 0, 0, 1}, second_of[components] = {0, 1, 2, 1, 2, 2};

/// Nine numbers of an orthotropic material: D1111, D1122, D2222, D1133, D2233, D3333, D1212, D1313, D2323; or 21: the columns of the upper
/// half of D_mn with the pairs 11, 22, 33, 12, 13, 23 (the order of CalculiX and Abaqus).
Moduli from_stiffness(const std::vector<double> &values)
{
  Moduli D{};
  std::size_t k = 0;
  const bool orthotropic = values.size() == 9;
  for (int n = 0; n < components; ++n)
    for (int m = 0; m <= n; ++m)
      if (!orthotropic || n < 3 || m == n)
        D[m][n] = D[n][m] = values[k++];
  return D;
}

/// The inverse of the compliance 1/E1, 1/E2, 1/E3, -nu12/E1, -nu13/E1, -nu23/E2, 1/G (Lekhnitskii 1963).
Moduli from_engineering_constants(const std::vector<double> &E, const std::vector<double> &nu, const std::vector<double> &G)
{
  const double a = 1. / E[0], b = 1. / E[1], c = 1. / E[2], d = -nu[0] / E[0], e = -nu[1] / E[0], f = -nu[2] / E[1];
  const double det = a * (b * c - f * f) - d * (d * c - f * e) + e * (d * f - b * e);
  Moduli D{};
  D[0][0] = (b * c - f * f) / det;
  D[1][1] = (a * c - e * e) / det;
  D[2][2] = (a * b - d * d) / det;
  D[0][1] = D[1][0] = (e * f - d * c) / det;
  D[0][2] = D[2][0] = (d * f - b * e) / det;
  D[1][2] = D[2][1] = (d * e - a * f) / det;
  for (int m = 0; m < 3; ++m)
    D[3 + m][3 + m] = G[m];
  return D;
}

/// D_ijkl = e_ai e_bj e_ck e_dl D'_abcd
Moduli turned(const Moduli &local, const MaterialAxes &e)
{
  const auto at = [](const int i, const int j) { return Symmetric<double>::index(i, j); };
  Moduli D{};
  for (int m = 0; m < components; ++m)
    for (int n = 0; n < components; ++n)
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
          for (int c = 0; c < 3; ++c)
            for (int d = 0; d < 3; ++d)
              D[m][n] += e[a][first_of[m]] * e[b][second_of[m]] * e[c][first_of[n]] * e[d][second_of[n]] * local[at(a, b)][at(c, d)];
  return D;
}

/// Whether E : D : E > 0 for every strain: Cholesky's factorisation of D with shears scaled by sqrt(2).
bool positive_definite(const Moduli &D)
{
  Moduli L{};
  for (int i = 0; i < components; ++i)
    for (int j = 0; j <= i; ++j)
    {
      double sum = D[i][j] * (i < 3 ? 1. : std::sqrt(2.)) * (j < 3 ? 1. : std::sqrt(2.));
      for (int k = 0; k < j; ++k)
        sum -= L[i][k] * L[j][k];
      if (i == j && !(sum > 0. && std::isfinite(sum)))
        return false;
      L[i][j] = i == j ? std::sqrt(sum) : sum / L[j][j];
    }
  return true;
}

/// psi = ½ E : D : E [J/m³] with E = (C - I)/2 and constant moduli D of any symmetry: of the Green-Lagrange strain, or, with the linearised
/// C = I + 2 eps, Hooke's generalised law (Green 1839; Voigt 1910). Plane problems are in plane strain.
template <bool small>
class Anisotropic : public QuadraticLaw<Anisotropic<small>, small>
{
public:
  void declare(Parameters &p) override
  {
    std::vector<double> stiffness, E, nu, G;
    p.add(
        "Stiffness", stiffness,
        "moduli [Pa]: D1111, D1122, D2222, D1133, D2233, D3333, D1212, D1313, D2323 (orthotropic), or 21: D1111, D1122, D2222, D1133, D2233, D3333, then "
        "the columns D..12, D..13, D..23 down to the diagonal. Or E, nu and G");
    p.add("E", E, "Young's moduli E1, E2, E3 [Pa]; with nu and G");
    p.add("nu", nu, "Poisson's ratios nu12, nu13, nu23 [-]: nu12 = -eps22/eps11 under a stress along 1");
    p.add("G", G, "shear moduli G12, G13, G23 [Pa]");
    const MaterialAxes axes = declare_material_axes(p);
    const bool engineering = p.given("E") || p.given("nu") || p.given("G");
    if (engineering == p.given("Stiffness"))
      p.fail(engineering ? "Stiffness" : "", "the moduli are given either by Stiffness or by E, nu and G. Give one of the two");
    if (engineering)
      for (const auto &[name, values] : {std::pair{"E", &E}, {"nu", &nu}, {"G", &G}})
        if (values->size() != 3)
          p.fail(p.given(name) ? name : "", std::string(name) + " needs three numbers, for 1, 2, 3 (E) or 12, 13, 23 (nu, G)");
    if (!engineering && stiffness.size() != 9 && stiffness.size() != 21)
      p.fail("Stiffness", "has " + std::to_string(stiffness.size()) + " numbers; there must be 9 (orthotropic) or 21 (any symmetry)");
    for (const auto &[name, values] : {std::pair{"E", &E}, {"G", &G}})
      for (const double value : *values)
        require_positive(p, name, value, "a modulus");
    const Moduli local = engineering ? from_engineering_constants(E, nu, G) : from_stiffness(stiffness);
    if (!positive_definite(local))
      p.fail(
          engineering ? "nu" : "Stiffness",
          "the moduli are not positive definite: some strain would have no energy, or a negative one. Check their order, and that nu12^2 < E1/E2, nu13^2 < "
          "E1/E3, nu23^2 < E2/E3");
    D = turned(local, axes);
  }
  template <class T>
  void tangent(const Symmetric<T> &C, Symmetric<T> &S, Tangent<T> &tangent) const
  {
    S = this->stress(C);
    for (int m = 0; m < components; ++m)
      for (int n = 0; n < components; ++n)
        tangent(m, n) = T(D[m][n]);
  }

  /// S = D : E
  template <class T>
  Symmetric<T> stress_of_strain(const Symmetric<T> &E) const
  {
    Symmetric<T> S;
    for (int m = 0; m < components; ++m)
    {
      S[m] = D[m][0] * E[0];
      for (int n = 1; n < components; ++n)
        S[m] += ((n < 3 ? 1. : 2.) * D[m][n]) * E[n];
    }
    return S;
  }
  template <class T>
  void reduce(Symmetric<T> &) const
  {
  }

private:
  Moduli D{};
};
using LinearElasticityAnisotropic = Anisotropic<true>;
using StVenantKirchhoffAnisotropic = Anisotropic<false>;
}  // namespace

SYMDYN_REGISTER(Material, LinearElasticityAnisotropic, "linear-elasticity-anisotropic");
SYMDYN_REGISTER(Material, StVenantKirchhoffAnisotropic, "st-venant-kirchhoff-anisotropic");
}  // namespace symdyn
