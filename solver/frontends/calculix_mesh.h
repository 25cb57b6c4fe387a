#pragma once
#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace symdyn
{
/// A kind of element as files of results of CalculiX have it (.frd): its number there, the order of its nodes, and how values at points of
/// integration become values at nodes.
struct CalculixShape
{
  int number = 0;
  std::vector<std::size_t> order{};                            ///< the k-th node of the file of results
  std::vector<std::array<double, 3>> corners{};                ///< of the reference element
  std::vector<std::pair<std::size_t, std::size_t>> middles{};  ///< of nodes behind the corners: between these
  bool simplex = false, wedge = false;
  int dimension = 3;
};

/// Nodes and elements of an input file, with what it includes.
struct CalculixMesh
{
  struct Element
  {
    std::string type;  ///< C3D8R
    std::vector<long> nodes{};
  };
  /// A line of the text, and where it stands.
  struct Place
  {
    std::string file;
    std::size_t line;
  };
  std::map<long, std::array<double, 3>> nodes;
  std::map<long, Element> elements;
  std::vector<std::string> lines;  ///< of all files, in their order
  std::vector<Place> places;

  /// Errors: InputError for files that cannot be read, and for lines of nodes and elements that are none.
  static CalculixMesh read(const std::string &file);
  /// nullptr: files of results have no such element (springs, masses).
  static const CalculixShape *shape_of(const std::string &type);
};
std::string in_capitals(std::string text);
/// "*NODE, NSET=ALL": its name in upper case, "NODE"; "" of other lines.
std::string keyword_of(const std::string &line);
/// The words between commas, without blanks around them.
std::vector<std::string> cut_at_commas(const std::string &line);
}  // namespace symdyn
