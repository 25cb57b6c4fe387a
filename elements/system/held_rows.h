#pragma once
#include "elements/supports/supports.h"
#include "solver/block_matrix.h"

namespace symdyn
{
/// A <- P A P + s (I - P) with the projectors of the supports; s is the mean diagonal, so that the condition does not suffer.
template <int dim>
void hold_rows(const Discretisation<dim> &mesh, const Supports<dim> &supports, const BlockMatrix &A);
}  // namespace symdyn
