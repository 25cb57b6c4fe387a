#pragma once
#include <memory>
#include <utility>

#include "materials/law_around.h"

namespace symdyn
{
/// factor S
template <class T>
Symmetric<T> times(const double factor, Symmetric<T> S)
{
  for (int m = 0; m < 6; ++m)
    S[m] = factor * S[m];
  return S;
}

/// A material with psi multiplied by a factor: per area of a plane body of a thickness [J/m²].
class ScaledMaterial : public Material
{
public:
  ScaledMaterial(std::shared_ptr<const Material> law, const double factor) : law(std::move(law)), factor(factor) {}

  void declare(Parameters &) override {}
  bool small_strain() const override { return law->small_strain(); }
  bool quadratic() const override { return law->quadratic(); }
  bool plane_stress() const override { return law->plane_stress(); }
  bool of_two_invariants() const override { return law->of_two_invariants(); }
  bool response_ignores_trace() const override { return law->response_ignores_trace(); }
  Wide thickness_stretch_squared(const Symmetric<Wide> &C) const override { return law->thickness_stretch_squared(C); }

  Wide psi(const Symmetric<Wide> &C) const override { return factor * law->psi(C); }
  Symmetric<Wide> stress(const Symmetric<Wide> &C) const override { return times(factor, law->stress(C)); }
  Symmetric<Jet<Wide>> stress(const Symmetric<Jet<Wide>> &C) const override { return times(factor, law->stress(C)); }
  Symmetric<Dual<Wide>> stress(const Symmetric<Dual<Wide>> &C) const override { return times(factor, law->stress(C)); }
  void stress(const Symmetric<Wide> *C, Symmetric<Wide> *S, const int points) const override
  {
    law->stress(C, S, points);
    scale(S, points);
  }
  void stress_change(const Symmetric<Wide> *dC, Symmetric<Wide> *dS, const int points) const override
  {
    law->stress_change(dC, dS, points);
    scale(dS, points);
  }
  void tangent(const Symmetric<Wide> &C, Symmetric<Wide> &S, Tangent<Wide> &D) const override
  {
    law->tangent(C, S, D);
    S = times(factor, S);
    for (int m = 0; m < 6; ++m)
      for (int n = 0; n < 6; ++n)
        D(m, n) *= factor;
  }
  void energy(const Wide *I1, const Wide *III, Wide *psi, const int points) const override
  {
    law->energy(I1, III, psi, points);
    for (int q = 0; q < points; ++q)
      psi[q] *= factor;
  }
  void response(const Wide *I1, const Wide *III, Wide *a, Wide *b, const int points) const override
  {
    scaled_response(I1, III, a, b, points);
  }
  void response(const Dual<Wide> *I1, const Dual<Wide> *III, Dual<Wide> *a, Dual<Wide> *b, const int points) const override
  {
    scaled_response(I1, III, a, b, points);
  }
  void response(const Jet<Wide> *I1, const Jet<Wide> *III, Jet<Wide> *a, Jet<Wide> *b, const int points) const override
  {
    scaled_response(I1, III, a, b, points);
  }

private:
  void scale(Symmetric<Wide> *S, const int points) const
  {
    for (int q = 0; q < points; ++q)
      S[q] = times(factor, S[q]);
  }
  template <class T>
  void scaled_response(const T *I1, const T *III, T *a, T *b, const int points) const
  {
    law->response(I1, III, a, b, points);
    for (int q = 0; q < points; ++q)
    {
      a[q] = factor * a[q];
      b[q] = factor * b[q];
    }
  }

  std::shared_ptr<const Material> law;
  double factor;
};

/// The same for a law with a memory, whose variables stay as they are.
class ScaledInelasticMaterial : public LawAround<ScaledInelasticMaterial>
{
public:
  /// Errors: std::bad_cast if the law has no memory.
  ScaledInelasticMaterial(std::shared_ptr<const Material> given, const double factor)
      : LawAround(dynamic_cast<const InelasticMaterial &>(*given)), owner(std::move(given)), factor(factor)
  {
  }

  using InelasticMaterial::thickness_stretch_squared;
  Wide thickness_stretch_squared(const Symmetric<Wide> &C, const Wide *from, const double dt) const override
  {
    return memory->thickness_stretch_squared(C, from, dt);
  }
  int variables() const override { return memory->variables(); }
  void begin(double *m) const override { memory->begin(m); }
  Wide dissipated(const Wide *m) const override { return factor * memory->dissipated(m); }
  Wide stored(const Wide *m) const override { return factor * memory->stored(m); }
  void show(const Wide *m, Wide *values) const override { memory->show(m, values); }  // per volume

  Wide energy(const Symmetric<Wide> &C, const Wide *from, const double dt) const
  {
    return factor * memory->incremental_energy(C, from, dt);
  }
  template <class T>
  Symmetric<T> stress(const Symmetric<T> &C, const Wide *from, const double dt, T *to) const
  {
    return times(factor, remembered_stress(C, from, dt, to));
  }
  void incremental_tangent(const Symmetric<Wide> &C, const Wide *from, const double dt, Symmetric<Wide> &S, Tangent<Wide> &D) const override
  {
    memory->incremental_tangent(C, from, dt, S, D);
    S = times(factor, S);
    for (int m = 0; m < 6; ++m)
      for (int n = 0; n < 6; ++n)
        D(m, n) *= factor;
  }

private:
  Symmetric<Wide> relaxing_change(const Symmetric<Dual<Wide>> &C, const Wide *from, const double *weights) const override
  {
    return times(factor, memory->relaxing_change(C, from, weights));
  }

  std::shared_ptr<const Material> owner;
  double factor;
};

/// The law with its stored energy and dissipation multiplied by `factor`.
inline std::shared_ptr<const Material> scaled(std::shared_ptr<const Material> law, const double factor)
{
  if (inelastic(*law))
    return std::make_shared<ScaledInelasticMaterial>(std::move(law), factor);
  return std::make_shared<ScaledMaterial>(std::move(law), factor);
}
}  // namespace symdyn
