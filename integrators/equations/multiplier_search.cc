#include "integrators/equations/multiplier_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solver/error.h"

// Multipliers of all constraints at once: Ryckaert, Ciccotti, Berendsen 1977.
namespace symdyn
{
namespace
{
double largest_entry(const std::vector<double> &x)
{
  double size = 0;
  for (const double value : x)
    size = std::isfinite(value) ? std::max(size, std::abs(value)) : value;
  return size;
}
}  // namespace

MultiplierSearch::MultiplierSearch(Multipliers &multipliers, const Vector &q) : multipliers(multipliers)
{
  std::vector<double> u;
  ConstraintRows G;
  multipliers.constraints().gather(q, u);
  multipliers.constraints().jacobian(u, G);
  multipliers.directions(G);
}

int MultiplierSearch::reach(const Vector &end, const double factor, std::vector<double> &lambda, const std::string &name) const
{
  // Newton's errors are squared: after a correction of 1e-9 of all there is the next is rounding.
  constexpr double enough = 1e-9;
  constexpr int most = 30;
  const double smallest = shortest(multipliers.constraints());
  const HolonomicConstraints &g = multipliers.constraints();
  std::vector<double> base, r;
  ConstraintRows G;
  g.gather(end, base);
  std::string history;
  for (int iteration = 0; iteration <= most; ++iteration)
  {
    std::vector<double> u = base, correction(base.size(), 0.);
    multipliers.add(factor, lambda, u);
    g.values(u, r);
    g.jacobian(u, G);
    history += fmt::format("{}{:.3g}", history.empty() ? "" : ", ", largest_entry(r));
    if (!std::isfinite(largest_entry(r)))
      break;
    multipliers.factor(G);
    multipliers.solve(r);
    multipliers.add(1., r, correction);
    for (std::size_t i = 0; i < lambda.size(); ++i)
      lambda[i] -= r[i] / factor;
    if (largest_entry(correction) <= enough * smallest)
      return iteration + 1;
  }
  throw ComputationError(fmt::format("{}: the constraints cannot be met, largest |g| = {}. Lower \"Time step\"", name, history));
}

}  // namespace symdyn
