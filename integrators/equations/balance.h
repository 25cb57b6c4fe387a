#pragma once
#include "solver/integrator.h"

namespace symdyn
{
class Searching;

/// The equation of one step of most schemes, for one unknown vector x (an acceleration [m/s²]):
///     mass M x + sum_k weight_k F(t_k, q_k, v_k) = known,   q_k = Q_k + a_k x,   v_k = V_k + b_k x
/// F = f_int + f_damp - f_applied. A point with `from` has the discrete gradient between `from` and q_k as f_int, and takes
/// damping and loads at (from + q_k)/2 (Gonzalez 1996). Prescribed components of x are the caller's.
class Balance
{
public:
  struct Point
  {
    double weight = 1, t = 0;
    Vector q, v;            ///< Q_k, V_k
    double dq = 0, dv = 0;  ///< a_k, b_k
    const Vector *from = nullptr;
  };

  double mass = 1;
  Vector known;  ///< [N]; empty: 0
  std::vector<Point> points;

  /// Newton from x, with its prescribed components. With Newton/Stresses = carried, thin structures start from q0, the configuration before
  /// the step, where |r| is smaller than at x: a predictor strains them. Their tangents carry stresses on then (LinearTerm::before;
  /// Magisano, Leonetti, Garcea 2017); what fails so begins again at x. Errors: ComputationError with `name`.
  NewtonReport solve(const MechanicalSystem &system, const Newton &newton, const std::string &name, Vector &x,
                     const Vector *q0 = nullptr) const;

  /// mass M x + sum F - known, zero on prescribed degrees of freedom, and the points at x.
  ForceReport residual(const MechanicalSystem &system, const Vector &x, Vector &r, std::vector<Point> &at_x) const;
  /// Its linearisation at such points. `before`: the same at the last linearisation, from which stresses are carried on; empty: none.
  std::shared_ptr<const LinearSolve> factor(const MechanicalSystem &system, const std::vector<Point> &at,
                                            const std::vector<Point> &before = {}) const;

  /// The derivative of the solution x along the given changes of Q_k, V_k and `known` (may be empty: 0). The points stand at
  /// the solution. delta_x is zero on prescribed degrees of freedom. The load's and the damping's dependence on q is left out.
  void linearised(const MechanicalSystem &system, const Vector &x, const std::vector<Vector> &delta_Q, const std::vector<Vector> &delta_V,
                  const Vector &delta_known, Vector &delta_x) const;

private:
  std::vector<Point> at(const Vector &x) const;
  void judge(NewtonProblem &problem, const MechanicalSystem &system, const std::vector<Point> &now) const;
  /// NewtonProblem::free_part: of the ways of all points.
  double free_part(const Searching &neighbours, const Vector &x, const Vector &dx) const;
};

/// "step 412, t = 0.412 s"
std::string step_name(const State &state, double t);
}  // namespace symdyn
