#pragma once
#include "elements/cells/discrete_stress.h"
#include "elements/cells/formulations/mode_cell.h"

namespace symdyn
{
/// Between two configurations the discrete gradient of V is f(u_m) + kappa d, with d = ∫ F_m dC : grad N dX, dC the change of the strain of
/// the nodes alone, u_m the mean of both:
///     kappa = E/D,  E = V1 - V0 - f(u_m)·(u1 - u0),  D = ½ ∫ |dC|² dX = d·(u1 - u0)     (Gonzalez 1996: it keeps momenta)
template <int dim>
struct ModeSecant
{
  using Sizes = ModeSizes<dim>;
  static constexpr int size = Sizes::size, all = Sizes::all, points = Sizes::points;
  using Values = typename Sizes::Values;
  using State = ModeState<dim>;

  ModeSecant(const ModeCell<dim> &cell, const Wide *u0, const Wide *u1) : cell(cell), start(padded(u0)), end(padded(u1))
  {
    for (int i = 0; i < size; ++i)
    {
      du[i] = u1[i] - u0[i];
      u_m[i] = Wide(0.5) * (u0[i] + u1[i]);
    }
    const State middle(cell, u_m, true), last(cell, u1);
    std::copy_n(middle.r.begin(), size, f_m);
    smallest = cell.small ? Wide(1.) : last.smallest;
    d.fill(Wide(0.));
    exact = cell.small && cell.material.quadratic();
    if (exact)
      return;
    measure();
    if (some_by_rule)
      integrate();
    if (some_by_energy)
      compare(State(cell, u0), last);
    add_middle(middle);
    const Wide least = Wide(negligible) * cell.volume, infinity = std::numeric_limits<double>::infinity();
    square = Wide::Lanes(square.v > least.v ? square.v : infinity.v);
    kappa = excess / square;
  }

  /// K += d(discrete force)/du1 = ½ V''(u_m) + d ⊗ (dE/du1 - kappa dD/du1)/D + kappa dd/du1,  kappa = E/D
  void add_tangent(Wide *K) const
  {
    std::vector<Wide> half(size * size, Wide(0.));
    add_condensed(cell, State(cell, u_m), half.data());
    for (int i = 0; i < size * size; ++i)
      K[i] += Wide(0.5) * half[i];
    if (exact)
      return;
    std::vector<Wide> along(all * all, Wide(0.));
    Tangent<Wide> twice{};  // dC of dE
    for (int m = 0; m < 6; ++m)
      twice(m, m) = m < 3 ? 2. : 1.;
    for (int q = 0; q < points; ++q)
    {
      const Matrix<dim> F0 = cell.deformation(q, start.data()), F1 = cell.deformation(q, end.data());
      Modulus<dim> A;
      two_point_modulus(mean<dim>(F0, F1), twice, F1, cell.small, cell.dX[q], A);
      if (!cell.small)
        add_initial_stress<dim>(change(F0, F1), Wide(0.5) * cell.dX[q], A);
      cell.add_modulus(q, A, 0, along.data());
    }
    for (int row = 0; row < size; ++row)
      for (int column = 0; column < size; ++column)
        K[row * size + column] += d[row] * (of_excess[column] - kappa * of_square[column]) / square + kappa * along[row * all + column];
  }

  Wide f_m[size], kappa = 0., smallest, square = 0.;
  Values d;

private:
  static constexpr double negligible = 1e-16;  // of |dC|²: discrete_stress.h

  static Values padded(const Wide *u)
  {
    Values x;
    x.fill(Wide(0.));
    std::copy(u, u + size, x.begin());
    return x;
  }
  Symmetric<Wide> change(const Matrix<dim> &F0, const Matrix<dim> &F1) const
  {
    Symmetric<Wide> dC = strain_measure(F1, cell.small);
    const Symmetric<Wide> C0 = strain_measure(F0, cell.small);
    for (int m = 0; m < 6; ++m)
      dC[m] -= C0[m];
    return dC;
  }

  /// D = ½ ∫ |dC|² dX, d, dD/du1, and where E is integrated.
  void measure()
  {
    Values twice_F1_dC;
    twice_F1_dC.fill(Wide(0.));
    by_rule = Wide(0.).v == Wide(0.).v;
    for (int q = 0; q < points; ++q)
    {
      const Matrix<dim> F0 = cell.deformation(q, start.data()), F1 = cell.deformation(q, end.data()), F_m = mean<dim>(F0, F1);
      Symmetric<Wide> dC = change(F0, F1);
      const Wide own = contract(dC, dC);
      by_rule &= own.v < largest_for_rule(strain_measure(F_m, cell.small), cell.material.has_kinks()).v;
      square += Wide(0.5) * cell.dX[q] * own;
      cell.add_divergence(q, first_piola(F_m, dC, cell.small), d.data());
      for (int m = 0; m < 6; ++m)
        dC[m] *= Wide(2.);
      cell.add_divergence(q, first_piola(F1, dC, cell.small), twice_F1_dC.data());
    }
    std::copy_n(twice_F1_dC.begin(), size, of_square);
    for (int lane = 0; lane < lanes; ++lane)
      (by_rule[lane] ? some_by_rule : some_by_energy) = true;
  }

  /// E = ∫ f(u_m + s du)·du ds, of which add_middle takes f(u_m)·du: Gauss's rule of three points.
  void integrate()
  {
    for (const double place : {gauss_place, -gauss_place})
    {
      Wide u[size], Kdu[size] = {}, f[size] = {};
      for (int i = 0; i < size; ++i)
        u[i] = u_m[i] + Wide(place) * du[i];
      const State state(cell, u, true);
      add_nodes<dim>(state.r, f);
      add_nodes<dim>(cell.template along_curve<Dual>(state.x, state.direction(du)), Kdu);
      for (int i = 0; i < size; ++i)
      {
        excess += Wide(gauss_weight) * f[i] * du[i];
        of_excess[i] += Wide(gauss_weight) * (f[i] + Wide(0.5 + place) * Kdu[i]);
      }
    }
  }

  /// E = V1 - V0 where the differences are large.
  void compare(const State &first, const State &last)
  {
    Wide V = 0.;
    for (int q = 0; q < points; ++q)
      V += cell.dX[q] * (cell.material.at_point(q).psi(strain_measure(cell.deformation(q, last.x.data()), cell.small)) -
                         cell.material.at_point(q).psi(strain_measure(cell.deformation(q, first.x.data()), cell.small)));
    excess = Wide::Lanes(by_rule ? excess.v : V.v);
    for (int i = 0; i < size; ++i)
      of_excess[i] = Wide::Lanes(by_rule ? of_excess[i].v : last.r[i].v);
  }

  /// The rest of E. The middle has the weight 4/9 in the rule.
  void add_middle(const State &middle)
  {
    Wide Kdu[size] = {};
    add_nodes<dim>(cell.template along_curve<Dual>(middle.x, middle.direction(du)), Kdu);
    const Wide one = 1., outer = 2. * gauss_weight, weight = Wide::Lanes(by_rule ? outer.v : one.v);
    for (int i = 0; i < size; ++i)
    {
      excess -= weight * f_m[i] * du[i];
      of_excess[i] -= weight * (f_m[i] + Wide(0.5) * Kdu[i]);
    }
  }

  const ModeCell<dim> &cell;
  Values start, end;
  Wide du[size], u_m[size], of_square[size], of_excess[size] = {}, excess = 0.;
  Wide::Bits by_rule;
  bool exact = false, some_by_rule = false, some_by_energy = false;
};
}  // namespace symdyn
