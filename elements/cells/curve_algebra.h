#pragma once
#include "elements/cells/cell_algebra.h"

// What the derivatives of P along F(s) = F + s G at s = 0 are made of: the first with Duals, the second with Jets.
namespace symdyn
{
/// J along F + s G
template <int dim>
SYMDYN_INLINE void determinant_curve(const Matrix<dim> &F, const Matrix<dim> &G, Dual<Wide> &J)
{
  const Matrix<dim> B = cofactor<dim>(F);
  J.x = F[0][0] * B[0][0];
  for (int d = 1; d < dim; ++d)
    J.x += F[0][d] * B[0][d];
  J.d = contract<dim>(B, G);
}
template <int dim>
SYMDYN_INLINE void determinant_curve(const Matrix<dim> &F, const Matrix<dim> &G, Jet<Wide> &J)
{
  Dual<Wide> first;
  determinant_curve<dim>(F, G, first);
  const Matrix<dim> B = cofactor<dim>(G);
  J = {first.x, first.d, dim == 2 ? contract<dim>(B, G) : 2. * contract<dim>(B, F)};
}
/// I1 along F + s G
template <int dim>
SYMDYN_INLINE void trace_curve(const Matrix<dim> &F, const Matrix<dim> &G, Dual<Wide> &I1)
{
  I1 = {contract<dim>(F, F) + (3. - dim), 2. * contract<dim>(F, G)};
}
template <int dim>
SYMDYN_INLINE void trace_curve(const Matrix<dim> &F, const Matrix<dim> &G, Jet<Wide> &I1)
{
  I1 = {contract<dim>(F, F) + (3. - dim), 2. * contract<dim>(F, G), 2. * contract<dim>(G, G)};
}

// The wanted derivative of a F + c cof F, with c = b J. Without the trace a is a constant.
template <int dim, bool with_trace>
SYMDYN_INLINE Matrix<dim> piola_derivative(const Dual<Wide> &a, const Dual<Wide> &c, const Matrix<dim> &F, const Matrix<dim> &G)
{
  const Matrix<dim> B = cofactor<dim>(F), dB = cofactor_rate<dim>(F, G);
  Matrix<dim> P;
  for (int i = 0; i < dim; ++i)
    for (int D = 0; D < dim; ++D)
    {
      P[i][D] = a.x * G[i][D] + c.d * B[i][D] + c.x * dB[i][D];
      if (with_trace)
        P[i][D] += a.d * F[i][D];
    }
  return P;
}
template <int dim, bool with_trace>
SYMDYN_INLINE Matrix<dim> piola_derivative(const Jet<Wide> &a, const Jet<Wide> &c, const Matrix<dim> &F, const Matrix<dim> &G)
{
  const Matrix<dim> B = cofactor<dim>(F), dB = cofactor_rate<dim>(F, G), half_ddB = cofactor<dim>(G);
  const Wide twice_a = 2. * a.d, twice_d = 2. * c.d, twice_c = dim == 2 ? Wide(0.) : 2. * c.x;
  Matrix<dim> P;
  for (int i = 0; i < dim; ++i)
    for (int D = 0; D < dim; ++D)
    {
      P[i][D] = c.dd * B[i][D] + twice_d * dB[i][D] + twice_c * half_ddB[i][D];
      if (with_trace)
        P[i][D] += a.dd * F[i][D] + twice_a * G[i][D];
    }
  return P;
}

// The wanted derivative of P = F S (small strain: S) along the curve, from S and S' (Dual), S' and S'' (Jet).
template <template <class> class Curve>
constexpr bool second = std::is_same_v<Curve<Wide>, Jet<Wide>>;

template <template <class> class Curve, int dim>
SYMDYN_INLINE Matrix<dim> piola_derivative(const Matrix<dim> &F, const Matrix<dim> &G, const Symmetric<Wide> &lower,
                                           const Symmetric<Wide> &S, const bool small_strain)
{
  Matrix<dim> P;
  for (int i = 0; i < dim; ++i)
    for (int J = 0; J < dim; ++J)
    {
      P[i][J] = S(i, J);
      if (small_strain)
        continue;
      Wide of_lower = G[i][0] * lower(0, J);
      P[i][J] = F[i][0] * S(0, J);
      for (int I = 1; I < dim; ++I)
      {
        of_lower += G[i][I] * lower(I, J);
        P[i][J] += F[i][I] * S(I, J);
      }
      P[i][J] += second<Curve> ? 2. * of_lower : of_lower;
    }
  return P;
}

/// The derivatives of a quantity along the curve that piola_derivative asks for.
SYMDYN_INLINE void last_two(const Symmetric<Dual<Wide>> &curve, Symmetric<Wide> &lower, Symmetric<Wide> &highest)
{
  for (int m = 0; m < 6; ++m)
  {
    lower[m] = curve[m].x;
    highest[m] = curve[m].d;
  }
}
SYMDYN_INLINE void last_two(const Symmetric<Jet<Wide>> &curve, Symmetric<Wide> &lower, Symmetric<Wide> &highest)
{
  for (int m = 0; m < 6; ++m)
  {
    lower[m] = curve[m].d;
    highest[m] = curve[m].dd;
  }
}
}  // namespace symdyn
