#include "solver/base/lock_owner.h"

#include <unistd.h>

#include <cerrno>
#include <climits>
#include <csignal>
#include <fstream>
#include <sstream>

namespace symdyn
{
namespace
{
/// The state and field 22, "starttime", of /proc/PID/stat (proc(5)).
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
}  // namespace

std::string host_name()
{
  char name[HOST_NAME_MAX + 1] = {};
  gethostname(name, sizeof name - 1);
  return name;
}

LockOwner LockOwner::of_file(const std::string &file)
{
  LockOwner owner;
  std::ifstream in(file);
  in >> owner.host >> owner.process >> owner.start;
  return owner;
}

LockOwner LockOwner::self()
{
  char state = 0;
  return {host_name(), long(getpid()), start_of(getpid(), state)};
}

bool LockOwner::runs() const
{
  if (process <= 0 || (kill(pid_t(process), 0) != 0 && errno == ESRCH))
    return false;
  char state = 0;
  const unsigned long long now = start_of(process, state);
  return state != 'Z' && state != 'X' && (now == 0 || start == 0 || now == start);
}
}  // namespace symdyn
