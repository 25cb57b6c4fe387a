#pragma once
#include <deal.II/base/quadrature_lib.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_tools.h>

#include <cmath>

#include "materials/algebra/inline.h"
#include "materials/algebra/wide.h"

namespace symdyn
{
/// Polynomials of degree n - 1 on [0, 1] by their values: from the Gauss-Lobatto nodes to the n Gauss points (`values`), from values at
/// the points to slopes there (`slopes`), and the transposes. In place is possible.
template <int n>
struct TensorLine
{
  TensorLine()
  {
    const dealii::QGauss<1> gauss(n);
    const dealii::FE_Q<1> line(n - 1);
    const auto lexicographic = dealii::FETools::lexicographic_to_hierarchic_numbering<1>(n - 1);
    for (int q = 0; q < n; ++q)
      for (int r = 0; r < n; ++r)
      {
        shape[q][r] = line.shape_value(lexicographic[r], gauss.point(q));
        slope[q][r] = lagrange_slope(gauss, r, q);
      }
  }

  SYMDYN_INLINE void values(Wide (&x)[n]) const { apply<false>(shape, x); }
  SYMDYN_INLINE void values_transposed(Wide (&x)[n]) const { apply<true>(shape, x); }
  SYMDYN_INLINE void slopes(const Wide (&x)[n], Wide (&y)[n]) const { apply<false>(slope, x, y); }
  SYMDYN_INLINE void slopes_transposed(const Wide (&x)[n], Wide (&y)[n]) const { apply<true>(slope, x, y); }

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

  double shape[n][n];  ///< [point][node]
  double slope[n][n];  ///< of the polynomials through the points, [point][polynomial]

private:
  template <bool transposed>
  static SYMDYN_INLINE void apply(const double (&A)[n][n], const Wide (&x)[n], Wide (&y)[n])
  {
#pragma GCC unroll 8
    for (int i = 0; i < n; ++i)
    {
      Wide sum = x[0] * (transposed ? A[0][i] : A[i][0]);
#pragma GCC unroll 8
      for (int j = 1; j < n; ++j)
        sum += x[j] * (transposed ? A[j][i] : A[i][j]);
      y[i] = sum;
    }
  }
  template <bool transposed>
  static SYMDYN_INLINE void apply(const double (&A)[n][n], Wide (&x)[n])
  {
    Wide y[n];
    apply<transposed>(A, x, y);
#pragma GCC unroll 8
    for (int i = 0; i < n; ++i)
      x[i] = y[i];
  }
};

/// Two points: the same slope at both.
template <>
struct TensorLine<2>
{
  SYMDYN_INLINE void values(Wide (&x)[2]) const
  {
    const Wide step = (x[1] - x[0]) * near;
    x[0] += step;
    x[1] -= step;
  }
  SYMDYN_INLINE void values_transposed(Wide (&x)[2]) const { values(x); }
  SYMDYN_INLINE void slopes(const Wide (&x)[2], Wide (&y)[2]) const { y[0] = y[1] = (x[1] - x[0]) * steep; }
  SYMDYN_INLINE void slopes_transposed(const Wide (&x)[2], Wide (&y)[2]) const
  {
    y[1] = (x[0] + x[1]) * steep;
    y[0] = -y[1];
  }

  const double near = 0.5 - 0.5 / std::sqrt(3.), steep = std::sqrt(3.);  // the first point; one over the distance of both
};

/// Three points, the middle one a node: 6 instructions instead of 9.
template <>
struct TensorLine<3>
{
  SYMDYN_INLINE void values(Wide (&x)[3]) const
  {
    const Wide even = (x[0] + x[2]) * ends + x[1] * middle, odd = x[0] - x[2];
    x[0] = even + odd * half_distance;
    x[2] = even - odd * half_distance;
  }
  SYMDYN_INLINE void values_transposed(Wide (&x)[3]) const
  {
    const Wide sum = x[0] + x[2], odd = x[0] - x[2], even = sum * ends;
    x[1] += sum * middle;
    x[0] = even + odd * half_distance;
    x[2] = even - odd * half_distance;
  }
  SYMDYN_INLINE void slopes(const Wide (&x)[3], Wide (&y)[3]) const
  {
    const Wide bend = x[0] + x[2] - 2. * x[1], mean = (x[2] - x[0]) * half_steep;
    y[0] = mean - bend * steep;
    y[1] = mean;
    y[2] = mean + bend * steep;
  }
  SYMDYN_INLINE void slopes_transposed(const Wide (&x)[3], Wide (&y)[3]) const
  {
    const Wide mean = (x[0] + x[1] + x[2]) * half_steep, bend = (x[2] - x[0]) * steep;
    y[0] = bend - mean;
    y[1] = -2. * bend;
    y[2] = bend + mean;
  }

  // The points are 1/2 -+ d. N_0 = 2 (x - 1/2)(x - 1), N_1 = 4 x (1 - x): (N_0 + N_2)/2 = 2 d², N_1 = 1 - 4 d², (N_0 - N_2)/2 = d.
  const double half_distance = 0.5 * std::sqrt(0.6), ends = 0.3, middle = 0.4, steep = 1. / half_distance, half_steep = 0.5 / half_distance;
};
}  // namespace symdyn
