#include "solver/base/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

namespace symdyn
{
namespace
{
std::string asked = "auto";

bool is_coloured(std::FILE *file)
{
  const char *refused = std::getenv("NO_COLOR");
  const bool in_mpirun = std::getenv("OMPI_COMM_WORLD_SIZE");  // which gives its ranks a terminal of their own
  return asked == "always" || (asked == "auto" && !(refused && *refused) && !in_mpirun && isatty(fileno(file)));
}
}  // namespace

void use_colours(const std::string &when) { asked = when; }

std::string painted(const std::string &text, const Paint paint, std::FILE *file)
{
  if (paint == Paint::none || !is_coloured(file))
    return text;
  const char *code = paint == Paint::green ? "32" : paint == Paint::yellow ? "33" : "31";
  return "\033[1;" + std::string(code) + "m" + text + "\033[0m";
}

std::size_t terminal_columns()
{
  constexpr int usual = 80, least = 20;
  const char *given = std::getenv("COLUMNS");
  struct winsize size
  {
  };
  int columns = given ? std::atoi(given) : 0;
  if (columns <= 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
    columns = size.ws_col;
  return std::size_t(columns <= 0 ? usual : columns < least ? least : columns);
}
}  // namespace symdyn
