#pragma once
#include <sys/socket.h>
#include <sys/un.h>

#include <cstddef>
#include <cstring>
#include <string>

// What the program rank_door and the server of ranks (rank_server.h) have in common.
namespace symdyn::tests::rank_door
{
/// Numbers of bytes, words and variables that follow after the message with the three descriptors: words, variables and the folder, each
/// with a zero at its end.
struct Request
{
  std::size_t bytes = 0, words = 0, variables = 0;
};

struct Address
{
  sockaddr_un address{};
  socklen_t length = 0;
};

/// Of a socket without a file, which is gone with its process.
inline Address address_of(const std::string &name)
{
  Address result;
  result.address.sun_family = AF_UNIX;
  std::memcpy(result.address.sun_path + 1, name.data(), name.size());
  result.length = socklen_t(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  return result;
}

/// The message of a request with room for three descriptors.
struct Message
{
  explicit Message(Request &request) : part{&request, sizeof request}
  {
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    header.msg_control = control;
    header.msg_controllen = sizeof control;
  }
  Message(const Message &) = delete;
  static constexpr std::size_t size = 3 * sizeof(int);
  iovec part;
  msghdr header{};
  alignas(cmsghdr) char control[CMSG_SPACE(size)] = {};
};
}  // namespace symdyn::tests::rank_door
