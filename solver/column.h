#pragma once
#include <string>
#include <utility>
#include <vector>

#include "solver/base/plain_units.h"

namespace symdyn
{
class MechanicalSystem;
struct State;
struct Units;

/// What a column of history.csv holds. Harmonic stages write the amplitudes of motions.
enum class Kind
{
  motion,  ///< u, v or a of the structure: linear in them about a state
  prescribed_motion,
  force,
  moment,
  stress,    ///< a component of Cauchy's stress
  rotation,  ///< a component of a rotation vector, three in a row: history.csv continues them past pi
  energy,
  momentum,
  count,
  other
};

struct Column
{
  std::string name, unit;  ///< "tip.u_x", "m"; "": without a unit
  Kind kind;

  Column(std::string name, const std::string &unit, const Kind kind = Kind::other)
      : name(std::move(name)), unit(plain_unit(unit)), kind(kind)
  {
  }
  /// "tip.u_x [m]"
  std::string title() const { return unit.empty() ? name : name + " [" + unit + "]"; }
};

/// More columns of history.csv: what Output/Columns names. Registered by name, a file each.
class HistoryColumns
{
public:
  virtual ~HistoryColumns() = default;
  /// Half a sentence for the help of Output/Columns.
  virtual std::string meaning() const = 0;
  virtual std::vector<Column> columns(const MechanicalSystem &system, const Units &units) const = 0;
  /// Appends a value for each. Collective.
  virtual void values(const MechanicalSystem &system, const State &state, std::vector<double> &out) const = 0;
};
}  // namespace symdyn
