#include "elements/space/mass.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "elements/cells/lane_transfer.h"
#include "elements/space/cell_mass.h"
#include "solver/error.h"

namespace symdyn
{
namespace
{
/// Least and largest of the first `count` values on all ranks; a rank may have none.
std::pair<double, double> limits(const std::vector<double> &values, const std::size_t count, const MPI_Comm communicator)
{
  double least = std::numeric_limits<double>::max(), largest = 0;
  for (std::size_t i = 0; i < count; ++i)
  {
    least = std::min(least, values[i]);
    largest = std::max(largest, values[i]);
  }
  return {dealii::Utilities::MPI::min(least, communicator), dealii::Utilities::MPI::max(largest, communicator)};
}

/// Errors: InputError unless the least mass of a node is a positive number of full precision. A consistent mass may be zero: static stages
/// do not use it.
template <int dim>
void check_least(const double least, const bool lumped, const Discretisation<dim> &mesh, const std::function<double(unsigned int)> &density)
{
  if (least >= std::numeric_limits<double>::min())
    return;
  double thinnest = std::numeric_limits<double>::max();
  for (const auto &group : mesh.materials)
    thinnest = std::min(thinnest, density(group.first));
  if (!lumped && thinnest == 0.)
    return;
  constexpr double tiny = 1e-200;  // more than this times the volume of a cell keeps its digits
  if (thinnest < tiny)
    throw InputError(fmt::format(
        "Density = {:g} kg/m^3 is too small: a node has the mass {:g} kg, where numbers of full precision end at {:g}. Correct the density, or choose other units",
        thinnest, least, std::numeric_limits<double>::min()));
  throw InputError(
      "lumped mass: a node has no positive mass; the cells around it are too distorted. Use --set "
      "\"Elements/Mass=consistent\", or repair the mesh");
}
}  // namespace

template <int dim>
MassMatrix<dim>::MassMatrix(const Discretisation<dim> &discretisation, const MassType type,
                            const std::function<double(unsigned int)> &density, const BlockPattern *pattern, const ModeMass &of_modes)
    : mesh(discretisation), type(type), density_of(density), pattern(pattern), row_sum(discretisation.n_owned_nodes())
{
  if (type == MassType::consistent)
    assemble_consistent(density);
  else
    assemble_lumped(density);
  check_least(limits(diagonal_values, row_sum.size(), mesh.communicator).first, type != MassType::consistent, mesh, density);
  if (of_modes)
    assemble_modes(of_modes);
  total_mass = dealii::Utilities::MPI::sum(std::accumulate(row_sum.begin(), row_sum.end(), 0.), mesh.communicator);
}

template <int dim>
void MassMatrix<dim>::assemble_consistent(const std::function<double(unsigned int)> &density)
{
  own.assign(pattern->own_column.size(), 0.);
  ghost.assign(pattern->ghost_column.size(), 0.);
  for (const CellRegion<dim> &region : mesh.regions)
    add_consistent(region, density);
  for (int row = 0; row < mesh.n_owned_nodes(); ++row)
    diagonal_values.push_back(own[pattern->position(row, row)]);
}

template <int dim>
void MassMatrix<dim>::add_consistent(const CellRegion<dim> &region, const std::function<double(unsigned int)> &density)
{
  const int nodes = region.n_nodes();
  std::vector<Wide> m(nodes * (nodes + 1) / 2);
  for (std::size_t batch = 0; batch < region.batches.size(); ++batch)
  {
    region.kernels->mass(region.batch_vertices(batch), density(region.batches[batch].material), m.data());
    for (int lane = 0; lane < region.batches[batch].filled; ++lane)
      for (int a = 0; a < nodes; ++a)
      {
        const int row = region.batch_nodes(batch)[a * lanes + lane];
        for (int b = 0; b < nodes && row < mesh.n_owned_nodes(); ++b)
        {
          const double value = m[pair_index(a, b)][lane];
          const int p = pattern->position(row, region.batch_nodes(batch)[b * lanes + lane]);
          (p >= 0 ? own[p] : ghost[~p]) += value;
          row_sum[row] += value;
        }
      }
  }
}

template <int dim>
void MassMatrix<dim>::assemble_modes(const ModeMass &of_modes)
{
  constexpr int block = dim * dim;
  own_modes.assign(own.size() * block, 0.);
  ghost_modes.assign(ghost.size() * block, 0.);
  for (const CellRegion<dim> &region : mesh.regions)
    if (inertia_of_modes(region))
      add_modes_of(region, of_modes);
}

template <int dim>
void MassMatrix<dim>::add_modes_of(const CellRegion<dim> &region, const ModeMass &of_modes)
{
  constexpr int block = dim * dim;
  const int nodes = region.n_nodes();
  std::vector<Wide> M(nodes * nodes * block);
  for (std::size_t batch = 0; batch < region.batches.size(); ++batch)
  {
    of_modes(region, batch, M.data());
    for (int lane = 0; lane < region.batches[batch].filled; ++lane)
      for (int pair = 0; pair < nodes * nodes; ++pair)
      {
        const int row = region.batch_nodes(batch)[pair / nodes * lanes + lane];
        if (row >= mesh.n_owned_nodes())
          continue;
        const int p = pattern->position(row, region.batch_nodes(batch)[pair % nodes * lanes + lane]);
        for (int m = 0; m < block; ++m)
          (p >= 0 ? own_modes[p * block + m] : ghost_modes[~p * block + m]) += M[pair * block + m][lane];
      }
  }
}

template <int dim>
void MassMatrix<dim>::assemble_lumped(const std::function<double(unsigned int)> &density)
{
  Vector sum(mesh.node_partitioner);
  for (const CellRegion<dim> &region : mesh.regions)
    for (std::size_t batch = 0; batch < region.n_owned_batches; ++batch)
    {
      const std::vector<Wide> lumped = lumped_masses(region, batch, density(region.batches[batch].material));
      for (int a = 0; a < region.n_nodes(); ++a)
        for (int lane = 0; lane < region.batches[batch].filled; ++lane)
          sum.local_element(region.batch_nodes(batch)[a * lanes + lane]) += lumped[a][lane];
    }
  sum.compress(dealii::VectorOperation::add);
  sum.update_ghost_values();
  diagonal_values.assign(sum.begin(), sum.begin() + mesh.n_local_nodes());
  std::copy_n(diagonal_values.begin(), row_sum.size(), row_sum.begin());
}

template <int dim>
void MassMatrix<dim>::multiply(const Vector &v, Vector &Mv) const
{
  v.update_ghost_values();
  const double *from = v.begin();
  double *to = Mv.begin();
  for (int row = 0; row < mesh.n_owned_nodes(); ++row)
  {
    NodeVector<dim> sum;
    if (diagonal())
      sum.add(diagonal_values[row], from + dim * row);
    else
    {
      for (int p = pattern->own_start[row]; p < pattern->own_start[row + 1]; ++p)
        sum.add(own[p], from + dim * pattern->own_column[p]);
      for (int p = pattern->ghost_start[row]; p < pattern->ghost_start[row + 1]; ++p)
        sum.add(ghost[p], from + dim * pattern->ghost_column[p]);
    }
    sum.write(to + dim * row);
  }
  if (!own_modes.empty())
    add_modes(from, to);
}

template <int dim>
void MassMatrix<dim>::add_modes(const double *from, double *to) const
{
  const auto add = [](const double *block, const double *v, double *Mv) {
    for (int i = 0; i < dim; ++i)
      for (int k = 0; k < dim; ++k)
        Mv[i] += block[i * dim + k] * v[k];
  };
  for (int row = 0; row < mesh.n_owned_nodes(); ++row)
  {
    for (int p = pattern->own_start[row]; p < pattern->own_start[row + 1]; ++p)
      add(&own_modes[p * dim * dim], from + dim * pattern->own_column[p], to + dim * row);
    for (int p = pattern->ghost_start[row]; p < pattern->ghost_start[row + 1]; ++p)
      add(&ghost_modes[p * dim * dim], from + dim * pattern->ghost_column[p], to + dim * row);
  }
}

template <int dim>
void MassMatrix<dim>::add_product(const double m, const Vector &x, Vector &y) const
{
  for (const CellRegion<dim> &region : mesh.regions)
  {
    const int size = region.n_nodes() * dim;
    std::vector<Wide> w(size), f(size);
    for (std::size_t batch = 0; batch < region.n_owned_batches; ++batch)
    {
      region.gather(batch, x, w.data());
      std::fill(f.begin(), f.end(), Wide(0.));
      region.kernels->mass_product(region.batch_map(batch), w.data(), m * density_of(region.batches[batch].material), f.data());
      region.scatter_add(batch, f.data(), y);
    }
  }
}

template <int dim>
void MassMatrix<dim>::add_to(const double m, const BlockMatrix &A) const
{
  const bool same = A.pattern == pattern;
  for (int row = 0; row < mesh.n_owned_nodes(); ++row)
  {
    if (diagonal())
    {
      const auto block = A.at(row, A.pattern->position(row, row));
      for (int d = 0; d < dim; ++d)
        block(d, d) += m * diagonal_values[row];
      continue;
    }
    const auto add = [&](const int column, const int position) {
      const auto block = A.at(row, same ? position : A.pattern->position(row, column));
      const double value = m * entry(row, column, position);
      for (int d = 0; d < dim; ++d)
        block(d, d) += value;
      if (const double *of_these = of_modes(position))
        for (int k = 0; k < dim * dim; ++k)
          block(k / dim, k % dim) += m * of_these[k];
    };
    for (int p = pattern->own_start[row]; p < pattern->own_start[row + 1]; ++p)
      add(pattern->own_column[p], p);
    for (int p = pattern->ghost_start[row]; p < pattern->ghost_start[row + 1]; ++p)
      add(pattern->ghost_column[p], ~p);
  }
}

template <int dim>
std::vector<double> MassMatrix<dim>::lumped_diagonal() const
{
  const MassMatrix lumped(mesh, MassType::lumped, density_of, nullptr);
  return {lumped.diagonal_values.begin(), lumped.diagonal_values.begin() + mesh.n_owned_nodes()};
}

template <int dim>
double MassMatrix<dim>::entry(const int row, const int column, const int position) const
{
  if (diagonal())
    return column == row ? diagonal_values[row] : 0.;
  return position >= 0 ? own[position] : ghost[~position];
}

template std::vector<Wide> lumped_masses(const CellRegion<2> &, std::size_t, double);
template std::vector<Wide> lumped_masses(const CellRegion<3> &, std::size_t, double);
template class MassMatrix<2>;
template class MassMatrix<3>;
}  // namespace symdyn
