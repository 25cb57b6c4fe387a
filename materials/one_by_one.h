#pragma once
#include "materials/algebra/lanes.h"
#include "materials/algebra/spectral.h"
#include "materials/material.h"

namespace symdyn
{
/// Supplies the virtual functions of Material, one point at a time, from those of the derived class, of energies in principal stretches:
///     double psi_of(const Symmetric<double> &C) const;
///     template <class T> Symmetric<T> stress_of(const Symmetric<T> &C) const;                          // double, Jet<double>
///     void tangent_of(const Symmetric<double> &C, Symmetric<double> &S, Tangent<double> &D) const;
template <class Derived>
class OneByOne : public Material
{
public:
  Wide psi(const Symmetric<Wide> &C) const override
  {
    Wide r = 0.;
    for (int i = 0; i < lanes; ++i)
      r.set(i, derived().psi_of(lane(C, i)));
    return r;
  }
  Symmetric<Wide> stress(const Symmetric<Wide> &C) const override { return by_lanes(C); }
  void stress(const Symmetric<Wide> *C, Symmetric<Wide> *S, const int points) const override
  {
    for (int q = 0; q < points; ++q)
      S[q] = by_lanes(C[q]);
  }
  Symmetric<Jet<Wide>> stress(const Symmetric<Jet<Wide>> &C) const override { return by_lanes(C); }
  Symmetric<Dual<Wide>> stress(const Symmetric<Dual<Wide>> &C) const override
  {
    Symmetric<Jet<Wide>> curve;
    for (int m = 0; m < 6; ++m)
      curve[m] = {C[m].x, C[m].d, Wide(0.)};
    curve = by_lanes(curve);
    Symmetric<Dual<Wide>> S;
    for (int m = 0; m < 6; ++m)
      S[m] = {curve[m].x, curve[m].d};
    return S;
  }
  void tangent(const Symmetric<Wide> &C, Symmetric<Wide> &S, Tangent<Wide> &D) const override
  {
    for (int i = 0; i < lanes; ++i)
    {
      Symmetric<double> s;
      Tangent<double> d;
      derived().tangent_of(lane(C, i), s, d);
      set_lane(S, i, s);
      set_lane(D, i, d);
    }
  }

protected:
  // The power of C, whose spectrum is known, and along a curve C(s).
  static Symmetric<double> power_along(const Spectrum &s, const Symmetric<double> &, const double beta) { return power(s, beta); }
  static Symmetric<Jet<double>> power_along(const Spectrum &s, const Symmetric<Jet<double>> &C, const double beta)
  {
    return power(s, C, beta);
  }
  static Spectrum spectrum_at(const Symmetric<double> &C) { return spectrum(C); }
  static Spectrum spectrum_at(const Symmetric<Jet<double>> &C) { return spectrum({{C[0].x, C[1].x, C[2].x, C[3].x, C[4].x, C[5].x}}); }

private:
  const Derived &derived() const { return static_cast<const Derived &>(*this); }
  template <class T>
  Symmetric<T> by_lanes(const Symmetric<T> &C) const
  {
    Symmetric<T> S{};
    for (int i = 0; i < lanes; ++i)
      set_lane(S, i, derived().stress_of(lane(C, i)));
    return S;
  }
};
}  // namespace symdyn
