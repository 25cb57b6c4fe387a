#include <algorithm>
#include <limits>

#include "elements/cells/cell_points.h"
#include "elements/cells/formulations/dilatation_secant.h"
#include "elements/cells/formulations/standard_tensor.h"
#include "elements/cells/mapped_basis.h"
#include "elements/cells/tensor_basis.h"
#include "elements/cells/tensor_kernels.h"
#include "solver/registry.h"

namespace symdyn
{
namespace
{
/// Quadrilaterals and hexahedra of degree 1 with one volume ratio a cell (dilatation_law.h).
template <int dim>
class MeanDilatation : public CellEnergy<dim>
{
  using Base = CellEnergy<dim>;
  using Base::nodes, Base::points, Base::size;
  using Mapped = MappedBasis<TensorBasis<dim, 2>>;
  using Gradient = typename Mapped::Gradient;

public:
  explicit MeanDilatation(const ElementFamily<dim> &family) : Base(family), mapped(family), tensor(make_tensor_kernels(family)) {}

  const CellKernels<dim> *by_points() const override { return this; }

  bool prepare(const Wide *X, std::vector<Wide> &prepared) const override { return mapped.prepare(X, prepared); }

  Wide energy(const CellMap<dim> &X, const Wide *u, const Material &material) const override
  {
    Gradient g;
    mapped.basis.gradient(u, g);
    Wide V;
    mapped.with_map(X, [&](auto &map) {
      Symmetric<Wide> C[points];
      Wide weight[points], smallest;
      const Wide volume = strains(map, material.small_strain(), g, C, weight, smallest);
      V = volume * DilatationLaw<Wide>(material, weight, points).energy(C);
    });
    return V;
  }

  Wide force(const CellMap<dim> &X, const Wide *u, const Material &material, Wide *f) const override
  {
    const bool small = material.small_strain();
    Gradient g;
    mapped.basis.gradient(u, g);
    Wide smallest;
    mapped.with_map(X, [&](auto &map) {
      Symmetric<Wide> C[points], S[points];
      Wide weight[points];
      strains(map, small, g, C, weight, smallest);
      DilatationLaw<Wide>(material, weight, points).stresses(C, S);
      for (int q = 0; q < points; ++q)
        pull_back(map, first_piola(Mapped::kept(g, q), S[q], small), q, g);
    });
    mapped.basis.add_divergence(g, f);
    return smallest;
  }

  void mass_product(const CellMap<dim> &X, const Wide *w, const double density, Wide *f) const override
  {
    tensor->mass_product(X, w, density, f);
  }

  void stiffness(const CellMap<dim> &X, const Wide *u, const Wide *w, const Material &material, Wide *f) const override
  {
    along_curve<Dual>(X, u, w, material, f);
  }
  void third_derivative(const CellMap<dim> &X, const Wide *u, const Wide *a, const Material &material, Wide *f) const override
  {
    along_curve<Jet>(X, u, a, material, f);
  }

  Wide discrete_force(const Wide *X, const Wide *u0, const Wide *u1, const Material &material, Wide *f) const override
  {
    const Cell cell(*this, X, material);
    Symmetric<Wide> C0[points], C1[points], S[points];
    cell.strains(u0, C0);
    const Wide smallest = cell.strains(u1, C1);
    discrete_stresses(DilatationLaw<Wide>(material, cell.weight, points), C0, C1, S);
    for (int q = 0; q < points; ++q)
      cell.add_divergence(q, first_piola(mean<dim>(cell.deformation(q, u0), cell.deformation(q, u1)), S[q], cell.small), f);
    return smallest;
  }

  void discrete_tangent(const Wide *X, const Wide *u0, const Wide *u1, const Material &material, Wide *K) const override
  {
    const Cell cell(*this, X, material);
    Symmetric<Wide> C0[points];
    cell.strains(u0, C0);
    std::vector<Wide> dense(size * size);
    for (int column = 0; column < size; ++column)
    {
      Wide w[size], f[size];
      std::fill(w, w + size, Wide(0.));
      std::fill(f, f + size, Wide(0.));
      w[column] = 1.;
      Symmetric<Dual<Wide>> C1[points], S[points];
      for (int q = 0; q < points; ++q)
        C1[q] = strain_curve<Dual>(cell.deformation(q, u1), cell.gradient_at(q, w), cell.small);
      discrete_stresses(DilatationLaw<Dual<Wide>>(material, cell.weight, points), C0, C1, S);
      for (int q = 0; q < points; ++q)
      {
        Symmetric<Wide> lower, highest;
        last_two(S[q], lower, highest);
        for (int m = 0; m < 6; ++m)
          lower[m] *= Wide(0.5);  // F_m moves by half of w
        const Matrix<dim> F_m = mean<dim>(cell.deformation(q, u0), cell.deformation(q, u1));
        cell.add_divergence(q, piola_derivative<Dual, dim>(F_m, cell.gradient_at(q, w), lower, highest, cell.small), f);
      }
      for (int row = 0; row < size; ++row)
        dense[row * size + column] = f[row];
    }
    this->to_all_blocks(dense.data(), K);
  }

  /// dR/dv of R = ½ ∫ Em' : D0 : Em' dX, Em' the rate of the strain that the material sees.
  void viscous_force(const Wide *X, const Wide *u, const Wide *v, const Material &material, Wide *f) const override
  {
    const Cell cell(*this, X, material);
    const Tangent<Wide> D0 = this->undeformed_modulus(material);
    Symmetric<Dual<Wide>> curve[points];
    Symmetric<Wide> C[points], S[points];
    for (int q = 0; q < points; ++q)
    {
      curve[q] = strain_curve<Dual>(cell.deformation(q, u), cell.gradient_at(q, v), cell.small);
      for (int m = 0; m < 6; ++m)
        C[q][m] = curve[q][m].x;
    }
    const DilatationLaw<Dual<Wide>> moving(material, cell.weight, points);
    const Dual<Wide> mean = moving.mean_ratio(curve);
    const auto viscous = [&](const int q, const Symmetric<Wide> &) {
      Dual<Wide> scale;
      const Symmetric<Dual<Wide>> modified = moving.strain(curve[q], mean, scale);
      Symmetric<Wide> rate;
      for (int m = 0; m < 6; ++m)
        rate[m] = Wide(0.5) * modified[m].d;
      return contract(D0, rate);
    };
    DilatationLaw<Wide>(material, cell.weight, points).stresses(C, viscous, S);
    for (int q = 0; q < points; ++q)
      cell.add_divergence(q, first_piola(cell.deformation(q, u), S[q], cell.small), f);
  }

  void assumed_deformation_gradient(const Wide *X, const Wide *u, const Material &material, const ReferenceElement<dim> &at,
                                    const dealii::Quadrature<dim> &, Matrix<3> *F) const override
  {
    const Cell cell(*this, X, material);
    Symmetric<Wide> C[points];
    cell.strains(u, C);
    const Wide mean = DilatationLaw<Wide>(material, cell.weight, points).mean_ratio(C);
    for (int v = 0; v < at.points; ++v)
    {
      const Wide more = (mean - (F[v][0][0] + F[v][1][1] + F[v][2][2] - Wide(2.))) / Wide(3.), scale = rcbrt(determinant<3>(F[v]) / mean);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          if (!cell.small)
            F[v][i][j] *= scale;
          else if (i == j)
            F[v][i][j] += more;
    }
  }

private:
  struct Cell : CellPoints<dim, (1 << dim)>
  {
    Cell(const MeanDilatation &kernels, const CellMap<dim> &X, const Material &material)
        : CellPoints<dim, (1 << dim)>(kernels.table, kernels.vertices(X)), small(material.small_strain())
    {
      for (int q = 0; q < points; ++q)
        weight[q] = this->dX[q] / this->volume;
    }
    /// C of all points. Returns the smallest det F (1 for small strain).
    Wide strains(const Wide *u, Symmetric<Wide> *C) const
    {
      Wide smallest = 1e300;
      for (int q = 0; q < points; ++q)
      {
        const Matrix<dim> F = this->deformation(q, u);
        C[q] = strain_measure(F, small);
        smallest = smaller(smallest, determinant<dim>(F));
      }
      return small ? Wide(1.) : smallest;
    }
    bool small;
    Wide weight[points];
  };

  /// From the gradients g to C and shares of the volume, which is returned; F is kept in g. The smallest det F is 1 for small strain.
  template <class Map>
  Wide strains(Map &map, const bool small, Gradient &g, Symmetric<Wide> *C, Wide *weight, Wide &smallest) const
  {
    smallest = small ? Wide(1.) : Wide(1e300);
    for (int q = 0; q < points; ++q)
    {
      map.locate(q);
      const Matrix<dim> F = Mapped::deformation(g, q, map.gradients());
      C[q] = strain_measure(F, small);
      if (!small)
        smallest = smaller(smallest, determinant<dim>(F));
      Mapped::keep(F, q, g);
    }
    return share_volume(map, weight);
  }
  /// Where all points were located.
  template <class Map>
  Wide share_volume(Map &map, Wide *weight) const
  {
    Wide volume = 0.;
    for (int q = 0; q < points; ++q)
      volume += weight[q] = map.jacobian(q) * Wide(mapped.basis.weight[q]);
    const Wide r = Wide(1.) / volume;
    for (int q = 0; q < points; ++q)
      weight[q] *= r;
    return volume;
  }
  template <class Map>
  void pull_back(Map &map, Matrix<dim> P, const int q, Gradient &g) const
  {
    for (int i = 0; i < dim; ++i)
      for (int J = 0; J < dim; ++J)
        P[i][J] *= Wide(mapped.basis.weight[q]);
    Mapped::pull_back(P, map.cofactor(q), q, g);
  }

  template <template <class> class Curve>
  void along_curve(const CellMap<dim> &X, const Wide *u, const Wide *w, const Material &material, Wide *f) const
  {
    const bool small = material.small_strain();
    Gradient g, h;
    mapped.basis.gradient(u, g);
    mapped.basis.gradient(w, h);
    mapped.with_map(X, [&](auto &map) {
      Symmetric<Curve<Wide>> C[points], S[points];
      Wide weight[points];
      for (int q = 0; q < points; ++q)
      {
        map.locate(q);
        const Matrix<dim> F = Mapped::deformation(g, q, map.gradients()), G = Mapped::physical(h, q, map.gradients());
        C[q] = strain_curve<Curve>(F, G, small);
        Mapped::keep(F, q, g);
        Mapped::keep(G, q, h);
      }
      share_volume(map, weight);
      DilatationLaw<Curve<Wide>>(material, weight, points).stresses(C, S);
      for (int q = 0; q < points; ++q)
      {
        Symmetric<Wide> lower, highest;
        last_two(S[q], lower, highest);
        pull_back(map, piola_derivative<Curve, dim>(Mapped::kept(g, q), Mapped::kept(h, q), lower, highest, small), q, g);
      }
    });
    mapped.basis.add_divergence(g, f);
  }

  /// K = sum of the moduli of the points at a fixed mean ratio Jm, g h^T + h g^T + (d²V/dJm²) g g^T with g = dJm/du, h = d²V/du dJm.
  void dense_tangent(const Wide *X, const Wide *u, const Material &material, Wide *K) const override
  {
    const Cell cell(*this, X, material);
    const DilatationLaw<Wide> law(material, cell.weight, points);
    Symmetric<Wide> C[points], S[points];
    cell.strains(u, C);
    const Wide mean = law.mean_ratio(C), m = law.stresses(C, S);
    Wide g[size], h[size], curvature = 0.;
    std::fill(g, g + size, Wide(0.));
    std::fill(h, h + size, Wide(0.));
    for (int q = 0; q < points; ++q)
    {
      const Matrix<dim> F = cell.deformation(q, u);
      Modulus<dim> A;
      two_point_modulus(F, modulus_at(material.at_point(q), C[q], mean, m), F, cell.small, cell.dX[q], A);
      if (!cell.small)
        add_initial_stress<dim>(S[q], cell.dX[q], A);
      cell.add_modulus(q, A, 0, K);
      Symmetric<Wide> of_mean;
      curvature += with_mean(material.at_point(q), C[q], mean, of_mean) * cell.dX[q];
      cell.add_divergence(q, first_piola(F, of_mean, cell.small), h);
      Matrix<dim> slope = cell.small ? Matrix<dim>{} : cofactor<dim>(F);
      for (int i = 0; i < dim && cell.small; ++i)
        slope[i][i] = 1.;
      cell.add_divergence(q, slope, g);
    }
    for (Wide &value : g)
      value /= cell.volume;
    for (int row = 0; row < size; ++row)
      for (int column = 0; column < size; ++column)
        K[row * size + column] += g[row] * h[column] + h[row] * g[column] + curvature * g[row] * g[column];
  }

  /// D = 2 dS/dC at a point, with the mean ratio and m fixed.
  static Tangent<Wide> modulus_at(const Material &material, const Symmetric<Wide> &C, const Wide &mean, const Wide &m)
  {
    using T = Dual<Wide>;
    const DilatationLaw<T> law(material, nullptr, 1);
    Tangent<Wide> D{};
    for (int n = 0; n < 6; ++n)
    {
      const bool out_of_plane = dim == 2 && n != 0 && n != 1 && n != 3;
      if (out_of_plane)
        continue;
      Symmetric<T> curve;
      for (int k = 0; k < 6; ++k)
        curve[k] = T(C[k], k == n ? 1. : 0.);
      T scale;
      const Symmetric<T> modified = law.strain(curve, constant<T>(mean), scale), Sm = material.stress(modified);
      const Symmetric<T> S = law.stress(curve, Sm, scale, constant<T>(m), law.pressure(Sm, modified));
      for (int k = 0; k < 6; ++k)
        D(k, n) = Wide(n < 3 ? 2. : 1.) * S[k].d;  // a shear stands in C twice
    }
    return D;
  }

  /// dS/dJm of a point. Returns d²psi/dJm² there.
  static Wide with_mean(const Material &material, const Symmetric<Wide> &C, const Wide &mean, Symmetric<Wide> &of_mean)
  {
    using T = Dual<Wide>;
    const DilatationLaw<T> law(material, nullptr, 1);
    Symmetric<T> fixed;
    for (int k = 0; k < 6; ++k)
      fixed[k] = constant<T>(C[k]);
    const T moving(mean, Wide(1.));
    T scale;
    const Symmetric<T> modified = law.strain(fixed, moving, scale), Sm = material.stress(modified);
    const T p = law.pressure(Sm, modified);
    const Symmetric<T> S = law.stress(fixed, Sm, scale, T(0.), p);
    for (int k = 0; k < 6; ++k)
      of_mean[k] = S[k].d;
    return law.small ? p.d : (p / moving).d;
  }

  Mapped mapped;
  std::unique_ptr<CellKernels<dim>> tensor;
};

/// Without volumetric locking.
template <int dim>
class MeanDilatationCells : public StandardTensor<dim>
{
public:
  std::pair<int, int> degrees() const override { return {1, 1}; }
  std::string help() const override { return "nearly incompressible, Order = 1, of quadrilaterals and hexahedra"; }
  std::unique_ptr<CellKernels<dim>> kernels(const ElementFamily<dim> &family) const override
  {
    return std::make_unique<MeanDilatation<dim>>(family);
  }
  bool is_of_the_cell() const override { return true; }
  std::string refusal(const Material &law) const override
  {
    return law.plane_stress() ? "plane stress does not lock, and has no volume ratio to average. Set Element = standard, or Plane = strain"
                              : "";
  }
  std::optional<LockingAdvice> locks(int) const override { return {}; }
};

SYMDYN_REGISTER(Formulation<2>, MeanDilatationCells<2>, "mean-dilatation");
SYMDYN_REGISTER(Formulation<3>, MeanDilatationCells<3>, "mean-dilatation");
}  // namespace
}  // namespace symdyn
