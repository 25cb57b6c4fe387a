#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solver/eigen.h"
#include "solver/error.h"

namespace symdyn
{
namespace
{
/// Vectors that are M-orthonormal; what depends on those before is left out.
class Basis
{
public:
  explicit Basis(const EigenProblem &problem) : problem(problem) {}

  void add(Vector x)
  {
    constexpr double dependent = 1e-10;
    Vector Mx = x;
    x.update_ghost_values();
    problem.M(x, Mx);
    const double size = std::sqrt(x * Mx);
    if (!(size > 0.))
      return;
    x *= 1. / size;
    for (int twice = 0; twice < 2; ++twice)
      for (std::size_t i = 0; i < vectors.size(); ++i)
        x.add(-(momenta[i] * x), vectors[i]);
    x.update_ghost_values();
    problem.M(x, Mx);
    const double rest = std::sqrt(std::max(0., x * Mx));
    if (!(rest > dependent))
      return;
    x *= 1. / rest;
    Mx *= 1. / rest;
    x.update_ghost_values();
    vectors.push_back(std::move(x));
    momenta.push_back(std::move(Mx));
  }
  /// What of x the first `some` have no part in.
  Vector beside(const std::size_t some, Vector x) const
  {
    for (std::size_t i = 0; i < std::min(some, vectors.size()); ++i)
      x.add(-(momenta[i] * x), vectors[i]);
    return x;
  }

  std::vector<Vector> vectors;

private:
  const EigenProblem &problem;
  std::vector<Vector> momenta;
};

/// r = K x - lambda M x; returns |r| over (lambda - shift) |M x|.
double residual(const EigenProblem &problem, const double lambda, const Vector &x, Vector &r)
{
  Vector Mx = x;
  problem.M(x, Mx);
  problem.K(x, r);
  r.add(-lambda, Mx);
  return r.l2_norm() / ((lambda - problem.shift) * Mx.l2_norm());
}
}  // namespace

EigenPairs lowest_eigenvalues(const EigenProblem &problem, const std::function<Vector(int)> &start, const int number)
{
  constexpr int most = 300;
  const std::size_t block = number + std::max(3, number / 4);  // the last ones of a block converge slowly
  std::vector<Vector> directions, further;
  Vector r = problem.start, w = r;
  for (std::size_t k = 0; k < block; ++k)
  {
    problem.solve(start(int(k)), w);
    directions.push_back(w);
  }
  EigenPairs found;
  int converged = 0;
  for (int iteration = 0; iteration < most; ++iteration)
  {
    if (problem.stop && problem.stop())
      throw Interrupted(fmt::format("the search for modes was stopped; {} were found", converged));
    Basis basis(problem);
    for (const auto *part : {&found.vectors, &directions, &further})
      for (const Vector &x : *part)
        basis.add(x);
    const std::size_t before = found.vectors.size();
    found = all_eigenvalues(problem, basis.vectors, block);
    converged = 0;
    directions.clear();
    further.clear();
    for (std::size_t k = 0; k < found.values.size(); ++k)
    {
      if (residual(problem, found.values[k], found.vectors[k], r) <= problem.tolerance)
      {
        converged += int(k) < number;
        continue;
      }
      problem.solve(r, w);
      directions.push_back(w);
      if (before > 0)
        further.push_back(basis.beside(before, found.vectors[k]));
    }
    if (converged == number)
    {
      found.values.resize(number);
      found.vectors.resize(number);
      return found;
    }
  }
  throw ComputationError(fmt::format("{} of {} modes were found by preconditioned gradients in {} steps. Ask for fewer, or set Eigen solver = krylov-schur", converged, number, most));
}
}  // namespace symdyn
