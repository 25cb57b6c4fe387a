#include "elements/files/vtu_files.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <fstream>

#include "solver/base/together.h"
#include "solver/error.h"

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

std::string write_file(const std::string &name, const std::function<void(std::ostream &)> &write)
{
  std::ofstream file(name);
  if (file)
    write(file);
  file.close();
  return file ? "" : name + ": could not be written (is the disk full?). The frames before it are complete";
}

std::string write_pieces(const std::string &folder, const std::string &base, const MPI_Comm communicator,
                         const std::function<void(std::ostream &)> &write,
                         const std::function<void(std::ostream &, const std::vector<std::string> &)> &record)
{
  const unsigned int me = MPI::this_mpi_process(communicator), ranks = MPI::n_mpi_processes(communicator);
  if (ranks == 1)
  {
    throw_collectively<ComputationError>(write_file(folder + "/" + base + ".vtu", write), communicator);
    return base + ".vtu";
  }
  const auto piece = [&](const unsigned int rank) { return fmt::format("{}.{}.vtu", base, rank); };
  std::string fault = write_file(folder + "/" + piece(me), write);
  std::vector<std::string> pieces;
  for (unsigned int rank = 0; rank < ranks; ++rank)
    pieces.push_back(piece(rank));
  if (me == 0 && fault.empty())
    fault = write_file(folder + "/" + base + ".pvtu", [&](std::ostream &file) { record(file, pieces); });
  throw_collectively<ComputationError>(fault, communicator);
  return base + ".pvtu";
}

}  // namespace symdyn
