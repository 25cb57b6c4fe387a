#include "elements/contact/tied_term.h"

#include <algorithm>
#include <utility>

namespace symdyn
{
TiedTerm::TiedTerm(TiedPair given, std::shared_ptr<const Space> of_space)
    : pair(std::move(given)), space(std::move(of_space)), n(space->block())
{
  const auto has_owned = [&](const SurfaceFace &face) {
    return std::any_of(face.nodes.begin(), face.nodes.end(), [&](const std::int64_t site) { return site < space->owned(); });
  };
  SegmentSearch search;
  search.dim = n;
  search.points = pair.points;
  search.apart = search.deep = pair.apart;
  search.wanted = [&](const int face, const int other) {
    return pair.first.owned[face] || has_owned(pair.first.faces[face]) || has_owned(pair.second.faces[other]);
  };
  Vector undeformed = space->new_vector();
  undeformed.update_ghost_values();
  if (pair.first.faces.empty())
    return;
  for (const SegmentPoint &found : find_segments(pair.first, pair.second, undeformed, search))
    points.push_back(point_of(found));
}

TiedTerm::Point TiedTerm::point_of(const SegmentPoint &found) const
{
  const SurfaceFace &face = pair.first.faces[found.face], &other = pair.second.faces[found.other];
  Point point{{}, bool(pair.first.owned[found.face]), found.dA, {}, {}, {}, found.face};
  std::array<Place, 2> t{Place{}, n == 2 ? Place{0., 0., 1.} : Place{}};
  for (std::size_t a = 0; a < face.nodes.size(); ++a)
  {
    point.shares.push_back({int(face.nodes[a]), found.N[a]});
    for (int d = 0; d < 3; ++d)
      point.X[d] += found.N[a] * face.X[a][d];
  }
  point.r = point.X;
  for (std::size_t b = 0; b < other.nodes.size(); ++b)
  {
    point.shares.push_back({int(other.nodes[b]), -found.M[b]});
    for (int d = 0; d < 3; ++d)
    {
      point.r[d] -= found.M[b] * other.X[b][d];
      for (int i = 0; i < n - 1; ++i)
        t[i][d] += found.dM[b][i] * other.X[b][d];
    }
  }
  point.n = cross(t[0], t[1]);
  const double size = other.outward * length(point.n);
  for (double &component : point.n)
    component /= size;
  return point;
}

Traits TiedTerm::traits() const
{
  Traits traits;
  traits.linear = !is_off;  // of a linear system matrices stay
  return traits;
}

Place TiedTerm::parted(const Point &point, const Vector &u) const
{
  Place w{};
  for (const auto &[site, of] : point.shares)
    for (int d = 0; d < n; ++d)
      w[d] += of * u.local_element(n * site + d);
  return w;
}

Place TiedTerm::traction(const Point &point, const Place &w) const
{
  const double along = (pair.stiffness - pair.aside) * dot(point.n, w);
  Place t;
  for (int d = 0; d < 3; ++d)
    t[d] = pair.aside * w[d] + along * point.n[d];
  return t;
}

void TiedTerm::add(const Point &point, const double factor, const Place &F, Vector &r) const
{
  for (const auto &[site, of] : point.shares)
    for (int d = 0; d < n; ++d)
      r.local_element(n * site + d) += factor * of * F[d];
}

double TiedTerm::energy(const At &at) const
{
  double V = 0;
  for (const Point &point : points)
    if (point.owned)
    {
      const Place w = parted(point, *at.q);
      V += 0.5 * point.dA * dot(w, traction(point, w));
    }
  return V;
}

double TiedTerm::add_force(const At &at, Vector &f) const
{
  add_product(at, K, *at.q, f);
  return always_admissible;
}

/// Of a quadratic energy it is the force of the middle.
double TiedTerm::add_discrete_gradient(const At &at, Vector &f) const
{
  add_product(at, 0.5 * K, *at.q, f);
  add_product(at, 0.5 * K, *at.previous, f);
  return always_admissible;
}

void TiedTerm::add_product(const At &at, const Weights &weights, const Vector &u, Vector &r) const
{
  for (const Point &point : points)
    if (point.owned && at.part == Part::all)
      add(point, weights.k * point.dA, traction(point, parted(point, u)), r);
}

void TiedTerm::add_matrix(const At &at, const Weights &weights, const MatrixSink &sink) const
{
  if (at.part != Part::all || weights.k == 0.)
    return;
  const double factor = (at.previous ? 0.5 : 1.) * weights.k, more = pair.stiffness - pair.aside;
  for (const Point &point : points)
    for (const Share &s : point.shares)
      for (const Share &t : point.shares)
        for (int d = 0; d < n; ++d)
          for (int e = 0; e < n; ++e)
            sink.add(n * s.site + d, n * t.site + e,
                     factor * point.dA * s.of * t.of * ((d == e ? pair.aside : 0.) + more * point.n[d] * point.n[e]));
}

void TiedTerm::couple(const Couple &join) const
{
  for (const Point &point : points)
    for (const Share &s : point.shares)
      for (const Share &t : point.shares)
        join(s.site, t.site);
}

double TiedTerm::energy_scale() const
{
  double area = 0;
  for (const Point &point : points)
    area += point.owned ? point.dA : 0.;
  return pair.stiffness * area * pair.height * pair.height;
}

double TiedTerm::farthest() const
{
  double r = 0;
  for (const Point &point : points)
    r = std::max(r, length(point.r));
  return r;
}

/// The gap is how far the layer is drawn apart along its normal.
ContactSums TiedTerm::sums(const Vector &q, const double *) const
{
  ContactSums sums;
  sums.height = pair.height;
  for (const Point &point : points)
    if (point.owned)
    {
      const Place w = parted(point, q);
      const double g = dot(point.n, w);
      for (int d = 0; d < 3; ++d)
        sums.force[d] -= point.dA * traction(point, w)[d];
      sums.area += point.dA;
      sums.energy += 0.5 * point.dA * dot(w, traction(point, w));
      sums.pressure = std::max(sums.pressure, -pair.stiffness * g);
      if (g < sums.gap)
      {
        sums.gap = g;
        sums.at = point.X;
      }
    }
  return sums;
}

void TiedTerm::add_fields(const Vector &q, const double *, SurfaceSums &sums) const
{
  for (const Point &point : points)
    for (const auto &[site, of] : point.shares)
      if (point.owned)
      {
        const Place w = parted(point, q);
        sums.add(site, of, point.dA, -pair.stiffness * dot(point.n, w), dot(point.n, w), w, point.n);
      }
}
}  // namespace symdyn
