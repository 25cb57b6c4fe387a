#pragma once
#include <gtest/gtest.h>

#include "solver/unknowns.h"
#include "solver/verify/particles.h"
#include "tests/scheme.h"

namespace symdyn::tests
{
/// 000.*: the penalised double pendulum of unequal masses. 004.*: the oscillator of Kane et al.
const std::vector<double> pendulum_q{0.3, -1.1, 1.2, -2.1}, pendulum_v{0.2, -0.1, 0.3, 0.4};
const std::vector<double> oscillator_q{1., 0.}, oscillator_v{0.5, 0.6};

inline State pendulum_start(const Particles &system) { return system.start(pendulum_q, pendulum_v); }
inline State pendulum_direction(const Particles &system) { return system.start({0.5, -0.2, 0.1, 0.7}, {0.3, 0.4, -0.6, 0.2}); }
/// The three states of 004.sympl.*
inline std::vector<State> oscillator_states(const Particles &system)
{
  return {system.start({1., 0.}, {0.5, 0.6}), system.start({0.7, -0.5}, {0.3, 0.4}), system.start({-0.4, 1.1}, {0.2, -0.7})};
}

/// Settings "set alpha = 0.2\n" of one parameter.
inline std::string set(const std::string &name, const double value) { return "set " + name + " = " + std::to_string(value) + "\n"; }

inline double energy(const MechanicalSystem &system, const State &state)
{
  Vector p = system.new_vector();
  system.mass(state.v, p);
  return 0.5 * (state.v * p) + system.potential(state.q);
}

/// The last of system.unknowns().momenta(): J about the origin in the plane.
inline double angular_momentum(const MechanicalSystem &system, const State &state)
{
  Vector p = system.new_vector(), xi = p;
  system.mass(state.v, p);
  system.unknowns().generator(system.unknowns().momenta().size() - 1, state.q, xi);
  return xi * p;
}

/// All of system.unknowns().momenta().
inline std::vector<double> momenta(const MechanicalSystem &system, const State &state)
{
  const Unknowns &unknowns = system.unknowns();
  std::vector<double> J;
  Vector p = system.new_vector(), xi = p;
  system.mass(state.v, p);
  for (std::size_t i = 0; i < unknowns.momenta().size(); ++i)
  {
    unknowns.generator(i, state.q, xi);
    J.push_back(xi * p);
  }
  return J;
}

/// Largest change of `quantity` from the start in n steps.
inline double drift_of(const std::function<double(const MechanicalSystem &, const State &)> &quantity, const Scheme &scheme,
                       const MechanicalSystem &system, State state, const double h, const int n)
{
  scheme.integrator->start(system, state, h);
  const double first = quantity(system, state);
  double largest = 0;
  for (int k = 0; k < n; ++k)
  {
    scheme.integrator->step(system, state, h);
    largest = std::max(largest, std::abs(quantity(system, state) - first));
  }
  return largest;
}

/// One step against (q, v) of papers.csv.
inline void expect_step(const std::string &id, const Scheme &scheme, const MechanicalSystem &system, const State &start, const int steps,
                        const std::vector<double> &expected, const double tolerance)
{
  SCOPED_TRACE(id);
  const State state = scheme.run(system, start, 0.2, steps);
  const unsigned int n = state.q.size();
  for (unsigned int i = 0; i < n; ++i)
  {
    EXPECT_NEAR(state.q.local_element(i), expected[i], tolerance) << "q" << i;
    EXPECT_NEAR(state.v.local_element(i), expected[n + i], tolerance) << "v" << i;
  }
  if (expected.size() > 2 * n)
  {
    EXPECT_NEAR(energy(system, state), expected[2 * n], tolerance);
    EXPECT_NEAR(angular_momentum(system, state), expected[2 * n + 1], tolerance);
  }
}

/// Largest symplectic defect in (q, M v) of the states of 004.sympl.* with M = diag(1, m_y), h = 0.2.
inline double oscillator_defect(const Scheme &scheme, const double m_y)
{
  const Particles system = Particles::ring_well(1., m_y);
  double largest = 0;
  for (const State &state : oscillator_states(system))
    largest = std::max(largest, symplectic_defect(scheme, system, state, 0.2));
  return largest;
}

/// exact step_tangent against differences, on both systems, with damping too where the scheme takes it.
inline void expect_exact_tangent(const Scheme &scheme, const bool damped, const double tolerance)
{
  const Particles pendulum = Particles::pendulum();
  EXPECT_LT(tangent_error(scheme, pendulum, pendulum_start(pendulum), 0.2, pendulum_direction(pendulum)), tolerance);
  for (const double c : {0., 0.5})
    if (c == 0. || damped)
    {
      const Particles well = Particles::ring_well(1., 3., c);
      EXPECT_LT(tangent_error(scheme, well, well.start({0.7, -0.5}, {0.3, 0.4}), 0.2, well.start({0.3, 0.5}, {-0.2, 0.6})), tolerance) << c;
    }
}

/// The exact tangents carried along n steps: largest change of the form (u, 0), (0, M^-1 w) by them, of the size of the tangents.
inline double tangent_form_drift(const Scheme &scheme, const Particles &system, State state, const double h, const int n)
{
  State one = pendulum_direction(system), two = one;
  std::swap(two.q, two.v);
  scheme.integrator->start(system, state, h);
  scheme.integrator->start_tangent(system, state, h, one);
  scheme.integrator->start_tangent(system, state, h, two);
  const auto form = [&] {
    Vector p1 = system.new_vector(), p2 = p1;
    system.mass(one.v, p1);
    system.mass(two.v, p2);
    return one.q * p2 - two.q * p1;
  };
  const auto size = [](const State &delta) { return std::hypot(delta.q.l2_norm(), delta.v.l2_norm()); };
  const double first = form();
  double largest = 0;
  for (int k = 0; k < n; ++k)
  {
    const State before = state;
    scheme.integrator->step(system, state, h);
    scheme.integrator->step_tangent(system, before, state, h, one);
    scheme.integrator->step_tangent(system, before, state, h, two);
    largest = std::max(largest, std::abs(form() - first) / (size(one) * size(two)));
  }
  return largest;
}

/// log2(e(h)/e(h/2)) against Runge-Kutta on the damped oscillator with unequal masses.
inline double damped_order(const Scheme &scheme)
{
  const Particles well = Particles::ring_well(1., 3., 0.5);
  return measured_order(scheme, well, well.start({0.7, -0.5}, {0.3, 0.4}), 2., 80);
}
}  // namespace symdyn::tests
