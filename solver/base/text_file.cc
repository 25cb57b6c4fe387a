#include "solver/base/text_file.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "solver/base/names.h"

namespace symdyn
{
namespace
{
namespace fs = std::filesystem;

/// Of a file that is not there: what its folder has instead, of the same kind and the nearest names first.
std::string others_beside(const fs::path &file)
{
  constexpr std::size_t most_read = 1000, most_named = 3;
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  std::error_code error;
  std::vector<std::string> names;
  for (fs::directory_iterator one(folder, error), end; !error && one != end && names.size() < most_read; one.increment(error))
    if (one->path().extension() == file.extension() && !one->is_directory(error))
      names.push_back(one->path().filename().string());
  if (error)
    return "; there is no folder " + folder.string();
  names = nearest_first(file.filename().string(), std::move(names));
  names.resize(std::min(names.size(), most_named));
  return names.empty() ? "" : "; its folder has " + join(names);
}

/// Why there is no text to be had from it; or "".
std::string kind_fault(const std::string &file)
{
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (status.type() == fs::file_type::not_found || status.type() == fs::file_type::none)
    return (error ? error.message() : std::strerror(ENOENT)) + others_beside(file);
  if (fs::is_directory(status))
    return "it is a folder";
  if (fs::is_fifo(status))
    return "it is a pipe, not a file";
  return fs::is_regular_file(status) ? "" : "it is a device, not a file";
}

bool starts_with(const std::string &text, const char *bytes) { return text.compare(0, std::strlen(bytes), bytes) == 0; }
}  // namespace

TextFile TextFile::read(const std::string &file)
{
  TextFile result;
  const std::string cannot = "cannot be read: ";
  if (const std::string fault = kind_fault(file); !fault.empty())
  {
    result.fault = cannot + fault;
    return result;
  }
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream content;
  if (!stream || (stream.peek() != EOF && !(content << stream.rdbuf())) || stream.bad())
  {
    result.fault = cannot + (errno != 0 ? std::strerror(errno) : "reading fails");
    return result;
  }
  result.text = content.str();
  if (starts_with(result.text, "\xFF\xFE") || starts_with(result.text, "\xFE\xFF"))
  {
    result.line = 1;
    result.fault = "is text in UTF-16, two bytes a letter. Save it as UTF-8 or ASCII";
  }
  else if (const std::size_t zero = result.text.find('\0'); zero != std::string::npos)
  {
    result.line = 1 + std::count(result.text.begin(), result.text.begin() + zero, '\n');
    result.fault = "has a zero byte: it is not text but a binary file, or text in UTF-16, two bytes a letter. Save it as UTF-8 or ASCII";
  }
  else if (starts_with(result.text, "\xEF\xBB\xBF"))
    result.text.erase(0, 3);
  return result;
}

std::vector<std::pair<int, std::string>> TextFile::rows() const
{
  std::vector<std::pair<int, std::string>> found;
  std::istringstream in(text);
  std::string row;
  for (int number = 1; std::getline(in, row); ++number)
  {
    std::replace(row.begin(), row.end(), ',', ' ');
    const std::size_t first = row.find_first_not_of(" \t\r");
    if (first != std::string::npos && row[first] != '#')
      found.emplace_back(number, row);
  }
  return found;
}

bool is_utf8(const std::string &text)
{
  for (std::size_t i = 0; i < text.size();)
  {
    const unsigned char first = text[i];
    const std::size_t more = first < 0x80                    ? 0
                             : first >= 0xC2 && first < 0xE0 ? 1
                             : first >= 0xE0 && first < 0xF0 ? 2
                             : first >= 0xF0 && first < 0xF5 ? 3
                                                             : text.size();
    if (more >= text.size() - i)
      return false;
    for (std::size_t k = 1; k <= more; ++k)
      if ((static_cast<unsigned char>(text[i + k]) & 0xC0) != 0x80)
        return false;
    const unsigned char second = more > 0 ? text[i + 1] : 0;
    // Longer than it need be, a half of UTF-16, beyond Unicode.
    if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) || (first == 0xF0 && second < 0x90) ||
        (first == 0xF4 && second > 0x8F))
      return false;
    i += more + 1;
  }
  return true;
}

std::string shortened(const std::string &text)
{
  constexpr std::size_t longest = 200;
  std::string shown = text.substr(0, longest);
  const bool plain = is_utf8(shown);
  for (char &c : shown)
    if (std::iscntrl(static_cast<unsigned char>(c)) || (!plain && static_cast<unsigned char>(c) >= 0x80))
      c = '?';
  return text.size() > longest ? shown + "..." : shown;
}
}  // namespace symdyn
