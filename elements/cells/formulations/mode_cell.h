#pragma once
#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "elements/cells/cell_points.h"
#include "materials/algebra/lanes.h"
#include "materials/bound_law.h"

// The parts of incompatible_modes.cc: a cell with its modes, and the modes that belong to given displacements.
namespace symdyn
{
template <int dim>
struct ModeSizes
{
  static constexpr int nodes = 1 << dim, points = 1 << dim, size = nodes * dim, functions = nodes + dim, all = functions * dim,
                       internal = dim * dim;
  using Values = std::array<Wide, all>;  ///< of u, then of alpha
};

/// W(u, alpha) of `lanes` cells, and its derivatives.
template <int dim>
struct ModeCell : CellPoints<dim, (1 << dim) + dim>, ModeSizes<dim>
{
  using Sizes = ModeSizes<dim>;
  using Sizes::points, Sizes::size, Sizes::functions, Sizes::nodes, Sizes::all;
  using typename Sizes::Values;

  ModeCell(const ReferenceElement<dim> &table, const dealii::Quadrature<dim> &quadrature, const Wide *X, const Material &material)
      : CellPoints<dim, functions>(table, X),
        material(material),
        small(material.small_strain()),
        bound(dynamic_cast<const BoundLaw *>(&material))
  {
    this->set_modes(quadrature);
  }

  /// dW/d(u, alpha). Returns the smallest det F.
  Wide gradient_of_energy(const Values &x, Values &r) const
  {
    r.fill(Wide(0.));
    Wide smallest = 1e300;
    for (int q = 0; q < points; ++q)
    {
      const Matrix<dim> F = this->deformation(q, x.data());
      smallest = smaller(smallest, determinant<dim>(F));
      this->add_divergence(q, first_piola(F, material.at_point(q).stress(strain_measure(F, small)), small), r.data());
    }
    return smallest;
  }

  /// W'' w (Dual), W''' w w (Jet)
  template <template <class> class Curve>
  Values along_curve(const Values &x, const Values &w) const
  {
    Values r;
    r.fill(Wide(0.));
    for (int q = 0; q < points; ++q)
    {
      const Matrix<dim> F = this->deformation(q, x.data()), G = this->gradient_at(q, w.data());
      Symmetric<Wide> lower, highest;
      last_two(material.at_point(q).stress(strain_curve<Curve>(F, G, small)), lower, highest);
      this->add_divergence(q, piola_derivative<Curve, dim>(F, G, lower, highest, small), r.data());
    }
    return r;
  }

  /// K[row*all+column] = W'' of the functions from `first` on
  void hessian(const Values &x, const int first, Wide *K) const
  {
    std::fill(K, K + all * all, Wide(0.));
    for (int q = 0; q < points; ++q)
    {
      const Matrix<dim> F = this->deformation(q, x.data());
      Symmetric<Wide> S;
      Tangent<Wide> D;
      material.at_point(q).tangent(strain_measure(F, small), S, D);
      Modulus<dim> A;
      two_point_modulus(F, D, F, small, this->dX[q], A);
      if (!small)
        add_initial_stress<dim>(S, this->dX[q], A);
      this->add_modulus(q, A, first, K);
    }
  }

  /// The same of the undeformed cell with the frozen law at rest, which is positive definite.
  void add_elastic_hessian(Wide *K) const
  {
    Symmetric<Wide> S;
    Tangent<Wide> D;
    material.tangent(identity<Wide>(), S, D);
    Matrix<dim> rest{};
    for (int i = 0; i < dim; ++i)
      rest[i][i] = 1.;
    for (int q = 0; q < points; ++q)
    {
      Modulus<dim> A;
      two_point_modulus(rest, D, rest, small, this->dX[q], A);
      this->add_modulus(q, A, nodes, K);
    }
  }

  const Material &material;
  const bool small;
  const bool quadratic = small && material.quadratic();  ///< W is
  const BoundLaw *bound;                                 ///< the law where it has a memory, else nullptr
};

/// L D L^T of K_aa, all lanes at once.
template <int dim>
struct ModeFactor
{
  static constexpr int internal = ModeSizes<dim>::internal, size = ModeSizes<dim>::size, all = ModeSizes<dim>::all;

  explicit ModeFactor(const Wide *K)
  {
    for (int i = 0; i < internal; ++i)
      for (int j = 0; j <= i; ++j)
      {
        Wide sum = K[(size + i) * all + size + j];
        for (int k = 0; k < j; ++k)
          sum -= L[i][k] * L[j][k] * L[k][k];
        L[i][j] = i == j ? sum : sum / L[j][j];
      }
  }
  void solve(Wide *b) const
  {
    for (int i = 0; i < internal; ++i)
      for (int k = 0; k < i; ++k)
        b[i] -= L[i][k] * b[k];
    for (int i = 0; i < internal; ++i)
      b[i] /= L[i][i];
    for (int i = internal - 1; i >= 0; --i)
      for (int k = i + 1; k < internal; ++k)
        b[i] -= L[k][i] * b[k];
  }
  /// Lanes of a positive definite matrix.
  Wide::Bits is_positive() const
  {
    Wide::Bits all = positive(L[0][0]);
    for (int i = 1; i < internal; ++i)
      all &= positive(L[i][i]);
    return all;
  }
  Wide L[internal][internal];
};

/// u with the alpha that belongs to it.
template <int dim>
struct ModeState
{
  using Sizes = ModeSizes<dim>;
  static constexpr int size = Sizes::size, internal = Sizes::internal, all = Sizes::all, nodes = Sizes::nodes;
  using Values = typename Sizes::Values;

  /// Newton's method from alpha = 0, or from that of the last accepted state where the history has it: V is a function of u, whatever it
  /// begins with (InelasticCells.ModesDoNotDependOnTheirStart). Locked cells have large pressures there, beside which plastic
  /// moduli are small: then W_aa is indefinite, and far from the answer. So W_aa has a part of the elastic one added where it is
  /// indefinite (Nocedal, Wright 2006, section 3.4), and steps that pass the minimum along them are cut. What does not converge is not
  /// finite. `with_K`: for derivatives.
  ModeState(const ModeCell<dim> &cell, const Wide *u, const bool with_K = false) : cell(cell), x(), K(all * all)
  {
    x.fill(Wide(0.));
    std::copy(u, u + size, x.begin());
    if (const Wide *last = cell.bound ? cell.bound->last_inner() : nullptr)
      std::copy_n(last, internal, x.begin() + size);
    constexpr int most = 40;
    Wide::Bits open = positive(Wide(1.));  // lanes that are done stay as they are: none depends on what stands beside it
    smallest = cell.gradient_of_energy(x, r);
    for (int n = 0; n < most && any_lane(open); ++n)
    {
      cell.hessian(x, nodes, K.data());
      Wide step[internal];
      solve_downhill(open, step);
      const Wide::Bits last = rounding(step);
      advance(step, open, open & ~last);
      if (n > 0 || cell.quadratic)
        open &= cell.quadratic ? ~open : ~last;
    }
    if (with_K)
      cell.hessian(x, nodes, K.data());
    if (!any_lane(open))
      return;
    for (int i = 0; i < all; ++i)
    {
      x[i] = select(open, Wide(std::numeric_limits<double>::quiet_NaN()), x[i]);
      r[i] = select(open, x[i], r[i]);
    }
  }

  /// Where the history that is made wants alpha.
  void keep_modes() const
  {
    if (Wide *next = cell.bound ? cell.bound->next_inner() : nullptr)
      std::copy_n(x.begin() + size, internal, next);
  }

  /// -W_aa⁻¹ W_a, or with more of the elastic W_aa until it is positive definite.
  void solve_downhill(const Wide::Bits &open, Wide *step) const
  {
    constexpr double first_part = 1. / 16., factor_of_part = 4.;
    constexpr int most = 6;
    ModeFactor<dim> factor(K.data());
    Wide::Bits weak = open & ~factor.is_positive();
    if (any_lane(weak))
    {
      std::vector<Wide> elastic(all * all, Wide(0.)), stiffer = K;
      cell.add_elastic_hessian(elastic.data());
      double part = first_part;
      for (int k = 0; k < most && any_lane(weak); ++k, part *= factor_of_part)
      {
        for (int i = size; i < all; ++i)
          for (int j = size; j < all; ++j)
            stiffer[i * all + j] = select(weak, Wide(K[i * all + j] + part * elastic[i * all + j]), stiffer[i * all + j]);
        factor = ModeFactor<dim>(stiffer.data());
        weak &= ~factor.is_positive();
      }
    }
    for (int i = 0; i < internal; ++i)
      step[i] = -r[size + i];
    factor.solve(step);
  }

  /// x += t step in the open lanes, t = 1 or, where they are `checked`, less: so that the slope of W along the step is below most of
  /// that at its start.
  void advance(const Wide *step, const Wide::Bits &open, Wide::Bits checked)
  {
    constexpr int most = 10;
    constexpr double enough = 0.9, shorter = 0.5, shortest = 0.1;
    const Values before = x;
    const Wide slope = slope_along(step), steep = Wide(enough) * select(positive(slope), slope, Wide(-slope));
    Wide t = 1.;
    for (int k = 0; k < most; ++k)
    {
      for (int i = size; i < all; ++i)
        x[i] = select(open, Wide(before[i] + t * step[i - size]), before[i]);
      smallest = cell.gradient_of_energy(x, r);
      if (cell.quadratic)
        return;
      const Wide now = slope_along(step);
      checked &= ~(positive(Wide(steep - now)) & (cell.small ? checked : positive(smallest)));
      if (!any_lane(checked))
        return;
      // Where the slope changes its sign by a line through both; where it is not a number, half.
      const Wide root = slope / (slope - now), part = select(positive(Wide(root - shortest)) & positive(Wide(shorter - root)), root,
                                                             select(positive(Wide(shortest - root)), Wide(shortest), Wide(shorter)));
      t = select(checked, Wide(t * part), t);
    }
  }
  Wide slope_along(const Wide *step) const
  {
    Wide sum = 0.;
    for (int i = 0; i < internal; ++i)
      sum += r[size + i] * step[i];
    return sum;
  }

  /// Lanes of a last step.
  Wide::Bits rounding(const Wide *step) const
  {
    // Converges quadratically: after a step of this part of the size of the modes only rounding is left.
    constexpr double last_step = 1e-9;
    Wide::Bits last = positive(Wide(0.));
    for (int lane = 0; lane < lanes; ++lane)
    {
      double moved = 0, extent = 0;
      for (int i = 0; i < internal; ++i)
      {
        moved = std::max(moved, std::abs(step[i][lane]));
        extent = std::max(extent, std::abs(cell.middle[i / dim][i % dim][lane]));
      }
      last[lane] = moved <= last_step * extent ? -1 : 0;
    }
    return last;
  }

  /// (w, alpha')
  Values direction(const Wide *w) const
  {
    Values given;
    given.fill(Wide(0.));
    std::copy(w, w + size, given.begin());
    return with_modes(given, cell.template along_curve<Dual>(x, given));
  }
  /// given + (0, -K_aa⁻¹ r_a)
  Values with_modes(Values given, const Values &of) const
  {
    Wide modes[internal];
    for (int i = 0; i < internal; ++i)
      modes[i] = -of[size + i];
    ModeFactor<dim>(K.data()).solve(modes);
    for (int i = 0; i < internal; ++i)
      given[size + i] += modes[i];
    return given;
  }
  /// r_u - K_ua K_aa⁻¹ r_a
  Values condensed(Values of) const
  {
    Values none;
    none.fill(Wide(0.));
    const Values more = cell.template along_curve<Dual>(x, with_modes(none, of));
    for (int i = 0; i < size; ++i)
      of[i] += more[i];
    return of;
  }

  const ModeCell<dim> &cell;
  Values x, r;
  std::vector<Wide> K;  ///< W'' of alpha alone; at the last but one iterate without `with_K`
  Wide smallest = 1.;
};

template <int dim>
void add_nodes(const std::array<Wide, ModeSizes<dim>::all> &r, Wide *f)
{
  for (int i = 0; i < ModeSizes<dim>::size; ++i)
    f[i] += r[i];
}

/// K += V'' of the state, condensed.
template <int dim>
void add_condensed(const ModeCell<dim> &cell, const ModeState<dim> &state, Wide *K)
{
  constexpr int size = ModeSizes<dim>::size, all = ModeSizes<dim>::all, internal = ModeSizes<dim>::internal;
  std::vector<Wide> full(all * all);
  cell.hessian(state.x, 0, full.data());
  const ModeFactor<dim> factor(full.data());
  for (int column = 0; column < size; ++column)
  {
    Wide modes[internal];
    for (int i = 0; i < internal; ++i)
      modes[i] = full[(size + i) * all + column];
    factor.solve(modes);
    for (int row = 0; row < size; ++row)
    {
      Wide sum = full[row * all + column];
      for (int i = 0; i < internal; ++i)
        sum -= full[row * all + size + i] * modes[i];
      K[row * size + column] += sum;
    }
  }
}
}  // namespace symdyn
