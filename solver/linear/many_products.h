#pragma once
#include <deal.II/base/mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "solver/vector.h"

namespace symdyn
{
/// b_i·x of many vectors, with one reduction over the ranks. Collective.
inline std::vector<double> products(const std::vector<Vector> &b, const Vector &x)
{
  constexpr std::size_t lanes = 16;  // side by side: one sum would wait for itself
  const std::size_t n = x.locally_owned_size(), whole = n - n % lanes;
  const double *of_x = x.begin();
  std::vector<double> own, sums(b.size());
  for (const Vector &one : b)
  {
    const double *of_b = one.begin();
    std::array<double, lanes> sum{};
    for (std::size_t k = 0; k < whole; k += lanes)
      for (std::size_t lane = 0; lane < lanes; ++lane)
        sum[lane] += of_b[k + lane] * of_x[k + lane];
    own.push_back(std::accumulate(sum.begin(), sum.end(), std::inner_product(of_x + whole, of_x + n, of_b + whole, 0.)));
  }
  dealii::Utilities::MPI::sum(own, x.get_mpi_communicator(), sums);
  return sums;
}

/// x_k += sum_i factors_k[i] b_i of owned entries, with one look at the many vectors.
template <std::size_t number>
void add_many(const std::vector<Vector> &b, const std::array<const std::vector<double> *, number> &factors,
              const std::array<Vector *, number> &x)
{
  constexpr std::size_t chunk = 1024;  // stays in the nearest cache
  const std::size_t n = x[0]->locally_owned_size();
  for (std::size_t from = 0; from < n; from += chunk)
    for (std::size_t i = 0; i < b.size(); ++i)
    {
      const double *one = b[i].begin() + from;
      for (std::size_t k = 0; k < number; ++k)
      {
        const double factor = (*factors[k])[i];
        double *to = x[k]->begin() + from;
        for (std::size_t j = 0, end = std::min(chunk, n - from); j < end; ++j)
          to[j] += factor * one[j];
      }
    }
}

/// x made orthonormal to a basis is its next vector, unless no more than `dependent` of |x| = 1 is left. Collective.
inline void add_orthonormal(std::vector<Vector> &basis, Vector x, const double dependent)
{
  for (int twice = 0; twice < 2; ++twice)
  {
    const std::vector<double> parts = products(basis, x);
    for (std::size_t j = 0; j < basis.size(); ++j)
      x.add(-parts[j], basis[j]);
  }
  const double norm = x.l2_norm();
  if (!(norm > dependent))
    return;
  x *= 1. / norm;
  x.update_ghost_values();
  basis.push_back(std::move(x));
}
}  // namespace symdyn
