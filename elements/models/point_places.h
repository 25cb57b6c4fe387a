#pragma once
#include "elements/lumped/parts.h"
#include "elements/mesh_points.h"

namespace symdyn
{
/// Where parts of a structure without a mesh may stand: at its points. They must outlive this.
class PointPlaces : public MeshPoints
{
public:
  explicit PointPlaces(const LumpedParts &parts) : parts(parts) {}
  int dimension() const override { return parts.dimension; }
  double size() const override;
  Node nearest(const Place &place) const override;
  std::vector<Node> on_boundary(const std::string &name) const override;
  std::vector<Node> named(const std::string &name) const override;

private:
  const LumpedParts &parts;
};
}  // namespace symdyn
