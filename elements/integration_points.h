#pragma once
#include <deal.II/base/point.h>

#include <vector>

namespace symdyn
{
/// Gauss points of the elements of CalculiX, in its order (the first coordinate runs fastest), in deal.II's unit cell; of plane elements those of one
/// layer. `count`: of the whole element, as its tables have them.
template <int dim>
std::vector<dealii::Point<dim>> points_of_tables(bool simplex, unsigned int count);
}  // namespace symdyn
