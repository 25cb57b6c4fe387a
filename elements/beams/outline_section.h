#pragma once
#include <array>
#include <vector>

#include "elements/beams/beam_section.h"

namespace symdyn
{
/// A section by its boundary: corners along axes 1 and 2 [m], in order, either way round.
struct BeamOutline
{
  using Polygon = std::vector<BeamPoint>;
  Polygon outer;
  std::vector<Polygon> holes;
};

/// A, centroid and moments of area are exact integrals over the polygons, e.g. int xi_1² dA = sum (x_i y_j - x_j y_i)(x_i² + x_i x_j +
/// x_j²)/12 over edges ij; J, shear centre and shear factors follow from Saint-Venant's functions (saint_venant.h). Throws
/// std::invalid_argument for polygons that cross themselves or each other, and for holes that are not inside.
BeamSection outline_section(const BeamOutline &outline);

/// Triangles of a polygon with holes, of its corners alone (ear clipping, Meisters 1975; holes are joined to the boundary by cuts).
struct OutlineTriangles
{
  std::vector<BeamPoint> corners;
  std::vector<std::array<unsigned int, 3>> triangles;  ///< counterclockwise
};
/// Throws std::invalid_argument as outline_section.
OutlineTriangles triangles_of(const BeamOutline &outline);
}  // namespace symdyn
