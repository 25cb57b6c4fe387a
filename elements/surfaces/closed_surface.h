#pragma once
#include <vector>

#include "elements/surfaces/box_search.h"
#include "elements/surfaces/facet.h"

namespace symdyn
{
/// The whole surface of some bodies, of pieces with outward normals.
class ClosedSurface
{
public:
  /// dim: 2 or 3.
  ClosedSurface(std::vector<Facet> facets, int dim);
  /// How many bodies have the place inside them, holes not counted: the winding number, by crossings of a ray along each axis. Of three
  /// rays the number that two have, since a ray may meet an edge.
  int bodies_around(const Place &x) const;
  const std::vector<Facet> &all() const { return facets; }

private:
  int crossings(const Place &x, int axis) const;

  std::vector<Facet> facets;
  int dim;
  Box whole;
  BoxSearch boxes;
};

double shortest_edge(const Facet &facet);
/// Somewhere within a piece, where no line of the mesh runs, and so far behind it [m].
Place behind_piece(const Facet &facet, double depth);
/// The largest extent of one of the parts that shared nodes join [m].
double largest_part(const std::vector<SurfaceFace> &faces);
/// The faces of those parts that have a node of `named`.
std::vector<SurfaceFace> parts_with(const std::vector<SurfaceFace> &faces, const std::vector<SurfaceFace> &named);
/// Whether a piece of one list looks at one of the other: each lies in front of the other, up to `behind` [m].
bool look_at_each_other(const std::vector<Facet> &one, const std::vector<Facet> &other, double behind);
}  // namespace symdyn
