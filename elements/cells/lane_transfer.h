#pragma once
#include <algorithm>
#include <cstring>

#include "materials/algebra/wide.h"

// Between vectors of nodal values, dim of a node side by side, and Wide numbers with a lane a cell.
namespace symdyn
{
/// u[d].v[lane] = values[dim * node[lane] + d]
template <int dim>
inline void load_node(const double *values, const unsigned int *node, Wide *u)
{
  for (int lane = 0; lane < lanes; ++lane)
    for (int d = 0; d < dim; ++d)
      u[d].v[lane] = values[dim * node[lane] + d];
}

/// values[dim * node[lane] + d] += f[d].v[lane] for lane < filled, one after the other: lanes may share nodes.
template <int dim>
inline void add_to_node(const Wide *f, const unsigned int *node, const int filled, double *values)
{
  for (int lane = 0; lane < filled; ++lane)
    for (int d = 0; d < dim; ++d)
      values[dim * node[lane] + d] += f[d].v[lane];
}

/// Sums of vectors of one node, in a register of the processor where it has one.
template <int dim>
struct NodeVector
{
  double sum[dim] = {};
  void add(const double factor, const double *x)
  {
    for (int d = 0; d < dim; ++d)
      sum[d] += factor * x[d];
  }
  void write(double *x) const { std::copy_n(sum, dim, x); }
};
#if defined(__AVX512F__) && defined(__AVX512VL__)
template <>
struct NodeVector<3>
{
  __m256d sum = _mm256_setzero_pd();
  void add(const double factor, const double *x) { sum += factor * _mm256_maskz_loadu_pd(__mmask8(7), x); }
  void write(double *x) const { _mm256_mask_storeu_pd(x, __mmask8(7), sum); }
};
#endif

/// out[stride * lane + m] = in[m].v[lane] for m < 8
inline void unpack_lanes(const Wide *in, const std::size_t stride, double *out)
{
#if defined(__AVX512F__)
  using Lanes = Wide::Lanes;
  Lanes first[8], second[8];
  for (int m = 0; m < 8; m += 2)  // pairs of rows: even lanes, odd lanes
  {
    first[m] = __builtin_shufflevector(in[m].v, in[m + 1].v, 0, 8, 2, 10, 4, 12, 6, 14);
    first[m + 1] = __builtin_shufflevector(in[m].v, in[m + 1].v, 1, 9, 3, 11, 5, 13, 7, 15);
  }
  for (int m = 0; m < 8; m += 4)  // fours of rows: lanes 0 and 4, 1 and 5, 2 and 6, 3 and 7
    for (int odd = 0; odd < 2; ++odd)
    {
      second[m + odd] = __builtin_shufflevector(first[m + odd], first[m + 2 + odd], 0, 1, 8, 9, 4, 5, 12, 13);
      second[m + 2 + odd] = __builtin_shufflevector(first[m + odd], first[m + 2 + odd], 2, 3, 10, 11, 6, 7, 14, 15);
    }
  for (int lane = 0; lane < 4; ++lane)
  {
    const Lanes low = __builtin_shufflevector(second[lane], second[lane + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    const Lanes high = __builtin_shufflevector(second[lane], second[lane + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    std::memcpy(out + stride * lane, &low, sizeof(Lanes));
    std::memcpy(out + stride * (lane + 4), &high, sizeof(Lanes));
  }
#elif defined(__AVX__)
  using Lanes = Wide::Lanes;
  for (int m = 0; m < 8; m += 4)  // two 4x4 blocks
    for (int odd = 0; odd < 2; ++odd)
    {
      const Lanes top =
          odd ? __builtin_shufflevector(in[m].v, in[m + 1].v, 1, 5, 3, 7) : __builtin_shufflevector(in[m].v, in[m + 1].v, 0, 4, 2, 6);
      const Lanes bottom = odd ? __builtin_shufflevector(in[m + 2].v, in[m + 3].v, 1, 5, 3, 7)
                               : __builtin_shufflevector(in[m + 2].v, in[m + 3].v, 0, 4, 2, 6);
      const Lanes low = __builtin_shufflevector(top, bottom, 0, 1, 4, 5), high = __builtin_shufflevector(top, bottom, 2, 3, 6, 7);
      std::memcpy(out + stride * odd + m, &low, sizeof(Lanes));
      std::memcpy(out + stride * (odd + 2) + m, &high, sizeof(Lanes));
    }
#else
  for (int m = 0; m < 8; ++m)
    for (int lane = 0; lane < lanes; ++lane)
      out[stride * lane + m] = in[m].v[lane];
#endif
}

#if defined(__AVX512F__) && defined(__AVX512VL__)
/// Eight rows of three numbers, transposed in registers: a load a row where the plain loop has three.
template <>
inline void load_node<3>(const double *values, const unsigned int *node, Wide *u)
{
  using Row = double __attribute__((vector_size(32)));
  const auto row = [&](const int lane) { return Row(_mm256_maskz_loadu_pd(__mmask8(7), values + 3 * std::size_t(node[lane]))); };
  const auto rows = [&](const int lane) { return __builtin_shufflevector(row(lane), row(lane + 4), 0, 1, 2, 3, 4, 5, 6, 7); };
  const Wide::Lanes r0 = rows(0), r1 = rows(1), r2 = rows(2), r3 = rows(3);
  const Wide::Lanes xz01 = __builtin_shufflevector(r0, r1, 0, 8, 2, 10, 4, 12, 6, 14),
                    xz23 = __builtin_shufflevector(r2, r3, 0, 8, 2, 10, 4, 12, 6, 14);
  const Wide::Lanes y01 = __builtin_shufflevector(r0, r1, 1, 9, 3, 11, 5, 13, 7, 15),
                    y23 = __builtin_shufflevector(r2, r3, 1, 9, 3, 11, 5, 13, 7, 15);
  u[0] = __builtin_shufflevector(xz01, xz23, 0, 1, 8, 9, 4, 5, 12, 13);
  u[1] = __builtin_shufflevector(y01, y23, 0, 1, 8, 9, 4, 5, 12, 13);
  u[2] = __builtin_shufflevector(xz01, xz23, 2, 3, 10, 11, 6, 7, 14, 15);
}

template <>
inline void add_to_node<3>(const Wide *f, const unsigned int *node, const int filled, double *values)
{
  // (x, y) of a lane side by side: one load, addition and store for both.
  const Wide xy[] = {__builtin_shufflevector(f[0].v, f[1].v, 0, 8, 2, 10, 4, 12, 6, 14),
                     __builtin_shufflevector(f[0].v, f[1].v, 1, 9, 3, 11, 5, 13, 7, 15)};
  for (int lane = 0; lane < filled; ++lane)
  {
    double *at = values + 3 * std::size_t(node[lane]);
    _mm_storeu_pd(at, _mm_add_pd(_mm_loadu_pd(at), _mm_set_pd(xy[lane % 2][lane / 2 * 2 + 1], xy[lane % 2][lane / 2 * 2])));
    at[2] += f[2][lane];
  }
}
#endif
}  // namespace symdyn
