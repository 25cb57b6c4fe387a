#include "materials/inelastic/flow_constants.h"

#include <algorithm>

#include "materials/over_temperature.h"

namespace symdyn
{
FlowConstants::FlowConstants(const std::vector<FlowAt> &known, const Wide &T) : mu(0.), kappa(0.)
{
  std::fill_n(C.begin(), known.front().C.size(), Wide(0.));
  std::fill_n(gamma.begin(), known.front().C.size(), Wide(0.));
  each_part(
      known.size(), [&known](const std::size_t k) { return known[k].temperature; }, T,
      [&](const std::size_t k, const Wide &share) {
        parts[count++] = {&known[k].curve, share};
        mu += known[k].mu * share;
        kappa += known[k].kappa * share;
        for (std::size_t i = 0; i < known[k].C.size(); ++i)
        {
          C[i] += known[k].C[i] * share;
          gamma[i] += known[k].gamma[i] * share;
        }
      });
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

Wide FlowConstants::yield_stress() const { return softened ? factor * yield_stress_of_all() : yield_stress_of_all(); }

Wide FlowConstants::yield_stress_of_all() const
{
  if (one)
    return one->yield_stress();
  Wide sum = 0.;
  for (int k = 0; k < count; ++k)
    sum += parts[k].curve->yield_stress() * parts[k].share;
  return sum;
}

Rise FlowConstants::hardening_of_all(const Wide &p) const
{
  return with_factor(one ? one->hardening(p) : sum_of([&p](const FlowCurve &curve) { return curve.hardening(p); }));
}

Rise FlowConstants::overstress_of_rate(const Wide &p_n, const Wide &dp, const double dt) const
{
  return with_factor(one ? one->overstress(p_n, dp, dt) : sum_of([&](const FlowCurve &curve) { return curve.overstress(p_n, dp, dt); }));
}

FlowConstants::Resistance FlowConstants::resistance(const Wide &p_n, const Wide *crept, const Wide &dp, const double dt) const
{
  if (crept)
    return {0., dt > 0. ? creep_beside().resistance(creeping_from(p_n, *crept, dt), dp) : Rise(), Rise()};
  return {yield_stress(), hardening(p_n + dp), overstress(p_n, dp, dt)};
}

Rise FlowConstants::creep_stress(const Wide &crept, const Wide &creep, const double dt) const
{
  const auto of = [&](const FlowCurve &curve) { return curve.creep_beside()->stress(curve, crept, creep, dt); };
  return one ? of(*one) : sum_of(of);
}

Wide FlowConstants::creep_energy(const Wide &crept, const Wide &creep, const double dt) const
{
  const auto of = [&](const FlowCurve &curve) { return curve.creep_beside()->energy(curve, crept, creep, dt); };
  return one ? of(*one) : sum_of([&](const FlowCurve &curve) { return Rise{of(curve), 0., 0., 0.}; }).energy;
}

Wide FlowConstants::energy_of_rate(const Wide &p_n, const Wide &dp, const double dt) const
{
  if (one)
    return softened ? factor * one->energy_of_rate(p_n, dp, dt) : one->energy_of_rate(p_n, dp, dt);
  Wide sum = 0.;
  for (int k = 0; k < count; ++k)
    sum += parts[k].share * parts[k].curve->energy_of_rate(p_n, dp, dt);
  return sum;
}
}  // namespace symdyn
