#pragma once
#include <string>
#include <vector>

#include "elements/space/discretisation.h"

namespace symdyn
{
/// By active cell index: whether the cell is, or comes from, one of these sets of elements that the mesh's file names. Found by the centres
/// of coarse cells, as places survive refinement and distribution. Errors: InputError that lists the sets.
template <int dim>
std::vector<bool> cells_of(const Discretisation<dim> &mesh, const std::vector<std::string> &names);
}  // namespace symdyn
