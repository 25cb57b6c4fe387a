#include "elements/cell_kernels.h"

#include <algorithm>
#include <array>

namespace symdyn
{
namespace
{
template <int dim>
struct Matrix
{
  Wide e[dim][dim];
  Wide *operator[](int i) { return e[i]; }
  const Wide *operator[](int i) const { return e[i]; }
};

inline Wide smaller(const Wide &a, const Wide &b)
{
  Wide r;
  for (int l = 0; l < lanes; ++l)
    r.v[l] = std::min(a.v[l], b.v[l]);
  return r;
}

template <int dim>
Wide determinant(const Matrix<dim> &a)
{
  if constexpr (dim == 2)
    return a[0][0] * a[1][1] - a[0][1] * a[1][0];
  else
    return a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) - a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
           a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
}

template <int dim>
Matrix<dim> inverse(const Matrix<dim> &a, const Wide &det)
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

/// Sum over the nodes of value[a*dim+i] * gradient[a*dim+j].
template <int dim, int nodes>
Matrix<dim> gradient_of(const Wide *values, const double *gradient)
{
  Matrix<dim> g{};
  for (int a = 0; a < nodes; ++a)
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j < dim; ++j)
        g[i][j] += values[a * dim + i] * gradient[a * dim + j];
  return g;
}

template <int dim>
Matrix<dim> operator*(const Matrix<dim> &a, const Matrix<dim> &b)
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
Symmetric<Wide> strain_measure(const Matrix<dim> &F, const bool small_strain)
{
  Symmetric<Wide> C = identity<Wide>();
  for (int I = 0; I < dim; ++I)
    for (int J = I; J < dim; ++J)
      if (small_strain)
        C(I, J) = F[I][J] + F[J][I] - Wide(I == J ? 1. : 0.);
      else
      {
        C(I, J) = F[0][I] * F[0][J];
        for (int i = 1; i < dim; ++i)
          C(I, J) += F[i][I] * F[i][J];
      }
  return C;
}

/// C(s) for F(s) = F + s G: value, first and second derivative at s = 0.
template <int dim>
Symmetric<Jet<Wide>> strain_curve(const Matrix<dim> &F, const Matrix<dim> &G, const bool small_strain)
{
  const Symmetric<Wide> C = strain_measure(F, small_strain);
  Symmetric<Jet<Wide>> curve;
  for (int m = 0; m < 6; ++m)
    curve[m] = Jet<Wide>(C[m], Wide(0.), Wide(0.));
  for (int I = 0; I < dim; ++I)
    for (int J = I; J < dim; ++J)
      if (small_strain)
        curve(I, J).d = G[I][J] + G[J][I];
      else
        for (int i = 0; i < dim; ++i)
        {
          curve(I, J).d += F[i][I] * G[i][J] + G[i][I] * F[i][J];
          curve(I, J).dd += Wide(2.) * G[i][I] * G[i][J];
        }
  return curve;
}

template <int dim, int nodes, int vertices>
class KernelsOf : public CellKernels<dim>
{
public:
  explicit KernelsOf(const ElementFamily<dim> &family)
      : stiffness_table(family.stiffness), mass_table(family.mass),
        corner_table(*family.fe, dealii::Quadrature<dim>(corners(family.fe->reference_cell())))
  {
  }

  Wide energy(const Wide *X, const Wide *u, const Material &material) const override
  {
    Wide V = 0.;
    for (int q = 0; q < stiffness_table.points; ++q)
    {
      const Point point(stiffness_table, q, X);
      V += point.dX * material.psi(strain_measure(point.deformation(u), material.small_strain()));
    }
    return V;
  }

  Wide force(const Wide *X, const Wide *u, const Material &material, Wide *f) const override
  {
    const bool small_strain = material.small_strain();
    Wide smallest = 1e300;
    for (int q = 0; q < stiffness_table.points; ++q)
    {
      const Point point(stiffness_table, q, X);
      const Matrix<dim> F = point.deformation(u);
      if (!small_strain)
        smallest = smaller(smallest, determinant<dim>(F));
      const Symmetric<Wide> S = material.stress(strain_measure(F, small_strain));
      Matrix<dim> P{};
      for (int i = 0; i < dim; ++i)
        for (int J = 0; J < dim; ++J)
          if (small_strain)
            P[i][J] = S(i, J);
          else
            for (int I = 0; I < dim; ++I)
              P[i][J] += F[i][I] * S(I, J);
      point.add_divergence(P, f);
    }
    return small_strain ? Wide(1.) : smallest;
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

  void tangent(const Wide *X, const Wide *u, const Material &material, Wide *K) const override
  {
    std::fill(K, K + nodes * (nodes + 1) / 2 * dim * dim, Wide(0.));
    for (int q = 0; q < stiffness_table.points; ++q)
    {
      const Point point(stiffness_table, q, X);
      std::array<Wide, nodes * dim> G;  // dN_a/dX_J
      for (int a = 0; a < nodes; ++a)
        for (int J = 0; J < dim; ++J)
        {
          G[a * dim + J] = point.gradient[a * dim] * point.inverse_jacobian[0][J];
          for (int d = 1; d < dim; ++d)
            G[a * dim + J] += point.gradient[a * dim + d] * point.inverse_jacobian[d][J];
        }
      Modulus A;
      first_elasticity(point.deformation(u), material, point.dX, A);
      for (int b = 0; b < nodes; ++b)
      {
        std::array<Wide, dim * dim * dim> T;  // T_iJk = A_iJkL G_bL
        for (int iJ = 0; iJ < dim * dim; ++iJ)
          for (int k = 0; k < dim; ++k)
          {
            T[iJ * dim + k] = A[iJ][k * dim] * G[b * dim];
            for (int L = 1; L < dim; ++L)
              T[iJ * dim + k] += A[iJ][k * dim + L] * G[b * dim + L];
          }
        Wide *block = K + b * (b + 1) / 2 * dim * dim;
        for (int a = 0; a <= b; ++a)
          for (int i = 0; i < dim; ++i)
            for (int k = 0; k < dim; ++k, ++block)
            {
              Wide sum = *block;
              for (int J = 0; J < dim; ++J)
                sum += G[a * dim + J] * T[(i * dim + J) * dim + k];
              *block = sum;
            }
      }
    }
  }

  void mass(const Wide *X, const double density, Wide *m) const override
  {
    std::fill(m, m + nodes * (nodes + 1) / 2, Wide(0.));
    for (int q = 0; q < mass_table.points; ++q)
    {
      const Wide dm = Point(mass_table, q, X).dX * Wide(density);
      const double *N = &mass_table.shape[q * nodes];
      for (int b = 0; b < nodes; ++b)
        for (int a = 0; a <= b; ++a)
          m[pair_index(a, b)] += dm * Wide(N[a] * N[b]);
    }
  }

  void geometry(const Wide *X, Wide &smallest_jacobian, Wide &volume) const override
  {
    smallest_jacobian = 1e300;
    volume = 0.;
    for (int q = 0; q < stiffness_table.points; ++q)
    {
      const Point point(stiffness_table, q, X);
      smallest_jacobian = smaller(smallest_jacobian, point.jacobian);
      volume += point.dX;
    }
    for (int v = 0; v < vertices; ++v)
      smallest_jacobian = smaller(smallest_jacobian, Point(corner_table, v, X).jacobian);
  }

private:
  /// A quadrature point of the `lanes` cells.
  struct Point
  {
    Point(const ReferenceElement<dim> &table, int q, const Wide *X) : gradient(&table.gradient[q * nodes * dim])
    {
      const Matrix<dim> J = gradient_of<dim, vertices>(X, &table.vertex_gradient[q * vertices * dim]);
      jacobian = determinant<dim>(J);
      inverse_jacobian = inverse<dim>(J, jacobian);
      dX = jacobian * Wide(table.weight[q]);
    }
    /// grad u [-]
    Matrix<dim> gradient_at(const Wide *u) const { return gradient_of<dim, nodes>(u, gradient) * inverse_jacobian; }
    /// F = I + grad u
    Matrix<dim> deformation(const Wide *u) const
    {
      Matrix<dim> F = gradient_at(u);
      for (int i = 0; i < dim; ++i)
        F[i][i] += Wide(1.);
      return F;
    }
    /// f_ai += P_iJ dN_a/dX_J dX
    void add_divergence(const Matrix<dim> &P, Wide *f) const
    {
      Matrix<dim> R{};  // pulled back to reference coordinates
      for (int i = 0; i < dim; ++i)
        for (int d = 0; d < dim; ++d)
        {
          for (int J = 0; J < dim; ++J)
            R[i][d] += P[i][J] * inverse_jacobian[d][J];
          R[i][d] *= dX;
        }
      for (int a = 0; a < nodes; ++a)
        for (int i = 0; i < dim; ++i)
        {
          Wide sum = f[a * dim + i];
          for (int d = 0; d < dim; ++d)
            sum += R[i][d] * gradient[a * dim + d];
          f[a * dim + i] = sum;
        }
    }

    const double *gradient;
    Matrix<dim> inverse_jacobian;  // dxi_d/dX_J
    Wide jacobian, dX;
  };

  using Modulus = std::array<std::array<Wide, dim * dim>, dim * dim>;

  /// A_iJkL = dP_iJ/dF_kL = F_iI D_IJKL F_kK + delta_ik S_JL, times dX.
  static void first_elasticity(const Matrix<dim> &F, const Material &material, const Wide &dX, Modulus &A)
  {
    const bool small_strain = material.small_strain();
    Symmetric<Wide> S;
    Tangent<Wide> D;
    material.tangent(strain_measure(F, small_strain), S, D);
    const auto index = [](int I, int J) { return Symmetric<Wide>::index(I, J); };
    std::array<std::array<Wide, 6>, dim * dim> FD;  // F_iI D_IJ(KL)
    for (int i = 0; i < dim; ++i)
      for (int J = 0; J < dim; ++J)
        for (int K = 0; K < dim; ++K)
          for (int L = K; L < dim; ++L)
          {
            const int n = index(K, L);
            Wide sum = small_strain ? D(index(i, J), n) : F[i][0] * D(index(0, J), n);
            for (int I = 1; I < dim && !small_strain; ++I)
              sum += F[i][I] * D(index(I, J), n);
            FD[i * dim + J][n] = sum * dX;
          }
    for (int iJ = 0; iJ < dim * dim; ++iJ)
      for (int k = 0; k < dim; ++k)
        for (int L = 0; L < dim; ++L)
        {
          Wide sum = small_strain ? FD[iJ][index(k, L)] : F[k][0] * FD[iJ][index(0, L)];
          for (int K = 1; K < dim && !small_strain; ++K)
            sum += F[k][K] * FD[iJ][index(K, L)];
          A[iJ][k * dim + L] = sum;
        }
    if (!small_strain)
      for (int i = 0; i < dim; ++i)
        for (int J = 0; J < dim; ++J)
          for (int L = 0; L < dim; ++L)
            A[i * dim + J][i * dim + L] += S(J, L) * dX;
  }

  /// f += ∫ p(s) : grad N dX, p the wanted derivative of P(s) = F(s) S(s) along F(s) = F + s grad w.
  template <class Finite, class Small>
  void along_curve(const Wide *X, const Wide *u, const Wide *w, const Material &material, Wide *f, const Finite &finite,
                   const Small &small) const
  {
    const bool small_strain = material.small_strain();
    for (int q = 0; q < stiffness_table.points; ++q)
    {
      const Point point(stiffness_table, q, X);
      const Matrix<dim> F = point.deformation(u), G = point.gradient_at(w);
      const Symmetric<Jet<Wide>> S = material.stress(strain_curve(F, G, small_strain));
      Matrix<dim> P{};
      for (int i = 0; i < dim; ++i)
        for (int J = 0; J < dim; ++J)
          if (small_strain)
            P[i][J] = small(S(i, J));
          else
            for (int I = 0; I < dim; ++I)
              P[i][J] += finite(F[i][I], G[i][I], S(I, J));
      point.add_divergence(P, f);
    }
  }

  static std::vector<dealii::Point<dim>> corners(const dealii::ReferenceCell &cell)
  {
    std::vector<dealii::Point<dim>> points;
    for (const unsigned int v : cell.vertex_indices())
      points.push_back(cell.template vertex<dim>(v));
    return points;
  }

  ReferenceElement<dim> stiffness_table, mass_table, corner_table;
};
}  // namespace

template <int dim>
std::unique_ptr<CellKernels<dim>> make_kernels(const ElementFamily<dim> &family)
{
  const int nodes = family.stiffness.nodes;
#define SYMDYN_KERNELS(n, v) \
  if (nodes == n)            \
  return std::make_unique<KernelsOf<dim, n, v>>(family)
  if constexpr (dim == 2)
  {
    SYMDYN_KERNELS(3, 3);
    SYMDYN_KERNELS(6, 3);
    SYMDYN_KERNELS(4, 4);
    SYMDYN_KERNELS(9, 4);
    SYMDYN_KERNELS(16, 4);
    SYMDYN_KERNELS(25, 4);
  }
  else
  {
    SYMDYN_KERNELS(4, 4);
    SYMDYN_KERNELS(10, 4);
    SYMDYN_KERNELS(8, 8);
    SYMDYN_KERNELS(27, 8);
    SYMDYN_KERNELS(64, 8);
    SYMDYN_KERNELS(125, 8);
  }
#undef SYMDYN_KERNELS
  throw std::logic_error("no kernels for a cell with " + std::to_string(nodes) + " nodes");
}

template class CellKernels<2>;
template class CellKernels<3>;
template std::unique_ptr<CellKernels<2>> make_kernels<2>(const ElementFamily<2> &);
template std::unique_ptr<CellKernels<3>> make_kernels<3>(const ElementFamily<3> &);
}  // namespace symdyn
