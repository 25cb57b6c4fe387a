#include "elements/system/held_rows.h"

#include <deal.II/base/mpi.h>

#include "elements/space/tangent.h"

namespace symdyn
{
template <int dim>
void hold_rows(const Discretisation<dim> &mesh, const Supports<dim> &supports, const BlockMatrix &A)
{
  double sum = 0;
  for (const double value : TangentAssembly<dim>::diagonal(A))
    sum += value;
  const double s = dealii::Utilities::MPI::sum(sum, mesh.communicator) / (double(dim) * mesh.n_nodes());
  for (int row = 0; row < A.pattern->rows(); ++row)
    A.for_row(row, [&](const int column, int, const BlockMatrix::Block &block) {
      const auto *left = supports.projector(row), *right = supports.projector(column);
      if (!left && !right)
        return;
      dealii::Tensor<2, dim> value;
      for (int i = 0; i < dim; ++i)
        for (int j = 0; j < dim; ++j)
          value[i][j] = block(i, j);
      if (left)
        value = *left * value;
      if (right)
        value = value * *right;
      if (row == column)
        value += s * (dealii::Tensor<2, dim>(dealii::unit_symmetric_tensor<dim>()) - *left);
      for (int i = 0; i < dim; ++i)
        for (int j = 0; j < dim; ++j)
          block(i, j) = value[i][j];
    });
}

template void hold_rows(const Discretisation<2> &, const Supports<2> &, const BlockMatrix &);
template void hold_rows(const Discretisation<3> &, const Supports<3> &, const BlockMatrix &);
}  // namespace symdyn
