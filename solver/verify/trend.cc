#include <algorithm>
#include <array>
#include <cmath>

#include "solver/verify/measures.h"

// Slow changes under the swing of an energy.
namespace symdyn
{
namespace
{
constexpr std::size_t blocks = 10;
using Means = std::array<double, blocks>;

Means means(const std::vector<double> &values)
{
  const std::size_t size = values.size() / blocks;
  Means mean{};
  for (std::size_t i = 0; i < blocks * size; ++i)
    mean[i / size] += (values[i] - values[0]) / size;
  return mean;
}

double average(const Means &mean)
{
  double sum = 0;
  for (const double value : mean)
    sum += value / blocks;
  return sum;
}
}  // namespace

LineThroughMeans line_through_means(const std::vector<double> &x, const std::vector<double> &y)
{
  LineThroughMeans line;
  if (x.size() < blocks)
    return line;
  const Means X = means(x), Y = means(y);
  const double x0 = average(X), y0 = average(Y);
  double Sxx = 0, Sxy = 0, residual = 0;
  for (std::size_t b = 0; b < blocks; ++b)
  {
    Sxx += (X[b] - x0) * (X[b] - x0);
    Sxy += (X[b] - x0) * (Y[b] - y0);
  }
  if (Sxx == 0.)
    return line;
  line.slope = Sxy / Sxx;
  for (std::size_t b = 0; b < blocks; ++b)
    residual += std::pow(Y[b] - y0 - line.slope * (X[b] - x0), 2);
  line.error = std::sqrt(residual / (blocks - 2) / Sxx);
  return line;
}

EnergyTrend energy_trend(const std::vector<double> &t, const std::vector<double> &energy)
{
  EnergyTrend trend;
  double early = 0, late = 0;
  const std::size_t n = energy.size(), middle = n / 2;
  for (std::size_t i = 0; i < n; ++i)
    (i < middle ? early : late) = larger(i < middle ? early : late, std::abs(energy[i] - energy[0]));
  trend.steps = int(n) - 1;
  trend.envelope = std::max(early, late);
  trend.growth = early > 0. ? late / early : 0.;
  const LineThroughMeans line = line_through_means(t, energy);
  trend.drift = line.slope * (t.back() - t.front());
  trend.significance = line.error > 0. ? std::abs(line.slope) / line.error : 0.;
  return trend;
}

MeasuredDissipation measured_dissipation(const Trial &trial)
{
  const MechanicalSystem &system = *trial.system;
  State state = trial.start;
  begin(system, *trial.integrator, state, trial.h);
  const auto energy = [&] { return kinetic_energy(system, state.v) + system.potential(state.q); };
  const auto power = [&] { return 2. * system.dissipation(state.q, state.v); };
  MeasuredDissipation result;
  double E = energy(), R = power(), scale = 2. * kinetic_energy(system, state.v);
  std::vector<double> work{0.}, unexplained{0.};
  for (int k = 1; k <= trial.steps; ++k)
  {
    advance(system, *trial.integrator, state, trial.h);
    const double E1 = energy(), R1 = power(), done = 0.5 * trial.h * (R + R1);
    scale = std::max(scale, 2. * kinetic_energy(system, state.v));
    result.largest_rise = std::max(result.largest_rise, E1 - E);
    work.push_back(work.back() + done);
    unexplained.push_back(unexplained.back() + E - E1 - done);
    E = E1;
    R = R1;
  }
  result.largest_rise /= scale;
  result.work = work.back();
  const LineThroughMeans line = line_through_means(work, unexplained);
  result.rate_error = line.slope;
  result.significance = line.error > 0.    ? std::abs(line.slope) / line.error
                        : line.slope != 0. ? std::numeric_limits<double>::infinity()
                                           : 0.;
  return result;
}
}  // namespace symdyn
