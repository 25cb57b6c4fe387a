#pragma once
#include <memory>
#include <string>
#include <vector>

#include "solver/cyclic.h"
#include "solver/spinning.h"
#include "solver/vibration/tangent_system.h"

namespace symdyn
{
struct Analysis;
class Parameters;
class Stage;

/// The entries Speeds, Points and Prestress of a stage of a rotor.
class RotorSpeeds
{
public:
  void declare(Parameters &p, int points);
  /// Once all entries are declared. Errors: InputError.
  void check(const Parameters &p) const;
  bool nonlinear() const { return prestress == "nonlinear"; }
  std::vector<double> speeds() const;  ///< Omega [rad/s]

private:
  std::vector<double> range;
  int points = 0;
  std::string prestress = "linear";
};

/// The structure about the state of a stage, in a frame that turns at any speed Omega. Linear: with the displacement u_1 = K_0^-1 f_1 and
/// the stresses of the centrifugal load of Omega = 1 rad/s,
///     K(Omega) = K_0 + Omega² (K_1 - M_p)
/// Nonlinear: about the equilibrium under this load at each speed. While it lives, the centrifugal load acts in full.
class TurningBody
{
public:
  /// Errors: InputError where the state bears the centrifugal load already.
  TurningBody(Analysis &analysis, const Stage &stage, const RotorSpeeds &range);
  ~TurningBody();
  TurningBody(const TurningBody &) = delete;

  /// At one speed.
  class At
  {
  public:
    At(CopiedSystem system, Vector place, double t, int diameters);
    const MechanicalSystem &operator*() const { return waves ? *waves : **about; }
    const MechanicalSystem *operator->() const { return &**this; }
    const CyclicMotion *motion() const { return waves.get(); }
    const Vector &q() const { return place; }
    const Spinning &frame() const { return *spinning(*made.whole); }

  private:
    CopiedSystem made;
    Vector place;
    std::unique_ptr<AtRest> about;
    std::unique_ptr<CyclicMotion> waves;
  };
  /// `diameters`: of a sector; -1: all that moves alike.
  At at(double speed, int diameters = -1);
  const Spinning &frame() const { return spin; }
  bool is_linear() const { return !nonlinear; }
  /// Whether equations are in fixed axes: a bearing has Frame = fixed.
  bool at_rest() const { return !spin.fixed_bearing().empty(); }

private:
  /// From the load at `speed` > 0.
  void find_displacement(double speed);
  /// The equilibrium at a speed, from that of the last one.
  Vector equilibrium(double speed);
  void solve_equilibrium(double speed, Vector &q) const;

  Analysis &analysis;
  const Stage &stage;
  const Spinning &spin;
  std::size_t load = 0;
  double before = 0;
  bool nonlinear;
  Vector u;  ///< u_1 [m s²]
  Vector last;
  double last_speed = 0;
};
}  // namespace symdyn
