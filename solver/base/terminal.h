#pragma once
#include <cstdio>
#include <string>

namespace symdyn
{
enum class Paint
{
  none,
  green,
  yellow,
  red
};

/// What --color asks for: "always", "never", or "auto": on terminals, unless the environment has NO_COLOR (no-color.org).
void use_colours(const std::string &when);
/// The text with the escapes of this colour, where those are wanted in this file.
std::string painted(const std::string &text, Paint paint, std::FILE *file);
/// Width of the terminal: COLUMNS of the environment, else that of the standard output, else 80.
std::size_t terminal_columns();
}  // namespace symdyn
