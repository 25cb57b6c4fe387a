#pragma once
#include <string>
#include <vector>

#include "elements/output/node_files.h"
#include "elements/space/discretisation.h"

namespace symdyn
{
/// The type of VTK's wedge of 6 or 15 nodes (quadratic), and which of our nodes is its i-th: the normal of the first triangle points out of
/// the cell.
struct WedgeOrder
{
  std::uint8_t type;
  std::vector<unsigned int> nodes;
};
WedgeOrder wedge_order(unsigned int nodes);

/// Files of wedges, in single precision; cells of `fields` and their nodes in the order of the mesh. Names and collectivity as
/// `write_vtu_files`, which cannot do them: deal.II 9.4 writes wedges mirrored and only their vertices.
template <int dim>
std::string write_wedge_files(const Discretisation<dim> &mesh, const std::vector<NodeField> &fields, double time, const std::string &folder,
                              const std::string &base);
}  // namespace symdyn
