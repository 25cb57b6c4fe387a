#include "tests/rank_server.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <vector>

#include "solver/base/log.h"
#include "solver/error.h"
#include "solver/program/command_line.h"
#include "solver/program/one_rank.h"
#include "tests/rank_door.h"

namespace symdyn::tests
{
namespace
{
using namespace rank_door;

std::string name_of_rank_server;

/// The words, and the rest of the process as the door has it. Empty: the door is gone.
std::vector<std::string> become_rank_of(const int door)
{
  Request request;
  Message message(request);
  if (recvmsg(door, &message.header, MSG_WAITALL) != ssize_t(sizeof request))
    return {};
  std::string text(request.bytes, '\0');
  if (recv(door, text.data(), text.size(), MSG_WAITALL) != ssize_t(text.size()))
    return {};
  std::vector<std::string> parts;
  for (std::size_t at = 0; at < text.size(); at += parts.back().size() + 1)
    parts.emplace_back(text.c_str() + at);
  int of_terminal[3];
  std::memcpy(of_terminal, CMSG_DATA(CMSG_FIRSTHDR(&message.header)), Message::size);
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
  {
    dup2(of_terminal[descriptor], descriptor);
    close(of_terminal[descriptor]);
  }
  clearenv();
  for (std::size_t i = request.words; i < request.words + request.variables; ++i)
    if (const std::size_t sign = parts[i].find('='); sign != std::string::npos)
      setenv(parts[i].substr(0, sign).c_str(), parts[i].substr(sign + 1).c_str(), 1);
  if (chdir(parts.back().c_str()) != 0)
    return {};
  parts.resize(request.words);
  return parts;
}

int run_rank(std::vector<std::string> words)
{
  words.insert(words.begin(), SYMDYN_BINARY);
  std::vector<char *> arguments;
  for (std::string &word : words)
    arguments.push_back(word.data());
  limit_threads();
  CommandLine line;
  const int code = read_command_line(int(arguments.size()), arguments.data(), line);
  return code >= 0 ? code : symdyn_run_command(&line);
}

[[noreturn]] void serve_rank(const int door)
{
  std::signal(SIGCHLD, SIG_DFL);
  const std::vector<std::string> words = become_rank_of(door);
  int code = exit_internal;
  if (words.empty())
    _exit(code);
  // SIGIO, which ends the process, when the door is gone: mpirun ends ranks by ending their doors.
  fcntl(door, F_SETOWN, getpid());
  fcntl(door, F_SETFL, O_ASYNC);
  try
  {
    code = run_rank(words);
  }
  catch (const std::exception &error)
  {
    std::fprintf(stderr, "%s\n", error.what());
  }
  Log::instance().close();
  std::fflush(nullptr);
  fcntl(door, F_SETFL, 0);
  _exit(write(door, &code, sizeof code) == ssize_t(sizeof code) ? code : exit_internal);
}

[[noreturn]] void serve_ranks(const int server)
{
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::signal(SIGCHLD, SIG_IGN);
  for (;;)
  {
    const int door = accept4(server, nullptr, nullptr, SOCK_CLOEXEC);
    if (door >= 0 && fork() == 0)
    {
      close(server);
      serve_rank(door);
    }
    close(door);
  }
}

std::string door_beside_this_program()
{
  const std::filesystem::path door = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "rank_door";
  return std::filesystem::exists(door) ? door.string() : "";
}
}  // namespace

void start_rank_server()
{
  name_of_rank_server = "symdyn-ranks-" + std::to_string(getpid());
  const int server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const Address own = address_of(name_of_rank_server);
  constexpr int waiting = 64;
  const bool ready = bind(server, reinterpret_cast<const sockaddr *>(&own.address), own.length) == 0 && listen(server, waiting) == 0;
  std::fflush(nullptr);
  const pid_t child = ready ? fork() : -1;
  if (child == 0)
    serve_ranks(server);
  if (child < 0)
    name_of_rank_server.clear();
  close(server);
}

std::string through_rank_door(const std::string &line)
{
  const std::string program = " " SYMDYN_BINARY " ";
  const std::size_t at = line.find(program);
  const bool plain = line.rfind("mpirun ", 0) == 0 && at != std::string::npos && line.find('"') == std::string::npos &&
                     line.find(" -- ") == std::string::npos;
  const std::string door = plain && !name_of_rank_server.empty() ? door_beside_this_program() : "";
  return door.empty() ? line : line.substr(0, at + 1) + door + " " + name_of_rank_server + " " + line.substr(at + program.size());
}
}  // namespace symdyn::tests
