#include <algorithm>
#include <cctype>

#include "meshes/mesh_file.h"

namespace symdyn
{
namespace
{
std::string upper(std::string_view word)
{
  std::string result(word);
  std::transform(result.begin(), result.end(), result.begin(), [](unsigned char c) { return std::toupper(c); });
  return result;
}

/// Legacy VTK files, ASCII, unstructured grids (VTK User's Guide, "VTK file formats"; the version 5 variant, too).
class VtkReader
{
public:
  explicit VtkReader(const std::string &file) : scanner(file), mesh(file) {}

  MeshFile read()
  {
    header();
    scanner.across_lines(true);
    while (scanner.next_line())
      keyword();
    if (shapes.empty())
      scanner.fail("end of file", "the file has no CELL_TYPES and so no mesh.");
    add_elements();
    return std::move(mesh);
  }

private:
  void header()
  {
    scanner.next_line();
    if (scanner.rest().substr(0, 5) != "# vtk")
      scanner.fail("first line", "a legacy VTK file starts with \"# vtk DataFile Version\". Save it as legacy ASCII .vtk.");
    scanner.expect_line("the title of the data");
    std::string_view found = scanner.rest();
    // The title may be blank, and blank lines are skipped.
    if (upper(found) != "ASCII" && upper(found) != "BINARY")
    {
      scanner.expect_line("ASCII");
      found = scanner.rest();
    }
    if (upper(found) != "ASCII")
      scanner.fail(found, "only ASCII files can be read. Save it as legacy VTK, ASCII.");
    scanner.expect_line("DATASET UNSTRUCTURED_GRID");
    if (const auto found = scanner.rest(); upper(found) != "DATASET UNSTRUCTURED_GRID")
      scanner.fail(found, "DATASET UNSTRUCTURED_GRID is expected here; other data sets cannot be read.");
  }

  void keyword()
  {
    const std::string name = upper(scanner.word("a keyword"));
    if (name == "POINTS")
      points();
    else if (name == "CELLS")
      cells();
    else if (name == "CELL_TYPES")
      types();
    else if (name == "CELL_DATA" || name == "POINT_DATA")
    {
      of_cells = name == "CELL_DATA";
      count = scanner.integer("the number of cells or points");
      if (of_cells && count != long(shapes.size()))
        scanner.fail(std::to_string(count), "CELL_DATA must be for all " + std::to_string(shapes.size()) + " cells.");
    }
    else
      attribute(name);
  }

  void points()
  {
    const long n = scanner.integer("the number of points");
    scanner.word("the type of the coordinates");
    for (long i = 0; i < n; ++i)
    {
      dealii::Point<3> x;
      for (int d = 0; d < 3; ++d)
        x[d] = scanner.real("a coordinate of a point");
      mesh.add_node(scanner, scanner.line(), i, x);
    }
  }

  void cells()
  {
    const long n = scanner.count("the number of cells"), size = scanner.count("the size of the list of cells");
    if (std::isalpha(static_cast<unsigned char>(scanner.peek())))
    {
      scanner.word("OFFSETS");
      return cells_by_offsets(n, size);
    }
    for (long i = 0; i < n; ++i)
    {
      connectivity.emplace_back(scanner.count("the number of points of a cell"));
      lines.push_back(scanner.line());
      for (long &point : connectivity.back())
        point = scanner.integer("a point of a cell");
    }
  }

  /// Version 5: n is the number of cells plus 1.
  void cells_by_offsets(const long n, const long size)
  {
    scanner.word("the type of the offsets");
    std::vector<long> offsets(n);
    for (long &offset : offsets)
      offset = scanner.integer("an offset");
    if (const auto found = scanner.word("CONNECTIVITY"); upper(found) != "CONNECTIVITY")
      scanner.fail(found, "CONNECTIVITY is expected here.");
    scanner.word("the type of the connectivity");
    long read = 0;
    for (long i = 0; i + 1 < n; ++i)
    {
      if (offsets[i + 1] < offsets[i] || offsets[i + 1] > size)
        scanner.fail(std::to_string(offsets[i + 1]), "the offsets of the cells must grow, up to the size of the list.");
      connectivity.emplace_back(offsets[i + 1] - offsets[i]);
      for (long &point : connectivity.back())
        point = scanner.integer("a point of a cell");
      lines.push_back(scanner.line());
      read += connectivity.back().size();
    }
    for (; read < size; ++read)
      scanner.integer("a point of a cell");
  }

  void types()
  {
    const long n = scanner.integer("the number of cell types");
    if (n != long(connectivity.size()))
      scanner.fail(std::to_string(n), "CELL_TYPES must be for all " + std::to_string(connectivity.size()) + " CELLS.");
    for (long i = 0; i < n; ++i)
      shapes.push_back(shape(scanner.integer("the type of a cell"), i));
  }

  /// Pixels and voxels are quadrilaterals and hexahedra in lexicographic order.
  Shape shape(const long type, const long cell)
  {
    static const std::map<long, Shape> known = {
        {1, Shape::point},        {3, Shape::line},        {5, Shape::triangle},    {8, Shape::quadrilateral}, {9, Shape::quadrilateral},
        {10, Shape::tetrahedron}, {11, Shape::hexahedron}, {12, Shape::hexahedron}, {13, Shape::wedge},        {14, Shape::pyramid}};
    const std::string value = "cell " + std::to_string(cell) + " of VTK type " + std::to_string(type);
    if (type >= 21 && type <= 37)
      scanner.fail(value,
                   "cells of second order cannot be read; the mesh needs straight edges (the degree is the deck's "
                   "choice).");
    const auto found = known.find(type);
    if (found == known.end())
      scanner.fail(
          value,
          "only triangles (5), quadrilaterals (9), tetrahedra (10), hexahedra (12), wedges (13) and pyramids (14), with lines (3) and "
          "points (1), can be read.");
    if (connectivity[cell].size() != node_count(found->second))
      scanner.fail_at(lines[cell], value,
                      "has " + std::to_string(connectivity[cell].size()) + " points, but a " + shape_name(found->second) + " has " +
                          std::to_string(node_count(found->second)) + ".");
    if (type == 8 || type == 11)
      for (std::size_t i = 0; i + 3 < connectivity[cell].size(); i += 4)
        std::swap(connectivity[cell][i + 2], connectivity[cell][i + 3]);
    return found->second;
  }

  /// Any data; of cells, MaterialID and BoundaryID are kept.
  void attribute(const std::string &kind)
  {
    if (kind == "METADATA")
      return metadata();
    const std::string name(scanner.word("the name of a field of data"));
    if (kind == "FIELD")
    {
      for (long n = scanner.integer("the number of arrays"); n > 0; --n)
        array();
      return;
    }
    if (kind == "LOOKUP_TABLE")
      return values("", 4 * scanner.integer("the size of the table"));
    static const std::map<std::string, long> components = {{"VECTORS", 3}, {"NORMALS", 3}, {"TENSORS", 9}};
    if (kind != "SCALARS" && components.count(kind) == 0)
      scanner.fail(kind, "is not a keyword of a legacy VTK mesh that can be read here.");
    scanner.word("the type of the data");
    if (kind != "SCALARS")
      return values("", count * components.at(kind));
    scanner.across_lines(false);
    const long n = scanner.line_ends() ? 1 : scanner.integer("the number of components");
    scanner.across_lines(true);
    if (const auto found = scanner.word("LOOKUP_TABLE"); upper(found) != "LOOKUP_TABLE")
      scanner.fail(found, "LOOKUP_TABLE is expected here.");
    scanner.word("the name of the lookup table");
    values(name, count * n);
  }

  void array()
  {
    std::string name(scanner.word("the name of an array"));
    if (upper(name) == "METADATA")
    {
      metadata();
      name = scanner.word("the name of an array");
    }
    const long components = scanner.integer("the number of components");
    const long tuples = scanner.integer("the number of tuples");
    const bool is_text = upper(scanner.word("the type of the array")) == "STRING";
    if (is_text)
      for (long i = 0; i < components * tuples; ++i)
        scanner.word("a value");
    else
      values(name, components * tuples);
  }

  void values(const std::string &name, const long n)
  {
    const bool keep = of_cells && (name == "MaterialID" || name == "BoundaryID");
    if (keep && n != long(shapes.size()))
      scanner.fail(name, "needs one whole number for each cell.");
    for (long i = 0; i < n; ++i)
      if (keep)
        ids[name].push_back(scanner.integer("a material or boundary number", -1));
      else
        scanner.word("a value");  // of no interest here, it may be NaN
  }

  /// By the format it ends at the next blank line.
  void metadata()
  {
    scanner.across_lines(false);
    scanner.rest();
    scanner.skip_to_blank_line();
    scanner.across_lines(true);
  }

  void add_elements()
  {
    int dim = 0;
    for (const Shape shape : shapes)
      dim = std::max(dim, dimension(shape));
    // VTK has the normal of a wedge's first triangle point out of it, Gmsh and others write it as their own.
    mesh.either_hand = std::count(shapes.begin(), shapes.end(), Shape::wedge) > 0;
    for (std::size_t i = 0; i < shapes.size(); ++i)
    {
      auto &element = mesh.add_element(scanner, lines[i], i, shapes[i], connectivity[i]);
      // deal.II writes faces with their boundary id in MaterialID.
      const bool is_face = dimension(shapes[i]) < dim && ids.count("BoundaryID");
      const auto found = ids.find(is_face ? "BoundaryID" : "MaterialID");
      if (found != ids.end() && found->second[i] >= 0)
        element.groups.push_back(mesh.group(std::to_string(found->second[i])));
    }
  }

  Scanner scanner;
  MeshFile mesh;
  std::vector<std::vector<long>> connectivity;
  std::vector<std::size_t> lines;
  std::vector<Shape> shapes;
  std::map<std::string, std::vector<long>> ids;
  bool of_cells = false;
  long count = 0;
};
}  // namespace

MeshFile read_vtk(const std::string &file) { return VtkReader(file).read(); }
}  // namespace symdyn
