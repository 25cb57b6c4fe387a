#include "solver/vibration/stability.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace symdyn
{
namespace
{
std::vector<std::size_t> growing(const ComplexModes &modes)
{
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < modes.size(); ++i)
    if (modes.kinds[i] == ComplexModes::flutter || modes.kinds[i] == ComplexModes::divergence)
      found.push_back(i);
  return found;
}

/// Numbers of branches, mode by mode, from one factor to the next.
class Branches
{
public:
  explicit Branches(const MechanicalSystem &system) : system(system) {}

  const std::vector<int> &follow(const ComplexModes &modes)
  {
    std::vector<std::tuple<double, std::size_t, std::size_t>> alike;
    for (std::size_t i = 0; i < shapes.size(); ++i)
      for (std::size_t j = 0; j < modes.size(); ++j)
        alike.emplace_back(-assurance(system, shapes[i], modes.shapes[j]), i, j);
    std::sort(alike.begin(), alike.end());
    std::vector<int> found(modes.size(), -1);
    std::vector<bool> used(shapes.size(), false);
    for (const auto &[unlike, i, j] : alike)
      if (!used[i] && found[j] < 0)
      {
        found[j] = numbers[i];
        used[i] = true;
      }
    for (int &number : found)
      if (number < 0)
        number = ++last;
    numbers = found;
    shapes = modes.shapes;
    return numbers;
  }

private:
  const MechanicalSystem &system;
  std::vector<ComplexVector> shapes;
  std::vector<int> numbers;
  int last = 0;
};
}  // namespace

LoadBranches find_instability(const MechanicalSystem &system, const std::function<ComplexModes(double)> &modes, const double first,
                              const double last, const int intervals, const double tolerance)
{
  LoadBranches found;
  Branches branches(system);
  found.critical = std::numeric_limits<double>::infinity();
  for (int k = 0; k <= intervals; ++k)
  {
    const double factor = first + (last - first) * k / intervals;
    ComplexModes here = modes(factor);
    const std::vector<int> &numbers = branches.follow(here);
    for (std::size_t i = 0; i < here.size(); ++i)
      found.points.push_back({factor, numbers[i], here.values[i]});
    if (std::isfinite(found.critical))
      continue;
    if (growing(here).empty())
      found.stable = factor;
    else
    {
      found.critical = factor;
      found.at_critical = here;
    }
    found.at_last = std::move(here);
  }
  const double size = std::max(std::abs(found.stable), std::abs(found.critical));
  while (std::isfinite(found.critical) && !found.from_the_start() && found.critical - found.stable > tolerance * size)
  {
    const double middle = 0.5 * (found.stable + found.critical);
    ComplexModes here = modes(middle);
    if (growing(here).empty())
      found.stable = middle;
    else
    {
      found.critical = middle;
      found.at_critical = std::move(here);
    }
  }
  found.grows = growing(found.at_critical);
  return found;
}
}  // namespace symdyn
