#pragma once
#include <memory>
#include <string>
#include <vector>

#include "materials/feels_temperature.h"
#include "materials/law_around.h"
#include "materials/over_temperature.h"
#include "materials/section/elastic_blend.h"
#include "materials/section/expansion.h"

namespace symdyn
{
/// A law at a temperature: it remembers the temperature T of the point and its free thermal strain since the start, whose temperature is
/// T_0,
///     eps_th = alpha(T) (T - T_ref) - alpha(T_0) (T_0 - T_ref)      along each axis of expansion, F_th = 1 + eps_th
/// (Abaqus, CalculiX). The energy of the law is per volume of the freely expanded body (Lu, Pister 1975):
///     finite strains   W(C) = det F_th psi(F_th^-1 C F_th^-1),     S = det F_th F_th^-1 S_psi F_th^-1
///     small strains    W(eps) = psi(eps - eps_th)
/// Laws may have a memory; constants may depend on T: between the temperatures where they are known psi of hyperelastic ones is linear in
/// T, and laws with a memory are one law that knows T (OverTemperature). What changes T is whoever holds the memory: heat().
class HeatedMaterial : public LawAround<HeatedMaterial>
{
public:
  using Constants = ConstantsAt;
  /// Of several constants, which ascend in temperature (of laws with a memory: the same OverTemperature law at each); `where` names them in
  /// errors. `constant_beyond`: those of the ends hold beyond them. `feels`: the law, if it uses T itself, else nullptr.
  HeatedMaterial(std::vector<Constants> constants, const Expansion &expansion, const std::string &where,
                 std::shared_ptr<const FeelsTemperature> feels);

  double reference() const { return expansion.reference(); }
  const Wide &temperature(const Wide *m) const { return m[of_law]; }
  /// The law if it has a memory of its own, else nullptr.
  const InelasticMaterial *inside() const { return memory; }
  /// m of points that are at the temperatures T_0 from the start.
  void begin(const Wide &T0, Wide *m) const;
  /// m as it is, a part of the way to the temperatures T. Errors: InputError where constants are not known there.
  void heat(const Wide &T, double part, Wide *m) const;
  /// Errors: InputError where the constants or the expansion are not known at these temperatures.
  void require(const Wide &T) const;
  /// m as it is, at the temperatures of another memory.
  void heat_as(const Wide *other, Wide *m) const;

  int variables() const override { return of_law + 1 + 2 * directions + (memory ? 1 : 0); }
  void begin(double *m) const override;
  Wide dissipated(const Wide *m) const override { return memory ? m[variables() - 1] : Wide(0.); }
  Wide stored(const Wide *m) const override { return memory ? growth(m) * memory->stored(m) : Wide(0.); }
  std::vector<Remembered> remembered() const override;
  void show(const Wide *m, Wide *values) const override;

  Wide energy(const Symmetric<Wide> &C, const Wide *from, double dt) const;
  template <class T>
  Symmetric<T> stress(const Symmetric<T> &C, const Wide *from, double dt, T *to) const;
  void incremental_tangent(const Symmetric<Wide> &C, const Wide *from, double dt, Symmetric<Wide> &S, Tangent<Wide> &D) const override;
  using InelasticMaterial::thickness_stretch_squared;
  Wide thickness_stretch_squared(const Symmetric<Wide> &C, const Wide *from, double dt) const override;

private:
  Symmetric<Wide> relaxing_change(const Symmetric<Dual<Wide>> &C, const Wide *from, const double *weights) const override;
  void require_constants(const Wide &T) const;
  /// det F_th; of small strains 1.
  Wide growth(const Wide *m) const;
  /// eps_th [-], in coordinates.
  Symmetric<Wide> thermal_strain(const Wide *m) const;
  /// F_th^-1
  Symmetric<Wide> contraction(const Wide *m) const;
  /// The strain of the law.
  template <class T>
  Symmetric<T> seen(const Symmetric<T> &C, const Wide *m) const;
  /// S from that of the law.
  template <class T>
  Symmetric<T> carried(const Symmetric<T> &S, const Wide *m) const;
  std::vector<Constants> constants;
  ElasticBlend blend;  ///< of laws without a memory
  Expansion expansion;
  std::string where;
  std::shared_ptr<const FeelsTemperature> feels;
  int of_law, directions;  ///< variables of the law, which come first; then T, eps_th, eps at the start, the dissipated energy
};

/// The law if its points are heated, else nullptr.
inline const HeatedMaterial *heated(const Material &law) { return dynamic_cast<const HeatedMaterial *>(&law); }

class PrestrainedMaterial;
/// The law, or what is heated of it, if its points have a state at the start, else nullptr.
const PrestrainedMaterial *prestrained(const Material &law);
/// Whether steps change what the law remembers: not where that is temperatures and a state at the start.
bool changes_in_steps(const InelasticMaterial &law);
}  // namespace symdyn
