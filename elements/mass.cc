#include "elements/mass.h"

#include <deal.II/base/mpi.h>
#include <deal.II/lac/solver_cg.h>
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "elements/lane_transfer.h"
#include "solver/error.h"

namespace symdyn
{
template <int dim>
MassMatrix<dim>::MassMatrix(const Discretisation<dim> &discretisation, const MassType type,
                            const std::function<double(unsigned int)> &density, const BlockPattern *pattern)
    : mesh(discretisation), type(type), pattern(pattern), row_sum(discretisation.n_owned_nodes())
{
  if (type == MassType::consistent)
    assemble_consistent(density);
  else
    assemble_lumped(density);
  total_mass = dealii::Utilities::MPI::sum(std::accumulate(row_sum.begin(), row_sum.end(), 0.), mesh.communicator);
}

template <int dim>
void MassMatrix<dim>::assemble_consistent(const std::function<double(unsigned int)> &density)
{
  own.assign(pattern->own_column.size(), 0.);
  ghost.assign(pattern->ghost_column.size(), 0.);
  const int nodes = mesh.family.stiffness.nodes;
  std::vector<Wide> m(nodes * (nodes + 1) / 2);
  for (std::size_t batch = 0; batch < mesh.batches.size(); ++batch)
  {
    mesh.kernels->mass(mesh.batch_vertices(batch), density(mesh.batches[batch].material), m.data());
    for (int lane = 0; lane < mesh.batches[batch].filled; ++lane)
      for (int a = 0; a < nodes; ++a)
      {
        const int row = mesh.batch_nodes(batch)[a * lanes + lane];
        for (int b = 0; b < nodes && row < mesh.n_owned_nodes(); ++b)
        {
          const double value = m[pair_index(a, b)][lane];
          const int p = pattern->position(row, mesh.batch_nodes(batch)[b * lanes + lane]);
          (p >= 0 ? own[p] : ghost[~p]) += value;
          row_sum[row] += value;
        }
      }
  }
  for (int row = 0; row < mesh.n_owned_nodes(); ++row)
    diagonal_values.push_back(own[pattern->position(row, row)]);
}

template <int dim>
void MassMatrix<dim>::assemble_lumped(const std::function<double(unsigned int)> &density)
{
  const int nodes = mesh.family.stiffness.nodes;
  const bool serendipity = is_serendipity(mesh.family.formulation), hrz = serendipity || (!mesh.family.tensor && mesh.family.fe->degree > 1);
  const bool lobatto = mesh.family.tensor && mesh.family.fe->degree > 1 && !serendipity;
  Vector sum(mesh.node_partitioner);
  std::vector<Wide> m(nodes * (nodes + 1) / 2);
  for (std::size_t batch = 0; batch < mesh.n_owned_batches; ++batch)
  {
    mesh.kernels->mass(mesh.batch_vertices(batch), density(mesh.batches[batch].material), m.data());
    std::vector<Wide> lumped(nodes, Wide(0.));
    Wide total = 0., diagonal = 0.;
    for (int a = 0; a < nodes; ++a)
      for (int b = 0; b < nodes; ++b)
      {
        lumped[a] += m[pair_index(a, b)];
        total += m[pair_index(a, b)];
      }
    for (int a = 0; a < nodes; ++a)
      diagonal += m[pair_index(a, a)];
    for (int a = 0; a < nodes && hrz; ++a)
      lumped[a] = m[pair_index(a, a)] * total / diagonal;
    if (lobatto)
      mesh.kernels->nodal_mass(mesh.batch_vertices(batch), density(mesh.batches[batch].material), lumped.data());
    for (int a = 0; a < nodes; ++a)
      for (int lane = 0; lane < mesh.batches[batch].filled; ++lane)
        sum.local_element(mesh.batch_nodes(batch)[a * lanes + lane]) += lumped[a][lane];
  }
  sum.compress(dealii::VectorOperation::add);
  sum.update_ghost_values();
  const double smallest = std::accumulate(sum.begin(), sum.begin() + sum.locally_owned_size(), std::numeric_limits<double>::max(),
                                          [](const double a, const double b) { return std::min(a, b); });  // a rank may have no nodes
  if (dealii::Utilities::MPI::min(smallest, mesh.communicator) <= 0.)
    throw InputError("lumped mass: a node has no positive mass; the cells around it are too distorted. Use --set "
                     "\"Elements/Mass=consistent\", or repair the mesh");
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
}

template <int dim>
int MassMatrix<dim>::solve(const Vector &p, const std::function<void(Vector &)> &project, const double tolerance, Vector &v) const
{
  // The diagonal is the same in every direction, so P commutes with its inverse.
  const auto divide = [this](const Vector &from, Vector &to) {
    const double *in = from.begin();
    double *out = to.begin();
    for (int row = 0; row < mesh.n_owned_nodes(); ++row)
    {
      const double inverse = 1. / diagonal_values[row];
      for (int d = 0; d < dim; ++d)
        out[dim * row + d] = inverse * in[dim * row + d];
    }
  };
  if (diagonal())
  {
    v.zero_out_ghost_values();
    divide(p, v);
    project(v);
    return 0;
  }
  Vector r(p);
  r.zero_out_ghost_values();
  project(r);
  v.zero_out_ghost_values();
  v = 0.;
  struct Operator
  {
    std::function<void(Vector &, const Vector &)> vmult;
  };
  const Operator PMP{[&](Vector &y, const Vector &x) {
    multiply(x, y);
    x.zero_out_ghost_values();
    project(y);
  }};
  const Operator inverse_diagonal{[&](Vector &y, const Vector &x) { divide(x, y); }};
  constexpr int most = 200;
  dealii::SolverControl control(most, tolerance * r.l2_norm());
  try
  {
    dealii::SolverCG<Vector>(control).solve(PMP, v, r, inverse_diagonal);
  }
  catch (const dealii::SolverControl::NoConvergence &failure)
  {
    throw ComputationError(fmt::format("mass matrix: conjugate gradients reach |p - M v| = {:.3g} of {:.3g} in {} iterations: the mesh is too distorted. "
                                       "Use --set \"Elements/Mass=lumped\", or repair the mesh",
                                       failure.last_residual, r.l2_norm(), failure.last_step));
  }
  return int(control.last_step());
}

template <int dim>
double MassMatrix<dim>::entry(const int row, const int column, const int position) const
{
  if (diagonal())
    return column == row ? diagonal_values[row] : 0.;
  return position >= 0 ? own[position] : ghost[~position];
}

template class MassMatrix<2>;
template class MassMatrix<3>;
}  // namespace symdyn
