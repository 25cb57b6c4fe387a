#pragma once
#include <gtest/gtest.h>

#include <cmath>

#include "solver/mechanical_system.h"
#include "tests/bodies.h"

/// Properties of every mechanical system.
namespace symdyn::tests
{
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
}  // namespace symdyn::tests
