#include "elements/lumped/bouc_wen_law.h"

#include <algorithm>

namespace symdyn
{
namespace
{
using Three = std::array<double, 3>;

Three sum(const Three &a, const double s, const Three &b) { return {a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]}; }

/// y(t + h) of dy/dt = rate(t, y), by the modified midpoint rule in n parts (Gragg 1965).
template <class Rate>
Three midpoint_rule(const Rate &rate, const double t, const Three &y, const double h, const int n)
{
  const double part = h / n;
  Three before = y, now = sum(y, part, rate(t, y));
  for (int i = 1; i < n; ++i)
  {
    const Three next = sum(before, 2. * part, rate(t + i * part, now));
    before = now;
    now = next;
  }
  const Three further = sum(before, part, rate(t + h, now));
  return sum(sum({}, 0.5, now), 0.5, further);
}

/// The same to rounding, by extrapolation in the squared parts (Bulirsch, Stoer 1966); false where that does not converge.
template <class Rate>
bool extrapolated(const Rate &rate, const double t, Three &y, const double h)
{
  constexpr int most = 10;
  constexpr double exact = 1e-14, rounding = 1e-15;  // by which the last two columns differ: the last one is far better
  std::array<Three, most> earlier{}, row{};
  for (int k = 0; k < most; ++k)
  {
    row[0] = midpoint_rule(rate, t, y, h, 2 * (k + 1));
    double change = 1.;
    for (int j = 1; j <= k; ++j)
    {
      const double r = double(k + 1) / (k + 1 - j), factor = 1. / (r * r - 1.);
      const Three difference = sum(row[j - 1], -1., earlier[j - 1]);
      row[j] = sum(row[j - 1], factor, difference);
      change = factor * std::max({std::abs(difference[0]), std::abs(difference[1]), std::abs(difference[2])});
    }
    const double size = std::max({std::abs(row[k][0]), std::abs(row[k][1]), std::abs(row[k][2])});
    if (k > 0 && change <= std::max(exact * h, rounding * size))
    {
      y = row[k];
      return true;
    }
    earlier = row;
  }
  return false;
}

/// y(length) from y(0) = y. Steps are no longer than `longest`; `done(y)` ends them. Returns t.
template <class Rate, class Done>
double integrate(const Rate &rate, const double length, const double longest, Three &y, const Done &done)
{
  constexpr double shortest = 1e-8;  // there the rule itself, of error h³, is exact to rounding
  double t = 0., h = std::min(length, longest);
  while (t < length && !done(y))
  {
    h = std::min(h, length - t);
    if (extrapolated(rate, t, y, h))
    {
      t = h == length - t ? length : t + h;
      h = std::min(2. * h, longest);
      continue;
    }
    if (h > shortest)
    {
      h *= 0.5;
      continue;
    }
    y = midpoint_rule(rate, t, y, h, 2);
    t += h;
  }
  return t;
}
}  // namespace

BoucWenLaw::Way BoucWenLaw::along(double u, double x) const
{
  constexpr double saturated = 1e-15, of_decay = 2.;  // 1 - u; it falls as exp(-n x)
  Way all{0., 0., 0.};
  const auto never = [](const Three &) { return false; };
  if (u < 0. && x * slope(u) > -u)  // it may reach 0, where its slope has a kink: x, work and loss as functions of u
  {
    Three y{};
    const double from = u;
    const auto by_u = [&](const double t, const Three &) {
      const double at = from + t, s = slope(at);
      return Three{1. / s, at / s, at * (1. - s) / s};
    };
    integrate(by_u, -u, -u, y, never);
    if (y[0] < x)
    {
      all = {-u, y[1], y[2]};
      x -= y[0];
      u = 0.;
    }
  }
  Three y{};
  const auto by_x = [&](double, const Three &now) {
    const double at = u + now[0], s = slope(at);
    return Three{s, at, at * (1. - s)};
  };
  const double reached = integrate(by_x, x, of_decay / exponent, y, [&](const Three &now) { return 1. - (u + now[0]) < saturated; });
  const double rest = (x - reached) * (u + y[0]);
  return {all.change + y[0], all.work + y[1] + rest, all.loss + y[2] + rest};
}
}  // namespace symdyn
