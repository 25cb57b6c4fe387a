#include "solver/deck/formula/time_integral.h"

#include <deal.II/base/quadrature_lib.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solver/error.h"

namespace symdyn
{
namespace
{
constexpr int panels = 64;            ///< between t and 2 t
constexpr int shortest_octave = -40;  ///< before 2^-40 s is one panel
constexpr unsigned int points = 8;
constexpr double tolerance = 1e-13;
constexpr int least_halvings = 2;    ///< a short pulse must not hide between the points: none is missed that lasts longer than t/1000
constexpr int most_bisections = 44;  ///< a jump is then found to 1e-13 of its panel

const dealii::QGauss<1> &rule()
{
  static const dealii::QGauss<1> gauss(points);
  return gauss;
}
}  // namespace

TimeIntegral::TimeIntegral(const Table &given, const int times, const Beyond beyond)
    : table(given), tabulated(true), beyond(beyond), times(times)
{
  const auto &t = table.times(), &a = table.values();
  Sums sum;
  at_points.push_back(sum);
  for (std::size_t i = 1; i < t.size(); ++i)
  {
    const double h = t[i] - t[i - 1];
    sum.second += h * sum.first + h * h * (a[i - 1] / 3. + a[i] / 6.);
    sum.first += 0.5 * h * (a[i - 1] + a[i]);
    at_points.push_back(sum);
  }
  at_zero = since_first_point(0.);
}

TimeIntegral::TimeIntegral(Function f, const int times) : function(std::move(f)), times(times) {}

Jet<double> TimeIntegral::operator()(const double t) const
{
  const Sums sum = sums(t);
  if (times == 2)
    return {sum.second, sum.first, tabulated ? value(t) : function(t).x};
  if (tabulated)
    return {sum.first, value(t), slope(t)};
  const Jet<double> f = function(t);
  return {sum.first, f.x, f.d};
}

double TimeIntegral::value(const double t) const
{
  return beyond == Beyond::zero && (t < table.times().front() || t > table.times().back()) ? 0. : table(t);
}

double TimeIntegral::slope(const double t) const { return table.slope(t); }

/// With a table f = a_i + s τ after point i: I1 = I1_i + a_i τ + s τ²/2, I2 = I2_i + I1_i τ + a_i τ²/2 + s τ³/6.
TimeIntegral::Sums TimeIntegral::since_first_point(const double t) const
{
  const auto &times = table.times();
  const std::size_t i = std::max<std::ptrdiff_t>(0, std::upper_bound(times.begin(), times.end(), t) - times.begin() - 1);
  const bool outside = t < times.front() || t >= times.back();
  const double tau = t - times[i], s = table.slope(t), a = outside && beyond == Beyond::zero ? 0. : table.values()[i];
  const Sums &known = at_points[i];
  return {known.first + tau * (a + 0.5 * tau * s), known.second + tau * (known.first + tau * (0.5 * a + tau * s / 6.))};
}

TimeIntegral::Sums TimeIntegral::sums(const double t) const
{
  if (tabulated)
  {
    const Sums sum = since_first_point(t);
    return {sum.first - at_zero.first, sum.second - at_zero.second - at_zero.first * t};
  }
  if (t < std::ldexp(1., shortest_octave))
    return panel(0., t);
  int exponent = 0;
  std::frexp(t, &exponent);
  --exponent;  // 2^exponent <= t < 2^(exponent + 1)
  const double width = std::ldexp(1., exponent) / panels;
  const int k = std::min(panels - 1, int((t - std::ldexp(1., exponent)) / width));
  const Sums before = octave(exponent)[k];
  const double from = std::ldexp(1., exponent) + k * width;
  const Sums rest = panel(from, t);
  return {before.first + rest.first, before.second + (t - from) * before.first + rest.second};
}

const std::vector<TimeIntegral::Sums> &TimeIntegral::octave(const int exponent) const
{
  if (const auto known = octaves.find(exponent); known != octaves.end())
    return known->second;
  const double start = std::ldexp(1., exponent), width = start / panels;
  std::vector<Sums> sums{exponent <= shortest_octave ? panel(0., start) : octave(exponent - 1).back()};
  for (int k = 0; k < panels; ++k)
  {
    const Sums next = panel(start + k * width, start + (k + 1) * width);
    sums.push_back({sums.back().first + next.first, sums.back().second + width * sums.back().first + next.second});
  }
  return octaves[exponent] = sums;
}

struct TimeIntegral::Part
{
  Sums sum;
  double magnitude = 0;                           ///< ∫|f|
  double first = 0, last = 0, low = 0, high = 0;  ///< f at the points
};

TimeIntegral::Part TimeIntegral::gauss(const double from, const double to) const
{
  Part part;
  for (unsigned int i = 0; i < rule().size(); ++i)
  {
    const double x = rule().point(i)[0], s = from + (to - from) * x, weight = rule().weight(i) * (to - from), value = function(s).x;
    if (!std::isfinite(value))
      throw ComputationError(fmt::format("a prescribed velocity or acceleration is not finite at t = {:.6g}. Change its formula", s));
    part.sum.first += weight * value;
    part.sum.second +=
        weight * value * (to - from) * (1. - x);  // to - s without its rounding, which a short panel far from zero would feel
    part.magnitude += std::abs(weight * value);
    if (i == 0)
      part.first = part.low = part.high = value;
    part.last = value;
    part.low = std::min(part.low, value);
    part.high = std::max(part.high, value);
  }
  return part;
}

TimeIntegral::Sums TimeIntegral::panel(const double from, const double to) const
{
  if (from == to)
    return {};
  const Part whole = gauss(from, to);
  return halved(from, to, whole.sum, 0, tolerance * whole.magnitude);
}

TimeIntegral::Sums TimeIntegral::halved(const double from, const double to, const Sums &whole, const int depth,
                                        const double allowed_in_panel) const
{
  const double middle = 0.5 * (from + to);
  const Part left = gauss(from, middle), right = gauss(middle, to);
  const auto together = [&](const Sums &l, const Sums &r) {
    return Sums{l.first + r.first, l.second + (to - middle) * l.first + r.second};
  };
  const double allowed = std::max(allowed_in_panel, tolerance * (left.magnitude + right.magnitude));
  const Sums both = together(left.sum, right.sum);
  const auto agree = [&] {
    return std::abs(both.first - whole.first) <= allowed && std::abs(both.second - whole.second) <= allowed * std::abs(to - from);
  };
  // A jump between an end and the points beside it: f changes there by more than at all points together.
  const auto smooth_to_the_ends = [&] {
    const double spread = std::max(left.high, right.high) - std::min(left.low, right.low) + allowed / std::abs(to - from);
    return std::abs(function(from).x - left.first) <= spread && std::abs(function(to).x - right.last) <= spread;
  };
  if (depth >= most_bisections || (depth >= least_halvings && agree() && smooth_to_the_ends()))
    return both;
  return together(halved(from, middle, left.sum, depth + 1, allowed), halved(middle, to, right.sum, depth + 1, allowed));
}
}  // namespace symdyn
