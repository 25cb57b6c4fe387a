#pragma once
#include <gtest/gtest.h>

#include <cmath>

#include "solver/mechanical_system.h"
#include "tests/bodies.h"

/// Properties of every mechanical system.
namespace symdyn::tests
{
inline Vector random(const MechanicalSystem &system, const unsigned int seed, const double size)
{
  Vector x = Random(seed).vector(system.new_vector(), size);
  x.update_ghost_values();
  return x;
}

/// f_int = dV/dq and V'' w along w, V''' a a along a, by central differences of length h. V itself: for Part::all only.
/// `exact_within`: V is a polynomial of fourth degree, where differences of V'' are exact up to this rounding; 0: V is no such polynomial.
inline void expect_derivatives(const MechanicalSystem &system, const Vector &q, const Vector &w, const Vector &a, const double length,
                               const Part part = Part::all, const double exact_within = 0.)
{
  Vector f = system.new_vector(), exact = f, back = f;
  const auto difference = [&](const auto &map, const Vector &along, const double h) {
    map(moved(q, h, along), f);
    map(moved(q, -h, along), back);
    f -= back;
    f *= 1. / (2. * h);
    return distance(f, exact);
  };
  if (part == Part::all)
  {
    system.internal_force(q, f);
    const double slope = f * w;
    expect_slope_two(
        [&](const double h) { return std::abs((system.potential(moved(q, h, w)) - system.potential(moved(q, -h, w))) / (2. * h) - slope); },
        length, false, 1e-9);
    system.stiffness(q, w, exact);
    expect_slope_two([&](const double h) { return difference([&](const Vector &x, Vector &r) { system.internal_force(x, r); }, w, h); },
                     length, false, 1e-9);
  }
  system.third_derivative(q, a, exact, part);
  expect_slope_two([&](const double h) { return difference([&](const Vector &x, Vector &r) { system.stiffness(x, a, r, part); }, a, h); },
                   length, exact_within > 0., exact_within > 0. ? exact_within : 1e-9);
}

/// The tangent of applied forces is their derivative by differences, in products and in the matrix of the system.
inline void expect_load_tangent(const MechanicalSystem &system, const double t, const Vector &q, const Vector &x, const std::string &load)
{
  constexpr double h = 1e-6;
  Vector Ku = system.new_vector(), up = Ku, down = Ku, Ax = Ku, Kx = Ku;
  system.add_load_stiffness(t, q, x, Ku);
  system.applied_force(t, moved(q, h, x), q, up);
  system.applied_force(t, moved(q, -h, x), q, down);
  up -= down;
  up *= -0.5 / h;
  EXPECT_GT(Ku.l2_norm(), 0.) << load;
  EXPECT_LT(distance(Ku, up), 1e-8 * Ku.l2_norm()) << load;
  system.factor(K, t, q, q)->multiply(x, Ax);
  system.stiffness(q, x, Kx);
  Kx += Ku;
  EXPECT_LT(distance(Ax, Kx), 1e-12 * Kx.l2_norm()) << load;
}

/// A = M + 0.01 K: its matrix and its products agree, its solution is that, and the matrix of the discrete gradient from `other` to q is
/// the derivative of the gradient, by differences.
inline void expect_matrix_and_products(const MechanicalSystem &system, const Vector &q, const Vector &x, const Vector &other)
{
  constexpr double k = 0.01, h = 1e-5;
  Vector Ax = system.new_vector(), sum = Ax, Kx = Ax, found = Ax;
  const auto A = system.factor(M + k * K, 0., q, q);
  A->multiply(x, Ax);
  system.mass(x, sum);
  system.stiffness(q, x, Kx);
  sum.add(k, Kx);
  EXPECT_LT(distance(Ax, sum), 1e-12 * sum.l2_norm());
  A->solve(Ax, found, 1e-13);
  EXPECT_LT(distance(found, x), 1e-9 * x.l2_norm());
  const auto G = system.factor({{M + k * K, 0., &q, &q, &other}});
  G->multiply(x, Ax);
  Vector up = Ax, down = Ax;
  system.discrete_gradient(other, moved(q, h, x), up);
  system.discrete_gradient(other, moved(q, -h, x), down);
  up -= down;
  system.mass(x, sum);
  sum.add(k / (2. * h), up);
  EXPECT_LT(distance(Ax, sum), 1e-7 * sum.l2_norm());
  G->solve(Ax, found, 1e-13);
  EXPECT_LT(distance(found, x), 1e-9 * x.l2_norm());
}
}  // namespace symdyn::tests
