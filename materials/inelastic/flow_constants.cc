#include "materials/inelastic/flow_constants.h"

#include <algorithm>

namespace symdyn
{
FlowConstants::FlowConstants(const std::vector<FlowAt> &known, const Wide &T) : mu(0.), kappa(0.)
{
  for (std::size_t k = 0; k < known.size(); ++k)
  {
    Wide share = 0.;
    bool any = false;
    for (int lane = 0; lane < lanes; ++lane)
    {
      const double here = known[k].temperature;
      double w = 1.;
      if (T[lane] < here && k > 0)
        w = 1. - (here - T[lane]) / (here - known[k - 1].temperature);
      if (T[lane] > here && k + 1 < known.size())
        w = 1. - (T[lane] - here) / (known[k + 1].temperature - here);
      share.set(lane, std::max(w, 0.));
      any = any || w > 0.;
    }
    if (!any)
      continue;
    parts[count++] = {&known[k].curve, share};
    mu += known[k].mu * share;
    kappa += known[k].kappa * share;
  }
}

template <class Of>
Rise FlowConstants::sum_of(const Of &rise) const
{
  Rise sum;
  for (int k = 0; k < count; ++k)
  {
    const Wide &share = parts[k].share;
    const Rise part = rise(*parts[k].curve);
    sum += {share * part.energy, share * part.stress, share * part.slope, share * part.curvature};
  }
  return sum;
}

Wide FlowConstants::yield_stress() const
{
  if (one)
    return one->yield_stress();
  Wide sum = 0.;
  for (int k = 0; k < count; ++k)
    sum += parts[k].curve->yield_stress() * parts[k].share;
  return sum;
}

Rise FlowConstants::hardening(const Wide &p) const
{
  return one ? one->hardening(p) : sum_of([&p](const FlowCurve &curve) { return curve.hardening(p); });
}

Rise FlowConstants::overstress(const Wide &p_n, const Wide &dp, const double dt) const
{
  return one ? one->overstress(p_n, dp, dt) : sum_of([&](const FlowCurve &curve) { return curve.overstress(p_n, dp, dt); });
}

Wide FlowConstants::energy_of_rate(const Wide &p_n, const Wide &dp, const double dt) const
{
  if (one)
    return one->energy_of_rate(p_n, dp, dt);
  Wide sum = 0.;
  for (int k = 0; k < count; ++k)
    sum += parts[k].share * parts[k].curve->energy_of_rate(p_n, dp, dt);
  return sum;
}
}  // namespace symdyn
