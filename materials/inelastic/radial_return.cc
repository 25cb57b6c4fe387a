#include "materials/inelastic/radial_return.h"

#include <algorithm>
#include <limits>

namespace symdyn
{
Wide RadialReturn::stored(const Wide *alpha, const FlowConstants &of) const
{
  Wide sum = 0.;
  for (std::size_t i = 0; i < C.size(); ++i)
  {
    Symmetric<Wide> a;
    std::copy_n(alpha + 6 * i, 6, a.e.begin());
    sum += (0.75 / of.C[i]) * contract(a, a);
  }
  return sum;
}

void RadialReturn::evaluate(const Symmetric<Wide> &trial, const Wide &dp, const From &from, Wide &f, Wide &slope) const
{
  Symmetric<Wide> xi = trial, change{};
  Wide kinematic = 0., kinematic_slope = 0.;
  for (std::size_t i = 0; i < C.size(); ++i)
  {
    const Wide C_i = from.of.C[i], gamma_i = from.of.gamma[i], fading = 1. / (1. + gamma_i * dp);
    for (int m = 0; m < 6; ++m)
    {
      const Wide alpha = fading * from.alpha[6 * i + m];
      xi[m] -= alpha;
      change[m] += gamma_i * fading * alpha;
    }
    kinematic += C_i * dp * fading;
    kinematic_slope += C_i * fading * fading;
  }
  const FlowConstants::Resistance needed = from.of.resistance(*from.p, from.crept, dp, from.dt);
  const Wide three_mu = 3. * from.of.mu;
  const Wide q = mises(xi);
  f = q - three_mu * dp - kinematic - needed.yield_stress - needed.growth.stress - needed.overstress.stress;
  slope = -three_mu - kinematic_slope - needed.growth.slope - needed.overstress.slope;
  if (!C.empty())
    slope += select(positive(q), Wide(1.5 * contract(xi, change) / q), Wide(0.));
}

/// Newton's method in the bracket [0, (q(s_tr) + sum q(alpha_i))/(3 mu)], halved where it leaves it, to the rounding of stresses. Lanes
/// that are done stay as they are: no lane depends on what stands beside it.
RadialReturn::Root RadialReturn::solve(const Symmetric<Wide> &trial, const From &from) const
{
  constexpr int most_rounds = 60;
  constexpr double rounding = 4e-16;
  Root root{positive(Wide(0.)), 0., 1.};
  if (!(from.dt > 0.))
    return root;
  Wide f, slope, scale = mises(trial), low = 0.;
  evaluate(trial, Wide(0.), {from.p, from.alpha, 0., from.of, from.crept}, f, slope);
  root.flows = positive(f);
  if (!any_lane(root.flows))
    return root;
  for (std::size_t i = 0; i < C.size(); ++i)
  {
    Symmetric<Wide> a;
    std::copy_n(from.alpha + 6 * i, 6, a.e.begin());
    scale += mises(a);
  }
  Wide high = (1. / (3. * from.of.mu)) * scale, x = select(root.flows, Wide(-f / slope), Wide(0.));
  x = select(positive(Wide(high - x)), x, high);
  Wide::Bits open = root.flows;
  for (int round = 0; any_lane(open); ++round)
  {
    evaluate(trial, select(open, x, Wide(1.)), from, f, slope);
    root.slope = select(open, slope, root.slope);
    const Wide size = select(positive(f), f, Wide(-f)), next = x - f / slope;
    low = select(positive(f), x, low);
    high = select(positive(f), high, x);
    const Wide step = next - x, length = select(positive(step), step, Wide(-step));
    const Wide::Bits solved = positive(Wide(rounding * scale - size)) | positive(Wide(rounding * x - length)) |
                              positive(Wide(rounding * scale - 3. * from.of.mu * (high - low)));
    root.dp = select(open, x, root.dp);
    open &= ~solved;
    const Wide::Bits inside = positive(Wide(next - low)) & positive(Wide(high - next));
    x = select(open, select(inside, next, Wide(0.5 * (low + high))), x);
    if (round == most_rounds)
    {
      root.dp = select(open, Wide(std::numeric_limits<double>::quiet_NaN()), root.dp);
      break;
    }
  }
  return root;
}
}  // namespace symdyn
