#pragma once
#include <memory>
#include <string>
#include <vector>

#include "solver/actions.h"
#include "solver/deck/formula/expression.h"
#include "solver/deck/formula/table.h"

namespace symdyn
{
class Parameters;

/// A factor of time [-] on a load or a prescribed displacement: an expression of t, or a table file `t value`
/// (piecewise linear, constant beyond its ends), or 1.
class Amplitude
{
public:
  void declare(Parameters &p);
  /// Of a table its mean over steps where those are asked for, otherwise its value: at the ends of a step on the side of a jump that
  /// belongs to the step.
  double operator()(const Moment &now) const;
  /// Value, first and second time derivative (those of a table: its slope, and 0), of no step.
  Jet<double> in_time(double t) const;
  std::string text() const { return table ? "table " + table_name : formula.text(); }
  /// nullptr: it is a formula.
  const Table *tabulated() const { return table.get(); }
  /// Jumps of a table: see Table::jumps().
  std::vector<Table::Jump> jumps(double width) const { return table ? table->jumps(width) : std::vector<Table::Jump>(); }
  bool constant() const { return !table && !formula.uses("t"); }

private:
  Expression formula{1.};
  std::shared_ptr<Table> table;
  std::string table_name;
};

/// Errors: InputError at the entry of a force unless it has so many components, one of them not zero.
void check_force(const Parameters &p, const std::string &entry, const std::vector<Expression> &components, std::size_t needed);
}  // namespace symdyn
