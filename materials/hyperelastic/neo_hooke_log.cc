#include "materials/elastic_constants.h"
#include "materials/isotropic.h"
#include "materials/material_of.h"
#include "solver/registry.h"

namespace symdyn
{
namespace
{
/// psi = mu/2 (I1 - 3) - mu ln J + lambda/2 ln² J [J/m³], J = sqrt(det C): the compressible neo-Hookean solid of Simo
/// and Pister (1984), also Bonet and Wood (1997). lambda, mu [Pa] are Lamé's constants at C = I.
class NeoHookeLog : public MaterialOf<NeoHookeLog>
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
    const T log_J = ln_J(III);
    return (0.5 * constants.mu) * (I1 - 3.) - constants.mu * log_J + (0.5 * constants.lambda) * log_J * log_J;
  }

  bool response_ignores_trace() const override { return true; }

  /// S = mu I + (lambda ln J - mu) C⁻¹
  template <class T>
  Symmetric<T> stress(const Symmetric<T> &C) const
  {
    const Response<T> r = response(trace(C), determinant(C));
    return combine(r.a, r.b, cofactor(C));
  }

  template <class T>
  Response<T> response(const T &, const T &III) const
  {
    return {constants.mu, (constants.lambda * ln_J(III) - constants.mu) / III};  // C⁻¹ = cof C / III
  }

  /// D = lambda B⊗B + 2 (mu - lambda ln J) B⊙B with B = C⁻¹
  template <class T>
  void tangent(const Symmetric<T> &C, Symmetric<T> &S, Tangent<T> &D) const
  {
    const T III = determinant(C), s = constants.lambda * ln_J(III) - constants.mu;
    const Symmetric<T> B = inverse(C, III);
    S = combine<T>(constants.mu, s, B);
    isotropic_tangent<T>(Symmetric<T>{}, B, constants.lambda, -2. * s, D);
  }

private:
  template <class T>
  static T ln_J(const T &III)
  {
    using std::log;
    return 0.5 * log(III);
  }

  ElasticConstants constants;
};
}  // namespace

SYMDYN_REGISTER(Material, NeoHookeLog, "neo-hooke-log");
}  // namespace symdyn
