#pragma once
#include <array>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace symdyn
{
class Parameters;

/// Triangles, quadrilaterals and lines in space, the same on every rank.
struct SurfaceMesh
{
  using Place = std::array<double, 3>;
  struct Cell
  {
    std::vector<unsigned int> nodes;  ///< 3 or 4 corners around, counterclockwise about the normal; then none, or the middles of its edges
    std::vector<int> groups;          ///< indices into SurfaceMesh::groups
    std::string name;                 ///< for messages: "element 12"
    long number = 0;                  ///< in the file
    std::vector<Place> normals = {};  ///< that the file gives at the nodes, of length 1, or 0: none; empty: it gives none
    std::size_t corners() const { return nodes.size() <= 4 ? nodes.size() : nodes.size() / 2; }
  };
  using Edge = std::vector<unsigned int>;  ///< both ends, then the middle if there is one
  struct Line
  {
    std::vector<unsigned int> nodes;  ///< both ends, then the middle if there is one
    std::vector<int> groups;          ///< as of cells
    std::string name;
    long number = 0;
    std::vector<Place> normals = {};  ///< as of cells: axis 2 of the section of a beam
  };
  std::vector<Place> nodes;         ///< [m]
  std::vector<double> thicknesses;  ///< of shells at the nodes, where the file gives them, else 0 [m]; empty: it gives none
  std::vector<Place> normals;       ///< unit normals at the nodes, where the shape knows them; empty: they follow from the cells
  std::vector<Cell> cells;
  std::vector<Line> lines;  ///< of a file, where they have a group: beams, or boundaries
  std::vector<std::string> groups;
  std::unordered_map<long, unsigned int> node_of_number;  ///< numbers as in the file; empty: it does not name nodes
  std::map<std::string, std::vector<Edge>> edges;         ///< of boundaries, by name
  std::map<std::string, std::vector<unsigned int>> sets;  ///< nodes that the file names
  std::set<std::string> cut;                              ///< of these sets not all nodes are here: beside a solid
  std::map<std::string, std::vector<long>> printed;       ///< sets of elements that the file has tables of: numbers in the file

  /// The edges of a boundary. Errors: InputError that lists the boundaries.
  const std::vector<Edge> &boundary(const std::string &name) const;
  /// Numbers of the cells of these groups; {}: all. Errors: InputError that lists the groups, or for groups that have no cell.
  std::vector<std::size_t> cells_of(const std::vector<std::string> &names) const;
  /// Numbers of the lines of these groups. Errors: as of cells.
  std::vector<std::size_t> lines_of(const std::vector<std::string> &names) const;
  /// Whether some node is in the set of this name, or has this number.
  bool set_is_known(const std::string &name) const;
  /// Nodes of a set of the file, or the one of this number there. Errors: InputError that lists the sets.
  std::vector<unsigned int> set(const std::string &name) const;
  /// Diagonal of the box around the nodes [m].
  double size() const;
  /// Pairs of nodes at one place, to 1e-7 of the size.
  std::vector<std::array<unsigned int, 2>> coincident_nodes() const;
  /// Cuts each quadrilateral along its shorter diagonal. Errors: InputError for cells of second order.
  void cut_into_triangles();
};

/// A surface that symdyn meshes by itself: Registry<SurfaceShape>.
class SurfaceShape
{
public:
  virtual ~SurfaceShape() = default;
  virtual void declare(Parameters &p) = 0;
  /// `cells`: the deck's "Mesh/Subdivisions", empty if not given (then a number of its own); a wrong count is an InputError.
  virtual SurfaceMesh make(const std::vector<int> &cells) const = 0;
};

/// The triangles, quadrilaterals and lines of a Gmsh, VTK, UCD, Abaqus or CalculiX file with its groups, named lines as boundaries, too.
/// Nodes are numbered so that neighbours are near (Cuthill, McKee 1969). `beside`: groups of shells and beams beside a solid; what is not
/// in one of them is left out, but for lines between their nodes. {}: all of it, and no cell is a solid one. Errors: InputError with file
/// and line.
SurfaceMesh read_surface(const std::string &file, const std::vector<std::string> &beside = {});
}  // namespace symdyn
