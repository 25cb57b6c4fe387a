#include "elements/cells/formulations/standard_simplex.h"

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/fe/fe_simplex_p.h>

#include <array>
#include <cmath>

#include "elements/cells/curved_kernels.h"
#include "elements/cells/gauss_line.h"
#include "elements/cells/simplex_kernels.h"
#include "solver/registry.h"

namespace symdyn
{
template <int dim>
std::unique_ptr<dealii::FiniteElement<dim>> StandardSimplex<dim>::element(const Shape &, const int degree) const
{
  return std::make_unique<dealii::FE_SimplexP<dim>>(degree);
}

template <int dim>
dealii::Quadrature<dim> StandardSimplex<dim>::stiffness_points(const Shape &, const int degree) const
{
  return dealii::QWitherdenVincentSimplex<dim>(degree);
}

template <int dim>
dealii::Quadrature<dim> FewPoints<dim>::stiffness_points(const Shape &, const int degree) const
{
  return small_simplex_rule<dim>(degree);
}

/// N_a N_b det J is of degree 7 in curved tetrahedra of degree 2, 6 in triangles.
template <int dim>
dealii::Quadrature<dim> StandardSimplex<dim>::mass_points(const Shape &, const int degree, const bool curved) const
{
  return dealii::QWitherdenVincentSimplex<dim>(degree + (curved ? 2 : 1));
}

template <int dim>
dealii::Quadrature<dim> StandardSimplex<dim>::fine_points(const int points) const
{
  return dealii::QWitherdenVincentSimplex<dim>(points);
}

/// One of C3D4, and of a triangle as a wedge of two layers; of C3D10 four, of a triangle three.
template <int dim>
std::vector<dealii::Point<dim>> StandardSimplex<dim>::table_points(const unsigned int count) const
{
  return points_in_simplex<dealii::Point<dim>>(dim, count <= 2);
}

template <int dim>
std::unique_ptr<CellKernels<dim>> StandardSimplex<dim>::kernels(const ElementFamily<dim> &family) const
{
  if (!family.curved)
    return make_simplex_kernels(family);
  const ElementFamily<dim> straight(family.fe->reference_cell(), family.fe->degree, name);
  return make_curved_kernels(family, make_simplex_kernels(straight));
}

template <int dim>
void StandardSimplex<dim>::lump(const ElementFamily<dim> &family, const CellKernels<dim> &kernels, const Wide *X, const double density,
                                Wide *m) const
{
  if (family.fe->degree == 1)
    Formulation<dim>::lump(family, kernels, X, density, m);
  else
    scale_diagonal(family, kernels, X, density, m);
}

template <int dim>
CellForecast StandardSimplex<dim>::forecast(const int degree, const int refinements) const
{
  CellForecast cell;
  cell.nodes = degree == 1 ? dim + 1 : (dim + 1) * (dim + 2) / 2;
  cell.vertices = dim + 1.;
  cell.row_length = dim == 2 ? (degree == 1 ? 7. : 12.) : (degree == 1 ? 15. : 29.);
  cell.bytes = dim == 2 ? 290. : 610.;
  cell.coarse_bytes = (dim == 2 ? 180. : 330.) * std::pow(2., dim * refinements);  // refined before it is distributed
  // By Euler's formula, with 5 to 6 tetrahedra or 2 triangles a vertex.
  const double nodes = dim == 2 ? (degree == 1 ? 0.5 : 2.) : (degree == 1 ? 0.18 : 1.4);
  cell.nodes_of_body = [nodes](const double cells) { return cells * nodes; };
  return cell;
}

/// Corners, and in degree 2 the middles of the edges 01, 12, 20 (, 03, 13, 23).
template <int dim>
VtkCell<dim> StandardSimplex<dim>::vtk_cell(const dealii::FiniteElement<dim> &fe) const
{
  constexpr std::array<std::array<std::uint8_t, 2>, 2> types{{{5, 22}, {10, 24}}};  // by dimension: of degree 1, and above
  std::vector<dealii::Point<dim>> points(dim + 1);
  for (int d = 0; d < dim; ++d)
    points[d + 1][d] = 1.;
  const std::vector<std::array<int, 2>> edges{{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
  for (std::size_t e = 0; fe.degree == 2 && e < (dim == 2 ? 3 : edges.size()); ++e)
    points.push_back(points[edges[e][0]] + (points[edges[e][1]] - points[edges[e][0]]) / 2.);
  return {types[dim - 2][fe.degree > 1], points};
}

template class StandardSimplex<2>;
template class StandardSimplex<3>;
SYMDYN_REGISTER(Formulation<2>, StandardSimplex<2>, "standard/simplices");
SYMDYN_REGISTER(Formulation<3>, StandardSimplex<3>, "standard/simplices");
template class FewPoints<2>;
template class FewPoints<3>;
SYMDYN_REGISTER(Formulation<2>, FewPoints<2>, "few-points/simplices");
SYMDYN_REGISTER(Formulation<3>, FewPoints<3>, "few-points/simplices");
}  // namespace symdyn
