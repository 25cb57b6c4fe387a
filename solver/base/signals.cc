#include "solver/base/signals.h"

#include <deal.II/base/mpi.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>

namespace symdyn
{
namespace
{
volatile std::sig_atomic_t came = 0;
volatile double first = 0;  ///< [s]
volatile bool speaks = false;
bool caught = false;
struct sigaction of_interrupt, of_end, of_pipe;  // what they did before
constexpr double patience = 0.5;                 ///< [s]
const char *const sentence = "\nStopping after this step and saving a checkpoint. Press Ctrl-C again to abort immediately.\n";

/// Calls nothing but what a signal may interrupt (POSIX.1-2008, 2.4.3).
void note(const int number)
{
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  const double time = now.tv_sec + 1e-9 * now.tv_nsec;
  if (came != 0 && time - first > patience)
  {
    std::signal(number, SIG_DFL);
    std::raise(number);
    return;
  }
  if (came != 0)
    return;
  first = time;
  came = 1;
  if (speaks) [[maybe_unused]]
    const auto written = ::write(STDERR_FILENO, sentence, std::strlen(sentence));
}

/// Looks once a second.
bool is_left_alone()
{
  static const char *const name = std::getenv(ends_with);
  static const pid_t with = name ? pid_t(std::atol(name)) : 0;
  static std::time_t looked = 0;
  const std::time_t now = std::time(nullptr);
  if (with <= 0 || now == looked)
    return false;
  looked = now;
  return kill(with, 0) != 0 && errno == ESRCH;
}
}  // namespace

void catch_signals()
{
  speaks = dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0;
  if (!caught)
  {
    sigaction(SIGINT, nullptr, &of_interrupt);
    sigaction(SIGTERM, nullptr, &of_end);
    sigaction(SIGPIPE, nullptr, &of_pipe);
  }
  caught = true;
  std::signal(SIGINT, note);
  std::signal(SIGTERM, note);
  std::signal(SIGPIPE, SIG_IGN);
}

void release_signals()
{
  came = 0;
  if (!caught)
    return;
  sigaction(SIGINT, &of_interrupt, nullptr);
  sigaction(SIGTERM, &of_end, nullptr);
  sigaction(SIGPIPE, &of_pipe, nullptr);
  caught = false;
}

bool signal_came()
{
  if (came == 0 && is_left_alone())
    came = 1;
  return came != 0;
}
}  // namespace symdyn
