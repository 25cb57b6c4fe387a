#include "materials/elastic_constants.h"
#include "materials/isotropic.h"
#include "materials/material_of.h"
#include "solver/registry.h"

namespace symdyn
{
namespace
{
/// psi = mu/2 (J^(-2/3) I1 - 3) + U(J) [J/m³], J = sqrt(det C): neo-Hookean in the isochoric part of C (Flory 1961),
/// with
///     U = kappa/2 (J - 1)²                "neo-hooke-quadratic"
///     U = kappa/4 (J² - 1 - 2 ln J)       "neo-hooke-simo" (Simo, Taylor 1991; Simo, Hughes 1998)
/// mu, kappa [Pa] are shear and bulk modulus at C = I.
template <class Volume>
class NeoHookeIsochoric : public MaterialOf<NeoHookeIsochoric<Volume>>
{
public:
  void declare(Parameters &p) override { constants.declare(p); }

  template <class T>
  T psi(const Symmetric<T> &C) const
  {
    return energy<T>(trace(C), determinant(C));
  }

  template <class T>
  T energy(const T &I1, const T &III) const
  {
    return (0.5 * constants.mu) * (rcbrt(III) * I1 - 3.) + Volume::U(constants.kappa, III);
  }

  /// S = mu r I + (J U' - mu r I1/3) C⁻¹ with r = J^(-2/3) = (det C)^(-1/3)
  template <class T>
  Symmetric<T> stress(const Symmetric<T> &C) const
  {
    const Response<T> r = response(trace(C), determinant(C));
    return combine(r.a, r.b, cofactor(C));
  }

  template <class T>
  Response<T> response(const T &I1, const T &III) const
  {
    const T mu_r = constants.mu * rcbrt(III);
    return {mu_r, (Volume::first(constants.kappa, III) - (1. / 3.) * mu_r * I1) / III};  // C⁻¹ = cof C / III
  }

  /// D = -2/3 mu r (I⊗B + B⊗I) + (2/9 mu r I1 + J (J U')') B⊗B + (2/3 mu r I1 - 2 J U') B⊙B with B = C⁻¹
  template <class T>
  void tangent(const Symmetric<T> &C, Symmetric<T> &S, Tangent<T> &D) const
  {
    const T III = determinant(C), mu_r = constants.mu * rcbrt(III), mean = (1. / 3.) * mu_r * trace(C);
    const T s = Volume::first(constants.kappa, III) - mean, a = (-2. / 3.) * mu_r;
    const Symmetric<T> B = inverse(C, III), A = {{a, a, a, T(0.), T(0.), T(0.)}};
    S = combine(mu_r, s, B);
    isotropic_tangent<T>(A, B, (2. / 3.) * mean + Volume::second(constants.kappa, III), -2. * s, D);
  }

private:
  ElasticConstants constants;
};
using NeoHookeQuadratic = NeoHookeIsochoric<QuadraticVolume>;
using NeoHookeSimo = NeoHookeIsochoric<SimoVolume>;
}  // namespace

SYMDYN_REGISTER(Material, NeoHookeQuadratic, "neo-hooke-quadratic");
SYMDYN_REGISTER(Material, NeoHookeSimo, "neo-hooke-simo");
}  // namespace symdyn
