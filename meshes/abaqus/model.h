#pragma once
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "meshes/abaqus/keywords.h"

namespace symdyn::abaqus
{
/// A set of nodes or elements.
struct Set
{
  std::string name;                  ///< as it is written first
  std::vector<std::size_t> members;  ///< indices of nodes or elements
  std::size_t line;
};
using Sets = std::map<std::string, Set>;  ///< by upper-case name: Abaqus does not tell the cases apart

/// What an Abaqus or CalculiX input file says of nodes, elements, sets and surfaces: one part, of one instance at most. Errors: InputError.
class Model
{
public:
  explicit Model(const std::string &file);

  Scanner scanner;
  std::vector<Remark> remarks;     ///< lines that are left out
  std::vector<Keyword> all;        ///< all keywords of the file, in its order
  MeshFile mesh;                   ///< nodes, elements, named faces
  std::vector<std::string> types;  ///< of the elements, in upper case
  Sets node_sets, element_sets;
  std::vector<Remark> cut_elements;  ///< elements with more nodes than their type has

  /// Gives the mesh its names: *SOLID SECTION, if there is any, tells the sets that are materials from the others.
  void hand_over();
  /// References from an assembly are written "instance.set". nullptr: there is none.
  static const Set *find_set(const Sets &sets, const std::string &reference);
  /// nullptr: there is none, or the word is a number, which names a node or an element even if a set has this name (as CalculiX has it).
  const Set *set_of_nodes(const std::string &word) const;
  const Set *set_of_elements(const std::string &word) const;
  /// "; there are: A, B", the nearest names first, or "; the file has none".
  static std::string known(const Sets &sets, const std::string &name);
  /// Indices of the nodes, or elements, of a set or number. Errors: InputError at the line.
  std::vector<std::size_t> nodes_of(const Line &line, const std::string &word) const;
  std::vector<std::size_t> elements_of(const Line &line, const std::string &word) const;
  /// Those of a set that an option names (NSET=, ELSET=), also where its name is a number.
  std::vector<std::size_t> nodes_named(const Keyword &keyword) const;
  std::vector<std::size_t> elements_named(const Keyword &keyword) const;
  /// "P1" to "P6" of the label of a *DLOAD: P1, or P1NP, the pressure at a node; "" of others.
  static std::string pressed_face(const std::string &label);
  /// The boundary that *DLOAD with a label P1, P2, ... on elements means.
  static std::string pressed(const std::string &elements, const std::string &label) { return elements + "." + upper(label); }
  /// The name of the cells that a *DLOAD of body forces means.
  std::string body_loaded(const std::string &elements) const
  {
    return set_of_elements(elements) ? set_of_elements(elements)->name : "element " + elements;
  }
  /// Of a line of data, "" if there are not so many; it is remembered as read.
  std::string word(const Line &line, std::size_t i) const;
  /// The first word of a line that was not read, where others of it were; "": none.
  std::string unread(const Line &line) const;
  std::string required(const Keyword &keyword, const std::string &option) const;
  long number(const Line &line, const std::string &word, const char *what) const;
  double real(const Line &line, const std::string &word, const char *what) const;

private:
  static Set &set(Sets &sets, const std::string &name, std::size_t line);
  void nodes(const Keyword &keyword);
  void elements(const Keyword &keyword);
  void add_element(std::size_t line, const ElementType &type, const std::string &name, const std::vector<long> &numbers);
  std::size_t element(const Line &line, const std::string &word) const;
  std::size_t node(const Line &line, const std::string &word) const;
  template <class Find>
  void fill(Sets &sets, const Keyword &keyword, const std::string &name, const Find &find);
  template <class Find>
  void generate(const Line &line, bool of_nodes, const Find &find, std::vector<std::size_t> &members) const;
  void surface(const Keyword &keyword);
  void pressures(const Keyword &keyword);
  void add_face(const std::string &name, const Line &line, const FileElement &element);
  void section(const Keyword &keyword) { sections.push_back({required(keyword, "ELSET"), {}, keyword.line}); }
  void only_one(int &count, const Keyword &keyword) const;

  std::unordered_map<long, std::size_t> index_of_element;
  mutable std::unordered_map<std::size_t, std::vector<bool>> words_read;  ///< by line
  std::vector<Set> sections;
  std::set<std::string> named_by_loads;  ///< boundaries
  int parts = 0, instances = 0;
};
}  // namespace symdyn::abaqus
