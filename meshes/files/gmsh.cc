#include <cstdlib>
#include <limits>
#include <set>

#include "meshes/mesh_file.h"
#include "solver/error.h"

namespace symdyn
{
namespace
{
/// Gmsh reference manual, "MSH file format", versions 4.1 and 2.2 (legacy), ASCII.
class GmshReader
{
public:
  explicit GmshReader(const std::string &file) : scanner(file), mesh(file) {}

  MeshFile read()
  {
    scanner.next_line();
    if (scanner.word("$MeshFormat") != "$MeshFormat")
      scanner.fail("first line", "a Gmsh file starts with $MeshFormat. Export the mesh as version 4.1 or 2.2 ASCII.");
    format();
    while (scanner.next_line())
      section(std::string(scanner.word("a section, such as $Nodes,")));
    return std::move(mesh);
  }

private:
  void section(const std::string &name)
  {
    static const std::set<std::string> not_a_mesh = {"$Comments",    "$Periodic",        "$Parametrizations", "$NodeData",
                                                     "$ElementData", "$ElementNodeData", "$GhostElements",    "$InterpolationScheme"};
    if (name == "$PhysicalNames")
      physical_names();
    else if (name == "$Entities" && is_new)
      entities();
    else if (name == "$Nodes")
      is_new ? nodes_in_blocks() : nodes();
    else if (name == "$Elements")
      is_new ? elements_in_blocks() : elements();
    else if (not_a_mesh.count(name))
      return skip(name);
    else
      scanner.fail(name, name == "$PartitionedEntities"
                             ? "a partitioned mesh cannot be read. Save it without partitions (symdyn makes its own)."
                             : "is not a section of a Gmsh file that can be read here.");
    end(name);
  }

  void end(const std::string &name)
  {
    const std::string expected = "$End" + name.substr(1);
    scanner.expect_line(expected.c_str());
    if (const auto found = scanner.word(expected.c_str()); found != expected)
      scanner.fail(found, expected + " is expected here; the section has more lines than its first line says.");
  }

  void skip(const std::string &name)
  {
    do
      scanner.expect_line(("$End" + name.substr(1)).c_str());
    while (scanner.rest() != "$End" + name.substr(1));
  }

  void format()
  {
    scanner.expect_line("the version of the format");
    const std::string version(scanner.word("the version of the format"));
    if (version != "2.2" && version != "4.1")
      scanner.fail(version, "versions 2.2 and 4.1 of the format can be read. Save it with `gmsh -save -format msh41`.");
    is_new = version == "4.1";
    if (scanner.integer("0 for ASCII or 1 for binary") != 0)
      scanner.fail("binary", "only ASCII files can be read. Save it without -bin (Mesh.Binary = 0).");
    scanner.integer("the size of a number");
    end("$MeshFormat");
  }

  void physical_names()
  {
    scanner.expect_line("the number of physical names");
    const long count = scanner.integer("the number of physical names");
    for (long i = 0; i < count; ++i)
    {
      scanner.expect_line("a physical name");
      const long dim = scanner.integer("the dimension of a physical group");
      const long tag = scanner.integer("the tag of a physical group");
      const std::string_view name = scanner.rest();
      if (name.size() < 3 || name.front() != '"' || name.back() != '"')
        scanner.fail(name, "the name of the physical group is expected here, in quotation marks.");
      names[{dim, tag}] = name.substr(1, name.size() - 2);
    }
  }

  /// Only the physical groups of points, curves, surfaces and volumes are kept.
  void entities()
  {
    scanner.expect_line("the numbers of entities");
    std::array<long, 4> counts;
    for (long &count : counts)
      count = scanner.integer("the number of points, curves, surfaces and volumes");
    for (long dim = 0; dim < 4; ++dim)
      for (long i = 0; i < counts[dim]; ++i)
      {
        scanner.expect_line("an entity");
        const long tag = scanner.integer("the tag of an entity", std::numeric_limits<int>::min());
        for (int bound = 0; bound < (dim == 0 ? 3 : 6); ++bound)
          scanner.real("a coordinate of the entity");
        for (long n = scanner.integer("the number of physical groups of the entity"); n > 0; --n)
          // A negative one means: seen from the other side.
          physical[{dim, tag}].push_back(std::labs(scanner.integer("a physical group", std::numeric_limits<int>::min())));
        scanner.rest();
      }
  }

  void node(const long number)
  {
    dealii::Point<3> x;
    for (int d = 0; d < 3; ++d)
      x[d] = scanner.real("a coordinate of a node");
    mesh.add_node(scanner, scanner.line(), number, x);
  }

  void nodes()
  {
    scanner.expect_line("the number of nodes");
    for (long n = scanner.integer("the number of nodes"); n > 0; --n)
    {
      scanner.expect_line("a node");
      node(scanner.integer("the number of a node", 1));
    }
  }

  void nodes_in_blocks()
  {
    scanner.expect_line("the numbers of blocks and nodes");
    const long blocks = scanner.integer("the number of blocks of nodes");
    scanner.rest();
    for (long block = 0; block < blocks; ++block)
    {
      scanner.expect_line("a block of nodes");
      for (const char *what : {"the dimension of an entity", "the tag of an entity", "0 or 1"})
        scanner.integer(what, std::numeric_limits<int>::min());
      std::vector<long> numbers(scanner.count("the number of nodes in the block"));
      for (long &number : numbers)
      {
        scanner.expect_line("the number of a node");
        number = scanner.integer("the number of a node", 1);
      }
      for (const long number : numbers)
      {
        scanner.expect_line("the coordinates of a node");
        node(number);
        scanner.rest();  // coordinates on the curve or surface, if the block has them
      }
    }
  }

  /// Of cells of second order `between` is what they have beside corners; elements of a lower dimension are named faces, which their
  /// corners tell.
  Shape shape(const long type, MiddleNodes &between)
  {
    static const std::map<long, Shape> shapes = {{15, Shape::point},        {1, Shape::line},        {2, Shape::triangle},
                                                 {3, Shape::quadrilateral}, {4, Shape::tetrahedron}, {5, Shape::hexahedron},
                                                 {6, Shape::wedge},         {7, Shape::pyramid}};
    static const std::map<long, std::string> others = {{13, "18-node wedge"}, {14, "14-node pyramid"}, {19, "13-node pyramid"}};
    if (const auto found = shapes.find(type); found != shapes.end())
      return found->second;
    if (const SecondOrder *found = gmsh_second_order(type))
    {
      between = found->between;
      return found->shape;
    }
    const auto found = others.find(type);
    scanner.fail(
        "element type " + std::to_string(type) + (found == others.end() ? "" : " (" + found->second + ")"),
        "only triangles (2, 9), quadrilaterals (3, 10, 16), tetrahedra (4, 11), hexahedra (5, 12, 17), wedges (6, 18) and pyramids (7), with lines (1, 8) and points "
        "(15), can be read. Mesh with one of them, of first or second order (Mesh.ElementOrder).");
  }

  void element(const long number, const Shape shape, const MiddleNodes &between, const std::vector<long> &tags)
  {
    std::vector<long> numbers(node_count(shape) + between.size());
    for (long &node : numbers)
      node = scanner.integer("a node of the element", 1);
    auto &element = mesh.add_element(scanner, scanner.line(), number, shape, numbers, between);
    for (const long tag : tags)
    {
      const auto name = names.find({dimension(shape), tag});
      element.groups.push_back(mesh.group(name == names.end() ? std::to_string(tag) : name->second));
    }
  }

  void elements()
  {
    scanner.expect_line("the number of elements");
    for (long n = scanner.integer("the number of elements"); n > 0; --n)
    {
      scanner.expect_line("an element");
      const long number = scanner.integer("the number of an element", 1);
      MiddleNodes between;
      const Shape type = shape(scanner.integer("the type of an element", 1), between);
      const long tags = scanner.integer("the number of tags");
      const long tag = tags > 0 ? std::labs(scanner.integer("a physical group", std::numeric_limits<int>::min())) : 0;
      for (long i = 1; i < tags; ++i)
        scanner.integer("a tag", std::numeric_limits<int>::min());
      element(number, type, between, tag == 0 ? std::vector<long>() : std::vector<long>{tag});
    }
  }

  void elements_in_blocks()
  {
    scanner.expect_line("the numbers of blocks and elements");
    const long blocks = scanner.integer("the number of blocks of elements");
    scanner.rest();
    for (long block = 0; block < blocks; ++block)
    {
      scanner.expect_line("a block of elements");
      const long dim = scanner.integer("the dimension of an entity");
      const long tag = scanner.integer("the tag of an entity", std::numeric_limits<int>::min());
      MiddleNodes between;
      const Shape type = shape(scanner.integer("the type of the elements", 1), between);
      const std::vector<long> tags = physical[{dim, tag}];
      for (long n = scanner.integer("the number of elements in the block"); n > 0; --n)
      {
        scanner.expect_line("an element");
        element(scanner.integer("the number of an element", 1), type, between, tags);
      }
    }
  }

  Scanner scanner;
  MeshFile mesh;
  bool is_new = true;
  std::map<std::pair<long, long>, std::string> names;           ///< of a physical group, by its dimension and tag
  std::map<std::pair<long, long>, std::vector<long>> physical;  ///< groups of an entity, by its dimension and tag
};
}  // namespace

MeshFile read_gmsh(const std::string &file) { return GmshReader(file).read(); }
}  // namespace symdyn
