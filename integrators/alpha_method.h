#pragma once
#include "integrators/equations/balance.h"

namespace symdyn
{
/// The alpha schemes: Newmark's formulas for q1 and v1 with a weighted balance,
///     averaged:   (1 - alpha_m) M a1 + alpha_m M a0 + (1 - alpha_f) F1 + alpha_f F0 = 0
///     evaluated:  (1 - alpha_m) M a1 + alpha_m M a0 + F(t_m, q_m, v_m) = 0,   x_m = (1 - alpha_f) x1 + alpha_f x0 for t, q, v
///     gamma = 1/2 - alpha_m + alpha_f,   beta = (1 - alpha_m + alpha_f)²/4
/// F = f_int + f_damp - f_applied; F0 is computed again from the state, nothing is remembered (Chung, Hulbert 1993, eqs. 17, 20;
/// evaluated: Erlicher, Bonaventura, Bursi 2002). Order 2 in q and v; a, which the scheme carries, is of order 1 and is not
/// the acceleration of the equation of motion unless alpha_m = alpha_f = 0. Linear undamped modes: unconditionally stable for
/// alpha_m <= alpha_f <= 1/2 (Chung, Hulbert 1993, eq. 16). They damp, unless alpha_m = alpha_f. Errors: ComputationError if Newton
/// does not converge.
class AlphaMethod : public Integrator
{
public:
  struct Constants
  {
    double alpha_m, alpha_f;
    bool evaluated = false;
    double gamma() const { return 0.5 - alpha_m + alpha_f; }
    double beta() const { return 0.25 * (1. - alpha_m + alpha_f) * (1. - alpha_m + alpha_f); }
    bool conservative() const { return alpha_m == alpha_f; }
  };

  void check(const MechanicalSystem &, const Parameters &) const override {}
  Promise promise(const MechanicalSystem &system) const override;
  double suris_shift() const override;
  std::optional<double> law_point() const override;
  WorkRule work_rule() const override;
  bool carries_acceleration() const override;
  StepReport step(const MechanicalSystem &system, State &state, double h) const override;
  void step_tangent(const MechanicalSystem &system, const State &before, const State &after, double h, State &delta) const override;

protected:
  virtual Constants constants() const = 0;

private:
  /// The balance of the step from `state`, without `known`.
  Balance balance(const State &state, double h, const Vector &Q, const Vector &V) const;
};
}  // namespace symdyn
