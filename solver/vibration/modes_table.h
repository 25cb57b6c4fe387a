#pragma once
#include <cmath>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "solver/base/units.h"
#include "solver/vibration/modes.h"

namespace symdyn
{
/// A damping ratio for the log: 0 where it is rounding.
inline double ratio_in_log(const double zeta)
{
  constexpr double rounding = 1e-9;
  return std::abs(zeta) > rounding ? zeta : 0.;
}

/// Modes as people read them: lines for the log, a file with all digits, and what summary.json holds. `ratios`: zeta of each, from
/// everything that damps.
class ModesTable
{
public:
  ModesTable(const MechanicalSystem &system, const Vector &q, const Modes &modes, std::vector<double> ratios, const Units &units);
  /// `diameters`: nodal diameters of each mode.
  ModesTable(const Modes &modes, Participation participation, std::vector<double> ratios, const Units &units, std::vector<int> diameters);

  std::string csv() const;
  std::string lines(const std::string &stage) const;
  nlohmann::json summary() const;

private:
  const Modes &modes;
  Participation participation;
  std::vector<double> ratios;
  std::vector<int> diameters;  ///< empty: there are no sectors
  const Units &units;
};
}  // namespace symdyn
