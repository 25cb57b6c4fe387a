#include "elements/tensor_kernels.h"

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_tools.h>

#include <algorithm>
#include <cmath>

#include "elements/cell_algebra.h"

namespace symdyn
{
namespace
{
constexpr int power(const int base, const int exponent) { return exponent == 0 ? 1 : base * power(base, exponent - 1); }

/// out = A in (or Aᵀ in) along one direction of an array of n^dim values, first direction fastest; added with `add`. In place is
/// possible without it.
template <int n, int dim, int direction, bool transposed, bool add>
SYMDYN_INLINE void along(const double (&A)[n][n], const Wide *in, Wide *out)
{
  constexpr int stride = power(n, direction), lines = power(n, dim - 1);
#pragma GCC unroll 4
  for (int line = 0; line < lines; ++line)
  {
    const int first = (line / stride) * stride * n + line % stride;
    Wide x[n];
    for (int j = 0; j < n; ++j)
      x[j] = in[first + j * stride];
    for (int i = 0; i < n; ++i)
    {
      Wide sum = x[0] * (transposed ? A[0][i] : A[i][0]);
      for (int j = 1; j < n; ++j)
        sum += x[j] * (transposed ? A[j][i] : A[i][j]);
      if (add)
        out[first + i * stride] += sum;
      else
        out[first + i * stride] = sum;
    }
  }
}

/// n = p + 1 nodes and Gauss points in each direction.
template <int dim, int n>
class TensorKernels : public CellKernels<dim>
{
  static constexpr int points = power(n, dim), vertices = power(2, dim);
  static constexpr int together = power(n, dim - 1);  ///< points whose stresses are asked for at once: a layer
  using Gradient = Wide[dim * dim][points];           ///< of a vector field: [i * dim + d][point]

public:
  explicit TensorKernels(const ElementFamily<dim> &family) : plain(make_kernels(family))
  {
    const dealii::QGauss<1> gauss(n);
    const dealii::FE_Q<1> line(n - 1);
    const auto lexicographic = dealii::FETools::lexicographic_to_hierarchic_numbering<1>(n - 1);
    const auto order = dealii::FETools::lexicographic_to_hierarchic_numbering<dim>(n - 1);
    std::copy(order.begin(), order.end(), node);
    for (int q = 0; q < n; ++q)
      for (int r = 0; r < n; ++r)
      {
        shape[q][r] = line.shape_value(lexicographic[r], gauss.point(q));
        slope[q][r] = lagrange_slope(gauss, r, q);
      }
    for (int q = 0; q < points; ++q)
    {
      weight[q] = 1.;
      for (int d = 0, rest = q; d < dim; ++d, rest /= n)
      {
        coordinate[q][d] = gauss.point(rest % n)[0];
        weight[q] *= gauss.weight(rest % n);
      }
    }
  }

  Wide energy(const Wide *X, const Wide *u, const Material &material) const override
  {
    const Geometry geometry(X);
    Gradient g;
    gradient(u, g);
    Wide V = 0.;
    Place here;
    here.inverse_jacobian = geometry.inverse_jacobian;
    for (int q = 0; q < points; ++q)
    {
      move(geometry, q, here);
      V += here.dX * material.psi(strain_measure(deformation(g, q, here), material.small_strain()));
    }
    return V;
  }

  Wide force(const Wide *X, const Wide *u, const Material &material, Wide *f) const override
  {
    const Geometry geometry(X);
    if (material.small_strain())
      return force<false, true>(geometry, u, material, f);
    return geometry.affine ? force<true, false>(geometry, u, material, f) : force<false, false>(geometry, u, material, f);
  }

  void stiffness(const Wide *X, const Wide *u, const Wide *w, const Material &material, Wide *f) const override
  {
    along_curve(X, u, w, material, f, [](const Wide &F, const Wide &G, const Jet<Wide> &S) { return G * S.x + F * S.d; },
                [](const Jet<Wide> &S) { return S.d; });
  }

  void third_derivative(const Wide *X, const Wide *u, const Wide *a, const Material &material, Wide *f) const override
  {
    along_curve(
        X, u, a, material, f, [](const Wide &F, const Wide &G, const Jet<Wide> &S) { return Wide(2.) * G * S.d + F * S.dd; },
        [](const Jet<Wide> &S) { return S.dd; });
  }

  void tangent(const Wide *X, const Wide *u, const Material &material, Wide *K) const override { plain->tangent(X, u, material, K); }
  Wide discrete_force(const Wide *X, const Wide *u0, const Wide *u1, const Material &material, Wide *f) const override
  {
    return plain->discrete_force(X, u0, u1, material, f);
  }
  void discrete_tangent(const Wide *X, const Wide *u0, const Wide *u1, const Material &material, Wide *K) const override
  {
    plain->discrete_tangent(X, u0, u1, material, K);
  }
  void viscous_force(const Wide *X, const Wide *u, const Wide *v, const Material &material, Wide *f) const override
  {
    plain->viscous_force(X, u, v, material, f);
  }
  void viscous_tangent(const Wide *X, const Wide *u, const Material &material, Wide *K) const override { plain->viscous_tangent(X, u, material, K); }
  void mass(const Wide *X, const double density, Wide *m) const override { plain->mass(X, density, m); }
  void nodal_mass(const Wide *X, const double density, Wide *m) const override { plain->nodal_mass(X, density, m); }
  void geometry(const Wide *X, Wide &smallest_jacobian, Wide &volume) const override { plain->geometry(X, smallest_jacobian, volume); }

private:
  /// X = sum of c_m xi^(bits of m): the multilinear map of the cells, by its vertices (first direction fastest).
  struct Geometry
  {
    explicit Geometry(const Wide *X)
    {
      std::copy(X, X + vertices * dim, &c[0][0]);
      for (int d = 0; d < dim; ++d)
        for (int m = 0; m < vertices; ++m)
          if (m & (1 << d))
            for (int i = 0; i < dim; ++i)
              c[m][i] -= c[m ^ (1 << d)][i];
      // What is not linear, and what rounding of the coordinates makes of it.
      Wide bent = 0., size = 0.;
      for (int m = 0; m < vertices; ++m)
        for (int i = 0; i < dim; ++i)
        {
          if (m & (m - 1))
            bent += c[m][i] * c[m][i];
          size += X[m * dim + i] * X[m * dim + i];
        }
      affine = true;
      for (int lane = 0; lane < lanes; ++lane)
        affine = affine && bent[lane] <= rounding * rounding * size[lane];
      jacobian = 0.;
      inverse_jacobian = {};
      if (!affine)
        return;
      Matrix<dim> J;
      for (int i = 0; i < dim; ++i)
        for (int d = 0; d < dim; ++d)
          J[i][d] = c[1 << d][i];
      jacobian = determinant<dim>(J);
      inverse_jacobian = inverse<dim>(J, jacobian);
    }

    static constexpr double rounding = 1e-15;
    Wide c[vertices][dim];
    bool affine;
    Matrix<dim> inverse_jacobian;
    Wide jacobian;
  };

  /// A quadrature point: dxi_d/dX_J and dX.
  struct Place
  {
    Matrix<dim> inverse_jacobian;
    Wide dX;
  };

  SYMDYN_INLINE void locate(const Geometry &geometry, const int q, Place &place) const
  {
    const double *xi = coordinate[q];
    Matrix<dim> J;
    for (int d = 0; d < dim; ++d)
    {
      const int e = (d + 1) % dim, g = (d + 2) % dim;
      for (int i = 0; i < dim; ++i)
      {
        J[i][d] = geometry.c[1 << d][i] + geometry.c[(1 << d) | (1 << e)][i] * xi[e];
        if constexpr (dim == 3)
          J[i][d] += geometry.c[(1 << d) | (1 << g)][i] * xi[g] + geometry.c[7][i] * (xi[e] * xi[g]);
      }
    }
    const Wide jacobian = determinant<dim>(J);
    place.inverse_jacobian = inverse<dim>(J, jacobian);
    place.dX = jacobian * weight[q];
  }

  /// The same, where `place` is that of another point of the cells: of parallelepipeds only dX changes.
  SYMDYN_INLINE void move(const Geometry &geometry, const int q, Place &place) const
  {
    if (geometry.affine)
      place.dX = geometry.jacobian * weight[q];
    else
      locate(geometry, q, place);
  }

  /// du_i/dxi_d at the points: values there first, then their derivatives as polynomials through the points.
  void gradient(const Wide *u, Gradient &g) const
  {
    for (int i = 0; i < dim; ++i)
    {
      Wide value[points];
      for (int a = 0; a < points; ++a)
        value[a] = u[node[a] * dim + i];
      along<n, dim, 0, false, false>(shape, value, value);
      along<n, dim, 1, false, false>(shape, value, value);
      if constexpr (dim == 3)
        along<n, dim, 2, false, false>(shape, value, value);
      along<n, dim, 0, false, false>(slope, value, g[i * dim]);
      along<n, dim, 1, false, false>(slope, value, g[i * dim + 1]);
      if constexpr (dim == 3)
        along<n, dim, 2, false, false>(slope, value, g[i * dim + 2]);
    }
  }

  /// f_ai += sum_q R_id dN_a/dxi_d: the transpose of `gradient`.
  void add_divergence(const Gradient &R, Wide *f) const
  {
    for (int i = 0; i < dim; ++i)
    {
      Wide value[points];
      along<n, dim, 0, true, false>(slope, R[i * dim], value);
      along<n, dim, 1, true, true>(slope, R[i * dim + 1], value);
      if constexpr (dim == 3)
        along<n, dim, 2, true, true>(slope, R[i * dim + 2], value);
      along<n, dim, 0, true, false>(shape, value, value);
      along<n, dim, 1, true, false>(shape, value, value);
      if constexpr (dim == 3)
        along<n, dim, 2, true, false>(shape, value, value);
      for (int a = 0; a < points; ++a)
        f[node[a] * dim + i] += value[a];
    }
  }

  /// grad u
  static SYMDYN_INLINE Matrix<dim> physical(const Gradient &g, const int q, const Place &place)
  {
    Matrix<dim> G;
    for (int i = 0; i < dim; ++i)
      for (int J = 0; J < dim; ++J)
      {
        G[i][J] = g[i * dim][q] * place.inverse_jacobian[0][J];
        for (int d = 1; d < dim; ++d)
          G[i][J] += g[i * dim + d][q] * place.inverse_jacobian[d][J];
      }
    return G;
  }

  /// F = I + grad u
  static SYMDYN_INLINE Matrix<dim> deformation(const Gradient &g, const int q, const Place &place)
  {
    Matrix<dim> F = physical(g, q, place);
    for (int i = 0; i < dim; ++i)
      F[i][i] += Wide(1.);
    return F;
  }

  /// R_id = P_iJ dxi_d/dX_J dX
  static SYMDYN_INLINE void pull_back(const Matrix<dim> &P, const Place &place, const int q, Gradient &R)
  {
    for (int d = 0; d < dim; ++d)
    {
      Wide column[dim];
      for (int J = 0; J < dim; ++J)
        column[J] = place.inverse_jacobian[d][J] * place.dX;
      for (int i = 0; i < dim; ++i)
      {
        Wide sum = P[i][0] * column[0];
        for (int J = 1; J < dim; ++J)
          sum += P[i][J] * column[J];
        R[i * dim + d][q] = sum;
      }
    }
  }

  /// In layers of points: strains, then all stresses in one call, then what they do. F takes the place of the gradient meanwhile.
  template <bool affine, bool small_strain>
  Wide force(const Geometry &geometry, const Wide *u, const Material &material, Wide *f) const
  {
    Gradient g;
    gradient(u, g);
    Wide smallest = 1e300;
    Place places[affine ? 1 : together];
    places[0].inverse_jacobian = geometry.inverse_jacobian;
    for (int layer = 0; layer < points; layer += together)
    {
      Symmetric<Wide> C[together], S[together];
      for (int k = 0; k < together; ++k)
      {
        const int q = layer + k;
        Place &here = places[affine ? 0 : k];
        if (!affine)
          locate(geometry, q, here);
        const Matrix<dim> F = deformation(g, q, here);
        C[k] = strain_measure(F, small_strain);
        if (!small_strain)
          smallest = smaller(smallest, determinant<dim>(F));
        for (int i = 0; i < dim; ++i)
          for (int J = 0; J < dim; ++J)
            g[i * dim + J][q] = F[i][J];
      }
      material.stress(C, S, together);
      for (int k = 0; k < together; ++k)
      {
        const int q = layer + k;
        Matrix<dim> F;
        for (int i = 0; i < dim; ++i)
          for (int J = 0; J < dim; ++J)
            F[i][J] = g[i * dim + J][q];
        Place &here = places[affine ? 0 : k];
        if (affine)
          here.dX = geometry.jacobian * weight[q];
        pull_back(first_piola(F, S[k], small_strain), here, q, g);
      }
    }
    add_divergence(g, f);
    return small_strain ? Wide(1.) : smallest;
  }

  /// f += ∫ p(s) : grad N dX, p the wanted derivative of P(s) = F(s) S(s) along F(s) = F + s grad w.
  template <class Finite, class Small>
  void along_curve(const Wide *X, const Wide *u, const Wide *w, const Material &material, Wide *f, const Finite &finite, const Small &small) const
  {
    const Geometry geometry(X);
    const bool small_strain = material.small_strain();
    Gradient g, h;
    gradient(u, g);
    gradient(w, h);
    Place here;
    here.inverse_jacobian = geometry.inverse_jacobian;
    for (int q = 0; q < points; ++q)
    {
      move(geometry, q, here);
      const Matrix<dim> F = deformation(g, q, here), G = physical(h, q, here);
      const Symmetric<Jet<Wide>> S = material.stress(strain_curve(F, G, small_strain));
      Matrix<dim> P{};
      for (int i = 0; i < dim; ++i)
        for (int J = 0; J < dim; ++J)
          if (small_strain)
            P[i][J] = small(S(i, J));
          else
            for (int I = 0; I < dim; ++I)
              P[i][J] += finite(F[i][I], G[i][I], S(I, J));
      pull_back(P, here, q, g);
    }
    add_divergence(g, f);
  }

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

  std::unique_ptr<CellKernels<dim>> plain;
  int node[points];  ///< in the order of the element, of those numbered direction by direction
  double coordinate[points][dim], weight[points];
  double shape[n][n];  ///< [point][node]
  double slope[n][n];  ///< of the polynomials through the points, [point][polynomial]
};
}  // namespace

template <int dim>
std::unique_ptr<CellKernels<dim>> make_tensor_kernels(const ElementFamily<dim> &family)
{
  if (family.simplex)
    return nullptr;
  switch (family.fe->degree)
  {
    case 1:
      return std::make_unique<TensorKernels<dim, 2>>(family);
    case 2:
      return std::make_unique<TensorKernels<dim, 3>>(family);
    case 3:
      return std::make_unique<TensorKernels<dim, 4>>(family);
    case 4:
      return std::make_unique<TensorKernels<dim, 5>>(family);
  }
  return nullptr;
}

template std::unique_ptr<CellKernels<2>> make_tensor_kernels<2>(const ElementFamily<2> &);
template std::unique_ptr<CellKernels<3>> make_tensor_kernels<3>(const ElementFamily<3> &);
}  // namespace symdyn
