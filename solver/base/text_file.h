#pragma once
#include <string>
#include <utility>
#include <vector>

namespace symdyn
{
/// A file that is to be text: what it holds, or why it cannot be read. Only regular files are read: a pipe would be waited for, a device
/// may never end.
struct TextFile
{
  std::string text;      ///< without the mark of UTF-8
  std::string fault;     ///< "cannot be read: it is a folder", "is text in UTF-16, ..."; or ""
  std::size_t line = 0;  ///< that the fault is in; 0: it is the file's

  static TextFile read(const std::string &file);
  /// Lines with numbers, commas become spaces: those that are empty or begin with # are left out. With their number in the file.
  std::vector<std::pair<int, std::string>> rows() const;
  /// "file", or "file:3:" before a fault in that line.
  std::string place(const std::string &file) const { return line > 0 ? file + ":" + std::to_string(line) + ":" : file; }
};

/// Whether the text is UTF-8, as ASCII is; Latin-1 with an accent in it is not.
bool is_utf8(const std::string &text);

/// For messages: without line ends and other control characters, all of it if that is UTF-8, and cut where it is longer than a line or two.
std::string shortened(const std::string &text);
}  // namespace symdyn
