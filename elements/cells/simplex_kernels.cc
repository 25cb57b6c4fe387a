#include "elements/cells/simplex_kernels.h"

#include "elements/cells/basis_kernels.h"
#include "elements/cells/simplex_basis.h"

namespace symdyn
{
template <int dim>
std::unique_ptr<CellKernels<dim>> make_simplex_kernels(const ElementFamily<dim> &family)
{
  if (!family.fe->reference_cell().is_simplex())
    return nullptr;
  if (family.fe->degree == 1)
    return std::make_unique<BasisKernels<SimplexBasis<dim, 1, 1>>>(family);
  if (family.stiffness.points == dim + 1)
    return std::make_unique<BasisKernels<SimplexBasis<dim, 2, dim + 1>>>(family);
  return std::make_unique<BasisKernels<SimplexBasis<dim, 2, dim == 2 ? 6 : 8>>>(family);
}

template std::unique_ptr<CellKernels<2>> make_simplex_kernels<2>(const ElementFamily<2> &);
template std::unique_ptr<CellKernels<3>> make_simplex_kernels<3>(const ElementFamily<3> &);
}  // namespace symdyn
