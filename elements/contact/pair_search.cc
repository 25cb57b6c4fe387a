#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "elements/contact/pair_term.h"
#include "elements/surfaces/box_search.h"

// Which faces are near each other, which steps bodies may take, and what a contact of boundaries reports.
namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

namespace
{
constexpr double margin = 0.5;     ///< of the search: how far a vertex may move before the next one, in faces
constexpr double touching = 1e-6;  ///< parts of the law's reach to which points of a path may come near each other
}  // namespace

bool PairTerm::may_touch(const int face, const int other) const
{
  const ProxySurface::Face &one = surfaces.surface.faces[face], &two = surfaces.surface.faces[other];
  if (!surfaces.second.empty() && one.side == two.side)
    return false;
  return std::find_first_of(one.corners.begin(), one.corners.end(), two.corners.begin(), two.corners.end()) == one.corners.end();
}

std::vector<PairTerm::Near> PairTerm::find(const Places &v, const Vector &q, const double within) const
{
  const std::vector<ProxySurface::Face> &faces = surfaces.surface.faces;
  std::vector<std::vector<Place>> boxes(faces.size());
  for (std::size_t face = 0; face < faces.size(); ++face)
    for (const std::array<int, 3> &piece : faces[face].pieces)
      for (int i = 0; i < n; ++i)
        boxes[face].push_back(v[piece[i]]);
  std::vector<Near> found;
  if (faces.empty())
    return found;
  const BoxSearch boxed(boxes);
  for (std::size_t face = 0; face < faces.size(); ++face)
  {
    Near one;
    one.face = int(face);
    for (const int other : boxed.near(points_of(faces[face], q, true), within))
      if (may_touch(int(face), other))
        one.others.push_back(other);
    if (!one.others.empty())
      found.push_back(std::move(one));
  }
  return found;
}

void PairTerm::complete(Near &one) const
{
  one.crossings = edges.pairs(one.face, one.others);
  one.features = features.of(one.others, [&](const int other) { return may_touch(one.face, other); });
  const auto take = [&](const BodyPlace &place) {
    for (const auto &[site, weight] : place.sites)
      one.sites.push_back(site);
  };
  for (const ProxySurface::Point &point : surfaces.surface.faces[one.face].points)
    take(point.at);
  for (const int other : one.others)
    for (const std::array<int, 3> &piece : surfaces.surface.faces[other].pieces)
      for (int i = 0; i < n; ++i)
        take(surfaces.surface.vertices[piece[i]]);
  for (const EdgePair &pair : one.crossings)
    for (const int vertex : pair.vertex)
      take(surfaces.surface.vertices[vertex]);
  std::sort(one.sites.begin(), one.sites.end());
  one.sites.erase(std::unique(one.sites.begin(), one.sites.end()), one.sites.end());
  one.has_owned = one.sites.front() < space->owned();
}

void PairTerm::search(const Vector &q)
{
  searched = vertices(q);
  std::vector<Near> found = find(searched, q, reach() + 2. * margin * surfaces.face);
  const bool changed = MPI::max(int(!(found == near)), space->communicator()) > 0;
  if (!changed)
    return;
  ++changes;
  near = std::move(found);
  for (Near &one : near)
    complete(one);
}

/// Whether nothing that the law reaches at these places is missing in the list.
bool PairTerm::lists_hold(const Places &v, const Vector &q) const
{
  for (const Near &one : find(v, q, reach()))
  {
    const auto listed = std::find_if(near.begin(), near.end(), [&](const Near &other) { return other.face == one.face; });
    if (listed == near.end() || !std::includes(listed->others.begin(), listed->others.end(), one.others.begin(), one.others.end()))
      return false;
  }
  return true;
}

PairTerm::Ways PairTerm::ways(const Vector &q, const Vector &dq) const
{
  Ways ways;
  ways.v = vertices(q);
  for (std::size_t i = 0; i < ways.v.size(); ++i)
  {
    ways.dv.push_back(place(surfaces.surface.vertices[i], dq, false));
    const double way = length(ways.dv[i]);
    ways.longest = std::max(ways.longest, way);
    ways.far = ways.far || !(way + length(difference(ways.v[i], searched[i])) <= margin * surfaces.face);
  }
  return ways;
}

/// Of a motion farther than the margin of the last search all faces on the way are looked at.
double PairTerm::apart(const Vector &q, const Vector &dq, const Ways &ways) const
{
  double part = 1.;
  for (const Near &one : ways.far ? find(ways.v, q, reach() + 3. * ways.longest) : near)
    part = std::min(part, apart(one, q, dq, ways, part));
  return part;
}

double PairTerm::apart(const Near &one, const Vector &q, const Vector &dq, const Ways &ways, double part) const
{
  const ProxySurface::Face &face = surfaces.surface.faces[one.face];
  if (!face.owned)
    return part;
  const Places x = points_of(face, q, true), dx = points_of(face, dq, false);
  double way = ways.longest;
  for (const Place &along : dx)
    way = std::max(way, length(along));
  for (const int other : one.others)
  {
    const std::vector<SignedFeature> pieces = features.pieces_of(other);
    for (const Standing &there : standing(pieces, ways.v, x, 2. * way))
      for (std::size_t point = 0; point < x.size(); ++point)
        part = std::min(part, advance(x[point], dx[point], there, ways.dv, part));
  }
  return edges_apart(one, ways, part);
}

double PairTerm::free_part(const Vector &q, const Vector &dq) const { return MPI::min(apart(q, dq, ways(q, dq)), space->communicator()); }

/// And whether the list serves at the end.
double PairTerm::largest_step(const Vector &q, const Vector &dq) const
{
  constexpr double almost = 0.999;  // the motion is free, its forces are not
  const Ways all = ways(q, dq);
  double part = apart(q, dq, all);
  if (all.far && part == 1.)
  {
    Vector end = q;
    end += dq;
    end.update_ghost_values();
    part = lists_hold(vertices(end), end) ? 1. : almost;
  }
  return MPI::min(part, space->communicator());
}

/// A point and a piece come no nearer to each other than by the largest difference of their ways, so they may go on by their distance
/// without a look at what is between.
double PairTerm::advance(const Place &x, const Place &dx, const Standing &to, const Places &dv, const double part) const
{
  const SignedFeature &feature = *to.feature;
  double way = 0;
  for (int i = 0; i < feature.n; ++i)
    way = std::max(way, length(difference(dx, dv[feature.vertex[i]])));
  const auto moved = [](const Place &from, const Place &along, const double s) {
    return Place{from[0] + s * along[0], from[1] + s * along[1], from[2] + s * along[2]};
  };
  const auto distance_at = [&](const double s) {
    std::array<Place, 3> corners{};
    for (int i = 0; i < feature.n; ++i)
      corners[i] = moved(to.corner[i], dv[feature.vertex[i]], s);
    return closest(moved(x, dx, s), feature.vertex, feature.n, corners).distance;
  };
  return advance(distance_at, way, part);
}

double PairTerm::advance(const std::function<double(double)> &distance_at, const double way, const double part) const
{
  constexpr double of_distance = 0.9;
  const double smallest = touching * reach();
  for (double s = 0.;;)
  {
    const double d = distance_at(s);
    if (!std::isfinite(d + way))
      return 0.;
    if (d > (part - s) * way)
      return part;
    if (d < 2. * smallest)
      return s;
    s += of_distance * (d - smallest) / way;
    if (s >= part)
      return part;
  }
}

template <class Visit>
void PairTerm::each_piece(const std::vector<Near> &among, const Faces which, const Places &v, const Vector &q, const double &distance,
                          const Visit &visit) const
{
  for (const Near &one : among)
  {
    if (!wanted(one, which))
      continue;
    const ProxySurface::Face &face = surfaces.surface.faces[one.face];
    const Places x = points_of(face, q, true);
    for (const int other : one.others)
    {
      const std::vector<SignedFeature> pieces = features.pieces_of(other);
      for (const Standing &there : standing(pieces, v, x, distance))
        for (std::size_t point = 0; point < x.size(); ++point)
          visit(face, point, x[point], surfaces.surface.faces[other], closest(x[point], there.feature->vertex, n, there.corner),
                there.feature->vertex);
    }
  }
}

/// The smallest distance of owned points of one surface from pieces of the other; infinite if none is near.
PairTerm::Nearest PairTerm::nearest(const std::vector<Near> &among, const Places &v, const Vector &q) const
{
  Nearest best;
  each_piece(among, Faces::owned, v, q, best.distance,
             [&](const ProxySurface::Face &face, const std::size_t point, const Place &x, const ProxySurface::Face &, const Closest &to,
                 const std::array<int, 3> &) {
               if (to.distance < best.distance)
                 best = {to.distance, face.points[point].on_face, x};
             });
  for (const Near &one : among)
    if (wanted(one, Faces::owned))
      for (const EdgePair &pair : one.crossings)
        if (const CrossedEdges crossing(pair, ends(pair, q, true)); crossing.distance() < best.distance)
          best = {crossing.distance(),
                  crossing.on_first(surfaces.surface.vertices[pair.vertex[0]].X, surfaces.surface.vertices[pair.vertex[1]].X),
                  crossing.on_first(crossing.ends[0], crossing.ends[1])};
  return best;
}

std::vector<PairTerm::Pressed> PairTerm::pressed(const Vector &q, const double *, Pieces) const
{
  std::map<const ProxySurface::Point *, Place> pressures;
  each_touch(q, Faces::all, [&](const Touch &touch) {
    const double d = touch.nearest.distance, slope = surfaces.law->at(d - surfaces.shift)[1];
    Place &sum = pressures[touch.point];
    for (int i = 0; i < 3; ++i)
      sum[i] += touch.factor * slope * touch.nearest.r[i] / (d * 0.5 * touch.point->dA);
  });
  std::map<std::pair<int, int>, std::pair<double, std::array<int, 3>>> nearest;
  const double within = reach();
  each_piece(near, Faces::all, vertices(q), q, within,
             [&](const ProxySurface::Face &face, const std::size_t point, const Place &, const ProxySurface::Face &, const Closest &to,
                 const std::array<int, 3> &piece) {
               if (pressures.count(&face.points[point]) == 0)
                 return;
               const std::pair place{int(&face - surfaces.surface.faces.data()), int(point)};
               const auto found = nearest.emplace(place, std::pair{to.distance, piece}).first;
               if (to.distance < found->second.first)
                 found->second = {to.distance, piece};
             });
  std::vector<Pressed> all;
  for (const auto &[place, piece] : nearest)
  {
    const ProxySurface::Point &point = surfaces.surface.faces[place.first].points[place.second];
    all.push_back({place.first, place.second, length(pressures.at(&point)), piece.second});
  }
  return all;
}

std::string PairTerm::diagnose(const Vector &q) const
{
  const Nearest found = nearest(near, vertices(q), q);
  if (!(found.distance < std::max(least(), 4. * touching * reach())))
    return "";
  return fmt::format("{} would pass {} at ({:.4g}, {:.4g}, {:.4g}) m, in contact '{}'. {}", surfaces.first,
                     surfaces.second.empty() ? "itself" : surfaces.second, found.x[0], found.x[1], found.x[2], surfaces.name,
                     way_out(surfaces.law->stiffness()));
}

double PairTerm::energy_scale() const
{
  double area = 0;
  for (const ProxySurface::Face &face : surfaces.surface.faces)
    for (const ProxySurface::Point &point : face.points)
      area += face.owned ? point.dA * surfaces.face * surfaces.face : 0.;
  return surfaces.law->stiffness() * area;
}

std::pair<double, Place> PairTerm::overlap(const Vector &q) const
{
  struct Behind
  {
    double distance = std::numeric_limits<double>::max(), depth = 0;
  };
  std::map<const ProxySurface::Point *, Behind> of_points;  // what their nearest piece says
  const Places v = vertices(q);
  const double within = reach() + surfaces.face;
  each_piece(surfaces.second.empty() ? std::vector<Near>{} : find(v, q, within), Faces::owned, v, q, within,
             [&](const ProxySurface::Face &face, const std::size_t point, const Place &, const ProxySurface::Face &other, const Closest &to,
                 const std::array<int, 3> &) {
               const bool inside = to.carrying == n && dot(other.normal, face.normal) < 0.;
               if (Behind &nearest = of_points[&face.points[point]]; to.distance < nearest.distance)
                 nearest = {to.distance, inside ? -dot(to.r, other.normal) : 0.};
             });
  std::pair<double, Place> deepest{0., {}};
  for (const auto &[point, behind] : of_points)
    deepest = std::max(deepest, {behind.depth, point->on_face});
  for (const auto &one : MPI::all_gather(space->communicator(), deepest))
    deepest = std::max(deepest, one);
  return deepest;
}

ContactSums PairTerm::sums(const Vector &q, const double *) const
{
  ContactSums sums;
  const ProxySurface::Point *last = nullptr;
  Place pressure{};
  each_touch(q, Faces::owned, [&](const Touch &touch) {
    const double d = touch.nearest.distance;
    const std::array<double, 5> phi = surfaces.law->at(d - surfaces.shift);
    if (touch.point != last)
    {
      sums.area += 0.5 * touch.point->dA;
      ++sums.points;
      sums.pressure = std::max(sums.pressure, length(pressure));
      pressure = {};
    }
    last = touch.point;
    sums.energy += touch.factor * phi[0];
    for (int i = 0; i < 3; ++i)
    {
      const double F = touch.factor * phi[1] * touch.nearest.r[i] / d;
      sums.force[i] -= surfaces.second.empty() ? 0. : touch.face->side == 0 ? F : -F;  // what touches itself bears both
      pressure[i] += F / (0.5 * touch.point->dA);
    }
  });
  sums.pressure = std::max(sums.pressure, length(pressure));
  sums.energy += energy_of_edges(q);
  each_crossing(q, Faces::owned, [&](const CrossedEdges &crossing) {
    const std::array<Place, 4> F = crossing.gradient(crossing.ends, *surfaces.law, surfaces.shift);
    for (int i = 0; i < 3 && !surfaces.second.empty(); ++i)
      sums.force[i] -= F[0][i] + F[1][i];
  });
  const Places v = vertices(q);
  constexpr double farther = 4., farthest = 1e6;  // faces
  Nearest found = nearest(near, v, q);
  for (double looked = reach() + surfaces.face;
       MPI::min(found.distance, space->communicator()) > looked && looked < farthest * surfaces.face; looked *= farther)
    found = nearest(find(v, q, farther * looked), v, q);
  sums.gap = found.distance - surfaces.shift;
  sums.at = found.undeformed;
  sums.height = surfaces.face;
  return sums;
}
}  // namespace symdyn
