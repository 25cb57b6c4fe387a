#include "elements/reference_element.h"

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_simplex_p.h>
#include <fmt/format.h>

#include <algorithm>

#include "elements/serendipity.h"
#include "solver/error.h"

namespace symdyn
{
const std::vector<std::string> &formulation_names()
{
  static const std::vector<std::string> names = {"standard", "mean-dilatation", "incompatible-modes", "serendipity", "serendipity-reduced"};
  return names;
}

Formulation formulation_of(const std::string &name)
{
  const auto &names = formulation_names();
  return Formulation(std::find(names.begin(), names.end(), name) - names.begin());
}

template <int dim>
ReferenceElement<dim>::ReferenceElement(const dealii::FiniteElement<dim> &fe, const dealii::Quadrature<dim> &quadrature, const bool curved)
    : nodes(fe.n_dofs_per_cell()), vertices(curved ? nodes : fe.reference_cell().n_vertices()), points(quadrature.size())
{
  std::unique_ptr<dealii::FiniteElement<dim>> geometry;
  if (curved)
    geometry = fe.clone();
  else if (fe.reference_cell().is_hyper_cube())
    geometry = std::make_unique<dealii::FE_Q<dim>>(1);
  else
    geometry = std::make_unique<dealii::FE_SimplexP<dim>>(1);
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
ElementFamily<dim>::ElementFamily(const dealii::ReferenceCell &cell, const int degree, const Formulation formulation, const bool curved)
    : simplex(cell.is_simplex()), formulation(formulation), curved(curved)
{
  const int highest = simplex ? 2 : 4;
  if (degree < 1 || degree > highest)
    throw InputError(fmt::format("degree {} is not supported for {} cells; there is 1 to {}", degree, cell.to_string(), highest));
  const bool serendipity = is_serendipity(formulation);
  const int needed = serendipity ? 2 : 1;
  if (formulation != Formulation::standard && (simplex || degree != needed))
    throw InputError(fmt::format("Element = {} exists for quadrilaterals and hexahedra of degree {}, not for {} cells of degree {}. Set Degree = {}, or Element "
                                 "= standard",
                                 formulation_names()[int(formulation)], needed, cell.to_string(), degree, needed));
  if (simplex)
  {
    fe = std::make_unique<dealii::FE_SimplexP<dim>>(degree);
    stiffness_points = dealii::QWitherdenVincentSimplex<dim>(degree);
    mass_points = dealii::QWitherdenVincentSimplex<dim>(degree + 1);
    face_points = dealii::QWitherdenVincentSimplex<dim - 1>(degree + 1);
  }
  else
  {
    if (serendipity)
      fe = std::make_unique<Serendipity<dim>>();
    else
      fe = std::make_unique<dealii::FE_Q<dim>>(degree);
    stiffness_points = mass_points = dealii::QGauss<dim>(degree + 1);
    face_points = dealii::QGauss<dim - 1>(degree + 1);
  }
  if (formulation == Formulation::serendipity_reduced)
    stiffness_points = dealii::QGauss<dim>(degree);
  stiffness = ReferenceElement<dim>(*fe, stiffness_points, curved);
  mass = ReferenceElement<dim>(*fe, mass_points, curved);
}

template struct ReferenceElement<2>;
template struct ReferenceElement<3>;
template struct ElementFamily<2>;
template struct ElementFamily<3>;
}  // namespace symdyn
