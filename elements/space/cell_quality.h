#pragma once
#include <string>

#include "elements/space/discretisation.h"
#include "solver/base/units.h"

namespace symdyn
{
/// Shape of straight-edged cells. Scaled Jacobian: the least over the corners of det(e_1, .., e_dim)/(|e_1| .. |e_dim|), e_i the edges at
/// the corner, over the value of the regular cell: 1 is best, 0 and below is inverted (Knupp 2000; Stimpson et al. 2007, the Verdict
/// library). Aspect: longest over shortest edge of the cell.
template <int dim>
struct CellQuality
{
  /// Of all cells, on every rank. Collective.
  explicit CellQuality(const Discretisation<dim> &mesh);

  double least_jacobian = 0, largest_jacobian = 0, largest_aspect = 0;
  std::uint64_t bad_jacobians = 0, bad_aspects = 0;  ///< cells beyond the limits
  dealii::Point<dim> worst_jacobian, worst_aspect;   ///< centres of these cells
  static constexpr double jacobian_limit = 0.2, aspect_limit = 50.;
};

/// Scaled Jacobian and aspect of a cell.
template <int dim>
std::pair<double, double> shape_of(const typename dealii::Triangulation<dim>::cell_iterator &cell);

/// Lines of `symdyn check`: cell groups with their cells and volume, boundaries with their nodes, the quality of cells; warns of cells
/// beyond the limits. Collective.
template <int dim>
std::string describe_mesh(const Discretisation<dim> &mesh, const Units &units);
}  // namespace symdyn
