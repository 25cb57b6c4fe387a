// The energy balance closes where the scheme's identity is exact, and as h² elsewhere.
#include "solver/dynamics/energy.h"
#include "solver/integrator.h"

#include <gtest/gtest.h>

#include "solver/registry.h"
#include "tests/bodies.h"

namespace symdyn::tests::in_energy
{
namespace
{
std::string body_of(const std::string &material, const std::string &more = "")
{
  return subsection("Mesh",
                    "set Type = box\nset Subdivisions = 2, 2, 3\n" + subsection("box", "set Size = 1, 1, 2\nset Distortion = 0.2")) +
         made_of(material) + more;
}

const std::string loads =
    subsection("Loads", subsection("pull", "set Type = traction\nset Boundary = z+\nset Traction = 3, 0, 5\nset Amplitude = sin(4*t)") +
                            subsection("wind", "set Type = body-force\nset Acceleration = y*t, 0.01, 0") +
                            subsection("weight", "set Type = gravity\nset Acceleration = 0, -0.02, 0"));
const std::string damping = subsection("Damping", "set Mass proportional = 0.3\nset Stiffness proportional = 0.02");
/// One end is shaken; one side slides on a slope, which moves u_y where the two meet.
const std::string moving_supports = subsection(
    "Supports", subsection("shaker", "set Boundary = z-\nset Type = displacement\nset Displacement = 0.02*sin(5*t), free, 0.01*t^2") +
                    subsection("slope", "set Boundary = y+\nset Type = roller\nset Normal = 0, 1, 1"));

struct Balance
{
  double error = 0;  ///< largest |E - E0 - W + D| of all steps [J]
  double scale = 0;  ///< largest energy
  double dissipated = 0, work = 0, kinetic = 0;
};

Balance balance(const std::string &deck, const double h, const int steps, const double beta = 0.25, const double gamma = 0.5)
{
  Body<3> body(deck);
  Deck scheme = Deck::from_text("set beta = " + std::to_string(beta) + "\nset gamma = " + std::to_string(gamma), "test.prm");
  Parameters p = scheme.root();
  const auto integrator = Registry<Integrator>::instance().make("newmark");
  integrator->declare(p);
  Newton newton;
  newton.tolerance = 1e-13;
  integrator->newton = &newton;
  State state;
  body.solid.initialise(state);
  integrator->start(body.system(), state, h);
  EnergyBalance energy_balance;
  energy_balance.start(body.system(), state, false);
  Balance result;
  for (int n = 0; n < steps; ++n)
  {
    const State before = state;
    integrator->step(body.system(), state, h);
    energy_balance.advance(body.system(), before, state, h, integrator->work_rule(), false);
    result.error = std::max(result.error, std::abs(energy_balance.balance_error()));
    result.kinetic = std::max(result.kinetic, energy_balance.kinetic());
  }
  result.scale = energy_balance.scale();
  result.dissipated = energy_balance.dissipated();
  result.work = energy_balance.external_work();
  return result;
}
}  // namespace

TEST(EnergyBalance, LinearBalanceClosesToRounding)
{
  for (const std::string mass : {"consistent", "lumped"})
  {
    SCOPED_TRACE(mass);
    const std::string deck = body_of("linear-elasticity", loads + damping + moving_supports + subsection("Elements", "set Mass = " + mass));
    const Balance energy_balance = balance(deck, 0.05, 50);
    EXPECT_LT(energy_balance.error, 1e-10 * energy_balance.scale);
    // All of the energy balance was in use.
    EXPECT_GT(energy_balance.work, 0.1 * energy_balance.scale);
    EXPECT_GT(energy_balance.dissipated, 0.01 * energy_balance.scale);
    EXPECT_GT(energy_balance.kinetic, 0.01 * energy_balance.scale);

    const Balance damped = balance(deck, 0.05, 50, 0.3025, 0.6);
    EXPECT_GT(damped.error, 1e-4 * damped.scale) << "numerical damping is in no book";
  }
}

/// Each book alone.
TEST(EnergyBalance, EachPartClosesAlone)
{
  const std::string spin = subsection("Initial conditions", "set Velocity = y, -x, 0.1");
  const std::string wall = subsection("Supports", subsection("wall", "set Boundary = z-"));
  for (const std::string &more : {loads + wall, damping + spin, spin, moving_supports, moving_supports + damping})
  {
    SCOPED_TRACE(more);
    const Balance energy_balance = balance(body_of("linear-elasticity", more), 0.05, 50);
    EXPECT_GT(energy_balance.scale, 0.);
    EXPECT_LT(energy_balance.error, 1e-10 * energy_balance.scale);
  }
}

TEST(EnergyBalance, NonlinearBalanceShrinksWithTheSquareOfTheStep)
{
  const std::string deck = body_of("neo-hooke-log", loads + damping + subsection("Supports", subsection("wall", "set Boundary = z-")) +
                                                        subsection("Initial conditions", "set Velocity = 0.4*z, 0, 0.2*z"));
  const auto error = [&](const int steps) { return balance(deck, 2. / steps, steps).error; };
  const double coarse = error(160), middle = error(320), fine = error(640);
  EXPECT_NEAR(std::log2(coarse / middle), 2., 0.15);
  EXPECT_NEAR(std::log2(middle / fine), 2., 0.15);
}

TEST(EnergyBalance, StaticWorkIsStrainEnergyOfALinearBody)
{
  Body<3> body(body_of("linear-elasticity",
                       subsection("Loads", subsection("pull", "set Type = traction\nset Boundary = z+\nset Traction = 3, 0, 5")) +
                           subsection("Supports", subsection("wall", "set Boundary = z-"))));
  const MechanicalSystem &system = body.system();
  State state;
  body.solid.initialise(state);
  EnergyBalance energy_balance;
  body.actions.reached = 0.;
  energy_balance.start(system, state, true);
  Vector f = system.new_vector(), u = system.new_vector();
  for (const double factor : {0.5, 1.})
  {
    body.actions.reached = factor;
    system.applied_force(0., state.q, state.v, f);
    system.project(f);
    system.factor(K, 0., state.q, state.v)->solve(f, u, 1e-14);
    const State before = state;
    state.q = u;
    state.q.update_ghost_values();
    energy_balance.advance(system, before, state, 1., WorkRule::trapezoidal, true);
  }
  EXPECT_GT(energy_balance.external_work(), 0.);
  EXPECT_NEAR(energy_balance.potential(), 0.5 * (f * u), 1e-12 * energy_balance.potential());
  EXPECT_NEAR(energy_balance.external_work(), energy_balance.potential(), 1e-12 * energy_balance.potential());
  EXPECT_NEAR(energy_balance.balance_error(), 0., 1e-12 * energy_balance.potential());
}
}  // namespace symdyn::tests::in_energy
