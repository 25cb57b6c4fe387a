#pragma once
#include "elements/cells/cell_algebra.h"
#include "elements/cells/cell_kernels.h"
#include "elements/cells/curve_algebra.h"
#include "elements/cells/reference_element.h"

namespace symdyn
{
/// The quadrature points of `lanes` quadrilaterals or hexahedra with straight edges: dN_a/dX_J of the nodes, and of further functions
/// (`functions` in all) that the element adds, and the volumes of the points.
template <int dim, int functions>
struct CellPoints
{
  static constexpr int nodes = 1 << dim, points = 1 << dim, size = functions * dim;

  /// X[v*dim+d]: vertices [m]. The further functions are set by `set_modes`.
  CellPoints(const ReferenceElement<dim> &table, const Wide *X)
  {
    for (int q = 0; q < points; ++q)
    {
      const Matrix<dim> J = gradient_of<dim, nodes>(X, &table.vertex_gradient[q * nodes * dim]);
      jacobian[q] = determinant<dim>(J);
      const Matrix<dim> b = inverse<dim>(J, jacobian[q]);
      dX[q] = jacobian[q] * table.weight[q];
      volume += dX[q];
      for (int a = 0; a < nodes; ++a)
        for (int i = 0; i < dim; ++i)
        {
          gradient[q][a][i] = 0.;
          for (int d = 0; d < dim; ++d)
            gradient[q][a][i] += b[d][i] * table.gradient[(q * nodes + a) * dim + d];
          for (int j = 0; j < dim; ++j)
            middle[i][j] += J[i][j] * Wide(a == 0 ? 1. / points : 0.);
        }
    }
  }

  /// The incompatible modes m = 0 … dim-1, N_m = 1 - xi_m² over -1 < xi < 1, with the Jacobian of the cell's middle, as the patch test asks
  /// for:
  ///     G_m = (j_0/j) J_0⁻ᵀ dN_m/dxi,   ∫ G_m dX = 0       (Taylor, Beresford, Wilson 1976; Simo, Armero 1992)
  /// J is bilinear, so that its mean over Gauss points is that of the middle.
  void set_modes(const dealii::Quadrature<dim> &quadrature)
  {
    const Wide j_0 = determinant<dim>(middle);
    const Matrix<dim> b = inverse<dim>(middle, j_0);
    for (int q = 0; q < points; ++q)
      for (int m = 0; m < functions - nodes; ++m)
        for (int i = 0; i < dim; ++i)
          gradient[q][nodes + m][i] = j_0 / jacobian[q] * b[m][i] * Wide(4. - 8. * quadrature.point(q)[m]);
  }

  /// grad u, u[a*dim+i] of all functions
  Matrix<dim> gradient_at(const int q, const Wide *u) const
  {
    Matrix<dim> g{};
    for (int a = 0; a < functions; ++a)
      for (int i = 0; i < dim; ++i)
        for (int J = 0; J < dim; ++J)
          g[i][J] += u[a * dim + i] * gradient[q][a][J];
    return g;
  }
  /// F = I + grad u
  Matrix<dim> deformation(const int q, const Wide *u) const
  {
    Matrix<dim> F = gradient_at(q, u);
    for (int i = 0; i < dim; ++i)
      F[i][i] += Wide(1.);
    return F;
  }
  /// f_ai += P_iJ dN_a/dX_J dX
  void add_divergence(const int q, const Matrix<dim> &P, Wide *f) const
  {
    for (int i = 0; i < dim; ++i)
      for (int J = 0; J < dim; ++J)
      {
        const Wide weighted = P[i][J] * dX[q];
        for (int a = 0; a < functions; ++a)
          f[a * dim + i] += weighted * gradient[q][a][J];
      }
  }
  /// K[a*dim+i][b*dim+k] += G_aJ A_iJkL G_bL for the functions from `first` on, A with its dX; K has `size` columns.
  void add_modulus(const int q, const Modulus<dim> &A, const int first, Wide *K) const
  {
    for (int b = first; b < functions; ++b)
      for (int iJ = 0; iJ < dim * dim; ++iJ)
        for (int k = 0; k < dim; ++k)
        {
          Wide T = 0.;
          for (int L = 0; L < dim; ++L)
            T += A[iJ][k * dim + L] * gradient[q][b][L];
          for (int a = first; a < functions; ++a)
            K[(a * dim + iJ / dim) * size + b * dim + k] += gradient[q][a][iJ % dim] * T;
        }
  }

  Wide gradient[points][functions][dim], dX[points], jacobian[points], volume = 0.;
  Matrix<dim> middle{};  ///< dX/dxi in the middle
};

/// What elements of their own energy on quadrilaterals and hexahedra of degree 1 share: mass and geometry are those of the plain ones,
/// matrices come from `dense_tangent`.
template <int dim>
class CellEnergy : public CellKernels<dim>
{
public:
  static constexpr int nodes = 1 << dim, size = nodes * dim, points = 1 << dim;

  explicit CellEnergy(const ElementFamily<dim> &family)
      : table(family.stiffness), quadrature(family.stiffness_points), plain(make_kernels(family))
  {
  }

  bool prepare(const Wide *X, std::vector<Wide> &prepared) const override
  {
    prepared.insert(prepared.end(), X, X + size);
    return false;
  }
  void tangent(const Wide *X, const Wide *u, const Material &material, Wide *K) const override
  {
    std::vector<Wide> dense(size * size, Wide(0.));
    dense_tangent(X, u, material, dense.data());
    to_blocks(dense.data(), K);
  }
  void tangent_diagonal(const Wide *X, const Wide *u, const Material &material, Wide *K) const override
  {
    std::vector<Wide> dense(size * size, Wide(0.));
    dense_tangent(X, u, material, dense.data());
    for (int a = 0; a < nodes; ++a)
      for (int i = 0; i < dim; ++i)
        for (int k = 0; k < dim; ++k)
          *K++ = dense[(a * dim + i) * size + a * dim + k];
  }
  /// By columns: the force is linear in v.
  void viscous_tangent(const Wide *X, const Wide *u, const Material &material, Wide *K) const override
  {
    std::vector<Wide> dense(size * size);
    for (int column = 0; column < size; ++column)
    {
      Wide v[size], f[size];
      std::fill(v, v + size, Wide(0.));
      std::fill(f, f + size, Wide(0.));
      v[column] = 1.;
      this->viscous_force(X, u, v, material, f);
      for (int row = 0; row < size; ++row)
        dense[row * size + column] = f[row];
    }
    to_blocks(dense.data(), K);
  }
  void mass(const Wide *X, const double density, Wide *m) const override { plain->mass(X, density, m); }
  void mass_product(const CellMap<dim> &X, const Wide *w, const double density, Wide *f) const override
  {
    plain->mass_product(vertices(X), w, density, f);
  }
  void nodal_mass(const Wide *X, const double density, Wide *m) const override { plain->nodal_mass(X, density, m); }
  void geometry(const Wide *X, Wide &smallest_jacobian, Wide &volume) const override { plain->geometry(X, smallest_jacobian, volume); }

protected:
  /// K[row*size+column] += V''
  virtual void dense_tangent(const Wide *X, const Wide *u, const Material &material, Wide *K) const = 0;

  /// What is prepared are the vertices.
  static const Wide *vertices(const CellMap<dim> &X) { return X.prepared ? X.prepared : X.vertices; }

  static void to_blocks(const Wide *dense, Wide *K)
  {
    for (int b = 0; b < nodes; ++b)
      for (int a = 0; a <= b; ++a)
        for (int i = 0; i < dim; ++i)
          for (int k = 0; k < dim; ++k)
            K[(pair_index(a, b) * dim + i) * dim + k] = dense[(a * dim + i) * size + b * dim + k];
  }
  /// The same for all pairs of nodes.
  static void to_all_blocks(const Wide *dense, Wide *K)
  {
    for (int a = 0; a < nodes; ++a)
      for (int b = 0; b < nodes; ++b)
        for (int i = 0; i < dim; ++i)
          for (int k = 0; k < dim; ++k)
            *K++ = dense[(a * dim + i) * size + b * dim + k];
  }
  static Tangent<Wide> undeformed_modulus(const Material &material)
  {
    Symmetric<Wide> S;
    Tangent<Wide> D;
    material.tangent(identity<Wide>(), S, D);
    return D;
  }

  ReferenceElement<dim> table;
  dealii::Quadrature<dim> quadrature;

private:
  std::unique_ptr<CellKernels<dim>> plain;
};
}  // namespace symdyn
