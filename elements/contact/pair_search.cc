#include <deal.II/base/mpi.h>

#include <algorithm>
#include <utility>

#include "elements/contact/pair_term.h"

// Which faces of a contact of boundaries are near each other, and which features their points touch.
namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

PairTerm::Places PairTerm::vertices(const Vector &q) const
{
  Places places;
  places.reserve(surfaces.surface.vertices.size());
  for (std::size_t vertex = 0; vertex < surfaces.surface.vertices.size(); ++vertex)
    places.push_back(rows.at(vertex, q.begin(), true));
  return places;
}

PairTerm::Places PairTerm::listed(const Vector &u, const bool with_X) const
{
  Places places(surfaces.surface.vertices.size());
  for (const int vertex : listed_vertices)
    places[vertex] = rows.at(vertex, u.begin(), with_X);
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

std::vector<PairTerm::Before> PairTerm::nearest_pieces(const Near &one, const Places &v, const Vector &q, const double distance) const
{
  constexpr double nearer = 1. - 1e-10;  // of pieces that are as near the first one counts, on all ranks
  std::vector<Before> before;
  const PointLanes x = points_of(one.face, q, true);
  for (std::size_t i = 0; i < x.size(); ++i)
    before.push_back({one.face, int(i), x[i], -1, -1, {}});
  for (const int other : one.others)
    for (auto [piece, end] = features.pieces_of(other); piece < end; ++piece)
      x.near(box_of(piece, v), distance, [&, piece = piece](const std::size_t i) {
        const Closest to = closest(before[i].x, features[piece].vertex, features[piece].n, corners_of(piece, v));
        if (to.distance < (before[i].piece < 0 ? distance : nearer * before[i].to.distance))
          before[i] = {one.face, int(i), before[i].x, other, piece, to};
      });
  before.erase(std::remove_if(before.begin(), before.end(), [](const Before &one_of) { return one_of.piece < 0; }), before.end());
  return before;
}

bool PairTerm::may_touch(const int face, const int other) const
{
  const ProxySurface::Face &one = surfaces.surface.faces[face], &two = surfaces.surface.faces[other];
  if (!surfaces.second.empty() && one.side == two.side)
    return false;
  return std::find_first_of(one.corners.begin(), one.corners.end(), two.corners.begin(), two.corners.end()) == one.corners.end();
}

std::vector<Box> PairTerm::boxes_of_faces(const Places &v) const
{
  std::vector<Box> boxes(surfaces.surface.faces.size());
  for (std::size_t face = 0; face < boxes.size(); ++face)
    for (auto [piece, end] = features.pieces_of(int(face)); piece < end; ++piece)
      boxes[face].take(box_of(piece, v));
  return boxes;
}

std::vector<PairTerm::Near> PairTerm::find(const Places &v, const Vector &q, const double within) const
{
  const std::vector<ProxySurface::Face> &faces = surfaces.surface.faces;
  const std::vector<Box> boxes = boxes_of_faces(v);
  std::vector<Near> found;
  const std::array<FacesBefore, 2> before = faces_before(boxes);
  for (std::size_t face = 0; face < faces.size(); ++face)
  {
    const FacesBefore &others = before[faces[face].side];
    Box around = boxes[face];  // its edges may cross where it has no points
    around.take(points_of(int(face), q, true).box());
    if (others.faces.empty() || !others.around.near(around, within))
      continue;
    Near one;
    one.face = int(face);
    for (const int number : others.search->near(around, within))
      if (const int other = others.faces[number]; may_touch(int(face), other))
        one.others.push_back(other);
    one.crossings = edges.pairs(one.face, one.others);
    if (!one.others.empty())
      found.push_back(std::move(one));
  }
  return found;
}

std::array<PairTerm::FacesBefore, 2> PairTerm::faces_before(const std::vector<Box> &boxes) const
{
  std::array<FacesBefore, 2> before;
  for (int side = 0; side < 2; ++side)
  {
    FacesBefore &others = before[side];
    std::vector<Box> of_others;
    for (std::size_t face = 0; face < boxes.size(); ++face)
      if (surfaces.second.empty() || surfaces.surface.faces[face].side != side)
      {
        others.faces.push_back(int(face));
        of_others.push_back(boxes[face]);
        others.around.take(boxes[face]);
      }
    if (!of_others.empty())
      others.search = std::make_unique<BoxSearch>(of_others);
    if (surfaces.second.empty())
      break;
  }
  return before;
}

void PairTerm::complete(Near &one) const
{
  const auto has_owned = [&](const std::vector<int> &sites) {
    return std::any_of(sites.begin(), sites.end(), [&](const int site) { return site < space->owned(); });
  };
  one.has_owned = has_owned(points[one.face].of_sites()) || has_owned(sites_of_pieces[one.face]) ||
                  std::any_of(one.others.begin(), one.others.end(), [&](const int other) { return has_owned(sites_of_pieces[other]); });
}

double PairTerm::apart_of_sides(const Places &v, const Vector &q) const
{
  if (surfaces.second.empty())
    return 0.;
  std::array<Box, 2> sides;
  const std::vector<Box> boxes = boxes_of_faces(v);
  for (std::size_t face = 0; face < boxes.size(); ++face)
  {
    Box &side = sides[surfaces.surface.faces[face].side];
    side.take(boxes[face]);
    side.take(points_of(int(face), q, true).box());
  }
  double distance = boxes.empty() ? Box::far : 0.;
  for (int d = 0; d < 3 && !boxes.empty(); ++d)
    distance = std::max({distance, sides[0].lower[d] - sides[1].upper[d], sides[1].lower[d] - sides[0].upper[d]});
  return std::max(0., MPI::min(distance, space->communicator()) - list_reach());
}

/// Where sides were so far apart that none can be in reach of a list by now, it finds what it found: nothing.
void PairTerm::search(const Vector &q)
{
  const bool reaches = listed_within >= list_reach();  // stages change laws
  std::vector<double> at = at_sites(q);
  if (reaches && beyond_list > 0. && MPI::max(2. * moved(searched_at, at), space->communicator()) <= beyond_list)
    return;
  listed_within = list_reach();
  const Places v = vertices(q);
  beyond_list = apart_of_sides(v, q);
  apart = {};  // of the last search alone, so that a restart finds the same
  if (beyond_list > 0.)
    apart = {at, list_reach() + beyond_list};
  searched = v;
  searched_at = std::move(at);
  std::vector<Near> found = find(v, q, list_reach());
  const bool changed = MPI::max(int(!(found == near)), space->communicator()) > 0;
  if (!changed)
    return;
  ++changes;
  for (auto [one, known] = std::pair{found.begin(), near.begin()}; one != found.end(); ++one)
  {
    while (known != near.end() && known->face < one->face)
      ++known;
    if (known != near.end() && *known == *one)
      *one = std::move(*known);
    else
      complete(*one);
  }
  near = std::move(found);
  make_lists();
}

void PairTerm::make_lists()
{
  std::vector<char> of_vertices(surfaces.surface.vertices.size(), 0);
  for (const Near &one : near)
    for (const int other : one.others)
      for (auto [piece, end] = features.pieces_of(other); piece < end; ++piece)
        for (int i = 0; i < features[piece].n; ++i)
          of_vertices[features[piece].vertex[i]] = 1;
  listed_vertices.clear();
  for (std::size_t vertex = 0; vertex < of_vertices.size(); ++vertex)
    if (of_vertices[vertex])
      listed_vertices.push_back(int(vertex));
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
}  // namespace symdyn
