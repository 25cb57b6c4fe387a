#pragma once
#include <memory>
#include <type_traits>
#include <utility>

#include "materials/algebra/differentiate.h"
#include "materials/material.h"

namespace symdyn
{
/// Stress, tangent and second tangent action of a Material by forward differentiation of its psi, lane by lane.
template <class Energy>
class Differentiated : public Material
{
public:
  explicit Differentiated(const Energy &energy) : energy(energy) {}

  void declare(Parameters &p) override { energy.declare(p); }
  bool small_strain() const override { return energy.small_strain(); }
  bool quadratic() const override { return energy.quadratic(); }
  bool plane_stress() const override { return energy.plane_stress(); }
  Wide thickness_stretch_squared(const Symmetric<Wide> &C) const override { return energy.thickness_stretch_squared(C); }

  Wide psi(const Symmetric<Wide> &C) const override { return energy.psi(C); }
  Symmetric<Wide> stress(const Symmetric<Wide> &C) const override { return stress_of(energy, C); }
  void stress(const Symmetric<Wide> *C, Symmetric<Wide> *S, const int points) const override
  {
    for (int q = 0; q < points; ++q)
      S[q] = stress_of(energy, C[q]);
  }
  Symmetric<Jet<Wide>> stress(const Symmetric<Jet<Wide>> &C) const override { return stress_of(energy, C); }
  Symmetric<Dual<Wide>> stress(const Symmetric<Dual<Wide>> &C) const override { return stress_of(energy, C); }
  void tangent(const Symmetric<Wide> &C, Symmetric<Wide> &S, Tangent<Wide> &D) const override { tangent_of(energy, C, S, D); }

  /// T is Wide, Dual<Wide> or Jet<Wide>.
  template <class T>
  static Symmetric<T> stress_of(const Energy &energy, const Symmetric<T> &C)
  {
    Symmetric<T> S{};
    for (int i = 0; i < lanes; ++i)
      set_lane(S, i, differentiate::stress(energy, lane(C, i)));
    return S;
  }
  static void tangent_of(const Energy &energy, const Symmetric<Wide> &C, Symmetric<Wide> &S, Tangent<Wide> &D)
  {
    for (int i = 0; i < lanes; ++i)
    {
      Symmetric<double> s;
      Tangent<double> d;
      differentiate::tangent(energy, lane(C, i), s, d);
      set_lane(S, i, s);
      set_lane(D, i, d);
    }
  }

private:
  Energy energy;
};

/// Supplies the virtual functions of Material from templates of the derived class:
///     template <class T> T psi(const Symmetric<T> &C) const;                                                   // needed
///     template <class T> Symmetric<T> stress(const Symmetric<T> &C) const;                                     // for speed
///     template <class T> void tangent(const Symmetric<T> &C, Symmetric<T> &S, Tangent<T> &D) const;            // for speed
///     template <class T> T energy(const T &I1, const T &III) const;                // for more speed, where psi is psi(I1, III), with
///     template <class T> Response<T> response(const T &I1, const T &III) const;
/// What is not there follows by forward differentiation of psi. Scalars T: Wide, double, Dual<Wide>, Jet<Wide>, Sacado's Fad types;
/// mathematical functions are called unqualified after `using std::sqrt;` and the like.
template <class Derived>
class MaterialOf : public Material
{
public:
  Wide psi(const Symmetric<Wide> &C) const override { return derived().psi(C); }
  Symmetric<Wide> stress(const Symmetric<Wide> &C) const override { return stress_of(C); }
  void stress(const Symmetric<Wide> *C, Symmetric<Wide> *S, const int points) const override
  {
    for (int q = 0; q < points; ++q)
      S[q] = stress_of(C[q]);
  }
  Symmetric<Jet<Wide>> stress(const Symmetric<Jet<Wide>> &C) const override { return stress_of(C); }
  Symmetric<Dual<Wide>> stress(const Symmetric<Dual<Wide>> &C) const override { return stress_of(C); }
  bool of_two_invariants() const override { return has_response<Derived>(0); }
  void energy(const Wide *I1, const Wide *III, Wide *psi, const int points) const override
  {
    if constexpr (has_response<Derived>(0))
      for (int q = 0; q < points; ++q)
        psi[q] = derived().energy(I1[q], III[q]);
    else
      Material::energy(I1, III, psi, points);
  }
  void response(const Wide *I1, const Wide *III, Wide *a, Wide *b, const int points) const override { response_of(I1, III, a, b, points); }
  void response(const Dual<Wide> *I1, const Dual<Wide> *III, Dual<Wide> *a, Dual<Wide> *b, const int points) const override
  {
    response_of(I1, III, a, b, points);
  }
  void response(const Jet<Wide> *I1, const Jet<Wide> *III, Jet<Wide> *a, Jet<Wide> *b, const int points) const override
  {
    response_of(I1, III, a, b, points);
  }
  void tangent(const Symmetric<Wide> &C, Symmetric<Wide> &S, Tangent<Wide> &D) const override
  {
    if constexpr (has_tangent<Derived>(0))
      derived().tangent(C, S, D);
    else
      Differentiated<Derived>::tangent_of(derived(), C, S, D);
  }
  std::unique_ptr<Material> differentiated() const override { return std::make_unique<Differentiated<Derived>>(derived()); }

private:
  const Derived &derived() const { return static_cast<const Derived &>(*this); }

  template <class T>
  void response_of(const T *I1, const T *III, T *a, T *b, const int points) const
  {
    if constexpr (has_response<Derived>(0))
      for (int q = 0; q < points; ++q)
      {
        const Response<T> r = derived().response(I1[q], III[q]);
        a[q] = r.a;
        b[q] = r.b;
      }
    else
      Material::response(I1, III, a, b, points);
  }

  template <class T>
  Symmetric<T> stress_of(const Symmetric<T> &C) const
  {
    if constexpr (has_stress<Derived>(0))
      return derived().stress(C);
    else
      return Differentiated<Derived>::stress_of(derived(), C);
  }

  // Asked with double, for which this class has no overload: only a template of the derived class answers.
  template <class D, class = decltype(std::declval<const D &>().stress(std::declval<Symmetric<double>>()))>
  static constexpr bool has_stress(int)
  {
    return true;
  }
  template <class D>
  static constexpr bool has_stress(...)
  {
    return false;
  }

  template <class D, class = decltype(std::declval<const D &>().response(1., 1.))>
  static constexpr bool has_response(int)
  {
    return true;
  }
  template <class D>
  static constexpr bool has_response(...)
  {
    return false;
  }

  template <class D, class = decltype(std::declval<const D &>().tangent(
                         std::declval<Symmetric<double>>(), std::declval<Symmetric<double> &>(), std::declval<Tangent<double> &>()))>
  static constexpr bool has_tangent(int)
  {
    return true;
  }
  template <class D>
  static constexpr bool has_tangent(...)
  {
    return false;
  }
};
}  // namespace symdyn
