#pragma once
#include <memory>

#include "elements/cells/curve_algebra.h"
#include "elements/cells/fast_kernels.h"
#include "elements/cells/mapped_basis.h"

namespace symdyn
{
/// The kernels of a cell type whose basis knows how to take gradients at all points at once, and its transpose:
///     basis.gradient(u, g);  basis.add_divergence(R, f);  basis.add_product(w, scale, f);  basis.weight[q];  Basis::dim, points, together,
///     affine
/// The points are done in groups of `together`: strains, then the law in one call, then stresses. Laws of two invariants need neither C nor
/// S. Energy, force, stiffness, third derivative and products with the mass are done so, the rest is the plain kernels'; equal to those but
/// for rounding (CellKernels.FastKernelsEqualThePlainOnes).
template <class Basis>
class BasisKernels : public FastKernels<Basis::dim>, private MappedBasis<Basis>
{
  static constexpr int dim = Basis::dim, points = Basis::points, together = Basis::together;
  using Gradient = typename Basis::Gradient;
  using Mapped = MappedBasis<Basis>;
  using Mapped::basis, Mapped::with_map, Mapped::physical, Mapped::deformation, Mapped::pull_back, Mapped::keep, Mapped::kept;

public:
  explicit BasisKernels(const ElementFamily<dim> &family) : FastKernels<dim>(family), Mapped(family) {}

  bool prepare(const Wide *X, std::vector<Wide> &prepared) const override { return Mapped::prepare(X, prepared); }

  Wide energy(const CellMap<dim> &X, const Wide *u, const Material &material) const override
  {
    Gradient g;
    basis.gradient(u, g);
    Wide V = 0.;
    with_map(X, [&](auto &map) {
      for_each_group([&](const int first) {
        Wide psi[together];
        if (material.of_two_invariants())
          invariant_energy(map, material, g, first, psi);
        else
          for (int k = 0; k < together; ++k)
          {
            map.locate(first + k);
            psi[k] = material.at_point(first + k).psi(strain_measure(deformation(g, first + k, map.gradients()), material.small_strain()));
          }
        for (int k = 0; k < together; ++k)
          V += map.jacobian(k) * basis.weight[first + k] * psi[k];
      });
    });
    return V;
  }

  Wide force(const CellMap<dim> &X, const Wide *u, const Material &material, Wide *f) const override
  {
    Gradient g;
    basis.gradient(u, g);
    Wide smallest = 1e300;
    with_map(X, [&](auto &map) {
      if (material.of_two_invariants() && material.response_ignores_trace())
        invariant_stress<false>(map, material, g, smallest);
      else if (material.of_two_invariants())
        invariant_stress<true>(map, material, g, smallest);
      else if (material.small_strain())
        general_stress<true>(map, material, g, smallest);
      else
        general_stress<false>(map, material, g, smallest);
    });
    basis.add_divergence(g, f);
    return material.small_strain() ? Wide(1.) : smallest;
  }

  void stiffness(const CellMap<dim> &X, const Wide *u, const Wide *w, const Material &material, Wide *f) const override
  {
    along_curve<Dual>(X, u, w, material, f);
  }

  void third_derivative(const CellMap<dim> &X, const Wide *u, const Wide *a, const Material &material, Wide *f) const override
  {
    along_curve<Jet>(X, u, a, material, f);
  }

  void mass_product(const CellMap<dim> &X, const Wide *w, const double density, Wide *f) const override
  {
    with_map(X, [&](auto &map) {
      if constexpr (Basis::affine)
        basis.add_product(w, map.jacobian(0) * density, f);
      else  // the points of the mass are those of the stiffness (ElementFamily)
      {
        Wide scale[points];
        for (int q = 0; q < points; ++q)
        {
          map.locate(q);
          scale[q] = map.jacobian(q % together) * (basis.weight[q] * density);
        }
        basis.add_product(w, scale, f);
      }
    });
  }

private:
  /// Whether it is bound to the history of the points.
  static bool is_by_points(const Material &material) { return &material.at_point(0) != &material; }

  /// action(first point of the group)
  template <class Action>
  static SYMDYN_INLINE void for_each_group(const Action &action)
  {
    for (int first = 0; first < points; first += together)
      action(first);
  }

  template <class Map>
  void invariant_energy(Map &map, const Material &material, const Gradient &g, const int first, Wide *psi) const
  {
    Wide I1[together], III[together];
    for (int k = 0; k < together; ++k)
    {
      map.locate(first + k);
      const Matrix<dim> F = deformation(g, first + k, map.gradients());
      const Wide J = determinant<dim>(F);
      III[k] = J * J;
      I1[k] = contract<dim>(F, F) + (3. - dim);
    }
    material.energy(I1, III, psi, together);
  }

  /// P = a F + b J cof F (material.h), `with_trace` where the law looks at I1. In plane problems F_33 = 1.
  template <bool with_trace, class Map>
  void invariant_stress(Map &map, const Material &material, Gradient &g, Wide &smallest) const
  {
    for_each_group([&](const int first) {
      Wide I1[together], III[together], J[together], a[together], b[together];
      for (int k = 0; k < together; ++k)
      {
        map.locate(first + k);
        const Matrix<dim> F = deformation(g, first + k, map.gradients());
        J[k] = determinant<dim>(F);
        smallest = smaller(smallest, J[k]);
        III[k] = J[k] * J[k];
        if (with_trace)
          I1[k] = contract<dim>(F, F) + (3. - dim);
        keep(F, first + k, g);
      }
      material.response(with_trace ? I1 : III, III, a, b, together);
      for (int k = 0; k < together; ++k)
      {
        const Matrix<dim> F = kept(g, first + k), B = cofactor<dim>(F);
        const Wide weight = basis.weight[first + k], of_F = a[k] * weight, of_B = b[k] * J[k] * weight;
        Matrix<dim> P;
        for (int i = 0; i < dim; ++i)
          for (int D = 0; D < dim; ++D)
            P[i][D] = of_F * F[i][D] + of_B * B[i][D];
        pull_back(P, map.cofactor(k), first + k, g);
      }
    });
  }

  /// P = F S (small strain: S)
  template <bool small_strain, class Map>
  void general_stress(Map &map, const Material &material, Gradient &g, Wide &smallest) const
  {
    for_each_group([&](const int first) {
      Symmetric<Wide> C[together], S[together];
      for (int k = 0; k < together; ++k)
      {
        map.locate(first + k);
        const Matrix<dim> F = deformation(g, first + k, map.gradients());
        C[k] = strain_measure(F, small_strain);
        if (!small_strain)
          smallest = smaller(smallest, determinant<dim>(F));
        keep(F, first + k, g);
      }
      if (is_by_points(material))
        for (int k = 0; k < together; ++k)
          S[k] = material.at_point(first + k).stress(C[k]);
      else
        material.stress(C, S, together);
      for (int k = 0; k < together; ++k)
      {
        for (int m = 0; m < 6; ++m)
          S[k][m] *= Wide(basis.weight[first + k]);
        pull_back(first_piola(kept(g, first + k), S[k], small_strain), map.cofactor(k), first + k, g);
      }
    });
  }

  /// f += ∫ p : grad N dX, p the first derivative (Dual) or the second (Jet) of P(s) along F(s) = F + s grad w.
  template <template <class> class Curve>
  void along_curve(const CellMap<dim> &X, const Wide *u, const Wide *w, const Material &material, Wide *f) const
  {
    Gradient g, h;
    basis.gradient(u, g);
    basis.gradient(w, h);
    with_map(X, [&](auto &map) {
      if (material.of_two_invariants() && material.response_ignores_trace())
        invariant_derivative<Curve, false>(map, material, g, h);
      else if (material.of_two_invariants())
        invariant_derivative<Curve, true>(map, material, g, h);
      else if (material.quadratic() && material.small_strain())
        quadratic_derivative<Curve, true>(map, material, g, h);
      else if (material.quadratic())
        quadratic_derivative<Curve, false>(map, material, g, h);
      else if (material.small_strain())
        general_derivative<Curve, true>(map, material, g, h);
      else
        general_derivative<Curve, false>(map, material, g, h);
    });
    basis.add_divergence(g, f);
  }

  /// From the gradients g of u and h of w to the forces of the points, in g.
  template <template <class> class Curve, bool with_trace, class Map>
  void invariant_derivative(Map &map, const Material &material, Gradient &g, Gradient &h) const
  {
    for_each_group([&](const int first) {
      Curve<Wide> I1[together], III[together], J[together], a[together], b[together];
      for (int k = 0; k < together; ++k)
      {
        map.locate(first + k);
        const Matrix<dim> F = deformation(g, first + k, map.gradients()), G = physical(h, first + k, map.gradients());
        determinant_curve<dim>(F, G, J[k]);
        III[k] = J[k] * J[k];
        if (with_trace)
          trace_curve<dim>(F, G, I1[k]);
        keep(F, first + k, g);
        keep(G, first + k, h);
      }
      material.response(with_trace ? I1 : III, III, a, b, together);
      for (int k = 0; k < together; ++k)
      {
        const double weight = basis.weight[first + k];
        const Matrix<dim> P =
            piola_derivative<dim, with_trace>(a[k] * weight, b[k] * J[k] * weight, kept(g, first + k), kept(h, first + k));
        pull_back(P, map.cofactor(k), first + k, g);
      }
    });
  }

  template <template <class> class Curve, bool small_strain, class Map>
  void general_derivative(Map &map, const Material &material, Gradient &g, const Gradient &h) const
  {
    for_each_group([&](const int first) {
      for (int k = 0; k < together; ++k)
      {
        map.locate(first + k);
        const Matrix<dim> F = deformation(g, first + k, map.gradients()), G = physical(h, first + k, map.gradients());
        Symmetric<Wide> S[2];
        last_two(material.at_point(first + k).stress(strain_curve<Curve>(F, G, small_strain)), S[0], S[1]);
        pull_back(weighted(piola_derivative<Curve, dim>(F, G, S[0], S[1], small_strain), first + k), map.cofactor(k), first + k, g);
      }
    });
  }

  /// The same of a law that is quadratic: C' and C'' give S' and S'' with the same constants, and nobody asks for S where it is not needed.
  template <template <class> class Curve, bool small_strain, class Map>
  void quadratic_derivative(Map &map, const Material &material, Gradient &g, const Gradient &h) const
  {
    for_each_group([&](const int first) {
      for (int k = 0; k < together; ++k)
      {
        map.locate(first + k);
        const Matrix<dim> F = deformation(g, first + k, map.gradients()), G = physical(h, first + k, map.gradients());
        Symmetric<Wide> C[2], S[2];
        last_two(strain_curve<Curve>(F, G, small_strain), C[0], C[1]);
        if (second<Curve>)
          material.stress_change(C, S, 2);
        else
        {
          material.stress(C, S, 1);
          material.stress_change(C + 1, S + 1, 1);
        }
        pull_back(weighted(piola_derivative<Curve, dim>(F, G, S[0], S[1], small_strain), first + k), map.cofactor(k), first + k, g);
      }
    });
  }

  SYMDYN_INLINE Matrix<dim> weighted(Matrix<dim> P, const int q) const
  {
    for (int i = 0; i < dim; ++i)
      for (int J = 0; J < dim; ++J)
        P[i][J] *= Wide(basis.weight[q]);
    return P;
  }
};
}  // namespace symdyn
