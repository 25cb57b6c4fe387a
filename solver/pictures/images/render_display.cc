#include "solver/pictures/images/render_display.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <string>

#include "solver/base/program_path.h"
#include "solver/error.h"

namespace symdyn
{
namespace
{
const char *const way_out = "On Debian: apt-get install --no-install-recommends xvfb libgl1-mesa-dri. Or run it on a desktop";

/// In the child: writes the number of its display to `end` when it is ready. The number is that of the process: a server that ends takes
/// the files of its number away, under the hands of another one that begins with the same.
[[noreturn]] void become_server(const int end)
{
  prctl(PR_SET_PDEATHSIG, SIGTERM);  // also if the picture fails
  const int nothing = open("/dev/null", O_RDWR);
  dup2(nothing, STDIN_FILENO);
  dup2(nothing, STDOUT_FILENO);
  dup2(nothing, STDERR_FILENO);
  const std::string number = std::to_string(end);
  const std::string display = ":" + std::to_string(100 + getpid() % 50000);
  execlp("Xvfb", "Xvfb", display.c_str(), "-displayfd", number.c_str(), "-noreset", "-screen", "0", "1280x1024x24", "-nolisten", "tcp",
         static_cast<char *>(nullptr));
  _exit(127);
}

/// The number that the server writes, or "" if it writes none in time.
std::string read_number(const int end)
{
  constexpr int patience = 30000;  // ms
  std::string text;
  pollfd ready{end, POLLIN, 0};
  while (poll(&ready, 1, patience) > 0)
  {
    char c = 0;
    if (read(end, &c, 1) != 1 || c == '\n')
      break;
    text += c;
  }
  return text;
}
}  // namespace

Display::Display()
{
  if (program_of_path("Xvfb").empty())
  {
    if (const char *display = std::getenv("DISPLAY"); display && *display)
      return;
    throw InputError(fmt::format("a picture needs a display: DISPLAY is not set, and there is no Xvfb to start. {}", way_out));
  }
  int ends[2];
  if (pipe(ends) != 0)
    throw InputError("a picture needs a display: no pipe to Xvfb can be made (too many open files?)");
  server = fork();
  if (server == 0)
  {
    close(ends[0]);
    become_server(ends[1]);
  }
  close(ends[1]);
  const std::string number = server > 0 ? read_number(ends[0]) : "";
  close(ends[0]);
  if (number.empty())
    throw InputError(fmt::format("a picture needs a display: Xvfb does not start. Try it by itself: Xvfb :99. {}", way_out));
  setenv("DISPLAY", (":" + number).c_str(), 1);
}

Display::~Display()
{
  if (server <= 0)
    return;
  kill(server, SIGTERM);
  waitpid(server, nullptr, 0);
}
}  // namespace symdyn
