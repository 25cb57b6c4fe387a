#include <deal.II/base/quadrature_lib.h>

#include <stdexcept>

#include "elements/cells/formulations/mode_inertia.h"
#include "elements/cells/formulations/mode_secant.h"
#include "elements/cells/formulations/standard_tensor.h"
#include "materials/inelastic.h"
#include "solver/registry.h"

namespace symdyn
{
namespace
{
/// Quadrilaterals and hexahedra of degree 1 with the incompatible modes of Wilson, Taylor, Doherty, Ghaboussi (1973) as
/// corrected by Taylor, Beresford, Wilson (1976), at finite strain those of Simo, Armero (1992): dim vectors alpha_m a
/// cell,
///     F = I + sum_a u_a ⊗ grad N_a + sum_m alpha_m ⊗ G_m     (G_m: CellPoints::set_modes)
///     V(u) = stat over alpha of W(u, alpha) = ∫ psi(F) dX
/// The derivatives of V are those of the condensed energy: with alpha' = -K_aa⁻¹ K_au w
///     f = W_u,   V'' w = [W'' (w, alpha')]_u,   V''' w w = r_u + K_ua beta,  beta = -K_aa⁻¹ r_a,  r = W''' (w,
///     alpha')²
/// alpha turns with the body, so that V does not see rotations. In linear analyses the modes move mass (ModeInertia),
/// as those of C3D8I in CalculiX do. In strong compression such elements are not stable (Wriggers, Reese 1996).
template <int dim>
class IncompatibleModes : public CellEnergy<dim>, public ModeInertia
{
  using Base = CellEnergy<dim>;
  using Base::nodes, Base::points, Base::size;
  using Values = typename ModeSizes<dim>::Values;
  using State = ModeState<dim>;

public:
  explicit IncompatibleModes(const ElementFamily<dim> &family) : Base(family), mass_rule(points_of_mass), mass_table(*family.fe, mass_rule)
  {
  }

  const CellKernels<dim> *by_points() const override { return this; }
  int inner_unknowns() const override { return ModeSizes<dim>::internal; }

  Wide energy(const CellMap<dim> &X, const Wide *u, const Material &material) const override
  {
    const ModeCell<dim> cell = cell_of(X, material);
    const State state(cell, u);
    Wide V = 0.;
    for (int q = 0; q < points; ++q)
      V += cell.dX[q] * material.at_point(q).psi(strain_measure(cell.deformation(q, state.x.data()), cell.small));
    return V;
  }

  Wide force(const CellMap<dim> &X, const Wide *u, const Material &material, Wide *f) const override
  {
    const ModeCell<dim> cell = cell_of(X, material);
    const State state(cell, u);
    add_nodes<dim>(state.r, f);
    state.keep_modes();
    return cell.small ? Wide(1.) : state.smallest;
  }

  void stiffness(const CellMap<dim> &X, const Wide *u, const Wide *w, const Material &material, Wide *f) const override
  {
    const ModeCell<dim> cell = cell_of(X, material);
    const State state(cell, u, true);
    add_nodes<dim>(cell.template along_curve<Dual>(state.x, state.direction(w)), f);
  }

  void third_derivative(const CellMap<dim> &X, const Wide *u, const Wide *a, const Material &material, Wide *f) const override
  {
    const ModeCell<dim> cell = cell_of(X, material);
    const State state(cell, u, true);
    add_nodes<dim>(state.condensed(cell.template along_curve<Jet>(state.x, state.direction(a))), f);
  }

  Wide discrete_force(const Wide *X, const Wide *u0, const Wide *u1, const Material &material, Wide *f) const override
  {
    const ModeCell<dim> cell = cell_of(X, material);
    const ModeSecant<dim> secant(cell, u0, u1);
    for (int i = 0; i < size; ++i)
      f[i] += secant.f_m[i] + secant.kappa * secant.d[i];
    return secant.smallest;
  }

  void discrete_tangent(const Wide *X, const Wide *u0, const Wide *u1, const Material &material, Wide *K) const override
  {
    const ModeCell<dim> cell = cell_of(X, material);
    const ModeSecant<dim> secant(cell, u0, u1);
    std::vector<Wide> dense(size * size, Wide(0.));
    secant.add_tangent(dense.data());
    this->to_all_blocks(dense.data(), K);
  }

  /// Of the strain rates of nodes and modes, which move with the elastic equilibrium: T^T D T v, T = (1, -K_aa⁻¹ K_au).
  void viscous_force(const Wide *X, const Wide *u, const Wide *v, const Material &material, Wide *f) const override
  {
    const ModeCell<dim> cell = cell_of(X, material);
    const State state(cell, u, true);
    const Values w = state.direction(v);
    const Tangent<Wide> D0 = this->undeformed_modulus(material);
    Values r;
    r.fill(Wide(0.));
    for (int q = 0; q < points; ++q)
    {
      const Matrix<dim> F = cell.deformation(q, state.x.data());
      Symmetric<Wide> rate = strain_rate(F, cell.gradient_at(q, w.data()), cell.small);
      for (int m = 0; m < 6; ++m)
        rate[m] *= Wide(0.5);
      cell.add_divergence(q, first_piola(F, contract(D0, rate), cell.small), r.data());
    }
    add_nodes<dim>(state.condensed(r), f);
  }

  void assumed_deformation_gradient(const Wide *X, const Wide *u, const Material &material, const ReferenceElement<dim> &at,
                                    const dealii::Quadrature<dim> &places, Matrix<3> *F) const override
  {
    if (at.points != points)
      throw std::logic_error("IncompatibleModes: as many points as the stiffness has");
    const ModeCell<dim> cell = cell_of(X, material);
    const State state(cell, u);
    CellPoints<dim, (1 << dim) + dim> there(at, X);
    there.set_modes(places);
    for (int v = 0; v < points; ++v)
    {
      const Matrix<dim> G = there.gradient_at(v, state.x.data());
      for (int i = 0; i < dim; ++i)
        for (int j = 0; j < dim; ++j)
          F[v][i][j] = G[i][j] + Wide(i == j ? 1. : 0.);
    }
  }

  void mode_mass(const Wide *X, const Material &material, const double density, Wide *M) const override
  {
    const auto T = response(X, material);
    Wide of_node[nodes][dim] = {}, of_modes[dim][dim] = {};  // ∫ density N_a phi_m dX, ∫ density phi_m phi_n dX
    for (int q = 0; q < mass_table.points; ++q)
    {
      const Wide dm =
          Wide(density * mass_table.weight[q]) * determinant<dim>(gradient_of<dim, nodes>(X, &mass_table.vertex_gradient[q * nodes * dim]));
      double phi[dim];
      for (int m = 0; m < dim; ++m)
        phi[m] = 4. * mass_rule.point(q)[m] * (1. - mass_rule.point(q)[m]);
      for (int m = 0; m < dim; ++m)
      {
        for (int a = 0; a < nodes; ++a)
          of_node[a][m] += Wide(mass_table.shape[q * nodes + a] * phi[m]) * dm;
        for (int n = 0; n < dim; ++n)
          of_modes[m][n] += Wide(phi[m] * phi[n]) * dm;
      }
    }
    const auto at = [&T](const int m, const int i, const int column) -> const Wide & { return T[(m * dim + i) * size + column]; };
    for (int row = 0; row < size; ++row)
      for (int column = 0; column < size; ++column)
      {
        const int a = row / dim, i = row % dim, b = column / dim, k = column % dim;
        Wide sum = 0.;
        for (int m = 0; m < dim; ++m)
        {
          sum += of_node[a][m] * at(m, i, column) + at(m, k, row) * of_node[b][m];
          for (int n = 0; n < dim; ++n)
            for (int j = 0; j < dim; ++j)
              sum += at(m, j, row) * of_modes[m][n] * at(n, j, column);
        }
        M[((a * nodes + b) * dim + i) * dim + k] = sum;
      }
  }

private:
  static constexpr unsigned int points_of_mass = 3;  // exact for the square of a mode

  /// T[mode component][nodal component] of the undeformed cell: -K_aa⁻¹ K_au.
  std::vector<Wide> response(const Wide *X, const Material &material) const
  {
    constexpr int all = ModeSizes<dim>::all, internal = ModeSizes<dim>::internal;
    Values rest;
    rest.fill(Wide(0.));
    std::vector<Wide> K(all * all), T(internal * size);
    cell_of(X, material).hessian(rest, 0, K.data());
    const ModeFactor<dim> factor(K.data());
    for (int column = 0; column < size; ++column)
    {
      Wide modes[internal];
      for (int i = 0; i < internal; ++i)
        modes[i] = -K[(size + i) * all + column];
      factor.solve(modes);
      for (int i = 0; i < internal; ++i)
        T[i * size + column] = modes[i];
    }
    return T;
  }

  ModeCell<dim> cell_of(const CellMap<dim> &X, const Material &material) const
  {
    return {this->table, this->quadrature, this->vertices(X), material};
  }

  void dense_tangent(const Wide *X, const Wide *u, const Material &material, Wide *K) const override
  {
    const ModeCell<dim> cell = cell_of(X, material);
    add_condensed(cell, State(cell, u), K);
  }

  dealii::QGauss<dim> mass_rule;
  ReferenceElement<dim> mass_table;
};

/// Without locking in bending.
template <int dim>
class IncompatibleModesCells : public StandardTensor<dim>
{
public:
  std::pair<int, int> degrees() const override { return {1, 1}; }
  std::string help() const override { return "bending in one layer of cells, Order = 1, of quadrilaterals and hexahedra"; }
  std::unique_ptr<CellKernels<dim>> kernels(const ElementFamily<dim> &family) const override
  {
    return std::make_unique<IncompatibleModes<dim>>(family);
  }
  bool is_of_the_cell() const override { return true; }
  std::string refusal(const Material &law) const override
  {
    const InelasticMaterial *inelastic_law = inelastic(law);
    return inelastic_law && !inelastic_law->has_potential()
               ? "a law whose increments have no potential (umat, Backstress recovery) has no stationary modes. Set Element = mean-dilatation"
               : "";
  }
  std::optional<LockingAdvice> locks(int) const override { return {}; }
};

SYMDYN_REGISTER(Formulation<2>, IncompatibleModesCells<2>, "incompatible-modes");
SYMDYN_REGISTER(Formulation<3>, IncompatibleModesCells<3>, "incompatible-modes");
}  // namespace
}  // namespace symdyn
