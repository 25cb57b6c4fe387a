#include "elements/lumped/yielding.h"

#include <algorithm>

#include "solver/parameters.h"

namespace symdyn
{
namespace
{
const char *const columns_of = "of laws that yield: columns of elongation, force and plastic elongation in history.csv";
const std::string plastic = "plastic", hysteretic = "bouc-wen";
}  // namespace

void YieldEntries::declare_of_springs(Parameters &p)
{
  entries = {
      {"Yield force", {plastic, hysteretic}, true}, {"Hardening stiffness", {plastic}, false}, {"Backstress stiffness", {plastic}, false},
      {"Post-yield ratio", {hysteretic}, false},    {"Exponent", {hysteretic}, false},         {"Unloading", {hysteretic}, false},
      {"Report", {plastic, hysteretic}, false}};
  p.add("Yield force", yield, "of plastic: F_y, the force at first yield; of bouc-wen: where its two asymptotes meet [N]", positive());
  p.add(
      "Hardening stiffness", isotropic,
      "of plastic: H = dF_y/dp, isotropic hardening [N/m]; the slope after first yield is k (H + C)/(k + H + C), that is b k with H + C = b k/(1 - b)",
      not_negative());
  p.add("Backstress stiffness", kinematic, "of plastic: C, linear kinematic hardening (Prager) [N/m]", not_negative());
  p.add("Post-yield ratio", ratio, "of bouc-wen: a, the slope far beyond yield over k [-]", Range{0., 1., false, true});
  p.add("Exponent", exponent, "of bouc-wen: n, how sharply it yields; large: as plastic [-]", between(1., 50.));
  p.add("Unloading", unloading, "of bouc-wen: beta/(beta + gamma); 0.5: unloading is elastic; below, a spring would give energy [-]",
        between(0.5, 10.));
  p.add("Report", report, columns_of);
}

void YieldEntries::declare_of_bars(Parameters &p)
{
  entries = {{"Area", {plastic}, true},
             {"Yield stress", {plastic}, true},
             {"Hardening modulus", {plastic}, false},
             {"Backstress modulus", {plastic}, false},
             {"Report", {plastic}, false}};
  p.add("Area", area, "of plastic: cross-section A [m^2]; E is EA/A", positive());
  p.add("Yield stress", yield, "of plastic: sigma_y [Pa]", positive());
  p.add("Hardening modulus", isotropic, "of plastic: H = dsigma_y/dp, isotropic hardening [Pa]", not_negative());
  p.add("Backstress modulus", kinematic, "of plastic: C, linear kinematic hardening (Prager) [Pa]", not_negative());
  p.add("Report", report, columns_of);
}

void YieldEntries::check(const std::string &law, const Parameters &p) const
{
  for (const Entry &entry : entries)
  {
    const bool has = std::count(entry.laws.begin(), entry.laws.end(), law) > 0;
    if (has && entry.needed && !p.given(entry.name))
      p.fail(entry.name, "Law = " + law + " needs it");
    if (!has && p.given(entry.name))
      p.fail(entry.name, "has no effect with Law = " + law + ". Remove the entry, or set Law = " + entry.laws.front());
  }
}

YieldLaw YieldEntries::of_spring(const double stiffness, const double length) const
{
  YieldLaw law;
  law.k = stiffness;
  law.yield = yield;
  law.isotropic = isotropic;
  law.kinematic = kinematic;
  law.length = length;
  law.unit = yield / stiffness;
  return law;
}

BoucWenLaw YieldEntries::of_hysteresis(const double stiffness, const double length) const
{
  return {stiffness, yield, ratio, exponent, unloading, length};
}

YieldLaw YieldEntries::of_bar(const double EA, const double length) const
{
  YieldLaw law;
  law.k = EA / length;
  law.yield = area * yield;
  law.isotropic = area * isotropic / length;
  law.kinematic = area * kinematic / length;
  law.length = law.unit = length;
  law.volume = area * length;
  return law;
}
}  // namespace symdyn
