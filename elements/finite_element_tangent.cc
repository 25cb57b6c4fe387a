#include "elements/finite_element_system.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solver/error.h"
#include "solver/phase.h"

// The linearised system: assembly and solution.
namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

template <int dim>
class FiniteElementSystem<dim>::Solve : public LinearSolve
{
public:
  explicit Solve(const FiniteElementSystem &system) : system(system), solver(*system.parts.linear_solver) {}

  int solve(const Vector &r, Vector &x, const double tolerance) const override
  {
    system.factor_matrix();
    const Phase phase("solve");
    const int iterations = solver.solve(r, x, tolerance);
    system.project(x);  // prescribed components are zero up to the solver's tolerance: make them exact
    return iterations;
  }
  void multiply(const Vector &x, Vector &y) const override { solver.multiply(x, y); }
  double tolerance() const override { return system.parts.linear_tolerance; }
  bool iterative() const override
  {
    system.factor_matrix();  // `automatic` chooses there
    return solver.iterative();
  }

private:
  const FiniteElementSystem &system;
  LinearSolver &solver;
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
void FiniteElementSystem<dim>::allocate() const
{
  if (allocated)
    return;
  assembly = std::make_unique<TangentAssembly<dim>>(mesh(), pattern());
  parts.linear_solver->allocate(pattern(), rigid_modes());
  allocated = true;
}

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
  for (std::size_t m = 0; m < modes.size(); ++m)
  {
    supports().project(modes[m]);
    for (int twice = 0; twice < 2; ++twice)
      for (std::size_t k = 0; k < m; ++k)
        modes[m].add(-(modes[k] * modes[m]), modes[k]);
    const double norm = modes[m].l2_norm();
    modes[m] *= norm > 1e-10 ? 1. / norm : 0.;
  }
  return modes;
}

namespace
{
/// The weight of V'' in a term: the derivative of a discrete gradient of a quadratic V is half of it.
double stiffness_weight(const LinearTerm &term) { return term.from ? 0.5 * term.weights.k : term.weights.k; }
}  // namespace

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
    sum.weights = sum.weights + Weights{term.weights.m, term.weights.c, stiffness_weight(term)};
  return {sum};
}

template <int dim>
std::shared_ptr<const LinearSolve> FiniteElementSystem<dim>::factor(const Linearisation &given) const
{
  if (auto diagonal = diagonal_solve(given))
    return diagonal;
  allocate();
  const Linearisation terms = combined(given);
  const bool constant = linear() && terms.size() == 1 && terms.front().part == Part::all;
  if (!(constant && assembled && *assembled == terms.front().weights))
  {
    assembled = nullptr;
    factored = false;
    assemble(terms);
    if (constant)
      assembled = std::make_unique<Weights>(terms.front().weights);
  }
  return std::make_shared<Solve>(*this);
}

template <int dim>
void FiniteElementSystem<dim>::factor_matrix() const
{
  if (factored)
    return;
  const Phase phase("factor");
  parts.linear_solver->factor(properties);
  factored = true;
}

template <int dim>
void FiniteElementSystem<dim>::assemble(const Linearisation &terms) const
{
  const Phase phase("assemble");
  properties = {};
  properties.constant = linear();
  const BlockMatrix &A = parts.linear_solver->matrix();
  TangentAssembly<dim>::clear(A);
  double m = 0, k = 0;
  for (const LinearTerm &term : terms)
  {
    const bool symmetric = add_term(term, A);
    properties.symmetric = properties.symmetric && symmetric;
    m += term.weights.m + term.weights.c * parts.damping.mass;
    k += stiffness_weight(term);
  }
  const std::vector<double> diagonal_K = TangentAssembly<dim>::diagonal(A);
  properties.stiffness_over_mass = std::numeric_limits<double>::infinity();
  if (m != 0.)
  {
    TangentAssembly<dim>::add_mass(*mass_matrix, m, A);
    const std::vector<double> diagonal_A = TangentAssembly<dim>::diagonal(A);
    properties.stiffness_over_mass = 0.;
    for (std::size_t i = 0; i < diagonal_A.size(); ++i)
      properties.stiffness_over_mass = std::max(properties.stiffness_over_mass, diagonal_K[i] / (diagonal_A[i] - diagonal_K[i]));
    properties.stiffness_over_mass = MPI::max(properties.stiffness_over_mass, mesh().communicator);
  }
  if (k != 0.)
  {
    stiffness_diagonal = diagonal_K;
    for (double &value : stiffness_diagonal)
      value /= k;
  }
  TangentAssembly<dim>::hold(mesh(), supports(), A);
}

template <int dim>
bool FiniteElementSystem<dim>::add_term(const LinearTerm &term, const BlockMatrix &A) const
{
  const Damping &damping = parts.damping;
  double k = term.weights.k, c = term.weights.c;
  bool symmetric = true;
  if (linear())
    k = stiffness_weight(term);
  if (linear() && term.part == Part::all)  // there D0 = D
  {
    k += c * (damping.stiffness + damping.kelvin_voigt);
    c = 0.;
  }
  Vector middle;
  if (term.from && c != 0. && damping.depends_on_q())
  {
    middle = *term.q;
    middle.sadd(0.5, 0.5, *term.from);
  }
  const Vector &at = middle.size() > 0 ? middle : *term.q;
  if (k != 0. && term.from && !linear())
  {
    add_discrete_tangent(term, A);
    symmetric = false;
  }
  else if (k != 0.)
    add_stiffness(*term.q, k, term.part, A);
  if (c != 0. && damping.stiffness != 0.)
    add_stiffness(damping.current ? at : new_vector(), c * damping.stiffness, Part::all, A);
  if (c != 0. && damping.kelvin_voigt != 0.)
    add_viscosity(at, c * damping.kelvin_voigt, A);
  if (term.weights.k != 0. && !term.from && term.part == Part::all)
    for (const auto &use : parts.loads)
      if (use.load->follows())
      {
        use.load->add_tangent(term.t, *term.q, term.weights.k * load_factor, *assembly, A);
        symmetric = false;
      }
  return symmetric;
}

template <int dim>
void FiniteElementSystem<dim>::add_stiffness(const Vector &q, const double k, const Part part, const BlockMatrix &A) const
{
  q.update_ghost_values();
  std::vector<Wide> u(mesh().family.stiffness.nodes * dim);
  assembly->add_symmetric(
      k,
      [&](const std::size_t batch, Wide *K_cell) {
        if (!is_in(part, batch))
          return false;
        mesh().gather(batch, q, u.data());
        mesh().kernels->tangent(mesh().batch_vertices(batch), u.data(), material(mesh().batches[batch].material), K_cell);
        return true;
      },
      A);
}

template <int dim>
void FiniteElementSystem<dim>::add_discrete_tangent(const LinearTerm &term, const BlockMatrix &A) const
{
  term.q->update_ghost_values();
  term.from->update_ghost_values();
  std::vector<Wide> u0(mesh().family.stiffness.nodes * dim), u1(u0);
  assembly->add_unsymmetric(
      term.weights.k,
      [&](const std::size_t batch, Wide *K_cell) {
        if (!is_in(term.part, batch))
          return false;
        mesh().gather(batch, *term.from, u0.data());
        mesh().gather(batch, *term.q, u1.data());
        mesh().kernels->discrete_tangent(mesh().batch_vertices(batch), u0.data(), u1.data(),
                                         material(mesh().batches[batch].material), K_cell);
        return true;
      },
      A);
}

template <int dim>
void FiniteElementSystem<dim>::add_viscosity(const Vector &q, const double c, const BlockMatrix &A) const
{
  q.update_ghost_values();
  std::vector<Wide> u(mesh().family.stiffness.nodes * dim);
  assembly->add_symmetric(
      c,
      [&](const std::size_t batch, Wide *K_cell) {
        mesh().gather(batch, q, u.data());
        mesh().kernels->viscous_tangent(mesh().batch_vertices(batch), u.data(), material(mesh().batches[batch].material), K_cell);
        return true;
      },
      A);
}

template <int dim>
double FiniteElementSystem<dim>::rounding(const Vector &q) const
{
  // The forces of a cell round like stiffness times displacement, and, since strains are differences from F = I, like
  // stiffness times size. 4: measured on rigid translations and rotations, where f_int is rounding alone.
  double sum = 0;
  for (std::size_t i = 0; i < stiffness_diagonal.size(); ++i)
    sum += std::pow(stiffness_diagonal[i] * (4. * std::abs(q.local_element(i)) + mesh().smallest_edge), 2);
  return std::numeric_limits<double>::epsilon() * std::sqrt(MPI::sum(sum, mesh().communicator));
}

template class FiniteElementSystem<2>;
template class FiniteElementSystem<3>;
}  // namespace symdyn
