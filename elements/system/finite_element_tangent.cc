#include "elements/system/finite_element_operator.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "elements/cells/formulations/mode_inertia.h"
#include "elements/space/rigid_modes.h"
#include "solver/base/timer.h"
#include "solver/error.h"

// The linearised system and its solution.
namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

template <int dim>
class FiniteElementSystem<dim>::Solve : public LinearSolve
{
public:
  explicit Solve(const FiniteElementSystem &system) : system(system), solver(*system.parts.linear_solver), number(system.linearisations) {}

  int solve(const Vector &r, Vector &x, const double tolerance) const override
  {
    system.set_up_solver();
    const ScopedTimer timer("solve");
    const int iterations = solver.solve(r, x, tolerance);
    system.project(x);  // prescribed components are zero up to the solver's tolerance: make them exact
    return iterations;
  }
  void multiply(const Vector &x, Vector &y) const override { system.linearised->multiply(x, y); }
  double tolerance() const override { return system.parts.linear_tolerance; }
  long negative_eigenvalues() const override
  {
    system.set_up_solver();
    return solver.negative_eigenvalues();
  }
  bool current() const override { return number == system.linearisations; }
  double cost() const override
  {
    if (!solver.assembles())
      return 0.;
    const double matrix = system.cost_of_matrix();
    return solver.iterative() ? matrix : 5. * matrix;  // a factorisation is taken as four more matrices
  }
  bool iterative() const override
  {
    system.set_up_solver();  // `automatic` chooses there
    return solver.iterative();
  }

private:
  const FiniteElementSystem &system;
  LinearSolver &solver;
  std::uint64_t number;
};

/// m M + c C that is diagonal.
template <int dim>
class FiniteElementSystem<dim>::DiagonalSolve : public LinearSolve
{
public:
  DiagonalSolve(const FiniteElementSystem &system, const double m) : system(system), m(m) {}

  int solve(const Vector &r, Vector &x, double) const override
  {
    system.mass_solve(r, x);
    x *= 1. / m;
    return 0;
  }
  void multiply(const Vector &x, Vector &y) const override
  {
    system.mass(x, y);
    y *= m;
    system.project(y);
  }
  double tolerance() const override { return system.parts.linear_tolerance; }
  bool iterative() const override { return false; }

private:
  const FiniteElementSystem &system;
  double m;
};

template <int dim>
std::vector<Vector> FiniteElementSystem<dim>::rigid_modes() const
{
  std::vector<Vector> modes(dim * (dim + 1) / 2, new_vector());
  for (int node = 0; node < mesh().n_owned_nodes(); ++node)
  {
    const auto &X = mesh().position[node];
    for (int d = 0; d < dim; ++d)
      modes[d].local_element(dim * node + d) = 1.;
    for (int m = dim, i = 0; i < dim; ++i)
      for (int j = i + 1; j < dim; ++j, ++m)
      {
        modes[m].local_element(dim * node + i) = -X[j];
        modes[m].local_element(dim * node + j) = X[i];
      }
  }
  for (Vector &mode : modes)
    supports().project(mode);
  orthonormalise(modes);
  return modes;
}

template <int dim>
std::shared_ptr<const LinearSolve> FiniteElementSystem<dim>::diagonal_solve(const Linearisation &terms) const
{
  double m = 0;
  for (const LinearTerm &term : terms)
  {
    if (term.weights.k != 0. || (term.weights.c != 0. && parts.damping.couples_nodes()))
      return nullptr;
    m += term.weights.m + term.weights.c * parts.damping.mass;
  }
  return mass_matrix->diagonal() && m != 0. ? std::make_shared<DiagonalSolve>(*this, m) : nullptr;
}

template <int dim>
Linearisation FiniteElementSystem<dim>::combined(const Linearisation &terms) const
{
  if (!linear() || std::any_of(terms.begin(), terms.end(), [](const LinearTerm &term) { return term.part != Part::all; }))
    return terms;
  LinearTerm sum = terms.front();
  sum.from = nullptr;
  sum.weights = {};
  for (const LinearTerm &term : terms)
    sum.weights = sum.weights + Weights{term.weights.m, term.weights.c, stiffness_weight(term.weights.k, term.from)};
  return {sum};
}

template <int dim>
std::shared_ptr<const LinearSolve> FiniteElementSystem<dim>::factor(const Linearisation &given) const
{
  if (auto diagonal = diagonal_solve(given))
    return diagonal;
  const Linearisation terms = combined(given);
  const bool constant = linear() && terms.size() == 1 && terms.front().part == Part::all;
  if (!linearised)
    linearised = std::make_unique<Operator>(*this);
  if (!(constant && weights_of_solver && *weights_of_solver == terms.front().weights))
  {
    linearised->set(terms);
    ++linearisations;
    solver_is_set_up = false;
    weights_of_solver = constant ? std::make_unique<Weights>(terms.front().weights) : nullptr;
  }
  return std::make_shared<Solve>(*this);
}

template <int dim>
const LinearOperator &FiniteElementSystem<dim>::linear_operator(const Linearisation &terms) const
{
  if (!linearised)
    linearised = std::make_unique<Operator>(*this);
  linearised->set(combined(terms));
  ++linearisations;
  solver_is_set_up = false;
  weights_of_solver = nullptr;
  return *linearised;
}

template <int dim>
double FiniteElementSystem<dim>::cost_of_matrix() const
{
  // Operations: nodes² points a cell for a matrix, about 9 points for a force. It gives 7 for Q1, as timed on the beam of the benchmarks
  // (assembly over residual), and 81 for Q2, where the kernels alone differ by about 60.
  return std::pow(mesh().family.stiffness.nodes, 2) / 9.;
}

template <int dim>
void FiniteElementSystem<dim>::set_up_solver() const
{
  if (solver_is_set_up)
    return;
  const ScopedTimer timer("factor");
  parts.linear_solver->set_up(*linearised);
  solver_is_set_up = true;
}

template <int dim>
double FiniteElementSystem<dim>::rounding(const Vector &q) const
{
  // The forces of a cell round like stiffness times displacement, and, since strains are differences from F = I, like
  // stiffness times size. 4: measured on rigid translations and rotations, where f_int is rounding alone.
  if (!linearised)
    return 0.;
  const std::vector<double> stiffness_diagonal = linearised->stiffness_diagonal();
  double sum = 0;
  for (std::size_t i = 0; i < stiffness_diagonal.size(); ++i)
    sum += std::pow(stiffness_diagonal[i] * (4. * std::abs(q.local_element(i)) + mesh().smallest_edge), 2);
  return std::numeric_limits<double>::epsilon() * std::sqrt(MPI::sum(sum, mesh().communicator));
}

/// Of small motions: where the body may turn M must be the same for each component.
template <int dim>
typename MassMatrix<dim>::ModeMass FiniteElementSystem<dim>::mode_mass() const
{
  const auto *modes = dynamic_cast<const ModeInertia *>(mesh().kernels.get());
  if (!modes || parts.mass_type != MassType::consistent || any_material([](const MaterialInUse &use) { return !use.law->small_strain(); }))
    return {};
  return [this, modes](const std::size_t batch, Wide *M) {
    const MaterialInUse &use = parts.materials.at(mesh().batches[batch].material);
    modes->mode_mass(mesh().batch_vertices(batch), *use.law, use.density, M);
  };
}

template class FiniteElementSystem<2>;
template class FiniteElementSystem<3>;
}  // namespace symdyn
