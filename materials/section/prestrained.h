#pragma once
#include <array>
#include <functional>
#include <memory>

#include "materials/law_around.h"

namespace symdyn
{
/// What a point has at the start, undeformed: nothing, a stress [Pa], or a plastic strain that its law did not have itself. Components 11,
/// 22, 33, 12, 13, 23.
struct InitialPoint
{
  enum Kind
  {
    nothing,
    stress,
    plastic_strain
  } kind = nothing;
  std::array<double, 6> value{};
};
/// Of an active cell at X [m]; coordinates as many as the body has.
using InitialField = std::function<InitialPoint(unsigned int cell, const double *X)>;

/// A law in a body whose undeformed shape is strained elastically: it sees F F_0, F_0 = exp(e_0) symmetric, as if the body had been cut
/// from a larger one without stress,
///     finite strains   W(C) = psi(F_0 C F_0)/det F_0,   S = F_0 S_psi F_0/det F_0     per volume of the undeformed body
///     small strains    W(eps) = psi(eps + e_0)
/// e_0 is -eps_p of a plastic strain eps_p, or that with which the virgin law has the stress sigma_0 = F_0 S_psi F_0/det F_0. The stored
/// energy counts what this strain stores. e_0 (small strains) or F_0 stand before the variables of the law, which may have none.
class PrestrainedMaterial : public LawAround<PrestrainedMaterial>
{
public:
  /// `per_volume`: the law whose stress `initial` has, if `law` is multiplied by a thickness; nullptr: it depends on the temperature, and a
  /// stress is refused.
  PrestrainedMaterial(std::shared_ptr<const Material> law, std::shared_ptr<const Material> per_volume, InitialField initial);

  /// Changes m of virgin points: of lane i the active cell cell[i] at X[i]. Errors: InputError for a stress that the law does not reach.
  void begin(const unsigned int *cell, const std::array<double, 3> *X, Wide *m) const;
  /// Whether the law has no memory of its own.
  bool only_initial() const { return is_elastic; }

  int variables() const override { return of_start + (memory ? memory->variables() : 0); }
  void begin(double *m) const override;
  Wide dissipated(const Wide *m) const override { return memory ? memory->dissipated(m + first) / growth(m) : Wide(0.); }
  Wide stored(const Wide *m) const override { return memory ? memory->stored(m + first) / growth(m) : Wide(0.); }
  void show(const Wide *m, Wide *values) const override { show_within(m, values); }

  Wide energy(const Symmetric<Wide> &C, const Wide *from, double dt) const;
  template <class T>
  Symmetric<T> stress(const Symmetric<T> &C, const Wide *from, double dt, T *to) const;
  void incremental_tangent(const Symmetric<Wide> &C, const Wide *from, double dt, Symmetric<Wide> &S, Tangent<Wide> &D) const override;
  using InelasticMaterial::thickness_stretch_squared;
  Wide thickness_stretch_squared(const Symmetric<Wide> &C, const Wide *from, double dt) const override;

private:
  static constexpr int of_start = 6;  ///< variables
  Symmetric<Wide> relaxing_change(const Symmetric<Dual<Wide>> &C, const Wide *from, const double *weights) const override;
  Symmetric<Wide> start(const Wide *m) const;
  /// det F_0; of small strains 1.
  Wide growth(const Wide *m) const;
  /// e_0 or F_0 of a point.
  std::array<double, 6> strain_of(const InitialPoint &point, const double *X) const;
  /// e_0 of a stress [Pa]. Errors: ComputationError.
  std::array<double, 6> strain_with(const std::array<double, 6> &stress) const;
  template <class T>
  Symmetric<T> seen(const Symmetric<T> &C, const Wide *m) const;

  std::shared_ptr<const Material> law, per_volume;
  InitialField initial;
  bool is_elastic;
};
}  // namespace symdyn
