#include "elements/output/cell_files.h"

#include <algorithm>

namespace symdyn
{
namespace
{
/// The points of VTK's cell, as the nodes of ours that stand there, or where none does by the functions of all.
template <int dim>
class VtkPoints
{
public:
  explicit VtkPoints(const CellRegion<dim> &region) : cell(region.family.formulation->vtk_cell(*region.family.fe))
  {
    const auto &nodes = region.family.fe->get_unit_support_points();
    for (const dealii::Point<dim> &point : cell.points)
    {
      functions.emplace_back();
      node.push_back(std::find(nodes.begin(), nodes.end(), point) - nodes.begin());
      for (unsigned int a = 0; a < nodes.size(); ++a)
        functions.back().push_back(region.family.fe->shape_value(a, point));
    }
  }

  /// Of a cell whose values begin at `from`.
  void append(const NodeField &field, const std::size_t from, NodeField &to) const
  {
    for (std::size_t point = 0; point < node.size(); ++point)
      for (unsigned int c = 0; c < field.width; ++c)
        to.values.push_back(value(field, from + c, point));
  }

  VtkCell<dim> cell;

private:
  double value(const NodeField &field, const std::size_t from, const std::size_t point) const
  {
    if (node[point] < functions[point].size())
      return field.values[from + node[point] * field.width];
    double sum = 0;
    for (std::size_t a = 0; a < functions[point].size(); ++a)
      sum += functions[point][a] * field.values[from + a * field.width];
    return sum;
  }

  std::vector<std::size_t> node;
  std::vector<std::vector<double>> functions;
};
}  // namespace

template <int dim>
bool library_writes(const Discretisation<dim> &mesh)
{
  return mesh.regions.size() == 1 && mesh.regions.front().family.formulation->library(mesh.degree()).writes;
}

template <int dim>
NodeFrame cell_frame(const Discretisation<dim> &mesh, const std::vector<NodeField> &fields, const double time, const bool is_double)
{
  std::vector<VtkPoints<dim>> points(mesh.regions.begin(), mesh.regions.end());
  NodeFrame frame{{}, {}, is_double, time, {"Points", 3, {}}, {}};
  NodeField places{"Points", 3, {}};
  for (const NodeField &field : fields)
    frame.fields.push_back({field.name, field.width, {}});
  std::size_t nodes_before = 0;
  for (const auto &cell : mesh.handler.active_cell_iterators())
    if (cell->is_locally_owned())
    {
      const VtkPoints<dim> &of_cell = points[cell->active_fe_index()];
      const std::vector<unsigned int> nodes = mesh.cell_nodes(cell);
      places.values.clear();
      for (const unsigned int node : nodes)
        for (unsigned int d = 0; d < places.width; ++d)
          places.values.push_back(d < dim ? mesh.position[node][d] : 0.);
      of_cell.append(places, 0, frame.places);
      for (std::size_t f = 0; f < fields.size(); ++f)
        of_cell.append(fields[f], nodes_before * fields[f].width, frame.fields[f]);
      nodes_before += nodes.size();
      frame.add_cell(of_cell.cell.type, of_cell.cell.points.size());
    }
  return frame;
}

template <int dim>
std::string write_cell_files(const Discretisation<dim> &mesh, const std::vector<NodeField> &fields, const double time,
                             const std::string &folder, const std::string &base, const bool is_double)
{
  return write_node_frame(cell_frame(mesh, fields, time, is_double), folder, base, mesh.communicator);
}

template <int dim>
NodeField displacement_of_cells(const Discretisation<dim> &mesh, const Vector &u)
{
  u.update_ghost_values();
  NodeField displacement{"displacement", 3, {}};
  for (const auto &cell : mesh.handler.active_cell_iterators())
    if (cell->is_locally_owned())
      for (const unsigned int node : mesh.cell_nodes(cell))
        for (unsigned int d = 0; d < displacement.width; ++d)
          displacement.values.push_back(d < dim ? u.local_element(dim * node + d) : 0.);
  return displacement;
}

template <int dim>
std::string write_fields_at_nodes(const Discretisation<dim> &mesh, const Vector &u, const std::vector<PointValues> &fields,
                                  const double time, const std::string &folder, const std::string &base, const bool is_double,
                                  std::size_t &points)
{
  std::vector<NodeField> at_nodes{displacement_of_cells(mesh, u)};
  points = at_nodes[0].values.size() / at_nodes[0].width;
  for (const PointValues &field : fields)
    at_nodes.push_back({field.name, field.width, {field.values.begin(), field.values.begin() + long(points * field.width)}});
  return write_cell_files(mesh, at_nodes, time, folder, base, is_double);
}

template bool library_writes(const Discretisation<2> &);
template bool library_writes(const Discretisation<3> &);
template NodeFrame cell_frame(const Discretisation<2> &, const std::vector<NodeField> &, double, bool);
template NodeFrame cell_frame(const Discretisation<3> &, const std::vector<NodeField> &, double, bool);
template NodeField displacement_of_cells(const Discretisation<2> &, const Vector &);
template NodeField displacement_of_cells(const Discretisation<3> &, const Vector &);
template std::string write_cell_files(const Discretisation<2> &, const std::vector<NodeField> &, double, const std::string &,
                                      const std::string &, bool);
template std::string write_cell_files(const Discretisation<3> &, const std::vector<NodeField> &, double, const std::string &,
                                      const std::string &, bool);
template std::string write_fields_at_nodes(const Discretisation<2> &, const Vector &, const std::vector<PointValues> &, double,
                                           const std::string &, const std::string &, bool, std::size_t &);
template std::string write_fields_at_nodes(const Discretisation<3> &, const Vector &, const std::vector<PointValues> &, double,
                                           const std::string &, const std::string &, bool, std::size_t &);
}  // namespace symdyn
