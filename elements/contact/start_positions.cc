#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "elements/contact/contact_part.h"
#include "elements/surfaces/closed_surface.h"
#include "solver/error.h"

// Bodies that stand where no gap can say it: far apart, turned away from each other, one within the other.
namespace symdyn
{
namespace
{
/// The faces of a boundary; none of obstacles, shells, beams and sets of nodes.
std::vector<SurfaceFace> faces_if_any(const BodySurface &surface, const std::string &name)
{
  try
  {
    return surface.faces({name});
  }
  catch (const InputError &)
  {
    return {};
  }
}

/// By the displacement of the initial conditions.
std::vector<SurfaceFace> moved(std::vector<SurfaceFace> faces, const Parameters &any, const int dim)
{
  if (!any.root().section("Initial conditions").given("Displacement"))
    return faces;
  for (SurfaceFace &face : faces)
  {
    const std::vector<Place> u = initial_values("Displacement", any, face.X, dim);
    for (std::size_t a = 0; a < u.size(); ++a)
      for (int d = 0; d < dim; ++d)
        face.X[a][d] += u[a][d];
  }
  return faces;
}

}  // namespace

void ContactPart::look_at_start(const BodySurface &surface)
{
  const int dim = surface.dimension();
  const std::vector<SurfaceFace> whole_body = moved(faces_if_any(surface, whole_surface), *deck, dim);
  misplaced.clear();
  turned.clear();
  if (whole_body.empty())
    return;
  size_of_part = largest_part(whole_body);
  std::vector<SurfaceFace> named;
  std::vector<std::vector<Facet>> sides;  // none of obstacles, shells, beams and sets of nodes
  for (const std::string &name : between)
    if (const auto faces = name == "all" ? whole_body : moved(faces_if_any(surface, name), *deck, dim); !faces.empty())
    {
      named.insert(named.end(), faces.begin(), faces.end());
      sides.push_back(facets_of(faces, dim));
    }
  if (sides.size() < between.size() || at_begin == "shrink")
    return;
  constexpr double deep = 0.3;  // of an edge: less is found with the gaps
  const ClosedSurface bodies(facets_of(parts_with(whole_body, named), dim), dim);
  for (std::size_t side = 0; side < sides.size() && misplaced.empty(); ++side)
    for (const Facet &facet : sides[side])
      if (const double depth = deep * shortest_edge(facet) + std::max(clearance, 0.);
          misplaced.empty() && bodies.bodies_around(behind_piece(facet, depth)) > 1)
        misplaced = fmt::format(
            "{} stands within a body at {} at the start, deeper than {}. Move one of both, or look at the names of the "
            "boundaries",
            between[side], units.at_place(facet.middle), units.in_length(depth));
  if (sides.size() == 2 && !look_at_each_other(sides[0], sides[1], deep * mean_size(named, dim) + std::max(clearance, 0.)))
    turned = fmt::format("no face of {} looks at one of {}: both lie behind each other, or beside. Look at the names of the boundaries",
                         between[0], between[1]);
}
}  // namespace symdyn
