#pragma once
#include <utility>

#include "solver/integrator.h"

namespace symdyn
{
/// q0 + h v0 + h² (1/2 - beta) a0 [m] and v0 + h (1 - gamma) a0 [m/s] (Newmark 1959): the new q and v but for a1.
std::pair<Vector, Vector> newmark_predictor(const State &state, double h, double beta, double gamma);

/// x with Q + dq x = prescribed q(t) [m] on prescribed degrees of freedom, zero on the others.
Vector prescribed_unknown(const MechanicalSystem &system, double t, const Vector &Q, double dq);

/// a1 on prescribed degrees of freedom. Where 2 beta >= gamma: the one that leads from Q to the prescribed q1, so that Newmark's formulas
/// and his energy identity hold there too. Below, those a1 would grow without bound: their errors follow
/// beta a2 + (1/2 + gamma - 2 beta) a1 + (1/2 + beta - gamma) a0 = 0; there a1, q1 and v1 are the prescribed ones, and Q and V are changed
/// on prescribed degrees of freedom to fit.
Vector prescribed_acceleration(const MechanicalSystem &system, double t, double h, double beta, double gamma, Vector &Q, Vector &V);

/// Newmark's scheme (Newmark 1959, eqs. 1-2) in acceleration form:
///     M a1 + C v1 + f_int(q1) = f(t1, q1, v1)
///     q1 = q0 + h v0 + h² ((1/2 - beta) a0 + beta a1)      [m]
///     v1 = v0 + h ((1 - gamma) a0 + gamma a1)              [m/s]
/// Order 2 iff gamma = 1/2; gamma > 1/2 damps, gamma < 1/2 grows. Linear undamped modes: unconditionally stable for
/// beta >= gamma/2 >= 1/4, for gamma = 1/2 stable iff (h omega)² (1 - 4 beta) < 4 (Hughes 1987, 9.1.3).
/// gamma = 1/2, no damping: conjugate to symplectic; keeps dx ∧ d(M v) and the momenta of x = q + beta h² M^-1 dV/dq exactly
/// (Suris 1989; Kane et al. 1999, sect. 2.4, who print a minus). Prescribed q1 is exact; for a1 and v1 there see prescribed_acceleration.
/// beta = 0: no Newton; one solve with M (+ gamma h C), and prescribed a1 is the one that leads to the prescribed q2. Errors:
/// ComputationError if Newton does not converge or a value is not finite.
class Newmark : public Integrator
{
public:
  explicit Newmark(double beta = 0.25, double gamma = 0.5) : beta(beta), gamma(gamma) {}
  void declare(Parameters &p) override;
  void check(const MechanicalSystem &system, const Parameters &p) const override;
  Promise promise(const MechanicalSystem &system) const override;
  bool is_explicit() const override { return beta == 0.; }
  double suris_shift() const override { return beta; }
  StepReport step(const MechanicalSystem &system, State &state, double h) const override;
  void step_tangent(const MechanicalSystem &system, const State &before, const State &after, double h, State &delta) const override;
  double discrete_energy(const MechanicalSystem &system, const State &before, const State &after, double h) const override;

private:
  StepReport implicit_step(const MechanicalSystem &system, State &state, double h) const;
  StepReport explicit_step(const MechanicalSystem &system, State &state, double h) const;
  StepReport free_step(const MechanicalSystem &system, State &state, double h) const;
  void explicit_predictor(const State &state, double h, Vector &q1, Vector &v1) const;
  void explicit_corrector(const Vector &prescribed, double h, Vector &x, Vector &v1) const;
  Vector prescribed_explicit_acceleration(const MechanicalSystem &system, double t1, double h, Vector &q1, const Vector &v1) const;

  double beta, gamma;
};

/// Newmark's scheme with gamma = 1/2 and the beta of a name; no parameters.
class NewmarkPreset : public Newmark
{
public:
  explicit NewmarkPreset(const double beta) : Newmark(beta, 0.5) {}
  void declare(Parameters &) override {}
};
}  // namespace symdyn
