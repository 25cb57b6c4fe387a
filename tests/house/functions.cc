// Functions are short: a reader sees one whole.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace symdyn::tests::in_functions
{
namespace
{
namespace fs = std::filesystem;
constexpr std::size_t limit = 60, usual = 40;
constexpr std::ptrdiff_t most_above_usual = 10;

struct Function
{
  std::string head;
  std::size_t lines;
};

struct Place
{
  std::string file;
  Function function;
};

/// Bodies whose braces stand on lines of their own: between them, and the last line of their head.
std::vector<Function> functions(const std::string &text)
{
  static const std::regex head(R"(.*\)( const)?( noexcept)?( override)?$|^ *: .*)"),
      other(R"(.*\b(if|for|while|switch|catch|do|else|try)\b.*)");
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    lines.push_back(line);
  std::vector<Function> found;
  for (std::size_t i = 1; i < lines.size(); ++i)
  {
    const std::size_t indent = lines[i].find('{');
    if (indent == std::string::npos || lines[i] != std::string(indent, ' ') + "{" || !std::regex_match(lines[i - 1], head) ||
        std::regex_match(lines[i - 1], other))
      continue;
    const std::string end = std::string(indent, ' ') + "}";
    std::size_t last = i + 1;
    while (last < lines.size() && lines[last].compare(0, end.size(), end) != 0)
      ++last;
    found.push_back({lines[i - 1], last - i - 1});
  }
  return found;
}

std::string text_of(const fs::path &file)
{
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<Place> functions_of_rooms()
{
  std::vector<Place> found;
  for (const std::string room : {"solver", "elements", "materials", "integrators", "meshes"})
    for (const auto &entry : fs::recursive_directory_iterator(fs::path(SYMDYN_SOURCE) / room))
      if (const auto kind = entry.path().extension(); kind == ".cc" || kind == ".h")
        for (const Function &function : functions(text_of(entry.path())))
          found.push_back({fs::relative(entry.path(), SYMDYN_SOURCE).string(), function});
  return found;
}

/// The longest first, one a line.
std::string longer_than(const std::size_t lines, std::vector<Place> places)
{
  std::sort(places.begin(), places.end(), [](const Place &a, const Place &b) { return a.function.lines > b.function.lines; });
  std::string text;
  for (const auto &[file, function] : places)
    if (function.lines > lines)
      text += file + ": " + std::to_string(function.lines) + " lines: " + function.head + "\n";
  return text;
}
}  // namespace

TEST(Functions, AreShort)
{
  const std::vector<Place> all = functions_of_rooms();
  EXPECT_GT(all.size(), 2000u) << "the search misses functions";
  EXPECT_EQ(longer_than(limit, all), "");
}

TEST(Functions, FewAreAboveTheUsualLength)
{
  const std::string above = longer_than(usual, functions_of_rooms());
  EXPECT_LE(std::count(above.begin(), above.end(), '\n'), most_above_usual) << "split some of these, of more than " << usual << " lines:\n"
                                                                            << above;
}

TEST(Functions, OneThatIsTooLongIsFound)
{
  std::string body, inner = "  if (a)\n  {\n    b();\n  }\n";
  for (int i = 0; i < 20; ++i)
    body += inner;
  const auto found = functions("int f(int a)\n{\n" + body +
                               "}\nclass C\n{\n  void g() const override\n  {\n    h();\n  }\n};\nC::C()\n    : a(1)\n{\n}\n");
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].lines, 80u);
  EXPECT_EQ(found[1].lines, 1u);
  EXPECT_EQ(found[2].lines, 0u);
}
}  // namespace symdyn::tests::in_functions
