#include "elements/lumped/parts.h"

#include <fmt/format.h>

namespace symdyn
{
std::string LumpedPoint::support() const
{
  std::string axes;
  for (int d = 0; d < 3; ++d)
    axes += free[d] ? fmt::format("{}{}", axes.empty() ? "" : ", ", "xyz"[d]) : "";
  return name + (axes.empty() ? " (fixed)" : " (fixed but for " + axes + ")");
}

std::vector<double> LumpedParts::positions() const
{
  std::vector<double> X;
  for (const LumpedPoint &point : points)
    X.insert(X.end(), point.position.begin(), point.position.begin() + dimension);
  return X;
}

void LumpedParts::couple(const std::function<void(int, int)> &join) const
{
  for (const auto &term : terms)
    term->couple(join);
  for (const auto &term : damping)
    term->couple(join);
}
}  // namespace symdyn
