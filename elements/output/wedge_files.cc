#include "elements/output/wedge_files.h"

namespace symdyn
{
WedgeOrder wedge_order(const unsigned int nodes)
{
  constexpr std::uint8_t linear = 13, quadratic = 26;  // VTK_WEDGE, VTK_QUADRATIC_WEDGE
  constexpr unsigned int corners = 6;
  return nodes == corners ? WedgeOrder{linear, {0, 2, 1, 3, 5, 4}}
                          : WedgeOrder{quadratic, {0, 2, 1, 3, 5, 4, 8, 7, 6, 11, 10, 9, 12, 14, 13}};
}

template <int dim>
std::string write_wedge_files(const Discretisation<dim> &mesh, const std::vector<NodeField> &fields, const double time,
                              const std::string &folder, const std::string &base)
{
  const unsigned int nodes = mesh.family.stiffness.nodes;
  const WedgeOrder order = wedge_order(nodes);
  NodeField places{"Points", 3, {}};
  for (const auto &cell : mesh.handler.active_cell_iterators())
    if (cell->is_locally_owned())
      for (const unsigned int node : mesh.cell_nodes(cell))
        for (unsigned int d = 0; d < places.width; ++d)
          places.values.push_back(d < dim ? mesh.position[node][d] : 0.);
  const auto reordered = [&](const NodeField &field) {
    NodeField result{field.name, field.width, {}};
    result.values.reserve(field.values.size());
    for (std::size_t first = 0; first < field.values.size(); first += nodes * field.width)
      for (const unsigned int node : order.nodes)
        for (unsigned int c = 0; c < field.width; ++c)
          result.values.push_back(field.values[first + node * field.width + c]);
    return result;
  };
  NodeFrame frame{order.type, nodes, false, time, reordered(places), {}};
  for (const NodeField &field : fields)
    frame.fields.push_back(reordered(field));
  return write_node_frame(frame, folder, base, mesh.communicator);
}

template std::string write_wedge_files(const Discretisation<2> &, const std::vector<NodeField> &, double, const std::string &,
                                       const std::string &);
template std::string write_wedge_files(const Discretisation<3> &, const std::vector<NodeField> &, double, const std::string &,
                                       const std::string &);
}  // namespace symdyn
