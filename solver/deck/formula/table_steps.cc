#include "solver/deck/formula/table_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "solver/actions.h"

namespace symdyn
{
namespace
{
constexpr double rounding_of_time = 1e-9;  ///< of times, over the step

/// The time that someone means who writes a jump as two rows, one of them beside it: the one with fewer digits.
double meant(const Table::Jump &jump)
{
  const auto digits = [](const double t) { return fmt::format("{:.12g}", t).size(); };
  return digits(jump.from) <= digits(jump.to) ? jump.from : jump.to;
}
}  // namespace

TableSteps::TableSteps(const Table &given, const double step)
    : table(given), h(step), width(jump_width * step), largest(given.largest()), jumps(given.jumps(jump_width * step))
{
}

/// The jump at an end of a step.
const Table::Jump *TableSteps::jump_at(const double t) const { return Table::nearest(jumps, t, width); }

const Table::Jump *TableSteps::jump_of(const double t) const
{
  const Table::Jump *jump = jump_at(t);
  return jump && (t == jump->from || t == jump->to) ? jump : nullptr;
}

double TableSteps::after(const double t) const
{
  const Table::Jump *jump = jump_at(t);
  return jump ? jump->after : table(t);
}

double TableSteps::before(const double t) const
{
  const Table::Jump *jump = jump_at(t);
  return jump ? jump->before : table(t);
}

TableSteps::Missed TableSteps::missed(const double start, const double end, const double part) const
{
  Missed found;
  const Table::Jump *last = nullptr;
  const std::vector<double> &times = table.times();
  for (std::size_t i = std::upper_bound(times.begin(), times.end(), start) - times.begin(); i < times.size() && times[i] < end; ++i)
  {
    const double t = times[i], k = std::floor((t - start) / h + rounding_of_time), t0 = start + k * h, t1 = t0 + h;
    const Table::Jump *jump = jump_of(t);
    if (std::abs(t - t0) <= rounding_of_time * h || (jump && (jump == jump_at(t0) || jump == jump_at(t1))))
      continue;
    const double s = (t - t0) / h, line = (1. - s) * after(t0) + s * before(t1), difference = std::abs(table.values()[i] - line) / largest;
    if (!(difference > part))
      continue;
    ++found.points;
    if (!jump || jump != last)
      found.times.push_back(jump ? meant(*jump) : t);
    last = jump;
    if (difference > found.difference)
    {
      found.difference = difference;
      found.at = t;
    }
  }
  return found;
}

std::vector<double> TableSteps::cuts(const double t0, const double t1, const double part) const
{
  std::vector<double> found;
  double from = t0;
  for (const Table::Jump &jump : jumps)
    if (jump.from - width > t0 && jump.to + width < t1)
    {
      add_cuts(from, jump.to, part, found);
      found.push_back(from = jump.to);
    }
  add_cuts(from, t1, part, found);
  return found;
}

/// The point that is farthest from the straight line, and so on on both sides of it (Ramer 1972, Douglas and Peucker 1973).
void TableSteps::add_cuts(const double t0, const double t1, const double part, std::vector<double> &found) const
{
  const std::vector<double> &times = table.times();
  const double a0 = after(t0), a1 = before(t1), shortest = rounding_of_time * h;
  double farthest = part * largest, at = 0;
  for (std::size_t i = std::upper_bound(times.begin(), times.end(), t0 + shortest) - times.begin();
       i < times.size() && times[i] < t1 - shortest; ++i)
  {
    if (jump_of(times[i]))  // those inside are cuts already
      continue;
    const double s = (times[i] - t0) / (t1 - t0), distance = std::abs(table.values()[i] - (1. - s) * a0 - s * a1);
    if (distance > farthest)
    {
      farthest = distance;
      at = times[i];
    }
  }
  if (farthest <= part * largest)
    return;
  add_cuts(t0, at, part, found);
  found.push_back(at);
  add_cuts(at, t1, part, found);
}

double step_that_meets(const std::vector<double> &times, const double start, const double h)
{
  constexpr double close = 1e-6, shortest = 1e-3;
  double step = h;
  for (const double t : times)
  {
    double a = step, b = std::abs(std::remainder(t - start, step));
    if (b <= close * h)
      continue;
    while (b > close * h)  // Euclid
      a = std::exchange(b, std::abs(std::remainder(a, b)));
    step = h / std::round(h / a);
    if (step < shortest * h || std::abs(std::remainder(t - start, step)) > close * h)
      return 0.;
  }
  return step;
}
}  // namespace symdyn
