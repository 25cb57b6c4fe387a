#pragma once
#include <algorithm>

#include "elements/cells/reference_element.h"
#include "elements/cells/tensor_line.h"

namespace symdyn
{
constexpr int power(const int base, const int exponent) { return exponent == 0 ? 1 : base * power(base, exponent - 1); }

/// Shape functions of n^dim nodes (Lagrange, at Gauss-Lobatto points) at n^dim Gauss points, as products of those of a line.
/// Values of n^dim points stand first direction fastest; a layer is what has one place in the last direction.
template <int dim_, int n>
struct TensorBasis
{
  static constexpr bool affine = false;  ///< whether all cells are
  static constexpr int dim = dim_, points = power(n, dim), nodes = points, layer = power(n, dim - 1);
  static constexpr int together = n == 2 ? points : layer;  ///< points for a call of the law: several, for its latency
  using Gradient = Wide[dim * dim][points];                 ///< of a vector field: [i * dim + d][point]

  explicit TensorBasis(const ElementFamily<dim> &)
  {
    const dealii::QGauss<1> gauss(n);
    const auto order = dealii::FETools::lexicographic_to_hierarchic_numbering<dim>(n - 1);
    std::copy(order.begin(), order.end(), node);
    for (int q = 0; q < n; ++q)
    {
      abscissa[q] = gauss.point(q)[0];
      line_weight[q] = gauss.weight(q);
    }
    for (int q = 0; q < points; ++q)
    {
      weight[q] = 1.;
      for (int d = 0, rest = q; d < dim; ++d, rest /= n)
        weight[q] *= line_weight[rest % n];
    }
  }

  /// du_i/dxi_d at the points: values there first, then their slopes as polynomials through the points.
  void gradient(const Wide *u, Gradient &g) const
  {
    for (int i = 0; i < dim; ++i)
    {
      Wide value[points];
      for (int k = 0; k < n; ++k)
      {
        Wide x[layer];
#pragma GCC unroll 16
        for (int a = 0; a < layer; ++a)
          x[a] = u[node[k * layer + a] * dim + i];
        in_layer([this](Wide(&y)[n]) { line.values(y); }, x);
        std::copy(x, x + layer, value + k * layer);
      }
      Wide *last = g[i * dim + dim - 1];
      for (int a = 0; a < layer; ++a)
      {
        Wide x[n], y[n];
        read(value + a, layer, x);
        line.values(x);
        line.slopes(x, y);
        write(x, value + a, layer);
        write(y, last + a, layer);
      }
      for (int k = 0; k < n; ++k)
        layer_slopes(value + k * layer, g[i * dim] + k * layer, g[i * dim + (dim == 3)] + k * layer);
    }
  }

  /// f_ai += sum_q R_id dN_a/dxi_d: the transpose of `gradient`.
  void add_divergence(const Gradient &R, Wide *f) const
  {
    for (int i = 0; i < dim; ++i)
    {
      Wide value[points];
      for (int k = 0; k < n; ++k)
        layer_slopes_transposed(R[i * dim] + k * layer, R[i * dim + (dim == 3)] + k * layer, value + k * layer);
      const Wide *last = R[i * dim + dim - 1];
      for (int a = 0; a < layer; ++a)
      {
        Wide x[n], y[n];
        read(last + a, layer, x);
        line.slopes_transposed(x, y);
#pragma GCC unroll 8
        for (int k = 0; k < n; ++k)
          y[k] += value[a + k * layer];
        line.values_transposed(y);
        write(y, value + a, layer);
      }
      for (int k = 0; k < n; ++k)
        add_layer(value + k * layer, k, i, f);
    }
  }

  /// f_ai += sum_q N_a scale_q sum_b N_b u_bi.
  void add_product(const Wide *u, const Wide *scale, Wide *f) const
  {
    for (int i = 0; i < dim; ++i)
    {
      Wide value[points];
      for (int k = 0; k < n; ++k)
      {
        Wide x[layer];
        for (int a = 0; a < layer; ++a)
          x[a] = u[node[k * layer + a] * dim + i];
        in_layer([this](Wide(&y)[n]) { line.values(y); }, x);
        std::copy(x, x + layer, value + k * layer);
      }
      for (int a = 0; a < layer; ++a)
      {
        Wide x[n];
        read(value + a, layer, x);
        line.values(x);
#pragma GCC unroll 8
        for (int k = 0; k < n; ++k)
          x[k] *= scale[a + k * layer];
        line.values_transposed(x);
        write(x, value + a, layer);
      }
      for (int k = 0; k < n; ++k)
        add_layer(value + k * layer, k, i, f);
    }
  }

  TensorLine<n> line;
  int node[points];  ///< in the order of the element, of those numbered direction by direction
  double abscissa[n], line_weight[n], weight[points];

private:
  static SYMDYN_INLINE void read(const Wide *from, const int stride, Wide (&x)[n])
  {
#pragma GCC unroll 8
    for (int j = 0; j < n; ++j)
      x[j] = from[j * stride];
  }
  static SYMDYN_INLINE void write(const Wide (&x)[n], Wide *to, const int stride)
  {
#pragma GCC unroll 8
    for (int j = 0; j < n; ++j)
      to[j * stride] = x[j];
  }

  /// `action` on all lines of a layer, in one direction after the other.
  template <class Action>
  static SYMDYN_INLINE void in_layer(const Action &action, Wide (&x)[layer])
  {
#pragma GCC unroll 2
    for (int d = 0; d < dim - 1; ++d)
#pragma GCC unroll 8
      for (int j = 0; j < layer / n; ++j)
      {
        Wide y[n];
        const int first = d == 0 ? j * n : j, stride = d == 0 ? 1 : n;
        read(x + first, stride, y);
        action(y);
        write(y, x + first, stride);
      }
  }

  /// From layer k of points to that of nodes, added to component i of f.
  SYMDYN_INLINE void add_layer(const Wide *value, const int k, const int i, Wide *f) const
  {
    Wide x[layer];
    std::copy(value, value + layer, x);
    in_layer([this](Wide(&y)[n]) { line.values_transposed(y); }, x);
#pragma GCC unroll 16
    for (int a = 0; a < layer; ++a)
      f[node[k * layer + a] * dim + i] += x[a];
  }

  /// Slopes along the directions of a layer: one in 2-D, two in 3-D.
  SYMDYN_INLINE void layer_slopes(const Wide *value, Wide *first, Wide *second) const
  {
#pragma GCC unroll 8
    for (int j = 0; j < layer / n; ++j)
    {
      Wide x[n], y[n];
      read(value + j * n, 1, x);
      line.slopes(x, y);
      write(y, first + j * n, 1);
      if constexpr (dim == 3)
      {
        read(value + j, n, x);
        line.slopes(x, y);
        write(y, second + j, n);
      }
    }
  }

  SYMDYN_INLINE void layer_slopes_transposed(const Wide *first, const Wide *second, Wide *value) const
  {
    Wide sum[layer];
#pragma GCC unroll 8
    for (int j = 0; j < layer / n; ++j)
    {
      Wide x[n], y[n];
      read(first + j * n, 1, x);
      line.slopes_transposed(x, y);
      write(y, sum + j * n, 1);
    }
    if constexpr (dim == 3)
#pragma GCC unroll 8
      for (int j = 0; j < layer / n; ++j)
      {
        Wide x[n], y[n];
        read(second + j, n, x);
        line.slopes_transposed(x, y);
#pragma GCC unroll 8
        for (int k = 0; k < n; ++k)
          sum[j + k * n] += y[k];
      }
    std::copy(sum, sum + layer, value);
  }
};
}  // namespace symdyn
