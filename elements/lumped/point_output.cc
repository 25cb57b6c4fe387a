#include <fmt/format.h>

#include <array>
#include <fstream>
#include <functional>

#include "elements/lumped/point_output.h"
#include "solver/base/timer.h"
#include "solver/error.h"

// Frames of points and bars: VTU in plain text, which needs no library.
namespace symdyn
{
namespace
{
/// Points have three components in VTK.
void write_vectors(std::ostream &out, const std::string &name, const int n, const std::size_t points,
                   const std::function<double(std::size_t, int)> &value)
{
  out << fmt::format("<DataArray type=\"Float64\" Name=\"{}\" NumberOfComponents=\"3\" format=\"ascii\">\n", name);
  for (std::size_t k = 0; k < points; ++k)
    out << fmt::format("{} {} {}\n", value(k, 0), n > 1 ? value(k, 1) : 0., n > 2 ? value(k, 2) : 0.);
  out << "</DataArray>\n";
}

template <class Value>
void write_numbers(std::ostream &out, const std::string &type, const std::string &name, const std::size_t count, const Value &value)
{
  out << fmt::format("<DataArray type=\"{}\" Name=\"{}\" format=\"ascii\">\n", type, name);
  for (std::size_t k = 0; k < count; ++k)
    out << value(k) << "\n";
  out << "</DataArray>\n";
}

/// Points first; fixed places where lines end after them.
struct Drawing
{
  std::vector<Place> places;
  std::vector<Line> lines;
};

/// A director stands at the tip of its arrow from the centre.
Drawing drawing_of(const LumpedParts &parts, const PointMotion &motion)
{
  const int n = parts.dimension;
  Drawing drawing;
  std::vector<double> x;
  for (const auto &point : parts.points)
  {
    for (int d = 0; d < n; ++d)
      x.push_back(point.position[d] + motion.u[x.size()]);
    drawing.places.push_back(point.position);
    if (point.director_of < 0)
      continue;
    for (int d = 0; d < n; ++d)
      drawing.places.back()[d] += parts.points[point.director_of].position[d];
    drawing.lines.push_back({point.director_of, int(drawing.places.size()) - 1});
  }
  const auto draw = [&](Line line) {
    if (line.to < 0)
    {
      drawing.places.push_back(line.place);
      line.to = drawing.places.size() - 1;
    }
    drawing.lines.push_back(line);
  };
  for (const auto &term : motion.terms)
    term->draw(x.data(), draw);
  for (const auto &constraint : parts.constraints)
    constraint->draw(draw);
  return drawing;
}
}  // namespace

void write_points(const LumpedParts &parts, const PointMotion &motion, const std::string &file)
{
  const ScopedTimer timer("output");
  const int n = parts.dimension;
  const auto [places, lines] = drawing_of(parts, motion);
  const std::size_t points = parts.points.size(), all = places.size(), cells = all + lines.size();
  std::ofstream out(file);
  out << "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\">\n<UnstructuredGrid>\n";
  out << "<FieldData>\n<DataArray type=\"Float64\" Name=\"TIME\" NumberOfTuples=\"1\" format=\"ascii\">" << fmt::format("{}", motion.t)
      << "</DataArray>\n</FieldData>\n";
  out << fmt::format("<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n<Points>\n", all, cells);
  write_vectors(out, "Points", n, all, [&, &x = places](const std::size_t k, const int d) { return x[k][d]; });
  out << "</Points>\n<Cells>\n";
  out << "<DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">\n";
  for (std::size_t k = 0; k < all; ++k)
    out << k << "\n";
  for (const Line &line : lines)
    out << line.from << " " << line.to << "\n";
  out << "</DataArray>\n";
  constexpr int vertex = 1, segment = 3;  // VTK_VERTEX, VTK_LINE
  write_numbers(out, "Int32", "offsets", cells, [&](const std::size_t k) { return k < all ? k + 1 : all + 2 * (k - all + 1); });
  write_numbers(out, "UInt8", "types", cells, [&](const std::size_t k) { return k < all ? vertex : segment; });
  out << "</Cells>\n<PointData>\n";
  for (const auto &[field, values] : {std::pair<const char *, const std::vector<double> *>{"displacement", &motion.u},
                                      {"velocity", &motion.v},
                                      {"acceleration", &motion.a}})
    write_vectors(out, field, n, all, [&, x = values](const std::size_t k, const int d) {
      if (k >= points)
        return 0.;
      const int centre = parts.points[k].director_of;
      return (*x)[n * k + d] + (centre < 0 ? 0. : (*x)[n * centre + d]);
    });
  write_numbers(out, "Float64", "mass", all, [&](const std::size_t k) { return k < points ? parts.points[k].mass : 0.; });
  out << "</PointData>\n<CellData>\n";
  write_numbers(out, "Float64", "tension", cells,
                [&, &drawn = lines](const std::size_t k) { return k < all ? 0. : drawn[k - all].tension; });
  out << "</CellData>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";
  out.close();
  if (!out)
    throw ComputationError(file + ": could not be written (is the disk full?). The frames before it are complete");
}
}  // namespace symdyn
