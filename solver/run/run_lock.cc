#include "solver/run/run_lock.h"

#include <deal.II/base/mpi.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <fstream>
#include <sstream>

#include "solver/base/log.h"
#include "solver/error.h"

namespace symdyn
{
namespace
{
/// What the file holds.
struct Owner
{
  std::string host;
  long process = 0;
  unsigned long long start = 0;  ///< [clock ticks] since the machine started; 0: unknown
};

std::string this_host()
{
  char name[HOST_NAME_MAX + 1] = {};
  gethostname(name, sizeof name - 1);
  return name;
}

/// Of a process of this host: the state and field 22, "starttime", of /proc/PID/stat (proc(5)).
unsigned long long start_of(const long process, char &state)
{
  std::ifstream in("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  std::getline(in, text);
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos)
    return 0;
  std::istringstream fields(text.substr(name_end + 1));
  constexpr int before_start = 18;  // fields 4 to 21
  std::string skipped;
  unsigned long long start = 0;
  fields >> state;
  for (int i = 0; i < before_start; ++i)
    fields >> skipped;
  return fields >> start ? start : 0;
}

/// Whether the process of this host still runs; a later one may have its number.
bool runs(const Owner &owner)
{
  if (owner.process <= 0 || (kill(pid_t(owner.process), 0) != 0 && errno == ESRCH))
    return false;
  char state = 0;
  const unsigned long long start = start_of(owner.process, state);
  return state != 'Z' && state != 'X' && (start == 0 || owner.start == 0 || start == owner.start);
}

/// Whether the name still belongs to the open file: another run may have removed it since.
bool is_named(const int descriptor, const std::string &file)
{
  struct stat open_file
  {
  }, named{};
  return fstat(descriptor, &open_file) == 0 && stat(file.c_str(), &named) == 0 && open_file.st_ino == named.st_ino &&
         open_file.st_dev == named.st_dev;
}

Owner owner_in(const std::string &file)
{
  Owner owner;
  std::ifstream in(file);
  in >> owner.host >> owner.process >> owner.start;
  return owner;
}
}  // namespace

RunLock::RunLock(const std::string &option, const std::string &folder) : file(folder + "/" + file_name)
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
  const Owner owner = owner_in(file);
  const bool here = owner.host == this_host();
  if (held || (here && runs(owner)))
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
  char state = 0;
  const std::string text = fmt::format("{} {} {}\n", this_host(), long(getpid()), start_of(getpid(), state));
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
