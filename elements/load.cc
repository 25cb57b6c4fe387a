#include "elements/load.h"

#include <deal.II/base/mpi.h>
#include <deal.II/fe/fe_values.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "solver/parameters.h"

namespace symdyn
{
namespace
{
/// A face of the reference cell: places along it are v_0 + sum s_i t_i.
template <int dim>
struct ReferenceFace
{
  ReferenceFace(const dealii::ReferenceCell &cell, const unsigned int face, const dealii::Quadrature<dim - 1> &rule)
  {
    const auto vertex = [&](const unsigned int v) { return cell.template vertex<dim>(cell.face_to_cell_vertices(face, v, 1)); };
    for (int i = 0; i + 1 < dim; ++i)
      tangents[i] = vertex(i + 1) - vertex(0);
    std::vector<dealii::Point<dim>> places(rule.size(), vertex(0));
    for (unsigned int q = 0; q < rule.size(); ++q)
      for (int i = 0; i + 1 < dim; ++i)
        places[q] += rule.point(q)[i] * tangents[i];
    points = dealii::Quadrature<dim>(places, rule.get_weights());
    outward = normal(tangents) * (vertex(0) - cell.template barycenter<dim>()) > 0. ? 1. : -1.;
  }

  using Tangents = std::array<dealii::Tensor<1, dim>, dim - 1>;
  static dealii::Tensor<1, dim> normal(const Tangents &t)
  {
    if constexpr (dim == 2)
      return dealii::cross_product_2d(t[0]);
    else
      return dealii::cross_product_3d(t[0], t[1]);
  }

  /// Outer normal times the area that a unit of the face's coordinates has, J = dX/dxi.
  dealii::Tensor<1, dim> area(const dealii::DerivativeForm<1, dim, dim> &J) const
  {
    Tangents t;
    for (int i = 0; i + 1 < dim; ++i)
      t[i] = dealii::apply_transformation(J, tangents[i]);
    return outward * normal(t);
  }

  dealii::Quadrature<dim> points;
  Tangents tangents;
  double outward;
};
}  // namespace

// Not with FEFaceValues: on the quadrilaterals of curved wedges that of deal.II 9.4 has no numbers.
template <int dim>
SurfaceIntegral<dim>::SurfaceIntegral(const Discretisation<dim> &mesh, const std::vector<std::string> &boundaries, const bool with_ghosts)
    : communicator(mesh.communicator)
{
  const dealii::ReferenceCell shape = mesh.family.fe->reference_cell();
  std::vector<ReferenceFace<dim>> places;
  std::vector<std::unique_ptr<dealii::FEValues<dim>>> at;
  for (const unsigned int face : shape.face_indices())
  {
    places.emplace_back(shape, face, mesh.family.face_points[face]);
    at.push_back(std::make_unique<dealii::FEValues<dim>>(*mesh.mapping, *mesh.family.fe, places.back().points,
                                                         dealii::update_values | dealii::update_gradients | dealii::update_quadrature_points | dealii::update_jacobians));
  }
  std::set<std::pair<unsigned int, unsigned int>> known;  // cells and their faces: two names may share some
  for (const std::string &boundary : boundaries)
    for (const auto &[cell, number] : mesh.boundary_faces(boundary, with_ghosts))
    {
      if (!known.emplace(cell->active_cell_index(), number).second)
        continue;
      dealii::FEValues<dim> &values = *at[number];
      values.reinit(cell);
      Face face;
      face.nodes = mesh.cell_nodes(cell);
      const auto thick = mesh.thickness.find(cell->material_id());
      const double thickness = thick == mesh.thickness.end() ? 1. : thick->second;
      for (const unsigned int q : values.quadrature_point_indices())
      {
        const dealii::Tensor<1, dim> area = places[number].area(values.jacobian(q));
        face.point.push_back(values.quadrature_point(q));
        face.normal.push_back(area / area.norm());
        face.dA.push_back(thickness * area.norm() * places[number].points.weight(q));
        for (unsigned int a = 0; a < face.nodes.size(); ++a)
        {
          face.shape.push_back(values.shape_value(a, q));
          face.gradient.push_back(values.shape_grad(a, q));
        }
      }
      faces.push_back(std::move(face));
    }
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
  if (components.size() != dim)
    p.fail(name, fmt::format("needs {} components separated by commas", dim));
  if (std::all_of(components.begin(), components.end(), [](const Expression &e) { return e.is_zero(); }))
    p.fail(name, "every component is zero: the load has no effect. Give its value or remove the load");
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
}

template <int dim>
void DeadLoad<dim>::add_force(const double t, const Vector &, const double factor, Vector &f) const
{
  const double s = factor * field.amplitude(t);
  if (s == 0.)
    return;
  Vector now;
  if (!field.steady())
  {
    now.reinit(f);
    integrate(t, now);
  }
  const Vector &load = field.steady() ? steady : now;
  for (unsigned int i = 0; i < f.locally_owned_size() + f.get_partitioner()->n_ghost_indices(); ++i)
    f.local_element(i) += s * load.local_element(i);
}

template class SurfaceIntegral<2>;
template class SurfaceIntegral<3>;
template class LoadField<2>;
template class LoadField<3>;
template class DeadLoad<2>;
template class DeadLoad<3>;
}  // namespace symdyn
