#pragma once
#include "elements/lumped/parts.h"
#include "elements/mesh_points.h"
#include "elements/site_plan.h"

namespace symdyn
{
/// Where parts of a discrete structure may stand: at nodes of its surface, and at its points. Nodes of the surface come first, then the
/// points that are none. They must outlive this.
class PointPlaces : public MeshPoints
{
public:
  /// `surface`: nullptr if there is none; it has so many nodes.
  PointPlaces(const LumpedParts &parts, const MeshPoints *surface, std::int64_t surface_nodes);
  int dimension() const override { return parts.dimension; }
  double size() const override;
  Node nearest(const Place &place) const override;
  std::vector<Node> on_boundary(const std::string &name) const override;
  using MeshPoints::named;
  std::vector<Node> named(const std::string &name) const override;

  /// The node that a point is.
  std::int64_t node(const std::size_t point) const { return of_points[point]; }
  /// How many there are.
  std::int64_t count() const { return nodes; }

private:
  const LumpedParts &parts;
  const MeshPoints *surface;
  std::int64_t nodes;
  std::vector<std::int64_t> of_points;
};
}  // namespace symdyn
