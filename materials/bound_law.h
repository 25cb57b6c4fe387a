#pragma once
#include <cmath>
#include <optional>
#include <vector>

#include "materials/algebra/lanes.h"
#include "materials/inelastic.h"
#include "solver/oscillation.h"

namespace symdyn
{
/// A law with a memory at `lanes` points of a known history, as the hyperelastic Material that it is within the step: psi = W_n.
class PointLaw : public Material
{
public:
  /// The stress at C writes the new variables to `to`; nullptr: not wanted. Pointers stay the caller's. dt infinite: rates do not act.
  /// `weights`: of relaxing_change(), which moduli then are without; nullptr: none.
  PointLaw(const InelasticMaterial &law, const Wide *from, const double dt, Wide *to = nullptr, const double *weights = nullptr)
      : from(from), law(&law), dt(std::isinf(dt) ? law.length_without_rates() : dt), to(to), weights(weights)
  {
    kinks = law.has_kinks();
  }

  void declare(Parameters &) override {}
  bool small_strain() const override { return law->small_strain(); }
  bool plane_stress() const override { return law->plane_stress(); }
  Wide thickness_stretch_squared(const Symmetric<Wide> &C) const override { return law->thickness_stretch_squared(C, from, dt); }

  Wide psi(const Symmetric<Wide> &C) const override { return law->incremental_energy(C, from, dt); }
  Symmetric<Wide> stress(const Symmetric<Wide> &C) const override { return law->incremental_stress(C, from, dt, to); }
  void stress(const Symmetric<Wide> *C, Symmetric<Wide> *S, const int points) const override
  {
    for (int q = 0; q < points; ++q)
      S[q] = stress(C[q]);
  }
  Symmetric<Jet<Wide>> stress(const Symmetric<Jet<Wide>> &C) const override { return law->incremental_stress(C, from, dt); }
  Symmetric<Dual<Wide>> stress(const Symmetric<Dual<Wide>> &C) const override
  {
    Symmetric<Dual<Wide>> S = law->incremental_stress(C, from, dt);
    if (weights)
    {
      const Symmetric<Wide> relaxed = law->relaxing_change(C, from, weights);
      for (int m = 0; m < 6; ++m)
        S[m].d -= relaxed[m];
    }
    return S;
  }
  void tangent(const Symmetric<Wide> &C, Symmetric<Wide> &S, Tangent<Wide> &D) const override
  {
    if (weights)
      tangent_by_directions(
          C, [this](const Symmetric<Dual<Wide>> &curve) { return stress(curve); }, S, D);
    else
      law->incremental_tangent(C, from, dt, S, D);
  }

protected:
  const Wide *from;

private:
  const InelasticMaterial *law;
  double dt;
  Wide *to;
  const double *weights;
};

/// A law with a memory for cells of so many quadrature points: a PointLaw at each. By itself, as kernels use it for moduli of the
/// undeformed body, it is frozen in its virgin state.
class BoundLaw : public PointLaw
{
public:
  /// `oscillation`: its moduli in place of D.
  /// `inner`: numbers that the element keeps for each cell, behind those of its points: where its search for inner unknowns begins.
  BoundLaw(const InelasticMaterial &law, const int points, const double dt, const std::optional<Oscillation> &oscillation = {},
           const int inner = 0)
      : PointLaw(law, nullptr, 0.), law(law), dt(dt), inner(inner), virgin(law.virgin()), of_points(points, PointLaw(law, nullptr, dt))
  {
    from = virgin.data();
    if (oscillation)
      for (const double tau : law.relaxation_times())
        weights.push_back(oscillation->weight(tau));
  }
  BoundLaw(const BoundLaw &) = delete;
  BoundLaw &operator=(const BoundLaw &) = delete;

  /// The history of the cells, [point][variable] and inner unknowns, and where the new one goes (nullptr: not wanted).
  void bind(const Wide *history, Wide *to)
  {
    const int variables = law.variables();
    for (std::size_t q = 0; q < of_points.size(); ++q)
      of_points[q] =
          PointLaw(law, history + q * variables, dt, to ? to + q * variables : nullptr, weights.empty() ? nullptr : weights.data());
    const std::size_t behind = of_points.size() * variables;
    inner_from = inner > 0 ? history + behind : nullptr;
    inner_to = inner > 0 && to ? to + behind : nullptr;
  }
  /// Inner unknowns of the last accepted state (nullptr: there are none), and where the new ones go (nullptr: not wanted).
  const Wide *last_inner() const { return inner_from; }
  Wide *next_inner() const { return inner_to; }
  const Material &at_point(const int q) const override { return of_points[q]; }

private:
  const InelasticMaterial &law;
  double dt;
  int inner;
  const Wide *inner_from = nullptr;
  Wide *inner_to = nullptr;
  std::vector<Wide> virgin;
  std::vector<double> weights;  ///< of the terms that relax; empty: moduli are those of the law
  std::vector<PointLaw> of_points;
};
}  // namespace symdyn
