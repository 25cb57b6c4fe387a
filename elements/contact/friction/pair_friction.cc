#include "elements/contact/friction/pair_friction.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "elements/contact/middle_gradient.h"

namespace symdyn
{
namespace
{
std::vector<FrictionTerm::Face> faces_of(const RubbingSurfaces &surfaces)
{
  std::vector<FrictionTerm::Face> faces;
  for (const ProxySurface::Face &face : surfaces.surface().faces)
  {
    faces.push_back({faces.size(), face.owned, {}});  // their order knows nothing of ranks
    for (const ProxySurface::Point &point : face.points)
      faces.back().dA.push_back(surfaces.share_of(face.side) * point.dA);
  }
  return faces;
}
}  // namespace

PairFriction::PairFriction(std::shared_ptr<const RubbingSurfaces> of, Staged staged)
    : FrictionTerm(of_point, std::move(staged), faces_of(*of), of->sites().communicator()),
      surfaces(std::move(of)),
      pieces_have(surfaces->sites().block())
{
}

PairFriction::Rub PairFriction::rub(const std::size_t face, const std::size_t point, const std::array<int, 3> &vertices,
                                    const double *m) const
{
  const ProxySurface &surface = surfaces->surface();
  Rub one{surface.faces[face].side, int(face), faces[face].dA[point], {&surface.faces[face].points[point].at}, m};
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
    all[i] = surfaces->place(*rub.at[i], u, with_X);
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
  const T tau = entries().law.slides(size, m[bound], frozen) ? T(m[bound]) / size_of(e) : T(entries().law.slope);
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
  each_rub(at.from, true,
           [&](const Rub &rub) { V += rub.w * entries().law.energy(length(slip_of(rub, *at.q)), rub.m[bound], at.dt == 0.); });
  return V;
}

double PairFriction::add_force(const At &at, Vector &f) const
{
  each_rub(at.from, true, [&](const Rub &rub) {
    const Places<double> F = pull(places(rub, *at.q, true), rub.m, at.dt == 0.);
    for (int i = 0; i <= pieces_have; ++i)
      surfaces->add(*rub.at[i], rub.w, F[i], f);
  });
  return always_admissible;
}

double PairFriction::add_discrete_gradient(const At &at, Vector &f) const
{
  At step = at;
  step.to = nullptr;
  return add_middle_gradient(*this, surfaces->sites(), surfaces->sites_of_surfaces(), step, f);
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
      surfaces->add(*rub.at[i], times_of_s * factor * rub.w, {F[i][0].c[order], F[i][1].c[order], F[i][2].c[order]}, r);
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
  const int n = surfaces->sites().block();
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

/// Calls visit(face, point, m, to, listed) for all points, with a copy of the memory m of the start at `to`; listed: nullptr, or what
/// `pressed` says of the point.
template <class Visit>
void PairFriction::each_memory(const At &at, const std::vector<RubbingSurfaces::Pressed> &pressed, const Visit &visit) const
{
  if (at.from)
    std::copy_n(at.from, history_size(), at.to);
  else
    begin_history(at.to);
  auto next = pressed.begin();
  for (std::size_t face = 0; face < faces.size(); ++face)
    for (std::size_t point = 0; point < faces[face].dA.size(); ++point)
    {
      const bool is_listed = next != pressed.end() && next->face == int(face) && next->point == int(point);
      visit(face, point, memory(at.from, face, point), at.to + place(face, point), is_listed ? &*next : nullptr);
      next += is_listed;
    }
}

/// Lines of axes have no plane to slip in.
std::vector<RubbingSurfaces::Pressed> PairFriction::pressed(const At &at, const RubbingSurfaces::Pieces pieces) const
{
  std::vector<RubbingSurfaces::Pressed> all = surfaces->pressed(*at.q, at.beside, pieces);
  if (pieces_have == 3)
    all.erase(std::remove_if(all.begin(), all.end(), [](const RubbingSurfaces::Pressed &one) { return one.vertex[2] < 0; }), all.end());
  return all;
}

/// Slips go on in the planes of the pieces that are nearest now.
void PairFriction::remember(const At &at) const
{
  if (!acts())
    return rest(at);
  each_memory(at, pressed(at, RubbingSurfaces::Pieces::of_next_step),
              [&](const std::size_t face, const std::size_t point, const double *m, double *to, const RubbingSurfaces::Pressed *listed) {
                const Place e = m ? slip_of(rub(face, point, m), *at.q) : Place{};
                const double stays = take(m, length(e), listed ? listed->pressure : 0., listed || surfaces->keeps_partners(), to);
                if (listed)
                  std::copy(listed->vertex.begin(), listed->vertex.end(), to + piece);
                if (!(to[bound] > 0.))
                  return;
                const Places<double> x = places(rub(face, point, to), *at.q, true);
                Places<double> along = x;  // e from the first vertex: its weights are the coordinates of its part in the plane
                for (int d = 0; d < 3; ++d)
                  along[0][d] = x[1][d] + e[d];
                const std::array<double, 2> w = weights(x), c = weights(along);
                const double turned = length(slip<double>(x, c)), as_long = turned > 0. ? stays * length(e) / turned : 0.;
                for (int k = 0; k < 2; ++k)
                  to[start + k] = as_long * c[k] - w[k];
              });
}

void PairFriction::renew(const At &at) const
{
  each_memory(at, pressed(at, RubbingSurfaces::Pieces::of_this_step),
              [&](const std::size_t face, const std::size_t point, const double *m, double *to, const RubbingSurfaces::Pressed *listed) {
                const double pressure = listed ? listed->pressure : 0.;
                if (!m && !(pressure > 0.))
                  return;
                if (!m)  // it begins without slip
                {
                  std::copy(listed->vertex.begin(), listed->vertex.end(), to + piece);
                  const std::array<double, 2> w = weights(places(rub(face, point, to), *at.previous, true));
                  for (int k = 0; k < 2; ++k)
                    to[start + k] = -w[k];
                }
                bind(length(slip_of(rub(face, point, to), *at.previous)), pressure, to);
              });
}

FrictionTerm::Rubbing PairFriction::rubbing(const Vector &q, const double *history) const
{
  Rubbing sum;
  if (history)
    sum.work = spent(history).dissipated;
  each_rub(history, true, [&](const Rub &rub) {
    const Places<double> F = pull(places(rub, q, true), rub.m, true);
    sum.energy += rub.w * entries().law.energy(length(slip_of(rub, q)), 0., true);
    for (int d = 0; d < 3 && surfaces->are_two(); ++d)
      sum.force[d] += (rub.side == 0 ? -1. : 1.) * rub.w * F[0][d];
  });
  return sum;
}

void PairFriction::add_shear(const Vector &q, const double *history, SurfaceSums &sums) const
{
  each_rub(history, true, [&](const Rub &rub) {
    if (surfaces->surface().faces[rub.face].layer != sums.layer)
      return;
    Place stress = pull(places(rub, q, true), rub.m, true)[0];
    for (double &component : stress)
      component *= rub.side == 0 ? 1. : -1.;
    for (const auto &[site, N] : rub.at[0]->sites)
      sums.add_shear(site, N, rub.w, stress);
  });
}

std::vector<ContactRub> PairFriction::rubs(const Vector &q, const double *history) const
{
  std::vector<ContactRub> all;
  each_rub(history, true, [&](const Rub &rub) {
    if (rub.side != 0)
      return;
    const Places<double> x = places(rub, q, true), F = pull(x, rub.m, true);
    all.push_back({rub.face, rub.at[0]->X, x[0], {-rub.w * F[0][0], -rub.w * F[0][1], -rub.w * F[0][2]}, rub.w});
  });
  return all;
}
}  // namespace symdyn
