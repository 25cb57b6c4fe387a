#include "solver/run/run_lock.h"

#include <deal.II/base/mpi.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "solver/base/lock_owner.h"
#include "solver/base/log.h"
#include "solver/error.h"

namespace symdyn
{
namespace
{
/// Whether the name still belongs to the open file: another run may have removed it since.
bool is_named(const int descriptor, const std::string &file)
{
  struct stat open_file
  {
  }, named{};
  return fstat(descriptor, &open_file) == 0 && stat(file.c_str(), &named) == 0 && open_file.st_ino == named.st_ino &&
         open_file.st_dev == named.st_dev;
}
}  // namespace

RunLock::RunLock(const std::string &option, const std::string &folder) : file(folder + "/" + LockOwner::file_name)
{
  const bool root = dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0;
  const std::string fault = dealii::Utilities::MPI::broadcast(MPI_COMM_WORLD, root ? take(option, folder) : std::string(), 0);
  if (fault.empty())
    return;
  release();
  throw InputError(fault);
}

/// On rank 0; "" or what is wrong. flock makes the look and the write one operation; where a file system has none, the content decides
/// alone.
std::string RunLock::take(const std::string &option, const std::string &folder)
{
  int opened = -1;
  bool held = false;
  for (bool named = false; !named && !held; named = is_named(opened, file))
  {
    if (opened >= 0)
      close(opened);
    opened = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (opened < 0)
      return fmt::format("{} {}: {} cannot be written ({}). Choose another folder", option, folder, file, std::strerror(errno));
    held = flock(opened, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  }
  const LockOwner owner = LockOwner::of_file(file);
  const bool here = owner.host == host_name();
  if (held || (here && owner.runs()))
  {
    close(opened);
    return fmt::format("{} {}: another run writes to this folder (process {} on {}, {}). Wait until it ends, or choose another folder",
                       option, folder, owner.process, owner.host.empty() ? "this host" : owner.host, file);
  }
  if (!owner.host.empty() && !here)
  {
    close(opened);
    return fmt::format(
        "{0} {1}: {2} is the lock of a run on another host, {3} (process {4}). If that run has ended, remove the file: rm '{2}'", option,
        folder, file, owner.host, owner.process);
  }
  descriptor = opened;
  if (!owner.host.empty())
    log_line(fmt::format("note: {}: process {} has ended without removing its lock. The lock is taken over", file, owner.process));
  return write();
}

std::string RunLock::write() const
{
  const LockOwner self = LockOwner::self();
  const std::string text = fmt::format("{} {} {}\n", self.host, self.process, self.start);
  const bool good = ftruncate(descriptor, 0) == 0 && pwrite(descriptor, text.data(), text.size(), 0) == ssize_t(text.size());
  return good ? "" : fmt::format("{}: cannot be written ({}). Is the disk full?", file, std::strerror(errno));
}

RunLock::~RunLock() { release(); }

void RunLock::release()
{
  if (descriptor < 0)
    return;
  if (is_named(descriptor, file))
    unlink(file.c_str());
  close(descriptor);
  descriptor = -1;
}
}  // namespace symdyn
