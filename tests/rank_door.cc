#include "tests/rank_door.h"

#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <string>

// rank_door NAME WORDS...: a rank of an mpirun whose work a child of the server NAME does; see rank_server.h.
extern char **environ;

namespace
{
using namespace symdyn::tests::rank_door;

bool send(const int socket, Request request, const std::string &text)
{
  Message message(request);
  cmsghdr *descriptors = CMSG_FIRSTHDR(&message.header);
  descriptors->cmsg_level = SOL_SOCKET;
  descriptors->cmsg_type = SCM_RIGHTS;
  descriptors->cmsg_len = CMSG_LEN(Message::size);
  const int of_terminal[] = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};
  std::memcpy(CMSG_DATA(descriptors), of_terminal, Message::size);
  if (sendmsg(socket, &message.header, MSG_NOSIGNAL) != ssize_t(sizeof request))
    return false;
  for (std::size_t done = 0; done < text.size();)
  {
    const ssize_t sent = ::send(socket, text.data() + done, text.size() - done, MSG_NOSIGNAL);
    if (sent <= 0)
      return false;
    done += std::size_t(sent);
  }
  return true;
}
}  // namespace

int main(const int argc, char **argv)
{
  constexpr int internal = 3;
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // mpirun may be killed
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const Address server = address_of(argc > 1 ? argv[1] : "");
  if (argc < 2 || connect(socket, reinterpret_cast<const sockaddr *>(&server.address), server.length) != 0)
  {
    std::perror("rank_door: no server of ranks");
    return internal;
  }
  Request request;
  std::string text;
  for (int i = 2; i < argc; ++i, ++request.words)
    text.append(argv[i]).push_back('\0');
  for (char **variable = environ; *variable; ++variable, ++request.variables)
    text.append(*variable).push_back('\0');
  char *folder = getcwd(nullptr, 0);
  text.append(folder ? folder : "/").push_back('\0');
  request.bytes = text.size();
  int code = 0;
  if (!send(socket, request, text) || read(socket, &code, sizeof code) != ssize_t(sizeof code))
    return 128 + internal;  // the child is gone without an exit code
  return code;
}
