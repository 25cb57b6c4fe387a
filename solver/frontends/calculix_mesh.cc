#include "solver/frontends/calculix_mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "solver/base/names.h"
#include "solver/base/number.h"
#include "solver/base/text_file.h"
#include "solver/error.h"

namespace symdyn
{
namespace
{
using Corners = std::vector<std::array<double, 3>>;
using Middles = std::vector<std::pair<std::size_t, std::size_t>>;

/// The value of an option of a keyword: `TYPE` of "*ELEMENT, TYPE=C3D8"; "": it is not there.
std::string option_of(const std::string &line, const std::string &name)
{
  for (const std::string &word : cut_at_commas(line))
    if (const std::size_t equal = word.find('='); equal != std::string::npos && in_capitals(trim(word.substr(0, equal))) == name)
      return trim(word.substr(equal + 1));
  return "";
}

/// All lines of a file, with those of the files that it includes.
class Gathered
{
public:
  explicit Gathered(CalculixMesh &mesh) : mesh(mesh) {}
  void add(const std::string &file, const int depth)
  {
    constexpr int deepest = 20;
    if (depth > deepest)
      throw InputError(file + ": files include each other more than 20 deep. Look for one that includes itself");
    const TextFile text = TextFile::read(file);
    if (!text.fault.empty())
      throw InputError(text.place(file) + " " + text.fault);
    std::size_t number = 0;
    for (std::size_t at = 0; at < text.text.size();)
    {
      const std::size_t end = std::min(text.text.find('\n', at), text.text.size());
      std::string line = text.text.substr(at, end - at);
      if (!line.empty() && line.back() == '\r')
        line.pop_back();
      at = end + 1;
      ++number;
      if (keyword_of(line) != "INCLUDE")
      {
        mesh.lines.push_back(line);
        mesh.places.push_back({file, number});
        continue;
      }
      const std::string named = option_of(line, "INPUT");
      const std::filesystem::path beside = std::filesystem::path(file).parent_path() / named;
      add(std::filesystem::exists(beside) ? beside.string() : named, depth + 1);
    }
  }

private:
  CalculixMesh &mesh;
};

/// The numbers of lines of data; those of elements go on where a line ends with a comma, or has too few.
class Reader
{
public:
  explicit Reader(CalculixMesh &mesh) : mesh(mesh) {}
  void read()
  {
    for (std::size_t i = 0; i < mesh.lines.size(); ++i)
    {
      const std::string line = trim(mesh.lines[i]);
      if (line.empty() || line.rfind("**", 0) == 0)
        continue;
      if (line[0] == '*')
      {
        keyword = keyword_of(line);
        type = in_capitals(option_of(line, "TYPE"));
        pending.clear();
      }
      else if (keyword == "NODE")
        add_node(i, cut_at_commas(line));
      else if (keyword == "ELEMENT")
        add_element(i, cut_at_commas(line));
    }
  }

private:
  [[noreturn]] void fail(const std::size_t i, const std::string &what) const
  {
    throw InputError(fmt::format("{}:{}: {}", mesh.places[i].file, mesh.places[i].line, what));
  }
  long whole(const std::size_t i, const std::string &word) const
  {
    if (const auto number = number_from<long>(word))
      return *number;
    fail(i, fmt::format("'{}' is no whole number", shortened(word)));
  }
  void add_node(const std::size_t i, const std::vector<std::string> &words)
  {
    std::array<double, 3> &X = mesh.nodes[whole(i, words[0])];
    for (std::size_t d = 0; d < 3; ++d)
    {
      std::string word = d + 1 < words.size() ? words[d + 1] : "";
      std::replace_if(
          word.begin(), word.end(), [](const char c) { return c == 'D' || c == 'd'; }, 'E');
      const auto x = word.empty() ? std::optional<double>(0.) : number_from<double>(word);
      if (!x)
        fail(i, fmt::format("'{}' is no number", shortened(word)));
      X[d] = *x;
    }
  }
  void add_element(const std::size_t i, const std::vector<std::string> &words)
  {
    for (const std::string &word : words)
      if (!word.empty())
        pending.push_back(whole(i, word));
    const CalculixShape *shape = CalculixMesh::shape_of(type);
    if (shape && pending.size() < 1 + shape->order.size())
      return;
    if (!pending.empty())
      mesh.elements[pending[0]] = {type, {pending.begin() + 1, pending.end()}};
    pending.clear();
  }

  CalculixMesh &mesh;
  std::string keyword, type;
  std::vector<long> pending;
};

const Corners of_tet{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
const Corners of_wedge{{0, 0, -1}, {1, 0, -1}, {0, 1, -1}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
const Corners of_hex{{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1}};
const Middles of_hex20{{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6}, {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
const Middles of_wedge15{{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}, {0, 3}, {1, 4}, {2, 5}};

std::vector<std::size_t> counted(const std::size_t n)
{
  std::vector<std::size_t> all(n);
  for (std::size_t k = 0; k < n; ++k)
    all[k] = k;
  return all;
}

/// By the beginning of the type. Middles of vertical edges come before those of the top in files of results, and behind them in the input.
const std::vector<std::pair<std::string, CalculixShape>> &shapes()
{
  static const std::vector<std::pair<std::string, CalculixShape>> all{
      {"C3D20", {4, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 16, 17, 18, 19, 12, 13, 14, 15}, of_hex, of_hex20}},
      {"C3D15", {5, {0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 14, 9, 10, 11}, of_wedge, of_wedge15, false, true}},
      {"C3D10", {6, counted(10), of_tet, {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}}, true}},
      {"C3D8", {1, counted(8), of_hex}},
      {"C3D6", {2, counted(6), of_wedge, {}, false, true}},
      {"C3D4", {3, counted(4), of_tet, {}, true}},
      {"S8", {10, counted(8), {}, {}, false, false, 2}},
      {"S6", {8, counted(6), {}, {}, false, false, 2}},
      {"S4", {9, counted(4), {}, {}, false, false, 2}},
      {"S3", {7, counted(3), {}, {}, false, false, 2}},
      {"CPS8", {10, counted(8), {}, {}, false, false, 2}},
      {"CPE8", {10, counted(8), {}, {}, false, false, 2}},
      {"CPS6", {8, counted(6), {}, {}, false, false, 2}},
      {"CPE6", {8, counted(6), {}, {}, false, false, 2}},
      {"CPS4", {9, counted(4), {}, {}, false, false, 2}},
      {"CPE4", {9, counted(4), {}, {}, false, false, 2}},
      {"CPS3", {7, counted(3), {}, {}, false, false, 2}},
      {"CPE3", {7, counted(3), {}, {}, false, false, 2}},
      {"B32", {12, {0, 2, 1}, {}, {}, false, false, 1}},
      {"B31", {11, counted(2), {}, {}, false, false, 1}},
      {"B21", {11, counted(2), {}, {}, false, false, 1}},
      {"T3D2", {11, counted(2), {}, {}, false, false, 1}},
      {"T2D2", {11, counted(2), {}, {}, false, false, 1}},
  };
  return all;
}
}  // namespace

std::string in_capitals(std::string text)
{
  for (char &c : text)
    c = char(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string keyword_of(const std::string &line)
{
  const std::string text = trim(line);
  if (text.size() < 2 || text[0] != '*' || text[1] == '*')
    return "";
  return in_capitals(trim(text.substr(1, text.find(',') - 1)));
}

std::vector<std::string> cut_at_commas(const std::string &line)
{
  std::vector<std::string> words;
  for (std::size_t at = 0; at <= line.size();)
  {
    const std::size_t end = std::min(line.find(',', at), line.size());
    words.push_back(trim(line.substr(at, end - at)));
    at = end + 1;
  }
  return words;
}

CalculixMesh CalculixMesh::read(const std::string &file)
{
  CalculixMesh mesh;
  Gathered(mesh).add(file, 0);
  Reader(mesh).read();
  return mesh;
}

const CalculixShape *CalculixMesh::shape_of(const std::string &type)
{
  for (const auto &[name, shape] : shapes())
    if (type.rfind(name, 0) == 0)
      return &shape;
  return nullptr;
}
}  // namespace symdyn
