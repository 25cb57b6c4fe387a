#pragma once
#include <functional>

#include "solver/vector.h"

namespace symdyn
{
/// q' = v, v' = a(t, q, v)
struct OdeProblem
{
  /// a [m/s²] for q and v with ghost entries. It may correct prescribed entries of q and v, which are followed then.
  std::function<void(double t, Vector &q, Vector &v, Vector &a)> acceleration;
  double relative_tolerance = 1e-13;
  double absolute_q = 0, absolute_v = 0;  ///< [m], [m/s]
  long max_steps = 1000000;
};

/// Advances q and v from t to t1 by the variable-order, variable-step Adams-Moulton method of SUNDIALS CVODE (Brown, Byrne,
/// Hindmarsh 1989), orders up to 12, functional iteration. Collective. Returns the number of its steps. Errors: ComputationError; q and
/// v are undefined then.
long integrate_by_adams(const OdeProblem &problem, double t, double t1, Vector &q, Vector &v);
}  // namespace symdyn
