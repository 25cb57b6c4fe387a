#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "elements/lumped/matrix.h"
#include "solver/base/timer.h"
#include "solver/error.h"
#include "solver/registry.h"

// The linearised system: assembly and solution.
namespace symdyn
{
/// Factored when first solved, since a matrix that only multiplies may be singular.
class DiscreteSystem::BandSolve : public LinearSolve
{
public:
  BandSolve(const DiscreteSystem &system, Matrix &matrix) : system(system), matrix(matrix)
  {
    matrix.right.resize(system.size());
    matrix.left.resize(system.size());
  }

  int solve(const Vector &r, Vector &x, double) const override
  {
    if (!factored)
    {
      const ScopedTimer timer("factor", ScopedTimer::worth_it(system.size()));
      if (matrix.band.factor() >= 0)
        throw ComputationError("the linearised system is singular: points may move without force or mass. Look at supports and masses");
      factored = true;
    }
    const ScopedTimer timer("solve", ScopedTimer::worth_it(system.size()));
    for (unsigned int i = 0; i < system.size(); ++i)
      matrix.right[matrix.number[i]] = r.local_element(i);
    matrix.band.solve(matrix.right.data());
    for (unsigned int i = 0; i < system.size(); ++i)
      x.local_element(i) = matrix.right[matrix.number[i]];
    system.project(x);
    return 0;
  }
  void multiply(const Vector &x, Vector &y) const override
  {
    for (unsigned int i = 0; i < system.size(); ++i)
      matrix.right[matrix.number[i]] = x.local_element(i);
    matrix.band.multiply(matrix.right.data(), matrix.left.data());
    for (unsigned int i = 0; i < system.size(); ++i)
      y.local_element(i) = matrix.left[matrix.number[i]];
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
  SparseSolve(const DiscreteSystem &system, const Matrix &matrix) : system(system), matrix(matrix)
  {
    const ScopedTimer timer("factor");
    matrix.solver->set_up(*matrix.sparse);
  }

  int solve(const Vector &r, Vector &x, const double tolerance) const override
  {
    const ScopedTimer timer("solve");
    const int iterations = matrix.solver->solve(r, x, tolerance);
    system.project(x);  // prescribed components are zero up to the solver's tolerance: make them exact
    return iterations;
  }
  void multiply(const Vector &x, Vector &y) const override { matrix.sparse->multiply(x, y); }
  double tolerance() const override { return system.parts.linear_tolerance; }
  long negative_eigenvalues() const override { return matrix.solver->negative_eigenvalues(); }
  bool iterative() const override { return matrix.solver->iterative(); }

private:
  const DiscreteSystem &system;
  const Matrix &matrix;
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
    std::copy_n(matrix.blocks.own, size, A.own);
  else
    for (int row = 0; row < pattern().rows(); ++row)
      A.for_row(row, [&](int, const int position, const BlockMatrix::Block &to) {
        const auto from = matrix.blocks.at(row, position);
        for (int i = 0; i < block(); ++i)
          for (int k = 0; k < block(); ++k)
            to(i, k) = from(i, k);
      });
}

std::string DiscreteSystem::linear_solver_name() const
{
  for (const auto &matrix : matrices)
    if (matrix)
      return matrix->is_band ? "band (lapack)" : matrix->solver->name();
  return parts.linear_solver ? parts.linear_solver->name() : "automatic";
}

std::vector<std::vector<int>> DiscreteSystem::neighbours(const Part part) const
{
  std::vector<std::vector<int>> columns(parts.points.size());
  const auto join = [&](const int k, const int l) {
    columns[k].push_back(l);
    columns[l].push_back(k);
  };
  for_terms(part, [&](const auto &term) { term.couple(join); });
  for (const auto &term : parts.damping)
    term->couple(join);
  for (const Equation &equation : parts.equations)
    for (const auto &[i, a] : equation.terms)
      for (const auto &[j, b] : equation.terms)
        if (i < j)
          join(i / parts.dimension, j / parts.dimension);
  for (std::size_t k = 0; k < columns.size(); ++k)
  {
    columns[k].push_back(k);
    std::sort(columns[k].begin(), columns[k].end());
    columns[k].erase(std::unique(columns[k].begin(), columns[k].end()), columns[k].end());
  }
  return columns;
}

BlockPattern DiscreteSystem::coupled_points(const Part part) const
{
  const int points = parts.points.size();
  BlockPattern pattern;
  pattern.block = parts.dimension;
  pattern.nodes = std::make_shared<dealii::Utilities::MPI::Partitioner>(dealii::complete_index_set(points), parts.communicator);
  pattern.own_start = {0};
  pattern.ghost_start.assign(points + 1, 0);
  for (const auto &row : neighbours(part))
  {
    pattern.own_column.insert(pattern.own_column.end(), row.begin(), row.end());
    pattern.own_start.push_back(pattern.own_column.size());
  }
  return pattern;
}

DiscreteSystem::Matrix &DiscreteSystem::matrix_for(const Part part) const
{
  auto &made = matrices[part == Part::stiff];
  if (made)
    return *made;
  made = std::make_unique<Matrix>();
  const int n = parts.dimension, points = parts.points.size();
  const auto columns = neighbours(part);
  const std::vector<unsigned int> node = narrow_numbering(columns);
  int reach = 0;
  for (int k = 0; k < points; ++k)
    for (const int l : columns[k])
      reach = std::max(reach, std::abs(int(node[k]) - int(node[l])));
  // LU in a band of b on either side costs 4 n b² operations at a GFlop/s or more; an iterative solver of a few dozen sweeps is no faster
  // below.
  const double band = n * (reach + 1) - 1., operations = 4. * size() * band * band;
  constexpr double affordable = 1e7;
  made->is_band = !parts.linear_solver && operations < affordable;
  if (made->is_band)
  {
    for (unsigned int i = 0; i < size(); ++i)
      made->number.push_back(n * node[i / n] + i % n);
    made->band.resize(size(), int(band), int(band));
    return *made;
  }
  made->pattern = coupled_points(part);
  made->solver = parts.linear_solver ? parts.linear_solver : Registry<LinearSolver>::instance().make("automatic");
  made->blocks.allocate(made->pattern);
  made->sparse = std::make_unique<Operator>(*this, *made);
  return *made;
}

void DiscreteSystem::assemble(const Linearisation &terms, const AddEntry &add) const
{
  for (const LinearTerm &term : terms)
  {
    const double m = term.weights.m, c = term.weights.c, k = term.weights.k;
    for (unsigned int i = 0; i < size(); ++i)
      if (const double value = m * masses[i] + c * damping[i]; value != 0.)
        add(i, i, value);
    const bool couples = c != 0. && !parts.damping.empty();
    if (k == 0. && !couples)
      continue;
    const std::vector<double> x1 = coordinates(*term.q), x0 = term.from ? coordinates(*term.from) : x1;
    if (couples)
      for (const auto &dashpot : parts.damping)
        dashpot->add_tangent(x1.data(), c, add);
    if (k != 0.)
      for_terms(term.part, [&](const DiscreteTerm &part) {
        if (term.from)
          part.add_discrete_tangent(x0.data(), x1.data(), k, add);
        else
          part.add_tangent(x1.data(), k, add);
      });
  }
}

double DiscreteSystem::linearise(const Linearisation &terms, const BlockMatrix &A) const
{
  const unsigned int n = size(), block = parts.dimension;
  std::fill_n(A.own, block * block * A.pattern->own_column.size(), 0.);
  assemble(terms, [&](const int i, const int j, const double value) {
    A.at(i / block, A.pattern->position(i / block, j / block))(i % block, j % block) += value;
  });
  std::vector<double> diagonal(n);
  for (unsigned int i = 0; i < n; ++i)
    diagonal[i] = A.at(i / block, A.pattern->position(i / block, i / block))(i % block, i % block);
  return stiffness_over_mass(terms, diagonal);
}

double DiscreteSystem::stiffness_over_mass(const Linearisation &terms, const std::vector<double> &diagonal) const
{
  double k = 0, ratio = 0;
  for (const LinearTerm &term : terms)
    k += term.weights.k;
  if (k != 0.)
    stiffness_diagonal.assign(size(), 0.);
  for (unsigned int i = 0; i < size(); ++i)
  {
    double mass_part = 0;
    for (const LinearTerm &term : terms)
      mass_part += term.weights.m * masses[i] + term.weights.c * damping[i];
    const double stiff = diagonal[i] - mass_part;
    ratio = std::max(ratio, mass_part > 0. ? stiff / mass_part : held[i] ? 0. : std::numeric_limits<double>::infinity());
    if (k != 0.)
      stiffness_diagonal[i] = stiff / k;
  }
  return ratio;
}

std::shared_ptr<const LinearSolve> DiscreteSystem::factor(const Linearisation &terms) const
{
  const bool all_stiff = std::all_of(terms.begin(), terms.end(), [](const LinearTerm &term) { return term.part == Part::stiff; });
  Matrix &matrix = matrix_for(all_stiff ? Part::stiff : Part::all);
  double ratio = 0;
  {
    const ScopedTimer timer("assemble");
    if (matrix.is_band)
    {
      BandMatrix &A = matrix.band;
      const unsigned int *const number = matrix.number.data();
      A.clear();
      assemble(terms, [&A, number](const int i, const int j, const double value) { A(number[i], number[j]) += value; });
      std::vector<double> diagonal(size());
      for (unsigned int i = 0; i < size(); ++i)
        diagonal[i] = A(number[i], number[i]);
      ratio = stiffness_over_mass(terms, diagonal);
    }
    else
      ratio = linearise(terms, matrix.blocks);
  }
  hold(matrix);
  if (matrix.is_band)
    return std::make_shared<BandSolve>(*this, matrix);
  matrix.sparse->set(terms, ratio);
  return std::make_shared<SparseSolve>(*this, matrix);
}

void DiscreteSystem::hold(Matrix &A) const
{
  if (!any_held)
    return;
  const unsigned int n = size(), block = parts.dimension;
  const auto entry = [&](const unsigned int i, const unsigned int j) -> double & {
    return A.is_band ? A.band(A.number[i], A.number[j])
                     : A.blocks.at(i / block, A.pattern.position(i / block, j / block))(i % block, j % block);
  };
  // The mean diagonal on the prescribed rows, so that the condition does not suffer.
  double scale = 0;
  for (unsigned int i = 0; i < n; ++i)
    scale += std::abs(entry(i, i)) / n;
  scale = scale > 0. ? scale : 1.;
  if (A.is_band)
  {
    for (unsigned int i = 0; i < n; ++i)
      if (held[i])
      {
        A.band.clear_row_and_column(A.number[i]);
        entry(i, i) = scale;
      }
    return;
  }
  for (unsigned int i = 0; i < n; ++i)
    for (int p = A.pattern.own_start[i / block]; p < A.pattern.own_start[i / block + 1]; ++p)
      for (unsigned int d = 0; d < block; ++d)
        if (const unsigned int j = block * A.pattern.own_column[p] + d; held[i] || held[j])
          entry(i, j) = i == j ? scale : 0.;
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
    sum += std::pow(
        safety * (std::abs(stiffness_diagonal[i]) * (std::abs(X[i]) + std::abs(q.local_element(i))) + std::abs(f.local_element(i))), 2);
  return std::numeric_limits<double>::epsilon() * std::sqrt(sum);
}
}  // namespace symdyn
