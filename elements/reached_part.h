#pragma once
#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/error.h"

namespace symdyn
{
/// How far temperatures have come from those of the start to those that the deck asks for, one part of all places where they are
/// remembered: T = from + part way. `each(visit)` calls visit(from, way, T) of all places of this rank [K]. Collective. Errors: InputError
/// where they have not come equally far.
template <class Each>
double reached_part(const Each &each, const MPI_Comm ranks)
{
  namespace MPI = dealii::Utilities::MPI;
  double span = 0., part = 0., scale = 0., error = 0.;
  each([&](const double from, const double way, const double T) {
    scale = std::max({scale, std::abs(T), std::abs(way)});
    if (std::abs(way) > span)
    {
      span = std::abs(way);
      part = (T - from) / way;
    }
  });
  const double widest = MPI::max(span, ranks);
  part = widest > 0. ? MPI::max(span == widest ? part : -std::numeric_limits<double>::infinity(), ranks) : 0.;
  each([&](const double from, const double way, const double T) { error = std::max(error, std::abs(from + part * way - T)); });
  constexpr double rounding = 1e-9;
  if (MPI::max(double(error > rounding * scale), ranks) > 0.)
    throw InputError("NT: this stage keeps temperatures that changed with time before it, and those of nodes are not known. Leave NT out");
  return part;
}
}  // namespace symdyn
