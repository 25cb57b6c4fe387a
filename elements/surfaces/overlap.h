#pragma once
#include <deal.II/base/quadrature.h>

#include <array>
#include <vector>

#include "elements/surfaces/facet.h"

namespace symdyn
{
/// A point of integration of what two facets cover together, in the mean plane of the first.
struct OverlapPoint
{
  Place x{};          ///< in that plane [m]
  double weight = 0;  ///< [m²], in 2-D [m]
};

/// What facets cover of each other.
class Overlap
{
public:
  /// `points` a direction of each line or triangle: polynomials of the plane of degree 2 points - 2 are integrated exactly.
  Overlap(int dim, int points);
  /// Points on the part of `on` that `over` covers, seen along the normal of `on`: the facets as polygons, clipped, cut into triangles.
  std::vector<OverlapPoint> operator()(const Facet &on, const Facet &over) const;

private:
  std::vector<OverlapPoint> on_line(const Facet &on, const Facet &over) const;

  int dim;
  dealii::Quadrature<1> of_line;
  dealii::Quadrature<2> of_triangle;  ///< Gauss points of a square of which one edge is a point
};
}  // namespace symdyn
