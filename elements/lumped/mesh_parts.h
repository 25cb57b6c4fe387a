#pragma once
#include <map>
#include <vector>

#include "elements/mesh_points.h"
#include "elements/space/discretisation.h"

namespace symdyn
{
/// The parts of a mesh: cells that hang together by faces. Each can move as a rigid body without strain, but for the nodes that it shares
/// with others.
template <int dim>
class MeshParts
{
public:
  struct Part
  {
    std::uint64_t cells = 0;
    Place lower{}, upper{};  ///< corners of the box around its vertices [m]
    Place centre() const;    ///< of the box
    double size() const;     ///< half the diagonal of the box [m]
  };
  /// A node of two parts that touch in an edge or a vertex.
  struct Shared
  {
    int first, second;
    Place position;
  };

  /// Collective.
  explicit MeshParts(const Discretisation<dim> &mesh);

  const std::vector<Part> &all() const { return parts; }
  int of_node(const unsigned int local) const { return part_of_node[local]; }
  /// Of all ranks.
  const std::vector<Shared> &shared() const { return shared_nodes; }

private:
  std::vector<int> find_labels(const Discretisation<dim> &mesh) const;
  void measure(const Discretisation<dim> &mesh, std::vector<int> &label);
  void find_shared(const Discretisation<dim> &mesh, const std::vector<int> &label);

  std::vector<Part> parts;
  std::vector<int> part_of_node;  ///< local
  std::vector<Shared> shared_nodes;
};
}  // namespace symdyn
