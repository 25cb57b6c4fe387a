#include "elements/lumped/constraint_term.h"

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>

#include "solver/constraint_springs.h"

namespace symdyn
{
ConstraintTerm::ConstraintTerm(const HolonomicConstraints &constraints, std::shared_ptr<const Space> given, const bool carries)
    : g(constraints), springs(*constraints.springs), space(std::move(given)), carries(carries)
{
  Vector number = space->new_vector();  // of degrees of freedom, from 1: gathered, it says where coordinates are
  const auto &dofs = *number.get_partitioner();
  for (unsigned int i = 0; i < number.locally_owned_size(); ++i)
    number.local_element(i) = 1. + double(dofs.local_to_global(i));
  std::vector<double> numbers, u(g.coordinates());
  g.gather(number, numbers);
  for (const double one : numbers)
  {
    const auto global = dealii::types::global_dof_index(std::llround(one) - 1);
    const bool known = one > 0.5 && (dofs.in_local_range(global) || dofs.is_ghost_entry(global));
    dof.push_back(known ? int(dofs.global_to_local(global)) : -1);
  }
  for (std::size_t c = 0; c < u.size(); ++c)  // no place where slopes vanish
    u[c] = 1e-3 * g.length() * std::sin(1. + c);
  ConstraintRows G;
  g.jacobian(u, G);
  int unknown_to_one = 0;  // a constraint whose coordinates a rank knows in part: its row of the matrix would lack entries
  coupled.resize(g.size());
  for (int i = 0; i < g.size(); ++i)
  {
    int owned = 0, unknown = 0;
    for (int k = G.start[i]; k < G.start[i + 1]; ++k)
    {
      const int at = dof[G.column[k]];
      owned += at >= 0 && at < int(number.locally_owned_size());
      unknown += at < 0;
      if (at >= 0)
        coupled[i].push_back(at / space->block());
    }
    std::sort(coupled[i].begin(), coupled[i].end());
    coupled[i].erase(std::unique(coupled[i].begin(), coupled[i].end()), coupled[i].end());
    unknown_to_one = std::max(unknown_to_one, owned > 0 ? unknown : 0);
  }
  constraints.springs->in_system = dealii::Utilities::MPI::max(unknown_to_one, space->communicator()) == 0;
}

Traits ConstraintTerm::traits() const
{
  Traits traits;
  traits.quadratic = traits.matrix_free = true;
  traits.carries = carries;
  return traits;
}

double ConstraintTerm::energy(const At &at) const
{
  if (!springs.act())
    return 0.;
  std::vector<double> u, values;
  g.gather(*at.q, u);
  g.values(u, values);
  double sum = 0;
  for (int i = 0; i < g.size(); ++i)
    sum += (0.5 * springs.k[i] * values[i] - springs.lambda[i]) * values[i];
  return dealii::Utilities::MPI::this_mpi_process(space->communicator()) == 0 ? sum : 0.;
}

std::vector<double> ConstraintTerm::forces(const At &at, const std::vector<double> &u) const
{
  std::vector<double> values, from = u;
  if (at.before)
    g.gather(*at.before, from);
  g.values(from, values);
  if (at.before)
  {
    ConstraintRows G;
    g.jacobian(from, G);
    std::vector<double> step = u;
    if (at.led)
      g.gather(*at.led, step);
    for (std::size_t c = 0; c < step.size(); ++c)
      step[c] -= from[c];
    for (int i = 0; i < g.size(); ++i)
      values[i] += G.times(i, step);
  }
  for (int i = 0; i < g.size(); ++i)
    values[i] = springs.k[i] * values[i] - springs.lambda[i];
  return values;
}

void ConstraintTerm::scatter(const std::vector<double> &w, Vector &x) const
{
  for (std::size_t c = 0; c < w.size(); ++c)
    if (dof[c] >= 0 && dof[c] < int(x.locally_owned_size()))
      x.local_element(dof[c]) += w[c];
}

double ConstraintTerm::add_force(const At &at, Vector &f) const
{
  if (!springs.act())
    return always_admissible;
  std::vector<double> u, w(g.coordinates(), 0.);
  g.gather(*at.q, u);
  ConstraintRows G;
  g.jacobian(u, G);
  G.add_transposed(forces({at.t, at.q}, u), w);
  scatter(w, f);
  return always_admissible;
}

void ConstraintTerm::add_product(const At &at, const Weights &weights, const Vector &x, Vector &r) const
{
  if (!springs.act() || weights.k == 0.)
    return;
  std::vector<double> u, along, w(g.coordinates(), 0.), stretch(g.size());
  g.gather(*at.q, u);
  g.gather(x, along);
  ConstraintRows G;
  g.jacobian(u, G);
  for (int i = 0; i < g.size(); ++i)
    stretch[i] = springs.k[i] * G.times(i, along);
  G.add_transposed(stretch, w);
  g.curvature(u, forces(at, u), along, w);
  for (double &one : w)
    one *= weights.k;
  scatter(w, r);
}

/// Of constraints that are quadratic. Rods have g''', which no stage asks for while springs act.
void ConstraintTerm::add_second_product(const At &at, const Vector &a, Vector &r) const
{
  if (!springs.act())
    return;
  std::vector<double> u, along, bent(g.size()), w(g.coordinates(), 0.), stretch(g.size());
  g.gather(*at.q, u);
  g.gather(a, along);
  ConstraintRows G;
  g.jacobian(u, G);
  g.bending(u, along, along, bent);
  for (int i = 0; i < g.size(); ++i)
  {
    stretch[i] = 2. * springs.k[i] * G.times(i, along);
    bent[i] *= springs.k[i];
  }
  G.add_transposed(bent, w);
  g.curvature(u, stretch, along, w);
  scatter(w, r);
}

template <class Add>
void ConstraintTerm::visit_entries(const At &at, const Weights &weights, const Add &add_entry) const
{
  if (!springs.act() || weights.k == 0.)
    return;
  std::vector<double> u;
  g.gather(*at.q, u);
  ConstraintRows G;
  g.jacobian(u, G);
  const auto add = [&](const int row, const int column, const double value) {
    if (value != 0. && dof[row] >= 0 && dof[column] >= 0)
      add_entry(dof[row], dof[column], weights.k * value);
  };
  for (int i = 0; i < g.size(); ++i)
    for (int a = G.start[i]; a < G.start[i + 1]; ++a)
      for (int b = G.start[i]; b < G.start[i + 1]; ++b)
        add(G.column[a], G.column[b], springs.k[i] * G.value[a] * G.value[b]);
  const std::vector<double> lambda = forces(at, u);
  std::vector<double> unit(u.size(), 0.), column;
  for (std::size_t c = 0; c < u.size(); ++c)
  {
    unit[c] = 1.;
    column.assign(u.size(), 0.);
    g.curvature(u, lambda, unit, column);
    for (std::size_t row = 0; row < u.size(); ++row)
      add(int(row), int(c), column[row]);
    unit[c] = 0.;
  }
}

void ConstraintTerm::add_matrix(const At &at, const Weights &weights, const MatrixSink &sink) const
{
  visit_entries(at, weights, [&sink](const int row, const int column, const double value) { sink.add(row, column, value); });
}

void ConstraintTerm::add_diagonal(const At &at, const Weights &weights, const BlockMatrix &D) const
{
  const int n = space->block();
  visit_entries(at, weights, [&](const int row, const int column, const double value) {
    if (row / n == column / n && row / n < D.pattern->rows())
      D.at(row / n, row / n)(row % n, column % n) += value;
  });
}

void ConstraintTerm::couple(const Couple &join) const
{
  for (const std::vector<int> &sites : coupled)
    for (const int i : sites)
      for (const int j : sites)
        join(i, j);
}
}  // namespace symdyn
