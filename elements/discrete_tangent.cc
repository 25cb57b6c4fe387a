#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "elements/discrete_matrix.h"
#include "solver/error.h"
#include "solver/phase.h"
#include "solver/registry.h"

// The linearised system: assembly and solution.
namespace symdyn
{
/// LU of LAPACK; factored when first solved, since a matrix that only multiplies may be singular.
class DiscreteSystem::DenseSolve : public LinearSolve
{
public:
  DenseSolve(const DiscreteSystem &system) : system(system), matrix(*system.matrix) {}

  int solve(const Vector &r, Vector &x, double) const override
  {
    const unsigned int n = system.size();
    if (!factored)
    {
      matrix.lu.reinit(n);
      for (unsigned int i = 0; i < n; ++i)
        for (unsigned int j = 0; j < n; ++j)
          matrix.lu(i, j) = matrix.entries[i * n + j];
      try
      {
        matrix.lu.compute_lu_factorization();
      }
      catch (const dealii::ExceptionBase &)
      {
        throw ComputationError("the linearised system is singular: points may move without force or mass. Look at supports and masses");
      }
      factored = true;
    }
    matrix.right.reinit(n);
    std::copy_n(r.begin(), n, matrix.right.begin());
    matrix.lu.solve(matrix.right);
    std::copy_n(matrix.right.begin(), n, x.begin());
    system.project(x);
    return 0;
  }
  void multiply(const Vector &x, Vector &y) const override
  {
    const unsigned int n = system.size();
    for (unsigned int i = 0; i < n; ++i)
    {
      double sum = 0;
      for (unsigned int j = 0; j < n; ++j)
        sum += matrix.entries[i * n + j] * x.local_element(j);
      y.local_element(i) = sum;
    }
  }
  double tolerance() const override { return system.parts.linear_tolerance; }
  bool iterative() const override { return false; }

private:
  const DiscreteSystem &system;
  Matrix &matrix;
  mutable bool factored = false;
};

class DiscreteSystem::SparseSolve : public LinearSolve
{
public:
  explicit SparseSolve(const DiscreteSystem &system) : system(system), solver(*system.matrix->solver)
  {
    const Phase phase("factor");
    solver.set_up(*system.matrix->sparse);
  }

  int solve(const Vector &r, Vector &x, const double tolerance) const override
  {
    const Phase phase("solve");
    const int iterations = solver.solve(r, x, tolerance);
    system.project(x);  // prescribed components are zero up to the solver's tolerance: make them exact
    return iterations;
  }
  void multiply(const Vector &x, Vector &y) const override { system.matrix->sparse->multiply(x, y); }
  double tolerance() const override { return system.parts.linear_tolerance; }
  bool iterative() const override { return solver.iterative(); }

private:
  const DiscreteSystem &system;
  LinearSolver &solver;
};

void DiscreteSystem::Operator::set(const Linearisation &terms, const double stiffness_over_mass)
{
  changed();
  ratio = stiffness_over_mass;
  is_symmetric = true;
  std::vector<Weights> given;
  for (const LinearTerm &term : terms)
  {
    given.push_back(term.weights);
    is_symmetric = is_symmetric && !term.from;
  }
  weights_changed += given == weights ? 0 : 1;
  weights = std::move(given);
}

void DiscreteSystem::Operator::assemble(const BlockMatrix &A) const
{
  const std::size_t size = block() * block() * pattern().own_column.size();
  if (!A.blocked)
    std::copy_n(system.matrix->blocks.own, size, A.own);
  else
    for (int row = 0; row < pattern().rows(); ++row)
      A.for_row(row, [&](int, const int position, const BlockMatrix::Block &to) {
        const auto from = system.matrix->blocks.at(row, position);
        for (int i = 0; i < block(); ++i)
          for (int k = 0; k < block(); ++k)
            to(i, k) = from(i, k);
      });
}

std::string DiscreteSystem::linear_solver_name() const
{
  if (dense())
    return "dense";
  return matrix && matrix->solver ? matrix->solver->name() : parts.linear_solver ? parts.linear_solver->name() : "automatic";
}

std::vector<Vector> DiscreteSystem::rigid_modes() const
{
  std::vector<Vector> modes(momenta().size(), new_vector());
  const Vector undeformed = new_vector();
  for (std::size_t m = 0; m < modes.size(); ++m)
  {
    generator(m, undeformed, modes[m]);
    project(modes[m]);
    for (int twice = 0; twice < 2; ++twice)
      for (std::size_t k = 0; k < m; ++k)
        modes[m].add(-(modes[k] * modes[m]), modes[k]);
    const double norm = modes[m].l2_norm();
    modes[m] *= norm > 1e-10 ? 1. / norm : 0.;
  }
  return modes;
}

void DiscreteSystem::allocate() const
{
  if (matrix)
    return;
  matrix = std::make_unique<Matrix>();
  if (dense())
  {
    matrix->entries.resize(size() * size());
    return;
  }
  const int n = parts.dimension, points = parts.points.size();
  std::vector<std::vector<int>> columns(points);
  for (int k = 0; k < points; ++k)
    columns[k].push_back(k);
  for (const Bar &bar : parts.bars)
    if (bar.to >= 0)
    {
      columns[bar.from].push_back(bar.to);
      columns[bar.to].push_back(bar.from);
    }
  for (const FormulaPotential &formula : parts.formulas)
    for (int set = 0; set < formula.sets(); ++set)
      for (int i = 0; i < formula.variables; ++i)
        for (int j = 0; j < formula.variables; ++j)
          columns[formula.coordinates[set * formula.variables + i] / n].push_back(formula.coordinates[set * formula.variables + j] / n);
  BlockPattern &pattern = matrix->pattern;
  pattern.block = n;
  pattern.nodes = std::make_shared<dealii::Utilities::MPI::Partitioner>(dealii::complete_index_set(points), MPI_COMM_WORLD);
  pattern.own_start = {0};
  pattern.ghost_start.assign(points + 1, 0);
  for (auto &row : columns)
  {
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    pattern.own_column.insert(pattern.own_column.end(), row.begin(), row.end());
    pattern.own_start.push_back(pattern.own_column.size());
  }
  matrix->solver = parts.linear_solver ? parts.linear_solver : Registry<LinearSolver>::instance().make("automatic");
  matrix->blocks.allocate(pattern);
  matrix->sparse = std::make_unique<Operator>(*this);
}

void DiscreteSystem::assemble(const Linearisation &terms, const AddEntry &add) const
{
  for (const LinearTerm &term : terms)
  {
    const auto &[m, c, k] = term.weights;
    for (unsigned int i = 0; i < size(); ++i)
      if (const double value = m * masses[i] + c * damping[i]; value != 0.)
        add(i, i, value);
    if (k == 0.)
      continue;
    const std::vector<double> x1 = coordinates(*term.q), x0 = term.from ? coordinates(*term.from) : x1;
    for (const Bar &bar : parts.bars)
      if (term.from)
        bar.add_discrete_tangent(x0.data(), x1.data(), k, add);
      else if (term.part == Part::all || bar.stiff)
        bar.add_tangent(x1.data(), k, add);
    for (const FormulaPotential &formula : parts.formulas)
      if (term.from)
        formula.add_discrete_tangent(x0.data(), x1.data(), k, add);
      else if (term.part == Part::all || formula.stiff)
        formula.add_tangent(x1.data(), k, add);
  }
}

std::shared_ptr<const LinearSolve> DiscreteSystem::factor(const Linearisation &terms) const
{
  allocate();
  const unsigned int n = size(), block = parts.dimension;
  double k = 0;
  std::vector<double> mass_part(n, 0.), diagonal(n, 0.);
  for (const LinearTerm &term : terms)
  {
    k += term.weights.k;
    for (unsigned int i = 0; i < n; ++i)
      mass_part[i] += term.weights.m * masses[i] + term.weights.c * damping[i];
  }
  {
    const Phase phase("assemble");
    const bool is_dense = dense();
    if (is_dense)
    {
      std::vector<double> &A = matrix->entries;
      std::fill(A.begin(), A.end(), 0.);
      assemble(terms, [&](const int i, const int j, const double value) { A[i * n + j] += value; });
      for (unsigned int i = 0; i < n; ++i)
        diagonal[i] = A[i * n + i];
    }
    else
    {
      const BlockMatrix &A = matrix->blocks;
      const BlockPattern &pattern = matrix->pattern;
      std::fill_n(A.own, block * block * pattern.own_column.size(), 0.);
      assemble(terms, [&](const int i, const int j, const double value) {
        A.at(i / block, pattern.position(i / block, j / block))(i % block, j % block) += value;
      });
      for (unsigned int i = 0; i < n; ++i)
        diagonal[i] = A.at(i / block, pattern.position(i / block, i / block))(i % block, i % block);
    }
  }
  if (k != 0.)
    stiffness_diagonal.assign(n, 0.);
  double ratio = 0;
  for (unsigned int i = 0; i < n; ++i)
  {
    const double stiff = diagonal[i] - mass_part[i];
    ratio =
        std::max(ratio, mass_part[i] > 0. ? stiff / mass_part[i] : held[i] ? 0. : std::numeric_limits<double>::infinity());
    if (k != 0.)
      stiffness_diagonal[i] = stiff / k;
  }
  hold(*matrix);
  if (dense())
    return std::make_shared<DenseSolve>(*this);
  matrix->sparse->set(terms, ratio);
  return std::make_shared<SparseSolve>(*this);
}

void DiscreteSystem::hold(Matrix &A) const
{
  if (!any_held)
    return;
  const unsigned int n = size(), block = parts.dimension;
  // The mean diagonal on the prescribed rows, so that the condition does not suffer.
  double scale = 0;
  const auto entry = [&](const unsigned int i, const unsigned int j) -> double & {
    return dense() ? A.entries[i * n + j] : A.blocks.at(i / block, A.pattern.position(i / block, j / block))(i % block, j % block);
  };
  for (unsigned int i = 0; i < n; ++i)
    scale += std::abs(entry(i, i)) / n;
  scale = scale > 0. ? scale : 1.;
  const auto clear = [&](const unsigned int i, const unsigned int j) {
    if (held[i] || held[j])
      entry(i, j) = i == j ? scale : 0.;
  };
  for (unsigned int i = 0; i < n; ++i)
    if (dense())
      for (unsigned int j = 0; j < n; ++j)
        clear(i, j);
    else
      for (int p = A.pattern.own_start[i / block]; p < A.pattern.own_start[i / block + 1]; ++p)
        for (unsigned int d = 0; d < block; ++d)
          clear(i, block * A.pattern.own_column[p] + d);
}

double DiscreteSystem::rounding(const Vector &q) const
{
  // s - L² of a bar and the arguments of a formula round like the coordinates, the force like stiffness times that; and the terms of
  // which a force is the small difference where V'' changes its sign round like the force. 2: no long run of
  // the tests stalls, and with 4 one that drifts far from the origin stops Newton so early that its angular momentum shows it.
  if (stiffness_diagonal.empty())
    return 0.;
  constexpr double safety = 2.;
  Vector f = new_vector();
  internal_force(q, f);
  double sum = 0;
  for (unsigned int i = 0; i < size(); ++i)
    sum += std::pow(safety * (std::abs(stiffness_diagonal[i]) * (std::abs(X[i]) + std::abs(q.local_element(i))) + std::abs(f.local_element(i))), 2);
  return std::numeric_limits<double>::epsilon() * std::sqrt(sum);
}
}  // namespace symdyn
