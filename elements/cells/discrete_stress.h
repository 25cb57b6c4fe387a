#pragma once
#include <limits>

#include "elements/cells/cell_algebra.h"
#include "materials/material.h"

namespace symdyn
{
/// Bound of |dC|² below which a difference of energies is integrated by Gauss's rule of three points: |dC| < 0.02 of a lower bound of the
/// smallest eigenvalue of C, 4 det C / tr² C; of laws with kinks, which a polynomial does not follow, |dC| < 1e-6.
inline Wide largest_for_rule(const Symmetric<Wide> &C, const bool kinks)
{
  if (kinks)
    return 1e-12;
  const Wide tr = trace(C), least = Wide(0.08) * determinant(C) / (tr * tr);
  return least * least;
}
/// Places of that rule over -½ < s < ½: 0 and ± this, ½ sqrt(3/5); the outer ones weigh 5/18 each.
constexpr double gauss_place = 0.38729833462074169, gauss_weight = 5. / 18.;

/// The stress of a discrete gradient of psi (Gonzalez 1996, eq. 2.9; 2000, eq. 21) between two strains:
///     S_d = S(C_m) + kappa dC,   kappa = (2 (psi(C1) - psi(C0)) - S(C_m) : dC) / |dC|²,   C_m = ½ (C0 + C1),  dC = C1 - C0
/// so that ½ S_d : dC = psi(C1) - psi(C0) [Pa]. kappa = 0 for energies quadratic in C (Simo, Tarnow 1992).
class DiscreteStress
{
public:
  /// `kinks`: S has kinks between C0 and C1, where the law yields.
  DiscreteStress(const Symmetric<Wide> &C0, const Symmetric<Wide> &C1, const Material &material, const bool kinks = false)
      : material(material), C1(C1), kinks(kinks)
  {
    for (int m = 0; m < 6; ++m)
    {
      middle[m] = Wide(0.5) * (C0[m] + C1[m]);
      dC[m] = C1[m] - C0[m];
    }
    square = contract(dC, dC);
    S_m = material.stress(middle);
    if (!material.quadratic())
      kappa = over_square(excess(C0));
  }

  Symmetric<Wide> stress() const
  {
    Symmetric<Wide> S = S_m;
    for (int m = 0; m < 6; ++m)
      S[m] += kappa * dC[m];
    return S;
  }

  /// U = 2 dS_d/dC1, not symmetric:
  ///     U = ½ D(C_m) + 2 kappa I + dC⊗t,   t = 2 (S(C1) - S(C_m) - ¼ D(C_m) : dC - 2 kappa dC) / |dC|²
  Tangent<Wide> modulus() const
  {
    Symmetric<Wide> S;
    Tangent<Wide> U;
    material.tangent(middle, S, U);
    for (auto &row : U.e)
      for (Wide &value : row)
        value *= Wide(0.5);
    if (material.quadratic())
      return U;
    const Symmetric<Wide> half_D_dC = contract(U, dC), S1 = material.stress(C1);
    Symmetric<Wide> t;
    for (int m = 0; m < 6; ++m)
      t[m] = over_square(Wide(2.) * (S1[m] - S_m[m]) - half_D_dC[m] - Wide(4.) * kappa * dC[m]);
    for (int m = 0; m < 6; ++m)
    {
      for (int n = 0; n < 6; ++n)
        U(m, n) += dC[m] * t[n];
      U(m, m) += m < 3 ? Wide(2.) * kappa : kappa;  // I_1212 = ½
    }
    return U;
  }

private:
  // Where |dC| is below 1e-8 the correction, of relative size |dC|², is far below rounding.
  static constexpr double negligible = 1e-16;

  Wide over_square(const Wide &a) const
  {
    const Wide least = negligible, infinity = std::numeric_limits<double>::infinity();
    return a / Wide(square.v > least.v ? square.v : infinity.v);
  }

  /// 2 (psi(C1) - psi(C0)) - S(C_m) : dC. The difference of two energies has a rounding error of the size of the modulus,
  /// which the division by |dC| would blow up: a noise in the force that Newton's method cannot get below. So for small dC
  /// it is the integral of S(C_m + s dC) : dC over -½ < s < ½ by Gauss's rule of three points, whose error, of relative size
  /// |dC|^6 / 2e6, is below rounding there; with kinks only where |dC| < 1e-6.
  Wide excess(const Symmetric<Wide> &C0) const
  {
    const Wide scale = largest_for_rule(middle, kinks);
    bool all = true, any = false;
    for (int l = 0; l < lanes; ++l)
    {
      const bool small = square[l] < scale[l];
      all = all && small;
      any = any || small;
    }
    Wide by_rule = 0., by_energy = 0.;
    if (any)
    {
      Symmetric<Wide> ahead, behind;
      for (int m = 0; m < 6; ++m)
      {
        ahead[m] = middle[m] + Wide(gauss_place) * dC[m];
        behind[m] = middle[m] - Wide(gauss_place) * dC[m];
      }
      const Symmetric<Wide> S_ahead = material.stress(ahead), S_behind = material.stress(behind);
      Symmetric<Wide> bend;
      for (int m = 0; m < 6; ++m)
        bend[m] = (S_ahead[m] + S_behind[m]) - Wide(2.) * S_m[m];
      by_rule = Wide(gauss_weight) * contract(bend, dC);
    }
    if (!all)
      by_energy = Wide(2.) * (material.psi(C1) - material.psi(C0)) - contract(S_m, dC);
    return Wide::Lanes(square.v < scale.v ? by_rule.v : by_energy.v);
  }

  const Material &material;
  Symmetric<Wide> C1, middle, dC, S_m;
  Wide square = 0., kappa = 0.;
  bool kinks;
};
}  // namespace symdyn
