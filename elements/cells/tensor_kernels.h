#pragma once
#include <memory>

#include "elements/cells/cell_kernels.h"

namespace symdyn
{
/// The kernels of quadrilaterals and hexahedra of degree p with their integrals over all nodes, directions and points as sums over
/// one direction after the other (sum factorisation, Orszag 1980): O(p^(dim+1)) operations a cell where the plain ones take
/// O(p^(2 dim)). Cells that are parallelepipeds have one Jacobian. Energy, force, stiffness and third derivative are done
/// so; matrices and the rest are the plain ones'. Equal to those but for rounding (CellKernels.FastKernelsEqualThePlainOnes).
/// Null for other cells.
template <int dim>
std::unique_ptr<CellKernels<dim>> make_tensor_kernels(const ElementFamily<dim> &family);
}  // namespace symdyn
