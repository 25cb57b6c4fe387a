// What clang refuses in a batch of sources, and gcc does not see.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>

namespace symdyn::tests::in_instantiations
{
namespace
{
namespace fs = std::filesystem;

std::string text_of(const fs::path &file)
{
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Names that a pattern finds in the lines of a text.
std::set<std::string> names_in(const std::string &text, const std::regex &pattern)
{
  std::set<std::string> names;
  for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match)
    names.insert((*match)[1]);
  return names;
}
}  // namespace

/// A class template whose members are instantiated in another source may not share a batch with it: its own source compiles alone.
TEST(Instantiations, OfClassesInSeveralSourcesCompileAlone)
{
  static const std::regex whole(R"(\ntemplate (?:class|struct) (\w+)<)"),
      member(R"(\ntemplate (?!class|struct)[^;{}\n]*?(\w+)<\d>::~?\w+\()");
  std::map<std::string, std::set<std::string>> sources, others;
  for (const std::string room : {"solver", "elements", "materials", "integrators", "meshes"})
    for (const auto &entry : fs::recursive_directory_iterator(fs::path(SYMDYN_SOURCE) / room))
      if (entry.path().extension() == ".cc")
      {
        const std::string name = fs::relative(entry.path(), SYMDYN_SOURCE).string(), text = text_of(entry.path());
        for (const std::string &type : names_in(text, whole))
          sources[type].insert(name);
        for (const std::string &type : names_in(text, member))
          others[type].insert(name);
      }
  const std::string build = text_of(fs::path(SYMDYN_SOURCE) / "CMakeLists.txt");
  std::size_t apart = 0;
  for (const auto &[type, members] : others)
    for (const std::string &source : sources[type])
      if (members.size() > members.count(source))
      {
        ++apart;
        EXPECT_NE(build.find(source), std::string::npos)
            << source << " instantiates " << type << ", and so does " << *members.begin() << ": add it to symdyn_unity in CMakeLists.txt";
      }
  EXPECT_GE(apart, 5u) << "the search misses classes";
}
}  // namespace symdyn::tests::in_instantiations
