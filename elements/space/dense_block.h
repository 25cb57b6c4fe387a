#pragma once
#include <cstdint>
#include <vector>

#include "elements/space.h"
#include "elements/term.h"

namespace symdyn
{
/// A symmetric matrix of all degrees of freedom of some sites. Each rank has the rows of its own sites; one that owns a site knows all.
class DenseBlock
{
public:
  /// `matrix`: by rows; row = block * (place in `sites`) + component.
  DenseBlock(const Space &space, const std::vector<std::uint64_t> &sites, std::vector<double> matrix)
      : n(space.block()), owned(space.owned()), A(std::move(matrix))
  {
    constexpr int unknown = -1;
    const auto &all = *space.sites();
    for (const std::uint64_t site : sites)
      local.push_back(all.in_local_range(site) || all.is_ghost_entry(site) ? int(all.global_to_local(site)) : unknown);
  }

  /// y_i += m A_ij x_j of owned rows i; x has ghost values.
  void add_product(const double m, const Vector &x, Vector &y) const
  {
    if (m != 0.)
      for_rows([&](const std::size_t row, const int dof) { y.local_element(dof) += m * times(row, x); });
  }
  /// sum x_i A_ij x_j over owned rows i.
  double square(const Vector &x) const
  {
    double sum = 0;
    for_rows([&](const std::size_t row, const int dof) { sum += x.local_element(dof) * times(row, x); });
    return sum;
  }
  void add_to(const double m, const BlockMatrix &matrix) const
  {
    const std::size_t size = n * local.size();
    for (std::size_t a = 0; a < local.size(); ++a)
      for (std::size_t b = 0; b < local.size() && is_owned(a); ++b)
      {
        const BlockMatrix::Block target = matrix.at(local[a], matrix.pattern->position(local[a], local[b]));
        for (int d = 0; d < n; ++d)
          for (int e = 0; e < n; ++e)
            target(d, e) += m * A[(n * a + d) * size + n * b + e];
      }
  }
  void couple(const Couple &join) const
  {
    for (std::size_t a = 0; a < local.size(); ++a)
      for (std::size_t b = 0; b < local.size() && is_owned(a); ++b)
        join(local[a], local[b]);
  }
  /// Calls visit(row, local degree of freedom) of owned ones.
  template <class Visit>
  void for_rows(const Visit &visit) const
  {
    for (std::size_t a = 0; a < local.size(); ++a)
      for (int d = 0; d < n && is_owned(a); ++d)
        visit(n * a + d, n * local[a] + d);
  }
  double diagonal(const std::size_t row) const { return A[row * n * local.size() + row]; }

private:
  bool is_owned(const std::size_t a) const { return local[a] >= 0 && local[a] < owned; }
  double times(const std::size_t row, const Vector &x) const
  {
    const double *of_row = &A[row * n * local.size()];
    double sum = 0;
    for (std::size_t b = 0; b < local.size(); ++b)
      for (int e = 0; e < n; ++e)
        sum += of_row[n * b + e] * x.local_element(n * local[b] + e);
    return sum;
  }

  int n, owned;
  std::vector<double> A;
  std::vector<int> local;  ///< -1: not known on this rank
};
}  // namespace symdyn
