#pragma once
#include "elements/cells/discrete_stress.h"
#include "elements/cells/formulations/dilatation_law.h"

// The discrete gradient of a cell whose volume ratio is the same everywhere.
namespace symdyn
{
inline Wide chosen(const Wide::Bits &mask, const Wide &a, const Wide &b) { return Wide::Lanes(mask ? a.v : b.v); }
inline Dual<Wide> chosen(const Wide::Bits &mask, const Dual<Wide> &a, const Dual<Wide> &b)
{
  return {chosen(mask, a.x, b.x), chosen(mask, a.d, b.d)};
}

/// ∫ sum W (S(C_m + s dC) - S(C_m)) : dC ds: a difference of energies would be rounding where dC is small (discrete_stress.h).
template <class T>
T work_by_rule(const DilatationLaw<T> &law, const Symmetric<T> *C_m, const Symmetric<T> *dC, const T &work)
{
  T sum = T(-2.) * work;
  for (const double place : {gauss_place, -gauss_place})
  {
    Symmetric<T> C[DilatationLaw<T>::most_points], S[DilatationLaw<T>::most_points];
    for (int q = 0; q < law.points; ++q)
      for (int m = 0; m < 6; ++m)
        C[q][m] = C_m[q][m] + T(place) * dC[q][m];
    law.stresses(C, S);
    for (int q = 0; q < law.points; ++q)
      sum += contract(S[q], dC[q]) * constant<T>(law.weight[q]);
  }
  return T(gauss_weight) * sum;
}

/// S_d = S(C_m) + kappa dC at every point, S of the cell's law at the means of the strains of all points:
///     kappa = (2 (V1 - V0) - sum W S(C_m) : dC) / sum W |dC|²
template <class T>
void discrete_stresses(const DilatationLaw<T> &law, const Symmetric<Wide> *C0, const Symmetric<T> *C1, Symmetric<T> *S)
{
  constexpr double negligible = 1e-16;  // where |dC| is below 1e-8 the correction, of relative size |dC|², is far below rounding
  Symmetric<T> C_m[DilatationLaw<T>::most_points], dC[DilatationLaw<T>::most_points], start[DilatationLaw<T>::most_points];
  T square(0.), work(0.);
  for (int q = 0; q < law.points; ++q)
    for (int m = 0; m < 6; ++m)
    {
      start[q][m] = constant<T>(C0[q][m]);
      C_m[q][m] = T(0.5) * (start[q][m] + C1[q][m]);
      dC[q][m] = C1[q][m] - start[q][m];
    }
  law.stresses(C_m, S);
  if (law.small && law.material.quadratic())
    return;
  Wide::Bits by_rule = Wide(0.).v == Wide(0.).v;
  for (int q = 0; q < law.points; ++q)
  {
    const T own = contract(dC[q], dC[q]);
    Symmetric<Wide> at;
    for (int m = 0; m < 6; ++m)
      at[m] = value_of(C_m[q][m]);
    by_rule &= value_of(own).v < largest_for_rule(at, law.material.has_kinks()).v;
    square += own * constant<T>(law.weight[q]);
    work += contract(S[q], dC[q]) * constant<T>(law.weight[q]);
  }
  const T by_energy = T(2.) * (law.energy(C1) - law.energy(start)) - work;
  const T excess = chosen(by_rule, work_by_rule(law, C_m, dC, work), by_energy);
  const Wide::Bits enough = value_of(square).v > Wide(negligible).v;
  const T kappa = chosen(enough, excess / chosen(enough, square, T(1.)), T(0.));
  for (int q = 0; q < law.points; ++q)
    for (int m = 0; m < 6; ++m)
      S[q][m] += kappa * dC[q][m];
}
}  // namespace symdyn
