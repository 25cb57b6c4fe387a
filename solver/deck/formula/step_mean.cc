#include "solver/deck/formula/step_mean.h"

#include <algorithm>
#include <limits>

namespace symdyn
{
namespace
{
/// ∫ w a ds from `from` to `to`, w straight from w0 to w1.
double weighted(const Table &table, const double from, const double to, const double w0, const double w1)
{
  if (!(from < to))
    return 0.;
  const auto weight = [&](const double s) { return w0 + (w1 - w0) * (s - from) / (to - from); };
  const std::vector<double> &times = table.times();
  double sum = 0, left = from;
  for (auto next = std::upper_bound(times.begin(), times.end(), from); left < to; ++next)
  {
    const double right = next == times.end() ? to : std::min(*next, to), middle = 0.5 * (left + right);
    sum += (right - left) / 6. * (weight(left) * table(left) + 4. * weight(middle) * table(middle) + weight(right) * table(right));
    left = right;
    if (next == times.end())
      break;
  }
  return sum;
}
}  // namespace

double StepMean::operator()(const Table &table, const double t, const Beyond beyond) const
{
  constexpr double never = std::numeric_limits<double>::infinity();
  const double first = beyond == Beyond::zero ? table.times().front() : -never,
               last = beyond == Beyond::zero ? table.times().back() : never;
  // A side of the hat: the part of it after the start.
  const auto side = [&](const double foot, const double top) {
    const auto at = [&](const double s) { return (s - foot) / (top - foot); };
    const double from = std::max({std::min(foot, top), start, first}), to = std::min(std::max(foot, top), last);
    return weighted(table, from, to, at(from), at(to));
  };
  const double mirrored = 2. * start - t;
  double sum = side(t - h, t) + side(t + h, t);
  if (t - h < start)
    sum += side(mirrored - h, mirrored) + side(mirrored + h, mirrored);
  return sum / h;
}
}  // namespace symdyn
