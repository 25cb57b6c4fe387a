#include "solver/integrator.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
/// Newmark's scheme with nodal forces F(q_k, v_k) as a discrete Lagrange-d'Alembert scheme (Kane, Marsden, Ortiz, West 1999, theorem 5.1):
///     M a1 = -dV/dq(q1) + F(t1, q1, v1),   gamma = 1/2;   F_d^± are mean values of F(q_0, v_0), F(q_1, v_1) times D eta(q)
/// a1 contains v1 and is solved for it, for beta = 0 too. That is what `newmark` computes where F = f_applied - C v: this
/// scheme is one, held to gamma = 1/2, under the name of the theorem. Second order; the energy of a linear mode decays with the
/// rate R/(1 + beta h² omega²), not in every step.
class NewmarkDalembert : public Integrator
{
public:
  void declare(Parameters &p) override { base->declare(p); }
  void check(const MechanicalSystem &system, const Parameters &p) const override
  {
    if (base->promise(system).order != 2)
      p.fail("gamma", "the theorem holds for gamma = 1/2. Remove the entry, or use Scheme = newmark");
    base->check(system, p);
  }
  Promise promise(const MechanicalSystem &system) const override { return base->promise(system); }
  bool is_explicit() const override { return base->is_explicit(); }
  double suris_shift() const override { return base->suris_shift(); }
  StepReport step(const MechanicalSystem &system, State &state, const double h) const override
  {
    base->newton = newton;
    return base->step(system, state, h);
  }
  void step_tangent(const MechanicalSystem &system, const State &before, const State &after, const double h, State &delta) const override
  {
    base->step_tangent(system, before, after, h, delta);
  }
  double discrete_energy(const MechanicalSystem &system, const State &before, const State &after, const double h) const override
  {
    return base->discrete_energy(system, before, after, h);
  }

private:
  std::unique_ptr<Integrator> base = Registry<Integrator>::instance().make("newmark");
};

SYMDYN_REGISTER(Integrator, NewmarkDalembert, "newmark-dalembert");
}  // namespace symdyn
