#include "elements/space/cell_jacobians.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>

#include "solver/base/log.h"
#include "solver/base/together.h"
#include "solver/error.h"

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

namespace
{
template <int dim>
bool jacobian_is_positive(const ReferenceElement<dim> &table, const Wide *X, const int lane)
{
  for (int q = 0; q < table.points; ++q)
  {
    dealii::Tensor<2, dim> J;
    for (int v = 0; v < table.vertices; ++v)
      for (int i = 0; i < dim; ++i)
        for (int d = 0; d < dim; ++d)
          J[i][d] += X[v * dim + i][lane] * table.vertex_gradient[(q * table.vertices + v) * dim + d];
    if (!(dealii::determinant(J) > 0.))
      return false;
  }
  return true;
}

/// By the pivots of a Cholesky factor. M[pair_index(a, b)].
bool is_positive_definite(std::vector<double> M, const int n)
{
  for (int j = 0; j < n; ++j)
  {
    const double pivot = M[pair_index(j, j)];
    if (!(pivot > 0.))
      return false;
    for (int i = j + 1; i < n; ++i)
      for (int k = j + 1; k <= i; ++k)
        M[pair_index(i, k)] -= M[pair_index(i, j)] * M[pair_index(k, j)] / pivot;
  }
  return true;
}

/// Consistent mass: every motion of the cell has kinetic energy. Lumped: of every node.
template <int dim>
bool mass_is_positive(const CellRegion<dim> &region, const Wide *X, const int lane)
{
  const int nodes = region.family.mass.nodes;
  std::vector<Wide> consistent(nodes * (nodes + 1) / 2), lumped(nodes);
  region.kernels->mass(X, 1., consistent.data());
  region.family.formulation->lump(region.family, *region.kernels, X, 1., lumped.data());
  std::vector<double> M;
  for (const Wide &m : consistent)
    M.push_back(m[lane]);
  return is_positive_definite(M, nodes) && std::all_of(lumped.begin(), lumped.end(), [lane](const Wide &m) { return m[lane] > 0.; });
}
}  // namespace

template <int dim>
void check_jacobians(const Discretisation<dim> &mesh)
{
  std::string fault, corner;
  std::uint64_t folded = 0;
  for (const CellRegion<dim> &region : mesh.regions)
    for (std::size_t b = 0; b < region.n_owned_batches && fault.empty(); ++b)
    {
      Wide jacobian, volume;
      const auto X = region.batch_vertices(b);
      region.kernels->geometry(X, jacobian, volume);
      for (int lane = 0; lane < region.batches[b].filled; ++lane)
        if (!(jacobian[lane] > 0.))
        {
          const std::string cell = fmt::format("with a vertex at ({:g}, {:g}{}) m has the Jacobian {:g}", X.X[0][lane], X.X[1][lane],
                                               dim == 3 ? fmt::format(", {:g}", X.X[dim - 1][lane]) : "", jacobian[lane]);
          if (jacobian_is_positive(region.family.stiffness, X.X.data(), lane) && mass_is_positive(region, X.X.data(), lane))
            corner = ++folded == 1 ? cell : corner;
          else
            fault = "mesh: the cell " + cell + "; it must be positive everywhere in the cell. Reorder its nodes or repair its shape";
        }
    }
  throw_collectively<InputError>(fault, mesh.communicator);
  folded = MPI::sum(folded, mesh.communicator);
  if (folded == 0 || !mesh.has_all_file_nodes)  // not again for a mesh of lower degree
    return;
  for (const std::string &of_rank : MPI::all_gather(mesh.communicator, corner))
    if (corner.empty())
      corner = of_rank;
  log_warning(fmt::format(
      "mesh: {} cell{} inside out at a corner, but at no point of integration of the stiffness: one {}. Stresses at such corners mean nothing. Repair the shape of the cells",
      folded, folded > 1 ? "s are" : " is", corner));
}

template void check_jacobians(const Discretisation<2> &);
template void check_jacobians(const Discretisation<3> &);
}  // namespace symdyn
