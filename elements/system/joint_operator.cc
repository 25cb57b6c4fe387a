#include "elements/system/joint_operator.h"

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/base/timer.h"

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

JointSystem::Operator::Operator(const JointSystem &system) : system(system), coupled(system.points.coupled_points(Part::all))
{
  of_points.allocate(coupled);
  Vector one = new_vector(), masses = one;
  one = 1.;
  system.mass(one, masses);
  mass_of_points = system.layout.gather(masses);
}

void JointSystem::Operator::set(const Linearisation &terms)
{
  changed();
  std::vector<Vector> kept;
  kept.reserve(6 * terms.size());
  const auto keep = [&](const Vector *x, const bool body) -> const Vector * {
    if (!x || (body && system.layout.plain()))
      return x;
    kept.push_back(body ? system.of_body(*x) : system.of_points(*x));
    return &kept.back();
  };
  Linearisation body_terms = terms, point_terms = terms;
  points_symmetric = true;
  mass_weight = 0;
  for (std::size_t i = 0; i < terms.size(); ++i)
  {
    for (const auto part : {&LinearTerm::q, &LinearTerm::v, &LinearTerm::from})
    {
      body_terms[i].*part = keep(terms[i].*part, true);
      point_terms[i].*part = keep(terms[i].*part, false);
    }
    mass_weight += terms[i].weights.m;
    points_symmetric = points_symmetric && (!terms[i].from || system.points.has(Feature::linear));
  }
  of_body = &system.body.linear_operator(body_terms);
  if (joint.nodes == nullptr)
    make_pattern(of_body->pattern());
  system.points.linearise(point_terms, of_points);
  project_points();
  if (system.ties.any())
    tie_points();
}

bool JointSystem::Operator::constant() const
{
  return of_body->constant() && system.points.has(Feature::linear) && !system.points.has(Feature::nonlinear_damping);
}

void JointSystem::Operator::make_pattern(const BlockPattern &body)
{
  const JointLayout &layout = system.layout;
  joint.block = layout.components();
  joint.nodes = layout.nodes();
  const int owned = joint.nodes->locally_owned_size(), of_body_owned = body.rows();
  for (int node = 0; node < of_body_owned + int(body.nodes->n_ghost_indices()); ++node)
    body_to_joint.push_back(layout.joint_node(node));
  std::map<int, std::vector<int>> added;  // columns of the rows of points
  for (int k = 0; k < coupled.rows(); ++k)
    for (int p = coupled.own_start[k]; p < coupled.own_start[k + 1] && layout.owns(k); ++p)
      added[layout.node(k)].push_back(layout.node(coupled.own_column[p]));
  joint.own_start = joint.ghost_start = {0};
  for (int row = 0; row < owned; ++row)
  {
    std::vector<int> columns;
    if (row < of_body_owned)
    {
      for (int p = body.own_start[row]; p < body.own_start[row + 1]; ++p)
        columns.push_back(body_to_joint[body.own_column[p]]);
      for (int p = body.ghost_start[row]; p < body.ghost_start[row + 1]; ++p)
        columns.push_back(body_to_joint[body.ghost_column[p]]);
    }
    if (const auto more = added.find(row); more != added.end())
      columns.insert(columns.end(), more->second.begin(), more->second.end());
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    for (const int column : columns)
      (column < owned ? joint.own_column : joint.ghost_column).push_back(column);
    joint.own_start.push_back(joint.own_column.size());
    joint.ghost_start.push_back(joint.ghost_column.size());
  }
}

/// Blocks B_kl <- P_k B_kl P_l.
void JointSystem::Operator::project_points()
{
  const int n = block();
  for (int k = 0; k < coupled.rows(); ++k)
    of_points.for_row(k, [&](const int l, int, const BlockMatrix::Block &B) {
      const auto &P = system.layout.projector(k), &Q = system.layout.projector(l);
      double product[9] = {};
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
          for (int a = 0; a < n; ++a)
            for (int b = 0; b < n; ++b)
              product[n * i + j] += P[n * i + a] * B(a, b) * Q[n * b + j];
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
          B(i, j) = product[n * i + j];
    });
}

/// As stiff as the body is at its nodes.
void JointSystem::Operator::tie_points()
{
  const int n = block();
  const BlockPattern pattern = BlockPattern::diagonal(n, of_body->pattern().nodes);
  OwnedBlockMatrix D;
  D.allocate(pattern);
  of_body->diagonal(D);
  double sum = 0;
  for (int row = 0; row < pattern.rows(); ++row)
    for (int d = 0; d < n; ++d)
      sum += std::abs(D.at(row, row)(d, d));
  sum = MPI::sum(sum, pattern.nodes->get_mpi_communicator());
  const double scale = sum > 0. ? sum / (n * double(pattern.nodes->size())) : 1.;
  system.ties.add_squares(scale, [&](const int i, const int j, const double value) {
    of_points.at(i / n, coupled.position(i / n, j / n))(i % n, j % n) += value;
  });
}

double JointSystem::Operator::stiffness_over_mass() const
{
  const int n = block();
  double of_points_most = 0;
  for (int k = 0; k < coupled.rows(); ++k)
  {
    const auto B = of_points.at(k, coupled.position(k, k));
    for (int d = 0; d < n; ++d)
      if (system.layout.projector(k)[(n + 1) * d] > 0.5)
      {
        const double stiff = B(d, d) - mass_weight * system.points.all_parts().points[k].mass,
                     heavy = mass_weight * mass_of_points[n * k + d];
        of_points_most = std::max(of_points_most, heavy > 0. ? stiff / heavy : std::numeric_limits<double>::infinity());
      }
  }
  return of_body->stiffness_over_mass() + of_points_most;
}

void JointSystem::Operator::assemble(const BlockMatrix &A) const
{
  const std::size_t size = block() * block();
  std::fill_n(A.own, size * joint.own_column.size(), 0.);
  std::fill_n(A.ghost, size * joint.ghost_column.size(), 0.);
  add_body(A);
  add_points(A);
  hold_own(A);
}

void JointSystem::Operator::add_body(const BlockMatrix &A) const
{
  OwnedBlockMatrix of_body_alone;  // not kept: it is as large as A
  of_body_alone.allocate(of_body->pattern());
  of_body->assemble(of_body_alone);
  for (int row = 0; row < of_body->pattern().rows(); ++row)
    of_body_alone.for_row(row, [&](const int column, int, const BlockMatrix::Block &from) {
      const auto to = A.at(row, joint.position(row, body_to_joint[column]));
      for (int i = 0; i < block(); ++i)
        for (int j = 0; j < block(); ++j)
          to(i, j) = from(i, j);
    });
}

void JointSystem::Operator::add_points(const BlockMatrix &A) const
{
  for (int k = 0; k < coupled.rows(); ++k)
    if (system.layout.owns(k))
      of_points.for_row(k, [&](const int l, int, const BlockMatrix::Block &from) {
        const int row = system.layout.node(k);
        const auto to = A.at(row, joint.position(row, system.layout.node(l)));
        for (int i = 0; i < block(); ++i)
          for (int j = 0; j < block(); ++j)
            to(i, j) += from(i, j);
      });
}

/// The mean diagonal on the rows of fixed points, so that the condition does not suffer.
void JointSystem::Operator::hold_own(const BlockMatrix &A) const
{
  double sum = 0;
  const int n = block();
  for (int row = 0; row < joint.rows(); ++row)
    for (int d = 0; d < n; ++d)
      sum += std::abs(A.at(row, joint.position(row, row))(d, d));
  const double mean = sum > 0. ? sum / (n * joint.rows()) : 1.;
  const auto &points = system.points.all_parts().points;
  for (std::size_t k = 0; k < points.size(); ++k)
    for (int d = 0; d < n && system.layout.owns(k); ++d)
      if (points[k].holds(d))
        A.at(system.layout.node(k), joint.position(system.layout.node(k), system.layout.node(k)))(d, d) = mean;
}

void JointSystem::Operator::multiply(const Vector &x, Vector &y) const
{
  system.on_body({&x}, y, [this](const Given &of_body_now, Vector &product) { of_body->multiply(*of_body_now[0], product); });
  const Vector w = system.of_points(x);
  Vector product = system.points.new_vector();
  of_points.multiply(w, product);
  system.layout.add(product.begin(), y);
}

/// Factored when it is first solved with: products need no factors.
class JointSystem::Solve : public LinearSolve
{
public:
  explicit Solve(const JointSystem &system) : system(system), number(system.linearisations) {}

  int solve(const Vector &r, Vector &x, const double tolerance) const override
  {
    system.set_up_solver();
    const ScopedTimer timer("solve");
    const int iterations = system.linear_solver->solve(r, x, tolerance);
    if (system.elimination)
      system.elimination->apply(x);
    system.project(x);  // prescribed components are zero up to the solver's tolerance: make them exact
    return iterations;
  }
  void multiply(const Vector &x, Vector &y) const override
  {
    system.linearised->multiply(x, y);
    if (system.ties.any())
      system.project(y);
  }
  double tolerance() const override { return system.linear_tolerance; }
  long negative_eigenvalues() const override
  {
    system.set_up_solver();
    const long all = system.linear_solver->negative_eigenvalues();
    return all > 0 && system.elimination ? all - system.elimination->negative_eigenvalues() : all;
  }
  bool current() const override { return number == system.linearisations; }
  double cost() const override
  {
    if (!system.linear_solver->assembles())
      return 0.;
    const double matrix = system.body.cost_of_matrix();
    return system.linear_solver->iterative() ? matrix : 5. * matrix;
  }
  bool iterative() const override
  {
    system.set_up_solver();  // `automatic` chooses there
    return system.linear_solver->iterative();
  }

private:
  const JointSystem &system;
  std::uint64_t number;
};

/// m M + c C that is diagonal.
class JointSystem::DiagonalSolve : public LinearSolve
{
public:
  DiagonalSolve(const JointSystem &system, Vector diagonal) : system(system), diagonal(std::move(diagonal)) {}

  int solve(const Vector &r, Vector &x, double) const override
  {
    for (unsigned int i = 0; i < diagonal.locally_owned_size(); ++i)
      x.local_element(i) = diagonal.local_element(i) != 0. ? r.local_element(i) / diagonal.local_element(i) : 0.;  // massless: fixed
    system.project(x);
    return 0;
  }
  void multiply(const Vector &x, Vector &y) const override
  {
    for (unsigned int i = 0; i < diagonal.locally_owned_size(); ++i)
      y.local_element(i) = x.local_element(i) * diagonal.local_element(i);
    system.project(y);
  }
  double tolerance() const override { return system.linear_tolerance; }
  bool iterative() const override { return false; }

private:
  const JointSystem &system;
  Vector diagonal;
};

std::shared_ptr<const LinearSolve> JointSystem::diagonal_solve(const Linearisation &terms) const
{
  double m = 0, c = 0;
  for (const LinearTerm &term : terms)
  {
    if (term.weights.k != 0. || (term.weights.c != 0. && has(Feature::stiffness_damping)))
      return nullptr;
    m += term.weights.m;
    c += term.weights.c;
  }
  if (!has(Feature::diagonal_mass) || (m == 0. && c == 0.) || ties.any())
    return nullptr;
  Vector one = new_vector(), diagonal = one, drag = one;
  const Vector undeformed = one;
  one = 1.;
  one.update_ghost_values();
  mass(one, diagonal);
  diagonal *= m;
  if (c != 0.)
  {
    damping_force(undeformed, one, drag);
    diagonal.add(c, drag);
  }
  return std::make_shared<DiagonalSolve>(*this, std::move(diagonal));
}

std::shared_ptr<const LinearSolve> JointSystem::factor(const Linearisation &terms) const
{
  if (!points_act)
    return body.factor(terms);
  if (auto diagonal = diagonal_solve(terms))
    return diagonal;
  if (!linearised)
    linearised = std::make_unique<Operator>(*this);
  const bool one = terms.size() == 1 && terms.front().part == Part::all && !terms.front().from;
  if (!(one && weights_of_solver && *weights_of_solver == terms.front().weights))
  {
    linearised->set(terms);
    ++linearisations;
    solver_is_set_up = false;
    weights_of_solver = one && linearised->constant() ? std::make_unique<Weights>(terms.front().weights) : nullptr;
  }
  return std::make_shared<Solve>(*this);
}

void JointSystem::set_up_solver() const
{
  if (solver_is_set_up)
    return;
  const ScopedTimer timer("factor");
  linear_solver->set_up(*linearised);
  solver_is_set_up = true;
  if (!ties.any())
    return;
  constexpr double exactly = 1e-12;
  elimination = std::make_unique<Ties::Elimination>(
      ties, new_vector(), [&](const Vector &r, Vector &x) { linear_solver->solve(r, x, std::min(linear_tolerance, exactly)); }, false);
}
}  // namespace symdyn
