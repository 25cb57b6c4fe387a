#pragma once
#include <deal.II/base/quadrature_lib.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_tools.h>

#include <algorithm>

#include "materials/inline.h"
#include "materials/wide.h"

namespace symdyn
{
constexpr int power(const int base, const int exponent) { return exponent == 0 ? 1 : base * power(base, exponent - 1); }

/// out = A in (or Aᵀ in) along one direction of an array of n^dim values, first direction fastest; added with `add`. In place is
/// possible without it.
template <int n, int dim, int direction, bool transposed, bool add>
SYMDYN_INLINE void along(const double (&A)[n][n], const Wide *in, Wide *out)
{
  constexpr int stride = power(n, direction), lines = power(n, dim - 1);
#pragma GCC unroll 4
  for (int line = 0; line < lines; ++line)
  {
    const int first = (line / stride) * stride * n + line % stride;
    Wide x[n];
    for (int j = 0; j < n; ++j)
      x[j] = in[first + j * stride];
    for (int i = 0; i < n; ++i)
    {
      Wide sum = x[0] * (transposed ? A[0][i] : A[i][0]);
      for (int j = 1; j < n; ++j)
        sum += x[j] * (transposed ? A[j][i] : A[i][j]);
      if (add)
        out[first + i * stride] += sum;
      else
        out[first + i * stride] = sum;
    }
  }
}

/// Shape functions of n^dim nodes (Lagrange, at Gauss-Lobatto points) at n^dim Gauss points, as products of those of a line.
template <int dim, int n>
struct TensorBasis
{
  static constexpr int points = power(n, dim);
  using Gradient = Wide[dim * dim][points];  ///< of a vector field: [i * dim + d][point]

  TensorBasis()
  {
    const dealii::QGauss<1> gauss(n);
    const dealii::FE_Q<1> line(n - 1);
    const auto lexicographic = dealii::FETools::lexicographic_to_hierarchic_numbering<1>(n - 1);
    const auto order = dealii::FETools::lexicographic_to_hierarchic_numbering<dim>(n - 1);
    std::copy(order.begin(), order.end(), node);
    for (int q = 0; q < n; ++q)
      for (int r = 0; r < n; ++r)
      {
        shape[q][r] = line.shape_value(lexicographic[r], gauss.point(q));
        slope[q][r] = lagrange_slope(gauss, r, q);
      }
    for (int q = 0; q < points; ++q)
    {
      weight[q] = 1.;
      for (int d = 0, rest = q; d < dim; ++d, rest /= n)
      {
        coordinate[q][d] = gauss.point(rest % n)[0];
        weight[q] *= gauss.weight(rest % n);
      }
    }
  }

  /// du_i/dxi_d at the points: values there first, then their derivatives as polynomials through the points.
  void gradient(const Wide *u, Gradient &g) const
  {
    for (int i = 0; i < dim; ++i)
    {
      Wide value[points];
      for (int a = 0; a < points; ++a)
        value[a] = u[node[a] * dim + i];
      along<n, dim, 0, false, false>(shape, value, value);
      along<n, dim, 1, false, false>(shape, value, value);
      if constexpr (dim == 3)
        along<n, dim, 2, false, false>(shape, value, value);
      along<n, dim, 0, false, false>(slope, value, g[i * dim]);
      along<n, dim, 1, false, false>(slope, value, g[i * dim + 1]);
      if constexpr (dim == 3)
        along<n, dim, 2, false, false>(slope, value, g[i * dim + 2]);
    }
  }

  /// f_ai += sum_q N_a scale_q sum_b N_b u_bi.
  void add_product(const Wide *u, const Wide *scale, Wide *f) const
  {
    for (int i = 0; i < dim; ++i)
    {
      Wide value[points];
      for (int a = 0; a < points; ++a)
        value[a] = u[node[a] * dim + i];
      along<n, dim, 0, false, false>(shape, value, value);
      along<n, dim, 1, false, false>(shape, value, value);
      if constexpr (dim == 3)
        along<n, dim, 2, false, false>(shape, value, value);
      for (int q = 0; q < points; ++q)
        value[q] *= scale[q];
      along<n, dim, 0, true, false>(shape, value, value);
      along<n, dim, 1, true, false>(shape, value, value);
      if constexpr (dim == 3)
        along<n, dim, 2, true, false>(shape, value, value);
      for (int a = 0; a < points; ++a)
        f[node[a] * dim + i] += value[a];
    }
  }

  /// f_ai += sum_q R_id dN_a/dxi_d: the transpose of `gradient`.
  void add_divergence(const Gradient &R, Wide *f) const
  {
    for (int i = 0; i < dim; ++i)
    {
      Wide value[points];
      along<n, dim, 0, true, false>(slope, R[i * dim], value);
      along<n, dim, 1, true, true>(slope, R[i * dim + 1], value);
      if constexpr (dim == 3)
        along<n, dim, 2, true, true>(slope, R[i * dim + 2], value);
      along<n, dim, 0, true, false>(shape, value, value);
      along<n, dim, 1, true, false>(shape, value, value);
      if constexpr (dim == 3)
        along<n, dim, 2, true, false>(shape, value, value);
      for (int a = 0; a < points; ++a)
        f[node[a] * dim + i] += value[a];
    }
  }

  /// d/dx at point q of the Lagrange polynomial of point r.
  static double lagrange_slope(const dealii::Quadrature<1> &points, const int r, const int q)
  {
    const auto x = [&](const int k) { return points.point(k)[0]; };
    double sum = 0;
    for (int k = 0; k < n; ++k)
      if (k != r)
      {
        double term = 1. / (x(r) - x(k));
        for (int m = 0; m < n; ++m)
          if (m != r && m != k)
            term *= (x(q) - x(m)) / (x(r) - x(m));
        sum += term;
      }
    return sum;
  }

  int node[points];  ///< in the order of the element, of those numbered direction by direction
  double coordinate[points][dim], weight[points];
  double shape[n][n];  ///< [point][node]
  double slope[n][n];  ///< of the polynomials through the points, [point][polynomial]
};
}  // namespace symdyn
