#pragma once
#include <memory>

#include "elements/cells/cell_kernels.h"

namespace symdyn
{
/// The kernels of straight triangles and tetrahedra: one Jacobian a cell, gradients by barycentric coordinates. Energy, force, stiffness
/// and third derivative are done so; matrices and the rest are the plain ones'. Equal to those but for rounding
/// (CellKernels.FastKernelsEqualThePlainOnes). Null for quadrilaterals and hexahedra.
template <int dim>
std::unique_ptr<CellKernels<dim>> make_simplex_kernels(const ElementFamily<dim> &family);
}  // namespace symdyn
