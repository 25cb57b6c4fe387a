#pragma once
#include "solver/actions.h"
#include "solver/deck/formula/table.h"

namespace symdyn
{
/// The mean of a table a(s) about a time, with the weights of the virtual work of steps of length h,
///     a_h(t) = 1/h ∫ (1 - |s - t|/h) a(s) ds,   t - h <= s <= t + h                                      [-]
/// A path that is straight within each step makes the virtual work ∫ a f·δq ds = Σ_n h a_h(t_n) f·δq_n: a_h(t_n) are the discrete forces of
/// the Lagrange-d'Alembert principle with the load integrated exactly (Marsden and West 2001, sect. 3.2: f_d^- + f_d^+ = ∫ f ds in each
/// step). So the impulse Σ h a_h and its moment Σ h a_h t_n are those of the table, and a_h = a where a is straight. Before `start` the
/// table is continued as its mirror image, so that half of the first value, which the first step takes, has the impulse of the first half
/// hat. a_h depends on the time alone: a load keeps its potential, and a scheme what it keeps. Exact: products of straight lines, by
/// Simpson's rule.
class StepMean
{
public:
  enum class Beyond
  {
    constant,  ///< the table goes on with its first and last value
    zero
  };
  StepMean(const Averaging &steps) : h(steps.h), start(steps.start) {}  // NOLINT: the same, with a function
  bool on() const { return h > 0.; }
  double operator()(const Table &table, double t, Beyond beyond) const;

private:
  double h, start;  ///< [s]
};
}  // namespace symdyn
