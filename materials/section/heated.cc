#include "materials/section/heated.h"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>
#include <utility>

#include "materials/section/congruence.h"
#include "materials/section/prestrained.h"
#include "solver/error.h"

namespace symdyn
{
HeatedMaterial::HeatedMaterial(std::vector<Constants> given, const Expansion &expansion, const std::string &where,
                               std::shared_ptr<const FeelsTemperature> feeling)
    : LawAround(*given.front().law),
      constants(std::move(given)),
      blend(constants),
      expansion(expansion),
      where(where),
      feels(std::move(feeling)),
      of_law(memory ? memory->variables() - int(constants.size() > 1 || feels) : 0),
      directions(expansion.isotropic() ? 1 : 3)
{
}

const PrestrainedMaterial *prestrained(const Material &law)
{
  const HeatedMaterial *warm = heated(law);
  return dynamic_cast<const PrestrainedMaterial *>(warm ? warm->inside() : &law);
}

bool changes_in_steps(const InelasticMaterial &law)
{
  if (const HeatedMaterial *warm = heated(law); warm && !warm->inside())
    return false;
  const PrestrainedMaterial *start = prestrained(law);
  return !(start && start->only_initial());
}

void HeatedMaterial::begin(double *m) const
{
  std::fill_n(m, variables(), 0.);
  if (memory)
    memory->begin(m);
  if (!feels || feels->has_one_set())  // else the law begins at a temperature of its own
    m[of_law] = reference();
}

void HeatedMaterial::begin(const Wide &T0, Wide *m) const
{
  const std::vector<Wide> fresh = virgin();
  std::copy(fresh.begin(), fresh.end(), m);
  for (int lane = 0; lane < lanes; ++lane)
  {
    const auto eps = expansion.strain(T0[lane]);
    for (int d = 0; d < directions; ++d)
      m[of_law + 1 + directions + d].set(lane, eps[d]);
  }
  heat(T0, 1., m);
  if (feels)
    feels->start_at(T0, m);
}

void HeatedMaterial::heat(const Wide &wanted, const double part, Wide *m) const
{
  Wide *eps_th = m + of_law + 1, &T = m[of_law];
  T = part == 1. ? wanted : T + Wide(part) * (wanted - T);
  for (int lane = 0; lane < lanes; ++lane)
  {
    const auto eps = expansion.strain(T[lane]);
    for (int d = 0; d < directions; ++d)
      eps_th[d].set(lane, eps[d] - eps_th[directions + d][lane]);
  }
  require_constants(T);
}

void HeatedMaterial::require_constants(const Wide &T) const
{
  if (constants.size() < 2 || expansion.constant_beyond())
    return;
  for (int lane = 0; lane < lanes; ++lane)
    if (!(T[lane] >= constants.front().temperature && T[lane] <= constants.back().temperature))
      throw InputError(
          fmt::format("{}: constants are known from T = {:.6g} to {:.6g}, and a point has {:.6g}. Add constants at other "
                      "temperatures, or set Extrapolate = constant",
                      where, constants.front().temperature, constants.back().temperature, T[lane]));
}

void HeatedMaterial::require(const Wide &T) const
{
  for (int lane = 0; lane < lanes; ++lane)
    expansion.strain(T[lane]);
  require_constants(T);
}

void HeatedMaterial::heat_as(const Wide *other, Wide *m) const { std::copy_n(other + of_law, 1 + directions, m + of_law); }

std::vector<Remembered> HeatedMaterial::remembered() const
{
  std::vector<Remembered> all = memory ? memory->remembered() : std::vector<Remembered>();
  all.push_back({"temperature", 1, ""});
  return all;
}

void HeatedMaterial::show(const Wide *m, Wide *values) const { *show_within(m, values) = m[of_law]; }

Wide HeatedMaterial::growth(const Wide *m) const
{
  if (small_strain())
    return 1.;
  const Wide *eps_th = m + of_law + 1;
  Wide J = 1.;
  for (int d = 0; d < 3; ++d)
    J = J * (Wide(1.) + eps_th[directions == 1 ? 0 : d]);
  return J;
}

Symmetric<Wide> HeatedMaterial::thermal_strain(const Wide *m) const
{
  const Wide *eps_th = m + of_law + 1;
  Symmetric<Wide> E{};
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j)
      for (int d = 0; d < 3; ++d)
        E(i, j) += eps_th[directions == 1 ? 0 : d] * Wide(expansion.axes()[d][i] * expansion.axes()[d][j]);
  return E;
}

Symmetric<Wide> HeatedMaterial::contraction(const Wide *m) const
{
  const Wide *eps_th = m + of_law + 1;
  Symmetric<Wide> G{};
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j)
      for (int d = 0; d < 3; ++d)
        G(i, j) += Wide(expansion.axes()[d][i] * expansion.axes()[d][j]) / (Wide(1.) + eps_th[d]);
  return G;
}

template <class T>
Symmetric<T> HeatedMaterial::seen(const Symmetric<T> &C, const Wide *m) const
{
  if (small_strain())
  {
    const Symmetric<Wide> E = thermal_strain(m);
    Symmetric<T> r = C;
    for (int k = 0; k < 6; ++k)
      r[k] = r[k] - constant<T>(Wide(2.) * E[k]);
    return r;
  }
  if (directions == 3)
    return sandwiched(contraction(m), C);
  const Wide theta = Wide(1.) + m[of_law + 1];
  return times(Wide(1.) / (theta * theta), C);
}

template <class T>
Symmetric<T> HeatedMaterial::carried(const Symmetric<T> &S, const Wide *m) const
{
  if (small_strain())
    return S;
  return directions == 3 ? times(growth(m), sandwiched(contraction(m), S)) : times(Wide(1.) + m[of_law + 1], S);
}

Wide HeatedMaterial::energy(const Symmetric<Wide> &C, const Wide *from, const double dt) const
{
  const Symmetric<Wide> inside = seen(C, from);
  return growth(from) * (memory ? memory->incremental_energy(inside, from, dt) : blend.psi(inside, from[of_law]));
}

template <class T>
Symmetric<T> HeatedMaterial::stress(const Symmetric<T> &C, const Wide *from, const double dt, T *to) const
{
  const Symmetric<T> inside = seen(C, from);
  const Symmetric<T> S = memory ? remembered_stress(inside, from, dt, to) : blend.stress(inside, from[of_law]);
  if constexpr (std::is_same_v<T, Wide>)
    if (to)
    {
      std::copy(from + of_law, from + variables(), to + of_law);
      if (memory)
        to[variables() - 1] = from[variables() - 1] + growth(from) * (memory->dissipated(to) - memory->dissipated(from));
    }
  return carried(S, from);
}

template Symmetric<Wide> HeatedMaterial::stress(const Symmetric<Wide> &, const Wide *, double, Wide *) const;
template Symmetric<Dual<Wide>> HeatedMaterial::stress(const Symmetric<Dual<Wide>> &, const Wide *, double, Dual<Wide> *) const;
template Symmetric<Jet<Wide>> HeatedMaterial::stress(const Symmetric<Jet<Wide>> &, const Wide *, double, Jet<Wide> *) const;

void HeatedMaterial::incremental_tangent(const Symmetric<Wide> &C, const Wide *from, const double dt, Symmetric<Wide> &S,
                                         Tangent<Wide> &D) const
{
  const Symmetric<Wide> inside = seen(C, from);
  if (memory)
    memory->incremental_tangent(inside, from, dt, S, D);
  else
    blend.tangent(inside, from[of_law], S, D);
  S = carried(S, from);
  if (small_strain())
    return;
  if (directions == 3)
  {
    D = sandwiched(contraction(from), growth(from), D);
    return;
  }
  const Wide shrink = Wide(1.) / (Wide(1.) + from[of_law + 1]);
  for (int m = 0; m < 6; ++m)
    for (int n = 0; n < 6; ++n)
      D(m, n) = shrink * D(m, n);
}

Symmetric<Wide> HeatedMaterial::relaxing_change(const Symmetric<Dual<Wide>> &C, const Wide *from, const double *weights) const
{
  return memory ? carried(memory->relaxing_change(seen(C, from), from, weights), from) : Symmetric<Wide>{};
}

/// Where plane stress is a part of the law, it is so for the constants of one temperature.
Wide HeatedMaterial::thickness_stretch_squared(const Symmetric<Wide> &C, const Wide *from, const double dt) const
{
  if (!plane_stress())
    return C[2];
  const Symmetric<Wide> inside = seen(C, from);
  const Wide own = memory ? memory->thickness_stretch_squared(inside, from, dt) : blend.thickness_stretch_squared(inside, from[of_law]);
  if (small_strain())
    return own + Wide(2.) * thermal_strain(from)[2];
  const Wide theta = Wide(1.) + from[of_law + (directions == 3 ? 3 : 1)];
  return own * theta * theta;
}
}  // namespace symdyn
