#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

/// Of a piece, somewhere within it where no line of the mesh runs.
Place beside_middle(const Facet &facet)
{
  constexpr double weights[] = {0.137, 0.091, 0.053, 0.029};
  Place x = facet.middle;
  for (std::size_t i = 0; i < std::min<std::size_t>(4, facet.x.size()); ++i)
    for (int d = 0; d < 3; ++d)
      x[d] += weights[i] * (facet.x[i][d] - facet.middle[d]);
  return x;
}
}  // namespace

void ContactPart::look_at_start(const BodySurface &surface)
{
  std::vector<SurfaceFace> whole_body = faces_if_any(surface, whole_surface);
  if (whole_body.empty())
    return;
  const int dim = surface.dimension();
  misplaced.clear();
  size_of_part = largest_part(whole_body);
  std::vector<std::vector<Facet>> sides;  // none of obstacles, shells, beams and sets of nodes
  for (const std::string &name : between)
    if (const auto faces = name == "all" ? whole_body : faces_if_any(surface, name); !faces.empty())
      sides.push_back(facets_of(faces, dim));
  if (sides.size() < between.size() || at_begin == "shrink")
    return;
  constexpr double deep = 0.3;  // of a face: less is found with the gaps
  const double size = mean_size(whole_body, dim);
  const ClosedSurface bodies(facets_of(whole_body, dim), dim);
  for (std::size_t side = 0; side < sides.size(); ++side)
    for (const Facet &facet : sides[side])
    {
      Place x = beside_middle(facet);
      for (int d = 0; d < 3; ++d)
        x[d] -= deep * size * facet.normal[d];
      if (misplaced.empty() && bodies.bodies_around(x) > 1)
        misplaced = fmt::format(
            "{} stands within a body at {} at the start, deeper than {}. Move one of both, or look at the names of the "
            "boundaries",
            between[side], units.at_place(facet.middle), units.in_length(deep * size));
    }
  if (sides.size() == 2 && misplaced.empty() && !look_at_each_other(sides[0], sides[1], deep * size))
    misplaced = fmt::format("no face of {} looks at one of {}: both lie behind each other, or beside. Look at the names of the boundaries",
                            between[0], between[1]);
}
}  // namespace symdyn
