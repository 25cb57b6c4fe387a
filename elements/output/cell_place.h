#pragma once
#include <optional>

#include "elements/space/discretisation.h"

namespace symdyn
{
/// xi with X(xi) = X in a cell; nothing where X lies outside of it.
template <int dim>
std::optional<dealii::Point<dim>> place_in_cell(const Discretisation<dim> &mesh, const typename Discretisation<dim>::Cell &cell,
                                                const dealii::Point<dim> &X);
}  // namespace symdyn
