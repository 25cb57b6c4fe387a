#pragma once
#include <cmath>
#include <initializer_list>
#include <limits>
#if defined(__AVX__)
#include <immintrin.h>
#endif

namespace symdyn
{
/// Doubles that one instruction handles: 8 with AVX-512, 4 with AVX, else 2. Lanes are cells (or quadrature points)
/// that are computed side by side.
#if defined(__AVX512F__)
constexpr int lanes = 8;
#elif defined(__AVX__)
constexpr int lanes = 4;
#else
constexpr int lanes = 2;
#endif

/// `lanes` doubles with the arithmetic of one (GCC/Clang vector extension). Own code because deal.II's VectorizedArray
/// has width 1 in Debian's build and materials/ headers stand without deal.II.
struct Wide
{
  using Lanes = double __attribute__((vector_size(8 * lanes)));
  using Bits = long long __attribute__((vector_size(8 * lanes)));
  Lanes v;

  Wide() = default;
  Wide(double s) : v(s - Lanes{}) {}
  Wide(const Lanes &v) : v(v) {}
  double operator[](int i) const { return v[i]; }
  void set(int i, double s) { v[i] = s; }

  Wide &operator+=(const Wide &b)
  {
    v += b.v;
    return *this;
  }
  Wide &operator-=(const Wide &b)
  {
    v -= b.v;
    return *this;
  }
  Wide &operator*=(const Wide &b)
  {
    v *= b.v;
    return *this;
  }
  Wide &operator/=(const Wide &b)
  {
    v /= b.v;
    return *this;
  }
  friend Wide operator+(const Wide &a, const Wide &b) { return a.v + b.v; }
  friend Wide operator-(const Wide &a, const Wide &b) { return a.v - b.v; }
  friend Wide operator*(const Wide &a, const Wide &b) { return a.v * b.v; }
  friend Wide operator/(const Wide &a, const Wide &b) { return a.v / b.v; }
  friend Wide operator-(const Wide &a) { return -a.v; }
};

template <class Function>
Wide map_lanes(const Wide &a, const Function &f)
{
  Wide r;
  for (int i = 0; i < lanes; ++i)
    r.v[i] = f(a.v[i]);
  return r;
}
inline Wide exp(const Wide &a)
{
  return map_lanes(a, [](double s) { return std::exp(s); });
}
inline Wide cbrt(const Wide &a)
{
  return map_lanes(a, [](double s) { return std::cbrt(s); });
}
inline Wide pow(const Wide &a, double p)
{
  return map_lanes(a, [p](double s) { return std::pow(s, p); });
}

/// Intrinsics, because a call of std::sqrt keeps a branch for errno in every lane (with a mask, because GCC 12 warns of
/// its own header otherwise).
inline Wide sqrt(const Wide &a)
{
#if defined(__AVX512F__)
  return Wide::Lanes(_mm512_maskz_sqrt_pd(__mmask8(-1), __m512d(a.v)));
#elif defined(__AVX__)
  return Wide::Lanes(_mm256_sqrt_pd(__m256d(a.v)));
#else
  return map_lanes(a, [](double s) { return std::sqrt(s); });
#endif
}

/// Lanes where a > 0, as a mask for `select`. Of curves (jet.h): by their value.
inline Wide::Bits positive(const Wide &a) { return a.v > Wide(0.).v; }
/// Bit i: of lane i of a mask.
inline unsigned lanes_of(const Wide::Bits &mask)
{
#if defined(__AVX512F__)
  return _mm512_test_epi64_mask(__m512i(mask), __m512i(mask));
#else
  unsigned all = 0;
  for (int lane = 0; lane < lanes; ++lane)
    all |= mask[lane] != 0 ? 1u << lane : 0u;
  return all;
#endif
}
/// a in the lanes of the mask, b in the others; what the others have in a is not looked at, be it NaN.
inline Wide select(const Wide::Bits &mask, const Wide &a, const Wide &b) { return Wide::Lanes(mask ? a.v : b.v); }

/// r where a is a positive normal number, else NaN.
inline Wide where_positive(const Wide &a, const Wide &r)
{
  const Wide least = std::numeric_limits<double>::min(), greatest = std::numeric_limits<double>::max();
  const Wide nan = std::numeric_limits<double>::quiet_NaN();
  return a.v >= least.v && a.v <= greatest.v ? r.v : nan.v;
}

/// ln a, relative error < 3e-16; NaN unless a is positive and normal. With a = 2^k m, m in [sqrt(1/2), sqrt(2)), f = m
/// - 1 and s = f / (2 + f): ln m = 2 atanh(s) by the polynomial of fdlibm's e_log.c (Sun Microsystems 1993).
inline Wide log(const Wide &a)
{
  constexpr long long one = 0x3ff0000000000000, sqrt_half = 0x3fe6a09e00000000, mantissa = 0x000fffffffffffff;
  using Unsigned = unsigned long long __attribute__((vector_size(8 * lanes)));  // a NaN may overflow
  const Wide::Bits bits = Wide::Bits(Unsigned(a.v) + Unsigned((one - sqrt_half) + Wide::Bits{}));
  const Wide k = __builtin_convertvector((bits >> 52) - 1023, Wide::Lanes);
  const Wide f = Wide::Lanes((bits & mantissa) + sqrt_half) - 1.;
  const Wide s = f / (2. + f), z = s * s, half_square = 0.5 * f * f;
  Wide R = 1.479819860511658591e-01;
  for (const double coefficient : {1.531383769920937332e-01, 1.818357216161805012e-01, 2.222219843214978396e-01, 2.857142874366239149e-01,
                                   3.999999999940941908e-01, 6.666666666666735130e-01})
    R = R * z + coefficient;
  R *= z;
  const Wide ln2_high = 6.93147180369123816490e-01, ln2_low = 1.90821492927058770002e-10;
  return where_positive(a, k * ln2_high - ((half_square - (s * (half_square + R) + k * ln2_low)) - f));
}

/// a^(-1/3), relative error < 1e-15; NaN unless a is positive and normal. A guess from the exponent (its third, by
/// arithmetic on the bits) is refined without division: a^(-1/3) = y (1 - h)^(-1/3), h = 1 - a y³, |h| < 0.11, by the
/// binomial series.
inline Wide rcbrt(const Wide &a)
{
  const Wide third = 1. / 3., guess_of_one = (1023. * 4. / 3. - 0.0680) * 4503599627370496.;
  const Wide guess = guess_of_one - third * Wide(__builtin_convertvector(Wide::Bits(a.v), Wide::Lanes));
  Wide y = Wide::Lanes(__builtin_convertvector(guess.v, Wide::Bits));
  Wide h = 1. - a * y * y * y;
  y += y * h * (1. / 3. + h * (2. / 9. + h * (14. / 81. + h * (35. / 243. + h * (91. / 729.)))));
  h = 1. - a * y * y * y;
  y += y * h * (1. / 3. + h * (2. / 9.));
  return where_positive(a, y);
}
}  // namespace symdyn
