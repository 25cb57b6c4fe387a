#include "solver/linear_operator.h"

#include <stdexcept>

namespace symdyn
{
const OwnedBlockMatrix &LinearOperator::own_matrix() const
{
  if (!matrix || revision_of_matrix != revision())
  {
    assembled = false;
    revision_of_matrix = revision();
    matrix = std::make_unique<OwnedBlockMatrix>();
    matrix->allocate(pattern());
  }
  if (!assembled)
    assemble(*matrix);
  assembled = true;
  return *matrix;
}

void LinearOperator::multiply(const Vector &x, Vector &y) const { own_matrix().multiply(x, y); }

void LinearOperator::diagonal(const BlockMatrix &D) const
{
  const BlockMatrix &A = own_matrix();
  for (int row = 0; row < D.pattern->rows(); ++row)
  {
    const auto from = A.at(row, A.pattern->position(row, row)), to = D.at(row, row);
    for (int i = 0; i < D.pattern->block; ++i)
      for (int k = 0; k < D.pattern->block; ++k)
        to(i, k) = from(i, k);
  }
}

void LinearOperator::prolong(const Vector &, Vector &) const { throw std::logic_error("prolong: there is no coarser operator"); }
void LinearOperator::restrict(const Vector &, Vector &) const { throw std::logic_error("restrict: there is no coarser operator"); }
}  // namespace symdyn
