#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "elements/contact/pair_term.h"

// Which steps bodies may take, and what a contact of boundaries reports.
namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

namespace
{
constexpr double touching = 1e-6;  ///< parts of the law's reach to which points of a path may come near each other
}  // namespace

std::vector<double> PairTerm::at_sites(const Vector &q) const
{
  std::vector<double> at;
  at.reserve(n * all_sites.size());
  for (const int site : all_sites)
    at.insert(at.end(), q.begin() + n * site, q.begin() + n * (site + 1));
  return at;
}

double PairTerm::moved(const std::vector<double> &way) const
{
  std::array<double, 2> longest{};
  double sum = 0;
  for (std::size_t i = 0; i < all_sites.size(); ++i)
  {
    double square = 0;
    for (int d = 0; d < n; ++d)
      square += way[n * i + d] * way[n * i + d];
    double &of_kind = longest[space->is_director(all_sites[i])];
    of_kind = std::max(of_kind, square);
    sum += square;
  }
  return std::isfinite(sum) ? stretch[0] * std::sqrt(longest[0]) + stretch[1] * std::sqrt(longest[1]) : sum;
}

double PairTerm::moved(const std::vector<double> &from, std::vector<double> to) const
{
  for (std::size_t i = 0; i < to.size(); ++i)
    to[i] -= from[i];
  return moved(to);
}

/// From the last search, and from where nothing was near.
double PairTerm::slack(const std::vector<double> &at) const
{
  if (!(apart.distance > 0.))
    return 0.;
  const double left = std::min(allowance() - moved(searched_at, at), 0.5 * apart.distance - touching * reach() - moved(apart.at, at));
  return std::isfinite(left) ? left : 0.;
}

bool PairTerm::is_known_to_be_free(const Vector &q, const Vector &dq) const
{
  const double slack_of_q = slack(at_sites(q));
  return slack_of_q > 0. && moved(at_sites(dq)) < slack_of_q;
}

PairTerm::Ways PairTerm::ways(const Vector &q, const Vector &dq) const
{
  Ways ways;
  ways.v = vertices(q);
  ways.faces = boxes_of_faces(ways.v);
  for (std::size_t i = 0; i < ways.v.size(); ++i)
  {
    ways.dv.push_back(rows.at(i, dq.begin(), false));
    const double way = length(ways.dv[i]);
    ways.longest = std::max(ways.longest, way);
    ways.far = ways.far || !(way + length(difference(ways.v[i], searched[i])) <= allowance());
  }
  return ways;
}

/// Of a motion farther than the margin of the last search all faces on the way are looked at.
PairTerm::Approach PairTerm::approach(const Vector &q, const Vector &dq, const Ways &ways, const double look_for) const
{
  Approach found;
  if (!std::isfinite(moved(at_sites(dq))))
  {
    found.part = found.distance = 0.;
    return found;
  }
  found.looked = found.distance = look_for;
  const std::vector<Near> farther = ways.far ? find(ways.v, q, reach() + 3. * ways.longest) : std::vector<Near>{};
  for (const Near &one : ways.far ? farther : near)
    approach(one, q, dq, ways, found);
  return found;
}

void PairTerm::approach(const Near &one, const Vector &q, const Vector &dq, const Ways &ways, Approach &found) const
{
  const ProxySurface::Face &face = surfaces.surface.faces[one.face];
  if (!face.owned)
    return;
  const PointLanes x = points_of(one.face, q, true), dx = points_of(one.face, dq, false);
  double way = ways.longest;
  for (std::size_t i = 0; i < dx.size(); ++i)
    way = std::max(way, length(dx[i]));
  const Box around = x.box();
  const double within = std::max(found.looked, 2. * way);
  for (const int other : one.others)
    for (auto [piece, end] = features.pieces_of(other); piece < end && around.near(ways.faces[other], within); ++piece)
      x.near(box_of(piece, ways.v), within, [&, piece = piece](const std::size_t i) {
        const double distance = closest(x[i], features[piece].vertex, features[piece].n, corners_of(piece, ways.v)).distance;
        found.distance = std::min(found.distance, distance);
        if (!(distance > 2. * way))
          found.part = advance(x[i], dx[i], piece, ways, found.part);
      });
  edges_approach(one, ways, found);
}

double PairTerm::free_part(const Vector &q, const Vector &dq) const
{
  if (MPI::min(int(is_known_to_be_free(q, dq)), space->communicator()) == 1)
    return 1.;
  return MPI::min(approach(q, dq, ways(q, dq), 0.).part, space->communicator());
}

/// And whether the list serves at the end.
double PairTerm::largest_step(const Vector &q, const Vector &dq) const
{
  constexpr double almost = 0.999;  // the motion is free, its forces are not
  constexpr double often = 20.;     // short motions like it are known to be free after one look
  double part = 1.;
  if (!is_known_to_be_free(q, dq))
  {
    const Ways all = ways(q, dq);
    const double look_for = 2. * often * moved(at_sites(dq));
    const bool is_short = look_for < surfaces.face;
    const Approach found = approach(q, dq, all, is_short ? look_for : 0.);
    part = found.part;
    const std::vector<double> at = at_sites(q);
    const double of_others = reach() + 2. * (allowance() - moved(searched_at, at));  // than those that are listed
    if (is_short && !all.far)
      apart = {at, std::min(found.distance, of_others)};
    if (all.far && part == 1.)
    {
      Vector end = q;
      end += dq;
      end.update_ghost_values();
      part = lists_hold(vertices(end), end) ? 1. : almost;
    }
  }
  return MPI::min(part, space->communicator());
}

/// A point and a piece come no nearer to each other than by the largest difference of their ways, so they may go on by their distance
/// without a look at what is between.
double PairTerm::advance(const Place &x, const Place &dx, const int piece, const Ways &ways, const double part) const
{
  const SignedFeatures::Feature &feature = features[piece];
  double way = 0;
  for (int i = 0; i < feature.n; ++i)
    way = std::max(way, length(difference(dx, ways.dv[feature.vertex[i]])));
  const auto moved_by = [](const Place &from, const Place &along, const double s) {
    return Place{from[0] + s * along[0], from[1] + s * along[1], from[2] + s * along[2]};
  };
  const auto distance_at = [&](const double s) {
    std::array<Place, 3> corners{};
    for (int i = 0; i < feature.n; ++i)
      corners[i] = moved_by(ways.v[feature.vertex[i]], ways.dv[feature.vertex[i]], s);
    return closest(moved_by(x, dx, s), feature.vertex, feature.n, corners).distance;
  };
  return advance(distance_at, way, part);
}

double PairTerm::advance(const std::function<double(double)> &distance_at, const double way, const double part) const
{
  constexpr double of_distance = 0.9;
  constexpr int looks = 10000;  // a way along something near, or of an iterate that is lost: as far as it is known to be free
  const double smallest = touching * reach();
  double s = 0.;
  for (int look = 0; look < looks && s < part; ++look)
  {
    const double d = distance_at(s);
    if (!std::isfinite(d + way))
      return 0.;
    if (d > (part - s) * way)
      return part;
    if (d < 2. * smallest)
      return s;
    s += of_distance * (d - smallest) / way;
  }
  return std::min(s, part);
}

/// The smallest distance of owned points of one surface from pieces of the other; infinite if none is near.
PairTerm::Nearest PairTerm::nearest(const std::vector<Near> &among, const Places &v, const Vector &q) const
{
  Nearest best;
  for (const Near &one : among)
    if (wanted(one, Faces::owned))
      for (const Before &before : nearest_pieces(one, v, q, best.distance))
        if (before.to.distance < best.distance)
          best = {before.to.distance, surfaces.surface.faces[before.face].points[before.point].on_face, before.x};
  for (const Near &one : among)
    if (wanted(one, Faces::owned))
      for (const EdgePair &pair : one.crossings)
        if (const CrossedEdges crossing(pair, ends(pair, q, true)); crossing.distance() < best.distance)
          best = {crossing.distance(),
                  crossing.on_first(surfaces.surface.vertices[pair.vertex[0]].X, surfaces.surface.vertices[pair.vertex[1]].X),
                  crossing.on_first(crossing.ends[0], crossing.ends[1])};
  return best;
}

void PairTerm::look_at(const int face, const PointLanes &x, const int other, const Places &v, const Vector &q, Nearest &best) const
{
  for (auto [piece, end] = features.pieces_of(other); piece < end; ++piece)
    x.near(box_of(piece, v), best.distance, [&, piece = piece](const std::size_t i) {
      const double distance = closest(x[i], features[piece].vertex, features[piece].n, corners_of(piece, v)).distance;
      if (distance < best.distance)
        best = {distance, surfaces.surface.faces[face].points[i].on_face, x[i]};
    });
  if (!edges.empty())
  {
    Near pair;
    pair.face = face;
    pair.has_owned = true;
    pair.crossings = edges.pairs(face, {other});
    if (const Nearest crossing = nearest({pair}, v, q); crossing.distance < best.distance)
      best = crossing;
  }
}

/// At any distance. The first face visits others from the nearest on, until one may touch it. All later ones visit what is nearer than the
/// best.
PairTerm::Nearest PairTerm::nearest_of_all(const Places &v, const Vector &q) const
{
  const std::vector<ProxySurface::Face> &faces = surfaces.surface.faces;
  const std::vector<Box> boxes = boxes_of_faces(v);
  const std::array<FacesBefore, 2> before = faces_before(boxes);
  Nearest best;
  for (int face = 0; face < int(faces.size()); ++face)
  {
    const FacesBefore &others = before[faces[face].side];
    if (!faces[face].owned || others.faces.empty())
      continue;
    const PointLanes x = points_of(face, q, true);
    Box around = boxes[face];
    around.take(x.box());
    const auto look = [&](const int number) {
      const int other = others.faces[number];
      if (around.distance(boxes[other]) < best.distance && may_touch(face, other))
        look_at(face, x, other, v, q, best);
    };
    if (best.distance == Nearest().distance)
      others.search->in_turn(around, [&](const int number, double) {
        look(number);
        return best.distance == Nearest().distance;
      });
    else if (around.distance(others.around) < best.distance)
      for (const int number : others.search->near(around, best.distance))
        look(number);
  }
  return best;
}

std::vector<PairTerm::Pressed> PairTerm::pressed(const Vector &q, const double *, Pieces) const
{
  std::map<const ProxySurface::Point *, Place> pressures;
  each_touch(q, Faces::all, [&](const Touch &touch) {
    const double d = touch.nearest.distance, slope = surfaces.law->at(d - surfaces.shift)[1];
    Place &sum = pressures[&touch.point()];
    for (int i = 0; i < 3; ++i)
      sum[i] += touch.factor * slope * touch.nearest.r[i] / (d * touch.area);
  });
  std::vector<Pressed> all;
  const Places v = vertices(q);
  for (const Near &one : near)
    for (const Before &before : nearest_pieces(one, v, q, reach()))
      if (const auto found = pressures.find(&surfaces.surface.faces[before.face].points[before.point]); found != pressures.end())
        all.push_back({before.face, before.point, length(found->second), features[before.piece].vertex});
  return all;
}

std::string PairTerm::diagnose(const Vector &q) const
{
  const Nearest found = nearest(near, vertices(q), q);
  if (!(found.distance < std::max(least(), 4. * touching * reach())))
    return "";
  return fmt::format("{} would pass {} at {}, in contact '{}'{}", surfaces.first, surfaces.second.empty() ? "itself" : surfaces.second,
                     units.at_place(found.x), surfaces.name, way_out());
}

double PairTerm::energy_scale() const
{
  double area = 0;
  for (const ProxySurface::Face &face : surfaces.surface.faces)
    for (const ProxySurface::Point &point : face.points)
      area += face.owned ? point.dA * surfaces.face * surfaces.face : 0.;
  return surfaces.law->stiffness() * area;
}

ContactSums PairTerm::sums(const Vector &q, const double *) const
{
  ContactSums sums;
  const ProxySurface::Point *last = nullptr;
  Place pressure{};
  each_touch(q, Faces::owned, [&](const Touch &touch) {
    const double d = touch.nearest.distance;
    const std::array<double, 5> phi = surfaces.law->at(d - surfaces.shift);
    if (&touch.point() != last)
    {
      sums.area += touch.area;
      ++sums.points;
      sums.pressure = std::max(sums.pressure, length(pressure));
      pressure = {};
    }
    last = &touch.point();
    sums.energy += touch.factor * phi[0];
    for (int i = 0; i < 3; ++i)
    {
      const double F = touch.factor * phi[1] * touch.nearest.r[i] / d;
      sums.force[i] -= surfaces.second.empty() ? 0. : touch.face->side == 0 ? F : -F;  // what touches itself bears both
      pressure[i] += F / touch.area;
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
  Nearest found = nearest(near, v, q);
  if (MPI::min(found.distance, space->communicator()) > reach() + surfaces.face)
    found = nearest_of_all(v, q);
  sums.gap = found.distance - surfaces.shift;
  sums.at = found.undeformed;
  sums.height = surfaces.face;
  return sums;
}
}  // namespace symdyn
