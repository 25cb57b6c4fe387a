#include <algorithm>

#include "meshes/mesh_file.h"

namespace symdyn
{
namespace
{
/// AVS writes a hexahedron and a prism from the top down (AVS Developer's Guide, "UCD file format"); as a bottom-up one it is
/// mirrored.
std::vector<long> bottom_up(const Shape shape, std::vector<long> numbers)
{
  if (shape == Shape::hexahedron || shape == Shape::wedge)
    std::rotate(numbers.begin(), numbers.begin() + numbers.size() / 2, numbers.end());
  if (shape == Shape::tetrahedron)
    std::swap(numbers[2], numbers[3]);
  return numbers;
}

Shape shape_of(const Scanner &scanner, const std::string &type)
{
  static const std::map<std::string, Shape> shapes = {
      {"pt", Shape::point},        {"line", Shape::line},      {"tri", Shape::triangle}, {"quad", Shape::quadrilateral},
      {"tet", Shape::tetrahedron}, {"hex", Shape::hexahedron}, {"prism", Shape::wedge}};
  const auto found = shapes.find(type);
  if (found == shapes.end())
    scanner.fail(type, "the type of a UCD cell is pt, line, tri, quad, tet, hex or prism; pyramids cannot be read.");
  return found->second;
}
}  // namespace

MeshFile read_ucd(const std::string &file)
{
  Scanner scanner(file);
  MeshFile mesh(file);
  mesh.either_hand = true;
  scanner.next_line();
  while (scanner.peek() == '#')
  {
    scanner.rest();
    scanner.expect_line("the header of a UCD file (5 numbers)");
  }
  const long nodes = scanner.integer("the number of nodes, the first of the 5 numbers of a UCD header");
  const long cells = scanner.integer("the number of cells, the second of the 5 numbers of a UCD header");
  for (int i = 0; i < 3; ++i)
    scanner.integer("a number of data columns, of the 5 numbers of a UCD header");
  for (long i = 0; i < nodes; ++i)
  {
    scanner.expect_line("a node");
    const long number = scanner.integer("the number of a node");
    dealii::Point<3> x;
    for (int d = 0; d < 3; ++d)
      x[d] = scanner.real("a coordinate of a node");
    mesh.add_node(scanner, scanner.line(), number, x);
  }
  for (long i = 0; i < cells; ++i)
  {
    scanner.expect_line("a cell");
    const long number = scanner.integer("the number of a cell");
    const long material = scanner.integer("the material of a cell");
    const Shape shape = shape_of(scanner, std::string(scanner.word("the type of a cell")));
    std::vector<long> numbers(node_count(shape));
    for (long &node : numbers)
      node = scanner.integer("a node of the cell");
    mesh.add_element(scanner, scanner.line(), number, shape, bottom_up(shape, numbers))
        .groups.push_back(mesh.group(std::to_string(material)));
  }
  return mesh;  // data at nodes and cells may follow; they are no part of the mesh
}
}  // namespace symdyn
