#include "elements/space/cell_region.h"

#include <algorithm>

#include "elements/cells/lane_transfer.h"

namespace symdyn
{
namespace
{
/// Nodes of a cell where the linear functions of the vertices that are not on the face vanish. Not by FE_SimplexP::has_support_on_face,
/// which holds for every node of the cell.
template <int dim>
std::vector<std::vector<unsigned int>> nodes_of_faces(const dealii::FiniteElement<dim> &fe)
{
  constexpr double rounding = 1e-12;
  const dealii::ReferenceCell shape = fe.reference_cell();
  std::vector<std::vector<unsigned int>> faces;
  for (const unsigned int face : shape.face_indices())
  {
    std::vector<bool> is_on_face(shape.n_vertices(), false);
    for (unsigned int v = 0; v < shape.face_reference_cell(face).n_vertices(); ++v)
      is_on_face[shape.face_to_cell_vertices(face, v, 1)] = true;
    faces.emplace_back();
    for (unsigned int a = 0; a < fe.n_dofs_per_cell(); ++a)
    {
      bool on = true;
      for (const unsigned int v : shape.vertex_indices())
        on = on && (is_on_face[v] || std::abs(shape.d_linear_shape_function(fe.get_unit_support_points()[a], v)) < rounding);
      if (on)
        faces.back().push_back(a);
    }
  }
  return faces;
}
}  // namespace

template <int dim>
CellRegion<dim>::CellRegion(const dealii::ReferenceCell &shape, const int degree, const std::string &formulation, const bool curved,
                            const std::vector<dealii::Point<dim>> &position)
    : family(shape, degree, formulation, curved), kernels(make_kernels_of(family)), position(position), on_face(nodes_of_faces(*family.fe))
{
}

template <int dim>
void CellRegion<dim>::add_batch(Batch batch, const std::vector<Cell> &cells, const std::vector<std::vector<unsigned int>> &nodes)
{
  const std::size_t first = node.size();
  node.resize(first + n_nodes() * lanes);
  batch.filled = cells.size();
  for (int lane = 0; lane < lanes; ++lane)
  {
    const int filled = lane < batch.filled ? lane : 0;
    batch.cell[lane] = cells[filled]->active_cell_index();
    for (int a = 0; a < n_nodes(); ++a)
      node[first + a * lanes + lane] = nodes[filled][a];
  }
  batch.map = prepared.size();
  batches.push_back(batch);
  batches.back().affine = kernels->prepare(batch_vertices(batches.size() - 1), prepared);
  n_owned_batches += !batch.ghost;
}

template <int dim>
typename CellRegion<dim>::Vertices CellRegion<dim>::batch_vertices(const std::size_t batch) const
{
  Vertices vertices;
  for (int v = 0; v < family.stiffness.vertices; ++v)
    for (int lane = 0; lane < lanes; ++lane)
      for (int d = 0; d < dim; ++d)
        vertices.X[v * dim + d].set(lane, position[batch_nodes(batch)[v * lanes + lane]][d]);
  return vertices;
}

template <int dim>
dealii::Point<dim> CellRegion<dim>::centre(const std::size_t batch, const int lane) const
{
  dealii::Point<dim> centre;
  for (int v = 0; v < family.stiffness.vertices; ++v)
    for (int d = 0; d < dim; ++d)
      centre[d] += position[batch_nodes(batch)[v * lanes + lane]][d] / family.stiffness.vertices;
  return centre;
}

template <int dim>
void CellRegion<dim>::gather(const std::size_t batch, const Vector &x, Wide *u) const
{
  const double *values = x.begin();
  const unsigned int *nodes = batch_nodes(batch);
  for (int a = 0; a < family.stiffness.nodes; ++a)
    load_node<dim>(values, nodes + a * lanes, u + a * dim);
}

template <int dim>
void CellRegion<dim>::scatter_add(const std::size_t batch, const Wide *f, Vector &x) const
{
  double *values = x.begin();
  const unsigned int *nodes = batch_nodes(batch);
  for (int a = 0; a < family.stiffness.nodes; ++a)
    add_to_node<dim>(f + a * dim, nodes + a * lanes, batches[batch].filled, values);
}

template class CellRegion<2>;
template class CellRegion<3>;
}  // namespace symdyn
