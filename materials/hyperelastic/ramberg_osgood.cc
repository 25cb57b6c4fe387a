#include <cmath>
#include <string>

#include "materials/algebra/branch.h"
#include "materials/algebra/tensor_functions.h"
#include "materials/elastic_constants.h"
#include "materials/material_of.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
namespace
{
/// Deformation plasticity, which unloads along the curve on which it was loaded (Ramberg, Osgood 1943; Hencky 1924; *DEFORMATION PLASTICITY
/// of CalculiX and Abaqus). In uniaxial tension E eps = sigma + alpha (|sigma|/sigma_0)^(n-1) sigma; in general
///     dev eps = (1/(2 mu) + 3/2 (alpha/E) (q/sigma_0)^(n-1)) dev sigma,   tr eps = tr sigma/(3 kappa),   q = sqrt(3/2) |dev sigma|,
/// of eps = sym grad u (C = I + 2 eps) or eps = ½ ln C. With w = dev eps : dev eps and the secant s(k), the root of
///     s + k s^n = 1,   k = 3 mu (alpha/E) (6 mu² w/sigma_0²)^((n-1)/2),
/// dev sigma = 2 mu s dev eps, and psi = ½ kappa tr² eps + mu w (s² + 2 n/(n+1) s (1 - s)) [J/m³].
class DeformationPlasticity
{
public:
  void declare(Parameters &p)
  {
    p.add("Yield stress", yield_stress, "sigma_0 of E eps = sigma + alpha (|sigma|/sigma_0)^(n-1) sigma [Pa], > 0");
    p.add("Yield offset", offset, "alpha: plastic strain at sigma_0 in sigma_0/E [-], > 0", positive());
    p.add("Exponent", exponent, "n [-], > 1");
    constants.declare(p);
    require_positive(p, p.given("Yield stress") ? "Yield stress" : "", yield_stress, "the yield stress");
    if (!p.given("Yield offset"))
      p.fail("", "the Yield offset alpha [-] is missing. Add e.g. set Yield offset = 0.4");
    if (!(exponent > 1.) || std::isinf(exponent))
      p.fail(p.given("Exponent") ? "Exponent" : "",
             "the exponent n must be > 1 and finite: n = 1 is linear elasticity. Metals have 3 to 20");
    ln_scale = std::log(3. * constants.mu * offset / constants.E);
    square = 6. * constants.mu * constants.mu / (yield_stress * yield_stress);
  }

  template <class T>
  T psi_of_strain(const Symmetric<T> &strain) const
  {
    const T volume = trace(strain);
    const Symmetric<T> e = deviator(strain);
    const T w = contract(e, e), s = secant(w);
    return (0.5 * constants.kappa) * volume * volume + constants.mu * w * (s * s + (2. * exponent / (exponent + 1.)) * s * (1. - s));
  }
  template <class T>
  Symmetric<T> stress_of_strain(const Symmetric<T> &strain) const
  {
    const T volume = trace(strain);
    const Symmetric<T> e = deviator(strain);
    const T s = secant(T(contract(e, e)));
    return shifted(scaled_by(T(2. * constants.mu * s), e), T(constants.kappa * volume));
  }

private:
  /// s = s_0 x of w, with s_0 = min(1, k^(-1/n)) and c = min(k, 1): s_0 x + c x^n = 1. The residual is convex and not negative at x = 1, so
  /// that Newton's method descends to the root, which is above ½. The number of rounds serves every n; the last two differentiate twice.
  template <class T>
  T secant(const T &w) const
  {
    using std::exp;
    using std::log;
    using std::pow;
    constexpr int rounds = 14;
    constexpr double unstrained = 1e-40;  // w of which even k' is nothing; powers of 0 have no derivative
    const T some = where_above<T>(w, unstrained, w, T(1.));
    const T ln_k = where_above<T>(w, unstrained, ln_scale + (0.5 * (exponent - 1.)) * log(T(square * some)), T(-1000.));
    const T s0 = where_above<T>(ln_k, 0., exp(T((-1. / exponent) * ln_k)), T(1.)), c = where_above<T>(ln_k, 0., T(1.), exp(ln_k));
    T x = 1.;
    for (int round = 0; round < rounds; ++round)
    {
      const T power = c * pow(x, exponent - 1.);
      x = x - (s0 * x + power * x - 1.) / (s0 + exponent * power);
    }
    return s0 * x;
  }

  ElasticConstants constants;
  double yield_stress = 0., offset = 0., exponent = 0.;
  double ln_scale = 0., square = 0.;  // of k
};

class RambergOsgood : public Material
{
public:
  void declare(Parameters &p) override
  {
    std::string kinematics = "logarithmic";
    p.add("Kinematics", kinematics, "strain: logarithmic (½ ln C, any rotation), or small (sym grad u)", {"logarithmic", "small"});
    small = kinematics == "small";
    law.declare(p);
  }
  bool small_strain() const override { return small; }

  Wide psi(const Symmetric<Wide> &C) const override { return law.psi_of_strain(small ? linear(C) : half_logarithm(C)); }
  Symmetric<Wide> stress(const Symmetric<Wide> &C) const override { return stress_of(C); }
  void stress(const Symmetric<Wide> *C, Symmetric<Wide> *S, const int points) const override
  {
    for (int q = 0; q < points; ++q)
      S[q] = stress_of(C[q]);
  }
  Symmetric<Jet<Wide>> stress(const Symmetric<Jet<Wide>> &C) const override { return stress_of(C); }
  Symmetric<Dual<Wide>> stress(const Symmetric<Dual<Wide>> &C) const override { return stress_of(C); }
  void tangent(const Symmetric<Wide> &C, Symmetric<Wide> &S, Tangent<Wide> &D) const override
  {
    tangent_by_directions(
        C, [this](const Symmetric<Dual<Wide>> &curve) { return stress_of(curve); }, S, D);
  }

  /// Small strains only: the logarithm of a tensor has no derivative by Sacado.
  std::unique_ptr<Material> differentiated() const override
  {
    return small ? std::make_unique<Differentiated<OfSmallStrains>>(OfSmallStrains{law}) : nullptr;
  }

private:
  struct OfSmallStrains
  {
    DeformationPlasticity law;
    void declare(Parameters &p) { law.declare(p); }
    bool small_strain() const { return true; }
    bool quadratic() const { return false; }
    bool plane_stress() const { return false; }
    Wide thickness_stretch_squared(const Symmetric<Wide> &C) const { return C[2]; }
    template <class T>
    T psi(const Symmetric<T> &C) const
    {
      return law.psi_of_strain(linear(C));
    }
  };

  template <class T>
  static Symmetric<T> linear(const Symmetric<T> &C)
  {
    return scaled_by(T(0.5), shifted(C, T(-1.)));
  }
  template <class T>
  static Symmetric<T> half_logarithm(const Symmetric<T> &C)
  {
    return scaled_by(T(0.5), logarithm(C));
  }
  /// S = sigma, or 2 (d eps/dC) : sigma: the derivative of ln C is self-adjoint, so that S is the derivative of ln(C + s sigma) by s.
  template <class T>
  Symmetric<T> stress_of(const Symmetric<T> &C) const
  {
    if (small)
      return law.stress_of_strain(linear(C));
    const Symmetric<T> sigma = law.stress_of_strain(half_logarithm(C));
    Symmetric<Dual<T>> curve;
    for (int m = 0; m < 6; ++m)
      curve[m] = {C[m], sigma[m]};
    curve = logarithm(curve);
    Symmetric<T> S;
    for (int m = 0; m < 6; ++m)
      S[m] = curve[m].d;
    return S;
  }

  DeformationPlasticity law;
  bool small = false;
};
}  // namespace

SYMDYN_REGISTER(Material, RambergOsgood, "ramberg-osgood");
}  // namespace symdyn
