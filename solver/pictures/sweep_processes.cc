#include "solver/pictures/sweep_processes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <thread>

#include "solver/error.h"

extern char **environ;

namespace symdyn
{
namespace
{
volatile std::sig_atomic_t sweep_interrupted = 0;

void note_interrupt(int) { sweep_interrupted = 1; }

int exit_code_of_wait(const int status)
{
  constexpr int of_signals = 128;
  return WIFEXITED(status) ? WEXITSTATUS(status) : of_signals + WTERMSIG(status);
}
}  // namespace

std::string symdyn_program()
{
  std::error_code error;
  const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  for (const std::filesystem::path &program : {here / "symdyn", here / "../../bin/symdyn"})
    if (std::filesystem::exists(program, error))
      return program;
  throw InputError(fmt::format("{}: the program symdyn is not here, and not in ../../bin. Build or install it again", here.string()));
}

SweepProcesses::SweepProcesses()
{
  std::signal(SIGINT, note_interrupt);
  std::signal(SIGTERM, note_interrupt);
}

SweepProcesses::~SweepProcesses()
{
  stop_all();
  while (!running.empty())
    wait();
}

bool SweepProcesses::interrupted() { return sweep_interrupted != 0; }

void SweepProcesses::start(const std::size_t number, const std::vector<std::string> &words, const std::string &terminal)
{
  std::vector<char *> arguments;
  for (const std::string &word : words)
    arguments.push_back(const_cast<char *>(word.c_str()));  // posix_spawn writes nothing there
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, terminal.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  posix_spawn_file_actions_adddup2(&files, 1, 2);
  pid_t process = 0;
  const int error = posix_spawn(&process, words.front().c_str(), &files, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0)
    throw InputError(
        fmt::format("{} cannot be started, or {} not be written: {}. Check both", words.front(), terminal, std::strerror(error)));
  running[process] = number;
}

SweepProcesses::Ended SweepProcesses::wait()
{
  constexpr auto interval = std::chrono::milliseconds(20);
  for (;; std::this_thread::sleep_for(interval))
  {
    if (interrupted())
      stop_all();
    int status = 0;
    const pid_t process = waitpid(-1, &status, WNOHANG);
    if (const auto found = running.find(process); process > 0 && found != running.end())
    {
      const Ended ended{found->second, exit_code_of_wait(status)};
      running.erase(found);
      return ended;
    }
  }
}

void SweepProcesses::stop_all()
{
  if (!stopping)
    for (const auto &[process, number] : running)
      kill(process, SIGTERM);
  stopping = true;
}
}  // namespace symdyn
