#pragma once
#include <memory>

#include "elements/cells/cell_kernels.h"

namespace symdyn
{
/// The kernels of cells whose geometry may be curved, and of elements that have none of their own: the plain ones, which read the nodes.
/// Where all `lanes` cells have straight edges the fast ones of such cells do what takes a CellMap.
template <int dim>
std::unique_ptr<CellKernels<dim>> make_curved_kernels(const ElementFamily<dim> &family);

/// The kernels of any family.
template <int dim>
std::unique_ptr<CellKernels<dim>> make_kernels_of(const ElementFamily<dim> &family);
}  // namespace symdyn
