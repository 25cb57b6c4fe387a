#pragma once
#include <deal.II/base/point.h>

namespace symdyn
{
/// A coordinate in which no two centres of the cells of a usual mesh agree: cells are found by it on any rank.
template <int dim>
double along(const dealii::Point<dim> &x)
{
  constexpr double direction[] = {0.8011784, 0.4872391, 0.3475123};
  double s = 0;
  for (int d = 0; d < dim; ++d)
    s += direction[d] * x[d];
  return s;
}
}  // namespace symdyn
