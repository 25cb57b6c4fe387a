#pragma once
#include <string>
#include <vector>

#include "solver/dynamics/multipliers.h"

namespace symdyn
{
/// Multipliers that lead a step onto the constraints.
class MultiplierSearch
{
public:
  /// Forces of the constraints act as they do at q: W = M^-1 G(q)ᵀ.
  MultiplierSearch(Multipliers &multipliers, const Vector &q);
  /// Newton's method for lambda in g(end + factor W lambda) = 0 from a guess (Ryckaert, Ciccotti, Berendsen 1977, all constraints at once).
  /// Returns its iterations. Errors: ComputationError with `name`.
  int reach(const Vector &end, double factor, std::vector<double> &lambda, const std::string &name) const;

private:
  Multipliers &multipliers;
};
}  // namespace symdyn
