// A new scheme is one new file: this one is nobody else's, and the program knows it by its name.
#include <gtest/gtest.h>

#include "solver/parameters.h"
#include "solver/verify/particles.h"
#include "tests/scheme.h"

namespace symdyn::tests::in_toy_scheme
{
namespace
{
/// Drift, kick, drift (Strang 1968): q_m = q0 + (h/2) v0, v1 = v0 - h M^-1 dV/dq(q_m), q1 = q_m + (h/2) v1.
class Toy : public Integrator
{
public:
  void declare(Parameters &p) override { p.add("Kick", kick, "factor of the force [-]; only 1 is right", positive()); }
  void check(const MechanicalSystem &system, const Parameters &p) const override
  {
    require_undamped(system, p, "toy-drift-kick-drift", "newmark");
  }
  Promise promise(const MechanicalSystem &) const override
  {
    Promise promise;
    promise.symplectic = promise.angular_momentum = Where::in_qv;
    promise.energy_bounded = promise.reversible = true;
    promise.stable_h_omega = 2.;
    return promise;
  }
  bool is_explicit() const override { return true; }
  StepReport step(const MechanicalSystem &system, State &state, const double h) const override
  {
    Vector q = state.q, v = state.v, a = system.new_vector(), f = a;
    q.add(0.5 * h, v);
    q.update_ghost_values();
    system.internal_force(q, f);
    system.mass_solve(f, a);
    a *= -kick;
    v.add(h, a);
    q.add(0.5 * h, v);
    accept(state, h, q, v, a);
    return {};
  }

private:
  double kick = 1.;
};

SYMDYN_REGISTER(Integrator, Toy, "toy-drift-kick-drift");
}  // namespace

TEST(ToyScheme, IsKnownByNameAndKeepsItsPromise)
{
  const Particles system = Particles::pendulum();
  const State start = system.start({0.3, -1.1, 1.2, -2.1}, {0.2, -0.1, 0.3, 0.4});
  const Scheme toy("toy-drift-kick-drift");
  EXPECT_NEAR(measured_order(toy, system, start, 1., 80), toy.integrator->promise(system).order, 0.15);
  EXPECT_LT(symplectic_defect(toy, system, start, 0.2), 1e-10);
  EXPECT_LT(irreversibility(toy, system, start, 0.2), 1e-12);
  EXPECT_LT(tangent_error(toy, system, start, 0.2, system.start({0.5, -0.2, 0.1, 0.7}, {0.3, 0.4, -0.6, 0.2})), 1e-8) << "by differences";
}

TEST(ToyScheme, ReadsItsParameter)
{
  const Particles system = Particles::pendulum();
  const State start = system.start({0.3, -1.1, 1.2, -2.1}, {0.2, -0.1, 0.3, 0.4});
  EXPECT_LT(measured_order(Scheme("toy-drift-kick-drift", "set Kick = 1.1\n"), system, start, 1., 80), 0.1)
      << "another force does not converge";
}
}  // namespace symdyn::tests::in_toy_scheme
