#include "solver/base/shock_spectrum.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace symdyn
{
namespace
{
/// An oscillator that is stepped exactly under a straight load.
class SteppedOscillator
{
public:
  SteppedOscillator(const double omega, const double zeta) : omega(omega), zeta(zeta), damped(omega * std::sqrt(1. - zeta * zeta)) {}

  double z = 0, rate = 0;
  double acceleration() const { return -(2. * zeta * omega * rate + omega * omega * z); }

  void step(const double h, const double p0, const double p1)
  {
    const double square = omega * omega, slope = (p1 - p0) / (h * square), offset = p0 / square - 2. * zeta / omega * slope;
    const double C = z - offset, D = rate - slope, decay = std::exp(-zeta * omega * h);
    const double cosine = std::cos(damped * h), sine = std::sin(damped * h) / damped;
    z = offset + slope * h + decay * (C * cosine + (D + zeta * omega * C) * sine);
    rate = slope + decay * (D * cosine - (square * C + zeta * omega * D) * sine);
  }

private:
  double omega, zeta, damped;
};

/// The largest and the least of values that come one by one, between them too: by the parabola through three at equal distances.
class Peaks
{
public:
  double largest = 0, least = 0;
  void start(const double value)
  {
    known = 1;
    last = {0., 0., value};
  }
  /// `uniform`: the distance is that of the values before.
  void add(const double value, const bool uniform)
  {
    last = {last[1], last[2], value};
    known = uniform ? known + 1 : 2;
    largest = std::max(largest, value);
    least = std::min(least, value);
    if (known < 3)
      return;
    const double bend = last[0] - 2. * last[1] + last[2], slope = 0.5 * (last[2] - last[0]);
    if (const bool is_peak = std::abs(slope) < std::abs(bend); !is_peak || bend == 0.)
      return;
    const double top = last[1] - 0.5 * slope * slope / bend;
    largest = std::max(largest, top);
    least = std::min(least, top);
  }
  double size() const { return std::max(largest, -least); }

private:
  std::array<double, 3> last{};
  int known = 0;
};
}  // namespace

ShockRecord::ShockRecord(std::vector<double> times, std::vector<double> accelerations) : t(std::move(times)), a(std::move(accelerations)) {}

ShockResponse ShockRecord::response(const double frequency, const double zeta) const
{
  constexpr double per_period = 40.;
  const double pi = std::acos(-1.), omega = 2. * pi * frequency, finest = 1. / (per_period * frequency);
  SteppedOscillator oscillator(omega, zeta);
  Peaks acceleration, displacement;
  acceleration.start(0.);
  displacement.start(0.);
  double before = 0;
  const auto advance = [&](const double h, const double a0, const double a1) {
    constexpr double same = 1e-9;
    oscillator.step(h, -a0, -a1);
    const bool uniform = std::abs(h - before) <= same * h;
    before = h;
    acceleration.add(oscillator.acceleration(), uniform);
    displacement.add(oscillator.z, uniform);
  };
  for (std::size_t i = 1; i < t.size(); ++i)
  {
    const double length = t[i] - t[i - 1];
    const int parts = std::max(1, int(std::ceil(length / finest)));
    for (int k = 0; k < parts; ++k)
      advance(length / parts, a[i - 1] + (a[i] - a[i - 1]) * k / parts, a[i - 1] + (a[i] - a[i - 1]) * (k + 1) / parts);
  }
  ShockResponse found;
  found.primary = acceleration.size();
  Peaks after;
  std::swap(after, acceleration);
  acceleration.start(oscillator.acceleration());
  acceleration.add(oscillator.acceleration(), false);
  before = 0;
  for (int k = 0; k < int(per_period) + 1; ++k)
    advance(finest, 0., 0.);
  found.residual = acceleration.size();
  found.positive = std::max(after.largest, acceleration.largest);
  found.negative = -std::min(after.least, acceleration.least);
  found.displacement = displacement.size();
  return found;
}

double ShockRecord::velocity_change() const
{
  double sum = 0;
  for (std::size_t i = 1; i < t.size(); ++i)
    sum += 0.5 * (a[i] + a[i - 1]) * (t[i] - t[i - 1]);
  return sum;
}

double ShockRecord::shortest_interval() const
{
  double least = duration();
  for (std::size_t i = 1; i < t.size(); ++i)
    least = std::min(least, t[i] - t[i - 1]);
  return least;
}

double ShockRecord::peak() const
{
  double largest = 0;
  for (const double value : a)
    largest = std::max(largest, std::abs(value));
  return largest;
}

std::vector<double> octave_frequencies(const double lowest, const double highest, const double per_octave)
{
  std::vector<double> all;
  const double octaves = std::log2(highest / lowest);
  const int count = std::max(1, int(std::ceil(octaves * per_octave - 1e-9)));
  for (int k = 0; k < count; ++k)
    all.push_back(lowest * std::exp2(k / per_octave));
  all.push_back(highest);
  return all;
}
}  // namespace symdyn
