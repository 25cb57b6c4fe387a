#include <deal.II/base/quadrature_lib.h>
#include <deal.II/fe/fe_values.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "elements/cells/reference_face.h"
#include "elements/lumped/body_faces.h"
#include "elements/space/cell_identity.h"
#include "elements/space/gathered_faces.h"

namespace symdyn
{
namespace
{
template <int dim>
dealii::Quadrature<dim - 1> rule_of_face(const dealii::ReferenceCell &cell, const unsigned int face, const int points)
{
  constexpr int most_of_triangles = 4;
  if constexpr (dim == 3)
    if (!cell.face_reference_cell(face).is_hyper_cube())
      return dealii::QGaussSimplex<2>(std::min(points, most_of_triangles));
  return dealii::QGauss<dim - 1>(points);
}

/// The values at the points of one face of a reference cell.
template <int dim>
struct FaceRule
{
  FaceRule(const CellRegion<dim> &region, const unsigned int face, const int points)
      : reference(region.shape(), face),
        values(*region.mapping, *region.family.fe, reference.points(rule_of_face<dim>(region.shape(), face, points)),
               dealii::update_values | dealii::update_jacobians)
  {
  }
  ReferenceFace<dim> reference;
  dealii::FEValues<dim> values;
};

/// Nodes whose shape functions are not zero on the face.
template <int dim>
void take_nodes(const Discretisation<dim> &mesh, const std::vector<unsigned int> &nodes, const dealii::FEValues<dim> &values,
                MeshFace &face)
{
  constexpr double none = 1e-12;
  std::vector<unsigned int> there;
  for (unsigned int a = 0; a < nodes.size(); ++a)
    for (const unsigned int q : values.quadrature_point_indices())
      if (std::abs(values.shape_value(a, q)) > none)
      {
        there.push_back(a);
        break;
      }
  for (const unsigned int a : there)
  {
    face.nodes.push_back(int(nodes[a]));
    face.X.push_back(as_place<dim>(mesh.position[nodes[a]]));
  }
  for (const unsigned int q : values.quadrature_point_indices())
    for (const unsigned int a : there)
      face.shape.push_back(values.shape_value(a, q));
}

template <int dim>
MeshFace face_of(const Discretisation<dim> &mesh, const typename Discretisation<dim>::BoundaryFace &of, FaceRule<dim> &rule)
{
  rule.values.reinit(typename dealii::Triangulation<dim>::cell_iterator(of.cell));
  MeshFace face;
  face.group = mesh.materials.at(of.cell->material_id());
  const auto thick = mesh.thickness.find(of.cell->material_id());
  const double thickness = thick == mesh.thickness.end() ? 1. : thick->second;
  double area = 0;
  for (const unsigned int q : rule.values.quadrature_point_indices())
  {
    const dealii::Tensor<1, dim> normal = rule.reference.area(rule.values.jacobian(q));
    const double dA = normal.norm() * rule.values.get_quadrature().weight(q);
    // det J is the volume over a unit of reference coordinates, the norm its area: of all shapes this is the height of the cell.
    face.height += rule.values.jacobian(q).determinant() / normal.norm() * dA;
    area += dA;
    face.dA.push_back(thickness * dA);
  }
  face.height /= area;
  face.size = dim == 2 ? area : std::sqrt(area);
  face.identity = cell_identity(of.cell, 1 + of.face);
  take_nodes(mesh, mesh.cell_nodes(of.cell), rule.values, face);
  face.owned = face.nodes.front() < mesh.n_owned_nodes();
  return face;
}
}  // namespace

template <int dim>
std::vector<MeshFace> faces_of_body(const Discretisation<dim> &mesh, const std::vector<std::string> &boundaries, const int points)
{
  std::map<std::pair<unsigned int, unsigned int>, std::unique_ptr<FaceRule<dim>>> rules;  // by region and face
  std::vector<MeshFace> all;
  for (const auto &face : boundary_faces(mesh, boundaries, true))
  {
    auto &rule = rules[{face.cell->active_fe_index(), face.face}];
    if (!rule)
      rule = std::make_unique<FaceRule<dim>>(mesh.region_of(face.cell), face.face, points);
    all.push_back(face_of(mesh, face, *rule));
    if (std::none_of(all.back().nodes.begin(), all.back().nodes.end(), [&](const int node) { return node < mesh.n_owned_nodes(); }))
      all.pop_back();
  }
  return all;
}

template std::vector<MeshFace> faces_of_body(const Discretisation<2> &, const std::vector<std::string> &, int);
template std::vector<MeshFace> faces_of_body(const Discretisation<3> &, const std::vector<std::string> &, int);
}  // namespace symdyn
