#include "solver/stages/periodic/floquet.h"

#include <algorithm>
#include <cmath>
#include <limits>
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

constexpr double beyond = 1e-5;  // |m| of an unstable motion is 1 and more than this

/// `noise`: of |m|.
std::string kind_of(const std::complex<double> &largest, const double noise)
{
  constexpr double real = 1e-8;
  if (std::abs(largest) <= 1. + beyond)
    return "stable";
  if (std::abs(largest) <= 1. + noise)
    return "not known";
  if (std::abs(largest.imag()) > real * std::abs(largest))
    return "torus";
  return largest.real() > 0. ? "fold or branch" : "period doubling";
}

/// Accelerations of soft motions, q = 1/w, are rounded by eps s²/w of the stiffest, s, whose coordinates are s q: eps (s h)² s/w in a step.
/// Of the product of all about a hundredth of this is left (measured on strips, lengths of 50 to 1000 times the thickness).
double rounding_of(const OrbitProblem &problem, const Orbit &orbit, const Shapes &shapes)
{
  constexpr double left = 0.01;
  const double s = shapes.stiffest, h = orbit.period / problem.steps;
  return left * std::numeric_limits<double>::epsilon() * std::pow(s * h, 2) * s / problem.w();
}

void find_all(const OrbitProblem &problem, const Orbit &orbit, const Shapes &shapes, Monodromy &map, Floquet &found)
{
  found.log_product = DenseFactors(map.size(), map.matrix()).log_determinant();
  found.expected = -orbit.period * damping_trace(problem, shapes);
  const DenseEigenpairs pairs = dense_eigenpairs(map.size(), map.matrix(), false);
  for (const std::size_t i : sorted(pairs.values, problem.half()))
    found.multipliers.push_back(pairs.values[i]);
}

/// The largest few, or pairs. The map keeps what is left of these, and of the next ones, where it is more than `sharp`.
void take_largest(const OrbitProblem &problem, Monodromy &map, const double sharp, Floquet &found)
{
  constexpr std::size_t few = 4, block = 16;
  const DenseEigenpairs pairs = dense_eigenpairs(map.size(), map.matrix(), true);
  found.multipliers.clear();
  found.residual = 0.;
  std::size_t taken = 0;
  for (const std::size_t i : sorted(pairs.values, problem.half()))
  {
    const std::complex<double> &m = pairs.values[i];
    if (m.imag() < 0.)
      continue;
    if (taken == few && map.left() >= block)
      return;
    const double residual = map.residual(m, pairs.vectors[i], sharp);
    if (taken == few)
      continue;
    ++taken;
    found.residual = std::max(found.residual, residual);
    found.multipliers.push_back(m);
    if (m.imag() > 0.)
      found.multipliers.push_back(std::conj(m));
  }
}

/// Until the largest are sharp, and stay while the space grows. Those that are found: larger ones may have no part in the space.
void find_largest(const OrbitProblem &problem, Monodromy &map, Floquet &found)
{
  constexpr int cycles = 12, rounds = 3;
  found.all = false;
  for (int cycle = 0, unchanged = 0;; ++cycle)
  {
    const std::vector<std::complex<double>> before = found.multipliers;
    take_largest(problem, map, Floquet::sharp, found);
    const bool same = std::equal(before.begin(), before.end(), found.multipliers.begin(), found.multipliers.end(),
                                 [](const auto &a, const auto &b) { return std::abs(std::abs(a) - std::abs(b)) <= Floquet::sharp; });
    unchanged = found.residual <= Floquet::sharp && same ? unchanged + 1 : 0;
    if (unchanged == rounds || cycle == cycles || !map.extend())
      return;
  }
}
}  // namespace

double Floquet::noise() const
{
  constexpr double times = 30.;
  return times * rounding;
}

bool Floquet::wrong() const
{
  constexpr double exact = 1e-5, of_damping = 0.1;
  return all && defect() > (expected < 0. ? of_damping : std::max(exact, noise()));
}

Floquet floquet_multipliers(const OrbitProblem &problem, const Orbit &orbit, const Shapes &shapes)
{
  Monodromy map(problem, orbit, shapes);
  Floquet found;
  found.rounding = rounding_of(problem, orbit, shapes);
  if (shapes.all)
    find_all(problem, orbit, shapes, map, found);
  else
    find_largest(problem, map, found);
  if (found.multipliers.empty())
    return found;
  constexpr double times = 10.;
  found.largest = std::abs(found.multipliers.front());
  if (!found.all)
    found.kind = kind_of(found.multipliers.front(), times * std::max(found.residual, found.rounding));
  else  // without damping the product shows the rounding of all
    found.kind = kind_of(found.multipliers.front(), found.expected == 0. ? times * found.defect() : 0.);
  if (!found.all && found.stable())  // larger ones may be outside the space
    found.kind = "not known";
  return found;
}
}  // namespace symdyn
