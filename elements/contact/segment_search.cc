#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "elements/contact/features/closest.h"
#include "elements/contact/segment_term.h"
#include "elements/surfaces/box_search.h"

// Segments: found about a state, where they serve, and what friction asks of them.
namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

double SegmentTerm::margin() const { return pair.law->reach() + (2. * longest_way + (pair.even ? 1. : 0.)) * pair.face; }

std::vector<Place> SegmentTerm::places(const Vector &q) const
{
  std::vector<Place> all;
  for (const int site : all_sites)
  {
    Place x{};
    for (int d = 0; d < n; ++d)
      x[d] = q.local_element(n * site + d);
    all.push_back(x);
  }
  return all;
}

std::vector<SegmentPoint> SegmentTerm::found_about(const Vector &q, const double apart) const
{
  const auto has_owned = [&](const SurfaceFace &face) {
    return std::any_of(face.nodes.begin(), face.nodes.end(), [&](const std::int64_t site) { return site < space->owned(); });
  };
  SegmentSearch search;
  search.dim = n;
  search.points = pair.points;
  search.apart = apart - pair.clearance;
  search.deep = 2. * of_cell * pair.height + pair.clearance;
  search.alone = pair.alone;
  search.wanted = [&](const int face, const int other) {
    return rubs() || has_multipliers() || pair.first.owned[face] || has_owned(pair.first.faces[face]) ||
           has_owned(pair.second.faces[other]);
  };
  if (pair.first.faces.empty())
    return {};
  std::vector<SegmentPoint> found =
      pair.of_nodes ? find_nodes(pair.first, pair.second, q, search) : find_segments(pair.first, pair.second, q, search);
  for (SegmentPoint &point : found)
    if (pair.even || pair.fading)
    {
      const double g = gap(point, frame(point, nullptr, true));
      point.overlap = pair.even ? pair.clearance - g : std::max(-g, 0.);
    }
  return found;
}

void SegmentTerm::search(const Vector &q)
{
  std::vector<Place> now_at = places(q);
  if (std::exchange(stepped, false) && now_at != searched)
    of_step = std::move(points);
  else  // a start, a restart, or a checkpoint, from which a run goes on as after a restart
    of_step.reset();
  searched = std::move(now_at);
  points = found_about(q, margin());
  std::vector<std::pair<int, int>> now;
  for (const SegmentPoint &point : points)
    if (now.empty() || now.back() != std::pair{point.face, point.other})
      now.emplace_back(point.face, point.other);
  if (MPI::max(int(now != coupled), space->communicator()) == 0)
    return;
  ++changes;
  coupled = std::move(now);
}

SegmentTerm::Slide SegmentTerm::slide(const Vector &dq, const Vector &end) const
{
  Slide longest;
  each_point(end, nullptr, true, [&](const SegmentPoint &point, const Frame<double> &there) {
    const Frame<double> moved = frame(point, dq, false);
    const Place N = cross(there[2], there[3]), slip = difference(moved[0], moved[1]);
    const double along = dot(N, slip) / length(N), square = dot(slip, slip) - along * along;
    if (const double across = square <= 0. ? 0. : std::sqrt(square);
        !(across <= longest.length) && !std::isnan(longest.length))  // what is no number is the longest
      longest = {across, there[0]};
  });
  return longest;
}

/// Whether the segments serve on the way: they are found about its start (so that a restart has the same ones), bodies that touch slide by
/// less than a part of a face, and no face without segments touches at its end.
bool SegmentTerm::serves(const Vector &q, const Vector &dq, const Vector &end) const
{
  if (places(q) != searched)
    return false;
  bool serve = slide(dq, end).length < longest_way * pair.face;
  std::array<double, 2> longest{};  // of nodes [m], of directors
  const std::vector<Place> ways = places(dq);
  for (std::size_t i = 0; i < ways.size(); ++i)
  {
    double &of_kind = longest[space->is_director(all_sites[i])];
    of_kind = std::max(of_kind, length(ways[i]));
  }
  if (longest[0] + lever * longest[1] <= longest_way * pair.face)  // two such ways are within the margin of the search
    return serve;
  std::set<int> listed;
  for (const auto &[face, other] : coupled)
    listed.insert(face);
  for (const SegmentPoint &point : found_about(end, pair.law->reach()))
    serve = serve && listed.count(point.face) > 0;
  return serve;
}

double SegmentTerm::largest_step(const Vector &q, const Vector &dq) const
{
  constexpr double almost = 0.999;  // the motion is free, its forces are not
  stepped = true;
  Vector end = q;
  end += dq;
  end.update_ghost_values();
  return std::min(free_part(q, dq), MPI::min(serves(q, dq, end) ? 1. : almost, space->communicator()));
}

std::string SegmentTerm::refusal(const Vector &q, const Vector &dq) const
{
  Vector end = q;
  end += dq;
  end.update_ghost_values();
  const Slide found = slide(dq, end);
  if (found.length < longest_way * pair.face)
    return "";
  return fmt::format(
      "{} slides along {} by {} at {} in contact '{}'. By segments it may slide by {} in a step or increment, {} of a face. Take shorter ones, "
      "or \"Pairing = points\"",
      pair.first_name, pair.second_name, units.in_length(found.length), units.at_place(found.at), pair.name,
      units.in_length(longest_way * pair.face), longest_way);
}

/// Where the way leads deeper than a state may be, about 0.9 of the way to there.
double SegmentTerm::free_part(const Vector &q, const Vector &dq) const
{
  constexpr double of_way = 0.9;
  Vector end = q;
  end += dq;
  end.update_ghost_values();
  double part = 1.;
  for (const SegmentPoint &point : points)
    if (pair.first.owned[point.face])
    {
      const double after = gap(point, frame(point, end, true)) - least();
      if (after > 0.)
        continue;
      const double before = gap(point, frame(point, q, true)) - least();
      part = std::min(part, before > 0. ? of_way * before / (before - after) : 0.);
    }
  return MPI::min(part, space->communicator());
}

namespace
{
/// From the nearest place of a facet to x.
Place way_from(const Facet &facet, const Place &x, const int dim)
{
  Place shortest{};
  double least = std::numeric_limits<double>::max();
  for (std::size_t i = 1; i + 1 < std::max<std::size_t>(facet.x.size(), 3); ++i)
    if (const Closest to = closest(x, {0, 1, 2}, dim, {facet.x[0], facet.x[i], dim == 3 ? facet.x[i + 1] : Place{}}); to.distance < least)
    {
      least = to.distance;
      shortest = to.r;
    }
  return shortest;
}
}  // namespace

/// Of middles of facets, each beside the facet of the other boundary that is nearest to it.
std::pair<double, Place> SegmentTerm::too_deep(const Vector &q) const
{
  constexpr double straight = 0.999;
  std::pair<double, Place> deepest{};
  const std::vector<Facet> others = facets_of(pair.second.moved(q, n), n), undeformed = facets_of(pair.first.faces, n);
  const BoxSearch near(boxes_of(others));
  std::size_t i = 0;
  for (const Facet &facet : facets_of(pair.first.moved(q, n), n))
  {
    const Facet *other = nullptr;
    Place r{};
    near.in_turn(Box{facet.middle}, [&](const int number, const double distance) {
      if (other && distance > length(r))
        return false;
      const Place way = way_from(others[number], facet.middle, n);
      if (!other || length(way) < length(r))
      {
        other = &others[number];
        r = way;
      }
      return true;
    });
    const Place &X = undeformed[i++].middle;
    if (!other || dot(facet.normal, other->normal) >= 0.)
      continue;
    if (const double g = dot(r, other->normal); g < -straight * length(r) && !(g + pair.clearance > least()))
      deepest = std::max(deepest, {-g - pair.clearance, X});
  }
  return deepest;
}

/// The nearest of the flat pieces of some faces to a place.
std::array<int, 3> SegmentTerm::nearest_piece(const Place &x, const std::set<int> &others, const Vector &q) const
{
  std::array<int, 3> nearest{-1, -1, -1};
  double least_distance = std::numeric_limits<double>::max();
  for (const int other : others)
    for (const std::array<int, 3> &piece : pair.rubbing.faces[pair.first.faces.size() + other].pieces)
    {
      std::array<Place, 3> corners{};
      for (int k = 0; k < n; ++k)
        corners[k] = place(pair.rubbing.vertices[piece[k]], q, true);
      if (const Closest to = closest(x, piece, n, corners); to.distance < least_distance)
      {
        least_distance = to.distance;
        nearest = piece;
      }
    }
  return nearest;
}

/// Forces of segments go to the point of their face that is nearest in the undeformed body.
std::vector<RubbingSurfaces::Pressed> SegmentTerm::pressed(const Vector &q, const double *history, const Pieces pieces) const
{
  std::map<int, std::pair<std::vector<double>, std::set<int>>> forces;  // of the points of a face, and the faces before it
  for (const SegmentPoint &point : pieces == Pieces::of_next_step ? found_about(q, margin()) : points)
  {
    const std::vector<ProxySurface::Point> &fixed = pair.rubbing.faces[point.face].points;
    auto &[force, others] = forces.try_emplace(point.face, fixed.size(), std::set<int>{}).first->second;
    others.insert(point.other);
    const SurfaceFace &face = pair.first.faces[point.face];
    Place X{};
    for (std::size_t a = 0; a < face.nodes.size(); ++a)
      for (int d = 0; d < 3; ++d)
        X[d] += point.N[a] * face.X[a][d];
    const auto distance = [&X](const ProxySurface::Point &one) {
      const Place way = difference(one.on_face, X);
      return dot(way, way);
    };
    const auto nearest =
        std::min_element(fixed.begin(), fixed.end(), [&](const auto &a, const auto &b) { return distance(a) < distance(b); });
    force[nearest - fixed.begin()] -= point.dA * pair.law->at(gap(point, frame(point, q, true)) - shift_of(point, history))[1];
  }
  std::vector<Pressed> all;
  for (const auto &[face, found] : forces)
    for (std::size_t i = 0; i < found.first.size(); ++i)
    {
      const ProxySurface::Point &point = pair.rubbing.faces[face].points[i];
      all.push_back({face, int(i), found.first[i] / point.dA, nearest_piece(place(point.at, q, true), found.second, q)});
    }
  return all;
}
}  // namespace symdyn
