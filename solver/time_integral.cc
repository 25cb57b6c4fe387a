#include "solver/time_integral.h"

#include <deal.II/base/quadrature_lib.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solver/error.h"

namespace symdyn
{
namespace
{
constexpr int panels = 64;          ///< between t and 2 t
constexpr int shortest = -40;       ///< before 2^-40 s is one panel
constexpr unsigned int points = 8;
constexpr double tolerance = 1e-13;
constexpr int most_halvings = 44;   ///< a jump is then found to 1e-13 of its panel

const dealii::QGauss<1> &rule()
{
  static const dealii::QGauss<1> gauss(points);
  return gauss;
}
}  // namespace

TimeIntegral::TimeIntegral(const Table &given, const int times, const Beyond beyond) : table(given), tabulated(true), beyond(beyond), times(times)
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
  if (t < std::ldexp(1., shortest))
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
  std::vector<Sums> sums{exponent <= shortest ? panel(0., start) : octave(exponent - 1).back()};
  for (int k = 0; k < panels; ++k)
  {
    const Sums next = panel(start + k * width, start + (k + 1) * width);
    sums.push_back({sums.back().first + next.first, sums.back().second + width * sums.back().first + next.second});
  }
  return octaves[exponent] = sums;
}

namespace
{
template <class Sums>
Sums gauss(const TimeIntegral::Function &f, const double from, const double to, double &magnitude)
{
  Sums sum;
  magnitude = 0.;
  for (unsigned int i = 0; i < rule().size(); ++i)
  {
    const double s = from + (to - from) * rule().point(i)[0], weight = rule().weight(i) * (to - from), value = f(s).x;
    if (!std::isfinite(value))
      throw ComputationError(fmt::format("a prescribed velocity or acceleration is not finite at t = {:.6g}. Change its formula", s));
    sum.first += weight * value;
    sum.second += weight * value * (to - s);
    magnitude += std::abs(weight * value);
  }
  return sum;
}
}  // namespace

TimeIntegral::Sums TimeIntegral::panel(const double from, const double to) const
{
  if (from == to)
    return {};
  double magnitude;
  return halved(from, to, gauss<Sums>(function, from, to, magnitude), 0);
}

TimeIntegral::Sums TimeIntegral::halved(const double from, const double to, const Sums &whole, const int depth) const
{
  const double middle = 0.5 * (from + to);
  double left_size, right_size;
  Sums left = gauss<Sums>(function, from, middle, left_size), right = gauss<Sums>(function, middle, to, right_size);
  const auto together = [&] { return Sums{left.first + right.first, left.second + (to - middle) * left.first + right.second}; };
  const double allowed = tolerance * (left_size + right_size);
  const Sums both = together();
  if (depth >= most_halvings ||
      (std::abs(both.first - whole.first) <= allowed && std::abs(both.second - whole.second) <= allowed * std::abs(to - from)))
    return both;
  left = halved(from, middle, left, depth + 1);
  right = halved(middle, to, right, depth + 1);
  return together();
}
}  // namespace symdyn
