#include "elements/space/tangent.h"

#include <deal.II/base/mpi.h>

#include <algorithm>

#include "elements/cells/lane_transfer.h"

namespace symdyn
{
template <int dim>
BlockPattern make_pattern(const Discretisation<dim> &mesh)
{
  const int rows = mesh.n_owned_nodes();
  std::vector<std::vector<int>> columns(rows);
  for (const CellRegion<dim> &region : mesh.regions)
    for (std::size_t batch = 0; batch < region.batches.size(); ++batch)
      for (int lane = 0; lane < region.batches[batch].filled; ++lane)
        for (int a = 0; a < region.n_nodes(); ++a)
        {
          const int row = region.batch_nodes(batch)[a * lanes + lane];
          for (int b = 0; b < region.n_nodes() && row < rows; ++b)
            columns[row].push_back(region.batch_nodes(batch)[b * lanes + lane]);
        }
  return BlockPattern::of_columns(dim, mesh.node_partitioner, std::move(columns));
}

template <int dim>
TangentAssembly<dim>::TangentAssembly(const Discretisation<dim> &mesh, const BlockPattern &pattern)
    : mesh(mesh), pattern(pattern), identity(pattern.identity)
{
  for (const CellRegion<dim> &region : mesh.regions)
  {
    const int nodes = region.n_nodes();
    position.emplace_back(region.batches.size() * lanes * nodes * nodes);
    auto next = position.back().begin();
    for (std::size_t batch = 0; batch < region.batches.size(); ++batch)
      for (int lane = 0; lane < lanes; ++lane)
        for (int a = 0; a < nodes; ++a)
          for (int b = 0; b < nodes; ++b, ++next)
          {
            const unsigned int *node = region.batch_nodes(batch);
            const int row = node[a * lanes + lane];
            *next = row < pattern.rows() ? pattern.position(row, node[b * lanes + lane]) : 0;
          }
  }
}

template <int dim>
void TangentAssembly<dim>::clear(const BlockMatrix &A)
{
  const std::size_t size = A.pattern->block * A.pattern->block;
  std::fill_n(A.own, size * A.pattern->own_column.size(), 0.);
  std::fill_n(A.ghost, size * A.pattern->ghost_column.size(), 0.);
}

/// target += k source
template <int dim>
inline void add_block(const BlockMatrix::Block &target, const bool contiguous, const double k, const double *source, const bool by_columns)
{
  if (contiguous && by_columns)
    for (int m = 0; m < dim * dim; ++m)
      target.first[m] += k * source[m];
  else if (contiguous)
    for (int j = 0; j < dim; ++j)
      for (int i = 0; i < dim; ++i)
        target.first[j * dim + i] += k * source[i * dim + j];
  else
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j < dim; ++j)
        target(i, j) += k * source[by_columns ? j * dim + i : i * dim + j];
}

template <int dim>
template <bool all_pairs>
void TangentAssembly<dim>::add(const double k, const CellTangent &cell_tangent, const BlockMatrix &A) const
{
  for (std::size_t region = 0; region < mesh.regions.size(); ++region)
    add_region<all_pairs>(mesh.regions[region], position[region], k, cell_tangent, A);
}

template <int dim>
template <bool all_pairs>
void TangentAssembly<dim>::add_region(const CellRegion<dim> &region, const std::vector<int> &position, const double k,
                                      const CellTangent &cell_tangent, const BlockMatrix &A) const
{
  const int nodes = region.n_nodes(), block = dim * dim;
  const int pairs = all_pairs ? nodes * nodes : nodes * (nodes + 1) / 2, size = (pairs * block + 7) / 8 * 8;
  std::vector<Wide> K(size);
  std::vector<double> of_cells(std::size_t(size) * lanes);  // the same, cell after cell
  for (std::size_t batch = 0; batch < region.batches.size(); ++batch)
  {
    if (!cell_tangent(region, batch, K.data()))
      continue;
    for (int m = 0; m < size; m += 8)
      unpack_lanes(&K[m], size, &of_cells[m]);
    for (int lane = 0; lane < region.batches[batch].filled; ++lane)
    {
      const int *p = &position[(batch * lanes + lane) * nodes * nodes];
      const double *value = &of_cells[std::size_t(size) * lane];
      for (int a = 0; a < nodes; ++a)
      {
        const int row = region.batch_nodes(batch)[a * lanes + lane];
        if (row >= pattern.rows())
          continue;
        for (int b = 0; b < nodes; ++b)
        {
          const double *source = value + std::size_t(all_pairs ? a * nodes + b : pair_index(a, b)) * block;
          const bool by_columns = !all_pairs && a > b;  // a stored pair is (smaller, larger); its transpose is the other one
          add_block<dim>(A.at(row, p[a * nodes + b]), A.blocked, k, source, by_columns);
        }
      }
    }
  }
}

template <int dim>
void TangentAssembly<dim>::add_symmetric(const double k, const CellTangent &cell_tangent, const BlockMatrix &A) const
{
  add<false>(k, cell_tangent, A);
}

template <int dim>
void TangentAssembly<dim>::add_unsymmetric(const double k, const CellTangent &cell_tangent, const BlockMatrix &A) const
{
  add<true>(k, cell_tangent, A);
}

template <int dim>
void TangentAssembly<dim>::add_stiffness(const Vector &q, const double k, const std::function<const Material &(unsigned int)> &material,
                                         const BlockMatrix &A) const
{
  q.update_ghost_values();
  std::vector<Wide> u;
  add_symmetric(
      k,
      [&](const CellRegion<dim> &region, const std::size_t batch, Wide *K) {
        u.resize(region.n_nodes() * dim);
        region.gather(batch, q, u.data());
        region.kernels->tangent(region.batch_vertices(batch), u.data(), material(region.batches[batch].material), K);
        return true;
      },
      A);
}

template <int dim>
std::vector<double> TangentAssembly<dim>::diagonal(const BlockMatrix &A)
{
  std::vector<double> values;
  values.reserve(A.pattern->rows() * dim);
  for (int row = 0; row < A.pattern->rows(); ++row)
  {
    const auto block = A.at(row, A.pattern->position(row, row));
    for (int d = 0; d < dim; ++d)
      values.push_back(block(d, d));
  }
  return values;
}

template BlockPattern make_pattern(const Discretisation<2> &);
template BlockPattern make_pattern(const Discretisation<3> &);
template class TangentAssembly<2>;
template class TangentAssembly<3>;
}  // namespace symdyn
