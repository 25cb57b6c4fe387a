#pragma once
#include "elements/space/discretisation.h"

namespace symdyn::tests
{
/// Of the cells that this rank owns, as their kernels have it.
template <int dim>
double volume_of(const Discretisation<dim> &mesh)
{
  double sum = 0;
  for (std::size_t b = 0; b < mesh.n_owned_batches; ++b)
  {
    Wide jacobian, volume;
    mesh.kernels->geometry(mesh.batch_vertices(b), jacobian, volume);
    for (int lane = 0; lane < mesh.batches[b].filled; ++lane)
      sum += volume[lane];
  }
  return sum;
}
}  // namespace symdyn::tests
