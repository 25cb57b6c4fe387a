#include "elements/cells/cell_kernels.h"

#include <algorithm>
#include <array>

#include "elements/cells/cell_algebra.h"
#include "elements/cells/discrete_stress.h"

namespace symdyn
{
namespace
{
template <int dim, int nodes, int vertices>
class KernelsOf : public CellKernels<dim>
{
public:
  explicit KernelsOf(const ElementFamily<dim> &family)
      : stiffness_table(family.stiffness),
        mass_table(family.mass),
        node_table(*family.fe, dealii::Quadrature<dim>(family.fe->get_unit_support_points(), nodal_weights(family.mass)), family.curved)
  {
  }

  const CellKernels<dim> *by_points() const override { return this; }
  bool prepare(const Wide *, std::vector<Wide> &) const override { throw std::logic_error("the plain kernels read vertices"); }

  Wide energy(const CellMap<dim> &X, const Wide *u, const Material &material) const override
  {
    Wide V = 0.;
    for (int q = 0; q < stiffness_table.points; ++q)
    {
      const Point point(stiffness_table, q, X.vertices);
      V += point.dX * material.at_point(q).psi(strain_measure(point.deformation(u), material.small_strain()));
    }
    return V;
  }

  Wide force(const CellMap<dim> &X, const Wide *u, const Material &material, Wide *f) const override
  {
    const bool small_strain = material.small_strain();
    Wide smallest = 1e300;
    for (int q = 0; q < stiffness_table.points; ++q)
    {
      const Point point(stiffness_table, q, X.vertices);
      const Matrix<dim> F = point.deformation(u);
      if (!small_strain)
        smallest = smaller(smallest, determinant<dim>(F));
      point.add_divergence(first_piola(F, material.at_point(q).stress(strain_measure(F, small_strain)), small_strain), f);
    }
    return small_strain ? Wide(1.) : smallest;
  }

  void stiffness(const CellMap<dim> &X, const Wide *u, const Wide *w, const Material &material, Wide *f) const override
  {
    along_curve<Dual>(
        X.vertices, u, w, material, f, [](const Wide &F, const Wide &G, const Dual<Wide> &S) { return G * S.x + F * S.d; },
        [](const Dual<Wide> &S) { return S.d; });
  }

  void third_derivative(const CellMap<dim> &X, const Wide *u, const Wide *a, const Material &material, Wide *f) const override
  {
    along_curve<Jet>(
        X.vertices, u, a, material, f, [](const Wide &F, const Wide &G, const Jet<Wide> &S) { return Wide(2.) * G * S.d + F * S.dd; },
        [](const Jet<Wide> &S) { return S.dd; });
  }

  void tangent(const Wide *X, const Wide *u, const Material &material, Wide *K) const override
  {
    integrate_modulus<Pairs::upper>(X, K, [&](const Point &point, Modulus<dim> &A) { elastic_modulus(point, u, material, A); });
  }

  void tangent_diagonal(const Wide *X, const Wide *u, const Material &material, Wide *K) const override
  {
    integrate_modulus<Pairs::diagonal>(X, K, [&](const Point &point, Modulus<dim> &A) { elastic_modulus(point, u, material, A); });
  }

  Wide discrete_force(const Wide *X, const Wide *u0, const Wide *u1, const Material &material, Wide *f) const override
  {
    const bool small_strain = material.small_strain();
    Wide smallest = 1e300;
    for (int q = 0; q < stiffness_table.points; ++q)
    {
      const Point point(stiffness_table, q, X);
      const Matrix<dim> F0 = point.deformation(u0), F1 = point.deformation(u1);
      smallest = smaller(smallest, determinant<dim>(F1));
      const DiscreteStress S(strain_measure(F0, small_strain), strain_measure(F1, small_strain), material.at_point(q),
                             material.has_kinks());
      point.add_divergence(first_piola(mean<dim>(F0, F1), S.stress(), small_strain), f);
    }
    return small_strain ? Wide(1.) : smallest;
  }

  void discrete_tangent(const Wide *X, const Wide *u0, const Wide *u1, const Material &material, Wide *K) const override
  {
    const bool small_strain = material.small_strain();
    integrate_modulus<Pairs::all>(X, K, [&](const Point &point, Modulus<dim> &A) {
      const Matrix<dim> F0 = point.deformation(u0), F1 = point.deformation(u1);
      const DiscreteStress S(strain_measure(F0, small_strain), strain_measure(F1, small_strain), material.at_point(point.q),
                             material.has_kinks());
      two_point_modulus(mean<dim>(F0, F1), S.modulus(), F1, small_strain, point.dX, A);
      if (!small_strain)
        add_initial_stress<dim>(S.stress(), Wide(0.5) * point.dX, A);
    });
  }

  void viscous_force(const Wide *X, const Wide *u, const Wide *v, const Material &material, Wide *f) const override
  {
    const bool small_strain = material.small_strain();
    const Tangent<Wide> D0 = undeformed_modulus(material);
    for (int q = 0; q < stiffness_table.points; ++q)
    {
      const Point point(stiffness_table, q, X);
      const Matrix<dim> F = point.deformation(u);
      Symmetric<Wide> rate = strain_rate(F, point.gradient_at(v), small_strain);
      for (int m = 0; m < 6; ++m)
        rate[m] *= Wide(0.5);
      point.add_divergence(first_piola(F, contract(D0, rate), small_strain), f);
    }
  }

  void viscous_tangent(const Wide *X, const Wide *u, const Material &material, Wide *K) const override
  {
    const Tangent<Wide> D0 = undeformed_modulus(material);
    integrate_modulus<Pairs::upper>(X, K, [&](const Point &point, Modulus<dim> &A) {
      const Matrix<dim> F = point.deformation(u);
      two_point_modulus(F, D0, F, material.small_strain(), point.dX, A);
    });
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

  void mass_product(const CellMap<dim> &X, const Wide *w, const double density, Wide *f) const override
  {
    for (int q = 0; q < mass_table.points; ++q)
    {
      const Wide dm = Point(mass_table, q, X.vertices).dX * Wide(density);
      const double *N = &mass_table.shape[q * nodes];
      for (int i = 0; i < dim; ++i)
      {
        Wide value = 0.;
        for (int b = 0; b < nodes; ++b)
          value += w[b * dim + i] * Wide(N[b]);
        value *= dm;
        for (int a = 0; a < nodes; ++a)
          f[a * dim + i] += value * Wide(N[a]);
      }
    }
  }

  void nodal_mass(const Wide *X, const double density, Wide *m) const override
  {
    for (int a = 0; a < nodes; ++a)
      m[a] = Point(node_table, a, X).dX * Wide(density);
  }

  void geometry(const Wide *X, Wide &smallest_jacobian, Wide &volume) const override
  {
    smallest_jacobian = 1e300;
    volume = 0.;
    for (int q = 0; q < mass_table.points; ++q)  // exact, too, for curved cells with few points of the stiffness
      volume += Point(mass_table, q, X).dX;
    for (int q = 0; q < stiffness_table.points; ++q)
      smallest_jacobian = smaller(smallest_jacobian, Point(stiffness_table, q, X).jacobian);
    for (int a = 0; a < nodes; ++a)  // the corners, and where a curved cell can fold: its other nodes
      smallest_jacobian = smaller(smallest_jacobian, Point(node_table, a, X).jacobian);
  }

private:
  /// A quadrature point of the `lanes` cells.
  struct Point
  {
    Point(const ReferenceElement<dim> &table, int q, const Wide *X) : q(q), gradient(&table.gradient[q * nodes * dim])
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

    int q;
    const double *gradient;
    Matrix<dim> inverse_jacobian;  // dxi_d/dX_J
    Wide jacobian, dX;
  };

  static Tangent<Wide> undeformed_modulus(const Material &material)
  {
    Symmetric<Wide> S;
    Tangent<Wide> D;
    material.tangent(identity<Wide>(), S, D);
    return D;
  }

  /// A = d²psi/dF² dX
  static void elastic_modulus(const Point &point, const Wide *u, const Material &material, Modulus<dim> &A)
  {
    const bool small_strain = material.small_strain();
    const Matrix<dim> F = point.deformation(u);
    Symmetric<Wide> S;
    Tangent<Wide> D;
    material.at_point(point.q).tangent(strain_measure(F, small_strain), S, D);
    two_point_modulus(F, D, F, small_strain, point.dX, A);
    if (!small_strain)
      add_initial_stress<dim>(S, point.dX, A);
  }

  enum class Pairs
  {
    all,
    upper,  ///< a <= b
    diagonal
  };
  static constexpr int blocks(const Pairs pairs)
  {
    return pairs == Pairs::all ? nodes * nodes : pairs == Pairs::upper ? nodes * (nodes + 1) / 2 : nodes;
  }

  /// K = ∫ grad N : A : grad N dX, A by modulus_at(point, A) with its dX; blocks of these pairs of nodes.
  template <Pairs pairs, class ModulusAt>
  void integrate_modulus(const Wide *X, Wide *K, const ModulusAt &modulus_at) const
  {
    std::fill(K, K + blocks(pairs) * dim * dim, Wide(0.));
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
      Modulus<dim> A;
      modulus_at(point, A);
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
        for (int a = pairs == Pairs::diagonal ? b : 0; a < (pairs == Pairs::all ? nodes : b + 1); ++a)
        {
          Wide *block = K + (pairs == Pairs::all ? a * nodes + b : pairs == Pairs::upper ? pair_index(a, b) : a) * dim * dim;
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
  }

  /// f += ∫ p(s) : grad N dX, p the wanted derivative of P(s) = F(s) S(s) along F(s) = F + s grad w.
  template <template <class> class Curve, class Finite, class Small>
  void along_curve(const Wide *X, const Wide *u, const Wide *w, const Material &material, Wide *f, const Finite &finite,
                   const Small &small) const
  {
    const bool small_strain = material.small_strain();
    for (int q = 0; q < stiffness_table.points; ++q)
    {
      const Point point(stiffness_table, q, X);
      const Matrix<dim> F = point.deformation(u), G = point.gradient_at(w);
      const Symmetric<Curve<Wide>> S = material.at_point(q).stress(strain_curve<Curve>(F, G, small_strain));
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

  /// ∫ N_a dxi
  static std::vector<double> nodal_weights(const ReferenceElement<dim> &table)
  {
    std::vector<double> weights(nodes, 0.);
    for (int q = 0; q < table.points; ++q)
      for (int a = 0; a < nodes; ++a)
        weights[a] += table.weight[q] * table.shape[q * nodes + a];
    return weights;
  }

  ReferenceElement<dim> stiffness_table, mass_table, node_table;
};
}  // namespace

template <int dim>
std::unique_ptr<CellKernels<dim>> make_kernels(const ElementFamily<dim> &family)
{
  const int nodes = family.stiffness.nodes, vertices = family.stiffness.vertices;
#define SYMDYN_KERNELS(n, v)       \
  if (nodes == n && vertices == v) \
  return std::make_unique<KernelsOf<dim, n, v>>(family)
  if constexpr (dim == 2)
  {
    SYMDYN_KERNELS(3, 3);
    SYMDYN_KERNELS(6, 3);
    SYMDYN_KERNELS(4, 4);
    SYMDYN_KERNELS(9, 4);
    SYMDYN_KERNELS(16, 4);
    SYMDYN_KERNELS(25, 4);
    SYMDYN_KERNELS(8, 4);
    SYMDYN_KERNELS(6, 6);
    SYMDYN_KERNELS(8, 8);
    SYMDYN_KERNELS(9, 9);
    SYMDYN_KERNELS(16, 16);
    SYMDYN_KERNELS(25, 25);
  }
  else
  {
    SYMDYN_KERNELS(4, 4);
    SYMDYN_KERNELS(10, 4);
    SYMDYN_KERNELS(8, 8);
    SYMDYN_KERNELS(27, 8);
    SYMDYN_KERNELS(64, 8);
    SYMDYN_KERNELS(125, 8);
    SYMDYN_KERNELS(20, 8);
    SYMDYN_KERNELS(5, 5);
    SYMDYN_KERNELS(6, 6);
    SYMDYN_KERNELS(15, 6);
    SYMDYN_KERNELS(10, 10);
    SYMDYN_KERNELS(15, 15);
    SYMDYN_KERNELS(20, 20);
    SYMDYN_KERNELS(27, 27);
    SYMDYN_KERNELS(64, 64);
    SYMDYN_KERNELS(125, 125);
  }
#undef SYMDYN_KERNELS
  throw std::logic_error("no kernels for a cell with " + std::to_string(nodes) + " nodes");
}

template class CellKernels<2>;
template class CellKernels<3>;
template std::unique_ptr<CellKernels<2>> make_kernels<2>(const ElementFamily<2> &);
template std::unique_ptr<CellKernels<3>> make_kernels<3>(const ElementFamily<3> &);
}  // namespace symdyn
