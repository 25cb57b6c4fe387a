#pragma once
#include "elements/space/discretisation.h"

namespace symdyn::tests
{
/// Of the cells that this rank owns, as their kernels have it.
template <int dim>
double volume_of(const Discretisation<dim> &mesh)
{
  double sum = 0;
  for (const auto &region : mesh.regions)
    for (std::size_t b = 0; b < region.n_owned_batches; ++b)
    {
      Wide jacobian, volume;
      region.kernels->geometry(region.batch_vertices(b), jacobian, volume);
      for (int lane = 0; lane < region.batches[b].filled; ++lane)
        sum += volume[lane];
    }
  return sum;
}
}  // namespace symdyn::tests
