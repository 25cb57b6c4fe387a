#pragma once
#include <memory>

#include "elements/cells/cell_kernels.h"

namespace symdyn
{
/// The kernels of cells whose geometry may be curved, and of elements that have none of their own: the plain ones, which read the nodes.
/// Where all `lanes` cells have straight edges those of such cells, `straight`, do what takes a CellMap; null: there are none.
template <int dim>
std::unique_ptr<CellKernels<dim>> make_curved_kernels(const ElementFamily<dim> &family, std::unique_ptr<CellKernels<dim>> straight);
}  // namespace symdyn
