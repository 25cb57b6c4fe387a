#pragma once
#include <string>
#include <vector>

#include "solver/deck/formula/table.h"

namespace symdyn
{
/// A table or record of time that drives a system in the present stage.
struct DrivingTable
{
  std::string name;  ///< "load push", "base motion along x", "support piston"
  Table table;
  bool averaged = false;    ///< a StepMean takes effect: loads, and the base in its own frame
  bool sampled = false;     ///< schemes use its values at their own times, and nothing of it between them
  bool of_support = false;  ///< which holds its nodes even where it is zero
  bool displaces = false;   ///< displacements of a support
};

/// A system that tables drive.
class TableDriven
{
public:
  virtual ~TableDriven() = default;
  /// Those that act in the present stage.
  virtual std::vector<DrivingTable> driving_tables() const = 0;
};
}  // namespace symdyn
