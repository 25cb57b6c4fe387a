// Compositions of fourth order: orders, what of the base's structure survives, refusals.
#include <gtest/gtest.h>

#include "solver/error.h"
#include "solver/verify/particles.h"
#include "tests/bodies.h"
#include "tests/oscillator.h"
#include "tests/scheme.h"

namespace symdyn::tests::in_composition
{
namespace
{
const std::vector<double> q0{0.3, -1.1, 1.2, -2.1}, v0{0.2, -0.1, 0.3, 0.4};

std::string around(const std::string &base, const std::string &settings = "")
{
  return "set base = " + base + "\n" + (settings.empty() ? "" : subsection(base, settings));
}

const std::vector<std::string> bases{around("midpoint"),
                                     around("newmark", "set beta = 0.25"),
                                     around("stormer-verlet"),
                                     around("zhang-skeel", "set beta = 0.4"),
                                     around("zhang-skeel-simplified", "set beta = 0.4"),
                                     around("variational-newmark", "set beta = 0.25"),
                                     around("symmetric-galerkin-alpha", "set alpha = 0.2"),
                                     around("lagrange-dalembert")};

double error_of(const Scheme &scheme, const MechanicalSystem &system, const State &start, const State &exact, const int n)
{
  return distance(scheme.run(system, start, 1. / n, n), exact);
}

/// What check() says to this deck, "" if nothing.
std::string refusal(const std::string &name, const std::string &settings, const MechanicalSystem &system)
{
  Deck deck = Deck::from_text(settings, "test.prm");
  Parameters p = deck.root();
  const auto integrator = Registry<Integrator>::instance().make(name);
  try
  {
    integrator->declare(p);
    integrator->check(system, p);
  }
  catch (const InputError &error)
  {
    return error.what();
  }
  return "";
}
}  // namespace

TEST(Composition, FourthOrder)
{
  const Particles system = Particles::pendulum();
  const State start = system.start(q0, v0), exact = runge_kutta(system, start, 1., 4000);
  for (const std::string &base : bases)
    for (const char *name : {"yoshida4", "suzuki4"})
    {
      const Scheme scheme(name, base);
      const double coarse = error_of(scheme, system, start, exact, 80), fine = error_of(scheme, system, start, exact, 160);
      std::printf("%s %s: order %.4f, error %.3e\n", name, base.c_str(), std::log2(coarse / fine), fine);
      EXPECT_NEAR(std::log2(coarse / fine), 4., 0.15) << name << " " << base;
      EXPECT_EQ(scheme.integrator->promise(system).order, 4);
    }
}

TEST(Composition, FiveStepsAreMoreAccurateThanThree)
{
  const Particles system = Particles::pendulum();
  const State start = system.start(q0, v0), exact = runge_kutta(system, start, 1., 4000);
  const double ratio =
      error_of(Scheme("yoshida4", bases[0]), system, start, exact, 80) / error_of(Scheme("suzuki4", bases[0]), system, start, exact, 80);
  std::printf("yoshida/suzuki: %g\n", ratio);
  EXPECT_GT(ratio, 25.);
  EXPECT_LT(ratio, 200.);
}

/// Numbers of an independent program: one step, h = 0.2, around zhang-skeel, beta = 0.4.
TEST(Composition, OneStepAroundZhangSkeel)
{
  const Particles system = Particles::pendulum();
  const State end = Scheme("yoshida4", around("zhang-skeel", "set beta = 0.4")).run(system, system.start(q0, v0), 0.2, 1);
  const std::vector<double> q{0.317401091009373, -1.0857540744422527, 1.2660103508622866, -2.0371543876736973},
      v{-0.03492428989300872, 0.22802774806848694, 0.3647596118661155, 0.23027572171593988};
  for (int i = 0; i < 4; ++i)
  {
    EXPECT_NEAR(end.q.local_element(i), q[i], 1e-12);
    EXPECT_NEAR(end.v.local_element(i), v[i], 1e-12);
  }
}

TEST(Composition, KeepsTheFormWhereTheVariablesOfTheBaseDoNotDependOnH)
{
  const Particles system = Particles::pendulum();
  const State start = system.start(q0, v0);
  for (const std::string &base : bases)
    for (const char *name : {"yoshida4", "suzuki4"})
    {
      const Scheme scheme(name, base);
      const Promise promise = scheme.integrator->promise(system);
      const double defect = symplectic_defect(scheme, system, start, 0.2);
      if (promise.symplectic == Where::in_qv)
        EXPECT_LT(defect, 1e-10) << name << " " << base;
      else
        EXPECT_GT(defect, 1e-7) << name << " " << base;
      EXPECT_LT(irreversibility(scheme, system, start, 0.2), 1e-12) << name << " " << base;
      EXPECT_TRUE(promise.reversible);
    }
}

TEST(Composition, NewmarkLosesTheFormWithTheFifthPowerOfH)
{
  const Particles system = Particles::pendulum();
  const State start = system.start(q0, v0);
  const Scheme scheme("yoshida4", around("newmark", "set beta = 0.25"));
  EXPECT_EQ(scheme.integrator->promise(system).symplectic, Where::nowhere);
  EXPECT_EQ(scheme.integrator->suris_shift(), 0.);
  const double slope = std::log2(symplectic_defect(scheme, system, start, 0.01) / symplectic_defect(scheme, system, start, 0.005));
  std::printf("slope of the defect: %.3f (%.3e)\n", slope, symplectic_defect(scheme, system, start, 0.01));
  EXPECT_NEAR(slope, 5., 0.3);
  EXPECT_GT(symplectic_defect(scheme, system, start, 0.02, 0.25), symplectic_defect(scheme, system, start, 0.02))
      << "Suris' variables are worse";
}

TEST(Composition, Tangents)
{
  const Particles system = Particles::pendulum();
  const State start = system.start(q0, v0), delta = system.start({0.5, -0.2, 0.1, 0.7}, {0.3, 0.4, -0.6, 0.2});
  for (const std::string &base : bases)
    for (const char *name : {"yoshida4", "suzuki4"})
      EXPECT_LT(tangent_error(Scheme(name, base), system, start, 0.1, delta), 1e-8) << name << " " << base;
}

/// Linear modes up to the promised limit stay, and just above it some grow.
TEST(Composition, StableAsPromised)
{
  const Oscillator spring = Oscillator::spring(1., 1.);
  const auto stays = [&](const Scheme &scheme, const double h_omega) {
    const State end = scheme.run(spring, spring.start(1., 0.), h_omega, 100);
    return std::max(end.q.linfty_norm(), end.v.linfty_norm()) < 100.;
  };
  struct Row
  {
    std::string name, base;
    double limit, grows;  ///< none: 0
  };
  for (const Row &row : std::vector<Row>{{"yoshida4", around("stormer-verlet"), 2. / 1.7024143839193153, 1.6},
                                         {"suzuki4", around("stormer-verlet"), 2.72, 2.8},
                                         {"suzuki4", around("variational-newmark", "set beta = 0.25"), 2.72, 3.2},
                                         {"yoshida4", around("variational-newmark", "set beta = 0.25"), 0., 0.},
                                         {"yoshida4", around("newmark", "set beta = 0.4"), 0., 0.},
                                         {"suzuki4", around("newmark", "set beta = 0.4"), 2.72, 0.}})
  {
    const Scheme scheme(row.name, row.base);
    const double limit = scheme.integrator->promise(spring).stable_h_omega;
    if (row.limit > 0.)
    {
      EXPECT_NEAR(limit, row.limit, 1e-9) << row.name << row.base;
    }
    for (int k = 1; k <= 20; ++k)
      EXPECT_TRUE(stays(scheme, 0.05 * k * std::min(limit, 40.))) << row.name << row.base << k;
    if (row.grows > 0.)
    {
      EXPECT_FALSE(stays(scheme, row.grows)) << row.name << row.base;
    }
  }
}

TEST(Composition, Refusals)
{
  const Particles system = Particles::pendulum(), damped = Particles::ring_well(1., 1., 1e-3);
  for (const std::string &base : bases)
    EXPECT_EQ(refusal("yoshida4", base, system), "") << base;
  EXPECT_NE(refusal("yoshida4", around("newmark"), damped).find("without damping"), std::string::npos);
  for (const std::string &base : {around("newmark", "set gamma = 0.6"), around("galerkin-alpha", "set alpha = 0.2"),
                                  around("symplectic-euler"), around("rk4"), around("adams")})
    EXPECT_NE(refusal("suzuki4", base, system).find("symmetric base of order 2"), std::string::npos) << base;
  EXPECT_NE(refusal("yoshida4", around("suzuki4"), system).find("base"), std::string::npos);
  EXPECT_NE(refusal("yoshida4", around("variational-newmark", "set start = suris"), system).find("Remove the entry"), std::string::npos);
}

TEST(Composition, FailureLeavesTheStateAlone)
{
  const Particles system = Particles::pendulum();
  Scheme scheme("yoshida4", around("midpoint"));
  State state = system.start(q0, v0);
  scheme.integrator->start(system, state, 0.2);
  const State before = state;
  scheme.newton.max_iterations = 1;
  scheme.newton.line_search = "basic";
  EXPECT_THROW(scheme.integrator->step(system, state, 0.2), ComputationError);
  EXPECT_EQ(distance(state, before), 0.);
  EXPECT_EQ(state.t, before.t);
  EXPECT_EQ(state.n, before.n);
}

/// A rubber block that bends, one face held: fourth order on finite elements too.
TEST(Composition, FiniteElements)
{
  Body<3> body(subsection("Mesh", "set Type = box\nset Subdivisions = 2, 2, 3") + made_of("neo-hooke-log") +
               subsection("Supports", subsection("wall", "set Boundary = z-")) + subsection("Elements", "set Mass = lumped"));
  const MechanicalSystem &system = body.system();
  State start;
  start.q = start.v = start.a = system.new_vector();
  start.v = body.nodal([](const auto &X) { return dealii::Tensor<1, 3>({0.3 * X[2] * X[2], 0.1 * X[2] * X[0], 0.}); });
  const State exact = Scheme("adams").run(system, start, 0.1, 4);
  for (const std::string &base : {around("midpoint"), around("newmark"), around("stormer-verlet")})
    for (const char *name : {"yoshida4", "suzuki4"})
    {
      const Scheme scheme(name, base);
      const auto error = [&](const int n) { return distance(scheme.run(system, start, 0.4 / n, n), exact); };
      const double coarse = error(20), fine = error(40);
      std::printf("fe %s %s: order %.3f, %.3e\n", name, base.c_str(), std::log2(coarse / fine), fine);
      EXPECT_NEAR(std::log2(coarse / fine), 4., 0.15) << name << " " << base;
    }
}
}  // namespace symdyn::tests::in_composition
