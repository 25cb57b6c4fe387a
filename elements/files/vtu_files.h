#pragma once
#include <mpi.h>

#include <functional>
#include <string>
#include <vector>

namespace symdyn
{
/// Writes FOLDER/BASE.vtu by `write`, or on several ranks a piece a rank and FOLDER/BASE.pvtu with the names of the pieces by `record`;
/// returns the name of the file to open. Collective. Errors: ComputationError if it cannot be written.
std::string write_pieces(const std::string &folder, const std::string &base, MPI_Comm communicator,
                         const std::function<void(std::ostream &)> &write,
                         const std::function<void(std::ostream &, const std::vector<std::string> &)> &record);

/// "" or why the file could not be written.
std::string write_file(const std::string &name, const std::function<void(std::ostream &)> &write);
}  // namespace symdyn
