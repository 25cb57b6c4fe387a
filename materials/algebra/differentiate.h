#pragma once
#include <Sacado.hpp>

#include "materials/algebra/lanes.h"

namespace symdyn
{
/// Forward differentiation of a strain energy: `energy.psi(C)` with `template <class T> T psi(const Symmetric<T> &)
/// const`. Exact up to rounding and slow: one point at a time, with 6 to 36 partial derivatives.
namespace differentiate
{
/// The six stored components are the independent variables. C_12 stands for C_21 too, so its partial derivative already
/// is twice the tensor's; this factor turns d/dC_m into the component of 2 d/dC.
constexpr double twice(int m) { return m < 3 ? 2. : 1.; }

/// S = 2 dpsi/dC, of any scalar T.
template <class T, class Energy>
Symmetric<T> stress(const Energy &energy, const Symmetric<T> &C)
{
  using Variable = Sacado::Fad::SFad<T, 6>;
  Symmetric<Variable> X;
  for (int m = 0; m < 6; ++m)
    X[m] = Variable(6, m, C[m]);
  const Variable psi = energy.psi(X);
  Symmetric<T> S;
  for (int m = 0; m < 6; ++m)
    S[m] = twice(m) * psi.dx(m);
  return S;
}

/// S and D = 2 dS/dC.
template <class Energy>
void tangent(const Energy &energy, const Symmetric<double> &C, Symmetric<double> &S, Tangent<double> &D)
{
  using Variable = Sacado::Fad::SFad<double, 6>;
  Symmetric<Variable> X;
  for (int m = 0; m < 6; ++m)
    X[m] = Variable(6, m, C[m]);
  const Symmetric<Variable> Y = stress(energy, X);
  for (int m = 0; m < 6; ++m)
  {
    S[m] = Y[m].val();
    for (int n = 0; n < 6; ++n)
      D(m, n) = twice(n) * Y[m].dx(n);
  }
}

/// S, dS/ds and d²S/ds² along the curve C(s): two nested derivatives by the same s.
template <class Energy>
Symmetric<Jet<double>> stress(const Energy &energy, const Symmetric<Jet<double>> &C)
{
  using Once = Sacado::Fad::SFad<double, 1>;
  using Twice = Sacado::Fad::SFad<Once, 1>;
  Symmetric<Twice> X;
  for (int m = 0; m < 6; ++m)
  {
    Once value(1, C[m].x), derivative(1, C[m].d);
    value.fastAccessDx(0) = C[m].d;
    derivative.fastAccessDx(0) = C[m].dd;
    X[m] = Twice(1, value);
    X[m].fastAccessDx(0) = derivative;
  }
  const Symmetric<Twice> Y = stress(energy, X);
  Symmetric<Jet<double>> S;
  for (int m = 0; m < 6; ++m)
    S[m] = {Y[m].val().val(), Y[m].val().dx(0), Y[m].dx(0).dx(0)};
  return S;
}

/// S and dS/ds along the curve C(s).
template <class Energy>
Symmetric<Dual<double>> stress(const Energy &energy, const Symmetric<Dual<double>> &C)
{
  using Once = Sacado::Fad::SFad<double, 1>;
  Symmetric<Once> X;
  for (int m = 0; m < 6; ++m)
  {
    X[m] = Once(1, C[m].x);
    X[m].fastAccessDx(0) = C[m].d;
  }
  const Symmetric<Once> Y = stress(energy, X);
  Symmetric<Dual<double>> S;
  for (int m = 0; m < 6; ++m)
    S[m] = {Y[m].val(), Y[m].dx(0)};
  return S;
}
}  // namespace differentiate
}  // namespace symdyn
