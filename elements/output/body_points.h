#pragma once
#include <deal.II/fe/fe_values.h>

#include <functional>
#include <vector>

#include "elements/space/discretisation.h"

namespace symdyn
{
/// The points of integrals over the body in the owned cells, one after another: degree + 2 a direction (Gauss; Witherden and Vincent 2015
/// on simplices). `values` has shape functions with gradients, places and JxW; `nodes` are those of the cell.
template <int dim>
void for_points_of_body(
    const Discretisation<dim> &mesh,
    const std::function<void(const dealii::FEValues<dim> &values, unsigned int point, const std::vector<unsigned int> &nodes)> &add);
}  // namespace symdyn
