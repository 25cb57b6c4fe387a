#pragma once
#include <string>
#include <vector>

#include "elements/files/node_files.h"
#include "elements/space/discretisation.h"

namespace symdyn
{
/// Whether deal.II 9.4 writes the cells of a mesh right: those of one region, of some shapes.
template <int dim>
bool library_writes(const Discretisation<dim> &mesh);

/// Files of any cells, in single precision; owned cells of `fields` and their nodes in the order of the mesh. Names and collectivity as
/// `write_vtu_files`.
template <int dim>
std::string write_cell_files(const Discretisation<dim> &mesh, const std::vector<NodeField> &fields, double time, const std::string &folder,
                             const std::string &base);
}  // namespace symdyn
