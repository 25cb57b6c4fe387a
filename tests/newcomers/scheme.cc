// A time-stepping scheme: one file, no edit elsewhere.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "solver/integrator.h"
#include "solver/registry.h"
#include "solver/verify/particles.h"
#include "tests/linear_decks.h"
#include "tests/oscillator.h"
#include "tests/scheme.h"

namespace symdyn::tests::in_newcomer_scheme
{
/// Ruth's scheme of third order (Ruth 1983, A canonical integration technique, IEEE Trans. Nucl. Sci. 30, table I), three kicks and drifts:
///     v += c_i h a(q),   q += d_i h v,   c = 7/24, 3/4, -1/24,   d = 2/3, -2/3, 1
/// Explicit, symplectic in (q, M v). For conservative systems whose supports rest.
class Ruth : public Integrator
{
public:
  void declare(Parameters &) override {}
  bool is_explicit() const override { return true; }
  void check(const MechanicalSystem &system, const Parameters &p) const override
  {
    require_explicit(system, p, "", "ruth");
    require_undamped(system, p, "ruth", "newmark");
  }
  Promise promise(const MechanicalSystem &) const override
  {
    Promise promise;
    promise.order = 3;
    promise.symplectic = promise.angular_momentum = Where::in_qv;
    promise.energy_bounded = true;
    promise.stable_h_omega = 2.5;  // |tr| <= 2 of the matrix of a step for h omega <= 2.507; pinned by NewcomerScheme.IsStableAsPromised
    return promise;
  }
  StepReport step(const MechanicalSystem &system, State &state, const double h) const override
  {
    static constexpr std::array<double, 3> c{7. / 24., 3. / 4., -1. / 24.}, d{2. / 3., -2. / 3., 1.};
    State part = state;
    for (int i = 0; i < 3; ++i)
    {
      solve_motion(system, part);
      part.v.add(c[i] * h, part.a);
      part.q.add(d[i] * h, part.v);
      part.t += d[i] * h;
      part.q.update_ghost_values();
    }
    solve_motion(system, part);
    accept(state, h, part.q, part.v, part.a);
    return {};
  }
};
SYMDYN_REGISTER(Integrator, Ruth, "newcomer-ruth");

TEST(NewcomerScheme, HasOrderThreeAndKeepsTheSymplecticForm)
{
  const Scheme ruth("newcomer-ruth"), euler("symplectic-euler");
  const Particles well = Particles::ring_well(1., 3.);
  const State start = well.start({0.7, -0.5}, {0.3, 0.4});
  EXPECT_NEAR(measured_order(ruth, well, start, 1.5, 80), 3., 0.15);  // at T = 2 the leading error passes through zero
  EXPECT_NEAR(measured_order(euler, well, start, 2., 320), 1., 0.15);
  EXPECT_LT(symplectic_defect(ruth, well, start, 0.2), 1e-8);
  EXPECT_GT(symplectic_defect(Scheme("rk4"), well, start, 0.2), 1e-6) << "the measure cannot tell";
}

/// The largest |q| in 4000 steps of h omega on a spring.
double amplitude(const double h_omega)
{
  const Oscillator spring = Oscillator::spring(1., 1.);
  const Scheme ruth("newcomer-ruth");
  State state = spring.start(1., 0.);
  ruth.integrator->start(spring, state, h_omega);
  double largest = 0;
  for (int k = 0; k < 4000; ++k)
  {
    ruth.integrator->step(spring, state, h_omega);
    largest = std::max(largest, double(state.q.linfty_norm()));
  }
  return largest;
}

TEST(NewcomerScheme, IsStableAsPromised)
{
  EXPECT_LT(amplitude(2.5), 100.);
  EXPECT_GT(amplitude(2.52), 1e6);
}

TEST(NewcomerScheme, RunsADeck)
{
  const Folder folder;
  const Outcome run = run_deck(folder, "examples/quickstart.prm",
                               {"Integrator/Scheme=newcomer-ruth", "Elements/Mass=lumped", "Time/Time step=auto", "Time/End time=0.01"});
  EXPECT_EQ(run.exit_code, 0) << run.terminal;
  EXPECT_LT(std::abs(run.history.last("E_balance_error")), 1e-3 * run.history["E_total"].front());
}
}  // namespace symdyn::tests::in_newcomer_scheme
