#include <algorithm>
#include <functional>
#include <set>

#include "meshes/abaqus_keywords.h"
#include "meshes/mesh_file.h"
#include "solver/error.h"
#include "solver/names.h"

namespace symdyn
{
namespace
{
using abaqus::Keyword;
using abaqus::Line;
using abaqus::upper;

/// The mesh of an Abaqus (or CalculiX) input file: one part, of one instance at most.
class AbaqusReader
{
public:
  explicit AbaqusReader(const std::string &file) : scanner(file), mesh(file) {}

  MeshFile read()
  {
    const std::map<std::string, std::function<void(const Keyword &)>> of_the_mesh = {
        {"NODE", [this](const Keyword &k) { nodes(k); }},
        {"ELEMENT", [this](const Keyword &k) { elements(k); }},
        {"NSET", [this](const Keyword &k) { node_set(k); }},
        {"ELSET", [this](const Keyword &k) { element_set(k); }},
        {"SURFACE", [this](const Keyword &k) { surface(k); }},
        {"SOLID SECTION", [this](const Keyword &k) { section(k); }},
        {"PART", [this](const Keyword &k) { only_one(parts, k); }},
        {"INSTANCE", [this](const Keyword &k) { only_one(instances, k); }}};
    for (const Keyword &keyword : abaqus::keywords(scanner))
      if (const auto found = of_the_mesh.find(keyword.name); found != of_the_mesh.end())
        found->second(keyword);
      else
        abaqus::require_not_of_the_mesh(scanner, keyword);
    hand_over();
    return std::move(mesh);
  }

private:
  struct Set
  {
    std::string name;
    std::vector<std::size_t> members;  ///< indices of nodes or elements
    std::size_t line;
  };
  using Sets = std::map<std::string, Set>;  ///< by upper-case name: Abaqus does not tell the cases apart

  void require_options(const Keyword &keyword, const std::set<std::string> &known) const
  {
    for (const auto &option : keyword.options)
      if (known.count(option.first) == 0)
        scanner.fail_at(keyword.line, "*" + keyword.name + ", " + option.first,
                        "this option is not known here; there are: " + join({known.begin(), known.end()}) + ".");
  }

  std::string required(const Keyword &keyword, const std::string &option) const
  {
    const auto found = keyword.options.find(option);
    if (found == keyword.options.end() || found->second.empty())
      scanner.fail_at(keyword.line, "*" + keyword.name, "needs the option " + option + "=...");
    return found->second;
  }

  static Set &set(Sets &sets, const std::string &name, const std::size_t line)
  {
    return sets.emplace(upper(name), Set{name, {}, line}).first->second;
  }

  /// References from an assembly are written "instance.set".
  const Set *find_set(const Sets &sets, const std::string &reference) const
  {
    const auto found = sets.find(upper(reference.substr(reference.rfind('.') + 1)));
    const auto whole = sets.find(upper(reference));
    return whole != sets.end() ? &whole->second : found != sets.end() ? &found->second : nullptr;
  }

  long number(const Line &line, const std::string &word, const char *what) const
  {
    long value = 0;
    if (!parse_integer(word, value) || value < 0)
      scanner.fail_at(line.number, word.empty() ? "(nothing)" : word, std::string(what) + " is expected here.");
    return value;
  }

  void nodes(const Keyword &keyword)
  {
    require_options(keyword, {"NSET"});
    const auto name = keyword.options.find("NSET");
    for (const Line &line : keyword.data)
    {
      std::vector<std::string> words = line.words;
      if (!words.empty() && words.back().empty()) words.pop_back();
      if (words.size() < 3 || words.size() > 4)
        scanner.fail_at(line.number, join(words), "a node has a number and 2 or 3 coordinates.");
      dealii::Point<3> x;
      for (std::size_t d = 1; d < words.size(); ++d)
        if (!parse_real(words[d], x[d - 1]))
          scanner.fail_at(line.number, words[d], "a coordinate of a node is expected here: a finite number.");
      const long tag = number(line, words[0], "the number of a node");
      mesh.add_node(scanner, line.number, tag, x);
      if (name != keyword.options.end())
        set(node_sets, name->second, keyword.line).members.push_back(mesh.nodes.size() - 1);
    }
  }

  void elements(const Keyword &keyword)
  {
    require_options(keyword, {"TYPE", "ELSET"});
    const Shape type = abaqus::shape(scanner, keyword, required(keyword, "TYPE"));
    const auto name = keyword.options.find("ELSET");
    std::vector<long> numbers;
    std::size_t first_line = 0;
    for (const Line &line : keyword.data)
    {
      if (numbers.empty()) first_line = line.number;
      for (std::size_t i = 0; i < line.words.size(); ++i)
        if (!line.words[i].empty() || i + 1 < line.words.size())
          numbers.push_back(number(line, line.words[i], "the number of an element or of its node"));
      if (numbers.size() > node_count(type) + 1)
        scanner.fail_at(
            line.number, join(line.words),
            "a " + shape_name(type) + " has " + std::to_string(node_count(type)) + " nodes after its number.");
      if (numbers.size() < node_count(type) + 1) continue;
      add_element(first_line, type, numbers);
      if (name != keyword.options.end())
        set(element_sets, name->second, keyword.line).members.push_back(mesh.elements.size() - 1);
      numbers.clear();
    }
    if (!numbers.empty())
      scanner.fail_at(first_line, "element " + std::to_string(numbers[0]),
                      "a " + shape_name(type) + " has " + std::to_string(node_count(type)) + " nodes, here are only " +
                          std::to_string(numbers.size() - 1) + ".");
  }

  void add_element(const std::size_t line, const Shape type, const std::vector<long> &numbers)
  {
    if (!index_of_element.emplace(numbers[0], mesh.elements.size()).second)
      scanner.fail_at(line, std::to_string(numbers[0]), "this element was given before. Each needs its own number.");
    mesh.add_element(scanner, line, numbers[0], type, {numbers.begin() + 1, numbers.end()});
  }

  std::size_t element(const Line &line, const std::string &word) const
  {
    const auto found = index_of_element.find(number(line, word, "the number of an element or the name of a set"));
    if (found == index_of_element.end())
      scanner.fail_at(line.number, word, "there is no element of this number up to here.");
    return found->second;
  }

  std::size_t node(const Line &line, const std::string &word) const
  {
    return mesh.node(scanner, line.number, number(line, word, "the number of a node or the name of a set"));
  }

  template <class Find>
  void fill(Sets &sets, const Keyword &keyword, const std::string &name, const Find &find)
  {
    std::vector<std::size_t> members;
    for (const Line &line : keyword.data)
      if (keyword.options.count("GENERATE"))
        generate(line, find, members);
      else
        for (const auto &word : line.words)
          if (const Set *other = find_set(sets, word))
            members.insert(members.end(), other->members.begin(), other->members.end());
          else if (!word.empty())
            members.push_back(find(line, word));
    auto &all = set(sets, name, keyword.line).members;
    all.insert(all.end(), members.begin(), members.end());
  }

  template <class Find>
  void generate(const Line &line, const Find &find, std::vector<std::size_t> &members) const
  {
    std::vector<std::string> words = line.words;
    words.erase(std::remove(words.begin(), words.end(), ""), words.end());
    if (words.size() < 2 || words.size() > 3)
      scanner.fail_at(line.number, join(words), "GENERATE needs lines with first, last and (if not 1) the step.");
    const long first = number(line, words[0], "the first number"), last = number(line, words[1], "the last number");
    const long step = words.size() == 3 ? number(line, words[2], "the step") : 1;
    if (step < 1 || last < first || (last - first) % step != 0)
      scanner.fail_at(line.number, join(words),
                      "the step must be positive and lead from the first number to the last.");
    for (long i = first; i <= last; i += step) members.push_back(find(line, std::to_string(i)));
  }

  void node_set(const Keyword &keyword)
  {
    require_options(keyword, {"NSET", "GENERATE", "INTERNAL", "INSTANCE", "UNSORTED"});
    fill(node_sets, keyword, required(keyword, "NSET"),
         [this](const Line &line, const std::string &word) { return node(line, word); });
  }

  void element_set(const Keyword &keyword)
  {
    require_options(keyword, {"ELSET", "GENERATE", "INTERNAL", "INSTANCE", "UNSORTED"});
    fill(element_sets, keyword, required(keyword, "ELSET"),
         [this](const Line &line, const std::string &word) { return element(line, word); });
  }

  void surface(const Keyword &keyword)
  {
    require_options(keyword, {"NAME", "TYPE", "INTERNAL"});
    const std::string name = required(keyword, "NAME");
    const auto type = keyword.options.find("TYPE");
    if (type != keyword.options.end() && upper(type->second) == "NODE")
    {
      // Data: a set or a node, and perhaps its area, which does not matter.
      Keyword first_words = keyword;
      for (Line &line : first_words.data) line.words.resize(std::min<std::size_t>(line.words.size(), 1));
      return fill(node_sets, first_words, name,
                  [this](const Line &line, const std::string &word) { return node(line, word); });
    }
    if (type != keyword.options.end() && upper(type->second) != "ELEMENT")
      scanner.fail_at(keyword.line, "TYPE=" + type->second, "the type of a surface is ELEMENT or NODE.");
    for (const Line &line : keyword.data)
      if (const Set *elements = find_set(element_sets, line.words[0]))
        for (const std::size_t e : elements->members) add_face(name, line, mesh.elements[e]);
      else
        add_face(name, line, mesh.elements[element(line, line.words[0])]);
  }

  void add_face(const std::string &name, const Line &line, const FileElement &element)
  {
    const auto local = abaqus::faces.find(element.shape);
    const std::string label = line.words.size() > 1 ? upper(line.words[1]) : "";
    long face = 0;
    const bool valid = local != abaqus::faces.end() && label.size() == 2 && label[0] == 'S' &&
                       parse_integer(label.substr(1), face) && face >= 1 && face <= long(local->second.size());
    if (!valid)
      scanner.fail_at(line.number, join(line.words),
                      "a line of a surface has an element or a set and one of its faces, S1 to S" +
                          std::to_string(local == abaqus::faces.end() ? 6 : local->second.size()) + ".");
    FileFace found{{}, line.number};
    for (const unsigned int i : local->second[face - 1])
      found.nodes.push_back(element.nodes[lexicographic_place(element.shape, i)]);
    mesh.faces[name].push_back(found);
  }

  void section(const Keyword &keyword) { sections.push_back({required(keyword, "ELSET"), {}, keyword.line}); }

  void only_one(int &count, const Keyword &keyword)
  {
    if (++count > 1 || !keyword.data.empty())
      scanner.fail_at(
          keyword.line, "*" + keyword.name,
          "only one part, and one instance of it that is not moved, can be read. Export the mesh of the assembly.");
  }

  /// *SOLID SECTION, if there is any, tells the sets that are materials from the others.
  void hand_over()
  {
    std::set<const Set *> materials;
    for (const Set &section : sections)
    {
      const Set *found = find_set(element_sets, section.name);
      if (found == nullptr)
        scanner.fail_at(section.line, section.name,
                        "*SOLID SECTION needs a set of elements; there is none of this name.");
      materials.insert(found);
    }
    const int dim = mesh_dimension(mesh);
    std::vector<const Set *> in_order;
    for (const auto &entry : element_sets) in_order.push_back(&entry.second);
    std::sort(in_order.begin(), in_order.end(), [](const Set *a, const Set *b) { return a->line < b->line; });
    for (const Set *set : in_order)
      for (const std::size_t e : set->members)
      {
        FileElement &element = mesh.elements[e];
        const bool is_cell = dimension(element.shape) == dim;
        if (!is_cell && materials.count(set))
          scanner.fail_at(set->line, set->name,
                          "has a *SOLID SECTION, but the " + shape_name(element.shape) + " " +
                              std::to_string(element.number) + " in it: bars and membranes in a mesh cannot be read.");
        if (!is_cell || materials.empty() || materials.count(set)) element.groups.push_back(mesh.group(set->name));
      }
    for (const auto &[key, set] : node_sets) mesh.node_sets[set.name] = {set.members.begin(), set.members.end()};
  }

  Scanner scanner;
  MeshFile mesh;
  std::unordered_map<long, std::size_t> index_of_element;
  Sets node_sets, element_sets;
  std::vector<Set> sections;
  int parts = 0, instances = 0;
};
}  // namespace

MeshFile read_abaqus(const std::string &file)
{
  return AbaqusReader(file).read();
}
}  // namespace symdyn
