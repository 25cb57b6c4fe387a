#pragma once
#include "solver/mechanical_system.h"
#include "solver/newton.h"

namespace symdyn
{
class Parameters;

struct StepReport
{
  int newton = 0, krylov = 0;
};

/// A time-stepping scheme. One object advances a two-DOF oscillator and a distributed mesh: it sees MechanicalSystem only.
class Integrator
{
public:
  virtual ~Integrator() = default;
  virtual void declare(Parameters &p) = 0;
  /// Whether a step needs h * omega_max below `stable_h_omega`.
  virtual bool is_explicit() const = 0;
  /// Largest stable h * omega of a linear undamped mode; infinity if there is none.
  virtual double stable_h_omega() const = 0;
  /// Whether a conservative system's energy error stays bounded for small steps (no numerical damping or growth).
  virtual bool conserves_on_linear() const = 0;
  /// Refuses (InputError through `p`) what this scheme cannot do with this system.
  virtual void check(const MechanicalSystem &system, const Parameters &p) const = 0;
  /// Completes the state: q and v are given, a is solved from M a = f - f_int - C v. Also at every change of h.
  virtual void start(const MechanicalSystem &system, State &state, double h) const;
  /// One step of length h (may be negative). On an exception the state is unchanged.
  virtual StepReport step(const MechanicalSystem &system, State &state, double h) const = 0;

  const Newton *newton = nullptr;  ///< set by whoever runs the scheme; needed by implicit ones
};
}  // namespace symdyn
