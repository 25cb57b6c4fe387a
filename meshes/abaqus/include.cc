#include <algorithm>
#include <cctype>
#include <filesystem>

#include "meshes/abaqus/keywords.h"
#include "solver/base/names.h"
#include "solver/error.h"

// *INCLUDE, INPUT=file: the text of the file stands in the place of the line.
namespace symdyn::abaqus
{
namespace
{
constexpr int most_files = 1000;
constexpr std::size_t most_bytes = std::size_t(1) << 32;

/// Puts texts together and remembers where each line comes from.
class Assembler
{
public:
  void add(const std::string &file, const std::string &named_by)
  {
    std::error_code unknown;
    const std::filesystem::path found = std::filesystem::weakly_canonical(file, unknown);
    const std::string identity = unknown ? file : found.string();
    if (std::count(open.begin(), open.end(), identity))
      throw InputError(named_by + ": " + file + ": this file includes itself: " + join(open, " -> ") + " -> " + identity +
                       ". Remove one *INCLUDE.");
    if (++files > most_files)
      throw InputError(named_by + ": " + file + ": more than " + std::to_string(most_files) + " files are included. Write them into one.");
    open.push_back(identity);
    const std::string content = text_of(file, named_by);
    if (content.size() > most_bytes - text.size())
      throw InputError(named_by + ": " + file + ": with this file the text has more than 4 GB. Include each file once.");
    add_lines(file, content);
    open.pop_back();
  }

  std::string text;
  std::vector<Piece> pieces;

private:
  static std::string text_of(const std::string &file, const std::string &named_by)
  try
  {
    return text_of_mesh_file(file, !named_by.empty());
  }
  catch (const InputError &error)
  {
    throw InputError((named_by.empty() ? "" : named_by + ": ") + error.what());
  }

  void add_lines(const std::string &file, const std::string &content)
  {
    std::size_t number = 1;
    pieces.push_back({lines, file, number});
    for (std::size_t start = 0; start < content.size(); ++number)
    {
      const std::size_t end = std::min(content.find('\n', start), content.size());
      const std::string line = content.substr(start, end - start);
      start = end + 1;
      const std::vector<std::string> words = is_include(line) ? split(trim(line)) : std::vector<std::string>();
      if (words.empty())
      {
        text += line + '\n';
        ++lines;
        continue;
      }
      add(included(words, file, number), file + ":" + std::to_string(number));
      pieces.push_back({lines, file, number + 1});
    }
  }

  static bool is_include(const std::string &line)
  {
    const auto first = line.find_first_not_of(" \t");
    return first != std::string::npos && line[first] == '*' && compact(split(line)[0]) == "*INCLUDE";
  }

  static std::string included(const std::vector<std::string> &words, const std::string &file, const std::size_t line)
  {
    for (const std::string &word : words)
      if (const auto equals = word.find('='); equals != std::string::npos && compact(word.substr(0, equals)) == "INPUT")
      {
        const std::string name = unquoted(trim(word.substr(equals + 1)));
        if (!name.empty())
          return (std::filesystem::path(file).parent_path() / name).string();
      }
    throw InputError(file + ":" + std::to_string(line) + ": *INCLUDE: needs the name of a file: *INCLUDE, INPUT=nodes.inp.");
  }

  std::vector<std::string> open;
  int files = 0;
  std::size_t lines = 1;
};
}  // namespace

std::string compact(const std::string &word)
{
  std::string letters = upper(word);
  letters.erase(std::remove_if(letters.begin(), letters.end(), [](const unsigned char c) { return std::isspace(c); }), letters.end());
  return letters;
}

std::string unquoted(const std::string &word)
{
  const bool quoted = word.size() > 1 && word.front() == '"' && word.back() == '"';
  return quoted ? word.substr(1, word.size() - 2) : word;
}

Scanner with_includes(const std::string &file)
{
  Assembler assembler;
  assembler.add(file, "");
  return Scanner(file, std::move(assembler.text), std::move(assembler.pieces));
}
}  // namespace symdyn::abaqus
