// The oracle: Adams of SUNDIALS against a fine Runge-Kutta solution and the numbers of an independent program.
#include <gtest/gtest.h>

#include "solver/verify/particles.h"
#include "tests/bodies.h"
#include "tests/oscillator.h"
#include "tests/scheme.h"

namespace symdyn::tests::in_oracle
{
TEST(Oracle, AgreesWithFineRungeKutta)
{
  for (const double R : {0., 0.5})
  {
    const Particles system = Particles::ring_well(1., 1., R);
    const State start = system.start({1., 0.}, {0.5, 0.6});
    EXPECT_LT(distance(Scheme("adams").run(system, start, 0.2, 10), runge_kutta(system, start, 2., 20000)), 1e-11);
    EXPECT_GT(distance(Scheme("adams", "set Relative tolerance = 1e-6\nset Absolute tolerance = 1e-6\n").run(system, start, 0.2, 10),
                       runge_kutta(system, start, 2., 20000)),
              1e-9);
  }
}

TEST(Oracle, NumbersOfKaneEtAl)
{
  struct Row
  {
    double c;
    int n;
    std::vector<double> value;
    double tolerance;
  };
  for (const Row &row :
       std::vector<Row>{{0., 1, {1.093250735795946, 0.11960236647907545, 0.3920505802986369, 0.59171254681316}, 1e-9},
                        {0., 250, {1.119233147296057, 0.03879250415774035, -0.419430984923985, 0.5215439010035993}, 1e-9},
                        {1e-3, 250, {0.9150008351531422, -0.6573947847400932, 0.5777681566629301, 0.20865104641053978}, 1e-8},
                        {1e-3, 500, {-0.7952524491752276, -0.4681034261886414, -0.01669198678961418, -0.692504660122259}, 1e-8}})
  {
    const Particles system = Particles::ring_well(1., 1., row.c);
    const State end = Scheme("adams").run(system, system.start({1., 0.}, {0.5, 0.6}), 0.2, row.n);
    for (unsigned int i = 0; i < 2; ++i)
    {
      EXPECT_NEAR(end.q.local_element(i), row.value[i], row.tolerance) << row.n;
      EXPECT_NEAR(end.v.local_element(i), row.value[2 + i], row.tolerance) << row.n;
    }
  }
}

/// From rest, from the undeformed state, backwards, and under a load that depends on time: q'' + q = sin 3t.
TEST(Oracle, RestBackwardsAndLoads)
{
  Oscillator system = Oscillator::spring(1., 1.);
  system.force = [](const double t) { return std::sin(3. * t); };
  const auto exact = [](const double t) { return 3. / 8. * std::sin(t) - std::sin(3. * t) / 8.; };
  const Scheme adams("adams");
  State state = adams.run(system, system.start(0., 0.), 0.5, 8);
  EXPECT_NEAR(state.q.local_element(0), exact(4.), 1e-12);
  EXPECT_EQ(state.n, 8u);
  state = adams.run(system, state, -0.5, 8);
  EXPECT_NEAR(state.q.local_element(0), 0., 1e-12);
  EXPECT_NEAR(state.v.local_element(0), 0., 1e-12);
}

TEST(Oracle, FollowsPrescribedMotion)
{
  Oscillator system = Oscillator::spring(1., 1.);
  system.prescribed[0] = [](const double t) { return std::sin(t); };
  system.prescribed[1] = [](const double t) { return std::cos(t); };
  system.prescribed[2] = [](const double t) { return -std::sin(t); };
  for (const char *scheme : {"adams", "rk4"})
  {
    const State end = Scheme(scheme).run(system, system.start(0., 1.), 0.5, 8);
    EXPECT_NEAR(end.q.local_element(0), std::sin(4.), 1e-14) << scheme;
    EXPECT_NEAR(end.v.local_element(0), std::cos(4.), 1e-14) << scheme;
  }
}

TEST(Oracle, FiniteElements)
{
  Body<3> body(subsection("Mesh", "set Type = box\nset Subdivisions = 2, 2, 3") + made_of("neo-hooke-log") +
               subsection("Supports", subsection("wall", "set Boundary = z-")) + "subsection Damping\nset Mass proportional = 0.5\nend\n");
  const MechanicalSystem &system = body.system();
  State start;
  start.q = start.v = start.a = system.new_vector();
  start.v = body.nodal([](const auto &X) { return dealii::Tensor<1, 3>({0.3 * X[2] * X[2], 0.1 * X[2] * X[0], 0.}); });
  const State adams = Scheme("adams").run(system, start, 0.1, 5);
  const double coarse = distance(adams, Scheme("rk4").run(system, start, 0.01, 50)),
               fine = distance(adams, Scheme("rk4").run(system, start, 0.005, 100));
  EXPECT_NEAR(std::log2(coarse / fine), 4., 0.15) << "consistent mass; the oracle is finer than both";
}
}  // namespace symdyn::tests::in_oracle
