#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "solver/base/log.h"
#include "solver/base/names.h"
#include "solver/base/number.h"
#include "solver/error.h"
#include "solver/stages/analysis.h"
#include "solver/stages/spectra/random.h"

// Moments of quantities under all that is random together: crossings of levels, peaks, correlations.
namespace symdyn
{
RandomStage::Mix RandomStage::mix_of(const Solved &drive, const Shares &shares, const std::size_t k) const
{
  const std::size_t modes = drive.participation.size();
  Mix mix{drive.of_base,
          std::vector<double>(modes),
          std::vector<double>(modes),
          std::vector<double>(modes),
          drive.residual.displacement[k],
          drive.residual.acceleration[k]};
  for (std::size_t i = 0; i < modes; ++i)
  {
    mix.y[i] = drive.participation[i] * shares.y[i][k];
    mix.rate[i] = drive.participation[i] * shares.rate[i][k];
    mix.acceleration[i] = (drive.of_base ? -1. : 1.) * drive.participation[i] * shares.acceleration[i][k];
  }
  return mix;
}

RandomStage::Mix RandomStage::Mix::plus(const double factor, const Mix &other) const
{
  Mix sum = *this;
  for (const auto &[to, from] : {std::pair{&sum.y, &other.y}, {&sum.rate, &other.rate}, {&sum.acceleration, &other.acceleration}})
    for (std::size_t i = 0; i < to->size(); ++i)
      (*to)[i] += factor * (*from)[i];
  sum.displacement += factor * other.displacement;
  sum.at_rest += factor * other.at_rest;
  return sum;
}

RandomStage::Moments RandomStage::moments_of(const RandomMoments &moments, const Mix &mix) const
{
  const auto acceleration = mix.of_base ? RandomMoments::acceleration : RandomMoments::relative_acceleration;
  const auto moves = [](const std::vector<double> &A) { return std::any_of(A.begin(), A.end(), [](const double a) { return a != 0.; }); };
  Moments all{};
  for (const auto &[kind, A, B] : {std::tuple{RandomMoments::displacement, &mix.y, mix.displacement},
                                   {RandomMoments::velocity, &mix.rate, 0.},
                                   {acceleration, &mix.acceleration, mix.at_rest}})
  {
    const std::array<double, 2> part = moments.of(kind, *A, B);
    all[0] += part[0];
    all[1] += part[1];
  }
  // m_4: the mean square of the second derivative. That of accelerations is not in closed form.
  all[2] = moments.of(RandomMoments::relative_acceleration, mix.y, mix.displacement)[0] +
           moments.of(RandomMoments::relative_acceleration, mix.rate, 0.)[1];
  if (moves(mix.acceleration) || mix.at_rest != 0.)
    all[2] = std::numeric_limits<double>::quiet_NaN();
  return all;
}

/// 4 <k l> = <(k + l)²> - <(k - l)²>, of each drive and of each pair that has something in common.
RandomStage::Moments RandomStage::together(const std::vector<Solved> &drives, const std::vector<Together> &pairs, const Shares &shares,
                                           const std::size_t k, const std::size_t l) const
{
  Moments sum{};
  const auto add = [&](const double factor, const RandomMoments &moments, const Mix &mix) {
    const Moments part = moments_of(moments, mix);
    for (std::size_t order = 0; order < sum.size(); ++order)
      sum[order] += factor * part[order];
  };
  const auto product = [&](const double factor, const RandomMoments &moments, const Mix &a, const Mix &b) {
    add(0.25 * factor, moments, a.plus(1., b));
    add(-0.25 * factor, moments, a.plus(-1., b));
  };
  for (const Solved &drive : drives)
    if (k == l)
      add(1., drive.moments, mix_of(drive, shares, k));
    else
      product(1., drive.moments, mix_of(drive, shares, k), mix_of(drive, shares, l));
  for (const Together &pair : pairs)
  {
    product(pair.coherence, pair.moments, mix_of(drives[pair.a], shares, k), mix_of(drives[pair.b], shares, l));
    product(pair.coherence, pair.moments, mix_of(drives[pair.b], shares, k), mix_of(drives[pair.a], shares, l));
  }
  return sum;
}

std::vector<RandomStage::Together> RandomStage::pairs_of(const HeldModes &held, const std::vector<Solved> &drives) const
{
  std::vector<Together> all;
  const auto number_of = [&](const std::string &name) {
    return std::size_t(std::find_if(drives.begin(), drives.end(), [&](const Solved &one) { return one.name == name; }) - drives.begin());
  };
  for (const Coherence::Pair &pair : coherence.pairs())
  {
    const std::size_t a = number_of(pair.a), b = number_of(pair.b);
    if (const std::vector<DensityPoint> density = density_of_both(drives[a].density, drives[b].density); !density.empty())
      all.push_back({a, b, pair.value, RandomMoments(held.omega, held.ratios, density)});
  }
  return all;
}

std::size_t RandomStage::number_of(const std::vector<Column> &columns, const std::string &quantity)
{
  return std::find_if(columns.begin(), columns.end(), [&](const Column &column) { return column.name == quantity; }) - columns.begin();
}

void RandomStage::write_correlations(Analysis &analysis, const std::vector<Column> &columns, const std::vector<Solved> &drives,
                                     const std::vector<Together> &pairs, const Shares &shares) const
{
  std::string text = "quantity";
  for (const std::string &one : correlated)
    text += "," + one;
  text += "\n";
  const auto variance = [&](const std::string &one) {
    const std::size_t k = number_of(columns, one);
    return together(drives, pairs, shares, k, k)[0];
  };
  for (const std::string &one : correlated)
  {
    text += one;
    for (const std::string &other : correlated)
    {
      const double size = std::sqrt(variance(one) * variance(other)),
                   product = together(drives, pairs, shares, number_of(columns, one), number_of(columns, other))[0];
      text += fmt::format(",{}", size > 0. ? product / size : std::numeric_limits<double>::quiet_NaN());
    }
    text += "\n";
  }
  analysis.recorder.file(stem() + "-correlations.csv", text);
}

void RandomStage::write_levels(Analysis &analysis, const std::vector<Column> &columns, const std::vector<Solved> &drives,
                               const std::vector<Together> &pairs, const Shares &shares) const
{
  const std::string hz = hertz(analysis.units);
  std::string text = fmt::format("quantity,unit,level,in parts of rms,upward crossings [{}],part of the time above\n", hz);
  for (const auto &[quantity, level] : levels)
  {
    const std::size_t k = number_of(columns, quantity);
    const Moments m = together(drives, pairs, shares, k, k);
    const double rms = std::sqrt(std::max(0., m[0])), x = level / rms;
    text += fmt::format("{},{},{},{:.6g},{},{}\n", quantity, columns[k].unit, level, x, crossings({m[0], m[1]}) * std::exp(-0.5 * x * x),
                        0.5 * std::erfc(x / std::sqrt(2.)));
  }
  analysis.recorder.file(stem() + "-levels.csv", text);
}

void RandomStage::warn_of_few_modes(const HeldModes &held, const std::vector<Column> &columns, const std::vector<Solved> &drives,
                                    const Shares &shares, const double highest) const
{
  constexpr double enough = 1.5;
  const std::size_t modes = held.modes.size();
  const double last = held.modes.frequency(modes - 1);
  if (last >= enough * highest || modes == held.modes.free_motions)
    return;
  double largest = 0.;
  std::string where_largest;
  for (std::size_t k = 0; k < columns.size(); ++k)
  {
    double of_last = 0., whole = 0.;
    for (const Solved &drive : drives)
    {
      const Mix mix = mix_of(drive, shares, k);
      Mix alone = mix.plus(-1., mix);
      alone.y.back() = mix.y.back();
      alone.rate.back() = mix.rate.back();
      alone.acceleration.back() = mix.acceleration.back();
      of_last += moments_of(drive.moments, alone)[0];
      whole += drive.values[k][0];
    }
    if (const double share = whole > 0. ? of_last / whole : 0.; share > largest)
    {
      largest = share;
      where_largest = columns[k].name;
    }
  }
  log_warning(
      fmt::format("stage {}: the highest of {} modes has {:.6g} Hz, less than 1.5 times the highest frequency of what drives, {:g} Hz: "
                  "what is left out may matter. The last mode has up to {:.2g} of the variance ({}). Ask for more Modes",
                  name, modes, last, highest, largest, where_largest.empty() ? "of no quantity" : where_largest));
}
}  // namespace symdyn
