#pragma once
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

  /// Collective.
  template <int dim>
  static CoincidentNodes find(const Discretisation<dim> &mesh, const MeshParts<dim> &parts, const std::vector<int> &group);
};
}  // namespace symdyn
