#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "elements/contact/contact_part.h"
#include "solver/error.h"

// Layers against the thickness of bodies.
namespace symdyn
{
namespace
{
Place behind(const Facet &facet, const double depth)
{
  Place x = facet.middle;
  for (int d = 0; d < 3; ++d)
    x[d] -= depth * facet.normal[d];
  return x;
}

/// Whether a place in the plane of a facet is inside of its edges.
bool covers(const Facet &facet, const Place &x, const int n)
{
  const std::size_t corners = facet.x.size();
  if (n == 2)
    return dot(difference(x, facet.x[0]), difference(x, facet.x[1])) <= 0.;
  double least = 0, most = 0;
  for (std::size_t i = 0; i < corners; ++i)
  {
    const double area = dot(cross(difference(facet.x[(i + 1) % corners], facet.x[i]), difference(x, facet.x[i])), facet.normal);
    least = std::min(least, area);
    most = std::max(most, area);
  }
  constexpr double on_edge = 1e-9;
  return std::min(-least, most) <= on_edge * std::max(-least, most);
}

/// How thick a body is behind the middle of a facet, up to `most`: where the line along its normal leaves the surface.
double thickness(const Facet &facet, const std::vector<Facet> &surface, const double most, const int n)
{
  constexpr double faces_away = 0.1;  // cosine
  double least = most;
  for (const Facet &other : surface)
    if (const double away = -dot(facet.normal, other.normal); away > faces_away)
    {
      const double depth = dot(difference(facet.middle, other.middle), other.normal) / -away;
      if (depth > 0. && depth < least && covers(other, behind(facet, depth), n))
        least = depth;
    }
  return least;
}

std::vector<Facet> facets_of_cells(const std::vector<BoundaryCell> &cells, const int n)
{
  const SegmentSurface surface(
      cells, [](const std::int64_t node) { return int(node); }, [](std::int64_t) { return true; });
  return facets_of(surface.faces, n);
}
/// Where faces have others of `among` nearest behind them, nearer than `most`, and how far.
std::optional<std::pair<double, Place>> thinnest(const std::vector<Facet> &faces, const std::vector<Facet> &among, const double most,
                                                 const int n)
{
  std::optional<std::pair<double, Place>> found;
  for (const Facet &facet : faces)
    if (const double here = thickness(facet, among, found ? found->first : most, n); here < (found ? found->first : most))
      found = {here, facet.middle};
  return found;
}
}  // namespace

/// The layers of both sides of a body must not meet in it. Bodies are at least a cell thick.
void ContactPart::check_thickness(const Surface &surface) const
{
  constexpr double of_body = 0.5;
  if (!law->is_barrier() || !entries.inside || entries.layer <= of_body * surface.height)
    return;
  std::vector<std::string> with_faces;
  for (std::size_t i = 0; i < boundaries.size(); ++i)
    if (!axes[i])
      with_faces.push_back(boundaries[i]);
  if (with_faces.empty())
    return;
  if (const auto found = thinnest(facets_of_cells(body->boundary_cells(in_mesh(with_faces)), n),
                                  facets_of_cells(body->boundary_cells({whole_surface}), n), entries.layer / of_body, n))
  {
    const auto &[least, at] = *found;
    deck->fail("Layer", fmt::format("a layer of {} is more than half of the thinnest body: it is {} thick behind {}, "
                                    "and layers of both its sides would meet. {} below {}, or set Side = outside",
                                    units.in_length(entries.layer), units.in_length(least), units.at_place(at),
                                    layer == "auto" ? "Lower Time step or Largest speed, so that it is" : "Set it",
                                    units.in_length(of_body * least)));
  }
}

/// A point of an axis, which has no normal, is pressed by both faces of a body if the law reaches through it. deep: what gaps may be below
/// 0 [m].
void ContactPart::check_both_faces(const double deep) const
{
  const double least = std::isfinite(law->least()) ? law->least() : deep;
  for (std::size_t side = 0; side < boundaries.size(); ++side)
  {
    if (axes[side])
      continue;
    const std::vector<Facet> faces = facets_of_cells(cells[side], n);
    if (const auto found = thinnest(faces, faces, law->reach() - least, n))
    {
      const auto &[t, at] = *found;
      deck->fail("Law",
                 fmt::format("{} has forces from {:.4g} to {}, and '{}' is {} thick at {}: both "
                             "its faces would press the beam. Name one of them{}, or choose entries of the law that reach less",
                             law_name, least, units.in_length(law->reach()), boundaries[side], units.in_length(t), units.at_place(at),
                             body->has_shell(boundaries[side]) ? fmt::format(", as {0}.top or {0}.bottom", boundaries[side]) : ""));
    }
  }
}
}  // namespace symdyn
