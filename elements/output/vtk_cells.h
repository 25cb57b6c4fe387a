#pragma once
#include <deal.II/base/point.h>

#include <cstdint>
#include <vector>

#include "elements/space/discretisation.h"

namespace symdyn
{
/// A cell as VTK draws it: its type (vtkCellType.h), and the points of the reference cell at which VTK wants values, in its order.
template <int dim>
struct VtkCell
{
  std::uint8_t type;
  std::vector<dealii::Point<dim>> points;
};

/// The cell for the elements of a mesh: corners alone in degree 1; Lagrange cells with equidistant points (types 70 and 72) and quadratic
/// simplices and wedges above.
template <int dim>
VtkCell<dim> vtk_cell(const Discretisation<dim> &mesh);
}  // namespace symdyn
