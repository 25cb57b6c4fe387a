#pragma once
#include <string>
#include <vector>

#include "solver/stages/rotors/turning_body.h"
#include "solver/vibration/complex_modes.h"
#include "solver/vibration/rotors/speed_branches.h"

namespace symdyn
{
/// Modes of a rotor at one speed after the other, with their left vectors and waves.
class RotorModes
{
public:
  /// `diameters`: nodal diameters of a sector; -1: there are no sectors.
  RotorModes(Analysis &analysis, const Stage &stage, TurningBody &body, int diameters);
  std::vector<RotorMode> at(double speed, int number);
  /// Of the motion with about this lambda that grows from a speed on; "": it is not among so many modes there, or the search was stopped.
  /// Collective.
  std::string cause_of_growth(double onset, const std::complex<double> &growing, int number);
  /// Whether modes may be missing, for the log.
  std::string completeness() const;
  bool complete() const { return all || counted == below; }
  /// |(lambda² M + lambda C + K) u| over the sum of its terms, the largest of all modes and speeds; with it, how many times the limit of
  /// exact modes, 1e-10, or 100 times the rounding of K.
  double largest_residual() const { return residual; }
  double over_limit() const { return beyond; }

private:
  ComplexModes find(double speed, const TurningBody::At &there, int number);
  void find_waves(const TurningBody::At &there, RotorMode &mode) const;
  /// Left vectors: right ones of a rotor that turns backwards, and conjugates of the right ones where nothing is damped.
  void add_left(double speed, int number, const ComplexModes &found, std::vector<RotorMode> &modes);

  Analysis &analysis;
  const Stage &stage;
  TurningBody &body;
  int diameters;
  bool first = true, all = true;
  double counted = 0, below = 0, place = 0, speed_of_count = 0, residual = 0, beyond = 0;
  double near = 0;  ///< where the next search is [rad/s]
};
}  // namespace symdyn
