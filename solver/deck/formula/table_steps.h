#pragma once
#include <vector>

#include "solver/deck/formula/table.h"

namespace symdyn
{
/// What steps of length h make of a table, which they take for straight within each of them. Jumps (Table::jumps within jump_width h) at
/// the end of a step belong to no step: the one before has the value before, the one after the value after.
class TableSteps
{
public:
  TableSteps(const Table &table, double h);

  /// Points inside of steps that matter: where a(t) differs from the straight line over the step by more than a part of the largest |a|.
  struct Missed
  {
    long points = 0;
    double difference = 0, at = 0;  ///< the largest one over the largest |a|, and its time [-, s]
    std::vector<double> times;      ///< of these points [s], jumps once
  };
  Missed missed(double start, double end, double part) const;
  /// Times inside of a step from t0 to t1 at which it is to be cut, ascending: jumps, and as many points as leave no difference of more
  /// than `part` of the largest |a|.
  std::vector<double> cuts(double t0, double t1, double part) const;

private:
  /// a at the ends of a step, on the sides that belong to it.
  double after(double t) const;
  double before(double t) const;
  const Table::Jump *jump_at(double t) const;
  /// The jump that this point belongs to.
  const Table::Jump *jump_of(double t) const;
  void add_cuts(double t0, double t1, double part, std::vector<double> &found) const;

  Table table;
  double h, width, largest;
  std::vector<Table::Jump> jumps;
};

/// The longest step that divides h and has all these times at ends of steps from `start` on; 0: none that is longer than h/1000.
double step_that_meets(const std::vector<double> &times, double start, double h);
}  // namespace symdyn
