#pragma once
#include <string>
#include <vector>

#include "elements/supports/supported_nodes.h"

namespace symdyn
{
class Parameters;

/// Where a support holds: on boundaries, at nodes that the mesh's file names, at the node of a point, or at the nodes on a line.
struct SupportRegion
{
  std::vector<std::string> boundaries, node_names;
  std::vector<double> point, line;  ///< coordinates; of the line those of both ends [m]

  void add_entries(Parameters &p);
  /// Errors: InputError unless exactly one of Boundary, Nodes, Point, Line is given, with as many coordinates as the mesh has.
  void check(const Parameters &p, int dimension) const;
  /// The entry that is given: "Boundary".
  std::string entry() const;
  /// For summaries: "root, tip", "Point 0, 0, 0".
  std::string text() const;

  /// Local nodes of a region that has no boundaries. Collective. Errors: InputError for names that do not exist, a point or a line without
  /// a node.
  template <int dim>
  std::vector<unsigned int> nodes(const SupportedNodes<dim> &mesh) const;
};
}  // namespace symdyn
