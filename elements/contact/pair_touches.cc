#include <algorithm>
#include <cmath>

#include "elements/contact/pair_term.h"

// Which features the points of a contact of boundaries are near.
namespace symdyn
{
namespace
{
/// In any order; -1 for none.
bool are_same(const std::array<int, 3> &a, const std::array<int, 3> &b)
{
  return a == b || (a[0] + a[1] + a[2] == b[0] + b[1] + b[2] && std::is_permutation(a.begin(), a.end(), b.begin()));
}
}  // namespace

PairTerm::Places PairTerm::vertices(const Vector &q) const
{
  Places places;
  places.reserve(surfaces.surface.vertices.size());
  for (const BodyPlace &vertex : surfaces.surface.vertices)
    places.push_back(place(vertex, q, true));
  return places;
}

std::array<Place, 3> PairTerm::corners_of(const int feature, const Places &v) const
{
  std::array<Place, 3> corner{};
  for (int i = 0; i < features[feature].n; ++i)
    corner[i] = v[features[feature].vertex[i]];
  return corner;
}

Box PairTerm::box_of(const int feature, const Places &v) const
{
  Box box;
  for (int i = 0; i < features[feature].n; ++i)
    box.take(v[features[feature].vertex[i]]);
  return box;
}

void PairTerm::points_of(const ProxySurface::Face &face, const Vector &u, const bool with_X, Places &places) const
{
  places.clear();
  for (const ProxySurface::Point &point : face.points)
    places.push_back(place(point.at, u, with_X));
}

PairTerm::Standing PairTerm::standing(const Vector &q) const
{
  Standing there;
  there.v.resize(surfaces.surface.vertices.size());
  for (const int vertex : listed_vertices)
    there.v[vertex] = place(surfaces.surface.vertices[vertex], q, true);
  there.of_features.resize(features.size());
  for (const int feature : listed_features)
    there.of_features[feature] = box_of(feature, there.v);
  there.of_faces.resize(surfaces.surface.faces.size());
  for (const int face : listed_faces)
    for (auto [piece, end] = features.pieces_of(face); piece < end; ++piece)
      there.of_faces[face].take(there.of_features[piece]);
  return there;
}

/// Each carrying set of corners once a point.
void PairTerm::find_touches(const Near &one, const Standing &there, const Vector &q, Touches &found) const
{
  const ProxySurface::Face &face = surfaces.surface.faces[one.face];
  points_of(face, q, true, found.x);
  found.points.take(found.x);
  found.of_point.resize(found.x.size());
  for (std::vector<Touch> &of_point : found.of_point)
    of_point.clear();
  const double within = reach();
  const auto hold_against = [&](const SignedFeature &counted) {
    const SignedFeatures::Feature &feature = features[counted.number];
    found.points.near(there.of_features[counted.number], within, [&](const std::size_t i) {
      const Closest to = closest(found.x[i], feature.vertex, feature.n, corners_of(counted.number, there.v));
      if (!(to.distance < within))
        return;
      const double factor = 0.5 * counted.factor * face.points[i].dA;
      std::vector<Touch> &of_point = found.of_point[i];
      const auto same =
          std::find_if(of_point.begin(), of_point.end(), [&](const Touch &other) { return are_same(other.nearest.corner, to.corner); });
      if (same == of_point.end())
        of_point.push_back({&face, &face.points[i], to, factor});
      else
        same->factor += factor;
    });
  };
  for (std::size_t other = 0; other < one.others.size(); ++other)
    if (found.points.box().near(there.of_faces[one.others[other]], within))
      for (std::size_t i = other == 0 ? 0 : one.features.ends[other - 1]; i < one.features.ends[other]; ++i)
        hold_against(one.features.all[i]);
}

bool PairTerm::wanted(const Near &one, const Faces which) const
{
  return which == Faces::all || (which == Faces::owned ? surfaces.surface.faces[one.face].owned : one.has_owned);
}

PairTerm::Shares PairTerm::shares(const Touch &touch) const
{
  Shares shares{{std::pair{&touch.point->at, 1.}}, 1};
  for (int i = 0; i < touch.nearest.carrying; ++i)
    shares.all[shares.n++] = {&surfaces.surface.vertices[touch.nearest.corner[i]], -touch.nearest.weight[i]};
  return shares;
}

std::vector<PairTerm::Before> PairTerm::nearest_pieces(const Near &one, const Places &v, const Vector &q, const double distance) const
{
  const ProxySurface::Face &face = surfaces.surface.faces[one.face];
  std::vector<Before> before;
  for (const Place &x : points_of(face, q, true))
    before.push_back({one.face, int(before.size()), x, -1, -1, {}});
  PointLanes points;
  points.take(points_of(face, q, true));
  for (const int other : one.others)
    for (auto [piece, end] = features.pieces_of(other); piece < end; ++piece)
      points.near(box_of(piece, v), distance, [&, piece = piece](const std::size_t i) {
        const Closest to = closest(before[i].x, features[piece].vertex, n, corners_of(piece, v));
        if (to.distance < (before[i].piece < 0 ? distance : before[i].to.distance))
          before[i] = {one.face, int(i), before[i].x, other, piece, to};
      });
  before.erase(std::remove_if(before.begin(), before.end(), [](const Before &one_of) { return one_of.piece < 0; }), before.end());
  return before;
}
}  // namespace symdyn
