#pragma once
#include <deal.II/lac/full_matrix.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "solver/deck/deck.h"
#include "solver/dynamics/symplectic.h"
#include "solver/integrator.h"
#include "solver/registry.h"

namespace symdyn::tests
{
/// A registered scheme with its parameters as a deck gives them ("set beta = 0.25\n"), and a tight Newton.
struct Scheme
{
  explicit Scheme(const std::string &name, const std::string &settings = "")
      : name(name), integrator(Registry<Integrator>::instance().make(name))
  {
    Deck deck = Deck::from_text(settings, "test.prm");
    Parameters p = deck.root();
    integrator->declare(p);
    deck.finish();
    newton.tolerance = 1e-15;
    newton.step_tolerance = 1e-11;  // quadratic convergence: what follows such a step is rounding, where tolerances below would stall
    integrator->newton = &newton;
  }
  /// Starts and takes n steps.
  State run(const MechanicalSystem &system, State state, const double h, const int n) const
  {
    integrator->start(system, state, h);
    for (int k = 0; k < n; ++k)
      integrator->step(system, state, h);
    return state;
  }
  std::string name;
  Newton newton;
  std::unique_ptr<Integrator> integrator;
};

/// Largest component of q - q' and v - v' together.
inline double distance(const State &a, const State &b)
{
  Vector q = a.q, v = a.v;
  q -= b.q;
  v -= b.v;
  return std::max(q.linfty_norm(), v.linfty_norm());
}

/// At t = T by the classical Runge-Kutta method with n steps, diagonal mass, damping included.
inline State runge_kutta(const MechanicalSystem &system, State state, const double T, const int n)
{
  const double h = T / n;
  Vector f = system.new_vector(), r = f;
  const auto a = [&](const double t, const Vector &q, const Vector &v) {
    system.applied_force(t, q, v, r);
    system.internal_force(q, f);
    r -= f;
    system.damping_force(q, v, f);
    r -= f;
    Vector result = system.new_vector();
    system.mass_solve(r, result);
    return result;
  };
  for (int k = 0; k < n; ++k)
  {
    Vector q = state.q, v = state.v, dq = system.new_vector(), dv = dq;
    const double c[] = {0.5, 0.5, 1., 0.}, w[] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
    double t = state.t;
    for (int i = 0; i < 4; ++i)
    {
      const Vector slope = a(t, q, v);
      dq.add(h * w[i], v);
      dv.add(h * w[i], slope);
      const Vector v_here = v;
      q = state.q;
      v = state.v;
      q.add(c[i] * h, v_here);
      v.add(c[i] * h, slope);
      t = state.t + c[i] * h;
    }
    state.q += dq;
    state.v += dv;
    state.t += h;
  }
  return state;
}

/// log2(e(h) / e(h/2)) at T with n and 2n steps, e = distance to a fine Runge-Kutta solution.
inline double measured_order(const Scheme &scheme, const MechanicalSystem &system, const State &start, const double T, const int n)
{
  const State exact = runge_kutta(system, start, T, 4000);
  return std::log2(distance(scheme.run(system, start, T / n, n), exact) / distance(scheme.run(system, start, T / (2 * n), 2 * n), exact));
}

/// d(q1, p1)/d(q0, p0) of one step (with its start), p = M v, by sixth-order central differences; diagonal mass.
inline dealii::FullMatrix<double> step_jacobian(const Scheme &scheme, const MechanicalSystem &system, const State &start, const double h)
{
  const unsigned int n = start.q.size();
  dealii::FullMatrix<double> D(2 * n, 2 * n);
  const double epsilon = 0.003;
  Vector unit = system.new_vector(), m = unit;
  unit = 1.;
  system.mass(unit, m);
  for (unsigned int j = 0; j < 2 * n; ++j)
    for (const auto &[place, weight] : {std::pair{1., 45.}, {2., -9.}, {3., 1.}})
      for (const double sign : {1., -1.})
      {
        State z = start;
        (j < n ? z.q.local_element(j) : z.v.local_element(j - n)) += sign * place * epsilon / (j < n ? 1. : m.local_element(j - n));
        z = scheme.run(system, z, h, 1);
        for (unsigned int i = 0; i < n; ++i)
        {
          D(i, j) += sign * weight * z.q.local_element(i) / (60. * epsilon);
          D(n + i, j) += sign * weight * m.local_element(i) * z.v.local_element(i) / (60. * epsilon);
        }
      }
  return D;
}

/// Largest entry of D^T A1^T J A1 D - A0^T J A0, A = diag(I + shift h² M^-1 V''(q), I) at q0 and q1: 0 for a step that keeps
/// dx ∧ dp, x = q + shift h² M^-1 dV/dq. shift = 0: dq ∧ dp.
inline double symplectic_defect(const Scheme &scheme, const MechanicalSystem &system, const State &start, const double h,
                                const double shift = 0.)
{
  const unsigned int n = start.q.size();
  using Matrix = dealii::FullMatrix<double>;
  const auto form = [&](const Vector &q) {
    Matrix A(2 * n, 2 * n), J(2 * n, 2 * n), JA(2 * n, 2 * n), AJA(2 * n, 2 * n);
    Vector e = system.new_vector(), column = e, scaled = e;
    for (unsigned int j = 0; j < n; ++j)
    {
      e = 0.;
      e.local_element(j) = 1.;
      system.stiffness(q, e, column);
      system.mass_solve(column, scaled);
      for (unsigned int i = 0; i < n; ++i)
        A(i, j) = (i == j) + shift * h * h * scaled.local_element(i);
      A(n + j, n + j) = J(j, n + j) = 1.;
      J(n + j, j) = -1.;
    }
    J.mmult(JA, A);
    A.Tmmult(AJA, JA);
    return AJA;
  };
  const Matrix D = step_jacobian(scheme, system, start, h), before = form(start.q), after = form(scheme.run(system, start, h, 1).q);
  Matrix F(2 * n, 2 * n), G(2 * n, 2 * n);
  after.mmult(F, D);
  D.Tmmult(G, F);
  G.add(-1., before);
  double largest = 0;
  for (unsigned int i = 0; i < 2 * n; ++i)
    for (unsigned int j = 0; j < 2 * n; ++j)
      largest = std::max(largest, std::abs(G(i, j)));
  return largest;
}

/// The largest drift of the form on tangents in n steps, in the variables of the scheme and in (q, M v).
inline std::pair<double, double> form_drifts(const Scheme &scheme, const MechanicalSystem &system, State state, const double h, const int n)
{
  scheme.integrator->start(system, state, h);
  SymplecticForm form(system, *scheme.integrator, state, h);
  std::pair<double, double> largest;
  for (int k = 0; k < n; ++k)
  {
    const State before = state;
    scheme.integrator->step(system, state, h);
    form.advance(system, *scheme.integrator, before, state, h);
    const auto larger = [](const double a, const double b) { return b <= a ? a : b; };  // keeps nan
    largest = {larger(largest.first, form.drift()), larger(largest.second, form.drift_qv())};
  }
  return largest;
}

/// Step, v -> -v, step: distance from the start with v -> -v.
inline double irreversibility(const Scheme &scheme, const MechanicalSystem &system, State start, const double h)
{
  State state = scheme.run(system, start, h, 1);
  state.v *= -1.;
  state = scheme.run(system, state, h, 1);
  state.v *= -1.;
  return distance(state, start);
}

/// The exact step_tangent against differences of whole steps: largest component of the difference, relative to the tangent.
inline double tangent_error(const Scheme &scheme, const MechanicalSystem &system, const State &start, const double h, const State &delta)
{
  State before = start;
  scheme.integrator->start(system, before, h);
  State after = before, exact = delta;
  scheme.integrator->start_tangent(system, before, h, exact);
  scheme.integrator->step(system, after, h);
  scheme.integrator->step_tangent(system, before, after, h, exact);
  State sum = delta;
  sum.q = 0.;
  sum.v = 0.;
  const double epsilon = 0.003;
  for (const auto &[place, weight] : {std::pair{1., 45.}, {2., -9.}, {3., 1.}})
    for (const double sign : {1., -1.})
    {
      State z = start;
      z.q.add(sign * place * epsilon, delta.q);
      z.v.add(sign * place * epsilon, delta.v);
      z = scheme.run(system, z, h, 1);
      sum.q.add(sign * weight / (60. * epsilon), z.q);
      sum.v.add(sign * weight / (60. * epsilon), z.v);
    }
  return distance(exact, sum) / std::max(sum.q.linfty_norm(), sum.v.linfty_norm());
}
}  // namespace symdyn::tests
