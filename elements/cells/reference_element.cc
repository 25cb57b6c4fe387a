#include "elements/cells/reference_element.h"

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_simplex_p.h>
#include <deal.II/fe/fe_wedge_p.h>
#include <fmt/format.h>

#include <algorithm>

#include "elements/cells/formulations/serendipity.h"
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
  return std::make_unique<dealii::FE_WedgeP<dim>>(1);
}

/// A rule of the triangle times one of the line.
template <int dim>
dealii::Quadrature<dim> tensor_product(const dealii::Quadrature<2> &triangle, const dealii::Quadrature<1> &line)
{
  std::vector<dealii::Point<dim>> points;
  std::vector<double> weights;
  for (unsigned int k = 0; k < line.size(); ++k)
    for (unsigned int j = 0; j < triangle.size(); ++j)
    {
      points.emplace_back();
      for (int d = 0; d < dim; ++d)
        points.back()[d] = d < 2 ? triangle.point(j)[d] : line.point(k)[0];
      weights.push_back(line.weight(k) * triangle.weight(j));
    }
  return {points, weights};
}

/// The middle of the triangle, or three points inside it, exact for degree 1 and 2.
dealii::Quadrature<2> few_points(const int degree)
{
  constexpr double area = 0.5, near = 1. / 6., far = 2. / 3.;
  if (degree == 1)
    return dealii::Quadrature<2>({dealii::Point<2>(1. / 3., 1. / 3.)}, {area});
  return dealii::Quadrature<2>({{near, near}, {far, near}, {near, far}}, {area / 3., area / 3., area / 3.});
}

/// Triangles `of_wedge` of degree 2 have few points as in CalculiX, exact for the vector of their area.
template <int dim>
dealii::Quadrature<dim> rule_of_face(const dealii::ReferenceCell &face, const int degree, const bool of_wedge)
{
  if (face != dealii::ReferenceCells::Triangle)
    return dealii::QGauss<dim>(degree + 1);
  if constexpr (dim == 2)
    if (of_wedge && degree == 2)
      return few_points(degree);
  return dealii::QWitherdenVincentSimplex<dim>(degree + 1);
}
}  // namespace

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
ElementFamily<dim>::ElementFamily(const dealii::ReferenceCell &cell, const int degree, const Formulation formulation, const bool curved)
    : simplex(cell.is_simplex()), tensor(cell.is_hyper_cube()), formulation(formulation), curved(curved)
{
  const int highest = tensor ? 4 : 2;
  if (degree < 1 || degree > highest)
    throw InputError(fmt::format("degree {} is not supported for {} cells; there is 1 to {}", degree, cell.to_string(), highest));
  const bool serendipity = is_serendipity(formulation);
  const int needed = serendipity ? 2 : 1;
  if (formulation != Formulation::standard && (!tensor || degree != needed))
    throw InputError(fmt::format(
        "Element = {} exists for quadrilaterals and hexahedra of degree {}, not for {} cells of degree {}. Set Degree = {}, or Element "
        "= standard",
        formulation_names()[int(formulation)], needed, cell.to_string(), degree, needed));
  if (simplex)
  {
    fe = std::make_unique<dealii::FE_SimplexP<dim>>(degree);
    stiffness_points = dealii::QWitherdenVincentSimplex<dim>(degree);
    mass_points = dealii::QWitherdenVincentSimplex<dim>(degree + 1);
  }
  else if (!tensor)
  {
    const dealii::QWitherdenVincentSimplex<2> triangle(degree + 1);
    const dealii::QGauss<1> line(degree + 1);
    if (degree == 1)
      fe = linear_element<dim>(cell);
    else
      fe = std::make_unique<Serendipity<dim>>(cell);
    stiffness_points = tensor_product<dim>(few_points(degree), line);
    mass_points = tensor_product<dim>(triangle, line);
  }
  else
  {
    if (serendipity)
      fe = std::make_unique<Serendipity<dim>>(cell);
    else
      fe = std::make_unique<dealii::FE_Q<dim>>(degree);
    stiffness_points = mass_points = dealii::QGauss<dim>(degree + 1);
  }
  for (const unsigned int face : cell.face_indices())
    face_points.push_back(rule_of_face<dim - 1>(cell.face_reference_cell(face), degree, !simplex));
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
