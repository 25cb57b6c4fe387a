#include "elements/cells/tensor_kernels.h"

#include "elements/cells/basis_kernels.h"
#include "elements/cells/tensor_basis.h"

namespace symdyn
{
namespace
{
template <int dim, int n>
std::unique_ptr<CellKernels<dim>> kernels_of(const ElementFamily<dim> &family)
{
  return std::make_unique<BasisKernels<TensorBasis<dim, n>>>(family);
}
}  // namespace

template <int dim>
std::unique_ptr<CellKernels<dim>> make_tensor_kernels(const ElementFamily<dim> &family)
{
  if (!family.fe->reference_cell().is_hyper_cube())
    return nullptr;
  switch (family.fe->degree)
  {
    case 1:
      return kernels_of<dim, 2>(family);
    case 2:
      return kernels_of<dim, 3>(family);
    case 3:
      return kernels_of<dim, 4>(family);
    case 4:
      return kernels_of<dim, 5>(family);
  }
  return nullptr;
}

template std::unique_ptr<CellKernels<2>> make_tensor_kernels<2>(const ElementFamily<2> &);
template std::unique_ptr<CellKernels<3>> make_tensor_kernels<3>(const ElementFamily<3> &);
}  // namespace symdyn
