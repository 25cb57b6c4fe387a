#pragma once
#include <deal.II/base/mpi.h>
#include <deal.II/lac/lapack_templates.h>

#include <algorithm>
#include <vector>

#include "solver/linear/dense_spectrum.h"
#include "solver/vector.h"

namespace symdyn
{
/// The owned entries of vectors, one vector after the other, for products of many with many.
class Columns
{
public:
  Columns(const Vector &layout, const std::size_t most)
      : communicator(layout.get_mpi_communicator()), rows(int(layout.locally_owned_size())), values(std::size_t(rows) * most)
  {
  }
  void put(const std::size_t k, const Vector &x) { std::copy_n(x.begin(), rows, at(k)); }
  void get(const std::size_t k, Vector &x) const
  {
    std::copy_n(at(k), rows, x.begin());
    x.update_ghost_values();
  }
  /// a_iᵀ b_j of n columns each, from `first_a` and `first_b` on. Collective.
  static Dense products(const Columns &a, const std::size_t first_a, const int n_a, const Columns &b, const std::size_t first_b,
                        const int n_b)
  {
    Dense sum(n_a, n_b);
    const double one = 1., zero = 0.;
    const int stride = std::max(1, a.rows);
    std::vector<double> all(std::size_t(n_a) * n_b);
    if (a.rows > 0)
      dealii::gemm("T", "N", &n_a, &n_b, &a.rows, &one, a.at(first_a), &stride, b.at(first_b), &stride, &zero, all.data(), &n_a);
    dealii::Utilities::MPI::sum(all, a.communicator, all);
    for (int j = 0; j < n_b; ++j)
      for (int i = 0; i < n_a; ++i)
        sum(i, j) = all[std::size_t(j) * n_a + i];
    return sum;
  }
  /// What C makes of the columns from `from` on takes their place.
  void combine(const std::size_t from, const Dense &C)
  {
    constexpr int chunk = 2048;  // the caches hold it
    const int used = int(C.m()), n = int(C.n());
    const double one = 1., zero = 0.;
    const std::vector<double> coefficients = by_columns(C);
    std::vector<double> made(std::size_t(chunk) * n);
    for (int first = 0; first < rows; first += chunk)
    {
      const int m = std::min(chunk, rows - first);
      dealii::gemm("N", "N", &m, &n, &used, &one, at(from) + first, &rows, coefficients.data(), &used, &zero, made.data(), &m);
      for (int k = 0; k < n; ++k)
        std::copy_n(made.data() + std::size_t(k) * m, m, at(from + k) + first);
    }
  }
  /// n columns go from `from` to `to`, which lies before it.
  void move(const std::size_t from, const std::size_t to, const std::size_t n) { std::copy_n(at(from), n * rows, at(to)); }
  /// Takes B G away from the columns from `to` on, B these first ones.
  void subtract(const std::size_t to, const Dense &G)
  {
    const int some = int(G.m()), n = int(G.n());
    const double minus = -1., one = 1.;
    const std::vector<double> coefficients = by_columns(G);
    if (rows > 0)
      dealii::gemm("N", "N", &rows, &n, &some, &minus, at(0), &rows, coefficients.data(), &some, &one, at(to), &rows);
  }

private:
  static std::vector<double> by_columns(const Dense &C)
  {
    std::vector<double> all;
    for (std::size_t j = 0; j < C.n(); ++j)
      for (std::size_t i = 0; i < C.m(); ++i)
        all.push_back(C(i, j));
    return all;
  }
  double *at(const std::size_t k) { return values.data() + k * rows; }
  const double *at(const std::size_t k) const { return values.data() + k * rows; }

  MPI_Comm communicator;
  int rows;
  std::vector<double> values;
};
}  // namespace symdyn
