#pragma once
#include <functional>
#include <string>
#include <vector>

#include "solver/vibration/complex_modes.h"

namespace symdyn
{
/// Complex modes along a load factor, as branches that keep their form.
struct LoadBranches
{
  struct Point
  {
    double factor;
    int branch;
    std::complex<double> value;  ///< lambda [1/s]
  };
  std::vector<Point> points;
  double stable = 0;                  ///< the largest factor up to the first unstable one where nothing grows
  double critical = 0;                ///< the smallest one where a motion grows; infinite: none does
  std::vector<std::size_t> grows;     ///< modes of `at_critical` that grow there
  ComplexModes at_critical, at_last;  ///< at the last factor, where nothing grows
  bool from_the_start() const { return critical <= points.front().factor; }
};

/// The first of the factors between two where Re lambda > 1e-9 |lambda| for a mode: `intervals` of equal length are looked at, and the
/// first at whose end a motion grows is bisected to `tolerance` of the factor. A motion that grows within an interval alone is not seen.
/// `modes`: at a factor. Branches go on with the mode of largest assurance(). Errors: those of `modes`.
LoadBranches find_instability(const MechanicalSystem &system, const std::function<ComplexModes(double)> &modes, double first, double last,
                              int intervals, double tolerance);
}  // namespace symdyn
