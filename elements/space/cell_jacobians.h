#pragma once
#include "elements/space/discretisation.h"

namespace symdyn
{
/// Errors: InputError for a cell whose Jacobian is not positive at a point of integration of the stiffness, or whose mass, consistent or
/// lumped, is not positive. Warns of other cells whose Jacobian is not positive at a corner or node: their energies are sound. Collective.
template <int dim>
void check_jacobians(const Discretisation<dim> &mesh);
}  // namespace symdyn
