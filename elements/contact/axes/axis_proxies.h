#pragma once
#include <vector>

#include "elements/contact/proxy_surface.h"

namespace symdyn
{
/// Adds the axes of beams to the surfaces of a contact: a face an element, its pieces lines between nodes, its points those of a
/// Gauss-Lobatto rule along it, with all nodes. The area of a point is the length that it stands for times the width of the beam.
void add_axes(const std::vector<BoundaryCell> &cells, int side, const ProxyChoice &choice, ProxySurface &surface);

/// Beside an axis the points of a surface are its vertices, each of the first face that has it, with weights_of_vertices() as areas.
void take_vertices_as_points(ProxySurface &surface, double across);
}  // namespace symdyn
