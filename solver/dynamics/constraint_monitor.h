#pragma once
#include <deque>
#include <string>
#include <vector>

#include "solver/base/units.h"
#include "solver/column.h"
#include "solver/constraints.h"
#include "solver/dynamics/multipliers.h"
#include "solver/mechanical_system.h"

namespace symdyn
{
class Archive;

/// What history.csv shows of constraints, exact ones or penalties: g_max and gdot_max, the largest |g_i| and |(G v)_i|, and of each of a
/// few constraints
///     g.NAME, gdot.NAME, lambda.NAME        lambda: force + Gᵀ lambda; of a penalty - omega² g
///     lambda_mean.NAME           of a penalty: the mean of - omega² g over the last `window` seconds (nan before so much time has passed),
///     the multiplier of the slow motion at t - window/2 (Tao
///                                and Owhadi 2015, eq. 1.8)
/// Of nodal constraints there are the first two alone. lambda is what the scheme takes at this state, or, where it tells none, that of the
/// equation of motion at (q, v).
class ConstraintMonitor
{
public:
  double window = 0;  ///< [s]

  std::vector<Column> columns(const MechanicalSystem &system, const Units &units) const;
  /// After each step.
  void advance(const MechanicalSystem &system, const State &state);
  void save(Archive archive) const;
  void load(const Archive &archive);
  bool active(const MechanicalSystem &system) const { return is_constrained(system) || system.penalties(); }
  /// Of a state whose a is of no interest.
  std::vector<double> values(const MechanicalSystem &system, const State &state);

private:
  static constexpr int most = 50;  ///< constraints with columns of their own
  /// Whether the constraints are nodal ones alone.
  static bool are_nodal(const MechanicalSystem &system) { return !system.constraints() && !system.penalties(); }
  const HolonomicConstraints &of(const MechanicalSystem &system) const;
  std::vector<double> multipliers(const MechanicalSystem &system, const State &state, const std::vector<double> &g) const;
  std::vector<double> mean() const;

  std::deque<std::pair<double, std::vector<double>>> past;  ///< t, g
};
}  // namespace symdyn
