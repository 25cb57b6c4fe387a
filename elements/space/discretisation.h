#pragma once
#include <deal.II/distributed/tria_base.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/grid/manifold.h>

#include <array>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "elements/space/cell_region.h"
#include "meshes/mesh.h"
#include "solver/vector.h"

namespace symdyn
{
template <int dim>
class Discretisation;
/// Moves nodes of a mesh that have numbers and places, and nothing else yet (MovedSurface).
template <int dim>
using AdjustMesh = std::function<void(Discretisation<dim> &)>;

/// A distributed mesh with its nodes. Degree of freedom = dim * node + component; a rank owns a contiguous range of nodes,
/// and knows ("local nodes", owned first) all nodes of its own and of its ghost cells.
template <int dim>
class Discretisation
{
public:
  using Cell = typename dealii::DoFHandler<dim>::active_cell_iterator;

  /// Distributes the mesh (hexahedra by p4est, other cells by METIS), refines it and numbers the nodes. Collective.
  /// A mesh of second order keeps the places of its nodes: the geometry is that of the element of degree 2
  /// (isoparametric). Of meshes with arcs and a degree of 2 and more it is that of the element, with its nodes on the
  /// arcs. Of cells of several shapes those have the formulation for which it exists, the others are standard.
  /// Errors: InputError for an unsupported degree or a cell with a Jacobian that is not positive.
  Discretisation(CoarseMesh<dim> &&mesh, int degree, int refinements, const std::string &formulation = "standard",
                 const AdjustMesh<dim> &adjust = nullptr);
  /// Other elements on the same mesh.
  Discretisation(const Discretisation &other, int degree);

  struct BoundaryFace
  {
    Cell cell;
    unsigned int face;
  };

  /// Appends sites that are no nodes, lumped points for instance: they stand behind the owned nodes of the first rank. `known`: sites of
  /// other ranks that this rank needs beside the nodes of its cells. Before anything keeps local numbers of ghost nodes. Entries of
  /// appended sites in `position` are infinite. Collective.
  void append_sites(int appended, const dealii::IndexSet &known);
  /// The number of a node of the mesh, as the handler has it, among the sites.
  std::int64_t site_of(std::int64_t node) const;
  /// The number of the first appended site.
  std::int64_t first_appended() const { return of_first_rank; }

  int n_local_nodes() const { return int(position.size()); }
  int n_owned_nodes() const { return n_owned; }
  std::uint64_t n_cells() const { return triangulation->n_global_active_cells(); }
  std::uint64_t n_nodes() const { return handler.n_dofs(); }
  Vector new_vector() const { return Vector(partitioner); }

  int degree() const { return int(regions.front().family.fe->degree); }
  const CellRegion<dim> &region_of(const Cell &cell) const { return regions[cell->active_fe_index()]; }

  /// Local indices of the nodes of a cell, in the element's order.
  std::vector<unsigned int> cell_nodes(const Cell &cell) const;
  /// Faces of owned cells on the named boundary. Errors: InputError listing the names that exist, nearest first.
  /// With ghosts: of all cells this rank knows, for matrices, whose rows are complete on their rank.
  std::vector<BoundaryFace> boundary_faces(const std::string &name, bool with_ghosts = false) const;
  /// Local nodes on the named boundary (also those of ghost cells), ascending.
  std::vector<unsigned int> boundary_nodes(const std::string &name) const;
  std::vector<std::string> boundary_names() const;
  const std::set<dealii::types::boundary_id> &boundary_ids(const std::string &name) const;

  MPI_Comm communicator;
  std::shared_ptr<dealii::parallel::TriangulationBase<dim>> triangulation;
  dealii::DoFHandler<dim> handler;  ///< scalar: one index a node
  std::shared_ptr<const dealii::Utilities::MPI::Partitioner> node_partitioner, partitioner;
  std::vector<dealii::Point<dim>> position;  ///< of the local nodes [m]
  /// The same before any was moved, as vertices of cells and file_nodes have it; empty: none was.
  std::vector<dealii::Point<dim>> position_in_file;
  std::vector<CellRegion<dim>> regions;  ///< at least one
  std::map<dealii::types::material_id, std::string> materials;
  std::map<dealii::types::material_id, double> thickness;  ///< of plane cells [m]; of those that are not in it: 1
  std::map<std::string, std::set<dealii::types::boundary_id>> boundaries;
  double smallest_edge = 0;                          ///< over all ranks [m]
  std::shared_ptr<const FileNodes<dim>> file_nodes;  ///< of the coarse mesh; null: the mesh names no nodes
  bool has_all_file_nodes = true;                    ///< no: of a lower degree than the elements of the file, for preconditioners

private:
  void distribute(CoarseMesh<dim> &&mesh, int refinements);
  void make_spaces(const AdjustMesh<dim> &adjust = nullptr);
  void number_nodes();
  void place_nodes();
  std::vector<dealii::Point<dim>> places(const Cell &cell) const;
  bool has_curved_edges(const Cell &cell) const;
  void make_batches();
  void measure_edges();

  int n_owned = 0, n_appended = 0;
  std::int64_t of_first_rank = std::numeric_limits<std::int64_t>::max();  // nodes that the first rank owns, where sites are appended
  std::string of_cells = "standard";                                      // formulation
  std::vector<dealii::Point<dim>> coarse_nodes;                           // CoarseMesh::nodes
  std::vector<std::size_t> first_node;                                    // of each coarse cell, in these
  std::unique_ptr<const dealii::Manifold<dim>> arcs;                      // of meshes with arcs, until the nodes have their places
};

/// A number below 2^62 for each owned node, which is the same however many ranks share the mesh: the least of random ones, each a
/// function of a cell's place in the refined coarse mesh and of the node's in the cell. Two of 10^6 nodes have the same one with a
/// probability of 1e-7.
template <int dim>
std::vector<std::uint64_t> node_identities(const Discretisation<dim> &mesh);

/// Faces on several boundaries; a face that two names share counts once. Errors as of Discretisation::boundary_faces().
template <int dim>
std::vector<typename Discretisation<dim>::BoundaryFace> boundary_faces(const Discretisation<dim> &mesh,
                                                                       const std::vector<std::string> &names, bool with_ghosts = false);

/// The range of sites that this rank would own with so many more on the first rank.
template <int dim>
std::pair<std::uint64_t, std::uint64_t> owned_sites(const Discretisation<dim> &mesh, int appended);
}  // namespace symdyn
