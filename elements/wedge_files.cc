#include "elements/wedge_files.h"

#include <deal.II/base/data_out_base.h>
#include <deal.II/base/utilities.h>
#include <fmt/format.h>

#include <cstring>

#include "elements/vtu_files.h"

namespace symdyn
{
namespace
{
/// Which of our nodes is the i-th of VTK.
const std::vector<unsigned int> &vtk_order(const unsigned int nodes)
{
  static const std::vector<unsigned int> linear = {0, 2, 1, 3, 5, 4}, quadratic = {0, 2, 1, 3, 5, 4, 8, 7, 6, 11, 10, 9, 12, 14, 13};
  return nodes == linear.size() ? linear : quadratic;
}

/// Base64 of the number of bytes and the bytes.
template <class Number>
std::string encoded(const std::vector<Number> &values)
{
  const std::uint32_t bytes = values.size() * sizeof(Number);
  std::vector<unsigned char> all(sizeof(bytes) + bytes);
  std::memcpy(all.data(), &bytes, sizeof(bytes));
  if (bytes > 0)
    std::memcpy(all.data() + sizeof(bytes), values.data(), bytes);
  return dealii::Utilities::encode_base64(all);
}

template <class Number>
void write_array(std::ostream &out, const std::string &type, const std::string &name, const unsigned int width, const std::vector<Number> &values)
{
  out << fmt::format("<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"binary\">\n", type, name, width) << encoded(values) << "\n</DataArray>\n";
}

void write_piece(std::ostream &out, const double time, const unsigned int nodes, const NodeField &places, const std::vector<NodeField> &fields)
{
  constexpr std::uint8_t wedge = 13, quadratic_wedge = 26;  // VTK_WEDGE, VTK_QUADRATIC_WEDGE
  const auto &order = vtk_order(nodes);
  const std::size_t cells = places.values.size() / (places.width * nodes);
  const auto reordered = [&](const NodeField &field) {
    std::vector<float> values;
    values.reserve(field.values.size());
    for (std::size_t cell = 0; cell < cells; ++cell)
      for (const unsigned int node : order)
        for (unsigned int c = 0; c < field.width; ++c)
          values.push_back(float(field.values[(cell * nodes + node) * field.width + c]));
    return values;
  };
  std::vector<std::int32_t> connectivity, offsets;
  for (std::size_t i = 0; i < cells * nodes; ++i)
    connectivity.push_back(i);
  for (std::size_t cell = 1; cell <= cells; ++cell)
    offsets.push_back(cell * nodes);
  out << "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\">\n<UnstructuredGrid>\n";
  out << fmt::format("<FieldData>\n<DataArray type=\"Float64\" Name=\"TIME\" NumberOfTuples=\"1\" format=\"ascii\">{:.17g}</DataArray>\n</FieldData>\n", time);
  out << fmt::format("<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n<Points>\n", cells * nodes, cells);
  write_array(out, "Float32", places.name, places.width, reordered(places));
  out << "</Points>\n<Cells>\n";
  write_array(out, "Int32", "connectivity", 1, connectivity);
  write_array(out, "Int32", "offsets", 1, offsets);
  write_array(out, "UInt8", "types", 1, std::vector<std::uint8_t>(cells, nodes == 6 ? wedge : quadratic_wedge));
  out << "</Cells>\n<PointData>\n";
  for (const NodeField &field : fields)
    write_array(out, "Float32", field.name, field.width, reordered(field));
  out << "</PointData>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";
}

void write_record(std::ostream &out, const std::vector<NodeField> &fields, const std::vector<std::string> &pieces)
{
  using namespace dealii::DataComponentInterpretation;
  std::vector<std::string> names;
  std::vector<std::tuple<unsigned int, unsigned int, std::string, DataComponentInterpretation>> ranges;
  for (const NodeField &field : fields)
  {
    const unsigned int first = names.size();
    names.insert(names.end(), field.width, field.name);
    if (field.width > 1)
      ranges.emplace_back(first, first + field.width - 1, field.name, field.width == 3 ? component_is_part_of_vector : component_is_part_of_tensor);
  }
  dealii::DataOutBase::write_pvtu_record(out, pieces, names, ranges, dealii::DataOutBase::VtkFlags());
}
}  // namespace

template <int dim>
std::string write_wedge_files(const Discretisation<dim> &mesh, const std::vector<NodeField> &fields, const double time, const std::string &folder, const std::string &base)
{
  NodeField places{"Points", 3, {}};
  for (const auto &cell : mesh.handler.active_cell_iterators())
    if (cell->is_locally_owned())
      for (const unsigned int node : mesh.cell_nodes(cell))
        for (unsigned int d = 0; d < places.width; ++d)
          places.values.push_back(d < dim ? mesh.position[node][d] : 0.);
  return write_pieces(
      folder, base, mesh.communicator, [&](std::ostream &out) { write_piece(out, time, mesh.family.stiffness.nodes, places, fields); },
      [&](std::ostream &out, const std::vector<std::string> &pieces) { write_record(out, fields, pieces); });
}

template std::string write_wedge_files(const Discretisation<2> &, const std::vector<NodeField> &, double, const std::string &, const std::string &);
template std::string write_wedge_files(const Discretisation<3> &, const std::vector<NodeField> &, double, const std::string &, const std::string &);
}  // namespace symdyn
