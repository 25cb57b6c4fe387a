#include "materials/elastic_constants.h"
#include "materials/hyperelastic/quadratic_law.h"
#include "solver/registry.h"

namespace symdyn
{
namespace
{
/// psi = lambda/2 tr²(E) + mu E : E [J/m³] with E = (C - I)/2. Of the Green–Lagrange strain this is the law of Saint-Venant, 1844,
/// and Kirchhoff, 1852: large rotations, small strains (it softens to collapse in compression beyond about 40 %). With
/// the linearised C = I + 2 ε it is Hooke's law (Lamé, 1852).
///
/// Plane = strain: the general, three-dimensional law; plane problems pass C_33 = 1. Plane = stress, for plane problems
/// only: E_33 = -lambda/(lambda + 2 mu) (E_11 + E_22) makes S_33 = 0; elimination leaves the same formula in the other
/// components with 2 lambda mu/(lambda + 2 mu) in the place of lambda.
template <bool small>
class Quadratic : public QuadraticLaw<Quadratic<small>, small>
{
public:
  void declare(Parameters &p) override
  {
    p.add("Plane", plane, "state of plane problems: strain (E_33 = 0) or stress (S_33 = 0)", {"strain", "stress"});
    constants.declare(p);
    stress_free = plane == "stress";
    mu = constants.mu;
    thinning = constants.lambda / (constants.lambda + 2. * mu);
    lambda = stress_free ? 2. * mu * thinning : constants.lambda;
  }
  bool plane_stress() const override { return stress_free; }

  /// S = lambda tr(E) I + 2 mu E; S_33 = 0 in plane stress.
  template <class T>
  Symmetric<T> stress_of_strain(const Symmetric<T> &E) const
  {
    Symmetric<T> S;
    const T mean = lambda * trace(E);
    for (int m = 0; m < 6; ++m)
      S[m] = 2. * mu * E[m];
    for (int m = 0; m < normals(); ++m)
      S[m] += mean;
    return S;
  }
  template <class T>
  void reduce(Symmetric<T> &E) const
  {
    if (stress_free)
      E[2] = T(0.);
  }

  /// D = lambda I⊗I + 2 mu (I⊙I), constant; row and column 33 vanish in plane stress.
  template <class T>
  void tangent(const Symmetric<T> &C, Symmetric<T> &S, Tangent<T> &D) const
  {
    S = this->stress(C);
    for (int m = 0; m < 6; ++m)
      for (int n = 0; n < 6; ++n)
        D(m, n) = T(0.);
    for (int m = 0; m < normals(); ++m)
      for (int n = 0; n < normals(); ++n)
        D(m, n) = T(m == n ? lambda + 2. * mu : lambda);
    for (int m = 3; m < 6; ++m)
      D(m, m) = T(mu);
  }

  /// 1 + 2 E_33
  Wide thickness_stretch_squared(const Symmetric<Wide> &C) const override
  {
    return stress_free ? 1. - thinning * (C[0] + C[1] - 2.) : C[2];
  }

private:
  int normals() const { return stress_free ? 2 : 3; }

  ElasticConstants constants;
  std::string plane = "strain";
  bool stress_free = false;
  double lambda = 0., mu = 0.;  // of the formula: lambda is reduced in plane stress
  double thinning = 0.;         // -E_33 / (E_11 + E_22) in plane stress
};
using LinearElasticity = Quadratic<true>;
using StVenantKirchhoff = Quadratic<false>;
}  // namespace

SYMDYN_REGISTER(Material, LinearElasticity, "linear-elasticity");
SYMDYN_REGISTER(Material, StVenantKirchhoff, "st-venant-kirchhoff");
}  // namespace symdyn
