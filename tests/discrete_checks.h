#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "tests/bodies.h"
#include "tests/discrete_deck.h"
#include "tests/input.h"
#include "tests/scheme.h"
#include "tests/system_checks.h"

/// What holds of every term of a discrete structure.
namespace symdyn::tests
{
inline Vector moved(const double s, const Vector &q0, const Vector &q1)
{
  Vector q = q0;
  q.sadd(1. - s, s, q1);
  return q;
}

/// `polynomial`: V is of fourth degree, and differences of V'' are exact.
inline void expect_derivatives(const MechanicalSystem &system, const Vector &q, const Part part, const bool polynomial)
{
  expect_derivatives(system, q, Random(4).vector(q, 0.5), Random(5).vector(q, 0.5), 0.1, part, polynomial ? 1e-11 : 0.);
}

/// Of the free degrees of freedom: A y for every unit vector, by multiply.
inline dealii::FullMatrix<double> matrix_of(const MechanicalSystem &system, const LinearSolve &A)
{
  const unsigned int n = system.new_vector().size();
  dealii::FullMatrix<double> D(n, n);
  Vector e = system.new_vector(), column = e;
  for (unsigned int j = 0; j < n; ++j)
  {
    e = 0.;
    e.local_element(j) = 1.;
    system.project(e);
    A.multiply(e, column);
    system.project(column);
    for (unsigned int i = 0; i < n; ++i)
      D(i, j) = column.local_element(i);
  }
  return D;
}

/// The free columns of a linear map.
inline dealii::FullMatrix<double> matrix_of(const MechanicalSystem &system, const std::function<void(const Vector &, Vector &)> &map)
{
  struct Map : LinearSolve
  {
    explicit Map(const std::function<void(const Vector &, Vector &)> &map) : map(map) {}
    int solve(const Vector &, Vector &, double) const override { return 0; }
    void multiply(const Vector &x, Vector &y) const override { map(x, y); }
    double tolerance() const override { return 0.; }
    bool iterative() const override { return false; }
    const std::function<void(const Vector &, Vector &)> &map;
  };
  return matrix_of(system, Map(map));
}

inline double largest(dealii::FullMatrix<double> A, const dealii::FullMatrix<double> &B)
{
  A.add(-1., B);
  double value = 0;
  for (unsigned int i = 0; i < A.m(); ++i)
    for (unsigned int j = 0; j < A.n(); ++j)
      value = std::max(value, std::abs(A(i, j)));
  return value;
}
}  // namespace symdyn::tests
