#include "elements/space/load_reach.h"

#include <cmath>
#include <set>

namespace symdyn
{
template <int dim>
void add_normals(const SurfaceIntegral<dim> &surface, Vector &r)
{
  for (const auto &face : surface.faces)
    for (std::size_t q = 0; q < face.dA.size(); ++q)
      for (std::size_t a = 0; a < face.nodes.size(); ++a)
        for (int d = 0; d < dim; ++d)
          r.local_element(dim * face.nodes[a] + d) += face.shape[q * face.nodes.size() + a] * face.dA[q] * face.normal[q][d];
}

template <int dim>
void add_nodes(const SurfaceIntegral<dim> &surface, Vector &r)
{
  constexpr double rounding = 1e-12;  // of functions of the cell's other nodes
  std::set<unsigned int> nodes;
  for (const auto &face : surface.faces)
    for (std::size_t i = 0; i < face.shape.size(); ++i)
      if (std::abs(face.shape[i]) > rounding)
        nodes.insert(face.nodes[i % face.nodes.size()]);
  for (const unsigned int node : nodes)
    for (int d = 0; d < dim; ++d)
      r.local_element(dim * node + d) += 1.;
}

template void add_normals(const SurfaceIntegral<2> &, Vector &);
template void add_normals(const SurfaceIntegral<3> &, Vector &);
template void add_nodes(const SurfaceIntegral<2> &, Vector &);
template void add_nodes(const SurfaceIntegral<3> &, Vector &);
}  // namespace symdyn
