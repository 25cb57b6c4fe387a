#pragma once
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/mapping.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "elements/cells/cell_kernels.h"
#include "elements/cells/reference_element.h"
#include "solver/vector.h"

namespace symdyn
{
/// The cells of a mesh that have one shape, degree and formulation, in batches. Their nodes are those of the mesh.
template <int dim>
class CellRegion
{
public:
  using Cell = typename dealii::DoFHandler<dim>::active_cell_iterator;

  /// `position`: of the local nodes of the mesh, which outlives the region.
  CellRegion(const dealii::ReferenceCell &shape, int degree, const std::string &formulation, bool curved,
             const std::vector<dealii::Point<dim>> &position);

  /// `lanes` cells of one material that the kernels compute side by side; lanes from `filled` on repeat the first cell.
  struct Batch
  {
    unsigned int material = 0;
    int filled = 0;
    bool ghost = false;                      ///< cells of other ranks
    bool affine = false;                     ///< parallelepipeds or simplices, all of them
    std::size_t map = 0;                     ///< where what the kernels know of their shape begins
    std::array<unsigned int, lanes> cell{};  ///< active cell index
  };

  /// X[v*dim+d] of a batch [m], for kernels: vertices, or all nodes of a curved geometry.
  struct Vertices
  {
    std::array<Wide, (dim == 2 ? 25 : 125) * dim> X;
    operator const Wide *() const { return X.data(); }
  };

  dealii::ReferenceCell shape() const { return family.fe->reference_cell(); }
  int n_nodes() const { return family.stiffness.nodes; }  ///< of a cell
  const unsigned int *batch_nodes(const std::size_t batch) const { return &node[batch * n_nodes() * lanes]; }
  /// Gathered from the positions of the nodes, of which the first are the vertices.
  Vertices batch_vertices(std::size_t batch) const;
  /// The mean of the vertices of a cell [m].
  dealii::Point<dim> centre(std::size_t batch, int lane) const;
  /// What is stored of the shape of the cells, for the kernels of vectors.
  CellMap<dim> batch_map(const std::size_t batch) const { return {&prepared[batches[batch].map], batches[batch].affine}; }
  /// Of nodes and shapes of the cells, on this rank: what a force reads besides vectors.
  std::size_t bytes_of_cells() const
  {
    return node.size() * sizeof(node[0]) + prepared.size() * sizeof(prepared[0]) + batches.size() * sizeof(batches[0]);
  }
  /// Nodal values of a batch: u[a*dim+d]. `x` needs ghost values.
  void gather(std::size_t batch, const Vector &x, Wide *u) const;
  void scatter_add(std::size_t batch, const Wide *f, Vector &x) const;
  /// Which nodes of a cell are on one of its faces, ascending.
  const std::vector<unsigned int> &nodes_of_face(const unsigned int face) const { return on_face[face]; }

  /// Appends a batch of at most `lanes` cells, owned ones before ghosts; nodes[a] of each.
  void add_batch(Batch batch, const std::vector<Cell> &cells, const std::vector<std::vector<unsigned int>> &nodes);

  /// The local nodes of the mesh have new numbers: node a is place[a] now.
  void renumber(const std::vector<unsigned int> &place)
  {
    for (unsigned int &local : node)
      local = place[local];
  }

  ElementFamily<dim> family;
  std::unique_ptr<CellKernels<dim>> kernels;
  std::shared_ptr<const dealii::Mapping<dim>> mapping;  ///< straight edges, or those of a mesh of second order
  std::vector<Batch> batches;                           ///< owned cells first
  std::size_t n_owned_batches = 0;

private:
  const std::vector<dealii::Point<dim>> &position;
  std::vector<unsigned int> node;  // [batch][a][lane], local
  std::vector<Wide> prepared;      // of a batch from its `map` on
  std::vector<std::vector<unsigned int>> on_face;
};
}  // namespace symdyn
