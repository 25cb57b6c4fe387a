#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "materials/over_temperature.h"

namespace symdyn
{
/// A law without a memory whose energy is linear in T between the temperatures where its constants are known,
///     psi(C, T) = sum over k of w_k(T) psi_k(C)      w_k: each_part()
class ElasticBlend
{
public:
  /// One or more, which ascend in temperature.
  explicit ElasticBlend(std::vector<ConstantsAt> known) : known(std::move(known)) {}

  Wide psi(const Symmetric<Wide> &C, const Wide &T) const
  {
    Wide W = 0.;
    each(T, [&](const Material &law, const Wide &part) { W = W + part * law.psi(C); });
    return W;
  }
  template <class Scalar>
  Symmetric<Scalar> stress(const Symmetric<Scalar> &C, const Wide &T) const
  {
    Symmetric<Scalar> S{};
    each(T, [&](const Material &law, const Wide &part) {
      const Symmetric<Scalar> one = law.stress(C);
      for (int m = 0; m < 6; ++m)
        S[m] = S[m] + constant<Scalar>(part) * one[m];
    });
    return S;
  }
  void tangent(const Symmetric<Wide> &C, const Wide &T, Symmetric<Wide> &S, Tangent<Wide> &D) const
  {
    S = {};
    D = {};
    each(T, [&](const Material &law, const Wide &part) {
      Symmetric<Wide> s;
      Tangent<Wide> d;
      law.tangent(C, s, d);
      for (int m = 0; m < 6; ++m)
      {
        S[m] = S[m] + part * s[m];
        for (int n = 0; n < 6; ++n)
          D(m, n) = D(m, n) + part * d(m, n);
      }
    });
  }
  /// Of plane stress: C_33.
  Wide thickness_stretch_squared(const Symmetric<Wide> &C, const Wide &T) const
  {
    Wide C33 = 0.;
    each(T, [&](const Material &law, const Wide &part) { C33 = C33 + part * law.thickness_stretch_squared(C); });
    return C33;
  }

private:
  template <class Visit>
  void each(const Wide &T, const Visit &visit) const
  {
    if (known.size() == 1)
      return visit(*known.front().law, Wide(1.));
    each_part(
        known.size(), [this](const std::size_t k) { return known[k].temperature; }, T,
        [&](const std::size_t k, const Wide &part) { visit(*known[k].law, part); });
  }

  std::vector<ConstantsAt> known;
};

/// The same as a law whose only variable is T, which it does not change: what other laws can stand around.
class ElasticOverTemperature : public InelasticOf<ElasticOverTemperature>
{
public:
  explicit ElasticOverTemperature(const std::vector<ConstantsAt> &known) : blend(known), any(known.front().law)
  {
    this->kinks = any->has_kinks();
  }

  void declare(Parameters &) override {}
  bool small_strain() const override { return any->small_strain(); }
  bool plane_stress() const override { return any->plane_stress(); }
  bool depends_on_rates() const override { return false; }
  int variables() const override { return 1; }
  void begin(double *m) const override { *m = 0.; }
  Wide dissipated(const Wide *) const override { return 0.; }

  Wide energy(const Symmetric<Wide> &C, const Wide *from, double) const { return blend.psi(C, *from); }
  template <class T>
  Symmetric<T> stress(const Symmetric<T> &C, const Wide *from, double, T *to) const
  {
    if (to)
      *to = constant<T>(*from);
    return blend.stress(C, *from);
  }
  void incremental_tangent(const Symmetric<Wide> &C, const Wide *from, double, Symmetric<Wide> &S, Tangent<Wide> &D) const override
  {
    blend.tangent(C, *from, S, D);
  }
  using InelasticMaterial::thickness_stretch_squared;
  Wide thickness_stretch_squared(const Symmetric<Wide> &C, const Wide *from, double) const override
  {
    return plane_stress() ? blend.thickness_stretch_squared(C, *from) : C[2];
  }

private:
  ElasticBlend blend;
  std::shared_ptr<const Material> any;
};
}  // namespace symdyn
