#include "materials/inelastic/creep_beside.h"

#include <cmath>
#include <limits>

#include "materials/algebra/lanes.h"
#include "materials/inelastic/flow_constants.h"

namespace symdyn
{
namespace
{
Rise needed(const CreepBeside::From &from, const Wide &creep) { return from.of->creep_stress(from.crept, creep, from.dt); }
}  // namespace

/// Newton's method for s = (dp_c/dp)^(1/n) in a bracket, halved where it leaves it. Lanes that are done stay as they are.
Wide CreepBeside::creep(const From &from, const Wide &dp) const
{
  constexpr int most_rounds = 60;
  constexpr double rounding = 4e-16;
  const Wide yield = from.of->yield_stress();
  const Wide first = yield + from.of->hardening(from.plastic).stress, last = yield + from.of->hardening(from.plastic + dp).stress,
             full = needed(from, dp).stress;
  const Wide::Bits yields = positive(Wide(full - first));
  const Wide::Bits both = yields & ~positive(Wide(needed(from, least * dp).stress - last));
  Wide found = select(yields, Wide(0.), dp), low = std::pow(least, 1. / exponent), high = 1., s = last / full;
  s = select(positive(Wide(high - s)) & positive(Wide(s - low)), s, Wide(0.5 * (low + high)));
  Wide::Bits open = both;
  for (int round = 0; any_lane(open); ++round)
  {
    const Wide part = dp * pow(s, exponent);
    const Rise c = needed(from, part), R = from.of->hardening(from.plastic + (dp - part));
    const Wide f = c.stress - yield - R.stress, slope = (c.slope + R.slope) * exponent * part / s;
    found = select(open, part, found);
    low = select(positive(f), low, s);
    high = select(positive(f), s, high);
    const Wide size = select(positive(f), f, Wide(-f)), next = s - f / slope, step = next - s,
               length = select(positive(step), step, Wide(-step));
    open &= ~(positive(Wide(rounding * last - size)) | positive(Wide(rounding * s - length)) | positive(Wide(rounding * s - (high - low))));
    s = select(open, select(positive(Wide(next - low)) & positive(Wide(high - next)), next, Wide(0.5 * (low + high))), s);
    if (round == most_rounds)
    {
      found = select(open, Wide(std::numeric_limits<double>::quiet_NaN()), found);
      break;
    }
  }
  return found;
}

/// With dp_p' = c'/(c' + R'): q' = R' dp_p', q'' = R'' dp_p'² + R' dp_p'', dp_p'' = (c'' dp_c'² - R'' dp_p'²)/(c' + R').
Rise CreepBeside::resistance(const From &from, const Wide &dp) const
{
  const Wide part = creep(from, dp), plastic = dp - part;
  const Wide::Bits yields = positive(plastic);
  const Rise alone = needed(from, dp), c = needed(from, select(positive(Wide(part - least * dp)), part, Wide(least * dp))),
             R = from.of->hardening(from.plastic + plastic);
  const Wide sum = 1. / (c.slope + R.slope), of_plastic = c.slope * sum, of_creep = R.slope * sum;
  const Wide bend = (c.curvature * of_creep * of_creep - R.curvature * of_plastic * of_plastic) * sum;
  return {0., select(yields, Wide(from.of->yield_stress() + R.stress), alone.stress),
          select(yields, Wide(R.slope * of_plastic), alone.slope),
          select(yields, Wide(R.curvature * of_plastic * of_plastic + R.slope * bend), alone.curvature)};
}

Wide CreepBeside::energy(const From &from, const Wide &creep) const
{
  const Wide::Bits some = positive(creep);
  return select(some, from.of->creep_energy(from.crept, select(some, creep, Wide(1.)), from.dt), Wide(0.));
}

Wide CreepBeside::loss(const From &from, const Wide &creep) const
{
  const Wide::Bits some = positive(creep);
  return select(some, Wide(creep * needed(from, select(some, creep, Wide(1.))).stress), Wide(0.));
}
}  // namespace symdyn
