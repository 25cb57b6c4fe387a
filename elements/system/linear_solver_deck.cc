#include "elements/system/linear_solver_deck.h"

#include <deal.II/base/mpi.h>

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
}
}  // namespace symdyn
