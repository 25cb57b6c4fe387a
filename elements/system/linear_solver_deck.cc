#include "elements/system/linear_solver_deck.h"

#include <deal.II/base/mpi.h>

#include <algorithm>

#include "elements/term.h"
#include "solver/error.h"
#include "solver/parameters.h"

namespace symdyn
{
void LinearSolverChoice::declare(Parameters section)
{
  section.add("Type", type, "automatic chooses by size and by how much the mass dominates", Registry<LinearSolver>::instance().names());
  section.add("Tolerance", tolerance, "of iterative solvers: |r - A x| <= tolerance |r| [-]", {0., 1., true, true});
  for (const std::string &name : Registry<LinearSolver>::instance().names())
  {
    Parameters own = name == type ? section.section(name) : section.inactive_section(name);
    auto made = Registry<LinearSolver>::instance().make(name);
    made->declare(own);
    if (name == type)
      solver = std::move(made);
  }
  if (!solver->parallel() && dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD) > 1)
    section.fail("Type", "this linear solver runs on one rank only. Set Type = mumps, or run without mpirun");
  where = section.where("Type");
}

void LinearSolverChoice::check(const std::vector<std::shared_ptr<Term>> &terms, const bool solves) const
{
  const bool unsymmetric = std::any_of(terms.begin(), terms.end(), [](const auto &term) { return term->traits().unsymmetric; });
  if (solves && unsymmetric && type == "cg")
    throw InputError(
        where +
        ": conjugate gradients need a symmetric tangent, and that of a material is unsymmetric (Backstress recovery > 0, or a umat "
        "with Symmetric = no). Set Linear solver/Type = automatic or mumps");
}
}  // namespace symdyn
