#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "materials/algebra/branch.h"
#include "materials/elastic_constants.h"
#include "materials/hyperelastic/material_axes.h"
#include "materials/isotropic.h"
#include "materials/material_of.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
namespace
{
/// Soft tissue with families of fibres a_i (Gasser, Ogden, Holzapfel 2006):
///     psi = c10 (I1 - 3) + k1/(2 k2) Σ_i (exp(k2 E_i²) - 1) + kappa/4 (J² - 1 - 2 ln J) [J/m³],
///     E_i = d (I1 - 3) + (1 - 3 d) (I4_i - 1) = M_i : Cbar - 1,   M_i = d I + (1 - 3 d) a_i⊗a_i,
/// I1 = tr Cbar, I4_i = a_i·Cbar a_i, Cbar = J^(-2/3) C. A family with E_i <= 0 carries nothing: psi is C1 there, and C2 elsewhere.
/// d: dispersion (the paper's kappa), 0: all fibres parallel, 1/3: isotropic. At C = I: shear modulus 2 c10, bulk modulus kappa [Pa].
class Holzapfel : public MaterialOf<Holzapfel>
{
public:
  void declare(Parameters &p) override
  {
    double inverse_bulk = 0.;
    std::vector<double> angles, fibres;
    p.add("c10", c10, "half the shear modulus of the matrix [Pa], > 0");
    p.add("k1", k1, "stiffness of the fibres [Pa], >= 0", not_negative());
    p.add("k2", k2, "exponent of the fibres [-], > 0", positive());
    p.add("Dispersion", dispersion, "kappa of the paper [-]: 0: fibres of a family are parallel; 1/3: isotropic", between(0., 1. / 3.));
    p.add("kappa", bulk, "bulk modulus [Pa], > 0; or D");
    p.add("D", inverse_bulk, "2/kappa [1/Pa], as Abaqus; instead of kappa", positive());
    p.add("Angles", angles, "angle of each family of fibres to the first axis, in the plane of the first two [degrees]; or Fibres");
    p.add("Fibres", fibres, "direction of each family, three numbers each, of any length; instead of Angles");
    const MaterialAxes axes = declare_material_axes(p);
    require_positive(p, p.given("c10") ? "c10" : "", c10, "c10");
    for (const char *name : {"k1", "k2"})
      if (!p.given(name))
        p.fail("", std::string(name) + " is missing: fibres need k1 [Pa] and k2 [-]. Give both; without fibres use neo-hooke-simo");
    if (p.given("kappa") == p.given("D"))
      p.fail(p.given("D") ? "D" : "", "the bulk modulus is given either by kappa [Pa] or by D = 2/kappa [1/Pa]. Give one of the two");
    if (p.given("D"))
      bulk = 2. / inverse_bulk;
    require_positive(p, "kappa", bulk, "the bulk modulus");
    set_families(p, axes, angles, fibres);
  }

  template <class T>
  T psi(const Symmetric<T> &C) const
  {
    using std::exp;
    const T III = determinant(C), r = rcbrt(III);
    T sum = c10 * (r * trace(C) - 3.) + SimoVolume::U(bulk, III);
    for (const Symmetric<double> &M : families)
    {
      const T E = stretched(M, C, r);
      sum += (0.5 * k1 / k2) * (exp(T(k2 * E * E)) - 1.);
    }
    return sum;
  }

  /// S = r DEV[X] + J U' B, X = 2 c10 I + 2 Σ k1 E_i exp(k2 E_i²) M_i, DEV[X] = X - 1/3 (X : C) B, r = J^(-2/3), B = C⁻¹
  template <class T>
  Symmetric<T> stress(const Symmetric<T> &C) const
  {
    const T III = determinant(C), r = rcbrt(III);
    const Symmetric<T> B = inverse(C, III), X = isochoric(C, r);
    const T b = SimoVolume::first(bulk, III) - (1. / 3.) * r * contract(X, C);
    Symmetric<T> S;
    for (int m = 0; m < 6; ++m)
      S[m] = r * X[m] + b * B[m];
    return S;
  }

  /// D = Σ k1 (1 + 2 k2 E²) exp(k2 E²) N⊗N + A⊗B + B⊗A + b B⊗B + c B⊙B, N = 2 r DEV[M], A = -2/3 r X
  template <class T>
  void tangent(const Symmetric<T> &C, Symmetric<T> &S, Tangent<T> &D) const
  {
    using std::exp;
    const T III = determinant(C), r = rcbrt(III);
    const Symmetric<T> B = inverse(C, III), X = isochoric(C, r);
    const T mean = (1. / 3.) * r * contract(X, C), b = SimoVolume::first(bulk, III) - mean;
    Symmetric<T> A;
    for (int m = 0; m < 6; ++m)
    {
      S[m] = r * X[m] + b * B[m];
      A[m] = (-2. / 3.) * r * X[m];
    }
    isotropic_tangent<T>(A, B, (2. / 3.) * mean + SimoVolume::second(bulk, III), -2. * b, D);
    for (const Symmetric<double> &M : families)
    {
      const T E = stretched(M, C, r), along = (-1. / 3.) * along_of(M, C);
      const T stiffness = where_above<T>(E, 0., k1 * (1. + 2. * k2 * E * E) * exp(T(k2 * E * E)), T(0.));
      Symmetric<T> N;
      for (int m = 0; m < 6; ++m)
        N[m] = 2. * r * (M[m] + along * B[m]);
      for (int m = 0; m < 6; ++m)
        for (int n = 0; n < 6; ++n)
          D(m, n) += stiffness * N[m] * N[n];
    }
  }

private:
  void set_families(const Parameters &p, const MaterialAxes &axes, const std::vector<double> &angles, std::vector<double> fibres)
  {
    if (p.given("Angles") == p.given("Fibres"))
      p.fail(p.given("Fibres") ? "Fibres" : "", "the families of fibres are given either by Angles or by Fibres. Give one of the two");
    if (p.given("Fibres") && p.given("Axes"))
      p.fail("Axes", "Fibres are directions in the coordinates, so Axes have no effect. Remove Axes, or give Angles");
    if (fibres.size() % 3)
      p.fail("Fibres", "has " + std::to_string(fibres.size()) + " numbers, but every family has three components. Give 3, 6, ...");
    const double degree = std::acos(-1.) / 180.;
    for (const double angle : angles)
      for (int i = 0; i < 3; ++i)
        fibres.push_back(std::cos(angle * degree) * axes[0][i] + std::sin(angle * degree) * axes[1][i]);
    for (std::size_t k = 0; k < fibres.size(); k += 3)
    {
      const double *a = &fibres[k], square = a[0] * a[0] + a[1] * a[1] + a[2] * a[2], share = (1. - 3. * dispersion) / square;
      if (!(square > 0. && std::isfinite(square)))
        p.fail("Fibres", "a direction has the length 0 or is not finite. Give three numbers that are not all 0");
      families.push_back({{dispersion + share * a[0] * a[0], dispersion + share * a[1] * a[1], dispersion + share * a[2] * a[2],
                           share * a[0] * a[1], share * a[0] * a[2], share * a[1] * a[2]}});
    }
  }

  /// M : C
  template <class T>
  static T along_of(const Symmetric<double> &M, const Symmetric<T> &C)
  {
    return M[0] * C[0] + M[1] * C[1] + M[2] * C[2] + 2. * (M[3] * C[3] + M[4] * C[4] + M[5] * C[5]);
  }
  /// E, 0 where it is not positive.
  template <class T>
  static T stretched(const Symmetric<double> &M, const Symmetric<T> &C, const T &r)
  {
    const T E = r * along_of(M, C) - 1.;
    return where_above<T>(E, 0., E, T(0.));
  }
  template <class T>
  Symmetric<T> isochoric(const Symmetric<T> &C, const T &r) const
  {
    using std::exp;
    Symmetric<T> X{{T(2. * c10), T(2. * c10), T(2. * c10), T(0.), T(0.), T(0.)}};
    for (const Symmetric<double> &M : families)
    {
      const T E = stretched(M, C, r), tension = 2. * k1 * E * exp(T(k2 * E * E));
      for (int m = 0; m < 6; ++m)
        X[m] += M[m] * tension;
    }
    return X;
  }

  double c10 = 0., k1 = 0., k2 = 0., dispersion = 0., bulk = 0.;
  std::vector<Symmetric<double>> families;  ///< M_i
};
}  // namespace

SYMDYN_REGISTER(Material, Holzapfel, "holzapfel");
}  // namespace symdyn
