#pragma once
#include <string>
#include <vector>

#include "solver/base/units.h"
#include "solver/held_motions.h"
#include "solver/vector.h"

namespace symdyn
{
/// What holds a structure, for stages and reports. This one: nothing does.
class StructureSupports
{
public:
  virtual ~StructureSupports() = default;
  /// Of the supports that stages choose from, in the order of the deck.
  virtual std::vector<std::string> names() const { return {}; }
  /// Names of those that hold something where it stands when they begin.
  virtual std::vector<std::string> standing() const { return {}; }
  /// These hold from now on. Those that `begin` go from where q stands, as far as the stage has come, to what they prescribe.
  /// Collective. Errors: InputError where two that hold contradict each other.
  virtual void begin(const std::vector<bool> & /*hold*/, const std::vector<bool> & /*begin*/, const Vector & /*q*/) {}
  /// What static stages hold beside them; nullptr: nothing can be.
  virtual HeldMotions *held_motions() { return nullptr; }

  /// Columns of their forces, without units: "clamp.R_x"; and the sums of such a vector of forces over the nodes of each [N]. Collective.
  virtual std::vector<std::string> columns() const { return {}; }
  virtual std::vector<double> sums(const Vector & /*force*/) const { return {}; }
  /// Of such a column: "clamp.RM_x" is a moment.
  static bool is_moment(const std::string &column) { return column.find(".RM_") != std::string::npos; }
  static std::string unit(const std::string &column, const Units &units)
  {
    return is_moment(column) && units.force != "1" ? units.force + " " + units.length : units.force;
  }
};
}  // namespace symdyn
