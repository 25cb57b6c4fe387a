#pragma once
#include <deal.II/grid/tria.h>

#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace symdyn
{
class Parameters;

/// A serial coarse mesh with names. Hexahedra/quadrilaterals or tetrahedra/triangles, never mixed.
template <int dim>
struct CoarseMesh
{
  dealii::Triangulation<dim> cells;
  /// Name of each material_id in use, e.g. {0: "body"}; from generators one entry, from files the physical group names.
  std::map<dealii::types::material_id, std::string> materials;
  /// Boundary names and the boundary_ids they consist of (a face in two named sets carries an id that both list). Faces
  /// without a name have an id that no entry lists.
  std::map<std::string, std::set<dealii::types::boundary_id>> boundaries;
  /// Of meshes of second order: the places of all nodes of each cell, `nodes_of_cell` a cell, in the order of deal.II's element of these nodes:
  /// vertices, middles of lines, of faces, of the cell. Empty: straight edges.
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
  /// `cells`: the deck's "Mesh/Cells", empty if not given (then the generator's own default); a wrong count is an InputError.
  virtual void make(const std::vector<int> &cells, CoarseMesh<dim> &mesh) const = 0;
};

/// Reads a mesh file by its ending: Gmsh .msh (2.2, 4.1 ASCII), VTK legacy .vtk, UCD .inp/.ucd, Abaqus .inp (told from UCD
/// by its first keyword). Errors: InputError naming file, line, element type, group.
template <int dim>
void read_mesh(const std::string &file, CoarseMesh<dim> &mesh);

/// Coordinates of the node that has this number in a mesh file [m]. Errors: InputError.
std::array<double, 3> place_of_node(const std::string &file, long number);

/// 2 or 3: the highest dimension of the cells in the file.
int mesh_file_dimension(const std::string &file);

/// Replaces quadrilaterals by 8 triangles and hexahedra by 24 tetrahedra each; names stay.
template <int dim>
void to_simplices(CoarseMesh<dim> &mesh);
}  // namespace symdyn
