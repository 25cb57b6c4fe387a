#pragma once
#include <deal.II/base/point.h>

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "meshes/mesh.h"
#include "meshes/scanner.h"

namespace symdyn
{
enum class Shape
{
  point,
  line,
  triangle,
  quadrilateral,
  tetrahedron,
  hexahedron,
  wedge,
  pyramid
};
int dimension(Shape shape);
unsigned int node_count(Shape shape);
std::string shape_name(Shape shape);
bool is_simplex(Shape shape);

/// Where the i-th node that the file gives has its place in the cell of deal.II. Gmsh, VTK and Abaqus: around the
/// bottom, then around the top. Of wedges deal.II does so, too. Of pyramids the apex is the last.
unsigned int lexicographic_place(Shape shape, unsigned int i);

/// A cell, or a face of a cell, as a file gives it; `nodes` are indices into MeshFile::nodes, in deal.II's order.
struct FileElement
{
  Shape shape;
  std::array<unsigned int, 8> nodes;
  long number;  ///< as in the file, for errors
  std::size_t line;
  std::vector<int> groups;                 ///< indices into MeshFile::groups
  unsigned int middle_nodes = 0;           ///< of second order: nodes beside the corners
  unsigned int points = 0;                 ///< of integration, for tables
  std::vector<unsigned int> middles = {};  ///< those nodes, where the file names nodes
};

/// Nodes of a cell of second order beside its corners: each stands in the middle between two of them, numbered as in the file; that of a
/// face or of the cell between any two that are opposite.
using MiddleNodes = std::vector<std::array<unsigned int, 2>>;
/// The second-order cell of Gmsh's element type, or of Abaqus's name without its ending (C3D10, C3D15, C3D20, CPS6, …); null if it is none.
struct SecondOrder
{
  Shape shape;
  MiddleNodes between;
};
const SecondOrder *gmsh_second_order(long type);
const SecondOrder *abaqus_second_order(const std::string &base);

/// "element 8 (triangle)"
std::string described(const FileElement &element);

/// A face by its nodes, in any order.
struct FileFace
{
  std::vector<unsigned int> nodes;
  std::size_t line;
  long element = 0;  ///< its cell, as in the file; 0: not given
  int label = 0;     ///< which of the faces of the cell it is, from 1
};

/// All that any of the readers finds in a file. `build` makes a CoarseMesh of it.
struct MeshFile
{
  explicit MeshFile(const std::string &name) : name(name) {}

  std::string name;
  std::vector<Piece> pieces;  ///< of a text from several files
  std::vector<dealii::Point<3>> nodes;
  std::vector<long> numbers;                                     ///< of the nodes, as in the file
  std::vector<FileElement> elements;                             ///< of every dimension, mixed
  std::vector<std::string> groups;                               ///< names: materials of cells, boundaries of faces
  std::map<std::string, std::vector<FileFace>> faces;            ///< named boundaries, face by face
  std::map<std::string, std::vector<unsigned int>> node_sets;    ///< named boundaries, all faces between these nodes
  std::map<std::string, std::vector<unsigned int>> named_nodes;  ///< sets for supports, forces and points
  std::map<std::string, std::vector<std::size_t>> named_cells;   ///< sets for tables: indices of elements
  std::set<std::string> named_faces;                             ///< boundaries for tables
  /// Unit vectors at nodes, by node, and by element and node, which come first: normals of shells, axes 2 of beams.
  std::map<unsigned int, std::array<double, 3>> normals;
  std::map<std::pair<std::size_t, unsigned int>, std::array<double, 3>> normals_of_elements;
  std::map<unsigned int, double> thicknesses;  ///< of shells at nodes [m]
  std::size_t thin_line = 0;                   ///< of a beam or a shell, which is no cell of a solid; 0: there is none
  std::string thin_type;
  bool names_nodes = false;  ///< the coarse mesh is to know numbers and sets of nodes
  bool either_hand = false;  ///< the format's writers disagree about left and right; if all cells are mirrored, they are turned

  void add_node(const Scanner &scanner, std::size_t line, long number, const dealii::Point<3> &x);
  bool has_node(const long number) const { return index_of_node.count(number) > 0; }
  /// Index of the node; InputError if there is none.
  unsigned int node(const Scanner &scanner, std::size_t line, long number) const;
  /// nullptr: no node has this number.
  const dealii::Point<3> *place_of(long number) const;
  /// `numbers` of the nodes in the order of the file (around the bottom, around the top), then those of `between`.
  FileElement &add_element(const Scanner &scanner, std::size_t line, long number, Shape shape, const std::vector<long> &numbers,
                           const MiddleNodes &between = {});
  /// The node in the middle between two corners of a cell of second order, by the first of these pairs that has one; InputError of that
  /// cell if none has.
  unsigned int middle_node(const FileElement &cell, const MiddleNodes &corners) const;
  /// Index of the name, new or not.
  int group(const std::string &name);
  bool in_groups(const FileElement &element, const std::vector<std::string> &names) const;
  void keep(const std::function<bool(const FileElement &)> &is_kept);

  /// Throws InputError: "file:line: value: rule".
  [[noreturn]] void fail(std::size_t line, const std::string &value, const std::string &rule) const;

private:
  std::unordered_map<long, unsigned int> index_of_node;
  std::unordered_map<std::string, int> index_of_group;
  std::unordered_map<std::uint64_t, unsigned int> node_between;  ///< two corners
};

MeshFile read_gmsh(const std::string &file);
MeshFile read_vtk(const std::string &file);
MeshFile read_ucd(const std::string &file);
MeshFile read_abaqus(const std::string &file);

/// Checks everything, makes the triangulation, gives ids to named boundaries and materials. Errors: InputError.
template <int dim>
void build(const MeshFile &file, CoarseMesh<dim> &mesh);

/// The highest dimension of the elements; InputError if that is below 2.
int mesh_dimension(const MeshFile &file);
}  // namespace symdyn
