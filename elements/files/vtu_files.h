#pragma once
#include <deal.II/numerics/data_out.h>

#include <functional>
#include <string>
#include <vector>

namespace symdyn
{
/// Writes FOLDER/BASE.vtu, or on several ranks a piece a rank and the record BASE.pvtu; returns the name of the file to open. Collective.
/// Errors: ComputationError if it cannot be written.
template <int dim>
std::string write_vtu_files(const dealii::DataOut<dim> &out, const std::string &folder, const std::string &base, MPI_Comm communicator);

/// The same of files that `write` writes, and of a record of their names that `record` does.
std::string write_pieces(const std::string &folder, const std::string &base, MPI_Comm communicator,
                         const std::function<void(std::ostream &)> &write,
                         const std::function<void(std::ostream &, const std::vector<std::string> &)> &record);

/// "" or why the file could not be written.
std::string write_file(const std::string &name, const std::function<void(std::ostream &)> &write);
}  // namespace symdyn
