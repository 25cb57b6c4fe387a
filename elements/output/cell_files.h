#pragma once
#include <string>
#include <vector>

#include "elements/files/node_files.h"
#include "elements/space/discretisation.h"
#include "solver/stress_points.h"

namespace symdyn
{
/// Whether deal.II 9.4 writes the cells of a mesh right: those of one region, of some shapes.
template <int dim>
bool library_writes(const Discretisation<dim> &mesh);

/// Any cells with `fields`, as write_cell_files() writes them.
template <int dim>
NodeFrame cell_frame(const Discretisation<dim> &mesh, const std::vector<NodeField> &fields, double time, bool is_double);

/// Files of any cells, in single precision unless `is_double`; owned cells of `fields` and their nodes in the order of the mesh. Names and
/// collectivity as `write_vtu_files`.
template <int dim>
std::string write_cell_files(const Discretisation<dim> &mesh, const std::vector<NodeField> &fields, double time, const std::string &folder,
                             const std::string &base, bool is_double = false);

/// A motion u as `displacement` at the nodes of the cells.
template <int dim>
NodeField displacement_of_cells(const Discretisation<dim> &mesh, const Vector &u);

/// The same of a motion u, as `displacement`, and of those of the values of `fields` that are at nodes of the cells, which stand first.
/// Returns how many points these are in `points`.
template <int dim>
std::string write_fields_at_nodes(const Discretisation<dim> &mesh, const Vector &u, const std::vector<PointValues> &fields, double time,
                                  const std::string &folder, const std::string &base, bool is_double, std::size_t &points);
}  // namespace symdyn
