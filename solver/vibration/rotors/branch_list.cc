#include <algorithm>
#include <cmath>

#include "solver/vibration/rotors/speed_branches.h"

// What a list of branches says of each.
namespace symdyn
{
double SpeedBranches::Branch::frequency(const Point &point, const bool fixed) const
{
  if (!fixed)
    return std::abs(point.lambda.imag());
  return waves ? std::abs(point.lambda.imag() + *waves * point.speed) : std::numeric_limits<double>::quiet_NaN();
}

int SpeedBranches::Branch::direction(const Point &point, const bool fixed) const
{
  constexpr double clear = 1e-3;
  if (point.forward)
    return std::abs(*point.forward) < clear ? 0 : *point.forward > 0. ? 1 : -1;
  if (!waves || *waves == 0)
    return 0;
  const double omega = point.lambda.imag() + (fixed ? *waves * point.speed : 0.);
  return omega == 0. ? 0 : (omega > 0.) == (*waves > 0) ? 1 : -1;
}

ComplexModes::Kind SpeedBranches::Branch::kind(const Point &point, const bool fixed) const
{
  constexpr double rounding = 1e-6;  // of lambda = 0 at a critical speed, too
  const double growth = point.lambda.real();
  const bool still = frequency(point, fixed) <= rounding * std::abs(growth);
  if (growth > 0. && (point.kind == ComplexModes::flutter || point.kind == ComplexModes::divergence))
    return still ? ComplexModes::divergence : ComplexModes::flutter;
  if (growth < -rounding * point.speed && still)
    return point.kind == ComplexModes::divergence ? ComplexModes::divergence : ComplexModes::overdamped;
  return point.kind == ComplexModes::rigid && !(frequency(point, fixed) > 0.) ? ComplexModes::rigid : ComplexModes::oscillates;
}

bool SpeedBranches::Branch::is_aside(const Point &point, const bool fixed) const
{
  const ComplexModes::Kind is = kind(point, fixed);
  return point.lambda.real() < 0. && (is == ComplexModes::overdamped || is == ComplexModes::divergence);
}

bool SpeedBranches::Branch::is_aside(const bool fixed) const
{
  return std::all_of(points.begin(), points.end(), [&](const Point &point) { return is_aside(point, fixed); });
}

std::size_t SpeedBranches::aside(const ComplexModes::Kind kind, const bool fixed) const
{
  return std::size_t(std::count_if(branches.begin(), branches.end(),
                                   [&](const Branch &one) { return one.is_aside(fixed) && one.kind(one.points.back(), fixed) == kind; }));
}

/// Branches that began and ended between two speeds.
void SpeedBranches::drop_empty()
{
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> number;
  std::vector<Branch> kept;
  for (Branch &branch : branches)
  {
    number.push_back(branch.points.empty() ? none : kept.size());
    if (!branch.points.empty())
      kept.push_back(std::move(branch));
  }
  branches = std::move(kept);
  const auto is_gone = [&](const std::size_t branch) { return number[branch] == none; };
  meetings.erase(
      std::remove_if(meetings.begin(), meetings.end(), [&](const Meeting &one) { return is_gone(one.one) || is_gone(one.other); }),
      meetings.end());
  for (Meeting &one : meetings)
  {
    one.one = number[one.one];
    one.other = number[one.other];
  }
  for (auto *list : {&crossings, &unsure})
  {
    list->erase(std::remove_if(list->begin(), list->end(), [&](const Crossing &one) { return is_gone(one.branch); }), list->end());
    for (Crossing &one : *list)
      one.branch = number[one.branch];
  }
}

void SpeedBranches::append(SpeedBranches other)
{
  const std::size_t before = branches.size();
  for (Meeting &one : other.meetings)
  {
    one.one += before;
    one.other += before;
    meetings.push_back(one);
  }
  for (const auto &[from, to] : {std::pair(&other.crossings, &crossings), {&other.unsure, &unsure}})
    for (Crossing &one : *from)
    {
      one.branch += before;
      to->push_back(one);
    }
  if (other.onset < onset)
  {
    onset = other.onset;
    growing = other.growing;
    cause = other.cause;
  }
  if (other.lacking && (!lacking || other.lacking->found < lacking->found))
    lacking = other.lacking;
  branches.insert(branches.end(), other.branches.begin(), other.branches.end());
  speeds += other.speeds;
  rigid += other.rigid;
}
}  // namespace symdyn
