#include "elements/files/node_files.h"

#include <deal.II/base/utilities.h>
#include <fmt/format.h>

#include <cstring>

#include "elements/files/vtu_files.h"

namespace symdyn
{
namespace
{
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
void write_node_array(std::ostream &out, const std::string &type, const std::string &name, const unsigned int width,
                      const std::vector<Number> &values)
{
  out << fmt::format("<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"binary\">\n", type, name, width)
      << encoded(values) << "\n</DataArray>\n";
}

const char *type_of(const NodeFrame &frame) { return frame.is_double ? "Float64" : "Float32"; }

void write_field(std::ostream &out, const NodeFrame &frame, const NodeField &field)
{
  if (frame.is_double)
    write_node_array(out, type_of(frame), field.name, field.width, field.values);
  else
    write_node_array(out, type_of(frame), field.name, field.width, std::vector<float>(field.values.begin(), field.values.end()));
}

void write_piece(std::ostream &out, const NodeFrame &frame)
{
  const std::size_t points = frame.places.values.size() / frame.places.width;
  std::vector<std::int32_t> connectivity;
  for (std::size_t i = 0; i < points; ++i)
    connectivity.push_back(i);
  out << "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\">\n<UnstructuredGrid>\n";
  out << fmt::format(
      "<FieldData>\n<DataArray type=\"Float64\" Name=\"TIME\" NumberOfTuples=\"1\" format=\"ascii\">{:.17g}</DataArray>\n</FieldData>\n",
      frame.time);
  out << fmt::format("<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n<Points>\n", points, frame.types.size());
  write_field(out, frame, frame.places);
  out << "</Points>\n<Cells>\n";
  write_node_array(out, "Int32", "connectivity", 1, connectivity);
  write_node_array(out, "Int32", "offsets", 1, frame.ends);
  write_node_array(out, "UInt8", "types", 1, frame.types);
  out << "</Cells>\n<PointData>\n";
  for (const NodeField &field : frame.fields)
    write_field(out, frame, field);
  out << "</PointData>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";
}

/// What the pieces hold; a reader takes the types of its arrays from here.
void write_record(std::ostream &out, const NodeFrame &frame, const std::vector<std::string> &pieces)
{
  const auto entry = [&](const NodeField &field) {
    return fmt::format("<PDataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"binary\"/>\n", type_of(frame), field.name,
                       field.width);
  };
  out << "<?xml version=\"1.0\"?>\n<VTKFile type=\"PUnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\">\n<PUnstructuredGrid GhostLevel=\"0\">\n";
  out << "<PPointData>\n";
  for (const NodeField &field : frame.fields)
    out << entry(field);
  out << "</PPointData>\n<PPoints>\n" << entry(frame.places) << "</PPoints>\n";
  for (const std::string &piece : pieces)
    out << "<Piece Source=\"" << piece << "\"/>\n";
  out << "</PUnstructuredGrid>\n</VTKFile>\n";
}
}  // namespace

std::string write_node_frame(const NodeFrame &frame, const std::string &folder, const std::string &base, const MPI_Comm communicator)
{
  return write_pieces(
      folder, base, communicator, [&](std::ostream &out) { write_piece(out, frame); },
      [&](std::ostream &out, const std::vector<std::string> &pieces) { write_record(out, frame, pieces); });
}
}  // namespace symdyn
