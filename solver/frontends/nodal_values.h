#pragma once
#include <cstddef>
#include <vector>

#include "solver/frontends/calculix_mesh.h"

namespace symdyn
{
/// Rows of values at the points of integration of an element, in CalculiX's order, as rows at its nodes: the polynomial through the points
/// (of bricks with eight a product of those of one direction, of tetrahedra and the triangles of wedges a linear one) at the corners, and
/// the mean of two corners between them; of bricks with 27 the values at 20 nodes whose interpolation comes nearest, as CalculiX 2.20 has
/// it. Empty: it has no such points.
std::vector<std::vector<double>> at_nodes(const CalculixShape &shape, const std::vector<std::vector<double>> &at_points);
}  // namespace symdyn
