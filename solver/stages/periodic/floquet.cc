#include "solver/stages/periodic/floquet.h"

#include <algorithm>
#include <numeric>

#include "solver/linear/dense_eigen.h"
#include "solver/linear/lu.h"

namespace symdyn
{
namespace
{
/// tr(M⁻¹ C) [1/s] at the state at rest.
double damping_trace(const OrbitProblem &problem, const Shapes &shapes)
{
  if (!problem.whole.has(Feature::damping))
    return 0.;
  double trace = 0;
  Vector f = problem.whole.new_vector();
  for (const Vector &shape : shapes.shapes)
  {
    shape.update_ghost_values();
    problem.whole.damping_force(problem.rest, shape, f);
    problem.whole.project(f);
    trace += shape * f;
  }
  return trace;
}

/// Numbers of multipliers, the largest first; of the two at 1 that an orbit of a conservative body has, those nearest to it, nothing is to
/// be learnt.
std::vector<std::size_t> sorted(const std::vector<std::complex<double>> &all, const bool two_at_one)
{
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), 0);
  if (two_at_one && all.size() >= 2)
  {
    std::sort(order.begin(), order.end(),
              [&](const std::size_t a, const std::size_t b) { return std::abs(all[a] - 1.) < std::abs(all[b] - 1.); });
    order.erase(order.begin(), order.begin() + 2);
  }
  std::sort(order.begin(), order.end(), [&](const std::size_t a, const std::size_t b) { return std::abs(all[a]) > std::abs(all[b]); });
  return order;
}

/// `noise`: of |m|.
std::string kind_of(const std::complex<double> &largest, const double noise)
{
  constexpr double beyond = 1e-5, real = 1e-8;
  if (std::abs(largest) <= 1. + std::max(beyond, noise))
    return "stable";
  if (std::abs(largest.imag()) > real * std::abs(largest))
    return "torus";
  return largest.real() > 0. ? "fold or branch" : "period doubling";
}

void find_all(const OrbitProblem &problem, const Orbit &orbit, const Shapes &shapes, Monodromy &map, Floquet &found)
{
  found.log_product = DenseFactors(map.size(), map.matrix()).log_determinant();
  found.expected = -orbit.period * damping_trace(problem, shapes);
  const DenseEigenpairs pairs = dense_eigenpairs(map.size(), map.matrix(), false);
  for (const std::size_t i : sorted(pairs.values, problem.half()))
    found.multipliers.push_back(pairs.values[i]);
}

void find_largest(const OrbitProblem &problem, Monodromy &map, Floquet &found)
{
  constexpr int cycles = 12, few = 4;
  constexpr double sharp = 1e-6;
  found.all = false;
  for (int cycle = 0;; ++cycle)
  {
    const DenseEigenpairs pairs = dense_eigenpairs(map.size(), map.matrix(), true);
    found.multipliers.clear();
    found.residual = 0.;
    int taken = 0;
    for (const std::size_t i : sorted(pairs.values, problem.half()))
    {
      if (taken == few)
        break;
      found.multipliers.push_back(pairs.values[i]);
      if (pairs.values[i].imag() < 0.)
        continue;
      ++taken;
      found.residual = std::max(found.residual, map.residual(pairs.values[i], pairs.vectors[i]));
    }
    const std::size_t before = map.size();
    if (found.residual <= sharp || cycle == cycles || (map.extend(), map.size() == before))
      return;
  }
}
}  // namespace

bool Floquet::wrong(const double rounding) const
{
  constexpr double exact = 1e-5, of_damping = 0.1, of_rounding = 30.;
  return all && defect() > (expected < 0. ? of_damping : std::max(exact, of_rounding * rounding));
}

Floquet floquet_multipliers(const OrbitProblem &problem, const Orbit &orbit, const Shapes &shapes)
{
  Monodromy map(problem, orbit, shapes);
  Floquet found;
  if (shapes.all)
    find_all(problem, orbit, shapes, map, found);
  else
    find_largest(problem, map, found);
  if (!found.multipliers.empty())
  {
    found.largest = std::abs(found.multipliers.front());
    constexpr double of_defect = 10.;  // without damping the product shows the rounding of all
    found.kind = kind_of(found.multipliers.front(), of_defect * (!found.all ? found.residual : found.expected == 0. ? found.defect() : 0.));
  }
  return found;
}
}  // namespace symdyn
