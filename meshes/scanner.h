#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace symdyn
{
/// Numbers of a mesh file: the whole word must be a number, a real one finite (Fortran's exponent D is understood).
bool parse_integer(std::string_view word, long &value);
bool parse_real(std::string_view word, double &value);

/// The whole text of a file, without the mark of UTF-8. Errors: InputError for what is no text (text_file.h), and for empty files unless
/// they may be empty.
std::string text_of_mesh_file(const std::string &file, bool may_be_empty = false);

/// Where a text that is put together from several files comes from: its lines from `first` on are those of `file` from `line` on.
struct Piece
{
  std::size_t first;
  std::string file;
  std::size_t line;
};
/// "file:line" of a line of such a text; of no pieces: of the file `name`.
std::string place_in(const std::vector<Piece> &pieces, const std::string &name, std::size_t line);

/// A text file in memory, read word by word, that knows the line it is at. Errors are InputErrors with file:line and
/// what was found. Words end at blanks.
class Scanner
{
public:
  explicit Scanner(const std::string &file);
  /// Of a text put together.
  Scanner(std::string name, std::string text, std::vector<Piece> pieces);

  /// To the next line that is not blank; an error if the current line has words left. False at the end of the file.
  bool next_line();
  /// As next_line(), but an error at the end of the file, for `what` is expected there.
  void expect_line(const char *what);
  /// The next word on this line (after across_lines(): of the file); an error if there is none.
  std::string_view word(const char *what);
  long integer(const char *what, long min = 0);
  /// Of things that follow in the file, so no more than it has bytes.
  long count(const char *what);
  double real(const char *what);
  /// What is left of the line, without blanks at its ends.
  std::string_view rest();
  bool line_ends();
  /// The next character that is not blank; a newline at the end of the line or file.
  char peek();
  void skip_to_blank_line();
  /// Whether words may be separated by ends of lines.
  void across_lines(bool allowed) { free_format = allowed; }

  const std::string &file() const { return name; }
  const std::vector<Piece> &pieces() const { return parts; }
  std::string place(std::size_t line) const { return place_in(parts, name, line); }
  std::size_t line() const { return line_number; }
  bool same_text(const Scanner &other) const { return text == other.text; }
  /// Throws InputError: "file:line: value: rule".
  [[noreturn]] void fail(std::string_view value, const std::string &rule) const;
  [[noreturn]] void fail_at(std::size_t line, std::string_view value, const std::string &rule) const;

private:
  void skip_blanks();

  std::string name, text;
  std::vector<Piece> parts;
  std::size_t position = 0, line_number = 1;
  bool started = false, free_format = false;
};
}  // namespace symdyn
