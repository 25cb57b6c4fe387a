#pragma once
#include "materials/material_of.h"

namespace symdyn
{
/// psi = ½ E : D : E [J/m³], E = (C - I)/2: of the Green-Lagrange strain, or, `small`, of the linearised C = I + 2 eps. `Law` has
///     Symmetric<T> stress_of_strain(E)   D : E [Pa]
///     void reduce(E)                     drops the components of E that the law eliminates
template <class Law, bool small>
class QuadraticLaw : public MaterialOf<Law>
{
public:
  bool small_strain() const override { return small; }
  bool quadratic() const override { return true; }

  template <class T>
  T psi(const Symmetric<T> &C) const
  {
    const Symmetric<T> E = strain(C);
    return 0.5 * contract(law().stress_of_strain(E), E);
  }

  /// S = D : E
  template <class T>
  Symmetric<T> stress(const Symmetric<T> &C) const
  {
    return law().stress_of_strain(strain(C));
  }
  void stress_change(const Symmetric<Wide> *dC, Symmetric<Wide> *dS, const int points) const override
  {
    for (int q = 0; q < points; ++q)
    {
      Symmetric<Wide> E = dC[q];
      for (int m = 0; m < 6; ++m)
        E[m] *= 0.5;
      law().reduce(E);
      dS[q] = law().stress_of_strain(E);
    }
  }

private:
  const Law &law() const { return static_cast<const Law &>(*this); }

  template <class T>
  Symmetric<T> strain(const Symmetric<T> &C) const
  {
    Symmetric<T> E = C;
    for (int m = 0; m < 6; ++m)
      E[m] = 0.5 * (m < 3 ? T(C[m] - 1.) : C[m]);
    law().reduce(E);
    return E;
  }
};
}  // namespace symdyn
