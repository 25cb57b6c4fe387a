#pragma once
#include <sys/types.h>

#include <map>
#include <string>
#include <vector>

namespace symdyn
{
/// The program symdyn that belongs to this one. Errors: InputError if it is not there.
std::string symdyn_program();

/// Programs that run at the same time, each with a number of the caller. SIGINT and SIGTERM are noted and passed on once, so that runs save
/// their state.
class SweepProcesses
{
public:
  SweepProcesses();
  /// Ends the programs that still run, and waits for them.
  ~SweepProcesses();
  SweepProcesses(const SweepProcesses &) = delete;

  /// What it prints goes to `terminal`. Errors: InputError if this cannot be.
  void start(std::size_t number, const std::vector<std::string> &words, const std::string &terminal);
  std::size_t count() const { return running.size(); }
  struct Ended
  {
    std::size_t number;
    int exit_code;  ///< 128 and more: a signal
  };
  /// Waits until one has ended.
  Ended wait();
  /// Whether SIGINT or SIGTERM came.
  static bool interrupted();

private:
  void stop_all();

  std::map<pid_t, std::size_t> running;
  bool stopping = false;
};
}  // namespace symdyn
