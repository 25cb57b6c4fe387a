#pragma once
#include <cstdio>
#include <string>

namespace symdyn::tests
{
/// Lines of a deck that give a law E = 1000, nu = 0.3 at small strain (frozen, if it has a memory) where the entries E and nu do not do so
/// alone; "" if they do.
inline std::string constants_of_its_own(const std::string &law)
{
  constexpr double E = 1000., nu = 0.3, mu = E / (2. * (1. + nu)), kappa = E / (3. * (1. - 2. * nu));
  const auto set = [](const std::string &name, const double value) {
    char text[64];
    std::snprintf(text, sizeof text, "set %s = %.17g\n", name.c_str(), value);
    return std::string(text);
  };
  const std::string elastic = "set E = 1000\nset nu = 0.3\n";
  if (law == "plastic")
    return elastic + "set Yield stress = 10\n";
  if (law == "umat")
  {
    const std::string program = SYMDYN_BINARY;
    return "set Library = " + program.substr(0, program.rfind('/')) +
           "/tests/umat/laws_c.so\nset Function = j2\nset Constants = 1000, 0.3, 10, "
           "0\nset State variables = 1\n";
  }
  if (law == "creep")
    return elastic + "set Creep coefficient = 1e-3\nset Creep exponent = 3\n";
  if (law == "viscoelastic")
    return elastic + "set Shear ratios = 0.3, 0.2\nset Times = 0.1, 1\n";
  if (law == "viscoelastic-multiplicative")
    return set("mu", mu - 150.) + set("kappa", kappa) + "set Branch moduli = 100, 50\nset Times = 0.1, 1\n";
  if (law == "ramberg-osgood")
    return elastic + "set Yield stress = 50\nset Yield offset = 0.4\nset Exponent = 3\nset Kinematics = small\n";
  if (law == "holzapfel")  // isotropic dispersion
    return set("c10", 0.5 * mu) + set("k1", mu) + set("k2", 0.7) + set("Dispersion", 1. / 3.) + set("kappa", kappa) + "set Angles = 0\n";
  if (law == "formula")
  {
    char constants[100];
    std::snprintf(constants, sizeof constants, "set Named constants = mu %.17g, lambda %.17g\n", mu, kappa - 2. * mu / 3.);
    return constants + std::string("set psi = mu/2*(I1 - 3 - 2*log(J)) + lambda/2*log(J)^2\n");
  }
  if (law == "hyperfoam")
  {
    char factors[64];
    std::snprintf(factors, sizeof factors, "set mu = %.17g, %.17g\n", 0.7 * mu, 0.3 * mu);
    return factors + std::string("set alpha = 3, -2\nset nu = 0.3, 0.3\n");
  }
  return "";
}
}  // namespace symdyn::tests
