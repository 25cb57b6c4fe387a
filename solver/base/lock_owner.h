#pragma once
#include <string>

namespace symdyn
{
/// The name of this machine.
std::string host_name();

/// What run.lock in a folder of results holds: the process that writes there.
struct LockOwner
{
  static constexpr const char *file_name = "run.lock";

  std::string host;  ///< "": there is no such file
  long process = 0;
  unsigned long long start = 0;  ///< [clock ticks] since the machine started; 0: unknown

  static LockOwner of_file(const std::string &file);
  /// This process.
  static LockOwner self();
  /// Whether the process, of this host, still runs; a later one may have its number.
  bool runs() const;
};
}  // namespace symdyn
