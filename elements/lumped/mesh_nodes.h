#pragma once
#include "elements/mesh_faces.h"
#include "elements/mesh_points.h"
#include "elements/space/discretisation.h"

namespace symdyn
{
/// The nodes and the boundary of a distributed mesh.
template <int dim>
class MeshNodes : public MeshPoints, public MeshFaces
{
public:
  explicit MeshNodes(const Discretisation<dim> &mesh);
  int dimension() const override { return dim; }
  double size() const override { return diagonal; }
  Node nearest(const Place &place) const override;
  std::vector<Node> on_boundary(const std::string &name) const override;
  std::vector<Node> named(const std::string &name) const override;
  std::vector<Node> named(const std::vector<std::string> &names) const override;
  std::vector<MeshFace> faces(const std::vector<std::string> &boundaries, int points, const PlannedSites &) const override;
  std::vector<BoundaryCell> boundary_cells(const std::vector<std::string> &boundaries) const override;
  /// In 1-D the end mass of an element of degree d is 1/(d (d + 1)) of it (Gauss-Lobatto).
  double part_of_mass(const std::vector<std::string> &) const override { return 1. / (mesh.degree() * (mesh.degree() + 1.)); }

private:
  /// Of an owned node.
  Node node(int local) const;

  const Discretisation<dim> &mesh;
  double diagonal = 0;
};
}  // namespace symdyn
