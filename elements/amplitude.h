#pragma once
#include <limits>
#include <memory>
#include <string>

#include "solver/deck/formula/expression.h"
#include "solver/deck/formula/step_mean.h"

namespace symdyn
{
class Parameters;

/// A factor of time [-] on a load or a prescribed displacement: an expression of t, or a table file `t value`
/// (piecewise linear, constant beyond its ends), or 1.
class Amplitude
{
public:
  void declare(Parameters &p);
  double operator()(double t) const;
  /// Value, first and second time derivative (those of a table: its slope, and 0).
  Jet<double> in_time(double t) const;
  std::string text() const { return table ? "table " + table_name : formula.text(); }
  /// nullptr: it is a formula.
  const Table *tabulated() const { return table.get(); }
  /// Jumps of a table: see Table::jumps().
  std::vector<Table::Jump> jumps(double width) const { return table ? table->jumps(width) : std::vector<Table::Jump>(); }
  /// Values of a table are those between these times: at the ends of a step, of the sides of a jump that belong to it. What in_time() says
  /// is not changed.
  void set_interval(double earliest, double latest);
  /// From now on values of a table are its means over steps, if `mean` is on; set_interval() has no effect then. What in_time() says is not
  /// changed.
  void average(const StepMean &over) { mean = over; }
  bool constant() const { return !table && !formula.uses("t"); }

private:
  Expression formula{1.};
  std::shared_ptr<Table> table;
  std::string table_name;
  double earliest = -std::numeric_limits<double>::infinity(), latest = std::numeric_limits<double>::infinity();  ///< [s]
  StepMean mean;
};
}  // namespace symdyn
