#pragma once
#include <algorithm>
#include <array>
#include <cmath>

#include "tests/bodies.h"

/// Forces on meshes of the unit cube.
namespace symdyn::tests
{
/// Of the nodes that are not on the boundary of the unit cube and those that are.
inline std::array<double, 2> largest_inside_and_outside(const Body<3> &body, const Vector &f)
{
  std::array<double, 2> largest{};
  for (int node = 0; node < body.mesh().n_owned_nodes(); ++node)
    for (int d = 0; d < 3; ++d)
    {
      bool outside = false;
      for (int e = 0; e < 3; ++e)
        outside = outside || std::abs(body.mesh().position[node][e] - 0.5) > 0.5 - 1e-9;
      largest[outside] = std::max(largest[outside], std::abs(f.local_element(3 * node + d)));
    }
  return largest;
}

/// Nodal forces of the loads.
inline Vector applied(const Body<3> &body)
{
  Vector f = body.mesh().new_vector();
  body.system().applied_force(0., body.mesh().new_vector(), body.mesh().new_vector(), f);
  return f;
}
}  // namespace symdyn::tests
