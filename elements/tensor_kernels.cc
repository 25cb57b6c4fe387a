#include "elements/tensor_kernels.h"

#include "elements/cell_algebra.h"
#include "elements/tensor_basis.h"

namespace symdyn
{
namespace
{
/// n = p + 1 nodes and Gauss points in each direction.
template <int dim, int n>
class TensorKernels : public CellKernels<dim>
{
  static constexpr int points = power(n, dim), vertices = power(2, dim);
  static constexpr int together = power(n, dim - 1);  ///< points whose stresses are asked for at once: a layer
  using Gradient = typename TensorBasis<dim, n>::Gradient;

public:
  explicit TensorKernels(const ElementFamily<dim> &family) : plain(make_kernels(family)) {}

  Wide energy(const Wide *X, const Wide *u, const Material &material) const override
  {
    const Geometry geometry(X);
    Gradient g;
    basis.gradient(u, g);
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
  void tangent_diagonal(const Wide *X, const Wide *u, const Material &material, Wide *K) const override
  {
    plain->tangent_diagonal(X, u, material, K);
  }
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
  /// The points of the mass are those of the stiffness (ElementFamily).
  void mass_product(const Wide *X, const Wide *w, const double density, Wide *f) const override
  {
    const Geometry geometry(X);
    Place here;
    here.inverse_jacobian = geometry.inverse_jacobian;
    Wide scale[points];
    for (int q = 0; q < points; ++q)
    {
      move(geometry, q, here);
      scale[q] = here.dX * density;
    }
    basis.add_product(w, scale, f);
  }
  void nodal_mass(const Wide *X, const double density, Wide *m) const override { plain->nodal_mass(X, density, m); }
  void geometry(const Wide *X, Wide &smallest_jacobian, Wide &volume) const override { plain->geometry(X, smallest_jacobian, volume); }

private:
  /// X = sum of c_m xi^(bits of m): the multilinear map of the cells, by its vertices (first direction fastest).
  struct Geometry
  {
    explicit Geometry(const Wide *X)
    {
      for (int m = 0; m < vertices; ++m)
        for (int i = 0; i < dim; ++i)
          c[m][i] = X[m * dim + i];
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
    const double *xi = basis.coordinate[q];
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
    place.dX = jacobian * basis.weight[q];
  }

  /// The same, where `place` is that of another point of the cells: of parallelepipeds only dX changes.
  SYMDYN_INLINE void move(const Geometry &geometry, const int q, Place &place) const
  {
    if (geometry.affine)
      place.dX = geometry.jacobian * basis.weight[q];
    else
      locate(geometry, q, place);
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
    basis.gradient(u, g);
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
          here.dX = geometry.jacobian * basis.weight[q];
        pull_back(first_piola(F, S[k], small_strain), here, q, g);
      }
    }
    basis.add_divergence(g, f);
    return small_strain ? Wide(1.) : smallest;
  }

  /// f += ∫ p(s) : grad N dX, p the wanted derivative of P(s) = F(s) S(s) along F(s) = F + s grad w.
  template <class Finite, class Small>
  void along_curve(const Wide *X, const Wide *u, const Wide *w, const Material &material, Wide *f, const Finite &finite, const Small &small) const
  {
    const Geometry geometry(X);
    Gradient g, h;
    basis.gradient(u, g);
    basis.gradient(w, h);
    if (material.small_strain())
      differentiate<true>(geometry, h, material, g, small);
    else
      differentiate<false>(geometry, h, material, g, finite);
    basis.add_divergence(g, f);
  }

  /// From the gradients g of u and h of w to the forces of the points, in g.
  template <bool small_strain, class Derivative>
  void differentiate(const Geometry &geometry, const Gradient &h, const Material &material, Gradient &g, const Derivative &derivative) const
  {
    Place here;
    here.inverse_jacobian = geometry.inverse_jacobian;
    for (int q = 0; q < points; ++q)
    {
      move(geometry, q, here);
      const Matrix<dim> F = deformation(g, q, here), G = physical(h, q, here);
      const Symmetric<Jet<Wide>> S = material.stress(strain_curve(F, G, small_strain));
      Matrix<dim> P;
      for (int i = 0; i < dim; ++i)
        for (int J = 0; J < dim; ++J)
          if constexpr (small_strain)
            P[i][J] = derivative(S(i, J));
          else
          {
            P[i][J] = derivative(F[i][0], G[i][0], S(0, J));
            for (int I = 1; I < dim; ++I)
              P[i][J] += derivative(F[i][I], G[i][I], S(I, J));
          }
      pull_back(P, here, q, g);
    }
  }

  std::unique_ptr<CellKernels<dim>> plain;
  TensorBasis<dim, n> basis;
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
