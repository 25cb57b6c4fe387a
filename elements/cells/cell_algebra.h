#pragma once
#include <array>

#include "materials/algebra/inline.h"
#include "materials/algebra/jet.h"
#include "materials/algebra/symmetric.h"
#include "materials/algebra/wide.h"

// Small matrices of `lanes` cells, and the kinematics of the Total Lagrangian kernels.
namespace symdyn
{
template <int dim>
struct Matrix
{
  Wide e[dim][dim];
  Wide *operator[](int i) { return e[i]; }
  const Wide *operator[](int i) const { return e[i]; }
};

SYMDYN_INLINE Wide smaller(const Wide &a, const Wide &b) { return a.v < b.v ? a.v : b.v; }

template <int dim>
SYMDYN_INLINE Matrix<dim> mean(const Matrix<dim> &a, const Matrix<dim> &b)
{
  Matrix<dim> m;
  for (int i = 0; i < dim; ++i)
    for (int j = 0; j < dim; ++j)
      m[i][j] = Wide(0.5) * (a[i][j] + b[i][j]);
  return m;
}

template <int dim>
SYMDYN_INLINE Wide determinant(const Matrix<dim> &a)
{
  if constexpr (dim == 2)
    return a[0][0] * a[1][1] - a[0][1] * a[1][0];
  else
    return a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) - a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
           a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
}

template <int dim>
SYMDYN_INLINE Matrix<dim> inverse(const Matrix<dim> &a, const Wide &det)
{
  const Wide r = Wide(1.) / det;
  Matrix<dim> b;
  if constexpr (dim == 2)
    b = Matrix<dim>{{{a[1][1] * r, -a[0][1] * r}, {-a[1][0] * r, a[0][0] * r}}};
  else
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
      {
        const int p = (j + 1) % 3, q = (j + 2) % 3, s = (i + 1) % 3, t = (i + 2) % 3;
        b[i][j] = (a[p][s] * a[q][t] - a[p][t] * a[q][s]) * r;
      }
  return b;
}

/// cof(a) = det(a) a⁻ᵀ
template <int dim>
SYMDYN_INLINE Matrix<dim> cofactor(const Matrix<dim> &a)
{
  Matrix<dim> b;
  if constexpr (dim == 2)
    b = Matrix<dim>{{{a[1][1], -a[1][0]}, {-a[0][1], a[0][0]}}};
  else
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
      {
        const int p = (i + 1) % 3, q = (i + 2) % 3, s = (j + 1) % 3, t = (j + 2) % 3;
        b[i][j] = a[p][s] * a[q][t] - a[p][t] * a[q][s];
      }
  return b;
}

template <int dim>
SYMDYN_INLINE Matrix<dim> transposed_cofactor(const Matrix<dim> &a)
{
  Matrix<dim> b;
  for (int i = 0; i < dim; ++i)
    for (int j = 0; j < dim; ++j)
      b[i][j] = a[j][i];
  return cofactor<dim>(b);
}

/// d/ds cof(F + s G) at s = 0; in 2-D the cofactor is linear.
template <int dim>
SYMDYN_INLINE Matrix<dim> cofactor_rate(const Matrix<dim> &F, const Matrix<dim> &G)
{
  if constexpr (dim == 2)
    return cofactor<dim>(G);
  Matrix<dim> b;
  if constexpr (dim == 3)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
      {
        const int p = (i + 1) % 3, q = (i + 2) % 3, s = (j + 1) % 3, t = (j + 2) % 3;
        b[i][j] = F[p][s] * G[q][t] + G[p][s] * F[q][t] - F[p][t] * G[q][s] - G[p][t] * F[q][s];
      }
  return b;
}

/// a : b
template <int dim>
SYMDYN_INLINE Wide contract(const Matrix<dim> &a, const Matrix<dim> &b)
{
  Wide sum = a[0][0] * b[0][0];
  for (int m = 1; m < dim * dim; ++m)
    sum += a[m / dim][m % dim] * b[m / dim][m % dim];
  return sum;
}

/// Sum over the nodes of value[a*dim+i] * gradient[a*dim+j].
template <int dim, int nodes>
SYMDYN_INLINE Matrix<dim> gradient_of(const Wide *values, const double *gradient)
{
  Matrix<dim> g{};
  for (int a = 0; a < nodes; ++a)
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j < dim; ++j)
        g[i][j] += values[a * dim + i] * gradient[a * dim + j];
  return g;
}

template <int dim>
SYMDYN_INLINE Matrix<dim> operator*(const Matrix<dim> &a, const Matrix<dim> &b)
{
  Matrix<dim> c{};
  for (int i = 0; i < dim; ++i)
    for (int j = 0; j < dim; ++j)
      for (int k = 0; k < dim; ++k)
        c[i][j] += a[i][k] * b[k][j];
  return c;
}

/// C = FᵀF (or I + 2 sym grad u), embedded in 3-D with C_33 = 1 for plane problems.
template <int dim>
SYMDYN_INLINE Symmetric<Wide> strain_measure(const Matrix<dim> &F, const bool small_strain)
{
  Symmetric<Wide> C = identity<Wide>();
  if (small_strain)
  {
#pragma GCC unroll 3
    for (int I = 0; I < dim; ++I)
#pragma GCC unroll 3
      for (int J = I; J < dim; ++J)
        C(I, J) = F[I][J] + F[J][I] - Wide(I == J ? 1. : 0.);
    return C;
  }
#pragma GCC unroll 3
  for (int I = 0; I < dim; ++I)
#pragma GCC unroll 3
    for (int J = I; J < dim; ++J)
    {
      Wide sum = F[0][I] * F[0][J];
#pragma GCC unroll 3
      for (int i = 1; i < dim; ++i)
        sum += F[i][I] * F[i][J];
      C(I, J) = sum;
    }
  return C;
}

/// 2 sym(FᵀG) (small strain: 2 sym G): the change of C along G, twice the rate of the strain E for G = grad v.
template <int dim>
SYMDYN_INLINE Symmetric<Wide> strain_rate(const Matrix<dim> &F, const Matrix<dim> &G, const bool small_strain)
{
  Symmetric<Wide> rate{};
#pragma GCC unroll 3
  for (int I = 0; I < dim; ++I)
#pragma GCC unroll 3
    for (int J = I; J < dim; ++J)
      if (small_strain)
        rate(I, J) = G[I][J] + G[J][I];
      else
#pragma GCC unroll 3
        for (int i = 0; i < dim; ++i)
          rate(I, J) += F[i][I] * G[i][J] + G[i][I] * F[i][J];
  return rate;
}

/// P = F S (small strain: S)
template <int dim>
SYMDYN_INLINE Matrix<dim> first_piola(const Matrix<dim> &F, const Symmetric<Wide> &S, const bool small_strain)
{
  Matrix<dim> P{};
#pragma GCC unroll 3
  for (int i = 0; i < dim; ++i)
#pragma GCC unroll 3
    for (int J = 0; J < dim; ++J)
      if (small_strain)
        P[i][J] = S(i, J);
      else
#pragma GCC unroll 3
        for (int I = 0; I < dim; ++I)
          P[i][J] += F[i][I] * S(I, J);
  return P;
}

/// D : E over all nine components
inline Symmetric<Wide> contract(const Tangent<Wide> &D, const Symmetric<Wide> &E)
{
  Symmetric<Wide> S{};
  for (int m = 0; m < 6; ++m)
    for (int n = 0; n < 6; ++n)
      S[m] += D(m, n) * (n < 3 ? E[n] : Wide(2.) * E[n]);
  return S;
}

/// A_iJkL = dP_iJ/dF_kL
template <int dim>
using Modulus = std::array<std::array<Wide, dim * dim>, dim * dim>;

/// A_iJkL = left_iI D_IJKL right_kK dX (small strain: D dX). D need not be symmetric.
template <int dim>
void two_point_modulus(const Matrix<dim> &left, const Tangent<Wide> &D, const Matrix<dim> &right, const bool small_strain, const Wide &dX,
                       Modulus<dim> &A)
{
  const auto index = [](int I, int J) { return Symmetric<Wide>::index(I, J); };
  std::array<std::array<Wide, 6>, dim * dim> FD;  // left_iI D_IJ(KL)
  for (int i = 0; i < dim; ++i)
    for (int J = 0; J < dim; ++J)
      for (int K = 0; K < dim; ++K)
        for (int L = K; L < dim; ++L)
        {
          const int n = index(K, L);
          Wide sum = small_strain ? D(index(i, J), n) : left[i][0] * D(index(0, J), n);
          for (int I = 1; I < dim && !small_strain; ++I)
            sum += left[i][I] * D(index(I, J), n);
          FD[i * dim + J][n] = sum * dX;
        }
  for (int iJ = 0; iJ < dim * dim; ++iJ)
    for (int k = 0; k < dim; ++k)
      for (int L = 0; L < dim; ++L)
      {
        Wide sum = small_strain ? FD[iJ][index(k, L)] : right[k][0] * FD[iJ][index(0, L)];
        for (int K = 1; K < dim && !small_strain; ++K)
          sum += right[k][K] * FD[iJ][index(K, L)];
        A[iJ][k * dim + L] = sum;
      }
}

/// A_iJkL += delta_ik S_JL dX
template <int dim>
void add_initial_stress(const Symmetric<Wide> &S, const Wide &dX, Modulus<dim> &A)
{
  for (int i = 0; i < dim; ++i)
    for (int J = 0; J < dim; ++J)
      for (int L = 0; L < dim; ++L)
        A[i * dim + J][i * dim + L] += S(J, L) * dX;
}

/// C(s) for F(s) = F + s G: value and first derivative at s = 0, and the second of Jets.
template <template <class> class Curve, int dim>
SYMDYN_INLINE Symmetric<Curve<Wide>> strain_curve(const Matrix<dim> &F, const Matrix<dim> &G, const bool small_strain)
{
  constexpr bool second = std::is_same_v<Curve<Wide>, Jet<Wide>>;
  const Symmetric<Wide> C = strain_measure(F, small_strain);
  Symmetric<Curve<Wide>> curve;
  for (int m = 0; m < 6; ++m)
  {
    curve[m] = Curve<Wide>(0.);
    curve[m].x = C[m];
  }
  for (int I = 0; I < dim; ++I)
    for (int J = I; J < dim; ++J)
    {
      if (small_strain)
      {
        curve(I, J).d = G[I][J] + G[J][I];
        continue;
      }
      Wide d = F[0][I] * G[0][J] + G[0][I] * F[0][J];
      for (int i = 1; i < dim; ++i)
        d += F[i][I] * G[i][J] + G[i][I] * F[i][J];
      curve(I, J).d = d;
      if constexpr (second)
      {
        Wide half_dd = G[0][I] * G[0][J];
        for (int i = 1; i < dim; ++i)
          half_dd += G[i][I] * G[i][J];
        curve(I, J).dd = half_dd + half_dd;
      }
    }
  return curve;
}
}  // namespace symdyn
