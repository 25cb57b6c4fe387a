#include "meshes/scanner.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

#include "solver/base/text_file.h"
#include "solver/error.h"

namespace symdyn
{
namespace
{
bool is_blank(const char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::string_view without_plus(const std::string_view word)
{
  return word.size() > 1 && word[0] == '+' && word[1] != '-' ? word.substr(1) : word;
}

/// Fit for an error message, whatever bytes the file has.
std::string printable(const std::string_view value)
{
  constexpr std::size_t longest = 60;
  std::string shown;
  for (const char c : value.substr(0, longest))
    shown += std::isprint(static_cast<unsigned char>(c)) ? c : '?';
  return value.size() > longest ? shown + "..." : shown;
}
}  // namespace

bool parse_integer(std::string_view word, long &value)
{
  word = without_plus(word);
  const auto result = std::from_chars(word.data(), word.data() + word.size(), value);
  return !word.empty() && result.ec == std::errc() && result.ptr == word.data() + word.size();
}

bool parse_real(std::string_view word, double &value)
{
  word = without_plus(word);
  std::string with_e;
  if (word.find_first_of("dD") != std::string_view::npos)
  {
    with_e = word;
    with_e[with_e.find_first_of("dD")] = 'e';
    word = with_e;
  }
  const auto result = std::from_chars(word.data(), word.data() + word.size(), value);
  return !word.empty() && result.ec == std::errc() && result.ptr == word.data() + word.size() && std::isfinite(value);
}

namespace
{
/// Refuses the binary forms of Gmsh ("$MeshFormat", then "4.1 1 8": the 1) and of legacy VTK ("BINARY" in line 3) with the way to save them
/// as text.
void refuse_binary(const std::string &file, const std::string &text)
{
  std::array<std::string, 3> lines;
  std::size_t at = 0;
  for (std::string &line : lines)
  {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    line = text.substr(at, end - at);
    at = std::min(end + 1, text.size());
  }
  if (lines[0].rfind("$MeshFormat", 0) == 0 && lines[1].find(" 1 ") != std::string::npos)
    throw InputError(file + ":2: " + printable(lines[1]) +
                     ": a binary Gmsh file; only ASCII can be read. Save it without -bin, or convert it: gmsh " + file +
                     " -save -format msh41 -o ascii.msh.");
  if (lines[0].rfind("# vtk DataFile", 0) == 0 && lines[2].rfind("BINARY", 0) == 0)
    throw InputError(file + ":3: BINARY: a binary VTK file; only ASCII can be read. Save it as legacy VTK, ASCII.");
}
}  // namespace

std::string text_of_mesh_file(const std::string &file, const bool may_be_empty)
{
  const TextFile found = TextFile::read(file);
  refuse_binary(file, found.text);
  if (found.line > 0)
    throw InputError(found.place(file) + " " + found.fault + ".");
  if (!found.fault.empty())
    throw InputError(file + ": " + found.fault + ". Check the name; a relative one starts at the folder of the deck.");
  if (!may_be_empty && found.text.find_first_not_of(" \t\r\n") == std::string::npos)
    throw InputError(file + ": is empty; a mesh or a deck is expected. Write it again.");
  return found.text;
}

std::string place_in(const std::vector<Piece> &pieces, const std::string &name, const std::size_t line)
{
  const auto after =
      std::upper_bound(pieces.begin(), pieces.end(), line, [](const std::size_t l, const Piece &piece) { return l < piece.first; });
  if (after == pieces.begin())
    return name + ":" + std::to_string(line);
  const Piece &piece = *(after - 1);
  return piece.file + ":" + std::to_string(line - piece.first + piece.line);
}

Scanner::Scanner(const std::string &file) : name(file), text(text_of_mesh_file(file)) {}

Scanner::Scanner(std::string given_name, std::string given_text, std::vector<Piece> pieces)
    : name(std::move(given_name)), text(std::move(given_text)), parts(std::move(pieces))
{
}

void Scanner::skip_blanks()
{
  for (; position < text.size() && (is_blank(text[position]) || (free_format && text[position] == '\n')); ++position)
    line_number += text[position] == '\n';
}

bool Scanner::line_ends()
{
  for (; position < text.size() && is_blank(text[position]); ++position)
  {
  }
  return position == text.size() || text[position] == '\n';
}

char Scanner::peek()
{
  skip_blanks();
  return position < text.size() ? text[position] : '\n';
}

void Scanner::skip_to_blank_line()
{
  rest();
  while (position < text.size())
  {
    ++position;
    ++line_number;
    if (line_ends())
      return;
    rest();
  }
}

bool Scanner::next_line()
{
  if (started && !line_ends())
    fail(rest(), "the line has more words than expected. Delete them.");
  started = true;
  for (; line_ends() && position < text.size(); ++position)
    ++line_number;
  return position < text.size();
}

void Scanner::expect_line(const char *what)
{
  if (!next_line())
    fail("end of file", std::string(what) + " is expected here; is the file cut off?");
}

std::string_view Scanner::word(const char *what)
{
  skip_blanks();
  const std::size_t start = position;
  while (position < text.size() && !is_blank(text[position]) && text[position] != '\n')
    ++position;
  if (position == start)
    fail(position == text.size() ? "end of file" : "end of line",
         std::string(what) + " is expected here" + (position == text.size() ? "; is the file cut off?" : "."));
  return std::string_view(text).substr(start, position - start);
}

long Scanner::integer(const char *what, const long min)
{
  const std::string_view found = word(what);
  long value = 0;
  if (!parse_integer(found, value) || value < min)
    fail(found, std::string(what) + " is expected here: a whole number, at least " + std::to_string(min) + ".");
  return value;
}

long Scanner::count(const char *what)
{
  const long value = integer(what);
  if (static_cast<std::size_t>(value) > text.size())
    fail(std::to_string(value), std::string(what) + " is more than the file can hold.");
  return value;
}

double Scanner::real(const char *what)
{
  const std::string_view found = word(what);
  double value = 0;
  if (!parse_real(found, value))
    fail(found, std::string(what) + " is expected here: a finite number.");
  return value;
}

std::string_view Scanner::rest()
{
  line_ends();
  const std::size_t start = position;
  position = std::min(text.find('\n', position), text.size());
  std::size_t end = position;
  while (end > start && is_blank(text[end - 1]))
    --end;
  return std::string_view(text).substr(start, end - start);
}

void Scanner::fail(const std::string_view value, const std::string &rule) const { fail_at(line_number, value, rule); }

void Scanner::fail_at(const std::size_t line, const std::string_view value, const std::string &rule) const
{
  throw InputError(place(line) + ": " + printable(value) + ": " + rule);
}
}  // namespace symdyn
