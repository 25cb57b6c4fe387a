#pragma once
#include <deal.II/grid/tria.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace symdyn
{
class Parameters;

/// A node as a file gives it.
template <int dim>
struct FileNode
{
  long number;                ///< in the file
  dealii::Point<dim> x;       ///< [m]
  dealii::Point<dim> beside;  ///< the centre of a coarse cell that has it: tells nodes at one place apart
};

/// A cell as a file gives it.
template <int dim>
struct FileCell
{
  long number;                                       ///< in the file
  std::array<dealii::Point<dim>, 1 << dim> corners;  ///< in deal.II's order; of simplices the first dim + 1, of wedges 6, of pyramids 5 [m]
  unsigned int points;                               ///< of integration, in the tables of the program the file is for; 0: it has none
  unsigned int vertices;                             ///< how many of the corners it has
};

/// The mean of its corners [m].
template <int dim>
dealii::Point<dim> centre_of(const FileCell<dim> &cell)
{
  dealii::Point<dim> centre;
  for (unsigned int i = 0; i < cell.vertices; ++i)
    centre += cell.corners[i] / double(cell.vertices);
  return centre;
}

/// A face of a cell as a file numbers it.
struct FileSide
{
  long cell;                                 ///< its number in the file
  int face;                                  ///< of the cell, from 1
  std::vector<unsigned int> corners, nodes;  ///< of the face, around it, and of the cell: indices of FileNodes::nodes
};

/// Nodes of cells by number, and the sets that name them: indices into `nodes`, in the order of the file.
template <int dim>
struct FileNodes
{
  std::vector<FileNode<dim>> nodes;  ///< by number
  std::map<std::string, std::vector<unsigned int>> sets;
  std::map<std::string, std::vector<long>> bare;                ///< numbers of the nodes of sets that no cell has
  std::map<std::string, std::vector<FileCell<dim>>> cell_sets;  ///< those of which tables are wanted
  std::map<std::string, std::vector<FileSide>> sides;           ///< boundaries of which tables are wanted

  /// nodes.end() if there is none.
  typename std::vector<FileNode<dim>>::const_iterator with_number(const long number) const
  {
    const auto found =
        std::lower_bound(nodes.begin(), nodes.end(), number, [](const FileNode<dim> &node, const long n) { return node.number < n; });
    return found != nodes.end() && found->number == number ? found : nodes.end();
  }
};

/// A serial coarse mesh with names, of quadrilaterals and triangles, or of hexahedra, tetrahedra, wedges and pyramids.
template <int dim>
struct CoarseMesh
{
  dealii::Triangulation<dim> cells;
  /// Name of each material_id in use, e.g. {0: "body"}; from generators one entry, from files the physical group names.
  std::map<dealii::types::material_id, std::string> materials;
  /// Boundary names and the boundary_ids they consist of (a face in two named sets carries an id that both list). Faces
  /// without a name have an id that no entry lists.
  std::map<std::string, std::set<dealii::types::boundary_id>> boundaries;
  /// Of files that number their nodes and name sets of them; else null.
  std::shared_ptr<const FileNodes<dim>> file_nodes;
  /// Of meshes of second order: the places of all nodes of each cell, `nodes_of_cell` a cell (of several shapes: at most), in the order of
  /// deal.II's element of these nodes: vertices, middles of lines, of faces, of the cell. Empty: straight edges.
  std::vector<dealii::Point<dim>> nodes;
  unsigned int nodes_of_cell = 0;
};

/// A shape that symdyn meshes by itself. Registered for the dimensions where it makes sense: Registry<MeshGenerator<2>>,
/// Registry<MeshGenerator<3>>.
template <int dim>
class MeshGenerator
{
public:
  virtual ~MeshGenerator() = default;
  /// Sizes [m]; number of cells in the first coarse mesh.
  virtual void declare(Parameters &p) = 0;
  /// How many cells make() will make, without making any: as many as a number can say.
  virtual double number_of_cells(const std::vector<int> &cells) const = 0;
  /// `cells`: the deck's "Mesh/Subdivisions", empty if not given (then the generator's own default); a wrong count is an InputError.
  virtual void make(const std::vector<int> &cells, CoarseMesh<dim> &mesh) const = 0;
};

/// Reads a mesh file by its ending: Gmsh .msh (2.2, 4.1 ASCII), VTK legacy .vtk, UCD .inp/.ucd, Abaqus .inp (told from UCD
/// by its first keyword). Elements of lower dimension in the groups `thin` are shells and beams, no boundaries. Errors: InputError naming
/// file, line, element type, group.
template <int dim>
void read_mesh(const std::string &file, CoarseMesh<dim> &mesh, const std::vector<std::string> &thin = {});

/// Coordinates of the node that has this number in a mesh file [m]. Errors: InputError.
std::array<double, 3> place_of_node(const std::string &file, long number);

/// 2 or 3: the highest dimension of the cells in the file.
int mesh_file_dimension(const std::string &file);

/// Replaces quadrilaterals by 8 triangles and hexahedra by 24 tetrahedra each; names stay.
template <int dim>
void to_simplices(CoarseMesh<dim> &mesh);
}  // namespace symdyn
