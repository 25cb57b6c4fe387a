#pragma once
#include "elements/space/discretisation.h"

namespace symdyn
{
/// Errors: InputError for a cell whose Jacobian is not positive at a point of integration of the stiffness or the mass. Warns of cells
/// where that is so at corners, or nodes, only: their energy is sound. Collective.
template <int dim>
void check_jacobians(const Discretisation<dim> &mesh);
}  // namespace symdyn
