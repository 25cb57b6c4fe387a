#include "elements/output/cell_place.h"

#include <algorithm>
#include <cmath>

namespace symdyn
{
namespace
{
/// Whether a point of the reference cell lies in it; deal.II 9.4 knows no wedges and pyramids.
template <int dim>
bool contains(const dealii::ReferenceCell &cell, const dealii::Point<dim> &xi, const double slack)
{
  if constexpr (dim == 3)
    if (cell == dealii::ReferenceCells::Wedge)
      return dealii::ReferenceCell(dealii::ReferenceCells::Triangle).contains_point(dealii::Point<2>(xi[0], xi[1]), slack) &&
             dealii::ReferenceCell(dealii::ReferenceCells::Line).contains_point(dealii::Point<1>(xi[2]), slack);
  if constexpr (dim == 3)
    if (cell == dealii::ReferenceCells::Pyramid)
      return xi[2] >= -slack && std::max(std::abs(xi[0]), std::abs(xi[1])) <= 1. - xi[2] + slack;
  return cell.contains_point(xi, slack);
}

/// xi with X(xi) = X, in the cell or near it; nothing where it is not found. Of wedges by Newton's method here: deal.II's asks for second
/// derivatives that its wedge does not have (library_inverts).
template <int dim>
std::optional<dealii::Point<dim>> inverse_map(const Discretisation<dim> &mesh, const typename Discretisation<dim>::Cell &cell,
                                              const dealii::Point<dim> &X)
{
  const CellRegion<dim> &region = mesh.region_of(cell);
  if (region.family.formulation->library_inverts())
    try
    {
      return region.mapping->transform_real_to_unit_cell(cell, X);
    }
    catch (const typename dealii::Mapping<dim>::ExcTransformationFailed &)
    {
      return {};
    }
  constexpr int most = 30;
  constexpr double rounding = 1e-12;
  const auto &fe = *region.family.fe;
  const std::vector<unsigned int> nodes = mesh.cell_nodes(cell);
  dealii::Point<dim> xi = fe.reference_cell().template barycenter<dim>();
  for (int k = 0; k < most; ++k)
  {
    dealii::Tensor<1, dim> missing = X;
    dealii::Tensor<2, dim> J;
    for (unsigned int a = 0; a < nodes.size(); ++a)
    {
      missing -= fe.shape_value(a, xi) * mesh.position[nodes[a]];
      J += outer_product(dealii::Tensor<1, dim>(mesh.position[nodes[a]]), fe.shape_grad(a, xi));
    }
    if (!(dealii::determinant(J) > 0.))
      return {};
    const dealii::Tensor<1, dim> step = dealii::invert(J) * missing;
    xi += step;
    if (step.norm() < rounding)
      return xi;
  }
  return {};
}
}  // namespace

template <int dim>
std::optional<dealii::Point<dim>> place_in_cell(const Discretisation<dim> &mesh, const typename Discretisation<dim>::Cell &cell,
                                                const dealii::Point<dim> &X)
{
  constexpr double slack = 1e-8;
  dealii::BoundingBox<dim> box = cell->bounding_box();
  box.extend(0.5 * cell->diameter());  // it knows the vertices only, and a curved cell bulges out
  if (!box.point_inside(X))
    return {};
  const std::optional<dealii::Point<dim>> xi = inverse_map(mesh, cell, X);
  return xi && contains(cell->reference_cell(), *xi, slack) ? xi : std::nullopt;
}

template std::optional<dealii::Point<2>> place_in_cell(const Discretisation<2> &, const Discretisation<2>::Cell &,
                                                       const dealii::Point<2> &);
template std::optional<dealii::Point<3>> place_in_cell(const Discretisation<3> &, const Discretisation<3>::Cell &,
                                                       const dealii::Point<3> &);
}  // namespace symdyn
