#include "elements/finite_element_system.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

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
    const Phase phase("solve");
    const int iterations = solver.solve(r, x, tolerance);
    system.project(x);  // prescribed components are zero up to the solver's tolerance: make them exact
    return iterations;
  }
  void multiply(const Vector &x, Vector &y) const override { solver.multiply(x, y); }
  double tolerance() const override { return system.parts.linear_tolerance; }
  bool iterative() const override { return solver.iterative(); }

private:
  const FiniteElementSystem &system;
  LinearSolver &solver;
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

template <int dim>
std::shared_ptr<const LinearSolve> FiniteElementSystem<dim>::factor(const Weights &w, const double t, const Vector &q,
                                                                    const Vector &) const
{
  allocate();
  if (!(factored && *factored == w))
  {
    const Phase phase("assemble");
    const BlockMatrix &A = parts.linear_solver->matrix();
    const auto law = [this](const unsigned int id) -> const Material & { return material(id); };
    TangentAssembly<dim>::clear(A);
    const double damping = w.c * parts.damping.stiffness;
    if (w.k != 0. || damping != 0.)
      assembly->add_stiffness(q, linear() ? w.k + damping : w.k, law, A);
    if (damping != 0. && !linear())
      assembly->add_stiffness(new_vector(), damping, law, A);
    bool symmetric = true;
    for (const auto &use : parts.loads)
      if (use.load->follows() && w.k != 0.)
      {
        use.load->add_tangent(t, q, w.k * load_factor, *assembly, A);
        symmetric = false;
      }
    const std::vector<double> diagonal_K = TangentAssembly<dim>::diagonal(A);
    const double m = w.m + w.c * parts.damping.mass;
    MatrixProperties properties;
    properties.symmetric = symmetric;
    properties.constant = linear();
    if (m != 0.)
    {
      TangentAssembly<dim>::add_mass(*mass_matrix, m, A);
      const std::vector<double> diagonal_A = TangentAssembly<dim>::diagonal(A);
      for (std::size_t i = 0; i < diagonal_A.size(); ++i)
        properties.stiffness_over_mass =
            std::max(properties.stiffness_over_mass, diagonal_K[i] / (diagonal_A[i] - diagonal_K[i]));
      properties.stiffness_over_mass = MPI::max(properties.stiffness_over_mass, mesh().communicator);
    }
    else
      properties.stiffness_over_mass = std::numeric_limits<double>::infinity();
    if (w.k != 0.)
    {
      stiffness_diagonal = diagonal_K;
      for (double &value : stiffness_diagonal)
        value /= w.k;
    }
    TangentAssembly<dim>::hold(mesh(), supports(), A);
    {
      const Phase factorisation("factor");
      parts.linear_solver->factor(properties);
    }
    factored = linear() ? std::make_unique<Weights>(w) : nullptr;
  }
  return std::make_shared<Solve>(*this);
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
