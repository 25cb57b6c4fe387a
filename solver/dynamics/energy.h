#pragma once
#include <memory>

#include "solver/integrator.h"

namespace symdyn
{
class Archive;

/// All forces at one state. R is M a + C v + f_int - f_applied: zero on free degrees of freedom, the force of the supports on
/// prescribed ones.
struct Forces
{
  Vector applied, damping, reaction;
  double slope = 0, part = 0;  ///< of static stages: V_s [J] and s of ComesByStages
  /// Empty: damping without any, and R, which costs another f_int, if nobody wants it.
  Forces(const MechanicalSystem &system, const State &state, bool statics, bool with_reaction = true);
  /// At the middle of a step of length h, with the mean acceleration (v1 - v0)/h, and the discrete gradient if the rule says so.
  Forces(const MechanicalSystem &system, const State &before, const State &after, double h, WorkRule rule, bool with_reaction);
};

/// The energy balance along a run, counted by the rule of the scheme. Trapezoidal, the form in which the identity of
/// average-acceleration Newmark on a linear system is exact:
///     W_external  += ½ (f0 + f1)·dq + ½ (R0 + R1)·dq_prescribed      loads, prescribed motion and its reactions
///                    + ½ (V_s0 + V_s1) ds                            V_s = dV/ds of what comes with the part s of a static stage
///     E_dissipated += ½ (C v0 + C v1)·dq
/// beside what laws with a memory have dissipated, which their histories know, and what the change of temperatures does (W_thermal).
/// midpoint and discrete gradient: the same with the forces of the middle, exact for the midpoint rule on a linear system and
/// for energy-momentum schemes on any. Same M, same quadrature and same lumping as the step. Pinned by
/// EnergyBalance.LinearBalanceClosesToRounding.
class EnergyBalance
{
public:
  void start(const MechanicalSystem &system, const State &state, bool statics);
  /// At the start of another stage, where v and a may jump: the balance starts again from zero.
  void restart(const MechanicalSystem &system, const State &state, bool statics);
  /// Where forces and a jump, and q and v do not: the balance goes on.
  void jump(const MechanicalSystem &system, const State &state, bool statics = false) { open(system, state, statics); }
  /// What resume() needs.
  void save(Archive archive) const;
  /// As it was when it was saved at this state.
  void resume(const MechanicalSystem &system, const State &state, bool statics, const Archive &archive);
  /// After each step of length h (of a static stage: after each increment). Energies are those of the last step that is looked at.
  void advance(const MechanicalSystem &system, const State &before, const State &after, double h, WorkRule rule, bool statics,
               bool look = true);

  /// What supports that jump between two stages have done, before restart() [J].
  void jump(const double energy) { work += energy; }
  /// What a scheme's own damping took in a step, after advance() [J].
  void dissipate(double energy);
  /// Whether anything but V and the kinetic energy can change in a step: then `advance` looks at the state before it.
  static bool work_is_done(const MechanicalSystem &system, bool statics);

  /// M v of the last state looked at.
  const Vector &momentum() const { return last_momentum; }
  double kinetic() const { return kinetic_energy; }
  double potential() const { return potential_energy; }
  double external_work() const { return work; }
  /// By the change of temperatures.
  double heating() const { return heat; }
  double dissipated() const { return loss + inelastic; }
  /// E_total - start - W_external - W_thermal + E_dissipated [J]
  double balance_error() const { return balance; }
  /// Largest energy seen: kinetic, change of potential, work [J]; what an error is compared with.
  double scale() const { return largest; }

private:
  void look_at(const MechanicalSystem &system, const State &state, bool statics);
  void open(const MechanicalSystem &system, const State &state, bool statics);

  Vector last_momentum;
  std::unique_ptr<Forces> last;  ///< of the last state, if work is done at all
  double start_energy = 0, start_potential = 0, kinetic_energy = 0, potential_energy = 0, work = 0, heat = 0, loss = 0, inelastic = 0,
         largest = 0, balance = 0;
};
}  // namespace symdyn
