#include "elements/files/node_files.h"

#include <deal.II/base/utilities.h>
#include <fmt/format.h>
#include <zlib.h>

#include "elements/files/vtu_files.h"

namespace symdyn
{
namespace
{
/// Arrays of a piece. Base64 of the number of bytes and the bytes; or compressed, as one block of zlib.
class ArrayWriter
{
public:
  ArrayWriter(std::ostream &out, const bool compressed) : out(out), compressed(compressed) {}

  template <class Number>
  void write(const std::string &type, const std::string &name, const unsigned int width, const std::vector<Number> &values) const
  {
    const auto *data = reinterpret_cast<const unsigned char *>(values.data());
    const std::size_t bytes = values.size() * sizeof(Number);
    out << fmt::format("<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"binary\">\n", type, name, width)
        << (compressed ? as_block(data, bytes) : encoded({std::uint32_t(bytes)}, data, bytes)) << "\n</DataArray>\n";
  }

private:
  static std::string encoded(const std::vector<std::uint32_t> &header, const unsigned char *data, const std::size_t bytes)
  {
    const auto *front = reinterpret_cast<const unsigned char *>(header.data());
    std::vector<unsigned char> all(front, front + header.size() * sizeof(header[0]));
    all.insert(all.end(), data, data + bytes);
    return dealii::Utilities::encode_base64(all);
  }

  static std::string as_block(const unsigned char *data, const std::size_t bytes)
  {
    if (bytes == 0)
      return encoded({0, 0, 0}, data, 0);
    uLongf size = compressBound(bytes);
    std::vector<unsigned char> block(size);
    compress2(block.data(), &size, data, bytes, Z_BEST_SPEED);
    return encoded({1, std::uint32_t(bytes), std::uint32_t(bytes), std::uint32_t(size)}, nullptr, 0) + encoded({}, block.data(), size);
  }

  std::ostream &out;
  bool compressed;
};

const char *type_of(const bool is_double) { return is_double ? "Float64" : "Float32"; }

void write_field(const ArrayWriter &writer, const bool is_double, const NodeField &field)
{
  if (is_double)
    writer.write(type_of(true), field.name, field.width, field.values);
  else
    writer.write(type_of(false), field.name, field.width, std::vector<float>(field.values.begin(), field.values.end()));
}

void write_piece(std::ostream &out, const NodeFrame &frame)
{
  const ArrayWriter writer(out, !frame.is_double);
  out << fmt::format(
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\"{}>\n<UnstructuredGrid>\n",
      frame.is_double ? "" : " compressor=\"vtkZLibDataCompressor\"");
  out << fmt::format(
      "<FieldData>\n<DataArray type=\"Float64\" Name=\"TIME\" NumberOfTuples=\"1\" format=\"ascii\">{}</DataArray>\n</FieldData>\n",
      frame.time);
  out << fmt::format("<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n<Points>\n", frame.places.values.size() / frame.places.width,
                     frame.types.size());
  write_field(writer, frame.is_double, frame.places);
  out << "</Points>\n<Cells>\n";
  writer.write("Int32", "connectivity", 1, frame.connectivity);
  writer.write("Int32", "offsets", 1, frame.ends);
  writer.write("UInt8", "types", 1, frame.types);
  out << "</Cells>\n<PointData>\n";
  for (const NodeField &field : frame.fields)
    write_field(writer, frame.is_double, field);
  out << "</PointData>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";
}

/// What the pieces hold; a reader takes the types of its arrays from here.
void write_record(std::ostream &out, const NodeFrame &frame, const std::vector<std::string> &pieces)
{
  const auto entry = [&frame](const NodeField &field) {
    return fmt::format("<PDataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"binary\"/>\n", type_of(frame.is_double),
                       field.name, field.width);
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

PointKey key_of(const std::vector<std::uint64_t> &words)
{
  PointKey key{0, 1};
  for (std::uint64_t &mixed : key)
    for (const std::uint64_t word : words)
    {
      mixed = (mixed ^ word) + 0x9e3779b97f4a7c15;
      mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
      mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
      mixed ^= mixed >> 31;
    }
  return key;
}

std::string write_node_frame(const NodeFrame &frame, const std::string &folder, const std::string &base, const MPI_Comm communicator)
{
  return write_pieces(
      folder, base, communicator, [&](std::ostream &out) { write_piece(out, frame); },
      [&](std::ostream &out, const std::vector<std::string> &pieces) { write_record(out, frame, pieces); });
}
}  // namespace symdyn
