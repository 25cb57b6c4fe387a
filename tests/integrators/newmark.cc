// The scheme alone: one degree of freedom, no mesh.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <tuple>
#include <vector>

#include "solver/deck/deck.h"
#include "solver/integrator.h"
#include "solver/registry.h"
#include "tests/oscillator.h"

namespace symdyn::tests::in_newmark
{
namespace
{
constexpr double pi = 3.14159265358979323846;

struct Scheme
{
  Scheme(const double beta, const double gamma) : Scheme("newmark", settings(beta, gamma)) {}
  Scheme(const std::string &name, const std::string &text) : integrator(Registry<Integrator>::instance().make(name))
  {
    Deck deck = Deck::from_text(text, "test.prm");
    Parameters p = deck.root();
    integrator->declare(p);
    deck.finish();
    newton.tolerance = 1e-14;
    integrator->newton = &newton;
  }
  static std::string settings(const double beta, const double gamma)
  {
    char text[128];
    std::snprintf(text, sizeof text, "set beta = %.17g\nset gamma = %.17g\n", beta, gamma);
    return text;
  }
  double stable_h_omega() const { return integrator->promise(Oscillator::spring(1., 1.)).stable_h_omega; }
  /// n steps of length h from a completed state.
  void advance(const MechanicalSystem &system, State &state, const double h, const int n) const
  {
    for (int k = 0; k < n; ++k)
      integrator->step(system, state, h);
  }

  Newton newton;
  std::unique_ptr<Integrator> integrator;
};

using Table = std::map<std::string, std::vector<double>>;

Table reference()
{
  std::ifstream file(SYMDYN_SOURCE "/tests/reference/single_dof.csv");
  Table table;
  for (std::string line; std::getline(file, line);)
    if (line[0] != '#')
    {
      std::istringstream row(line);
      std::string name, quantity, cell;
      std::getline(row, name, ',');
      std::getline(row, quantity, ',');
      while (std::getline(row, cell, ','))
        table[name + " " + quantity].push_back(std::stod(cell));
    }
  return table;
}

double q_of(const State &state) { return state.q.local_element(0); }
double v_of(const State &state) { return state.v.local_element(0); }
double a_of(const State &state) { return state.a.local_element(0); }

Oscillator chopra()
{
  const double m = 0.2533, k = 10., omega = std::sqrt(k / m);
  Oscillator system = Oscillator::spring(m, k, 2. * 0.05 * omega * m);
  system.force = [](const double t) { return t < 0.6 - 1e-9 ? 10. * std::sin(2. * pi * t / 1.2) : 0.; };
  return system;
}

/// V = q⁴/4 + q²/2
Oscillator quartic()
{
  Oscillator system;
  system.V = [](const double q) { return 0.25 * q * q * q * q + 0.5 * q * q; };
  system.V1 = [](const double q) { return q * q * q + q; };
  system.V2 = [](const double q) { return 3. * q * q + 1.; };
  return system;
}

/// q and v of the quartic oscillator from (1, 0.3) at t = 2, an ordinary time.
std::array<double, 2> at_two(const double beta, const double gamma, const int n)
{
  const Oscillator system = quartic();
  const Scheme scheme(beta, gamma);
  State state = system.start(1., 0.3);
  scheme.integrator->start(system, state, 2. / n);
  scheme.advance(system, state, 2. / n, n);
  return {q_of(state), v_of(state)};
}

/// By the classical Runge-Kutta method with 20000 steps: an error of 1e-14 or so.
std::array<double, 2> exact_at_two()
{
  const int n = 20000;
  const double h = 2. / n;
  double q = 1., v = 0.3;
  const auto a = [](const double x) { return -x * x * x - x; };
  for (int i = 0; i < n; ++i)
  {
    const double k1 = v, l1 = a(q), k2 = v + h / 2 * l1, l2 = a(q + h / 2 * k1), k3 = v + h / 2 * l2, l3 = a(q + h / 2 * k2),
                 k4 = v + h * l3, l4 = a(q + h * k3);
    q += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    v += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
  }
  return {q, v};
}

void expect_order(const double beta, const double gamma, const double order)
{
  SCOPED_TRACE("beta = " + std::to_string(beta) + ", gamma = " + std::to_string(gamma));
  const auto exact = exact_at_two();
  for (const int n : {80, 160, 320})
  {
    const auto coarse = at_two(beta, gamma, n), fine = at_two(beta, gamma, 2 * n);
    for (int i = 0; i < 2; ++i)
      EXPECT_NEAR(std::log2((coarse[i] - exact[i]) / (fine[i] - exact[i])), order, 0.15) << (i ? "v" : "q") << ", n = " << n;
  }
}

/// Largest |q| of q'' + q = 0 in 4000 steps of length h.
double largest(const double beta, const double gamma, const double h)
{
  const Oscillator system = Oscillator::spring(1., 1.);
  const Scheme scheme(beta, gamma);
  State state = system.start(1., 0.);
  scheme.integrator->start(system, state, h);
  double most = 0;
  for (int n = 0; n < 4000; ++n)
  {
    scheme.integrator->step(system, state, h);
    most = std::max(most, std::abs(q_of(state)));
  }
  return most;
}
}  // namespace

TEST(Newmark, ChopraTables)
{
  const Table table = reference();
  for (const auto &[name, beta] : {std::pair{"chopra-average", 0.25}, {"chopra-linear", 1. / 6.}})
  {
    SCOPED_TRACE(name);
    const Oscillator system = chopra();
    const Scheme scheme(beta, 0.5);
    State state = system.start(0., 0.);
    scheme.integrator->start(system, state, 0.1);
    const std::string key = name;
    ASSERT_EQ(table.at(key + " u").size(), 10u);
    for (int n = 0; n < 10; ++n)
    {
      scheme.integrator->step(system, state, 0.1);
      EXPECT_NEAR(q_of(state), table.at(key + " u")[n], 2e-4) << n;
      if (table.count(key + " v"))
      {
        // v = gamma/(beta h) (u1 - u0) + ...: 20 times the rounding of u.
        EXPECT_NEAR(v_of(state), table.at(key + " v")[n], 2e-3) << n;
      }
    }
  }
}

/// u and a of the scheme itself: that of hht-alpha is not the acceleration of the equation of motion.
TEST(Newmark, CodeAsterSdld31)
{
  const Table table = reference();
  const double omega = 6. * pi;
  Oscillator system = Oscillator::spring(1., omega * omega);
  system.force = [omega](const double t) { return std::sin(1.1 * omega * t); };
  for (const auto &[key, name, settings] :
       {std::tuple{"sdld31", "newmark", "set beta = 0.25\n"}, {"sdld31-hht", "hht-alpha", "set alpha = -0.3\n"}})
  {
    const Scheme scheme(name, settings);
    State state = system.start(0., 0.);
    scheme.integrator->start(system, state, 0.01);
    const int steps[] = {50, 70, 100};
    for (int i = 0; i < 3; ++i)
    {
      scheme.advance(system, state, 0.01, steps[i] - int(state.n));
      EXPECT_NEAR(q_of(state) / table.at(std::string(key) + " u")[i], 1., 1e-11) << key;
      EXPECT_NEAR(a_of(state) / table.at(std::string(key) + " a")[i], 1., 1e-11) << key;
    }
  }
}

TEST(Newmark, OrderIsTwoOnANonlinearOscillator)
{
  expect_order(0.25, 0.5, 2.);
  expect_order(1. / 6., 0.5, 2.);
  expect_order(0., 0.5, 2.);
}

TEST(Newmark, OrderIsOneWithNumericalDamping)
{
  expect_order(0.3025, 0.6, 1.);
  expect_order(0., 0.6, 1.);
}

/// gamma = 1/2 makes the step from h its own inverse with -h; any other gamma does not.
TEST(Newmark, NegativeStepReverses)
{
  for (const double beta : {0.25, 1. / 6., 0.})
  {
    const Oscillator system = quartic();
    const Scheme scheme(beta, 0.5), damped(beta, 0.6);
    const State begin = [&] {
      State state = system.start(1., 0.3);
      scheme.integrator->start(system, state, 0.1);
      return state;
    }();
    State state = begin;
    scheme.advance(system, state, 0.1, 20);
    EXPECT_GT(std::abs(q_of(state) - 1.), 0.1);
    scheme.advance(system, state, -0.1, 20);
    EXPECT_NEAR(q_of(state), 1., 1e-12);
    EXPECT_NEAR(v_of(state), 0.3, 1e-12);
    EXPECT_NEAR(a_of(state), a_of(begin), 1e-11);
    EXPECT_NEAR(state.t, 0., 1e-14);

    state = begin;
    damped.advance(system, state, 0.1, 20);
    damped.advance(system, state, -0.1, 20);
    EXPECT_GT(std::abs(q_of(state) - 1.), 1e-3) << "gamma = 0.6 cannot be reversible";
  }
}

TEST(Newmark, StabilityLimitIsThatOfTheTheory)
{
  EXPECT_LT(largest(0., 0.5, 1.999), 100.);
  EXPECT_GT(largest(0., 0.5, 2.001), 1e6);
  const Scheme central(0., 0.5), linear(1. / 6., 0.5), average(0.25, 0.5);
  EXPECT_DOUBLE_EQ(central.stable_h_omega(), 2.);
  EXPECT_DOUBLE_EQ(linear.stable_h_omega(), 2. * std::sqrt(3.));
  EXPECT_TRUE(std::isinf(average.stable_h_omega()));
  EXPECT_LT(largest(1. / 6., 0.5, 0.999 * linear.stable_h_omega()), 200.);
  EXPECT_GT(largest(1. / 6., 0.5, 1.001 * linear.stable_h_omega()), 1e6);
  EXPECT_LT(largest(0.25, 0.5, 1000.), 1.001);
}

TEST(Newmark, PrescribedMotionIsExactInQ)
{
  for (const double beta : {0.25, 1. / 12., 0.})
  {
    Oscillator system = Oscillator::spring(1., 3.);
    system.prescribed[0] = [](const double t) { return std::sin(3. * t); };
    system.prescribed[1] = [](const double t) { return 3. * std::cos(3. * t); };
    system.prescribed[2] = [](const double t) { return -9. * std::sin(3. * t); };
    const Scheme scheme(beta, 0.5);
    State state = system.start(7., 7.);
    const double h = 0.01;
    scheme.integrator->start(system, state, h);
    EXPECT_EQ(v_of(state), 3.);
    for (int n = 1; n <= 100; ++n)
    {
      const State before = state;
      scheme.integrator->step(system, state, h);
      EXPECT_NEAR(q_of(state), std::sin(3. * state.t), 1e-15);
      // v1 follows from the formula of the scheme and is close to the prescribed one; where the a1 of the formula would grow, all are
      // prescribed.
      if (beta == 1. / 12.)
        EXPECT_NEAR(std::abs(v_of(state) - 3. * std::cos(3. * state.t)) + std::abs(a_of(state) + 9. * std::sin(3. * state.t)), 0., 1e-13);
      else
        EXPECT_NEAR(v_of(state), v_of(before) + 0.5 * h * (a_of(before) + a_of(state)), 1e-12);
      EXPECT_NEAR(v_of(state), 3. * std::cos(3. * n * h), beta == 0. ? 0.1 : 0.01);
    }
  }
}

/// The weight of a0 in q1 and v1 with a force that jumps: one step by hand.
TEST(Newmark, OneStepByHand)
{
  const double m = 2., k = 5., c = 0.7, h = 0.3, beta = 0.3, gamma = 0.8, q0 = 0.4, v0 = -1., f = 3.;
  Oscillator system = Oscillator::spring(m, k, c);
  system.force = [f](double) { return f; };
  const Scheme scheme(beta, gamma);
  State state = system.start(q0, v0);
  scheme.integrator->start(system, state, h);
  const double a0 = (f - c * v0 - k * q0) / m;
  EXPECT_NEAR(a_of(state), a0, 1e-15);
  scheme.integrator->step(system, state, h);
  const double q = q0 + h * v0 + h * h * (0.5 - beta) * a0, v = v0 + h * (1. - gamma) * a0;
  const double a1 = (f - c * v - k * q) / (m + gamma * h * c + beta * h * h * k);
  EXPECT_NEAR(a_of(state), a1, 1e-14);
  EXPECT_NEAR(q_of(state), q + beta * h * h * a1, 1e-14);
  EXPECT_NEAR(v_of(state), v + gamma * h * a1, 1e-14);
  EXPECT_EQ(state.n, 1u);
}

/// E_d = ½ m d² + V~(x), d = (x1 - x0)/h, with the potential of Suris' x = q + beta h² V'/m: its slope is the force of the step, m a = -
/// dV~/dx.
TEST(Newmark, DiscreteEnergyHasThePotentialOfItsForce)
{
  const double h = 0.3, epsilon = 1e-4;
  Oscillator system = quartic();
  system.m = 2.;
  for (const double beta : {0.1, 0.25, 0.4})
  {
    const Scheme scheme(beta, 0.5);
    // At rest in x: v0 + h a0/2 = 0. What is left is V~.
    const auto potential = [&](const double q, const double d) {
      State state = system.start(q, 0.);
      scheme.integrator->start(system, state, h);
      state.v.local_element(0) = d - 0.5 * h * a_of(state);
      return scheme.integrator->discrete_energy(system, state, state, h);
    };
    for (const double q : {0.7, -1.3})
    {
      const auto x = [&](const double at) { return at + beta * h * h * system.V1(at) / system.m; };
      const double slope = (potential(q + epsilon, 0.) - potential(q - epsilon, 0.)) / (x(q + epsilon) - x(q - epsilon));
      EXPECT_NEAR(slope, system.V1(q), 1e-6 * std::abs(system.V1(q))) << beta << " " << q;
      EXPECT_NEAR(potential(q, 0.9) - potential(q, 0.), 0.5 * system.m * 0.81, 1e-13) << beta << " " << q;
    }
    EXPECT_NEAR(potential(0., 0.), 0., 1e-15);
  }
}
}  // namespace symdyn::tests::in_newmark
