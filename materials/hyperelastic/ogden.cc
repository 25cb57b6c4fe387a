#include <cmath>
#include <vector>

#include "materials/elastic_constants.h"
#include "materials/isotropic.h"
#include "materials/one_by_one.h"
#include "solver/registry.h"

namespace symdyn
{
namespace
{
/// psi = Σ_p mu_p/alpha_p (l1^alpha_p + l2^alpha_p + l3^alpha_p - 3) + kappa/2 (J - 1)² [J/m³] in the isochoric
/// principal stretches l_i = J^(-1/3) lambda_i, J = lambda_1 lambda_2 lambda_3 (Ogden 1972). At C = I the shear modulus
/// is ½ Σ mu_p alpha_p, the bulk modulus kappa [Pa]. Computed one point at a time.
///
/// The sum of the powers is w tr(C^(alpha/2)), w = (det C)^(-alpha/6): an isotropic function of C whose gradient is a
/// power of C. The derivatives of a power are divided differences (spectral.h), finite and exact where stretches
/// coincide.
class Ogden : public OneByOne<Ogden>
{
public:
  void declare(Parameters &p) override
  {
    p.add("mu", mu, "factors mu_p of the terms mu_p/alpha_p (...) [Pa], a list; sum of mu_p alpha_p > 0");
    p.add("alpha", alpha, "exponents alpha_p of the principal stretches [-], a list as long as mu; not 0");
    p.add("kappa", kappa, "bulk modulus [Pa], > 0");
    check(p);
  }

private:
  friend OneByOne<Ogden>;

  void check(const Parameters &p) const
  {
    for (const char *name : {"mu", "alpha", "kappa"})
      if (!p.given(name))
        p.fail("", std::string(name) + " is missing: Ogden needs the lists mu [Pa] and alpha [-] and kappa [Pa]. Give all");
    if (mu.size() != alpha.size() || mu.empty())
      p.fail("alpha", "there are " + std::to_string(alpha.size()) + " exponents for " + std::to_string(mu.size()) +
                          " factors mu, but every term has one of each. Give lists of the same length");
    double shear_modulus = 0.;
    for (std::size_t k = 0; k < mu.size(); ++k)
    {
      if (alpha[k] == 0. || !std::isfinite(alpha[k]))
        p.fail("alpha", "every exponent must be finite and not 0: mu/alpha would be infinite. Remove the term");
      shear_modulus += 0.5 * mu[k] * alpha[k];
    }
    require_positive(p, "mu", shear_modulus, "the shear modulus, half the sum of mu_p alpha_p,");
    require_positive(p, "kappa", kappa, "the bulk modulus");
  }

  double psi_of(const Symmetric<double> &C) const
  {
    const Spectrum s = spectrum(C);
    const double III = determinant(C);
    double r = QuadraticVolume::U(kappa, III);
    for (std::size_t k = 0; k < mu.size(); ++k)
    {
      double sum = -3.;
      for (const double x : s.x)
        sum += std::pow(x * rcbrt(III), 0.5 * alpha[k]);
      r += mu[k] / alpha[k] * sum;
    }
    return r;
  }

  /// S = Σ_p mu_p w (P - t/3 B) + J U' B with P = C^(alpha/2 - 1), t = tr(C^(alpha/2)) = P : C, B = C⁻¹. T is double or
  /// Jet<double>.
  template <class T>
  Symmetric<T> stress_of(const Symmetric<T> &C) const
  {
    using std::pow;
    const Spectrum s = spectrum_at(C);
    const T III = determinant(C);
    const Symmetric<T> B = inverse(C, III);
    Symmetric<T> S = combine<T>(0., QuadraticVolume::first(kappa, III), B);
    for (std::size_t k = 0; k < mu.size(); ++k)
    {
      const Symmetric<T> P = power_along(s, C, 0.5 * alpha[k] - 1.);
      const T mu_w = mu[k] * pow(III, -alpha[k] / 6.), mean = (1. / 3.) * contract(P, C);
      for (int m = 0; m < 6; ++m)
        S[m] += mu_w * (P[m] - mean * B[m]);
    }
    return S;
  }

  /// D = Σ_p mu_p w (2 dP/dC - alpha/3 (P⊗B + B⊗P) + alpha/9 t B⊗B + 2/3 t B⊙B) + J (J U')' B⊗B - 2 J U' B⊙B
  void tangent_of(const Symmetric<double> &C, Symmetric<double> &S, Tangent<double> &D) const
  {
    const Spectrum s = spectrum(C);
    const double III = determinant(C);
    const Symmetric<double> B = inverse(C, III);
    Symmetric<double> A{};
    Tangent<double> powers{};
    double b = QuadraticVolume::second(kappa, III), minus_half_c = QuadraticVolume::first(kappa, III);
    S = {};
    for (std::size_t k = 0; k < mu.size(); ++k)
    {
      const double beta = 0.5 * alpha[k] - 1., mu_w = mu[k] * std::pow(III, -alpha[k] / 6.);
      const Symmetric<double> P = power(s, beta);
      const Tangent<double> dP = power_derivative(s, beta);
      const double mean = (1. / 3.) * mu_w * contract(P, C);
      b += (1. / 3.) * alpha[k] * mean;
      minus_half_c -= mean;
      for (int m = 0; m < 6; ++m)
      {
        S[m] += mu_w * P[m];
        A[m] -= (1. / 3.) * alpha[k] * mu_w * P[m];
        for (int n = 0; n < 6; ++n)
          powers(m, n) += 2. * mu_w * dP(m, n);
      }
    }
    isotropic_tangent(A, B, b, -2. * minus_half_c, D);
    for (int m = 0; m < 6; ++m)
    {
      S[m] += minus_half_c * B[m];
      for (int n = 0; n < 6; ++n)
        D(m, n) += powers(m, n);
    }
  }

  std::vector<double> mu, alpha;
  double kappa = 0.;
};
}  // namespace

SYMDYN_REGISTER(Material, Ogden, "ogden");
}  // namespace symdyn
