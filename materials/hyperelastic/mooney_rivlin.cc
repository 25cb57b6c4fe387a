#include "materials/elastic_constants.h"
#include "materials/isotropic.h"
#include "materials/material_of.h"
#include "solver/registry.h"

namespace symdyn
{
namespace
{
/// psi = c10 (J^(-2/3) I1 - 3) + c01 (J^(-4/3) I2 - 3) + kappa/2 (J - 1)² [J/m³], J = sqrt(det C): Mooney (1940),
/// Rivlin (1948), in the isochoric part of C. At C = I the shear modulus is 2 (c10 + c01), the bulk modulus kappa [Pa].
class MooneyRivlin : public MaterialOf<MooneyRivlin>
{
public:
  void declare(Parameters &p) override
  {
    p.add("c10", c10, "factor of the first isochoric invariant [Pa]; c10 + c01 > 0");
    p.add("c01", c01, "factor of the second isochoric invariant [Pa]; c10 + c01 > 0");
    p.add("kappa", kappa, "bulk modulus [Pa], > 0");
    for (const char *name : {"c10", "c01", "kappa"})
      if (!p.given(name))
        p.fail("", std::string(name) + " is missing: Mooney-Rivlin needs c10, c01 and kappa in Pa. Give all three");
    require_positive(p, "c10", c10 + c01, "half the shear modulus, c10 + c01,");
    require_positive(p, "kappa", kappa, "the bulk modulus");
  }

  template <class T>
  T psi(const Symmetric<T> &C) const
  {
    const T III = determinant(C), r = rcbrt(III);
    return c10 * (r * trace(C) - 3.) + c01 * (r * r * second_invariant(C) - 3.) + QuadraticVolume::U(kappa, III);
  }

  /// S = 2 c10 r (I - I1/3 B) + 2 c01 r² (I1 I - C - 2/3 I2 B) + J U' B with B = C⁻¹, r = J^(-2/3)
  template <class T>
  Symmetric<T> stress(const Symmetric<T> &C) const
  {
    const T III = determinant(C);
    const Factors<T> f = factors(C, III);
    return stress(C, inverse(C, III), f);
  }

  /// D = 4 c01 r² (I⊗I - I⊙I) + A⊗B + B⊗A + b B⊗B + c B⊙B with
  ///     A = -4/3 c10 r I - 8/3 c01 r² (I1 I - C),  b = 4/9 c10 r I1 + 16/9 c01 r² I2 + J (J U')',
  ///     c = 4/3 c10 r I1 + 8/3 c01 r² I2 - 2 J U'
  template <class T>
  void tangent(const Symmetric<T> &C, Symmetric<T> &S, Tangent<T> &D) const
  {
    const T III = determinant(C);
    const Factors<T> f = factors(C, III);
    const Symmetric<T> B = inverse(C, III);
    S = stress(C, B, f);
    const T b = (2. / 9.) * f.first * f.I1 + (8. / 9.) * f.second * f.I2 + QuadraticVolume::second(kappa, III);
    const Symmetric<T> A = combine<T>((-2. / 3.) * f.first - (4. / 3.) * f.second * f.I1, (4. / 3.) * f.second, C);
    isotropic_tangent<T>(A, B, b, -2. * f.s, D);
    const T cross = 2. * f.second;
    for (int m = 0; m < 3; ++m)
    {
      for (int n = 0; n < 3; ++n)
        if (m != n)
          D(m, n) += cross;
      D(m + 3, m + 3) -= 0.5 * cross;
    }
  }

private:
  /// first = 2 c10 r and second = 2 c01 r², and s, the factor of C⁻¹ in S.
  template <class T>
  struct Factors
  {
    T I1, I2, first, second, s;
  };

  template <class T>
  Factors<T> factors(const Symmetric<T> &C, const T &III) const
  {
    const T I1 = trace(C), I2 = second_invariant(C), r = rcbrt(III);
    const T first = 2. * c10 * r, second = 2. * c01 * r * r;
    const T s = QuadraticVolume::first(kappa, III) - (1. / 3.) * first * I1 - (2. / 3.) * second * I2;
    return {I1, I2, first, second, s};
  }

  template <class T>
  static Symmetric<T> stress(const Symmetric<T> &C, const Symmetric<T> &B, const Factors<T> &f)
  {
    Symmetric<T> S = combine<T>(f.first + f.second * f.I1, f.s, B);
    for (int m = 0; m < 6; ++m)
      S[m] -= f.second * C[m];
    return S;
  }

  double c10 = 0., c01 = 0., kappa = 0.;
};
}  // namespace

SYMDYN_REGISTER(Material, MooneyRivlin, "mooney-rivlin");
}  // namespace symdyn
