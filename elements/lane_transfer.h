#pragma once
#include "materials/wide.h"

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

#if defined(__AVX512F__) && defined(__AVX512VL__)
/// Eight rows of three numbers, transposed in registers: a load a row where the plain loop has three.
template <>
inline void load_node<3>(const double *values, const unsigned int *node, Wide *u)
{
  const auto row = [&](const int lane) { return _mm256_maskz_loadu_pd(__mmask8(7), values + 3 * std::size_t(node[lane])); };
  const auto rows = [&](const int lane) { return _mm512_insertf64x4(_mm512_castpd256_pd512(row(lane)), row(lane + 4), 1); };
  const __m512d r0 = rows(0), r1 = rows(1), r2 = rows(2), r3 = rows(3);
  const __m512d xz01 = _mm512_unpacklo_pd(r0, r1), xz23 = _mm512_unpacklo_pd(r2, r3);
  const __m512d y01 = _mm512_unpackhi_pd(r0, r1), y23 = _mm512_unpackhi_pd(r2, r3);
  const __m512i even = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13), odd = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
  u[0] = Wide::Lanes(_mm512_permutex2var_pd(xz01, even, xz23));
  u[1] = Wide::Lanes(_mm512_permutex2var_pd(y01, even, y23));
  u[2] = Wide::Lanes(_mm512_permutex2var_pd(xz01, odd, xz23));
}

template <>
inline void add_to_node<3>(const Wide *f, const unsigned int *node, const int filled, double *values)
{
  // (x, y) of a lane side by side: one load, addition and store for both.
  const Wide::Lanes even = Wide::Lanes(_mm512_unpacklo_pd(__m512d(f[0].v), __m512d(f[1].v)));
  const Wide::Lanes odd = Wide::Lanes(_mm512_unpackhi_pd(__m512d(f[0].v), __m512d(f[1].v)));
  alignas(64) double xy[2][8], z[8];
  _mm512_store_pd(xy[0], __m512d(even));
  _mm512_store_pd(xy[1], __m512d(odd));
  _mm512_store_pd(z, __m512d(f[2].v));
  for (int lane = 0; lane < filled; ++lane)
  {
    double *at = values + 3 * std::size_t(node[lane]);
    _mm_storeu_pd(at, _mm_add_pd(_mm_loadu_pd(at), _mm_load_pd(xy[lane % 2] + (lane / 2) * 2)));
    at[2] += z[lane];
  }
}
#endif
}  // namespace symdyn
