// Functions are short: a reader sees one whole.
#include <gtest/gtest.h>

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
constexpr std::size_t limit = 60;

struct Function
{
  std::string head;
  std::size_t lines;
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
}  // namespace

TEST(Functions, AreShort)
{
  std::size_t number = 0;
  std::string too_long;
  for (const std::string room : {"solver", "elements", "materials", "integrators", "meshes"})
    for (const auto &entry : fs::recursive_directory_iterator(fs::path(SYMDYN_SOURCE) / room))
      if (const auto kind = entry.path().extension(); kind == ".cc" || kind == ".h")
        for (const Function &function : functions(text_of(entry.path())))
        {
          ++number;
          if (function.lines > limit)
            too_long += fs::relative(entry.path(), SYMDYN_SOURCE).string() + ": " + std::to_string(function.lines) +
                        " lines: " + function.head + "\n";
        }
  EXPECT_GT(number, 2000u) << "the search misses functions";
  EXPECT_EQ(too_long, "");
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
