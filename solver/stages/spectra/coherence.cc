#include "solver/stages/spectra/coherence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "solver/base/names.h"
#include "solver/base/number.h"

namespace symdyn
{
namespace
{
const char *const entry_of_coherence = "Coherence";

/// Whether a symmetric matrix has no negative eigenvalue, by elimination.
bool is_semidefinite(std::vector<std::vector<double>> matrix)
{
  constexpr double rounding = 1e-12;
  for (std::size_t k = 0; k < matrix.size(); ++k)
  {
    if (matrix[k][k] < -rounding)
      return false;
    for (std::size_t i = k + 1; i < matrix.size(); ++i)
    {
      if (matrix[k][k] <= rounding && std::abs(matrix[i][k]) > std::sqrt(rounding))
        return false;
      const double factor = matrix[k][k] > rounding ? matrix[i][k] / matrix[k][k] : 0.;
      for (std::size_t j = k; j < matrix.size(); ++j)
        matrix[i][j] -= factor * matrix[k][j];
    }
  }
  return true;
}

/// Adds what is between two points, and the second one.
void add_between(const std::vector<DensityPoint> &a, const std::vector<DensityPoint> &b, const DensityPoint &from, const DensityPoint &to,
                 const int depth, std::vector<DensityPoint> &all)
{
  constexpr double close = 1e-6;
  constexpr int deepest = 24;
  const double omega = 0.5 * (from.omega + to.omega), value = std::sqrt(density_between(a, omega) * density_between(b, omega));
  if (depth < deepest && std::abs(value - 0.5 * (from.value + to.value)) > close * std::max({from.value, to.value, value}))
  {
    const DensityPoint middle{omega, value};
    add_between(a, b, from, middle, depth + 1, all);
    return add_between(a, b, middle, to, depth + 1, all);
  }
  all.push_back(to);
}
}  // namespace

double density_between(const std::vector<DensityPoint> &density, const double omega)
{
  const auto next =
      std::upper_bound(density.begin(), density.end(), omega, [](const double at, const DensityPoint &point) { return at < point.omega; });
  if (next == density.begin() || omega > density.back().omega)
    return 0.;
  const DensityPoint &low = *(next - 1), &high = next == density.end() ? low : *next;
  const double part = high.omega > low.omega ? (omega - low.omega) / (high.omega - low.omega) : 0.;
  return low.value + part * (high.value - low.value);
}

std::vector<DensityPoint> density_of_both(const std::vector<DensityPoint> &a, const std::vector<DensityPoint> &b)
{
  const double first = std::max(a.front().omega, b.front().omega), last = std::min(a.back().omega, b.back().omega);
  std::vector<double> places{first, last};
  for (const auto *one : {&a, &b})
    for (const DensityPoint &point : *one)
      if (point.omega > first && point.omega < last)
        places.push_back(point.omega);
  if (!(last > first))
    return {};
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  std::vector<DensityPoint> all;
  for (const double omega : places)
  {
    const DensityPoint point{omega, std::sqrt(density_between(a, omega) * density_between(b, omega))};
    all.empty() ? all.push_back(point) : add_between(a, b, all.back(), point, 0, all);
  }
  return all;
}

void Coherence::declare(Parameters &p)
{
  p.add(entry_of_coherence, given,
        "of two motions of the base, or of two random loads: A B c, -1 <= c <= 1: their density together is c sqrt(G_A G_B), in phase "
        "(x y 0.3, wind fan 0.8); default: none have anything in common");
}

void Coherence::read(const Parameters &p, const std::vector<std::string> &base, const std::vector<std::string> &loads)
{
  std::vector<std::string> names = base;
  names.insert(names.end(), loads.begin(), loads.end());
  const auto number_of = [&](const std::string &name) { return std::size_t(std::find(names.begin(), names.end(), name) - names.begin()); };
  std::vector<std::vector<double>> matrix(names.size(), std::vector<double>(names.size(), 0.));
  for (std::size_t i = 0; i < names.size(); ++i)
    matrix[i][i] = 1.;
  for (const std::string &one : given)
  {
    std::istringstream in(one);
    std::string a, b, number, more;
    in >> a >> b >> number;
    const auto value = number_from<double>(number);
    if (!value || in >> more || !(std::abs(*value) <= 1.))
      p.fail(entry_of_coherence, fmt::format("'{}' is not two names and a number from -1 to 1, as x y 0.3", one));
    const std::size_t i = number_of(a), j = number_of(b);
    for (const auto &[name, at] : {std::pair{a, i}, {b, j}})
      if (at == names.size())
        p.fail(entry_of_coherence, fmt::format("'{}' is not random here. There are: {}", name, join(nearest_first(name, names))));
    if (i == j)
      p.fail(entry_of_coherence, fmt::format("'{}' is one and the same. Name two", one));
    if ((i < base.size()) != (j < base.size()))
      p.fail(entry_of_coherence, fmt::format("'{}' is a motion of the base and a load. Name two motions, or two loads", one));
    if (matrix[i][j] != 0.)
      p.fail(entry_of_coherence, fmt::format("names {} and {} twice. Remove one", a, b));
    matrix[i][j] = matrix[j][i] = *value;
    all.push_back({a, b, *value});
  }
  if (!is_semidefinite(matrix))
    p.fail(entry_of_coherence, "these values cannot be together: some sum of the motions would have a negative density. Take smaller ones");
}
}  // namespace symdyn
