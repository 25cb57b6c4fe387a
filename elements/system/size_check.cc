#include "elements/system/size_check.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <limits>

#include "solver/base/log.h"
#include "solver/base/memory_usage.h"
#include "solver/base/together.h"
#include "solver/error.h"

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

namespace
{
/// Estimates are within a few tenths of the truth: from this part of the memory on, they may be too low.
constexpr double close_to_the_limit = 0.8;
constexpr double most_dofs = std::numeric_limits<int>::max();

/// The ranks that share the memory of this machine.
class Machine
{
public:
  Machine() { MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &communicator); }
  ~Machine() { MPI_Comm_free(&communicator); }
  Machine(const Machine &) = delete;
  int ranks() const { return MPI::n_mpi_processes(communicator); }
  /// With what its ranks hold already, which the estimate counts too. The same on all of them.
  double memory() const { return MPI::min(available_memory(), communicator) + MPI::sum(resident_memory(), communicator); }

private:
  MPI_Comm communicator;
};

std::string in_units(const double bytes)
{
  constexpr double GiB = 1073741824., MiB = 1048576.;
  return bytes >= GiB ? fmt::format("{:.3g} GiB", bytes / GiB) : fmt::format("{:.0f} MiB", bytes / MiB);
}

std::string model(const MeshForecast &mesh)
{
  return fmt::format("{:.4g} cells with {:.3g} degrees of freedom", mesh.cells(), mesh.dofs());
}
}  // namespace

void check_size(const MeshForecast &mesh, const Workload &work, const SizeInDeck &deck)
{
  // Not an integer yet: it need not fit into one.
  if (mesh.dofs() > most_dofs || mesh.cells() > most_dofs)
    throw InputError(fmt::format("{}: makes {}; at most {:.3g} can be numbered. Lower Mesh/Subdivisions, Refinements or Order", deck.where,
                                 model(mesh), most_dofs));
  const MemoryEstimate need = estimate_memory(mesh, work);
  const int ranks = MPI::n_mpi_processes(MPI_COMM_WORLD);
  const Machine machine;
  const double here = need.shared * machine.ranks() / ranks + need.each * machine.ranks();
  const double there = deck.limit > 0. ? deck.limit : machine.memory();
  const std::string text = fmt::format("{}: {} need about {} of memory{}; {} {}", deck.where, model(mesh), in_units(here),
                                       machine.ranks() < ranks ? " on one of the machines" : "", in_units(there),
                                       deck.limit > 0. ? "are allowed by Mesh/Memory limit" : "are there");
  std::string fault;
  if (here > there)
    fault = text + ". Lower Mesh/Subdivisions, Refinements or Order" +
            (work.tangent ? fmt::format(", choose another \"Linear solver/Type\" than {} or an explicit scheme", work.solver) : "") +
            (ranks > 1 && need.each > need.shared / ranks
                 ? ", run on fewer ranks (each has all coarse cells: fewer Subdivisions and more Refinements help, too)"
                 : "") +
            "; if you know better, raise \"Mesh/Memory limit\"";
  throw_collectively<InputError>(fault);
  if (MPI::max(here / there, MPI_COMM_WORLD) > close_to_the_limit)
    log_warning(text + ": it may not suffice");
}
}  // namespace symdyn
