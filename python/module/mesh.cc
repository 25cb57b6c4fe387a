#include "python/module/mesh.h"

#include <algorithm>
#include <map>
#include <string>

#include "elements/cells/formulation.h"
#include "elements/models/named_sites.h"
#include "elements/models/solid.h"
#include "elements/space/named_nodes.h"
#include "elements/system/assembled_system.h"
#include "python/module/arrays.h"

namespace symdyn::python
{
namespace
{
using Rows = std::vector<std::vector<int>>;
using RowsByType = std::map<std::string, Rows>;

template <class Row>
py::array_t<int> as_array(const std::vector<Row> &rows)
{
  py::array_t<int> array({py::ssize_t(rows.size()), py::ssize_t(rows.empty() ? 0 : rows.front().size())});
  int *out = array.mutable_data();
  for (const Row &row : rows)
    out = std::copy(row.begin(), row.end(), out);
  return array;
}

py::dict as_dictionary(const RowsByType &of_types)
{
  py::dict all;
  for (const auto &[type, rows] : of_types)
    all[type.c_str()] = as_array(rows);
  return all;
}

/// vtkCellType.h, as meshio calls it.
const char *type_name(const int type)
{
  static const std::map<int, const char *> names{{5, "triangle"},
                                                 {9, "quad"},
                                                 {10, "tetra"},
                                                 {12, "hexahedron"},
                                                 {13, "wedge"},
                                                 {14, "pyramid"},
                                                 {22, "triangle6"},
                                                 {23, "quad8"},
                                                 {24, "tetra10"},
                                                 {25, "hexahedron20"},
                                                 {26, "wedge15"},
                                                 {70, "VTK_LAGRANGE_QUADRILATERAL"},
                                                 {72, "VTK_LAGRANGE_HEXAHEDRON"}};
  return names.at(type);
}

/// Of each point at which VTK wants values the node of an element.
template <int dim>
std::vector<unsigned int> order_of(const CellRegion<dim> &region, const VtkCell<dim> &cell)
{
  const auto &nodes = region.family.fe->get_unit_support_points();
  std::vector<unsigned int> order;
  for (const dealii::Point<dim> &point : cell.points)
    for (unsigned int a = 0; a < nodes.size(); ++a)
      if (point.distance(nodes[a]) < 1e-6)
        order.push_back(a);
  return order;
}

template <int dim>
class MeshArrays
{
public:
  MeshArrays(const Discretisation<dim> &mesh, const std::size_t owned_rows) : mesh(mesh), next(int(owned_rows)) {}

  void add_to(py::dict &all)
  {
    all["cells"] = cells();
    py::dict faces, boundaries, sets;
    for (const std::string &name : mesh.boundary_names())
    {
      boundaries[name.c_str()] = owned(mesh.boundary_nodes(name));
      faces[name.c_str()] = faces_of(name);
    }
    if (mesh.file_nodes)
      for (const auto &[name, members] : mesh.file_nodes->sets)
        sets[name.c_str()] = owned(NamedNodes<dim>(mesh).local({name}));
    all["faces"] = faces;
    all["boundaries"] = boundaries;
    all["sets"] = sets;
  }
  /// Of other ranks, in the order of their rows.
  const std::vector<unsigned int> &added() const { return ghosts; }

private:
  py::dict cells()
  {
    RowsByType of_types;
    for (const auto &cell : mesh.handler.active_cell_iterators())
    {
      if (!cell->is_locally_owned())
        continue;
      const CellRegion<dim> &region = mesh.region_of(cell);
      const VtkCell<dim> vtk = region.family.formulation->vtk_cell(*region.family.fe);
      const auto nodes = mesh.cell_nodes(cell);
      std::vector<int> rows;
      for (const unsigned int a : order_of(region, vtk))
        rows.push_back(row(nodes[a]));
      of_types[type_name(vtk.type)].push_back(rows);
    }
    return as_dictionary(of_types);
  }

  py::dict faces_of(const std::string &name)
  {
    RowsByType of_types;
    for (const auto &one : mesh.boundary_faces(name))
    {
      const dealii::ReferenceCell shape = one.cell->reference_cell();
      const auto nodes = mesh.cell_nodes(one.cell);
      std::vector<int> rows;
      for (unsigned int v = 0; v < shape.face_reference_cell(one.face).n_vertices(); ++v)
        rows.push_back(row(nodes[shape.face_to_cell_vertices(one.face, v, 1)]));
      if (rows.size() == 4)
        std::swap(rows[2], rows[3]);
      of_types[rows.size() == 2 ? "line" : rows.size() == 3 ? "triangle" : "quad"].push_back(rows);
    }
    return as_dictionary(of_types);
  }

  py::array_t<int> owned(const std::vector<unsigned int> &nodes) const
  {
    std::vector<int> rows;
    for (const unsigned int node : nodes)
      if (int(node) < mesh.n_owned_nodes())
        rows.push_back(int(node));
    return py::array_t<int>(rows.size(), rows.data());
  }

  int row(const unsigned int node)
  {
    if (int(node) < mesh.n_owned_nodes())
      return int(node);
    const auto [found, is_new] = row_of_ghost.emplace(node, next);
    if (is_new)
    {
      ++next;
      ghosts.push_back(node);
    }
    return found->second;
  }

  const Discretisation<dim> &mesh;
  int next;
  std::map<unsigned int, int> row_of_ghost;
  std::vector<unsigned int> ghosts;
};

template <int dim>
bool add_solid(Structure &structure, const std::size_t owned_rows, py::dict &all, std::vector<std::array<double, 3>> &places)
{
  const auto *solid = dynamic_cast<const Solid<dim> *>(&structure);
  if (!solid)
    return false;
  const Discretisation<dim> &mesh = solid->solid_body().mesh();
  MeshArrays<dim> arrays(mesh, owned_rows);
  arrays.add_to(all);
  for (const unsigned int node : arrays.added())
  {
    std::array<double, 3> place{};
    for (int d = 0; d < dim; ++d)
      place[d] = mesh.position[node][d];
    places.push_back(place);
  }
  return true;
}
}  // namespace

py::dict mesh_of(Structure &structure, const std::vector<int> &sites)
{
  const Space &space = *assembled_system(structure).all_parts().space;
  std::vector<std::array<double, 3>> places;
  for (const int site : sites)
    places.push_back(space.position(site));
  py::dict all;
  if (!add_solid<3>(structure, sites.size(), all, places) && !add_solid<2>(structure, sites.size(), all, places))
    for (const char *name : {"cells", "faces", "boundaries", "sets"})
      all[name] = py::dict();
  Array nodes({py::ssize_t(places.size()), py::ssize_t(space.block())});
  double *out = nodes.mutable_data();
  for (const auto &place : places)
    out = std::copy(place.begin(), place.begin() + space.block(), out);
  all["nodes"] = nodes;
  return all;
}
}  // namespace symdyn::python
