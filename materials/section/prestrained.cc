#include "materials/section/prestrained.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "materials/algebra/tensor_functions.h"
#include "materials/point/material_point.h"
#include "materials/section/congruence.h"
#include "materials/section/elastic_blend.h"
#include "solver/error.h"

namespace symdyn
{
PrestrainedMaterial::PrestrainedMaterial(std::shared_ptr<const Material> given, std::shared_ptr<const Material> per_volume,
                                         InitialField initial)
    : LawAround(*given, of_start),
      law(std::move(given)),
      per_volume(std::move(per_volume)),
      initial(std::move(initial)),
      is_elastic(!memory || dynamic_cast<const ElasticOverTemperature *>(memory))
{
}

void PrestrainedMaterial::begin(double *m) const
{
  std::fill_n(m, variables(), 0.);
  if (memory)
    memory->begin(m + first);
  std::fill_n(m, 3, small_strain() ? 0. : 1.);
}

void PrestrainedMaterial::begin(const unsigned int *cell, const std::array<double, 3> *X, Wide *m) const
{
  InitialPoint last;
  std::array<double, 6> strain{};
  for (int lane = 0; lane < lanes; ++lane)
  {
    const InitialPoint here = initial(cell[lane], X[lane].data());
    if (here.kind == InitialPoint::nothing)
      continue;
    if (here.kind != last.kind || here.value != last.value)
      strain = strain_of(here, X[lane].data());
    last = here;
    for (int c = 0; c < 6; ++c)
      m[c].set(lane, strain[c]);
  }
}

std::array<double, 6> PrestrainedMaterial::strain_of(const InitialPoint &point, const double *X) const
{
  std::array<double, 6> strain{};
  if (point.kind == InitialPoint::stress && !per_volume)
    throw InputError(
        fmt::format("Initial state: Stress at X = ({:.6g}, {:.6g}, {:.6g}): beside constants over the temperature a stress "
                    "cannot be computed yet. Give a Plastic strain, or constants at one temperature",
                    X[0], X[1], X[2]));
  if (point.kind == InitialPoint::stress)
    try
    {
      strain = strain_with(point.value);
    }
    catch (const ComputationError &error)
    {
      throw InputError(fmt::format("Initial state: Stress at X = ({:.6g}, {:.6g}, {:.6g}): {}", X[0], X[1], X[2], error.what()));
    }
  else
    for (int c = 0; c < 6; ++c)
      strain[c] = -point.value[c];
  if (small_strain())
    return strain;
  Symmetric<Wide> e;
  for (int c = 0; c < 6; ++c)
    e[c] = strain[c];
  e = exponential(e);
  for (int c = 0; c < 6; ++c)
    strain[c] = e[c][0];
  return strain;
}

/// In plane stress the law itself makes S_33 = 0 by its stretch lambda across, which stands in F_0, too: det F_0 has it, so that psi sees
/// lambda times the stress that is wanted.
std::array<double, 6> PrestrainedMaterial::strain_with(const std::array<double, 6> &stress) const
{
  constexpr int most = 100;
  constexpr double same = 1e-15;
  std::array<double, 6> strain{};
  double lambda = 1.;
  for (int round = 0; round < most; ++round)
  {
    MaterialPoint at(*per_volume);
    MaterialPoint::Target target;
    target.is_stress.fill(true);
    for (int c = 0; c < 6; ++c)
      target.value[c] = lambda * stress[c];
    target.is_stress[2] = !plane_stress();
    at.step(target, 0.);
    strain = at.strain();
    if (!plane_stress())
      return strain;
    Symmetric<Wide> twice;
    for (int c = 0; c < 6; ++c)
      twice[c] = 2. * strain[c];
    const double C33 = per_volume->thickness_stretch_squared(small_strain() ? shifted(twice, Wide(1.)) : exponential(twice))[0];
    strain[2] = small_strain() ? 0.5 * (C33 - 1.) : 0.5 * std::log(C33);
    const double next = small_strain() ? 1. : std::sqrt(C33);
    if (std::abs(next - lambda) <= same)
      return strain;
    lambda = next;
  }
  throw ComputationError("no stretch across was found for the stress");
}

Symmetric<Wide> PrestrainedMaterial::start(const Wide *m) const
{
  Symmetric<Wide> F;
  std::copy_n(m, of_start, F.e.begin());
  return F;
}

Wide PrestrainedMaterial::growth(const Wide *m) const { return small_strain() ? Wide(1.) : determinant(start(m)); }

template <class T>
Symmetric<T> PrestrainedMaterial::seen(const Symmetric<T> &C, const Wide *m) const
{
  const Symmetric<Wide> F = start(m);
  if (!small_strain())
    return sandwiched(F, C);
  Symmetric<T> r = C;
  for (int c = 0; c < 6; ++c)
    r[c] += constant<T>(Wide(2.) * F[c]);
  return r;
}

Wide PrestrainedMaterial::energy(const Symmetric<Wide> &C, const Wide *from, const double dt) const
{
  const Symmetric<Wide> inside = seen(C, from);
  return (memory ? memory->incremental_energy(inside, from + first, dt) : law->psi(inside)) / growth(from);
}

template <class T>
Symmetric<T> PrestrainedMaterial::stress(const Symmetric<T> &C, const Wide *from, const double dt, T *to) const
{
  const Symmetric<T> inside = seen(C, from);
  const Symmetric<T> S = memory ? remembered_stress(inside, from, dt, to) : law->stress(inside);
  if constexpr (std::is_same_v<T, Wide>)
    if (to)
      std::copy_n(from, of_start, to);
  return small_strain() ? S : times(Wide(1.) / growth(from), sandwiched(start(from), S));
}

template Symmetric<Wide> PrestrainedMaterial::stress(const Symmetric<Wide> &, const Wide *, double, Wide *) const;
template Symmetric<Dual<Wide>> PrestrainedMaterial::stress(const Symmetric<Dual<Wide>> &, const Wide *, double, Dual<Wide> *) const;
template Symmetric<Jet<Wide>> PrestrainedMaterial::stress(const Symmetric<Jet<Wide>> &, const Wide *, double, Jet<Wide> *) const;

void PrestrainedMaterial::incremental_tangent(const Symmetric<Wide> &C, const Wide *from, const double dt, Symmetric<Wide> &S,
                                              Tangent<Wide> &D) const
{
  const Symmetric<Wide> inside = seen(C, from);
  if (memory)
    memory->incremental_tangent(inside, from + first, dt, S, D);
  else
    law->tangent(inside, S, D);
  if (small_strain())
    return;
  const Wide shrink = Wide(1.) / growth(from);
  S = times(shrink, sandwiched(start(from), S));
  D = sandwiched(start(from), shrink, D);
}

Symmetric<Wide> PrestrainedMaterial::relaxing_change(const Symmetric<Dual<Wide>> &C, const Wide *from, const double *weights) const
{
  if (!memory)
    return {};
  const Symmetric<Wide> S = memory->relaxing_change(seen(C, from), from + first, weights);
  return small_strain() ? S : times(Wide(1.) / growth(from), sandwiched(start(from), S));
}

/// e_0 of plane stress has no 13 and 23; C_33 = 1 at the start.
Wide PrestrainedMaterial::thickness_stretch_squared(const Symmetric<Wide> &C, const Wide *from, const double dt) const
{
  if (!plane_stress())
    return C[2];
  const Symmetric<Wide> inside = seen(C, from);
  const Wide own = memory ? memory->thickness_stretch_squared(inside, from + first, dt) : law->thickness_stretch_squared(inside);
  return small_strain() ? own - Wide(2.) * start(from)[2] : own / (start(from)[2] * start(from)[2]);
}
}  // namespace symdyn
