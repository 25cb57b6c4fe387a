#include "elements/cells/formulations/standard_tensor.h"

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/fe/fe_q.h>

#include <array>
#include <cmath>

#include "elements/cells/curved_kernels.h"
#include "elements/cells/gauss_line.h"
#include "elements/cells/tensor_kernels.h"
#include "solver/registry.h"

namespace symdyn
{
namespace
{
using Indices = std::array<unsigned int, 3>;

/// Where point (i, j) of the p + 1 by p + 1 of a Lagrange quadrilateral stands: corners, edges, inside
/// (vtkHigherOrderQuadrilateral::PointIndexFromIJK).
unsigned int place_in_quadrilateral(const Indices &at, const unsigned int p)
{
  const auto [i, j, k] = at;
  const bool i_end = i == 0 || i == p, j_end = j == 0 || j == p;
  if (i_end && j_end)
    return i ? (j ? 2 : 1) : (j ? 3 : 0);
  constexpr unsigned int corners = 4;
  const unsigned int n = p - 1;
  if (j_end)
    return corners + (i - 1) + (j ? 2 * n : 0);
  if (i_end)
    return corners + (j - 1) + (i ? n : 3 * n);
  return corners + 4 * n + (i - 1) + n * (j - 1);
}

/// The same of a Lagrange hexahedron: corners, edges, faces, inside, in the order of files before version 2.1
/// (vtkHigherOrderHexahedron::PointIndexFromIJK; VTK's reader turns the vertical edges round).
unsigned int place_in_hexahedron(const Indices &at, const unsigned int p)
{
  const auto [i, j, k] = at;
  const bool i_end = i == 0 || i == p, j_end = j == 0 || j == p, k_end = k == 0 || k == p;
  const unsigned int n = p - 1;
  if (i_end && j_end && k_end)
    return (i ? (j ? 2 : 1) : (j ? 3 : 0)) + (k ? 4 : 0);
  constexpr unsigned int corners = 8;
  if (j_end && k_end)
    return corners + (i - 1) + (j ? 2 * n : 0) + (k ? 4 * n : 0);
  if (i_end && k_end)
    return corners + (j - 1) + (i ? n : 3 * n) + (k ? 4 * n : 0);
  if (i_end && j_end)
    return corners + 8 * n + (k - 1) + n * (i ? (j ? 3 : 1) : (j ? 2 : 0));
  const unsigned int faces = corners + 12 * n, face = n * n;
  if (i_end)
    return faces + (j - 1) + n * (k - 1) + (i ? face : 0);
  if (j_end)
    return faces + 2 * face + (i - 1) + n * (k - 1) + (j ? face : 0);
  if (k_end)
    return faces + 4 * face + (i - 1) + n * (j - 1) + (k ? face : 0);
  return faces + 6 * face + (i - 1) + n * ((j - 1) + n * (k - 1));
}

template <int dim>
std::vector<dealii::Point<dim>> lattice(const unsigned int p)
{
  std::vector<dealii::Point<dim>> points(dim == 2 ? (p + 1) * (p + 1) : (p + 1) * (p + 1) * (p + 1));
  for (unsigned int k = 0; k <= (dim == 2 ? 0 : p); ++k)
    for (unsigned int j = 0; j <= p; ++j)
      for (unsigned int i = 0; i <= p; ++i)
      {
        const Indices at{i, j, k};
        dealii::Point<dim> &point = points[dim == 2 ? place_in_quadrilateral(at, p) : place_in_hexahedron(at, p)];
        for (int d = 0; d < dim; ++d)
          point[d] = double(at[d]) / p;
      }
  return points;
}
}  // namespace

template <int dim>
std::unique_ptr<dealii::FiniteElement<dim>> StandardTensor<dim>::element(const Shape &, const int degree) const
{
  return std::make_unique<dealii::FE_Q<dim>>(degree);
}

template <int dim>
dealii::Quadrature<dim> StandardTensor<dim>::stiffness_points(const Shape &, const int degree) const
{
  return dealii::QGauss<dim>(degree + 1);
}

template <int dim>
dealii::Quadrature<dim> StandardTensor<dim>::mass_points(const Shape &, const int degree, bool) const
{
  return dealii::QGauss<dim>(degree + 1);
}

template <int dim>
dealii::Quadrature<dim> StandardTensor<dim>::fine_points(const int points) const
{
  return dealii::QGauss<dim>(points);
}

template <int dim>
std::vector<dealii::Point<dim>> StandardTensor<dim>::table_points(const unsigned int count) const
{
  const std::vector<double> x = gauss_line(count == 1 ? 1 : count == 8 ? 2 : 3);
  const std::size_t n = x.size();
  std::vector<dealii::Point<dim>> points;
  for (std::size_t k = 0; k < (dim == 3 ? n : 1); ++k)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < n; ++i)
      {
        const double place[] = {x[i], x[j], x[k]};
        points.emplace_back();
        for (int d = 0; d < dim; ++d)
          points.back()[d] = place[d];
      }
  return points;
}

template <int dim>
std::unique_ptr<CellKernels<dim>> StandardTensor<dim>::kernels(const ElementFamily<dim> &family) const
{
  if (!family.curved)
    return make_tensor_kernels(family);
  const ElementFamily<dim> straight(family.fe->reference_cell(), family.fe->degree);
  return make_curved_kernels(family, make_tensor_kernels(straight));
}

template <int dim>
void StandardTensor<dim>::lump(const ElementFamily<dim> &family, const CellKernels<dim> &kernels, const Wide *X, const double density,
                               Wide *m) const
{
  if (family.fe->degree == 1)
    Formulation<dim>::lump(family, kernels, X, density, m);
  else
    kernels.nodal_mass(X, density, m);
}

template <int dim>
std::optional<LockingAdvice> StandardTensor<dim>::locks(const int degree) const
{
  if (degree > 1)
    return {};
  return LockingAdvice{"Element = mean-dilatation, incompatible-modes, or ", "Element = incompatible-modes, "};
}

template <int dim>
CellForecast StandardTensor<dim>::forecast(const int degree, const int refinements) const
{
  CellForecast cell;
  cell.nodes = std::pow(degree + 1., dim);
  cell.vertices = std::pow(2., dim);
  cell.row_length = std::pow(degree + 2., dim);  // along a line: 2p+1 of a vertex, p+1 of each of p-1 inner nodes
  cell.bytes = refinements == 0 ? 0. : dim == 2 ? 480. : 600.;
  cell.coarse_bytes = dim == 2 ? 720. : 1800.;
  cell.nodes_of_body = [degree](const double cells) { return std::pow(degree * std::pow(cells, 1. / dim) + 1., dim); };
  return cell;
}

template <int dim>
VtkCell<dim> StandardTensor<dim>::vtk_cell(const dealii::FiniteElement<dim> &fe) const
{
  constexpr std::array<std::array<std::uint8_t, 2>, 2> types{{{9, 70}, {12, 72}}};  // by dimension: of degree 1, and above
  return {types[dim - 2][fe.degree > 1], lattice<dim>(fe.degree)};
}

template class StandardTensor<2>;
template class StandardTensor<3>;
SYMDYN_REGISTER(Formulation<2>, StandardTensor<2>, "standard/tensor");
SYMDYN_REGISTER(Formulation<3>, StandardTensor<3>, "standard/tensor");
}  // namespace symdyn
