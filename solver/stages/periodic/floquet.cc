#include "solver/stages/periodic/floquet.h"

#include <deal.II/lac/lapack_full_matrix.h>

#include <algorithm>

#include "solver/linear/lu.h"
#include "solver/linear/many_products.h"

namespace symdyn
{
namespace
{
/// tr(M⁻¹ C) [1/s] at the state at rest.
double damping_trace(const OrbitProblem &problem, const std::vector<Vector> &basis)
{
  if (!problem.whole.has(Feature::damping))
    return 0.;
  double trace = 0;
  Vector f = problem.whole.new_vector(), x = f;
  for (const Vector &e : basis)
  {
    problem.whole.damping_force(problem.rest, e, f);
    problem.whole.project(f);
    problem.whole.mass_solve(f, x);
    trace += e * x;
  }
  return trace;
}

/// Largest first; of the two at 1 that an orbit of a conservative body has, those nearest to it, nothing is to be learnt.
std::vector<std::complex<double>> sorted(std::vector<std::complex<double>> all, const bool two_at_one)
{
  const auto from_one = [](const auto &a, const auto &b) { return std::abs(a - 1.) < std::abs(b - 1.); };
  if (two_at_one && all.size() >= 2)
  {
    std::sort(all.begin(), all.end(), from_one);
    all.erase(all.begin(), all.begin() + 2);
  }
  std::sort(all.begin(), all.end(), [](const auto &a, const auto &b) { return std::abs(a) > std::abs(b); });
  return all;
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
}  // namespace

bool Floquet::wrong(const double rounding) const
{
  constexpr double exact = 1e-5, of_damping = 0.1, of_rounding = 30.;
  return defect() > (expected < 0. ? of_damping : std::max(exact, of_rounding * rounding));
}

Floquet floquet_multipliers(const OrbitProblem &problem, const Orbit &orbit, const std::vector<Vector> &basis)
{
  const OrbitMotion motion(problem, orbit, problem.steps);
  const std::size_t N = basis.size(), n = 2 * N;
  const double w = problem.w();
  std::vector<State> tangents(n);
  for (std::size_t k = 0; k < n; ++k)
  {
    tangents[k].q = tangents[k].v = problem.whole.new_vector();
    (k < N ? tangents[k].q : tangents[k].v).add(k < N ? 1. : w, basis[k % N]);
    tangents[k].q.update_ghost_values();
    tangents[k].v.update_ghost_values();
  }
  motion.linearise(tangents);
  std::vector<double> columns;
  dealii::LAPACKFullMatrix<double> matrix(n);
  for (std::size_t k = 0; k < n; ++k)
  {
    for (const double value : products(basis, tangents[k].q))
      columns.push_back(value);
    for (const double value : products(basis, tangents[k].v))
      columns.push_back(value / w);
    for (std::size_t i = 0; i < n; ++i)
      matrix(i, k) = columns[k * n + i];
  }
  Floquet found;
  found.log_product = DenseFactors(n, columns).log_determinant();
  found.expected = -orbit.period * damping_trace(problem, basis);
  matrix.compute_eigenvalues();
  for (std::size_t i = 0; i < n; ++i)
    found.multipliers.push_back(matrix.eigenvalue(i));
  found.multipliers = sorted(std::move(found.multipliers), problem.half());
  if (!found.multipliers.empty())
  {
    found.largest = std::abs(found.multipliers.front());
    constexpr double of_defect = 10.;  // without damping the product shows the rounding of all
    found.kind = kind_of(found.multipliers.front(), found.expected == 0. ? of_defect * found.defect() : 0.);
  }
  return found;
}
}  // namespace symdyn
