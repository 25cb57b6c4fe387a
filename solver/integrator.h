#pragma once
#include <functional>
#include <limits>
#include <optional>
#include <string>

#include "solver/mechanical_system.h"
#include "solver/newton.h"

namespace symdyn
{
class Parameters;

/// In which variables a scheme keeps a structure. `canonical_h`: its own, x = q + suris_shift h² M^-1 dV/dq and p = M v,
/// which depend on h, so that a composition or a change of h keeps nothing.
enum class Where
{
  nowhere,
  in_qv,
  canonical_h
};

/// What a scheme keeps, for its parameters, on a given system. symplectic, momenta, energy and reversible speak of the
/// system without its damping and follower loads, which destroy all of them. Held to by `symdyn verify`.
struct Promise
{
  int order = 2;                         ///< of q and v at fixed times
  Where symplectic = Where::nowhere;     ///< dq ∧ d(M v), or dx ∧ d(M v)
  Where linear_momentum = Where::in_qv;  ///< exactly, where V has the symmetry
  Where angular_momentum = Where::nowhere;
  bool energy = false;                ///< kinetic + potential to solver tolerance, per step
  bool energy_bounded = false;        ///< of a conservative system, oscillates and does not drift (small steps)
  bool monotone_dissipation = false;  ///< with damping the energy falls in each step
  bool reversible = false;            ///< step, v -> -v, step: back at the start
  double stable_h_omega = std::numeric_limits<double>::infinity();  ///< linear undamped modes
};

/// How the work of a step is counted, so that the energy balance closes as well as the scheme allows.
enum class WorkRule
{
  trapezoidal,       ///< mean of the forces at both ends, times dq
  midpoint,          ///< forces at (q0 + q1)/2, (v0 + v1)/2, acceleration (v1 - v0)/h
  discrete_gradient  ///< the same with the discrete gradient as internal force
};

struct StepReport
{
  int newton = 0, krylov = 0;
  int kept = 0;              ///< Newton's iterations with a tangent of before
  std::string warning = "";  ///< the scheme is about to leave its range; said once a run
  double dissipated = 0;     ///< by damping that is the scheme's own: not the system's, not the laws' (history.h) [J]
  /// Of the last force of the step, of a scheme that does not solve its equations by Newton's method, which checks its solution.
  std::optional<ForceReport> force = std::nullopt;
};

/// A time-stepping scheme. One object advances a two-DOF oscillator and a distributed mesh: it sees MechanicalSystem only.
class Integrator
{
public:
  virtual ~Integrator() = default;
  virtual void declare(Parameters &p) = 0;
  /// Refuses (InputError through `p`) what this scheme cannot do with this system.
  virtual void check(const MechanicalSystem &system, const Parameters &p) const = 0;
  virtual Promise promise(const MechanicalSystem &system) const = 0;
  /// Whether a step solves no equations but with a diagonal M.
  virtual bool is_explicit() const { return false; }
  /// Whether its steps stay on the exact constraints of a system; others are refused for such a system.
  virtual bool keeps_constraints() const { return false; }
  /// Linear motion, along the nodal constraints of the system at one state.
  virtual bool along_constraints() const { return false; }
  /// Whether the matrices of rigid bodies stay rotations without a penalty or constraint.
  virtual bool keeps_rotations() const { return false; }
  /// s of the canonical x = q + s h² M^-1 dV/dq, p = M v (Suris 1989).
  virtual double suris_shift() const { return 0.; }
  /// s, where laws with a memory are taken to (1 - s) q0 + s q1 in a step: their histories belong to these points. A scheme that asks for
  /// forces at one point of a step needs no more than this. Empty: such laws are refused, by schemes that need V''' or take forces at
  /// several times of a step, which would be increments of other lengths.
  virtual std::optional<double> law_point() const { return 1.; }
  /// Whether step() takes laws with a memory along by itself, in several increments (in_increment()), and is given the whole system.
  virtual bool divides() const { return false; }
  virtual WorkRule work_rule() const { return WorkRule::trapezoidal; }
  /// Relative tolerance to which the equations of a step are solved: the structure is kept to no more. 0: exactly.
  virtual double solver_tolerance() const { return is_explicit() || !newton ? 0. : newton->tolerance; }
  /// Whether state.a is the acceleration of the equation of motion at (t, q, v). If not (mean over the step, modified force)
  /// it is solved for where it is reported.
  virtual bool carries_acceleration() const { return true; }

  /// Completes the state: q and v are given, a is solved from M a = f - f_int - C v. Also at every change of h.
  virtual void start(const MechanicalSystem &system, State &state, double h) const;
  /// One step of length h (may be negative). On an exception the state is unchanged.
  virtual StepReport step(const MechanicalSystem &system, State &state, double h) const = 0;

  /// step(), and laws with a memory go on with it: the scheme sees them in an increment of length h from the history of the state. What
  /// runs call. On an exception the state is unchanged, its history too: with such laws a step works on a copy.
  StepReport advance(const MechanicalSystem &system, State &state, double h) const;

  /// The derivative of `start` on tangents: delta.q and delta.v are given; delta.a and delta.memory follow.
  virtual void start_tangent(const MechanicalSystem &system, const State &started, double h, State &delta) const;
  /// The derivative of `step` (as it is run, with its solver: partial Newton included) applied to delta, a tangent at
  /// `before`; `after` is the state it led to. The default takes fourth-order differences of whole steps, with their floor of
  /// 1e-9 or so a step; a scheme that linearises itself overrides it.
  virtual void step_tangent(const MechanicalSystem &system, const State &before, const State &after, double h, State &delta) const;

  /// E_d = -dL_d/dh of the step's discrete Lagrangian [J]; NaN where the scheme has none.
  virtual double discrete_energy(const MechanicalSystem &system, const State &before, const State &after, double h) const;

protected:
  /// start_tangent of a scheme whose start solves for more than a.
  void start_tangent_by_differences(const MechanicalSystem &system, const State &started, double h, State &delta) const;

public:
  const Newton *newton = nullptr;  ///< set by whoever runs the scheme; needed by implicit ones
};

/// An increment of length h [s] that laws with a memory take from the history of a state, with the temperatures of the time t [s].
struct LawIncrement
{
  double h, t;
  double law_point = 1.;  ///< as Integrator::law_point()
  bool differs = false;   ///< forces are discrete gradients
};
/// `step` moves the state, whose history then goes on with it; a second time where it has changed what it took from the start
/// (Remembering::renewed). Without a memory it is `step`. On an exception the state is unchanged if laws have a memory. Collective.
StepReport in_increment(const MechanicalSystem &system, State &state, const LawIncrement &increment,
                        const std::function<StepReport(const MechanicalSystem &, State &)> &step);
/// a of the equation of motion: M a = f_applied - f_int - f_damp at the state's (t, q, v), which takes its prescribed components.
/// With constraints their forces are part of it.
ForceReport solve_motion(const MechanicalSystem &system, State &state);
/// The same without the forces of constraints.
ForceReport free_motion(const MechanicalSystem &system, State &state);
/// Integrator::check, and InputError where the system has constraints that the scheme does not keep.
void check_scheme(const Integrator &integrator, const MechanicalSystem &system, const Parameters &p);
/// InputError unless the mass is diagonal (and no damping couples nodes): what explicit schemes need. `entry` is named.
void require_explicit(const MechanicalSystem &system, const Parameters &p, const std::string &entry, const std::string &scheme);
/// InputError at the entry Scheme of the section around p, which is that of the scheme.
[[noreturn]] void refuse_scheme(const Parameters &p, const std::string &rule);
/// InputError with follower loads, and with laws whose increments have no potential.
void require_potential_loads(const MechanicalSystem &system, const Parameters &p, const std::string &scheme);
/// InputError with damping, and what to use instead.
void require_undamped(const MechanicalSystem &system, const Parameters &p, const std::string &scheme, const std::string &instead);
/// Whether the state that a step has led to may be one: by its report; by a force there if the step says nothing and Newton's method, which
/// checks its solution, has not led there. Collective.
bool is_admissible(const MechanicalSystem &system, const State &state, const StepReport &report);
/// Moves the completed step into the state: ghosts updated, t and n advanced.
void accept(State &state, double h, Vector &q1, Vector &v1, Vector &a1);
}  // namespace symdyn
