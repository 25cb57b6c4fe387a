#pragma once
#include <vector>

#include "elements/contact/proxy_surface.h"

namespace symdyn
{
/// Adds the axes of beams to the surfaces of a contact: a face an element, its pieces lines between nodes, its points those of a
/// Gauss-Lobatto rule along it, with all nodes. The area of a point is the length that it stands for times the width of the beam.
void add_axes(const std::vector<BoundaryCell> &cells, int side, const ProxyChoice &choice, ProxySurface &surface);
}  // namespace symdyn
