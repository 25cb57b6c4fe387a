#pragma once
#include "solver/parameters.h"

namespace symdyn
{
/// The constants of isotropic elasticity at small strain, given by exactly one of the pairs (E, nu), (lambda, mu),
/// (kappa, mu); there is no default. After `declare` all five hold (Lamé 1852).
///     mu = E / (2 (1 + nu)),  lambda = E nu / ((1 + nu)(1 - 2 nu)),  kappa = lambda + 2/3 mu
struct ElasticConstants
{
  double E = 0.;       ///< Young's modulus [Pa]
  double nu = 0.;      ///< Poisson's ratio [-]
  double lambda = 0.;  ///< Lamé's first constant [Pa]
  double mu = 0.;      ///< shear modulus [Pa]
  double kappa = 0.;   ///< bulk modulus [Pa]

  /// InputError unless one pair is given with E > 0, -1 < nu < 0.5; mu > 0, kappa > 0. To be called after all other
  /// parameters of the material are declared: it throws when the deck gives no constants.
  void declare(Parameters &p);

private:
  void convert_E_nu(const Parameters &p);
  void convert_lambda_mu(const Parameters &p);
  void convert_kappa_mu(const Parameters &p);
};

/// p.fail unless `value` is a positive finite number.
void require_positive(const Parameters &p, const std::string &name, double value, const std::string &what);
}  // namespace symdyn
