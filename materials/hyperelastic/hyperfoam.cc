#include <cmath>
#include <string>
#include <vector>

#include "materials/elastic_constants.h"
#include "materials/isotropic.h"
#include "materials/one_by_one.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
namespace
{
/// psi = Σ_p 2 mu_p/alpha_p² (l1^alpha_p + l2^alpha_p + l3^alpha_p - 3 + (J^(-alpha_p beta_p) - 1)/beta_p) [J/m³] in the principal
/// stretches l_i, beta_p = nu_p/(1 - 2 nu_p) (Ogden 1972; Hill 1978; Storakers 1986): highly compressible foams. beta = 0:
/// -alpha ln J in place of the quotient. At C = I: shear modulus Σ mu_p, bulk modulus Σ 2 mu_p (1/3 + beta_p) [Pa]. Computed one point
/// at a time; derivatives of powers of C are divided differences (spectral.h).
class Hyperfoam : public OneByOne<Hyperfoam>
{
public:
  void declare(Parameters &p) override
  {
    std::vector<double> nu;
    p.add("mu", mu, "factors mu_p of 1 to 3 terms [Pa], a list; their sum is the shear modulus, > 0");
    p.add("alpha", alpha, "exponents alpha_p of the principal stretches [-], a list as long as mu; not 0");
    p.add("nu", nu, "Poisson's ratios nu_p of the terms [-], a list as long as mu, > -1 and < 0.5; default: 0");
    check(p, nu);
    for (const double ratio : nu)
      beta.push_back(ratio / (1. - 2. * ratio));
    beta.resize(mu.size(), 0.);
    double bulk = 0.;
    for (std::size_t k = 0; k < mu.size(); ++k)
      bulk += 2. * mu[k] * (1. / 3. + beta[k]);
    require_positive(p, "nu", bulk, "the bulk modulus, the sum of 2 mu_p (1/3 + nu_p/(1 - 2 nu_p)),");
  }

private:
  friend OneByOne<Hyperfoam>;

  void check(const Parameters &p, const std::vector<double> &nu) const
  {
    constexpr std::size_t most_terms = 3;
    for (const char *name : {"mu", "alpha"})
      if (!p.given(name))
        p.fail("", std::string(name) + " is missing: hyperfoam needs the lists mu [Pa] and alpha [-]. Give both");
    if (mu.empty() || mu.size() > most_terms)
      p.fail("mu", "there are " + std::to_string(mu.size()) + " terms, but hyperfoam has 1 to 3. Give as many factors");
    for (const auto &[name, list] : {std::pair{"alpha", &alpha}, {"nu", &nu}})
      if (list->size() != mu.size() && p.given(name))
        p.fail(name, "there are " + std::to_string(list->size()) + " numbers for " + std::to_string(mu.size()) +
                         " factors mu, but every term has one of each. Give lists of the same length");
    double shear_modulus = 0.;
    for (std::size_t k = 0; k < mu.size(); ++k)
    {
      if (alpha[k] == 0. || !std::isfinite(alpha[k]))
        p.fail("alpha", "every exponent must be finite and not 0: mu/alpha would be infinite. Remove the term");
      shear_modulus += mu[k];
    }
    for (const double ratio : nu)
      if (!(ratio > -1. && ratio < 0.5))
        p.fail("nu", "Poisson's ratio must be > -1 and < 0.5. Foams have 0 to 0.3");
    require_positive(p, "mu", shear_modulus, "the shear modulus, the sum of the mu_p,");
  }

  double psi_of(const Symmetric<double> &C) const
  {
    const Spectrum s = spectrum(C);
    const double ln_J = 0.5 * std::log(determinant(C));
    double r = 0.;
    for (std::size_t k = 0; k < mu.size(); ++k)
    {
      double sum = beta[k] == 0. ? -alpha[k] * ln_J : std::expm1(-alpha[k] * beta[k] * ln_J) / beta[k];
      for (const double x : s.x)
        sum += std::expm1(0.5 * alpha[k] * std::log(x));
      r += 2. * mu[k] / (alpha[k] * alpha[k]) * sum;
    }
    return r;
  }

  /// S = Σ_p 2 mu_p/alpha_p (C^(alpha_p/2 - 1) - J^(-alpha_p beta_p) C⁻¹). T is double or Jet<double>.
  template <class T>
  Symmetric<T> stress_of(const Symmetric<T> &C) const
  {
    using std::pow;
    const Spectrum s = spectrum_at(C);
    const T III = determinant(C);
    const Symmetric<T> B = inverse(C, III);
    Symmetric<T> S{};
    for (std::size_t k = 0; k < mu.size(); ++k)
    {
      const Symmetric<T> P = power_along(s, C, 0.5 * alpha[k] - 1.);
      const T w = pow(III, -0.5 * alpha[k] * beta[k]);
      for (int m = 0; m < 6; ++m)
        S[m] += (2. * mu[k] / alpha[k]) * (P[m] - w * B[m]);
    }
    return S;
  }

  /// D = Σ_p 2 mu_p/alpha_p (2 dC^(alpha_p/2 - 1)/dC + w (alpha_p beta_p B⊗B + 2 B⊙B)), w = J^(-alpha_p beta_p), B = C⁻¹
  void tangent_of(const Symmetric<double> &C, Symmetric<double> &S, Tangent<double> &D) const
  {
    const Spectrum s = spectrum(C);
    const double III = determinant(C);
    const Symmetric<double> B = inverse(C, III);
    Tangent<double> powers{};
    double b = 0., c = 0.;
    S = stress_of(C);
    for (std::size_t k = 0; k < mu.size(); ++k)
    {
      const double factor = 2. * mu[k] / alpha[k], w = std::pow(III, -0.5 * alpha[k] * beta[k]);
      const Tangent<double> dP = power_derivative(s, 0.5 * alpha[k] - 1.);
      b += factor * w * alpha[k] * beta[k];
      c += 2. * factor * w;
      for (int m = 0; m < 6; ++m)
        for (int n = 0; n < 6; ++n)
          powers(m, n) += 2. * factor * dP(m, n);
    }
    isotropic_tangent(Symmetric<double>{}, B, b, c, D);
    for (int m = 0; m < 6; ++m)
      for (int n = 0; n < 6; ++n)
        D(m, n) += powers(m, n);
  }

  std::vector<double> mu, alpha, beta;
};
}  // namespace

SYMDYN_REGISTER(Material, Hyperfoam, "hyperfoam");
}  // namespace symdyn
