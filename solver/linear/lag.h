#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

namespace symdyn
{
/// When a preconditioner that was made for an earlier matrix is made again: as soon as the iterations that it has cost beyond those
/// of a fresh one add up to what making it costs. Counts iterations, not seconds, so that runs repeat.
struct Lag
{
  double price = 0;  ///< of making the preconditioner, in iterations

  bool due() const { return !made_once || excess >= price; }
  void forget() { made_once = false; }
  void made()
  {
    made_once = true;
    excess = 0.;
    fresh = std::numeric_limits<double>::infinity();
  }
  void used(const int iterations, const double tolerance)
  {
    const double decades = std::max(1., -std::log10(tolerance));
    fresh = std::min(fresh, iterations / decades);
    excess += iterations - fresh * decades;
  }

private:
  bool made_once = false;
  double fresh = std::numeric_limits<double>::infinity(), excess = 0;  ///< iterations a decade; iterations
};
}  // namespace symdyn
