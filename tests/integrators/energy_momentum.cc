// Energy-momentum schemes: energy and momenta to the solver's tolerance, dissipation step by step.
#include <gtest/gtest.h>

#include "solver/error.h"
#include "tests/bodies.h"
#include "tests/invariants.h"
#include "tests/plate.h"

namespace symdyn::tests::in_energy_momentum
{
namespace
{
/// The pendulum: V is quadratic in the quadratic strains r² - L².
class Quadratic : public Particles
{
public:
  Quadratic() : Particles(Particles::pendulum()) {}
  bool has(const Feature feature) const override { return feature == Feature::quadratic_energy || Particles::has(feature); }
};

Scheme scheme() { return Scheme("discrete-gradient"); }

}  // namespace

TEST(EnergyMomentum, EnergyStaysToTheTolerance)
{
  const int n = 1000;
  const Particles well = Particles::ring_well(1., 3.), pendulum = Particles::pendulum();
  const State w = well.start(oscillator_q, oscillator_v), p = pendulum_start(pendulum);
  EXPECT_LT(drift_of(energy, scheme(), well, w, 0.2, n), n * 1e-13);
  EXPECT_LT(drift_of(energy, scheme(), pendulum, p, 0.2, n), n * 1e-13);
  EXPECT_GT(drift_of(energy, Scheme("midpoint"), well, w, 0.2, n), 1e-3);
  EXPECT_GT(drift_of(energy, Scheme("midpoint"), pendulum, p, 0.2, n), 1e-3);
}

TEST(EnergyMomentum, AngularMomentumStays)
{
  const Particles well = Particles::ring_well();
  EXPECT_LT(drift_of(angular_momentum, scheme(), well, well.start(oscillator_q, oscillator_v), 0.2, 1000), 1e-11);
  Particles free = Particles::pendulum();
  free.g = {0., 0., 0., 0.};
  EXPECT_LT(drift_of(angular_momentum, scheme(), free, pendulum_start(free), 0.1, 1000), 1e-11);
  EXPECT_GT(drift_of(angular_momentum, Scheme("newmark"), free, pendulum_start(free), 0.1, 1000), 1e-3);
}

TEST(EnergyMomentum, OrderIsTwo)
{
  const Particles pendulum = Particles::pendulum(), well = Particles::ring_well(1., 3.);
  EXPECT_NEAR(measured_order(scheme(), pendulum, pendulum_start(pendulum), 1., 80), 2., 0.15);
  EXPECT_NEAR(measured_order(scheme(), well, well.start({0.7, -0.5}, {0.3, 0.4}), 2., 80), 2., 0.15);
  EXPECT_NEAR(damped_order(scheme()), 2., 0.15);
}

TEST(EnergyMomentum, ReversibleAndNotSymplectic)
{
  const Particles pendulum = Particles::pendulum(), well = Particles::ring_well(1., 3.);
  EXPECT_LT(irreversibility(scheme(), pendulum, pendulum_start(pendulum), 0.2), 1e-12);
  EXPECT_GT(symplectic_defect(scheme(), pendulum, pendulum_start(pendulum), 0.2), 1e-5);
  EXPECT_GT(symplectic_defect(scheme(), well, well.start({0.7, -0.5}, {0.3, 0.4}), 0.2), 1e-5);
  EXPECT_EQ(scheme().integrator->promise(pendulum).symplectic, Where::nowhere);
}

/// The tangent of the discrete gradient of Particles is a difference: 1e-8 is its floor.
TEST(EnergyMomentum, TangentIsTheDerivativeOfTheStep) { expect_exact_tangent(scheme(), true, 1e-8); }

/// E1 - E0 = -h d·C d, d = (v0 + v1)/2, in each step; Newmark's energy rises now and then.
TEST(EnergyMomentum, DissipationIsMonotoneAndExact)
{
  const Particles well = Particles::ring_well(1., 3., 1e-3);
  const double h = 0.2;
  const auto rises = [&](const Scheme &tried, const bool exact) {
    State state = well.start(oscillator_q, oscillator_v);
    tried.integrator->start(well, state, h);
    int count = 0;
    for (int k = 0; k < 500; ++k)
    {
      const State before = state;
      tried.integrator->step(well, state, h);
      Vector d = before.v;
      d.sadd(0.5, 0.5, state.v);
      const double change = energy(well, state) - energy(well, before);
      if (exact)
      {
        EXPECT_NEAR(change, -h * well.c * (d * d), 1e-14);
      }
      count += change > 0.;
    }
    return count;
  };
  EXPECT_EQ(rises(scheme(), true), 0);
  EXPECT_GT(rises(Scheme("newmark"), false), 100);
  EXPECT_GT(rises(Scheme("midpoint"), false), 100);
  EXPECT_TRUE(scheme().integrator->promise(well).monotone_dissipation);
}

TEST(EnergyMomentum, OnLinearSolidsItIsTheMidpointRule)
{
  const std::string deck = plate("consistent", "linear-elasticity", clamp);
  EXPECT_LT(distance(plate_run(scheme(), deck, 2., 100), plate_run(Scheme("midpoint"), deck, 2., 100)), 1e-10);
}

TEST(EnergyMomentum, SolidsAreAdvancedWithOrderTwo)
{
  for (const std::string mass : {"lumped", "consistent"})
    for (const std::string &more : {clamp, shaker})
      for (const auto &[name, law] : {std::pair{"simo-tarnow", "st-venant-kirchhoff"}, {"discrete-gradient", "neo-hooke-log"}})
      {
        SCOPED_TRACE(name + mass + more);
        EXPECT_NEAR(plate_order(Scheme(name), plate(mass, law, more), 0.8, 40), 2., 0.15);
      }
}

TEST(EnergyMomentum, ClampedSolidsKeepTheEnergyAndFreeOnesTheMomentaToo)
{
  const std::string thrown = subsection("Initial conditions", "set Velocity = 0.3*y^2, 0.1*y + 0.2*x");
  for (const std::string mass : {"lumped", "consistent"})
    for (const auto &[name, law] : {std::pair{"simo-tarnow", "st-venant-kirchhoff"}, {"discrete-gradient", "neo-hooke-log"}})
    {
      SCOPED_TRACE(name + mass);
      const int n = 60;  // 3 s; Saint-Venant's law lets a cell collapse at 3.84 s, with every scheme and step
      Body<2> body(plate(mass, law, clamp)), free(plate(mass, law, thrown));
      State state;
      body.solid.initialise(state);
      const double scale = energy(body.system(), state);
      EXPECT_LT(drift_of(energy, Scheme(name), body.system(), state, 0.05, n), n * 1e-13 * scale);
      EXPECT_GT(drift_of(energy, Scheme("newmark"), body.system(), state, 0.05, n), 1e-5 * scale);
      free.solid.initialise(state);
      EXPECT_LT(drift_of(energy, Scheme(name), free.system(), state, 0.05, n), n * 1e-13 * scale);
      EXPECT_LT(drift_of(angular_momentum, Scheme(name), free.system(), state, 0.05, n), n * 1e-13 * scale);
      EXPECT_GT(drift_of(angular_momentum, Scheme("newmark"), free.system(), state, 0.05, n), 1e-7 * scale);
    }
}

TEST(EnergyMomentum, BadSettingsAreRefused)
{
  const auto message = [](const std::string &name, const MechanicalSystem &system) {
    Deck deck = Deck::from_text("", "test.prm");
    const Parameters p = deck.root();
    try
    {
      Scheme(name).integrator->check(system, p);
    }
    catch (const InputError &error)
    {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto contains = [](const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; };
  EXPECT_EQ(message("simo-tarnow", Quadratic()), "");
  EXPECT_TRUE(contains(message("simo-tarnow", Particles::ring_well()), "discrete-gradient"));
  const std::string inflated = clamp + subsection("Loads", subsection("air", "set Type = pressure\nset Boundary = x+\nset Pressure = 1"));
  Body<2> rubber(plate("lumped", "neo-hooke-log", clamp)), balloon(plate("lumped", "st-venant-kirchhoff", inflated));
  EXPECT_TRUE(contains(message("simo-tarnow", rubber.system()), "discrete-gradient"));
  EXPECT_EQ(message("discrete-gradient", rubber.system()), "");
  for (const std::string name : {"simo-tarnow", "discrete-gradient"})
    EXPECT_TRUE(contains(message(name, balloon.system()), "follower load")) << name;
  EXPECT_LT(distance(Scheme("simo-tarnow").run(Quadratic(), pendulum_start(Quadratic()), 0.1, 50),
                     scheme().run(Quadratic(), pendulum_start(Quadratic()), 0.1, 50)),
            1e-15);
}
}  // namespace symdyn::tests::in_energy_momentum
