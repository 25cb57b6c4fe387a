#pragma once
#include "solver/mechanical_system.h"

namespace symdyn
{
/// All forces at one state. R is M a + C v + f_int - f_applied: zero on free degrees of freedom, the force of the supports on
/// prescribed ones.
struct Forces
{
  Vector momentum;  ///< M v
  Vector applied, damping, reaction;
  Forces(const MechanicalSystem &system, const State &state, bool statics);
};

/// The books of energy along a run. Between two states of a step the work is the trapezoidal mean of the forces times the
/// displacement, the form in which the identity of average-acceleration Newmark on a linear system is exact:
///     W_external  += ½ (f0 + f1)·dq + ½ (R0 + R1)·dq_prescribed      loads, prescribed motion and its reactions
///     E_dissipated += ½ (C v0 + C v1)·dq
/// Same M, same quadrature and same lumping as the step. Pinned by EnergyBooks.LinearBalanceClosesToRounding.
class EnergyBooks
{
public:
  void start(const MechanicalSystem &system, const State &state, bool statics);
  /// After each step.
  void advance(const MechanicalSystem &system, const State &state, bool statics);
  /// At the change from a static to a dynamic stage, where v and a jump: the balance starts again from zero.
  void restart(const MechanicalSystem &system, const State &state, bool statics);

  /// Of the last state given to start or advance.
  const Forces &forces() const { return *last; }
  double kinetic(const State &state) const { return 0.5 * (last->momentum * state.v); }
  double potential() const { return potential_energy; }
  double external_work() const { return work; }
  double dissipated() const { return loss; }
  /// E_total - start - W_external + E_dissipated [J]
  double balance_error(const State &state) const;
  /// Largest energy seen: kinetic, change of potential, work [J]; what an error is compared with.
  double scale() const { return largest; }

private:
  void look(const MechanicalSystem &system, const State &state, bool statics);

  std::shared_ptr<Forces> last;
  Vector q_before;
  double start_energy = 0, start_potential = 0, potential_energy = 0, work = 0, loss = 0, largest = 0;
};
}  // namespace symdyn
