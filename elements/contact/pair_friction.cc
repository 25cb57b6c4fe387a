#include "elements/contact/pair_friction.h"

#include <algorithm>
#include <cmath>

#include "elements/contact/middle_gradient.h"

namespace symdyn
{
namespace
{
std::vector<FrictionTerm::Face> faces_of(const PairTerm &contact)
{
  std::vector<FrictionTerm::Face> faces;
  for (const ProxySurface::Face &face : contact.parts().surface.faces)
  {
    faces.push_back({faces.size(), face.owned, {}});  // their order knows nothing of ranks
    for (const ProxySurface::Point &point : face.points)
      faces.back().dA.push_back(0.5 * point.dA);
  }
  return faces;
}
}  // namespace

PairFriction::PairFriction(std::shared_ptr<const PairTerm> of, const Entries entries)
    : FrictionTerm(of_point, entries, faces_of(*of), of->sites().communicator()),
      contact(std::move(of)),
      pieces_have(contact->sites().block())
{
}

PairFriction::Rub PairFriction::rub(const std::size_t face, const std::size_t point, const std::array<int, 3> &vertices,
                                    const double *m) const
{
  const ProxySurface &surface = contact->parts().surface;
  Rub one{surface.faces[face].side, faces[face].dA[point], {&surface.faces[face].points[point].at}, m};
  for (int k = 0; k < pieces_have; ++k)
    one.at[1 + k] = &surface.vertices[vertices[k]];
  return one;
}

template <class Visit>
void PairFriction::each_rub(const double *history, const bool owned_only, const Visit &visit) const
{
  for (std::size_t face = 0; face < faces.size(); ++face)
    for (std::size_t point = 0; (faces[face].owned || !owned_only) && point < faces[face].dA.size(); ++point)
      if (const double *m = memory(history, face, point))
        visit(rub(face, point, m));
}

PairFriction::Places<double> PairFriction::places(const Rub &rub, const Vector &u, const bool with_X) const
{
  Places<double> all{};
  for (int i = 0; i <= pieces_have; ++i)
    all[i] = contact->place(*rub.at[i], u, with_X);
  return all;
}

template <class T>
std::array<T, 2> PairFriction::weights(const Places<T> &x) const
{
  const Arrow<T> p = minus(x[0], x[1]), e = minus(x[2], x[1]);
  if (pieces_have == 2)
    return {product(p, e) / product(e, e), T(0.)};
  const Arrow<T> f = minus(x[3], x[1]);
  const T ee = product(e, e), ef = product(e, f), ff = product(f, f), pe = product(p, e), pf = product(p, f);
  const T D = ee * ff - ef * ef;
  return {(ff * pe - ef * pf) / D, (ee * pf - ef * pe) / D};
}

template <class T>
Arrow<T> PairFriction::slip(const Places<T> &x, const std::array<T, 2> &S) const
{
  Arrow<T> e{T(0.), T(0.), T(0.)};
  for (int k = 0; k + 1 < pieces_have; ++k)
    for (int d = 0; d < 3; ++d)
      e[d] = e[d] + S[k] * (x[2 + k][d] - x[1][d]);
  return e;
}

template <class T>
PairFriction::Places<T> PairFriction::pull(const Places<T> &x, const double *m, const bool frozen) const
{
  const std::array<T, 2> w = weights(x), S{w[0] + T(m[start]), w[1] + T(m[start + 1])};
  const Arrow<T> e = slip(x, S), nearest = slip(x, w);
  const double size = std::sqrt(value_of(product(e, e)));
  const T tau = entries.law.slides(size, m[bound], frozen) ? T(m[bound]) / size_of(e) : T(entries.law.slope);
  Places<T> F;
  F[0] = times(tau, e);
  F[1] = F[2] = F[3] = {T(0.), T(0.), T(0.)};
  for (int d = 0; d < 3; ++d)
  {
    const T r_and_e = x[0][d] - x[1][d] - nearest[d] + e[d];
    T sum = F[0][d];
    for (int k = 0; k + 1 < pieces_have; ++k)
    {
      F[2 + k][d] = tau * (S[k] * r_and_e - w[k] * e[d]);
      sum = sum + F[2 + k][d];
    }
    F[1][d] = T(0.) - sum;
  }
  return F;
}

Place PairFriction::slip_of(const Rub &rub, const Vector &q) const
{
  const Places<double> x = places(rub, q, true);
  const std::array<double, 2> w = weights(x);
  return slip<double>(x, {w[0] + rub.m[start], w[1] + rub.m[start + 1]});
}

double PairFriction::energy(const At &at) const
{
  double V = 0;
  each_rub(at.from, true, [&](const Rub &rub) { V += rub.w * entries.law.energy(length(slip_of(rub, *at.q)), rub.m[bound], at.dt == 0.); });
  return V;
}

double PairFriction::add_force(const At &at, Vector &f) const
{
  each_rub(at.from, true, [&](const Rub &rub) {
    const Places<double> F = pull(places(rub, *at.q, true), rub.m, at.dt == 0.);
    for (int i = 0; i <= pieces_have; ++i)
      contact->add(*rub.at[i], rub.w, F[i], f);
  });
  if (at.to)
    remember(at);
  return always_admissible;
}

double PairFriction::add_discrete_gradient(const At &at, Vector &f) const
{
  At step = at;
  step.to = nullptr;
  return add_middle_gradient(*this, contact->sites(), contact->sites_of_surfaces(), step, f);
}

/// Derivatives of the force on the line q + s u: order 1 W_n'' u, order 2 W_n''' u u.
template <int order>
void PairFriction::add_derivative(const At &at, const double factor, const Vector &u, Vector &r) const
{
  using T = Series<order, 1>;
  constexpr double times_of_s = order;  // order!
  each_rub(at.from, true, [&](const Rub &rub) {
    const Places<double> x = places(rub, *at.q, true), way = places(rub, u, false);
    Places<T> line;
    for (int i = 0; i < 4; ++i)
      line[i] = on_line<order>(x[i], way[i]);
    const Places<T> F = pull(line, rub.m, at.dt == 0.);
    for (int i = 0; i <= pieces_have; ++i)
      contact->add(*rub.at[i], times_of_s * factor * rub.w, {F[i][0].c[order], F[i][1].c[order], F[i][2].c[order]}, r);
  });
}

void PairFriction::add_product(const At &at, const Weights &weights, const Vector &u, Vector &r) const
{
  if (at.part == Part::all && weights.k != 0.)
    add_derivative<1>(at, weights.k, u, r);
}

void PairFriction::add_second_product(const At &at, const Vector &a, Vector &r) const
{
  if (at.part == Part::all)
    add_derivative<2>(at, 1., a, r);
}

void PairFriction::add_matrix(const At &at, const Weights &weights, const MatrixSink &sink) const
{
  if (at.part != Part::all || weights.k == 0.)
    return;
  const Vector middle = at.previous ? middle_of(at) : Vector();
  const Vector &q = at.previous ? middle : *at.q;
  const double factor = (at.previous ? 0.5 : 1.) * weights.k;
  const int n = contact->sites().block();
  each_rub(at.from, false, [&](const Rub &rub) {
    const auto F = pull(with_slopes(places(rub, q, true)), rub.m, at.dt == 0.);
    for (int i = 0; i <= pieces_have; ++i)
      for (int j = 0; j <= pieces_have; ++j)
        for (const auto &[site, share] : rub.at[i]->sites)
          for (const auto &[other, of_other] : rub.at[j]->sites)
            for (int d = 0; d < n; ++d)
              for (int e = 0; e < n; ++e)
                sink.add(n * site + d, n * other + e, factor * rub.w * share * of_other * F[i][d].e[0][3 * j + e]);
  });
}

/// Slips go on in the planes of the pieces that are nearest now.
void PairFriction::remember(const At &at) const
{
  if (at.from)
    std::copy_n(at.from, history_size(), at.to);
  else
    begin_history(at.to);
  for (std::size_t face = 0; face < faces.size(); ++face)
    for (std::size_t point = 0; point < faces[face].dA.size(); ++point)
      at.to[place(face, point) + bound] = 0.;
  const std::vector<PairTerm::Pressed> pressed = contact->pressed(*at.q);
  auto next = pressed.begin();
  for (std::size_t face = 0; face < faces.size(); ++face)
    for (std::size_t point = 0; point < faces[face].dA.size(); ++point)
    {
      const bool is_pressed = next != pressed.end() && next->face == int(face) && next->point == int(point);
      const double *m = memory(at.from, face, point);
      double *to = at.to + place(face, point);
      const Place e = m ? slip_of(rub(face, point, m), *at.q) : Place{};
      const double stays = take(m, length(e), is_pressed ? next->pressure : 0., to);
      if (is_pressed)
        std::copy(next->vertex.begin(), next->vertex.end(), to + piece);
      if (!(to[bound] > 0.))
        continue;
      const Places<double> x = places(rub(face, point, to), *at.q, true);
      Places<double> along = x;  // e from the first vertex: its weights are the coordinates of its part in the plane
      for (int d = 0; d < 3; ++d)
        along[0][d] = x[1][d] + e[d];
      const std::array<double, 2> w = weights(x), c = weights(along);
      const double turned = length(slip<double>(x, c)), as_long = turned > 0. ? stays * length(e) / turned : 0.;
      for (int k = 0; k < 2; ++k)
        to[start + k] = as_long * c[k] - w[k];
      if (is_pressed)
        ++next;
    }
}

FrictionTerm::Rubbing PairFriction::rubbing(const Vector &q, const double *history) const
{
  Rubbing sum;
  if (history)
    sum.work = spent(history).dissipated;
  each_rub(history, true, [&](const Rub &rub) {
    const Places<double> F = pull(places(rub, q, true), rub.m, true);
    sum.energy += rub.w * entries.law.energy(length(slip_of(rub, q)), 0., true);
    for (int d = 0; d < 3 && !contact->parts().second.empty(); ++d)
      sum.force[d] += (rub.side == 0 ? -1. : 1.) * rub.w * F[0][d];
  });
  return sum;
}
}  // namespace symdyn
