#pragma once
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "elements/lumped/mesh_parts.h"

namespace symdyn
{
/// Nodes at the same place (nearer than a hundredth of the shortest edge) that belong to parts with different numbers in `group`: a seam
/// whose nodes are not merged.
struct CoincidentNodes
{
  std::uint64_t count = 0;  ///< of such pairs
  int first = -1, second = -1;
  Place position{};  ///< of one of them, of the parts `first` and `second`: the pair with the least coordinates

  /// Numbers of two nodes over all ranks, the smaller first.
  using Pairs = std::set<std::pair<std::int64_t, std::int64_t>>;
  static double tolerance(const double smallest_edge) { return 0.01 * smallest_edge; }
  /// Without the pairs `known`, which are the same on every rank. Collective.
  template <int dim>
  static CoincidentNodes find(const Discretisation<dim> &mesh, const MeshParts<dim> &parts, const std::vector<int> &group,
                              const Pairs &known);
};
}  // namespace symdyn
