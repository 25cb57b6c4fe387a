#pragma once
#include <string>

namespace symdyn
{
/// Makes the folder, and sees that files can be written there. Errors: InputError that names `option`, also for a folder with anything in
/// it unless `overwrite`. Collective.
void prepare_folder(const std::string &option, const std::string &folder, bool overwrite);

/// The file run.lock in the folder of a run: host, process and when that started. Two runs in one folder would mix their files. The lock of
/// a process of this host that no longer runs is taken over, with a line in the log. Rank 0 decides, all ranks throw together.
class RunLock
{
public:
  /// `option` ("--output") names the folder in errors. Collective. Errors: InputError while another run holds the folder, and for a lock of
  /// another host.
  RunLock(const std::string &option, const std::string &folder);
  /// Removes the file.
  ~RunLock();
  RunLock(const RunLock &) = delete;
  RunLock &operator=(const RunLock &) = delete;

private:
  std::string take(const std::string &option, const std::string &folder);
  std::string write() const;
  void release();

  std::string file;
  int descriptor = -1;  ///< -1: not ours
};
}  // namespace symdyn
