#include "elements/damping.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solver/parameters.h"

namespace symdyn
{
namespace
{
const double two_pi = 2. * std::acos(-1.);
}

void Damping::declare(Parameters p)
{
  std::string which = "initial";
  p.add("Mass proportional", mass, "alpha_M of C = alpha_M M + alpha_K K [1/s]; damps rigid motions too", not_negative());
  p.add("Stiffness proportional", stiffness, "alpha_K [s]", not_negative());
  p.add("Stiffness", which, "K = V'' of the undeformed body: C is constant but damps a rigid spin; or at the current state",
        {"initial", "current"});
  p.add("Kelvin-Voigt", kelvin_voigt, "relaxation time tau of the stress tau D0 : Edot [s]; objective, keeps angular momentum",
        not_negative());
  p.in_units("-, Hz").add("Ratios", target, "zeta1, f1, zeta2, f2: alpha_M and alpha_K from two ratios [-] at two frequencies [Hz]",
                          not_negative());
  p.renamed("Ratios told", "Reported ratios");
  p.add("Reported ratios", modes, "number of lowest modes whose damping ratio is logged, for models of at most 30000 unknowns; 0: none",
        between(0, 100));
  current = which == "current";
  if (!target.empty())
    fit(p);
  if (p.given("Stiffness") && stiffness == 0.)
    p.fail("Stiffness", "has no effect without a coefficient. Give \"Stiffness proportional\", or remove the entry");
  if (p.given("Reported ratios") && mass == 0. && stiffness == 0.)
    p.fail("Reported ratios", "has no effect: it is of alpha_M and alpha_K. Remove the entry");
  if (p.exists() && !exists())
    p.fail("", "both coefficients are zero and so is Kelvin-Voigt: the damping has no effect. Give one of them, or remove the section");
}

void Damping::fit(const Parameters &p)
{
  for (const char *name : {"Mass proportional", "Stiffness proportional"})
    if (p.given(name))
      p.fail("Ratios", std::string("determines alpha_M and alpha_K, and \"") + name + "\" is given too. Remove one of them");
  if (target.size() != 4)
    p.fail("Ratios", "needs four numbers: zeta1, f1, zeta2, f2");
  const double zeta1 = target[0], w1 = two_pi * target[1], zeta2 = target[2], w2 = two_pi * target[3];
  if (w1 == 0. || w2 == 0. || w1 == w2)
    p.fail("Ratios", "needs two different frequencies > 0 [Hz]");
  // zeta_i = alpha_M/(2 w_i) + alpha_K w_i/2
  const double determinant = w2 * w2 - w1 * w1;
  mass = 2. * w1 * w2 * (zeta1 * w2 - zeta2 * w1) / determinant;
  stiffness = 2. * (zeta2 * w2 - zeta1 * w1) / determinant;
  const auto rounded = [](double &value, const double scale) { value = std::abs(value) < 1e-14 * scale ? 0. : value; };
  rounded(mass, std::max(zeta1 * w1, zeta2 * w2));
  rounded(stiffness, std::max(zeta1 / w1, zeta2 / w2));
  if (mass < 0. || stiffness < 0.)
    p.fail(
        "Ratios",
        fmt::format("needs alpha_M = {:.6g} 1/s and alpha_K = {:.6g} s: the negative one feeds energy into {} modes. Between f1 and f2 "
                    "the ratio may grow at most like f and fall at most like 1/f: zeta2 must be in [{:.6g}, {:.6g}]",
                    mass, stiffness, mass < 0. ? "low" : "high", zeta1 * std::min(w1 / w2, w2 / w1), zeta1 * std::max(w1 / w2, w2 / w1)));
}

double Damping::ratio(const double frequency) const
{
  const double w = two_pi * frequency;
  return mass / (2. * w) + (stiffness + kelvin_voigt) * w / 2.;
}

std::string Damping::report() const
{
  if (target.empty())
    return "";
  const auto [lower, upper] = std::minmax(target[1], target[3]);
  const double stiff = stiffness + kelvin_voigt;
  double lowest = ratio(lower) < ratio(upper) ? lower : upper;
  if (mass > 0. && stiff > 0.)
    if (const double flat = std::sqrt(mass / stiff) / two_pi; flat > lower && flat < upper)
      lowest = flat;
  return fmt::format(
      "damping: alpha_M = {:.6g} 1/s, alpha_K = {:.6g} s: ratio {:.4g} at {:g} Hz, {:.4g} at {:g} Hz, smallest between {:.4g} at {:.4g} Hz",
      mass, stiffness, ratio(target[1]), target[1], ratio(target[3]), target[3], ratio(lowest), lowest);
}
}  // namespace symdyn
