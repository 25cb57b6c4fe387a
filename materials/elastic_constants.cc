#include "materials/elastic_constants.h"

#include <cmath>
#include <cstdio>

#include "solver/base/names.h"

namespace symdyn
{
namespace
{
std::string text(double value)
{
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%g", value);
  return buffer;
}
}  // namespace

void require_positive(const Parameters &p, const std::string &name, double value, const std::string &what)
{
  if (!(value > 0.) || std::isinf(value))
    p.fail(name, what + " is " + text(value) + " Pa but must be > 0: otherwise the material is not stable. Give " + name +
                     " as a positive number in Pa");
}

void ElasticConstants::declare(Parameters &p)
{
  p.add("E", E, "Young's modulus [Pa], > 0. Exactly one pair is given: (E, nu), (lambda, mu) or (kappa, mu)");
  p.add("nu", nu, "Poisson's ratio [-], -1 < nu < 0.5; with E");
  p.add("lambda", lambda, "Lamé's first constant [Pa], > -2/3 mu; with mu");
  p.add("mu", mu, "shear modulus [Pa], > 0; with lambda or kappa");
  p.add("kappa", kappa, "bulk modulus [Pa], > 0; with mu");

  std::vector<std::string> given;
  for (const char *name : {"E", "nu", "lambda", "mu", "kappa"})
    if (p.given(name))
      given.push_back(name);
  const std::string names = join(given);
  if (names == "E, nu")
    convert_E_nu(p);
  else if (names == "lambda, mu")
    convert_lambda_mu(p);
  else if (names == "mu, kappa")
    convert_kappa_mu(p);
  else
    p.fail(given.empty() ? "" : given.back(),
           (given.empty() ? "no elastic constants are given" : "the elastic constants given are " + names) +
               ", but exactly one of the pairs (E, nu), (lambda, mu), (kappa, mu) is needed. " +
               (given.size() > 2 ? "Remove all but one pair" : "Add what is missing, e.g. set E = 210e9 and nu = 0.3"));
}

void ElasticConstants::convert_E_nu(const Parameters &p)
{
  require_positive(p, "E", E, "Young's modulus");
  if (nu >= 0.5)
    p.fail("nu", "Poisson's ratio is " + text(nu) +
                     " but must be < 0.5: nu = 0.5 is incompressible, which is not supported. Use e.g. nu = 0.499, in "
                     "solids with Mesh/Element = mean-dilatation");
  if (!(nu > -1.))
    p.fail("nu", "Poisson's ratio is " + text(nu) +
                     " but must be > -1 (and < 0.5): otherwise the shear modulus is not positive. Most solids have 0.2 "
                     "to 0.45");
  mu = E / (2. * (1. + nu));
  lambda = E * nu / ((1. + nu) * (1. - 2. * nu));
  kappa = E / (3. * (1. - 2. * nu));
}

void ElasticConstants::convert_lambda_mu(const Parameters &p)
{
  require_positive(p, "mu", mu, "the shear modulus");
  kappa = lambda + 2. / 3. * mu;
  if (!(kappa > 0.) || std::isinf(kappa))
    p.fail("lambda", "the bulk modulus kappa = lambda + 2/3 mu = " + text(lambda) + " + 2/3 " + text(mu) + " is " + text(kappa) +
                         " Pa but must be > 0 and finite. Give lambda > -2/3 mu");
  convert_kappa_mu(p);
}

void ElasticConstants::convert_kappa_mu(const Parameters &p)
{
  require_positive(p, "mu", mu, "the shear modulus");
  require_positive(p, "kappa", kappa, "the bulk modulus");
  lambda = kappa - 2. / 3. * mu;
  E = 9. * kappa * mu / (3. * kappa + mu);
  nu = (3. * kappa - 2. * mu) / (2. * (3. * kappa + mu));
}
}  // namespace symdyn
