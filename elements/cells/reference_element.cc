#include "elements/cells/reference_element.h"

#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_simplex_p.h>
#include <deal.II/fe/fe_wedge_p.h>
#include <deal.II/fe/mapping_fe.h>

#include "elements/cells/formulations/pyramid_element.h"

namespace symdyn
{
namespace
{
/// Lagrange element of degree 1.
template <int dim>
std::unique_ptr<dealii::FiniteElement<dim>> linear_element(const dealii::ReferenceCell &cell)
{
  if (cell.is_hyper_cube())
    return std::make_unique<dealii::FE_Q<dim>>(1);
  if (cell.is_simplex())
    return std::make_unique<dealii::FE_SimplexP<dim>>(1);
  if constexpr (dim == 3)
    if (cell == dealii::ReferenceCells::Pyramid)
      return std::make_unique<PyramidElement>();
  return std::make_unique<dealii::FE_WedgeP<dim>>(1);
}
}  // namespace

template <int dim>
std::shared_ptr<const dealii::Mapping<dim>> straight_mapping(const dealii::ReferenceCell &cell)
{
  if (cell == dealii::ReferenceCells::Pyramid)  // deal.II's has other gradients at the apex
    return std::make_shared<dealii::MappingFE<dim>>(*linear_element<dim>(cell));
  return cell.get_default_mapping<dim>(1);
}

template <int dim>
ReferenceElement<dim>::ReferenceElement(const dealii::FiniteElement<dim> &fe, const dealii::Quadrature<dim> &quadrature, const bool curved)
    : nodes(fe.n_dofs_per_cell()), vertices(curved ? nodes : fe.reference_cell().n_vertices()), points(quadrature.size())
{
  const std::unique_ptr<dealii::FiniteElement<dim>> geometry = curved ? fe.clone() : linear_element<dim>(fe.reference_cell());
  for (int q = 0; q < points; ++q)
  {
    const auto &x = quadrature.point(q);
    weight.push_back(quadrature.weight(q));
    for (int a = 0; a < nodes; ++a)
    {
      shape.push_back(fe.shape_value(a, x));
      for (int d = 0; d < dim; ++d)
        gradient.push_back(fe.shape_grad(a, x)[d]);
    }
    for (int v = 0; v < vertices; ++v)
    {
      vertex_shape.push_back(geometry->shape_value(v, x));
      for (int d = 0; d < dim; ++d)
        vertex_gradient.push_back(geometry->shape_grad(v, x)[d]);
    }
  }
}

template <int dim>
ElementFamily<dim>::ElementFamily(const dealii::ReferenceCell &cell, const int degree, const std::string &name, const bool curved)
    : formulation(find_formulation<dim>(name, cell, degree)),
      fe(formulation->element(cell, degree)),
      stiffness_points(formulation->stiffness_points(cell, degree)),
      mass_points(formulation->mass_points(cell, degree, curved)),
      load_points(formulation->load_points(cell, degree)),
      stiffness(*fe, stiffness_points, curved),
      mass(*fe, mass_points, curved),
      curved(curved)
{
  for (const unsigned int face : cell.face_indices())
    face_points.push_back(formulation->face_points(cell.face_reference_cell(face), degree));
}

template std::shared_ptr<const dealii::Mapping<2>> straight_mapping(const dealii::ReferenceCell &);
template std::shared_ptr<const dealii::Mapping<3>> straight_mapping(const dealii::ReferenceCell &);
template struct ReferenceElement<2>;
template struct ReferenceElement<3>;
template struct ElementFamily<2>;
template struct ElementFamily<3>;
}  // namespace symdyn
