#include "elements/space/mass.h"

#include <deal.II/base/mpi.h>
#include <deal.II/lac/solver_cg.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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

/// to = from/(w² diagonal), node by node.
template <int dim>
void divide(const Vector &from, const std::vector<double> &diagonal, const double w, Vector &to)
{
  const double *in = from.begin();
  double *out = to.begin();
  for (std::size_t node = 0; node < from.locally_owned_size() / dim; ++node)
  {
    const double inverse = 1. / (w * diagonal[node] * w);
    for (int d = 0; d < dim; ++d)
      out[dim * node + d] = inverse * in[dim * node + d];
  }
}

/// to = w² diagonal from, node by node.
template <int dim>
void multiply_by(const std::vector<double> &diagonal, const double w, const Vector &from, Vector &to)
{
  const double *in = from.begin();
  double *out = to.begin();
  for (std::size_t node = 0; node < from.locally_owned_size() / dim; ++node)
    for (int d = 0; d < dim; ++d)
      out[dim * node + d] = w * diagonal[node] * w * in[dim * node + d];
}
}  // namespace

template <int dim>
MassMatrix<dim>::MassMatrix(const Discretisation<dim> &discretisation, const MassType type,
                            const std::function<double(unsigned int)> &density, const BlockPattern *pattern, const ModeMass &of_modes)
    : mesh(discretisation), type(type), pattern(pattern), row_sum(discretisation.n_owned_nodes())
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
void MassMatrix<dim>::assemble_modes(const ModeMass &of_modes)
{
  constexpr int block = dim * dim;
  own_modes.assign(own.size() * block, 0.);
  ghost_modes.assign(ghost.size() * block, 0.);
  const int nodes = mesh.family.stiffness.nodes;
  std::vector<Wide> M(nodes * nodes * block);
  for (std::size_t batch = 0; batch < mesh.batches.size(); ++batch)
  {
    of_modes(batch, M.data());
    for (int lane = 0; lane < mesh.batches[batch].filled; ++lane)
      for (int pair = 0; pair < nodes * nodes; ++pair)
      {
        const int row = mesh.batch_nodes(batch)[pair / nodes * lanes + lane];
        if (row >= mesh.n_owned_nodes())
          continue;
        const int p = pattern->position(row, mesh.batch_nodes(batch)[pair % nodes * lanes + lane]);
        for (int m = 0; m < block; ++m)
          (p >= 0 ? own_modes[p * block + m] : ghost_modes[~p * block + m]) += M[pair * block + m][lane];
      }
  }
}

template <int dim>
void MassMatrix<dim>::assemble_lumped(const std::function<double(unsigned int)> &density)
{
  const int nodes = mesh.family.stiffness.nodes;
  Vector sum(mesh.node_partitioner);
  for (std::size_t batch = 0; batch < mesh.n_owned_batches; ++batch)
  {
    const std::vector<Wide> lumped = lumped_masses(mesh, batch, density(mesh.batches[batch].material));
    for (int a = 0; a < nodes; ++a)
      for (int lane = 0; lane < mesh.batches[batch].filled; ++lane)
        sum.local_element(mesh.batch_nodes(batch)[a * lanes + lane]) += lumped[a][lane];
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

namespace
{
struct MassOperator
{
  std::function<void(Vector &, const Vector &)> vmult;
};

/// Gives up, too, once the residual is about rounding and has not halved in many iterations.
class UntilItStagnates : public dealii::SolverControl
{
public:
  UntilItStagnates(const unsigned int most, const double tolerance, const double about_rounding)
      : dealii::SolverControl(most, tolerance), about_rounding(about_rounding)
  {
  }

  State check(const unsigned int step, const double residual) override
  {
    constexpr unsigned int patience = 30;
    if (step == 0 || residual < 0.5 * best)
    {
      best = residual;
      at = step;
    }
    const State state = dealii::SolverControl::check(step, residual);
    return state == iterate && residual <= about_rounding && step > at + patience ? failure : state;
  }

private:
  double about_rounding, best = 0;
  unsigned int at = 0;
};

/// Conjugate gradients for A v = p from v = 0, to |p - A v| <= tolerance |p|, or to rounding of the terms of p - A v, where the true
/// residual stays whatever the iteration does. `diagonal`: y = D x, D the diagonal of A, whose terms are about as large. Returns
/// iterations.
int solve_to_rounding(const MassOperator &A, const MassOperator &inverse_diagonal, const MassOperator &diagonal, const Vector &p,
                      const double tolerance, Vector &v, const std::function<std::string(double rest, double of)> &where)
{
  constexpr int most = 1000;
  constexpr double terms = 16.;  // a row has up to 81 of either sign: their rounding grows like the root of the number
  constexpr double epsilon = std::numeric_limits<double>::epsilon(), least = 1e-3 * epsilon;  // below it the recurrence says nothing more
  constexpr double stagnates = 1e3 * epsilon;
  UntilItStagnates control(most, std::max(tolerance, least) * p.l2_norm(), stagnates * p.l2_norm());
  try
  {
    dealii::SolverCG<Vector>(control).solve(A, v, p, inverse_diagonal);
  }
  catch (const dealii::SolverControl::NoConvergence &)
  {
    Vector rest(p), sizes(p);
    A.vmult(rest, v);
    rest -= p;
    diagonal.vmult(sizes, v);
    const double rounding = terms * epsilon * (p.l2_norm() + sizes.l2_norm());
    if (!(rest.l2_norm() <= rounding))
      throw ComputationError(fmt::format(
          "mass matrix: conjugate gradients reach {} in {} iterations; the tolerance is {:g}, rounding about {:.1g} of the right side. "
          "Use --set \"Elements/Mass=lumped\"",
          where(rest.l2_norm(), p.l2_norm()), control.last_step(), tolerance, rounding / p.l2_norm()));
  }
  return int(control.last_step());
}
}  // namespace

template <int dim>
int MassMatrix<dim>::solve(const Vector &p, const std::function<void(Vector &)> &project, const double tolerance, Vector &v) const
{
  v.zero_out_ghost_values();
  if (diagonal())  // the same in every direction, so P commutes with its inverse
  {
    divide<dim>(p, diagonal_values, 1., v);
    project(v);
    return 0;
  }
  Vector r(p);
  r.zero_out_ghost_values();
  project(r);
  v = 0.;
  const double largest = r.linfty_norm();
  if (!std::isfinite(r.l1_norm()))  // the largest of numbers passes over what is none
    throw ComputationError("mass matrix: the force or momentum to be divided by it is not finite");
  if (largest == 0.)
    return 0;
  // In r/s and M w²: products of tiny forces and densities would vanish. s and w are powers of 2, which change no digit.
  const auto [least_mass, largest_mass] = limits(diagonal_values, row_sum.size(), mesh.communicator);
  if (!(least_mass > 0.))
    throw ComputationError("mass matrix: a node has no mass. Give every material a \"Density\" above 0");
  const double s = std::exp2(std::ilogb(largest)), w = std::exp2(-std::floor(0.5 * std::ilogb(largest_mass)));
  for (double &value : r)
    value /= s;
  Vector scaled(v);
  const MassOperator PMP{[&](Vector &y, const Vector &x) {
    scaled.zero_out_ghost_values();
    scaled.equ(w, x);
    multiply(scaled, y);
    y *= w;
    project(y);
  }};
  const MassOperator inverse_diagonal{[&](Vector &y, const Vector &x) { divide<dim>(x, diagonal_values, w, y); }};
  const MassOperator of_diagonal{[&](Vector &y, const Vector &x) { multiply_by<dim>(diagonal_values, w, x, y); }};
  const int iterations = solve_to_rounding(PMP, inverse_diagonal, of_diagonal, r, tolerance, v,
                                           [&, least = least_mass, most = largest_mass](const double rest, const double of) {
                                             return fmt::format("|p - M v| = {:.3g} of {:.3g}, masses of nodes {:.3g} to {:.3g} kg",
                                                                s * rest, s * of, least, most);
                                           });
  v *= w * s * w;
  constexpr double beyond_units = 1e150;  // squares are no numbers any more
  if (const double fastest = v.linfty_norm(); !(fastest < beyond_units))
    throw ComputationError(fmt::format(
        "mass matrix: forces up to {:.3g} N on masses of nodes from {:.3g} kg give an acceleration of {:.3g} m/s^2. Correct \"Density\", or the units of the deck",
        largest, least_mass, fastest));
  return iterations;
}

template <int dim>
double MassMatrix<dim>::entry(const int row, const int column, const int position) const
{
  if (diagonal())
    return column == row ? diagonal_values[row] : 0.;
  return position >= 0 ? own[position] : ghost[~position];
}

template std::vector<Wide> lumped_masses(const Discretisation<2> &, std::size_t, double);
template std::vector<Wide> lumped_masses(const Discretisation<3> &, std::size_t, double);
template class MassMatrix<2>;
template class MassMatrix<3>;
}  // namespace symdyn
