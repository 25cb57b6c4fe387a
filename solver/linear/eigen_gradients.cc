#include <deal.II/lac/lapack_full_matrix.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "solver/error.h"
#include "solver/linear/eigen.h"

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

/// Where the next vectors are looked for: along preconditioned residuals, and along what the last change was.
struct SearchDirections
{
  SearchDirections(const EigenProblem &problem, const std::function<Vector(int)> &start, const std::size_t block)
      : problem(problem), r(problem.start), w(r)
  {
    for (std::size_t k = 0; k < block; ++k)
    {
      problem.solve(start(int(k)), w);
      preconditioned.push_back(w);
    }
  }
  /// From what was found on a basis that begins with the `before` vectors found last. Returns how many of the first `number` have
  /// converged.
  int renew(const EigenPairs &found, const Basis &basis, const std::size_t before, const int number)
  {
    int converged = 0;
    preconditioned.clear();
    further.clear();
    for (std::size_t k = 0; k < found.values.size(); ++k)
    {
      if (residual(problem, found.values[k], found.vectors[k], r) <= problem.tolerance)
      {
        converged += int(k) < number;
        continue;
      }
      problem.solve(r, w);
      preconditioned.push_back(w);
      if (before > 0)
        further.push_back(basis.beside(before, found.vectors[k]));
    }
    return converged;
  }

  std::vector<Vector> preconditioned, further;

private:
  const EigenProblem &problem;
  Vector r, w;
};

/// A vector with its products.
struct Direction
{
  Direction(const EigenProblem &problem, Vector given) : x(std::move(given)), Kx(x), Mx(x)
  {
    x.update_ghost_values();
    problem.K(x, Kx);
    problem.M(x, Mx);
  }
  void add(const double factor, const Direction &other)
  {
    x.add(factor, other.x);
    Kx.add(factor, other.Kx);
    Mx.add(factor, other.Mx);
  }
  void scale(const double factor)
  {
    x *= factor;
    Kx *= factor;
    Mx *= factor;
  }

  Vector x, Kx, Mx;
};

/// Adds what of it is M-orthogonal to the basis, with length 1, unless nothing is left.
void extend(std::vector<Direction> &basis, Direction direction)
{
  constexpr double dependent = 1e-12;  // of the square of the length
  const double whole = direction.x * direction.Mx;
  for (int twice = 0; twice < 2; ++twice)
    for (const Direction &other : basis)
      direction.add(-(other.Mx * direction.x), other);
  const double rest = direction.x * direction.Mx;
  if (!(rest > dependent * whole))
    return;
  direction.scale(1. / std::sqrt(rest));
  basis.push_back(std::move(direction));
}

/// Replaces the first vector of up to three by the Ritz vector of the largest eigenvalue on all of them, and the others by the change that
/// led there.
double climb(std::vector<Direction> &basis)
{
  const std::size_t n = basis.size();
  dealii::LAPACKFullMatrix<double> A(n), identity(n);
  for (std::size_t i = 0; i < n; ++i)
  {
    identity(i, i) = 1.;
    for (std::size_t j = 0; j <= i; ++j)
      A(i, j) = A(j, i) = basis[i].x * basis[j].Kx;
  }
  std::vector<dealii::Vector<double>> parts(n, dealii::Vector<double>(n));
  A.compute_generalized_eigenvalues_symmetric(identity, parts);  // ascending
  const dealii::Vector<double> &part = parts.back();
  const double largest = A.eigenvalue(n - 1).real();
  Direction &x = basis.front();
  x.scale(part(0));
  if (basis.size() > 1)
  {
    Direction &change = basis[1];
    change.scale(part(1));
    if (basis.size() > 2)
      change.add(part(2), basis[2]);
    basis.resize(2, change);
    x.add(1., change);
  }
  return largest;
}
}  // namespace

EigenPairs lowest_eigenvalues(const EigenProblem &problem, const std::function<Vector(int)> &start, const int number)
{
  constexpr int most = 300;
  const std::size_t block = number + std::max(3, number / 4);  // the last ones of a block converge slowly
  SearchDirections directions(problem, start, block);
  EigenPairs found;
  int converged = 0;
  for (int iteration = 0; iteration < most; ++iteration)
  {
    if (problem.stop && problem.stop())
      throw Interrupted(fmt::format("the search for modes was stopped; {} were found", converged));
    Basis basis(problem);
    for (const auto *part : {&found.vectors, &directions.preconditioned, &directions.further})
      for (const Vector &x : *part)
        basis.add(x);
    const std::size_t before = found.vectors.size();
    found = all_eigenvalues(problem, basis.vectors, block);
    converged = directions.renew(found, basis, before, number);
    if (converged == number)
    {
      found.values.resize(number);
      found.vectors.resize(number);
      return found;
    }
    if (problem.progress)
      problem.progress(converged, number);
  }
  throw ComputationError(
      fmt::format("{} of {} modes were found by preconditioned gradients in {} steps. Ask for fewer, or set Eigen solver = krylov-schur",
                  converged, number, most));
}

double largest_eigenvalue(const EigenProblem &problem, const double tolerance)
{
  constexpr int most = 1000;
  std::vector<Direction> basis;
  extend(basis, Direction(problem, problem.start));
  if (basis.empty())
    return 0.;
  double largest = climb(basis);
  Vector r = problem.start, w = r;
  for (int iteration = 0; iteration < most; ++iteration)
  {
    r = basis.front().Kx;
    r.add(-largest, basis.front().Mx);
    problem.solve(r, w);
    if (const double square = r * w; square >= 0. && square <= std::pow(tolerance * largest, 2))
      return largest;
    std::vector<Direction> next;
    extend(next, std::move(basis.front()));
    extend(next, Direction(problem, w));
    if (basis.size() > 1)
      extend(next, std::move(basis[1]));
    basis = std::move(next);
    largest = climb(basis);
  }
  throw ComputationError(fmt::format(
      "the highest frequency was not found in {} steps of preconditioned gradients. Look for cells that are much smaller or stiffer than the others",
      most));
}
}  // namespace symdyn
