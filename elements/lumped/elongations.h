#pragma once
#include <functional>
#include <utility>
#include <vector>

namespace symdyn
{
/// Of terms whose forces act along lines: what their elongations measure, whether or not they resist at present (a cable may be slack, a
/// table may have a gap).
class Elongations
{
public:
  using Visit = std::function<void(const std::vector<std::pair<int, double>> &)>;
  virtual ~Elongations() = default;
  /// visit(row): de/dx of each elongation e as (coordinate, factor), of unit length at each end.
  virtual void visit_elongations(const double *x, const Visit &visit) const = 0;
};
}  // namespace symdyn
