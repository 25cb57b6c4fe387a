#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "solver/error.h"
#include "solver/linear/dense_spectrum.h"
#include "solver/linear/eigen.h"

namespace symdyn
{
namespace
{
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
  Dense A(n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j)
      A(i, j) = A(j, i) = basis[i].x * basis[j].Kx;
  const auto [values, vectors] = spectrum_of(A);
  const dealii::Vector<double> &part = vectors.back();
  const double largest = values.back();
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
