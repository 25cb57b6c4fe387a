#include "elements/gram/fibres.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "elements/cells/discrete_stress.h"
#include "materials/bound_law.h"

// Stresses of sections that a law gives at points.
namespace symdyn
{
namespace
{
Wide times(const Wide &a, const Wide &b) { return a * b; }
Dual<Wide> times(const Wide &a, const Dual<Wide> &b) { return {a * b.x, a * b.d}; }
Jet<Wide> times(const Wide &a, const Jet<Wide> &b) { return {a * b.x, a * b.d, a * b.dd}; }

using Moduli3 = std::array<Wide, 9>;

/// sum += w c_k c_l moduli, by rows over all strains of a section; `place`: c_1, ..., w of a point.
void add_outer_products(const Wide *place, const int orders, const int n, const Moduli3 &moduli, std::array<Wide, 36> &sum)
{
  std::array<Wide, 3> c{Wide(1.), Wide(0.), Wide(0.)};
  std::copy_n(place, orders - 1, c.begin() + 1);
  for (int k = 0; k < orders; ++k)
    for (int l = 0; l < orders; ++l)
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
          sum[(k * n + i) * orders * n + l * n + j] += place[orders - 1] * c[k] * c[l] * moduli[i * n + j];
}
}  // namespace

/// C = I + 2 eps; of uniaxial stress eps = e (1, -1/2, -1/2).
template <class T>
Symmetric<T> Fibres::embedded(const Strain<T> &e) const
{
  if (n == 1)
    return {{T(1.) + 2. * e[0], T(1.) - e[0], T(1.) - e[0], T(0.), T(0.), T(0.)}};
  return {{T(1.) + 2. * e[0], T(1.) + 2. * e[1], T(1.), e[2], T(0.), T(0.)}};
}

template <class T>
auto Fibres::conjugate(const Symmetric<T> &S) const -> Strain<T>
{
  if (n == 1)
    return {S[0] - 0.5 * (S[1] + S[2]), T(0.), T(0.)};
  return {S[0], S[1], S[3]};
}

Fibres::Point Fibres::point(const Batch &batch, const int section, const int number) const
{
  const Group &group = groups[batch.group];
  const std::size_t variables = law->variables();
  const std::size_t place = (std::size_t(section) * group.points + number) * variables;
  return {&group.places[(std::size_t(batch.number) * group.points + number) * group.orders],
          batch.from ? batch.from + place : virgin.data(), batch.to ? batch.to + place : nullptr};
}

template <class T>
auto Fibres::section_strains(const Batch &batch, const int section, const T *eps) const -> std::array<T, most_strains>
{
  const Group &group = groups[batch.group];
  const Wide *metric = &group.metric[(std::size_t(batch.number) * group.sections() + section) * n * n];
  std::array<T, most_strains> E;
  for (int k = 0; k < group.orders; ++k)
    for (int i = 0; i < n; ++i)
    {
      E[k * n + i] = T(0.);
      for (int j = 0; j < n; ++j)
        E[k * n + i] += times(metric[i * n + j], eps[group.strains[section][k * n + j]]);
    }
  return E;
}

template <class T>
auto Fibres::strain_at(const Point &of, const int orders, const std::array<T, most_strains> &E) const -> Strain<T>
{
  Strain<T> e{T(0.), T(0.), T(0.)};
  for (int i = 0; i < n; ++i)
  {
    e[i] = E[i];
    for (int k = 1; k < orders; ++k)
      e[i] += times(of.place[k - 1], E[k * n + i]);
  }
  return e;
}

template <class T, class Stress>
void Fibres::integrate(const Batch &batch, const T *eps, const Stress &stress_of, T *sigma) const
{
  const Group &group = groups[batch.group];
  const int orders = group.orders;
  for (int section = 0; section < group.sections(); ++section)
  {
    const std::array<T, most_strains> E = section_strains(batch, section, eps);
    std::array<T, most_strains> forces;
    forces.fill(T(0.));
    for (int number = 0; number < group.points; ++number)
    {
      const Point here = point(batch, section, number);
      const Strain<T> stress = stress_of(here, strain_at(here, orders, E), section, number);
      for (int i = 0; i < n; ++i)
      {
        const T force = times(here.place[orders - 1], stress[i]);
        forces[i] += force;
        for (int k = 1; k < orders; ++k)
          forces[k * n + i] += times(here.place[k - 1], force);
      }
    }
    const std::size_t place = std::size_t(batch.number) * group.sections() + section;
    const Wide *metric = &group.metric[place * n * n];
    for (int k = 0; k < orders; ++k)
      for (int j = 0; j < n; ++j)
      {
        T sum(0.);
        for (int i = 0; i < n; ++i)
          sum += times(metric[i * n + j], forces[k * n + i]);
        sigma[group.strains[section][k * n + j]] = times(group.weight[place], sum);
      }
  }
}

Wide Fibres::energy(const Batch &batch, const Wide *eps) const
{
  const Group &group = groups[batch.group];
  Wide V = 0.;
  for (int section = 0; section < group.sections(); ++section)
  {
    const std::array<Wide, most_strains> E = section_strains(batch, section, eps);
    Wide sum = 0.;
    for (int number = 0; number < group.points; ++number)
    {
      const Point here = point(batch, section, number);
      sum += here.place[group.orders - 1] * law->incremental_energy(embedded(strain_at(here, group.orders, E)), here.from, batch.dt);
    }
    V += group.weight[std::size_t(batch.number) * group.sections() + section] * sum;
  }
  std::vector<Wide> sigma(batch.layout.strains(), Wide(0.));
  batch.layout.stress(batch.D + group.packed, eps, sigma.data(), group.sections());
  for (std::size_t i = 0; i < sigma.size(); ++i)
    V += 0.5 * eps[i] * sigma[i];
  return V;
}

void Fibres::stress(const Batch &batch, const Wide *eps, Wide *sigma) const
{
  integrate(
      batch, eps,
      [&](const Point &here, const Strain<Wide> &e, int, int) {
        return conjugate(law->incremental_stress(embedded(e), here.from, batch.dt, here.to));
      },
      sigma);
  const Group &group = groups[batch.group];
  batch.layout.stress(batch.D + group.packed, eps, sigma, group.sections());
}

void Fibres::change(const Batch &batch, const Wide *eps, const Wide *rate, Wide *change) const
{
  const std::size_t size = batch.layout.strains();
  std::vector<Dual<Wide>> along(size), sigma(size);
  for (std::size_t i = 0; i < size; ++i)
    along[i] = {eps[i], rate[i]};
  integrate(
      batch, along.data(),
      [&](const Point &here, const Strain<Dual<Wide>> &e, int, int) {
        return conjugate(law->incremental_stress(embedded(e), here.from, batch.dt));
      },
      sigma.data());
  for (const auto &of_section : groups[batch.group].strains)
    for (const int i : of_section)
      change[i] = sigma[i].d;
  batch.layout.stress(batch.D + groups[batch.group].packed, rate, change, groups[batch.group].sections());
}

void Fibres::bend(const Batch &batch, const Jet<Wide> *eps, Jet<Wide> *sigma) const
{
  integrate(
      batch, eps,
      [&](const Point &here, const Strain<Jet<Wide>> &e, int, int) {
        return conjugate(law->incremental_stress(embedded(e), here.from, batch.dt));
      },
      sigma);
  const std::size_t size = batch.layout.strains();
  const Group &group = groups[batch.group];
  std::vector<char> is_elastic(size, 1);
  for (const auto &of_section : group.strains)
    for (const int i : of_section)
      is_elastic[i] = 0;
  std::vector<Wide> x(size), dx(size);
  for (Wide Jet<Wide>::*part : {&Jet<Wide>::x, &Jet<Wide>::d, &Jet<Wide>::dd})
  {
    for (std::size_t i = 0; i < size; ++i)
      x[i] = eps[i].*part;
    batch.layout.stress(batch.D + group.packed, x.data(), dx.data(), group.sections());
    for (std::size_t i = 0; i < size; ++i)
      if (is_elastic[i])
        sigma[i].*part = dx[i];
  }
}

template <class Moduli>
void Fibres::pack(const Batch &batch, const Moduli &moduli_of, Wide *D, Wide *transposed) const
{
  const Group &group = groups[batch.group];
  const int orders = group.orders, m = orders * n;
  std::copy_n(batch.D, batch.layout.stiffnesses(), D);
  std::copy_n(batch.D, batch.layout.stiffnesses(), transposed);
  for (int section = 0; section < group.sections(); ++section)
  {
    std::array<Wide, most_strains * most_strains> sum;
    sum.fill(Wide(0.));
    for (int number = 0; number < group.points; ++number)
    {
      const Point here = point(batch, section, number);
      add_outer_products(here.place, orders, n, moduli_of(here, section), sum);
    }
    const std::size_t place = std::size_t(batch.number) * group.sections() + section;
    const Wide *metric = &group.metric[place * n * n];
    const auto turned = [&](const int row, const int column) {
      Wide all = 0.;
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
          all += metric[i * n + row % n] * sum[(row / n * n + i) * m + column / n * n + j] * metric[j * n + column % n];
      return group.weight[place] * all;
    };
    for (int row = 0; row < m; ++row)
      for (int column = 0; column <= row; ++column)
      {
        *D++ = turned(row, column);
        *transposed++ = turned(column, row);
      }
  }
}

void Fibres::moduli(const Batch &batch, const Wide *eps, Wide *D, Wide *transposed) const
{
  const int orders = groups[batch.group].orders;
  pack(
      batch,
      [&](const Point &here, const int section) {
        const Strain<Wide> e = strain_at(here, orders, section_strains(batch, section, eps));
        Moduli3 of_point;
        for (int j = 0; j < n; ++j)
        {
          Strain<Dual<Wide>> along;
          for (int i = 0; i < most_components; ++i)
            along[i] = {e[i], Wide(i == j ? 1. : 0.)};
          const Strain<Dual<Wide>> stress = conjugate(law->incremental_stress(embedded(along), here.from, batch.dt));
          for (int i = 0; i < n; ++i)
            of_point[i * n + j] = stress[i].d;
        }
        return of_point;
      },
      D, transposed);
}

void Fibres::discrete_stress(const Batch &batch, const Wide *eps0, const Wide *eps1, Wide *sigma) const
{
  const int orders = groups[batch.group].orders;
  integrate(
      batch, eps1,
      [&](const Point &here, const Strain<Wide> &e1, const int section, int) {
        const Strain<Wide> e0 = strain_at(here, orders, section_strains(batch, section, eps0));
        return conjugate(DiscreteStress(embedded(e0), embedded(e1), PointLaw(*law, here.from, batch.dt), true).stress());
      },
      sigma);
  std::vector<Wide> middle(batch.layout.strains());
  for (std::size_t i = 0; i < middle.size(); ++i)
    middle[i] = 0.5 * (eps0[i] + eps1[i]);
  const Group &group = groups[batch.group];
  batch.layout.stress(batch.D + group.packed, middle.data(), sigma, group.sections());
}

/// Packed behind the sections: half of D, as of quadratic energies.
void Fibres::discrete_moduli(const Batch &batch, const Wide *eps0, const Wide *eps1, Wide *D, Wide *transposed) const
{
  const Group &group = groups[batch.group];
  pack(
      batch,
      [&](const Point &here, const int section) {
        const Strain<Wide> e0 = strain_at(here, group.orders, section_strains(batch, section, eps0)),
                           e1 = strain_at(here, group.orders, section_strains(batch, section, eps1));
        const Tangent<Wide> U = DiscreteStress(embedded(e0), embedded(e1), PointLaw(*law, here.from, batch.dt), true).modulus();
        Moduli3 of_point;
        constexpr std::array<int, most_components> component{0, 1, 3};
        for (int j = 0; j < n; ++j)
        {
          Symmetric<Wide> along;
          for (int m = 0; m < 6; ++m)
            along[m] = n == 1 ? U(m, 0) - 0.5 * (U(m, 1) + U(m, 2)) : U(m, component[j]);
          const Strain<Wide> stress = conjugate(along);
          for (int i = 0; i < n; ++i)
            of_point[i * n + j] = stress[i];
        }
        return of_point;
      },
      D, transposed);
  for (int i = group.packed; i < batch.layout.stiffnesses(); ++i)
    D[i] = transposed[i] = 0.5 * batch.D[i];
}

std::vector<std::vector<Fibres::Seen>> Fibres::points(const Batch &batch, const Wide *eps) const
{
  const Group &group = groups[batch.group];
  std::vector<std::vector<Seen>> all(lanes, std::vector<Seen>(group.sections() * group.points));
  std::vector<Wide> sigma(batch.layout.strains());
  integrate(
      batch, eps,
      [&](const Point &here, const Strain<Wide> &e, const int section, const int number) {
        const Strain<Wide> stress = conjugate(law->incremental_stress(embedded(e), here.from, batch.dt, nullptr));
        const Wide flow = law->flow(here.from);
        for (std::size_t lane = 0; lane < all.size(); ++lane)
          all[lane][section * group.points + number] = {{stress[0][lane], stress[1][lane], stress[2][lane]}, flow[lane]};
        return stress;
      },
      sigma.data());
  return all;
}
}  // namespace symdyn
