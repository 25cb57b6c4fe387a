#pragma once
#include <vector>

#include "elements/cells/cell_algebra.h"

namespace symdyn
{
/// Where `lanes` cells are, as kernels are told: by their vertices X[v*dim+d] [m], or by what CellKernels::prepare made of them.
template <int dim>
struct CellMap
{
  CellMap(const Wide *vertices) : vertices(vertices) {}
  CellMap(const Wide *prepared, const bool affine) : prepared(prepared), affine(affine) {}

  const Wide *vertices = nullptr, *prepared = nullptr;
  bool affine = false;  ///< of prepared ones: all lanes are parallelepipeds or simplices
};

/// dX/dxi of `lanes` cells is the same everywhere. Prepared: dxi_d/dX_J, then det dX/dxi.
template <int dim>
struct AffineMap
{
  static constexpr int size = dim * dim + 1;

  explicit AffineMap(const Wide *prepared) : volume(prepared[dim * dim])
  {
    for (int d = 0; d < dim; ++d)
      for (int J = 0; J < dim; ++J)
      {
        inverse[d][J] = prepared[d * dim + J];
        cofactors[d][J] = prepared[d * dim + J] * volume;
      }
  }

  /// J[i][d] = dX_i/dxi_d
  static void prepare(const Matrix<dim> &J, std::vector<Wide> &prepared)
  {
    const Wide det = determinant<dim>(J);
    const Matrix<dim> b = symdyn::inverse<dim>(J, det);
    for (int d = 0; d < dim; ++d)
      prepared.insert(prepared.end(), b[d], b[d] + dim);
    prepared.push_back(det);
  }

  SYMDYN_INLINE void locate(int) {}
  SYMDYN_INLINE const Matrix<dim> &gradients() const { return inverse; }      ///< dxi_d/dX_J where it was located last
  SYMDYN_INLINE const Matrix<dim> &cofactor(int) const { return cofactors; }  ///< of dX/dxi: dxi_d/dX_J times det dX/dxi
  SYMDYN_INLINE const Wide &jacobian(int) const { return volume; }            ///< det dX/dxi

  Matrix<dim> inverse, cofactors;
  Wide volume;
};

/// The multilinear map of quadrilaterals and hexahedra, X = sum of c_m xi^(bits of m), at the points of a tensor basis, one after
/// the other; those of a group are kept. Prepared: c_m from m = 1 on. Along a line of points in direction d dX/dxi_d is constant, which
/// saves most of the work.
template <class Basis>
struct MultilinearMap
{
  static constexpr int dim = Basis::dim, n = Basis::points / Basis::layer, layer = Basis::layer, together = Basis::together,
                       vertices = 1 << dim;
  static constexpr int size = (vertices - 1) * dim;

  MultilinearMap(const Basis &basis, const Wide *prepared) : basis(basis), c(prepared)
  {
    for (int k = 0; k < layer; ++k)
      for (int i = 0; i < dim; ++i)
        if constexpr (dim == 2)
          last[k][i] = at(2, i) + at(3, i) * basis.abscissa[k];
        else
          last[k][i] = at(4, i) + at(5, i) * basis.abscissa[k % n] + (at(6, i) + at(7, i) * basis.abscissa[k % n]) * basis.abscissa[k / n];
  }

  /// c_m of the cells with vertices X, first direction fastest. Returns whether all are parallelepipeds but for rounding.
  static bool coefficients(const Wide *X, Wide (&c)[vertices][dim])
  {
    constexpr double rounding = 1e-15;
    for (int m = 0; m < vertices; ++m)
      for (int i = 0; i < dim; ++i)
        c[m][i] = X[m * dim + i];
    for (int d = 0; d < dim; ++d)
      for (int m = 0; m < vertices; ++m)
        if (m & (1 << d))
          for (int i = 0; i < dim; ++i)
            c[m][i] -= c[m ^ (1 << d)][i];
    Wide bent = 0., size = 0.;
    for (int m = 0; m < vertices; ++m)
      for (int i = 0; i < dim; ++i)
      {
        if (m & (m - 1))
          bent += c[m][i] * c[m][i];
        size += X[m * dim + i] * X[m * dim + i];
      }
    bool affine = true;
    for (int lane = 0; lane < lanes; ++lane)
      affine = affine && bent[lane] <= rounding * rounding * size[lane];
    return affine;
  }

  SYMDYN_INLINE void locate(const int q)
  {
    const int k = q % layer;
    if (k == 0)
      enter(q / layer);
    Matrix<dim> J;
    for (int i = 0; i < dim; ++i)
    {
      J[i][0] = first[dim == 2 ? 0 : k / n][i];
      if constexpr (dim == 3)
        J[i][1] = second[k % n][i];
      J[i][dim - 1] = last[k][i];
    }
    Matrix<dim> &b = cofactors[q % together];
    Wide &det = jacobians[q % together];
    b = transposed_cofactor<dim>(J);
    det = J[0][0] * b[0][0];
    for (int d = 1; d < dim; ++d)
      det += J[0][d] * b[d][0];
    const Wide r = Wide(1.) / det;
    for (int d = 0; d < dim; ++d)
      for (int i = 0; i < dim; ++i)
        inverse[d][i] = b[d][i] * r;
  }
  SYMDYN_INLINE const Matrix<dim> &gradients() const { return inverse; }
  SYMDYN_INLINE const Matrix<dim> &cofactor(const int k) const { return cofactors[k]; }  ///< at point k of the group
  SYMDYN_INLINE const Wide &jacobian(const int k) const { return jacobians[k]; }

private:
  void enter(const int l)
  {
    const double z = basis.abscissa[l];
    for (int i = 0; i < dim; ++i)
      if constexpr (dim == 2)
        first[0][i] = at(1, i) + at(3, i) * z;
      else
      {
        const Wide both = at(3, i) + at(7, i) * z, x = at(1, i) + at(5, i) * z, y = at(2, i) + at(6, i) * z;
        for (int j = 0; j < n; ++j)
        {
          first[j][i] = x + both * basis.abscissa[j];
          second[j][i] = y + both * basis.abscissa[j];
        }
      }
  }

  SYMDYN_INLINE const Wide &at(const int m, const int i) const { return c[(m - 1) * dim + i]; }

  const Basis &basis;
  const Wide *c;
  Wide first[dim == 2 ? 1 : n][dim], second[n][dim], last[layer][dim];  // dX/dxi_0, dX/dxi_1 (3-D) and the last
  Matrix<dim> inverse, cofactors[together];
  Wide jacobians[together];
};
}  // namespace symdyn
