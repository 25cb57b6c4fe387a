#include "elements/output/cell_frames.h"

#include <algorithm>

namespace symdyn
{
/// The points of VTK's cell, as the nodes of ours that stand there, or where none does by the functions of all.
template <int dim>
class CellFrames<dim>::Points
{
public:
  explicit Points(const CellRegion<dim> &region) : cell(region.family.formulation->vtk_cell(*region.family.fe))
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

  /// Keys of the points of a cell whose nodes have these; points beside nodes are alone.
  void append(const std::vector<PointKey> &of_nodes, std::vector<PointKey> &to) const
  {
    for (const std::size_t a : node)
      to.push_back(a < of_nodes.size() ? of_nodes[a] : alone);
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

namespace
{
/// action(cell, its local nodes) of the owned cells.
template <int dim, class Action>
void for_each_cell(const Discretisation<dim> &mesh, const Action &action)
{
  for (const auto &cell : mesh.handler.active_cell_iterators())
    if (cell->is_locally_owned())
      action(cell, mesh.cell_nodes(cell));
}
}  // namespace

template <int dim>
CellFrames<dim>::CellFrames(const Discretisation<dim> &mesh, const FrameStyle style) : mesh(mesh), style(style)
{
  if (!style.shared)
    return;
  const std::vector<Points> of_cells(mesh.regions.begin(), mesh.regions.end());
  std::vector<PointKey> of_nodes, of_points;
  for_each_cell(mesh, [&](const auto &cell, const std::vector<unsigned int> &local) {
    std::vector<PointKey> here;
    for (const unsigned int node : local)
      here.push_back({mesh.node_partitioner->local_to_global(node), cell->material_id()});
    of_nodes.insert(of_nodes.end(), here.begin(), here.end());
    of_cells[cell->active_fe_index()].append(here, of_points);
  });
  nodes = std::make_unique<SharedPoints>(of_nodes, mesh.communicator);
  points = std::make_unique<SharedPoints>(of_points, mesh.communicator);
}

template <int dim>
NodeField CellFrames<dim>::at_nodes(const std::string &name, const unsigned int width, const Value &value) const
{
  NodeField field{name, width, {}};
  for_each_cell(mesh, [&](const auto &cell, const std::vector<unsigned int> &local) {
    for (unsigned int a = 0; a < local.size(); ++a)
      for (unsigned int c = 0; c < width; ++c)
        field.values.push_back(value(cell, a, local[a], int(c)));
  });
  return field;
}

template <int dim>
NodeField CellFrames<dim>::motion(const std::string &name, const Vector &u) const
{
  u.update_ghost_values();
  return at_nodes(name, 3, [&u](const auto &, unsigned int, const unsigned int node, const int c) {
    return c < dim ? u.local_element(dim * node + c) : 0.;
  });
}

template <int dim>
void CellFrames<dim>::average(NodeField &field) const
{
  if (nodes)
    nodes->average(field);
}

template <int dim>
NodeFrame CellFrames<dim>::frame(const std::vector<NodeField> &fields, const double time) const
{
  const std::vector<Points> of_cells(mesh.regions.begin(), mesh.regions.end());
  const NodeField places = at_nodes(
      "Points", 3, [&](const auto &, unsigned int, const unsigned int node, const int c) { return c < dim ? mesh.position[node][c] : 0.; });
  NodeFrame frame{{}, {}, {}, style.is_double, time, {"Points", 3, {}}, {}, {}};
  for (const NodeField &field : fields)
    frame.fields.push_back({field.name, field.width, {}});
  std::size_t before = 0;
  for_each_cell(mesh, [&](const auto &cell, const std::vector<unsigned int> &local) {
    const Points &of_cell = of_cells[cell->active_fe_index()];
    of_cell.append(places, before * places.width, frame.places);
    for (std::size_t f = 0; f < fields.size(); ++f)
      of_cell.append(fields[f], before * fields[f].width, frame.fields[f]);
    before += local.size();
    frame.add_cell(of_cell.cell.type, of_cell.cell.points.size());
  });
  if (points)
    points->merge(frame);
  return frame;
}

template <int dim>
std::string CellFrames<dim>::write(const std::vector<NodeField> &fields, const double time, const std::string &folder,
                                   const std::string &base) const
{
  return write_node_frame(frame(fields, time), folder, base, mesh.communicator);
}

template <int dim>
std::string CellFrames<dim>::write(const Vector &u, const std::vector<PointValues> &fields, const double time, const std::string &folder,
                                   const std::string &base, std::size_t &points) const
{
  std::vector<NodeField> all{motion("displacement", u)};
  points = all[0].values.size() / all[0].width;
  for (const PointValues &field : fields)
  {
    all.push_back({field.name, field.width, {field.values.begin(), field.values.begin() + long(points * field.width)}});
    average(all.back());
  }
  return write(all, time, folder, base);
}

template class CellFrames<2>;
template class CellFrames<3>;
}  // namespace symdyn
