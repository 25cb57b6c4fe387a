#pragma once
#include <vector>

#include "elements/cells/cell_algebra.h"
#include "elements/cells/cell_map.h"
#include "elements/cells/reference_element.h"

namespace symdyn
{
/// A basis (TensorBasis, SimplexBasis) on cells: what is kept of their places, and the fields of the points in the body's directions.
template <class Basis>
struct MappedBasis
{
  static constexpr int dim = Basis::dim;
  using Gradient = typename Basis::Gradient;

  explicit MappedBasis(const ElementFamily<dim> &family) : basis(family) {}

  /// As CellKernels::prepare.
  bool prepare(const Wide *X, std::vector<Wide> &prepared) const
  {
    Matrix<dim> J;
    if constexpr (Basis::affine)
    {
      for (int i = 0; i < dim; ++i)
        for (int d = 0; d < dim; ++d)
          J[i][d] = X[(d + 1) * dim + i] - X[i];
      AffineMap<dim>::prepare(J, prepared);
      return true;
    }
    else
    {
      Wide c[1 << dim][dim];
      const bool affine = MultilinearMap<Basis>::coefficients(X, c);
      const Wide *first = c[1];  // of what follows the constant
      if (!affine)
        prepared.insert(prepared.end(), first, first + MultilinearMap<Basis>::size);
      else
      {
        for (int i = 0; i < dim; ++i)
          for (int d = 0; d < dim; ++d)
            J[i][d] = c[1 << d][i];
        AffineMap<dim>::prepare(J, prepared);
      }
      return affine;
    }
  }

  /// action(map) with the map of the cells as it is known, or prepared now.
  template <class Action>
  void with_map(const CellMap<dim> &X, const Action &action) const
  {
    const Wide *prepared = X.prepared;
    bool affine = X.affine;
    std::vector<Wide> own;
    if (!prepared)
    {
      affine = prepare(X.vertices, own);
      prepared = own.data();
    }
    if constexpr (!Basis::affine)
      if (!affine)
      {
        MultilinearMap<Basis> map(basis, prepared);
        return action(map);
      }
    AffineMap<dim> map(prepared);
    action(map);
  }

  /// grad u
  static SYMDYN_INLINE Matrix<dim> physical(const Gradient &g, const int q, const Matrix<dim> &inverse)
  {
    Matrix<dim> G;
    for (int i = 0; i < dim; ++i)
      for (int J = 0; J < dim; ++J)
      {
        G[i][J] = g[i * dim][q] * inverse[0][J];
        for (int d = 1; d < dim; ++d)
          G[i][J] += g[i * dim + d][q] * inverse[d][J];
      }
    return G;
  }

  /// F = I + grad u
  static SYMDYN_INLINE Matrix<dim> deformation(const Gradient &g, const int q, const Matrix<dim> &inverse)
  {
    Matrix<dim> F = physical(g, q, inverse);
    for (int i = 0; i < dim; ++i)
      F[i][i] += Wide(1.);
    return F;
  }

  /// R_id = P_iJ (cofactor of dX/dxi)_dJ, P with the weight of the point
  static SYMDYN_INLINE void pull_back(const Matrix<dim> &P, const Matrix<dim> &cofactor, const int q, Gradient &R)
  {
    for (int i = 0; i < dim; ++i)
      for (int d = 0; d < dim; ++d)
      {
        Wide sum = P[i][0] * cofactor[d][0];
        for (int J = 1; J < dim; ++J)
          sum += P[i][J] * cofactor[d][J];
        R[i * dim + d][q] = sum;
      }
  }

  // Deformation gradients wait in the place of the gradients while the law is asked.
  static SYMDYN_INLINE void keep(const Matrix<dim> &F, const int q, Gradient &g)
  {
    for (int m = 0; m < dim * dim; ++m)
      g[m][q] = F[m / dim][m % dim];
  }
  static SYMDYN_INLINE Matrix<dim> kept(const Gradient &g, const int q)
  {
    Matrix<dim> F;
    for (int m = 0; m < dim * dim; ++m)
      F[m / dim][m % dim] = g[m][q];
    return F;
  }

  Basis basis;
};
}  // namespace symdyn
