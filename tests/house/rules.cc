// Rules of the house that a program can check: who may include what (docs: the table of rooms in CONTRIBUTING.md),
// sources of formulas, length of files, what lies at the top level.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/house/rules_table.h"

namespace symdyn::tests::in_rules
{
namespace
{
namespace fs = std::filesystem;

const fs::path source = SYMDYN_SOURCE;
const std::set<std::string> rooms{"solver", "elements", "materials", "integrators", "meshes"};

bool starts_with(const std::string &text, const std::string &start) { return text.rfind(start, 0) == 0; }
bool starts_with_any(const std::string &text, const Names &starts)
{
  return std::any_of(starts.begin(), starts.end(), [&](const std::string &start) { return starts_with(text, start); });
}

std::string folder_of(const std::string &file) { return file.substr(0, file.rfind('/')); }

struct Include
{
  int line;
  std::string header;
};

std::vector<Include> includes(const std::string &text)
{
  static const std::regex directive(R"re(^\s*#\s*include\s*[<"]([^>"]+)[>"])re");
  std::vector<Include> found;
  std::istringstream in(text);
  std::string line;
  std::smatch match;
  for (int number = 1; std::getline(in, line); ++number)
    if (std::regex_search(line, match, directive))
      found.push_back({number, match[1]});
  return found;
}

bool is_of_the_language_or_system(const std::string &header)
{
  static const std::set<std::string> system{"fcntl.h", "poll.h", "unistd.h", "dlfcn.h", "immintrin.h", "mpi.h", "spawn.h"};
  return header.find_first_of("./") == std::string::npos || system.count(header) || starts_with(header, "sys/");
}

/// Why the file `name` ("elements/models/solid.cc") may not include `header`; "" if it may.
std::string forbidden(const std::string &name, const std::string &header)
{
  const std::string room = name.substr(0, name.find('/')), other = header.substr(0, header.find('/'));
  if (rooms.count(other))
  {
    const auto row = interfaces.find(folder_of(name));
    if (row == interfaces.end())
      return folder_of(name) + "/ has no row in tests/house/rules_table.h";
    if (std::none_of(row->second.begin(), row->second.end(),
                     [&](const std::string &one) { return one == header || one == folder_of(header); }))
      return row->first + "/ may include of this project only " + ::testing::PrintToString(row->second);
  }
  for (const Library &library : libraries)
    if (starts_with_any(header, library.headers))
      return starts_with_any(name, library.may_include)
                 ? ""
                 : library.name + " is for " + ::testing::PrintToString(library.may_include) + " only";
  if (starts_with(header, "deal.II/"))
    return room == "materials" && fs::path(name).extension() == ".h" ? "headers of materials/ know nothing of deal.II" : "";
  if (rooms.count(other) || starts_with(header, "fmt/") || is_of_the_language_or_system(header))
    return "";
  return "not a header of a room (\"solver/x.h\"), of the language or of a library this test knows";
}

Names broken_includes(const std::string &name, const std::string &text)
{
  Names broken;
  for (const Include &include : includes(text))
    if (const std::string why = forbidden(name, include.header); !why.empty())
      broken.push_back(name + ":" + std::to_string(include.line) + " includes " + include.header + ": " + why);
  return broken;
}

std::string text_of(const fs::path &file)
{
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

bool is_code(const fs::path &file) { return file.extension() == ".cc" || file.extension() == ".h"; }

/// Names relative to the top level of the files in `folder` and below it, in alphabetical order.
Names files(const std::string &folder)
{
  Names names;
  for (const auto &entry : fs::recursive_directory_iterator(source / folder))
    if (entry.is_regular_file())
      names.push_back(fs::relative(entry.path(), source));
  std::sort(names.begin(), names.end());
  return names;
}

Names code_of_rooms()
{
  Names code;
  for (const std::string &room : rooms)
    for (const std::string &name : files(room))
      if (is_code(name))
        code.push_back(name);
  return code;
}

std::string listed(const Names &lines)
{
  std::string text;
  for (const std::string &line : lines)
    text += line + "\n";
  return text;
}

/// What git does not see: build/, results/.
std::set<std::string> ignored()
{
  std::set<std::string> names{".git"};
  std::istringstream in(text_of(source / ".gitignore"));
  for (std::string line; std::getline(in, line);)
    names.insert(line.substr(1, line.find('/', 1) - 1));
  return names;
}

/// The comments of a file as one line of text.
std::string comments(const std::string &text)
{
  static const std::regex comment(R"(//+<?(.*))");
  std::string joined;
  std::istringstream in(text);
  std::smatch match;
  for (std::string line; std::getline(in, line);)
    if (std::regex_search(line, match, comment))
      joined += match[1].str() + " ";
  return std::regex_replace(joined, std::regex(" +"), " ");
}

/// "Simo and Pister (1984)", "Newmark 1959", "Hughes (1987, 9.1.3)".
bool names_a_source(const std::string &text)
{
  static const std::regex author_year(R"([A-Z][^\s.,;()]+( et al\.)?,? \(?(1[6-9]|20)\d\d\b)");
  return std::regex_search(comments(text), author_year);
}

bool registers_something(const std::string &text) { return text.find("SYMDYN_REGISTER(") != std::string::npos; }

std::size_t lines(const std::string &text) { return std::count(text.begin(), text.end(), '\n'); }
}  // namespace

TEST(Rules, EachRoomIncludesOnlyWhatItMay)
{
  const Names code = code_of_rooms();
  EXPECT_GT(code.size(), 80u) << "the walk misses files";
  Names broken;
  for (const std::string &name : code)
    for (const std::string &line : broken_includes(name, text_of(source / name)))
      broken.push_back(line);
  EXPECT_TRUE(broken.empty()) << listed(broken);
}

TEST(Rules, NoSourceIsIgnored)
{
  // "results/" would hide solver/results from git, too: what is ignored lies at the top level.
  std::istringstream in(text_of(source / ".gitignore"));
  int rows = 0;
  for (std::string line; std::getline(in, line); ++rows)
  {
    EXPECT_EQ(line.rfind('/', 0), 0u) << ".gitignore: " << line << " has no leading /";
    EXPECT_EQ(rooms.count(line.substr(1, line.find('/', 1) - 1)), 0u) << line;
  }
  EXPECT_GT(rows, 0);
}

TEST(Rules, StagesAreAskedForTheirTraits)
{
  // Of what type a stage is stands in its own file; who runs it asks for StageTraits.
  const std::regex by_name(R"re(\btype\s*[!=]=\s*"(static|dynamic|modes|modal transient|harmonic)")re"),
      by_class(R"re(_cast<[^>]*(Motion|Static|Dynamic|ModesStage|HarmonicStage))re");
  const auto asks = [&](const std::string &text) { return std::regex_search(text, by_name) || std::regex_search(text, by_class); };
  EXPECT_TRUE(asks("if (stage.type == \"modes\")"));
  EXPECT_TRUE(asks("dynamic_cast<const Motion *>(stage)"));
  for (const std::string &name : code_of_rooms())
    EXPECT_FALSE(starts_with(name, "solver/") && !starts_with(name, "solver/stages/") && asks(text_of(source / name))) << name;
}

TEST(Rules, ABrokenIncludeIsFound)
{
  struct Case
  {
    std::string file, header;
  };
  for (const Case &bad : {Case{"elements/models/solid.cc", "petscksp.h"},
                          {"solver/run/run.cc", "petscsnes.h"},
                          {"solver/results/results.h", "deal.II/lac/petsc_vector.h"},
                          {"integrators/newmark.cc", "slepceps.h"},
                          {"solver/deck/deck.cc", "deal.II/lac/trilinos_solver.h"},
                          {"elements/space/mass.cc", "Epetra_Vector.h"},
                          {"solver/linear/newton.cc", "deal.II/sundials/arkode.h"},
                          {"solver/results/results.cc", "vtkPolyData.h"},
                          {"solver/deck/formula/expression.h", "Sacado.hpp"},
                          {"elements/models/solid.h", "CLI/CLI.hpp"},
                          {"materials/hyperelastic/ogden.cc", "solver/deck/deck.h"},
                          {"materials/hyperelastic/ogden.cc", "elements/load.h"},
                          {"materials/material.h", "deal.II/base/tensor.h"},
                          {"materials/material.h", "fmt2/format.h"},
                          {"integrators/newmark.cc", "solver/run/run.h"},
                          {"integrators/newmark.cc", "elements/models/solid.h"},
                          {"integrators/newmark.cc", "solver/linear_solver.h"},
                          {"meshes/mesh.h", "solver/vector.h"},
                          {"meshes/mesh.h", "elements/load.h"},
                          {"meshes/files/gmsh.cc", "gmsh.h"},
                          {"elements/space/tangent.cc", "solver/linear/petsc.h"},
                          {"elements/space/tangent.cc", "integrators/newmark.h"},
                          {"solver/structure.h", "elements/models/solid.h"},
                          {"solver/run/run.cc", "meshes/mesh.h"},
                          {"solver/run/run.cc", "integrators/newmark.h"},
                          {"solver/dynamics/energy.cc", "materials/material.h"},
                          {"solver/dynamics/energy.cc", "solver/results/results.h"},
                          {"solver/base/log.cc", "solver/deck/deck.h"},
                          {"elements/cells/cell_kernels.cc", "elements/space/discretisation.h"},
                          {"elements/space/mass.cc", "elements/system/finite_element_system.h"},
                          {"elements/attic/solid.cc", "elements/load.h"},
                          {"solver/dynamics/energy.cc", "energy.h"},
                          {"solver/dynamics/energy.cc", "../solver/dynamics/energy.h"}})
  {
    const Names broken = broken_includes(bad.file, "// made up\n#include <cmath>\n #  include \"" + bad.header + "\"\n");
    ASSERT_EQ(broken.size(), 1u) << bad.file << " may include " << bad.header;
    EXPECT_EQ(broken[0].find(bad.file + ":3 includes " + bad.header + ": "), 0u) << broken[0];
    EXPECT_EQ(broken_includes(bad.file, "#include <" + bad.header + ">\n").size(), 1u);
  }
  EXPECT_TRUE(broken_includes("solver/linear/newton.cc", "#include <petscsnes.h>\n#include \"solver/linear/petsc.h\"\n").empty());
  EXPECT_TRUE(broken_includes("materials/hyperelastic/ogden.cc", "// #include <petscsnes.h>\n#include <Sacado.hpp>\n").empty());
}

/// What a reader can take in; beyond it a folder is cut.
TEST(Rules, FoldersAreSmall)
{
  constexpr std::size_t most = 30;
  std::map<std::string, std::size_t> sources;
  for (const std::string &name : code_of_rooms())
    sources[folder_of(name)] += fs::path(name).extension() == ".cc";
  EXPECT_GT(sources.size(), 25u) << "the walk misses folders";
  for (const auto &[folder, number] : sources)
  {
    EXPECT_LE(number, most) << folder;
    EXPECT_EQ(interfaces.count(folder), 1u) << folder << "/ has no row in tests/house/rules_table.h";
  }
  for (const auto &[folder, headers] : interfaces)
    EXPECT_EQ(sources.count(folder), 1u) << folder << "/ is empty or gone: remove its row";
}

TEST(Rules, EveryRegisteredFormulaNamesItsSource)
{
  std::string without;
  for (const std::string room : {"integrators", "materials"})
    for (const std::string &name : files(room))
      if (const std::string text = text_of(source / name); registers_something(text) && !names_a_source(text))
        without += name + ": no author (year) in its comments\n";
  EXPECT_EQ(without, "");

  EXPECT_TRUE(names_a_source("/// The scheme of Newmark\n  /// (1959), eq. 3\n"));
  EXPECT_TRUE(names_a_source("/// (Hughes 1987, 9.1.3)\n"));
  EXPECT_FALSE(names_a_source("/// Order 2 for h < 1959\nconst char *text = \"Newmark (1959)\";\n"));
  EXPECT_FALSE(names_a_source("/// The scheme of Newmark.\n"));
}

TEST(Rules, NothingIsLeftToDoInTheCode)
{
  const std::regex mark(
      "\\b(TO"
      "DO|FIX"
      "ME|XX"
      "X)\\b");
  const std::set<std::string> kinds{".cc", ".h", ".cmake", ".txt", ".md", ".prm", ".py", ".in", ""};
  std::string found;
  for (const auto &top : fs::directory_iterator(source))
  {
    const std::string name = top.path().filename();
    if (ignored().count(name))
      continue;
    for (const std::string &file : top.is_directory() ? files(name) : Names{name})
      if (kinds.count(fs::path(file).extension()) && std::regex_search(text_of(source / file), mark))
        found += file + "\n";
  }
  EXPECT_EQ(found, "");
}

TEST(Rules, TopLevelHoldsOnlyWhatTheDesignNames)
{
  const std::set<std::string> known{"solver",          "elements",
                                    "materials",       "integrators",
                                    "meshes",          "decks",
                                    "python",          "tests",
                                    "benchmarks",      "packaging",
                                    "paraview",        "docs",
                                    "cmake",           ".ci",
                                    "CMakeLists.txt",  "CMakePresets.json",
                                    "README.md",       "CHANGELOG.md",
                                    "CONTRIBUTING.md", "LICENSE",
                                    "quickstart",      ".clang-format",
                                    ".clang-tidy",     ".gitignore",
                                    ".gitattributes",  "pyproject.toml",
                                    "setup.py"};
  const std::set<std::string> unseen = ignored();
  std::string strangers;
  for (const auto &entry : fs::directory_iterator(source))
    if (const std::string name = entry.path().filename(); !known.count(name) && !unseen.count(name))
      strangers += name + "\n";
  EXPECT_EQ(strangers, "");
}

TEST(Rules, FilesAreShort)
{
  const std::size_t limit = 400;
  /// File and why it must be longer.
  const std::map<std::string, std::string> exceptions{};
  Names code = code_of_rooms();
  const std::size_t in_rooms = code.size();
  for (const std::string &name : files("tests"))
    if (is_code(name))
      code.push_back(name);
  EXPECT_GT(code.size(), in_rooms + 150) << "the walk misses tests";
  std::string too_long;
  for (const std::string &name : code)
    if (const std::size_t n = lines(text_of(source / name)); n > limit && !exceptions.count(name))
      too_long += name + ": " + std::to_string(n) + " lines\n";
  EXPECT_EQ(too_long, "") << "split what does two jobs, or state in this test why not";
  for (const auto &[name, reason] : exceptions)
  {
    EXPECT_FALSE(reason.empty());
    EXPECT_GT(lines(text_of(source / name)), limit) << name << " needs no exception any more";
  }
}
}  // namespace symdyn::tests::in_rules
