#pragma once
#include <deal.II/base/point.h>
#include <deal.II/grid/reference_cell.h>

#include <vector>

namespace symdyn
{
/// Gauss points of the elements of CalculiX, in its order (the first coordinate runs fastest), in deal.II's unit cell; of plane elements
/// those of one layer. `count`: of the whole element, as its tables have them.
template <int dim>
std::vector<dealii::Point<dim>> points_of_tables(const dealii::ReferenceCell &cell, unsigned int count);
}  // namespace symdyn
