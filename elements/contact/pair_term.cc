#include "elements/contact/pair_term.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "elements/contact/arrow.h"
#include "elements/contact/middle_gradient.h"

namespace symdyn
{
PairTerm::PairTerm(TouchingSurfaces given, std::shared_ptr<const Space> of_space)
    : surfaces(std::move(given)),
      space(std::move(of_space)),
      features(surfaces.surface),
      edges(surfaces.surface),
      n(space->block()),
      rows(surfaces.surface.vertices, n)
{
  const auto take = [this](const BodyPlace &place) {
    std::array<double, 2> weights{};
    for (const auto &[site, weight] : place.sites)
    {
      all_sites.push_back(site);
      weights[space->is_director(site)] += std::abs(weight);
    }
    for (int kind = 0; kind < 2; ++kind)
      stretch[kind] = std::max(stretch[kind], weights[kind]);
  };
  for (const BodyPlace &vertex : surfaces.surface.vertices)
    take(vertex);
  for (const ProxySurface::Face &face : surfaces.surface.faces)
  {
    std::vector<const BodyPlace *> of_points;
    areas.emplace_back();
    for (const ProxySurface::Point &point : face.points)
    {
      take(point.at);
      of_points.push_back(&point.at);
      areas.back().push_back(surfaces.share * point.dA);
    }
    points.emplace_back(of_points, n);
    sites_of_pieces.emplace_back();
    for (const std::array<int, 3> &piece : face.pieces)
      for (int i = 0; i < 3 && piece[i] >= 0; ++i)
        for (const auto &[site, weight] : surfaces.surface.vertices[piece[i]].sites)
          sites_of_pieces.back().push_back(site);
    make_set(sites_of_pieces.back());
  }
  make_set(all_sites);
  std::map<std::int64_t, int> side_of;
  for (const ProxySurface::Face &face : surfaces.surface.faces)
    for (const std::int64_t node : face.corners)
      share_nodes = share_nodes || side_of.emplace(node, face.side).first->second != face.side;
}

Traits PairTerm::traits() const
{
  Traits traits;
  traits.searches = true;
  traits.impact = impact;
  return traits;
}

double PairTerm::energy(const At &at) const
{
  double V = 0;
  each_touch(*at.q, Faces::owned,
             [&](const Touch &touch) { V += touch.factor * surfaces.law->at(touch.nearest.distance - surfaces.shift)[0]; });
  return V + energy_of_edges(*at.q);
}

template <class Push>
void PairTerm::add_pushed(const Vector &q, const Vector *const u, Vector &r, const Push &push) const
{
  const Places ways = u ? listed(*u, false) : Places();
  Places on_vertices(surfaces.surface.vertices.size());
  PointLanes on_points, way;
  const AllTouches &all = touches(q, Faces::owned);
  for (const Touches &found : all.faces)
  {
    if (!found.known || found.all.empty() || !wanted(found, Faces::owned))
      continue;
    on_points.clear(found.x.size());
    if (u)
      points[found.face].at(u->begin(), false, way);
    for (const Touch &touch : found.all)
    {
      const std::array<Place, 4> F = push(touch, found.x[touch.number], all.v, u ? way[touch.number] : Place{}, ways);
      on_points.add(touch.number, F[0]);
      for (int k = 0; k < touch.nearest.carrying; ++k)
        for (int d = 0; d < 3; ++d)
          on_vertices[touch.nearest.corner[k]][d] += F[1 + k][d];
    }
    points[found.face].add(on_points, r.begin());
  }
  for (const int vertex : all.v.empty() ? std::vector<int>() : listed_vertices)
    rows.add(vertex, on_vertices[vertex], r.begin());
}

double PairTerm::add_force(const At &at, Vector &f) const
{
  double smallest = always_admissible;
  add_pushed(*at.q, nullptr, f, [&](const Touch &touch, const Place &, const Places &, const Place &, const Places &) {
    const double d = touch.nearest.distance, slope = surfaces.law->at(d - surfaces.shift)[1];
    smallest = std::min(smallest, admitted(d));
    std::array<Place, 4> F;
    for (int i = 0; i < 3; ++i)
    {
      F[0][i] = touch.factor * slope * touch.nearest.r[i] / d;
      for (int k = 0; k < touch.nearest.carrying; ++k)
        F[1 + k][i] = -touch.nearest.weight[k] * F[0][i];
    }
    return F;
  });
  return std::min(smallest, add_force_of_edges(*at.q, f));
}

double PairTerm::add_discrete_gradient(const At &at, Vector &f) const
{
  double smallest = add_middle_gradient(*this, *space, all_sites, at, f);
  each_touch(*at.q, Faces::owned, [&](const Touch &touch) { smallest = std::min(smallest, admitted(touch.nearest.distance)); });
  each_crossing(*at.q, Faces::owned, [&](const CrossedEdges &crossing) { smallest = std::min(smallest, admitted(crossing.distance())); });
  return smallest;
}

namespace
{
/// Phi' n at the nearest place of what carries it, and the weights of the carrying corners.
template <class T>
Arrow<T> pull(const Arrow<T> &x, const std::array<Arrow<T>, 3> &y, const int carrying, const ContactLaw &law, const double shift,
              Arrow<T> &weight)
{
  const Arrow<T> p = minus(x, y[0]);
  weight = {T(1.), T(0.), T(0.)};
  Arrow<T> r = p;
  const auto go = [&](const int i, const T &s, const Arrow<T> &e) {
    weight[i] = s;
    weight[0] = weight[0] - s;
    for (int d = 0; d < 3; ++d)
      r[d] = r[d] - s * e[d];
  };
  const Arrow<T> e = minus(y[1], y[0]), f = minus(y[2], y[0]);
  if (carrying == 2)
    go(1, product(p, e) / product(e, e), e);
  else if (carrying == 3)
  {
    const T ee = product(e, e), ef = product(e, f), ff = product(f, f), pe = product(p, e), pf = product(p, f);
    const T D = ee * ff - ef * ef;
    go(1, (ff * pe - ef * pf) / D, e);
    go(2, (ee * pf - ef * pe) / D, f);
  }
  const T distance = size_of(r);
  const std::array<double, 5> phi = law.at(value_of(distance) - shift);
  return times<T>(compose(distance, {phi[1], phi[2], phi[3], phi[4]}) / distance, r);
}
}  // namespace

/// Derivatives of the force on the line q + s u: order 1 V'' u, order 2 V''' u u.
template <int order>
void PairTerm::add_derivative(const At &at, const double factor, const Vector &u, Vector &r) const
{
  using T = Series<order, 1>;
  constexpr double times = order;  // order!
  add_pushed(*at.q, &u, r, [&](const Touch &touch, const Place &x, const Places &v, const Place &way, const Places &ways) {
    std::array<Arrow<T>, 3> y;
    y.fill({T(0.), T(0.), T(0.)});
    for (int i = 0; i < touch.nearest.carrying; ++i)
      y[i] = on_line<order>(v[touch.nearest.corner[i]], ways[touch.nearest.corner[i]]);
    Arrow<T> weight;
    const Arrow<T> F = pull<T>(on_line<order>(x, way), y, touch.nearest.carrying, *surfaces.law, surfaces.shift, weight);
    std::array<Place, 4> change;
    for (int i = 0; i <= touch.nearest.carrying; ++i)
      for (int d = 0; d < 3; ++d)
        change[i][d] = (i == 0 ? 1. : -1.) * times * factor * touch.factor * (i == 0 ? F[d] : weight[i - 1] * F[d]).c[order];
    return change;
  });
  add_derivative_of_edges<order>(*at.q, factor, u, r);
}

void PairTerm::add_product(const At &at, const Weights &weights, const Vector &u, Vector &r) const
{
  if (at.part == Part::all && weights.k != 0.)
    add_derivative<1>(at, weights.k, u, r);
}

void PairTerm::add_second_product(const At &at, const Vector &a, Vector &r) const
{
  if (at.part == Part::all)
    add_derivative<2>(at, 1., a, r);
}

void PairTerm::add_fields(const Vector &q, const double *, SurfaceSums &sums) const
{
  std::map<const ProxySurface::Point *, Closest> partners;
  const Places v = vertices(q);
  for (const Near &one : near)
    if (wanted(one, Faces::owned))
      for (const Before &found : nearest_pieces(one, v, q, sums.farthest + surfaces.shift))
        partners.emplace(&surfaces.surface.faces[found.face].points[found.point], found.to);
  std::map<const ProxySurface::Point *, double> pressures;
  for (const Pressed &one : pressed(q, nullptr, Pieces::of_this_step))
    pressures[&surfaces.surface.faces[one.face].points[one.point]] = one.pressure;
  for (const ProxySurface::Face &face : surfaces.surface.faces)
    for (std::size_t i = 0; i < face.points.size() && face.owned && face.layer == sums.layer; ++i)
    {
      const ProxySurface::Point &point = face.points[i];
      double g = sums.farthest;
      Place moved{}, n{};
      if (const auto to = partners.find(&point); to != partners.end())
      {
        g = to->second.distance - surfaces.shift;
        n = to->second.r;
        moved = place(point.at, q, false);
        for (int k = 0; k < to->second.carrying; ++k)
        {
          const Place y = place(surfaces.surface.vertices[to->second.corner[k]], q, false);
          for (int d = 0; d < 3; ++d)
            moved[d] -= to->second.weight[k] * y[d];
        }
        for (int d = 0; d < 3 && face.side != 0; ++d)
          moved[d] = -moved[d];
      }
      const auto pressure = pressures.find(&point);
      for (const auto &[site, N] : point.at.sites)
        sums.add(site, N, point.dA, pressure == pressures.end() ? 0. : pressure->second, g, moved, n);
    }
}
}  // namespace symdyn
