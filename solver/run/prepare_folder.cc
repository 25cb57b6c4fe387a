#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "solver/base/lock_owner.h"
#include "solver/error.h"
#include "solver/run/run_lock.h"

namespace symdyn
{
namespace fs = std::filesystem;

namespace
{
/// On rank 0; "" or what is wrong.
std::string prepare(const std::string &option, const fs::path &folder, const bool overwrite)
{
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder))
    return fmt::format("{0} {1}: the folder cannot be made ({2}). Choose another with {0}", option, folder.string(),
                       error ? error.message() : "a file is in the way");
  const auto is_lock = [](const fs::directory_entry &entry) {
    return entry.path().filename() == LockOwner::file_name;
  };  // its own rules: run_lock.h
  if (!overwrite && !std::all_of(fs::directory_iterator(folder, error), fs::directory_iterator(), is_lock))
    return fmt::format("{0} {1}: the folder is not empty. Use --overwrite to replace the results in it, or another {0}", option,
                       folder.string());
  const fs::path probe = folder / "symdyn-probe";
  if (!(std::ofstream(probe) << "can it be written?" << std::flush))
    return fmt::format("{0} {1}: no file can be written there. Choose another with {0}", option, folder.string());
  fs::remove(probe, error);
  return "";
}
}  // namespace

void prepare_folder(const std::string &option, const std::string &folder, const bool overwrite)
{
  const bool root = dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0;
  const std::string fault = dealii::Utilities::MPI::broadcast(MPI_COMM_WORLD, root ? prepare(option, folder, overwrite) : std::string(), 0);
  if (!fault.empty())
    throw InputError(fault);
}
}  // namespace symdyn
