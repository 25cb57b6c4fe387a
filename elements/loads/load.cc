#include "elements/load.h"

#include <deal.II/base/mpi.h>
#include <deal.II/fe/fe_values.h>

#include <set>

#include "elements/cells/reference_face.h"
#include "solver/parameters.h"

namespace symdyn
{
namespace
{
/// Points of one face, which `values` is at.
template <int dim>
typename SurfaceIntegral<dim>::Face points_of_face(const Discretisation<dim> &mesh, const typename Discretisation<dim>::Cell &cell,
                                                   const ReferenceFace<dim> &reference, const dealii::FEValues<dim> &values)
{
  typename SurfaceIntegral<dim>::Face face;
  face.nodes = mesh.cell_nodes(cell);
  const auto thick = mesh.thickness.find(cell->material_id());
  const double thickness = thick == mesh.thickness.end() ? 1. : thick->second;
  for (const unsigned int q : values.quadrature_point_indices())
  {
    const dealii::Tensor<1, dim> area = reference.area(values.jacobian(q));
    face.point.push_back(values.quadrature_point(q));
    face.normal.push_back(area / area.norm());
    face.dA.push_back(thickness * area.norm() * values.get_quadrature().weight(q));
    for (unsigned int a = 0; a < face.nodes.size(); ++a)
    {
      face.shape.push_back(values.shape_value(a, q));
      face.gradient.push_back(values.shape_grad(a, q));
    }
  }
  return face;
}

const auto what_faces_need = dealii::update_values | dealii::update_gradients | dealii::update_quadrature_points | dealii::update_jacobians;
}  // namespace

// Not with FEFaceValues: on the quadrilaterals of curved wedges that of deal.II 9.4 has no numbers.
template <int dim>
SurfaceIntegral<dim>::SurfaceIntegral(const Discretisation<dim> &mesh, const std::vector<std::string> &boundaries, const bool with_ghosts)
    : communicator(mesh.communicator)
{
  std::vector<std::vector<ReferenceFace<dim>>> places;  // by region and face
  std::vector<std::vector<std::unique_ptr<dealii::FEValues<dim>>>> at;
  for (const CellRegion<dim> &region : mesh.regions)
  {
    places.emplace_back();
    at.emplace_back();
    for (const unsigned int face : region.shape().face_indices())
    {
      places.back().emplace_back(region.shape(), face);
      at.back().push_back(std::make_unique<dealii::FEValues<dim>>(
          *region.mapping, *region.family.fe, places.back().back().points(region.family.face_points[face]), what_faces_need));
    }
  }
  for (const auto &[cell, number] : boundary_faces(mesh, boundaries, with_ghosts))
  {
    const unsigned int region = cell->active_fe_index();
    at[region][number]->reinit(typename dealii::Triangulation<dim>::cell_iterator(cell));
    faces.push_back(points_of_face(mesh, cell, places[region][number], *at[region][number]));
  }
}

template <int dim>
typename SurfaceIntegral<dim>::Face SurfaceIntegral<dim>::at_points(const Discretisation<dim> &mesh,
                                                                    const typename Discretisation<dim>::BoundaryFace &face,
                                                                    const dealii::Quadrature<dim - 1> &rule)
{
  const CellRegion<dim> &region = mesh.region_of(face.cell);
  const ReferenceFace<dim> reference(region.shape(), face.face);
  dealii::FEValues<dim> values(*region.mapping, *region.family.fe, reference.points(rule), what_faces_need);
  values.reinit(typename dealii::Triangulation<dim>::cell_iterator(face.cell));
  return points_of_face(mesh, face.cell, reference, values);
}

template <int dim>
double SurfaceIntegral<dim>::area() const
{
  double sum = 0;
  for (const Face &face : faces)
    for (const double dA : face.dA)
      sum += dA;
  return dealii::Utilities::MPI::sum(sum, communicator);
}

template <int dim>
void LoadField<dim>::declare(Parameters &p, const std::string &name, const std::string &help)
{
  p.add(name, components, help);
  amplitude.declare(p);
  check_force(p, name, components, dim);
}

template <int dim>
dealii::Tensor<1, dim> LoadField<dim>::at(const dealii::Point<dim> &x, const double t) const
{
  dealii::Tensor<1, dim> value;
  for (int d = 0; d < dim; ++d)
    value[d] = components[d].at(&x[0], dim, t);
  return value;
}

template <int dim>
bool LoadField<dim>::steady() const
{
  for (const Expression &component : components)
    if (component.uses("t"))
      return false;
  return true;
}

template <int dim>
void DeadLoad<dim>::remember(const Discretisation<dim> &mesh)
{
  if (!field.steady())
    return;
  steady = mesh.new_vector();
  integrate(0., steady);
  steady.compress(dealii::VectorOperation::add);
}

template <int dim>
void DeadLoad<dim>::add_force(const Moment &now, const Vector &, const double factor, Vector &f) const
{
  const double s = factor * field.amplitude(now);
  if (s == 0.)
    return;
  if (field.steady())
  {
    for (unsigned int i = 0; i < f.locally_owned_size(); ++i)
      f.local_element(i) += s * steady.local_element(i);
    return;
  }
  Vector present(f.get_partitioner());
  integrate(now.t, present);
  for (unsigned int i = 0; i < f.locally_owned_size() + f.get_partitioner()->n_ghost_indices(); ++i)
    f.local_element(i) += s * present.local_element(i);
}

template class SurfaceIntegral<2>;
template class SurfaceIntegral<3>;
template class LoadField<2>;
template class LoadField<3>;
template class DeadLoad<2>;
template class DeadLoad<3>;
}  // namespace symdyn
