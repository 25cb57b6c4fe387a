#include <array>
#include <cmath>
#include <utility>

#include "solver/linear/dense_pairs.h"
#include "solver/linear/many_products.h"
#include "solver/linear/quadratic.h"

namespace symdyn
{
namespace
{
double length(const ComplexVector &x) { return std::hypot(x.real.l2_norm(), x.imaginary.l2_norm()); }

void multiply(const QuadraticProblem::Product &product, const ComplexVector &x, ComplexVector &y)
{
  product(x.real, y.real);
  product(x.imaginary, y.imaginary);
}
void add(const std::complex<double> &factor, const ComplexVector &x, ComplexVector &sum)
{
  sum.real.add(factor.real(), x.real, -factor.imag(), x.imaginary);
  sum.imaginary.add(factor.real(), x.imaginary, factor.imag(), x.real);
}

std::complex<double> inner(const ComplexVector &x, const ComplexVector &y)
{
  return {x.real * y.real + x.imaginary * y.imaginary, x.real * y.imaginary - x.imaginary * y.real};
}
/// Of u on the span of others, which may depend on each other.
ComplexVector projection(const ComplexVector &u, const std::vector<const ComplexVector *> &others)
{
  constexpr double dependent = 1e-6;
  std::vector<ComplexVector> basis;
  ComplexVector sum = u;
  sum.real = sum.imaginary = 0.;
  for (const ComplexVector *other : others)
  {
    ComplexVector x = *other;
    for (int twice = 0; twice < 2; ++twice)
      for (const ComplexVector &b : basis)
        add(-inner(b, x), b, x);
    const double norm = length(x);
    if (norm <= dependent * length(*other))
      continue;
    x.real *= 1. / norm;
    x.imaginary *= 1. / norm;
    add(inner(x, u), x, sum);
    basis.push_back(std::move(x));
  }
  sum.real.update_ghost_values();
  sum.imaginary.update_ghost_values();
  return sum;
}

/// Of (u, v = lambda u/scale) of all pairs a real orthonormal basis, and u of what S makes of it.
struct FirstOrder
{
  std::vector<Vector> u, v, image;
  std::vector<double> S;  ///< on the basis, by columns
};

void add_orthonormal(FirstOrder &basis, Vector u, Vector v)
{
  constexpr double dependent = 1e-8;
  const double size = std::hypot(u.l2_norm(), v.l2_norm());
  for (int twice = 0; twice < 2; ++twice)
  {
    const std::vector<double> of_u = products(basis.u, u), of_v = products(basis.v, v);
    for (std::size_t j = 0; j < basis.u.size(); ++j)
    {
      u.add(-of_u[j] - of_v[j], basis.u[j]);
      v.add(-of_u[j] - of_v[j], basis.v[j]);
    }
  }
  const double norm = std::hypot(u.l2_norm(), v.l2_norm());
  if (norm <= dependent * size)
    return;
  for (Vector *x : {&u, &v})
  {
    *x *= 1. / norm;
    x->update_ghost_values();
  }
  basis.u.push_back(std::move(u));
  basis.v.push_back(std::move(v));
}

FirstOrder first_order(const QuadraticProblem &problem, const QuadraticPairs &pairs)
{
  FirstOrder basis;
  for (std::size_t i = 0; i < pairs.values.size(); ++i)
  {
    const ComplexVector &u = pairs.vectors[i];
    ComplexVector v = u;
    v.real = v.imaginary = 0.;
    add(pairs.values[i] / problem.scale, u, v);
    const double whole = length(u);
    for (const auto &[x, y] : {std::pair{&u.real, &v.real}, {&u.imaginary, &v.imaginary}})
      if (constexpr double little = 1e-8; x->l2_norm() > little * whole)
        add_orthonormal(basis, *x, *y);
  }
  const std::size_t n = basis.u.size();
  const double s = problem.shift, scale = problem.scale;
  Vector force = problem.start, part = force, w = force;
  for (std::size_t j = 0; j < n; ++j)
  {
    problem.C(basis.u[j], force);
    w = basis.v[j];
    w.sadd(scale, s, basis.u[j]);
    w.update_ghost_values();
    problem.M(w, part);
    force += part;
    force *= -1.;
    problem.solve(force, w);
    basis.image.push_back(w);
    part = basis.u[j];
    part.add(s, w);
    const std::vector<double> of_u = products(basis.u, w), of_v = products(basis.v, part);
    for (std::size_t i = 0; i < n; ++i)
      basis.S.push_back(of_u[i] + of_v[i] / scale);
  }
  return basis;
}

/// The method of Ritz: S y = theta y on the basis, u that S makes of it, lambda = s + 1/theta.
QuadraticPairs ritz(const QuadraticProblem &problem, FirstOrder basis)
{
  QuadraticPairs found;
  const DensePairs pairs = dense_pairs(std::move(basis.S));
  for (std::size_t k = 0; k < pairs.values.size(); ++k)
    if (pairs.values[k] != 0.)
    {
      found.values.push_back(problem.shift + 1. / pairs.values[k]);
      ComplexVector u{problem.start, problem.start};
      u.real = u.imaginary = 0.;
      for (std::size_t j = 0; j < basis.image.size(); ++j)
      {
        u.real.add(pairs.real[k][j], basis.image[j]);
        u.imaginary.add(pairs.imaginary[k][j], basis.image[j]);
      }
      found.vectors.push_back(std::move(u));
    }
  return found;
}

/// The root nearest to lambda of u*(x² M + x C + K) u = 0; where M, C and K are symmetric it errs by the square of the error of u.
std::complex<double> quotient(const QuadraticProblem &problem, const std::complex<double> &lambda, const ComplexVector &u)
{
  ComplexVector part = u;
  std::array<std::complex<double>, 3> p;
  for (const auto &[k, product] : {std::pair{0, &problem.K}, {1, &problem.C}, {2, &problem.M}})
  {
    multiply(*product, u, part);
    p[k] = inner(u, part);
  }
  const std::complex<double> root = std::sqrt(p[1] * p[1] - 4. * p[2] * p[0]), one = (root - p[1]) / (2. * p[2]),
                             other = -(root + p[1]) / (2. * p[2]);
  return std::abs(one - lambda) < std::abs(other - lambda) ? one : other;
}
}  // namespace

double residual(const QuadraticProblem &problem, const std::complex<double> &lambda, const ComplexVector &u)
{
  ComplexVector sum = u, part = u;
  multiply(problem.K, u, sum);
  double terms = length(sum);
  for (const auto &[product, factor] : {std::pair{&problem.C, lambda}, {&problem.M, lambda * lambda}})
  {
    multiply(*product, u, part);
    terms += std::abs(factor) * length(part);
    add(factor, part, sum);
  }
  return length(sum) / terms;
}

void refine(const QuadraticProblem &problem, QuadraticPairs &pairs)
{
  constexpr double same = 1e-6;
  constexpr std::size_t most = 100;  // pairs, each of which has four vectors
  if (pairs.values.size() > most)
    return;
  const QuadraticPairs exact = ritz(problem, first_order(problem, pairs));
  for (std::size_t i = 0; i < pairs.values.size(); ++i)
  {
    double least = residual(problem, pairs.values[i], pairs.vectors[i]);
    const auto take_better = [&](const std::complex<double> &lambda, const ComplexVector &u) {
      const double other = residual(problem, lambda, u);
      if (!(other < least))
        return;
      least = other;
      pairs.values[i] = lambda;
      pairs.vectors[i] = u;
    };
    std::vector<const ComplexVector *> equal;  // of one lambda any combination is a mode: each stays itself
    for (std::size_t j = 0; j < exact.values.size(); ++j)
      if (std::abs(exact.values[j] - pairs.values[i]) <= same * std::abs(pairs.values[i]))
        equal.push_back(&exact.vectors[j]);
    if (equal.empty())
      continue;
    const ComplexVector better = projection(pairs.vectors[i], equal);
    take_better(pairs.values[i], better);
    if (const std::complex<double> lambda = quotient(problem, pairs.values[i], better); pairs.values[i].imag() > 0. && lambda.imag() > 0.)
      take_better(lambda, better);
  }
}
}  // namespace symdyn
