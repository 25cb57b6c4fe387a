#pragma once
#include <string>
#include <vector>

#include "elements/discretisation.h"

namespace symdyn
{
/// A field at the nodes of the owned cells: values[((cell * nodes) + node) * width + component], cells and their nodes in the order of the mesh.
struct NodeField
{
  std::string name;
  unsigned int width;  ///< 1: scalar, 3: vector, 9: tensor
  std::vector<double> values;
};

/// Files of wedges as VTK has them: cells of type 13 (6 nodes) or 26 (15 nodes, quadratic), numbered so that the normal of the first triangle points out of the
/// cell. Names and collectivity as `write_vtu_files`, which cannot do them: deal.II 9.4 writes wedges mirrored and only their vertices.
template <int dim>
std::string write_wedge_files(const Discretisation<dim> &mesh, const std::vector<NodeField> &fields, double time, const std::string &folder, const std::string &base);
}  // namespace symdyn
