#include "elements/lumped/yielding.h"

#include "solver/parameters.h"

namespace symdyn
{
namespace
{
const char *const columns_of = "with Law = plastic: columns of elongation, force and plastic elongation in history.csv";
}

void YieldEntries::declare_of_springs(Parameters &p)
{
  needed = {"Yield force"};
  others = {"Hardening stiffness", "Backstress stiffness", "Report"};
  p.add("Yield force", yield, "of plastic: F_y, the force at first yield [N]", positive());
  p.add(
      "Hardening stiffness", isotropic,
      "of plastic: H = dF_y/dp, isotropic hardening [N/m]; the slope after first yield is k (H + C)/(k + H + C), that is b k with H + C = b k/(1 - b)",
      not_negative());
  p.add("Backstress stiffness", kinematic, "of plastic: C, linear kinematic hardening (Prager) [N/m]", not_negative());
  p.add("Report", report, columns_of);
}

void YieldEntries::declare_of_bars(Parameters &p)
{
  needed = {"Area", "Yield stress"};
  others = {"Hardening modulus", "Backstress modulus", "Report"};
  p.add("Area", area, "of plastic: cross-section A [m^2]; E is EA/A", positive());
  p.add("Yield stress", yield, "of plastic: sigma_y [Pa]", positive());
  p.add("Hardening modulus", isotropic, "of plastic: H = dsigma_y/dp, isotropic hardening [Pa]", not_negative());
  p.add("Backstress modulus", kinematic, "of plastic: C, linear kinematic hardening (Prager) [Pa]", not_negative());
  p.add("Report", report, columns_of);
}

void YieldEntries::check(const bool yields, const std::string &law, const Parameters &p) const
{
  for (const std::string &entry : needed)
    if (yields && !p.given(entry))
      p.fail(entry, "Law = plastic needs it");
  for (const auto *entries : {&needed, &others})
    for (const std::string &entry : *entries)
      if (!yields && p.given(entry))
        p.fail(entry, "has no effect with Law = " + law + ". Remove the entry, or set Law = plastic");
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
