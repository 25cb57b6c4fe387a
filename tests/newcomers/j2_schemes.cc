// Schemes and damping on a bar with a memory, the material of j2.cc.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "solver/error.h"
#include "solver/history.h"
#include "solver/integrator.h"
#include "solver/run/run.h"
#include "solver/stages/analysis.h"
#include "tests/in_process.h"
#include "tests/j2_decks.h"
#include "tests/linear_decks.h"

namespace symdyn::tests::in_newcomer_j2_decks
{
/// A scheme that fails after it has asked for forces far away.
class Fails : public Integrator
{
public:
  void declare(Parameters &) override {}
  void check(const MechanicalSystem &, const Parameters &) const override {}
  Promise promise(const MechanicalSystem &) const override { return {}; }
  StepReport step(const MechanicalSystem &system, State &state, double) const override
  {
    Vector f = system.new_vector(), far = state.q;
    far *= 10.;
    system.internal_force(far, f);
    if (fails)
      throw ComputationError("as asked");
    state.q *= 1.5;  // knows nothing of histories
    return {};
  }
  bool fails = true;
};

TEST(NewcomerJ2Decks, AFailedStepLeavesTheHistoryAndARepeatedOneHasTheSameBits)
{
  Deck deck = Deck::from_text(swing(scheme("newmark"), "0.02"), "bar.prm");
  OneRun run(deck);
  run.start({});
  for (int k = 0; k < 30; ++k)
    run.advance();
  const MechanicalSystem &system = run.structure().system();
  const State before = run.state();
  ASSERT_TRUE(before.history);
  State state = before;
  Fails scheme;
  EXPECT_THROW(scheme.advance(system, state, 0.1), ComputationError);
  EXPECT_EQ(state.history, before.history);
  EXPECT_TRUE(same(state.q, before.q));
  scheme.fails = false;
  State first = before, second = before;
  scheme.advance(system, first, 0.1);
  scheme.advance(system, second, 0.1);
  EXPECT_NE(first.history, before.history);
  EXPECT_GT(spent(system, first).dissipated, 1e-4 + spent(system, before).dissipated);
  Vector f = system.new_vector(), g = f, elastic = f;
  About(system, first)->internal_force(first.q, f);
  About(system, second)->internal_force(second.q, g);
  EXPECT_TRUE(same(f, g));
  About(system, before, 0.1, 0.1)->internal_force(first.q, g);
  About(system, before)->internal_force(first.q, elastic);
  g -= f;
  elastic -= f;
  EXPECT_LT(g.l2_norm(), 1e-13 * f.l2_norm()) << "the stress of the state is the one its increment has ended with";
  EXPECT_GT(elastic.l2_norm(), 0.1 * f.l2_norm());
  EXPECT_THROW(system.internal_force(first.q, f), std::logic_error) << "of no history";
}

/// The discrete gradient does the work W_n(q1) - W_n(q0): the energy balance closes to rounding, and falls by what the law dissipates.
TEST(NewcomerJ2Decks, EnergyMomentumStepsBalanceToRounding)
{
  const Folder folder;
  const auto history = run_well(folder, swing(scheme("discrete-gradient"), "0.02")).history;
  double worst = 0;
  for (const double error : history["E_balance_error"])
    worst = std::max(worst, std::abs(error));
  EXPECT_GT(history.last("E_dissipated"), 0.01);
  EXPECT_LT(worst, 1e-10 * history.last("W_external"));
  for (std::size_t row = 1; row < history.rows(); ++row)
    EXPECT_GE(history["E_dissipated"][row] - history["E_dissipated"][row - 1], -1e-14);
}

/// Implicit and explicit, with forces at ends and in the middle, and one that is of a test: all converge to one motion.
TEST(NewcomerJ2Decks, SchemesAgree)
{
  const Folder of_reference;
  const auto reference = run_well(of_reference, swing(scheme("central-difference"), "0.0005")).history;
  const double u = reference.last("tip.u_y"), loss = reference.last("E_dissipated");
  EXPECT_GT(loss, 0.01);
  for (const auto &[name, step] : {std::pair{"newmark", "0.005"},
                                   {"midpoint", "0.005"},
                                   {"hht-alpha", "0.005"},
                                   {"generalized-alpha", "0.005"},
                                   {"discrete-gradient", "0.005"},
                                   {"stormer-verlet", "0.0025"},
                                   {"symplectic-euler", "0.0025"},
                                   {"newcomer-ruth", "0.0025"},
                                   {"incremental-potential", "0.005"},
                                   {"newmark-dalembert", "0.005"},
                                   {"galerkin-alpha", "0.005"},
                                   {"wbz-alpha", "0.005"},
                                   {"bathe", "0.005"}})
  {
    const Folder folder;
    const auto history = run_well(folder, swing(scheme(name), step)).history;
    EXPECT_NEAR(history.last("tip.u_y"), u, 0.02 * std::abs(u)) << name;
    EXPECT_NEAR(history.last("E_dissipated"), loss, 0.02 * loss) << name;
    EXPECT_LT(std::abs(history.last("E_balance_error")), 0.02 * history.last("W_external")) << name;
  }
}

TEST(NewcomerJ2Decks, SchemesThatNeedAPotentialAreRefused)
{
  for (const char *name :
       {"zhang-skeel", "rk4", "adams", "yoshida4", "variational-newmark", "two-step", "newmark-partial", "symmetric-galerkin-alpha"})
    expect_refused(swing(scheme(name), "0.01"), "the scheme cannot follow materials with a memory");
  expect_refused(swing(scheme("newmark"), "0.01") + section("Monitors", "set Symplectic form = yes"),
                 "Symplectic form = yes: materials with a memory dissipate");
}

/// Reports of a damped body ask for forces, too: reactions balance the loads.
TEST(NewcomerJ2Decks, DampedBodiesReport)
{
  for (const std::string damping :
       {"set Stiffness proportional = 1e-3\nset Stiffness = current", "set Mass proportional = 0.5", "set Kelvin-Voigt = 1e-3"})
  {
    const Folder folder;
    const auto history = run_well(folder, swing(scheme("newmark"), "0.02") + section("Damping", damping)).history;
    EXPECT_GT(std::abs(history.last("x-.R_y")), 1e-3) << damping;
    EXPECT_LT(std::abs(history.last("E_balance_error")), 0.02 * history.last("W_external")) << damping;
  }
}

/// With a law that depends on rates a wrong length of the increment would be seen; all schemes converge to one motion.
TEST(NewcomerJ2Decks, SchemesSeeTheRate)
{
  const auto with = [](const std::string &scheme_name, const std::string &step, const std::string &viscosity) {
    std::string deck = swing(scheme(scheme_name), step);
    deck.replace(deck.find("set Hardening = 100"), 19, "set Hardening = 100\nset Viscosity = " + viscosity);
    const Folder folder;
    return run_well(folder, deck).history.last("E_dissipated");
  };
  const double loss = with("central-difference", "0.0005", "200");
  EXPECT_GT(std::abs(with("newmark", "0.005", "100") - loss), 0.05 * loss) << "half of the viscosity is seen";
  for (const auto &[name, step] : {std::pair{"newmark", "0.005"},
                                   {"midpoint", "0.005"},
                                   {"discrete-gradient", "0.005"},
                                   {"symplectic-euler", "0.001"},
                                   {"hht-alpha", "0.005"},
                                   {"galerkin-alpha", "0.005"}})
    EXPECT_NEAR(with(name, step, "200"), loss, 0.02 * loss) << name;
}
}  // namespace symdyn::tests::in_newcomer_j2_decks
