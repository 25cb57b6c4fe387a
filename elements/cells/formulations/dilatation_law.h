#pragma once
#include <array>

#include "elements/cells/cell_algebra.h"
#include "materials/algebra/lanes.h"
#include "materials/material.h"

// The law of a cell whose volume ratio is the same everywhere. T is Wide, Dual<Wide> or Jet<Wide>.
namespace symdyn
{
/// psi, and its derivative along a curve.
inline Wide energy_density(const Material &material, const Symmetric<Wide> &C) { return material.psi(C); }
inline Dual<Wide> energy_density(const Material &material, const Symmetric<Dual<Wide>> &C)
{
  Symmetric<Wide> at, rate;
  for (int m = 0; m < 6; ++m)
  {
    at[m] = C[m].x;
    rate[m] = C[m].d;
  }
  return {material.psi(at), Wide(0.5) * contract(material.stress(at), rate)};
}

/// Mean dilatation (Simo, Taylor, Pister 1985, with its pressure and volume ratio eliminated; Nagtegaal, Parks, Rice 1974): the energy of a
/// cell is
///     V = sum_q W_q psi(r_q C_q),   r_q = (Jm/J_q)^(2/3),   J_q = sqrt(det C_q),   Jm = sum_q W_q J_q / sum_q W_q,   W_q = w_q det dX/dxi
/// with C of three dimensions in plane strain, too. It is a function of the C_q of all points alone, so that it does not see rotations,
/// with
///     S_q = (2/W_q) dV/dC_q = r_q Sm_q + (m J_q - p_q) C_q⁻¹,   Sm = S(r C),   p = Sm : (r C)/3,   m = sum W p / (Jm sum W)
/// Small strain (the B-bar of Hughes 1980): eps_q + (theta_m - tr eps_q)/3 I, S_q = Sm_q + (m - p_q) I, p = tr Sm/3.
template <class T>
struct DilatationLaw
{
  /// weight[q] = W_q / sum W
  DilatationLaw(const Material &material, const Wide *weight, const int points)
      : material(material), small(material.small_strain()), weight(weight), points(points)
  {
  }

  /// J, or 1 + tr eps.
  T volume_ratio(const Symmetric<T> &C) const
  {
    if (small)
      return T(1.) + T(0.5) * (trace(C) - T(3.));
    using std::sqrt;
    return sqrt(determinant(C));
  }
  T mean_ratio(const Symmetric<T> *C) const
  {
    T mean(0.);
    for (int q = 0; q < points; ++q)
      mean += volume_ratio(C[q]) * constant<T>(weight[q]);
    return mean;
  }

  /// The strain that the material sees; scale = r.
  Symmetric<T> strain(const Symmetric<T> &C, const T &mean, T &scale) const { return strain(C, volume_ratio(C), mean, scale); }
  Symmetric<T> strain(const Symmetric<T> &C, const T &J, const T &mean, T &scale) const
  {
    Symmetric<T> modified = C;
    scale = T(1.);
    if (small)
    {
      const T more = T(2. / 3.) * (mean - J);
      for (int m = 0; m < 3; ++m)
        modified[m] += more;
      return modified;
    }
    const T root = rcbrt(J / mean);
    scale = root * root;
    for (int m = 0; m < 6; ++m)
      modified[m] *= scale;
    return modified;
  }

  /// p of a stress Sm at the strain `modified`.
  T pressure(const Symmetric<T> &Sm, const Symmetric<T> &modified) const
  {
    return T(1. / 3.) * (small ? trace(Sm) : contract(Sm, modified));
  }

  /// S at a point.
  Symmetric<T> stress(const Symmetric<T> &C, const Symmetric<T> &Sm, const T &scale, const T &m, const T &p) const
  {
    return stress(C, volume_ratio(C), Sm, scale, m, p);
  }
  Symmetric<T> stress(const Symmetric<T> &C, const T &J, const Symmetric<T> &Sm, const T &scale, const T &m, const T &p) const
  {
    Symmetric<T> S;
    if (small)
    {
      S = Sm;
      for (int n = 0; n < 3; ++n)
        S[n] += m - p;
      return S;
    }
    const T along = (m * J - p) / (J * J);
    const Symmetric<T> B = cofactor(C);
    for (int n = 0; n < 6; ++n)
      S[n] = scale * Sm[n] + along * B[n];
    return S;
  }

  /// S of all points from stresses Sm(q, strain): those of the material, or viscous ones. Returns m.
  template <class Stress>
  T stresses(const Symmetric<T> *C, const Stress &stress_at, Symmetric<T> *S) const
  {
    T m(0.), mean(0.);
    std::array<T, most_points> J, scale, p;
    for (int q = 0; q < points; ++q)
    {
      J[q] = volume_ratio(C[q]);
      mean += J[q] * constant<T>(weight[q]);
    }
    for (int q = 0; q < points; ++q)
    {
      const Symmetric<T> modified = strain(C[q], J[q], mean, scale[q]);
      S[q] = stress_at(q, modified);
      p[q] = pressure(S[q], modified);
      m += p[q] * constant<T>(weight[q]);
    }
    if (!small)
      m /= mean;
    for (int q = 0; q < points; ++q)
      S[q] = stress(C[q], J[q], S[q], scale[q], m, p[q]);
    return m;
  }
  T stresses(const Symmetric<T> *C, Symmetric<T> *S) const
  {
    return stresses(
        C, [this](const int q, const Symmetric<T> &modified) { return material.at_point(q).stress(modified); }, S);
  }

  /// V / sum W
  T energy(const Symmetric<T> *C) const
  {
    const T mean = mean_ratio(C);
    T sum(0.), scale;
    for (int q = 0; q < points; ++q)
      sum += energy_density(material.at_point(q), strain(C[q], mean, scale)) * constant<T>(weight[q]);
    return sum;
  }

  static constexpr int most_points = 8;
  const Material &material;
  const bool small;
  const Wide *weight;
  const int points;
};
}  // namespace symdyn
