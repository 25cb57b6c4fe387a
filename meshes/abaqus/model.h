#pragma once
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "meshes/abaqus/keywords.h"

namespace symdyn::abaqus
{
class Translators;

/// A set of nodes or elements.
struct Set
{
  std::string name;                  ///< as it is written first
  std::vector<std::size_t> members;  ///< indices of nodes or elements
  std::size_t line;
};
using Sets = std::map<std::string, Set>;  ///< by upper-case name: Abaqus does not tell the cases apart

/// References from an assembly are written "instance.set". nullptr: there is none.
const Set *find_set(const Sets &sets, const std::string &reference);
/// "; there are: A, B", the nearest names first, or "; the file has none".
std::string known(const Sets &sets, const std::string &name);
/// Whether elements of this type, in upper case, are beams or shells.
bool is_thin(const std::string &type);
/// Whether a word is a whole number: it names a node or an element, also where a set has this name (as CalculiX has it).
bool is_number(const std::string &word);

/// What an Abaqus or CalculiX input file says of nodes, elements, sets and surfaces: one part, of one instance at most. Errors: InputError.
class Model
{
public:
  /// Parses the file; translators read what belongs to the mesh.
  Model(const std::string &file, const Translators &translators);

  Scanner scanner;
  std::vector<Remark> remarks;     ///< lines that are left out
  std::vector<Line> notes;         ///< comments `** name: text`
  std::vector<Keyword> all;        ///< all keywords of the file, in its order
  MeshFile mesh;                   ///< nodes, elements, named faces
  std::vector<std::string> types;  ///< of the elements, in upper case
  Sets node_sets, element_sets;
  bool thin = false;                                     ///< there are beams or shells
  bool has_solids() const;                               ///< cells in space
  std::vector<Remark> cut_elements;                      ///< elements with more nodes than their type has
  std::vector<Set> sections;                             ///< sets of elements that are materials, by name
  std::map<std::string, int> counted;                    ///< keywords of which there may be one
  std::set<std::string> named_by_loads;                  ///< boundaries
  std::map<std::string, std::vector<std::size_t>> axes;  ///< elements of surfaces of beams, by their names

  /// Gives the mesh its names: sections, if there are any, tell the sets that are materials from the others.
  void hand_over(const Translators &translators);
  /// The file as it is named now, if its text is still the same. False: it is not.
  bool renamed(const std::string &file);

  // Of a mesh that is being read.
  void add_element(std::size_t line, const ElementType &type, const std::string &name, const std::vector<long> &numbers);
  void add_face(const std::string &name, const Line &line, const FileElement &element);
  /// Puts those of the elements that are beams and shells into a group of the mesh.
  void name_group(const std::string &name, const std::vector<std::size_t> &elements);
  /// The set of this name, new or not.
  static Set &set(Sets &sets, const std::string &name, std::size_t line);
  /// Of a number; InputError if there is none.
  std::size_t element(const Line &line, const std::string &word) const;
  std::size_t node(const Line &line, const std::string &word) const;
  bool has_element(const long number) const { return index_of_element.count(number) > 0; }

  /// nullptr: there is none, or the word is a number.
  const Set *set_of_nodes(const std::string &word) const { return is_number(word) ? nullptr : find_set(node_sets, word); }
  const Set *set_of_elements(const std::string &word) const { return is_number(word) ? nullptr : find_set(element_sets, word); }
  /// Indices of the nodes, or elements, of a set or number. Errors: InputError at the line.
  std::vector<std::size_t> nodes_of(const Line &line, const std::string &word) const;
  std::vector<std::size_t> elements_of(const Line &line, const std::string &word) const;
  /// Those of a set that an option names (NSET=, ELSET=), also where its name is a number.
  std::vector<std::size_t> nodes_named(const Keyword &keyword) const;
  std::vector<std::size_t> elements_named(const Keyword &keyword) const;

  /// Of a line of data, "" if there are not so many; it is remembered as read.
  std::string word(const Line &line, std::size_t i) const;
  /// The first word of a line that was not read, where others of it were; "": none.
  std::string unread(const Line &line) const;
  std::string required(const Keyword &keyword, const std::string &option) const;
  long number(const Line &line, const std::string &word, const char *what) const;
  double real(const Line &line, const std::string &word, const char *what) const;

private:
  std::unordered_map<long, std::size_t> index_of_element;
  mutable std::unordered_map<std::size_t, std::vector<bool>> words_read;  ///< by line
};

/// Points of integration of an element of this type in the tables of Abaqus and CalculiX; 0: not known.
unsigned int integration_points_of(const std::string &type);

/// A file that was read as a deck, for who reads its mesh next: it is not parsed again. The last one is kept.
void keep_for_its_mesh(std::unique_ptr<Model> model);
/// nullptr: no such file was kept, or it has changed since.
std::unique_ptr<Model> kept_for_its_mesh(const std::string &file);
}  // namespace symdyn::abaqus
