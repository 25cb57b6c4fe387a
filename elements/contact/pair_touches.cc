#include <deal.II/base/mpi.h>

#include <algorithm>
#include <utility>

#include "elements/contact/pair_term.h"
#include "elements/surfaces/closed_surface.h"

// Which features of others the points of a face touch at a state, and how far bodies are in each other.
namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

/// Those that are in reach while places are at most a quarter of the skin from here: point and feature at either of two states.
void PairTerm::find_candidates(const Near &one, const Places &v, Touches &found) const
{
  const double within = reach() + skin();
  const Box around = found.x.box();
  const int mine = int(&found - touched.faces.data());
  found.candidates.clear();
  for (const int other : one.others)
    for (auto [piece, end] = features.pieces_of(other); piece < end; ++piece)
      if (around.near(box_of(piece, v), within))
        features.each_part(piece, [&](const int part) {
          if (std::exchange(touched.seen[part], mine) == mine || !around.near(box_of(part, v), within))
            return;
          if (const int factor = factor_for(one.face, part); factor != 0)
            found.candidates.push_back({part, factor});
        });
  found.candidates.shrink_to_fit();
}

int PairTerm::factor_for(const int face, const int feature) const
{
  if (!surfaces.second.empty() && !share_nodes)  // then all faces of the other boundary count
    return features.factor(feature);
  return features.factor(feature, [&](const int other) { return may_touch(face, other); });
}

void PairTerm::find_touches(const Near &one, const Places &v, std::vector<std::vector<Carrying>> &room, Touches &found) const
{
  const double within = reach();
  const auto take = [](const int feature, const int factor, unsigned of_lanes, std::vector<Carrying> *of_points) {
    for (; of_lanes != 0; of_lanes &= of_lanes - 1)
    {
      std::vector<Carrying> &of_point = of_points[__builtin_ctz(of_lanes)];
      const auto same = std::find_if(of_point.begin(), of_point.end(), [&](const Carrying &other) { return other.feature == feature; });
      if (same == of_point.end())
        of_point.push_back({feature, factor});
      else
        same->factor += factor;
    }
  };
  room.resize(found.x.number_of_groups() * lanes);
  for (const Carrying &candidate : found.candidates)
  {
    const int corners = features[candidate.feature].n;
    const std::array<Place, 3> at = corners_of(candidate.feature, v);
    for (std::size_t group = 0; group < found.x.number_of_groups(); ++group)
    {
      const CarryingPatterns patterns = carrying_patterns(found.x.group(group), found.x.used(group), within, corners, at);
      for (unsigned pattern = 1; pattern < 1u << corners; ++pattern)
        if (patterns[pattern] != 0)
          take(features.part(candidate.feature, pattern), candidate.factor, patterns[pattern], &room[group * lanes]);
    }
  }
  const ProxySurface::Face &face = surfaces.surface.faces[one.face];
  for (std::size_t i = 0; i < found.x.size(); ++i)
  {
    for (const Carrying &carrying : room[i])
    {
      if (carrying.factor == 0)
        continue;
      const SignedFeatures::Feature &feature = features[carrying.feature];
      const Closest to = closest_if_all_carry(found.x[i], feature.vertex, feature.n, corners_of(carrying.feature, v));
      if (const double area = areas[one.face][i]; to.distance < within)
        found.all.push_back({&face, int(i), area, to, carrying.factor * area});
    }
    room[i].clear();
  }
}

const PairTerm::AllTouches &PairTerm::touches(const Vector &q, const Faces which) const
{
  if (near.empty())
  {
    touched = {};
    return touched;
  }
  std::vector<double> at = at_sites(q);
  const bool is_other_list = touched.list != changes || touched.reach != reach();
  if (is_other_list || !(moved(touched.candidates_at, at) <= 0.25 * skin()))
  {
    touched.candidates_at = at;
    touched.faces.resize(near.size());
    touched.seen.assign(features.size(), -1);
    for (Touches &face : touched.faces)
      face.has_candidates = false;
  }
  if (is_other_list || touched.at != at)
  {
    touched.at = std::move(at);
    touched.reach = reach();
    touched.list = changes;
    touched.v = listed(q, true);
    for (Touches &face : touched.faces)
      face.known = false;
  }
  std::vector<std::vector<Carrying>> room;
  for (std::size_t i = 0; i < near.size(); ++i)
    if (Touches &found = touched.faces[i]; wanted(near[i], which) && !std::exchange(found.known, true))
    {
      found.face = near[i].face;
      found.has_owned = near[i].has_owned;
      found.all.clear();
      points[found.face].at(q.begin(), true, found.x);
      if (!std::exchange(found.has_candidates, true))
        find_candidates(near[i], touched.v, found);
      find_touches(near[i], touched.v, room, found);
    }
  return touched;
}

PairTerm::Shares PairTerm::shares(const Touch &touch) const
{
  Shares shares{{std::pair{&touch.point().at, 1.}}, 1};
  for (int i = 0; i < touch.nearest.carrying; ++i)
    shares.all[shares.n++] = {&surfaces.surface.vertices[touch.nearest.corner[i]], -touch.nearest.weight[i]};
  return shares;
}
Place PairTerm::normal_of(const int number, const int piece, const Places &v) const
{
  const ProxySurface::Face &face = surfaces.surface.faces[number];
  const auto along = [&](const auto &place_of) {
    const std::array<int, 3> &corner = face.pieces[piece];
    const Place e = difference(place_of(corner[1]), place_of(corner[0]));
    return n == 2 ? Place{e[1], -e[0], 0.} : cross(e, difference(place_of(corner[2]), place_of(corner[0])));
  };
  Place normal = along([&](const int vertex) { return v[vertex]; });
  const double side = dot(along([&](const int vertex) { return surfaces.surface.vertices[vertex].X; }), face.normal) < 0. ? -1. : 1.;
  const double size = side * length(normal);
  for (double &component : normal)
    component /= size;
  return normal;
}

std::pair<double, Place> PairTerm::overlap(const Vector &q, const double within) const
{
  std::pair<double, Place> deepest{0., {}};
  const Places v = vertices(q);
  for (const Near &one : surfaces.second.empty() ? std::vector<Near>{} : find(v, q, within))
    if (wanted(one, Faces::owned))
      for (const Before &before : nearest_pieces(one, v, q, within))
      {
        const ProxySurface::Face &face = surfaces.surface.faces[before.face];
        if (before.to.carrying != n)
          continue;
        const Place other = normal_of(before.other, before.piece - features.pieces_of(before.other).first, v);
        if (face.is_axis() || dot(other, normal_of(before.face, int(face.pieces.size() / 2), v)) < 0.)
          deepest = std::max(deepest, {-dot(before.to.r, other), face.points[before.point].on_face});
      }
  for (const auto &one : MPI::all_gather(space->communicator(), deepest))
    deepest = std::max(deepest, one);
  return deepest;
}

std::pair<double, Place> PairTerm::deep_in_itself(const Places &v) const
{
  constexpr double deep = 0.3;  // of an edge: a search near the surface finds less
  const std::vector<ProxySurface::Face> &faces = surfaces.surface.faces;
  const bool has_axes = std::any_of(faces.begin(), faces.end(), [](const ProxySurface::Face &face) { return face.is_axis(); });
  if (has_axes || !features.closed())
    return {};
  std::vector<Facet> facets;
  std::vector<Place> undeformed;
  for (std::size_t face = 0; face < faces.size(); ++face)
    for (std::size_t piece = 0; piece < faces[face].pieces.size(); ++piece)
    {
      Facet facet;
      Place X{};
      for (int i = 0; i < n; ++i)
      {
        const int vertex = faces[face].pieces[piece][i];
        facet.x.push_back(v[vertex]);
        for (int d = 0; d < 3; ++d)
        {
          facet.middle[d] += v[vertex][d] / n;
          X[d] += surfaces.surface.vertices[vertex].X[d] / n;
        }
      }
      facet.normal = normal_of(int(face), int(piece), v);
      facets.push_back(std::move(facet));
      undeformed.push_back(X);
    }
  std::pair<double, Place> deepest{};
  const ClosedSurface bodies(facets, n);
  for (std::size_t i = 0; i < facets.size(); ++i)
    if (const double depth = deep * shortest_edge(facets[i]); bodies.bodies_around(behind_piece(facets[i], depth)) > 1)
      deepest = std::max(deepest, {depth, undeformed[i]});
  return deepest;
}

/// Places of bodies that are deep in each other may be far from all others.
std::pair<double, Place> PairTerm::too_deep(const Vector &q) const
{
  if (surfaces.second.empty())
    return deep_in_itself(vertices(q));
  const double nearest = MPI::min(nearest_of_all(vertices(q), q).distance, space->communicator());
  const auto [behind, at] = overlap(q, std::max(reach(), nearest) + surfaces.face);
  return {behind > 0. ? behind + surfaces.shift : 0., at};
}
}  // namespace symdyn
