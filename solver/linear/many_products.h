#pragma once
#include <deal.II/base/mpi.h>

#include <numeric>
#include <vector>

#include "solver/vector.h"

namespace symdyn
{
/// b_i·x of many vectors, with one reduction over the ranks. Collective.
inline std::vector<double> products(const std::vector<Vector> &b, const Vector &x)
{
  std::vector<double> own, sums(b.size());
  for (const Vector &one : b)
    own.push_back(std::inner_product(x.begin(), x.begin() + x.locally_owned_size(), one.begin(), 0.));
  dealii::Utilities::MPI::sum(own, x.get_mpi_communicator(), sums);
  return sums;
}
}  // namespace symdyn
