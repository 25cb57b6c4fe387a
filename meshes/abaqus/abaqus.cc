#include "meshes/abaqus/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>
#include <unordered_set>

#include "solver/base/names.h"
#include "solver/error.h"

namespace symdyn
{
namespace abaqus
{
namespace
{
/// Points of integration in tables of CalculiX, which computes plane elements as bricks.
const std::map<std::string, unsigned int> integration_points = {
    {"C3D8", 8},  {"C3D8R", 1}, {"C3D8I", 8}, {"C3D20", 27}, {"C3D20R", 8}, {"C3D6", 2},  {"C3D15", 9},
    {"C3D4", 1},  {"C3D10", 4}, {"CPS4", 8},  {"CPE4", 8},   {"CPS8", 27},  {"CPE8", 27}, {"CPS8R", 8},
    {"CPE8R", 8}, {"CPS4R", 1}, {"CPE4R", 1}, {"CPS3", 2},   {"CPE3", 2},   {"CPS6", 9},  {"CPE6", 9}};
}  // namespace

Model::Model(const std::string &file) : scanner(with_includes(file)), all(keywords(scanner, remarks)), mesh(file)
{
  mesh.pieces = scanner.pieces();
  mesh.names_nodes = true;
  const std::map<std::string, std::function<void(const Keyword &)>> of_the_mesh = {
      {"NODE", [this](const Keyword &k) { nodes(k); }},
      {"ELEMENT", [this](const Keyword &k) { elements(k); }},
      {"NSET",
       [this](const Keyword &k) {
         require_options(scanner, k, {"NSET", "GENERATE", "INTERNAL", "INSTANCE", "UNSORTED"});
         fill(node_sets, k, required(k, "NSET"), [this](const Line &line, const std::string &word) { return node(line, word); });
       }},
      {"ELSET",
       [this](const Keyword &k) {
         require_options(scanner, k, {"ELSET", "GENERATE", "INTERNAL", "INSTANCE", "UNSORTED"});
         fill(element_sets, k, required(k, "ELSET"), [this](const Line &line, const std::string &word) { return element(line, word); });
       }},
      {"SURFACE", [this](const Keyword &k) { surface(k); }},
      {"SOLID SECTION", [this](const Keyword &k) { section(k); }},
      {"RESTART",
       [this](const Keyword &k) {
         if (k.has("READ"))
           scanner.fail_at(k.line, "*RESTART, READ",
                           "a run goes on from a checkpoint of symdyn alone: symdyn run --restart. Write the steps into one file.");
       }},
      {"DLOAD", [this](const Keyword &k) { pressures(k); }},
      {"PART", [this](const Keyword &k) { only_one(parts, k); }},
      {"INSTANCE", [this](const Keyword &k) { only_one(instances, k); }}};
  for (const Keyword &keyword : all)
    if (const auto found = of_the_mesh.find(keyword.name); found != of_the_mesh.end())
      found->second(keyword);
    else
      require_known(scanner, keyword);
}

std::string Model::required(const Keyword &keyword, const std::string &option) const
{
  if (keyword.option(option).empty())
    scanner.fail_at(keyword.line, "*" + keyword.name, "needs the option " + option + "=...");
  return keyword.option(option);
}

std::string Model::word(const Line &line, const std::size_t i) const
{
  if (i >= line.words.size())
    return "";
  std::vector<bool> &read = words_read[line.number];
  if (read.size() <= i)
    read.resize(i + 1, false);
  read[i] = true;
  return line.words[i];
}

std::string Model::unread(const Line &line) const
{
  const auto found = words_read.find(line.number);
  if (found != words_read.end())
    for (std::size_t i = 0; i < line.words.size(); ++i)
      if (!line.words[i].empty() && (i >= found->second.size() || !found->second[i]))
        return line.words[i];
  return "";
}

Set &Model::set(Sets &sets, const std::string &name, const std::size_t line)
{
  return sets.emplace(upper(name), Set{name, {}, line}).first->second;
}

const Set *Model::find_set(const Sets &sets, const std::string &reference)
{
  const auto whole = sets.find(upper(reference)), part = sets.find(upper(reference.substr(reference.rfind('.') + 1)));
  return whole != sets.end() ? &whole->second : part != sets.end() ? &part->second : nullptr;
}

long Model::number(const Line &line, const std::string &word, const char *what) const
{
  long value = 0;
  if (!parse_integer(word, value) || value < 0)
    scanner.fail_at(line.number, word.empty() ? "(nothing)" : word, std::string(what) + " is expected here.");
  return value;
}

double Model::real(const Line &line, const std::string &word, const char *what) const
{
  double value = 0;
  if (!parse_real(word, value))
    scanner.fail_at(line.number, word.empty() ? "(nothing)" : word, std::string(what) + " is expected here: a finite number.");
  return value;
}

void Model::nodes(const Keyword &keyword)
{
  require_options(scanner, keyword, {"NSET"});
  for (const Line &line : keyword.data)
  {
    const std::vector<std::string> &words = line.words;
    constexpr std::size_t most = 4;  // a number, coordinates; zeros behind them say nothing
    for (std::size_t i = most; i < words.size(); ++i)
      if (double value = 0; !words[i].empty() && (!parse_real(words[i], value) || value != 0.))
        scanner.fail_at(
            line.number, words[i],
            "a node has a number and up to 3 coordinates; what stands behind them (direction cosines of shells and beams) is not read. Remove it.");
    dealii::Point<3> x;  // coordinates that are left out are 0
    for (std::size_t d = 1; d < std::min(words.size(), most); ++d)
      if (!words[d].empty() && !parse_real(words[d], x[d - 1]))
        scanner.fail_at(line.number, words[d], "a coordinate of a node is expected here: a finite number.");
    const long tag = number(line, words[0], "the number of a node");
    mesh.add_node(scanner, line.number, tag, x);
    if (keyword.has("NSET"))
      set(node_sets, required(keyword, "NSET"), keyword.line).members.push_back(mesh.nodes.size() - 1);
  }
}

void Model::elements(const Keyword &keyword)
{
  require_options(scanner, keyword, {"TYPE", "ELSET"});
  const std::string name = upper(required(keyword, "TYPE"));
  const ElementType type = element_type(scanner, keyword, name);
  std::vector<long> numbers;
  std::size_t first_line = 0;
  for (const Line &line : keyword.data)
  {
    if (numbers.empty())
      first_line = line.number;
    for (std::size_t i = 0; i < line.words.size(); ++i)
      if (!line.words[i].empty() || i + 1 < line.words.size())
        numbers.push_back(number(line, line.words[i], "the number of an element or of its node"));
    if (numbers.size() < type.nodes() + 1)
      continue;
    if (numbers.size() > type.nodes() + 1)  // CalculiX reads no further
    {
      cut_elements.push_back({first_line, "TYPE=" + name,
                              fmt::format("of element {} the first {} nodes count, as in CalculiX; there are {}", numbers[0], type.nodes(),
                                          numbers.size() - 1)});
      numbers.resize(type.nodes() + 1);
    }
    add_element(first_line, type, name, numbers);
    if (keyword.has("ELSET"))
      set(element_sets, required(keyword, "ELSET"), keyword.line).members.push_back(mesh.elements.size() - 1);
    numbers.clear();
  }
  if (!numbers.empty())
    scanner.fail_at(first_line, "element " + std::to_string(numbers[0]),
                    "a " + shape_name(type.shape) + " of type " + name + " has " + std::to_string(type.nodes()) + " nodes, here are only " +
                        std::to_string(numbers.size() - 1) + ".");
}

void Model::add_element(const std::size_t line, const ElementType &type, const std::string &name, const std::vector<long> &numbers)
{
  if (!index_of_element.emplace(numbers[0], mesh.elements.size()).second)
    scanner.fail_at(line, std::to_string(numbers[0]), "this element was given before. Each needs its own number.");
  const unsigned int corners = node_count(type.shape);
  FileElement &element = mesh.add_element(scanner, line, numbers[0], type.shape, {numbers.begin() + 1, numbers.end()}, type.between);
  for (std::size_t i = 1 + corners; i < numbers.size(); ++i)
    element.middles.push_back(mesh.node(scanner, line, numbers[i]));
  types.push_back(name);
}

std::string Model::known(const Sets &sets, const std::string &name)
{
  if (sets.empty())
    return "; the file has none";
  constexpr std::size_t most = 8;
  std::vector<std::string> names;
  for (const auto &entry : sets)
    names.push_back(entry.second.name);
  names = nearest_first(name, names);
  const bool more = names.size() > most;
  names.resize(std::min(names.size(), most));
  return "; there are: " + join(names) + (more ? ", ..." : "");
}

std::size_t Model::element(const Line &line, const std::string &word) const
{
  if (long value = 0; !word.empty() && !parse_integer(word, value))
    scanner.fail_at(line.number, word, "there is no set of elements of this name" + known(element_sets, word) + ".");
  const auto found = index_of_element.find(number(line, word, "the number of an element or the name of a set"));
  if (found == index_of_element.end())
    scanner.fail_at(line.number, word, "there is no element of this number up to here.");
  return found->second;
}

std::size_t Model::node(const Line &line, const std::string &word) const
{
  if (long value = 0; !word.empty() && !parse_integer(word, value))
    scanner.fail_at(line.number, word, "there is no set of nodes of this name" + known(node_sets, word) + ".");
  return mesh.node(scanner, line.number, number(line, word, "the number of a node or the name of a set"));
}

namespace
{
bool is_number(const std::string &word)
{
  long value = 0;
  return parse_integer(word, value);
}
}  // namespace

const Set *Model::set_of_nodes(const std::string &word) const { return is_number(word) ? nullptr : find_set(node_sets, word); }

const Set *Model::set_of_elements(const std::string &word) const { return is_number(word) ? nullptr : find_set(element_sets, word); }

std::vector<std::size_t> Model::nodes_of(const Line &line, const std::string &word) const
{
  const Set *set = set_of_nodes(word);
  return set ? set->members : std::vector<std::size_t>{node(line, word)};
}

std::vector<std::size_t> Model::elements_of(const Line &line, const std::string &word) const
{
  const Set *set = set_of_elements(word);
  return set ? set->members : std::vector<std::size_t>{element(line, word)};
}

std::vector<std::size_t> Model::nodes_named(const Keyword &keyword) const
{
  const Set *set = find_set(node_sets, required(keyword, "NSET"));
  return set ? set->members : std::vector<std::size_t>{node({keyword.line, {}}, keyword.option("NSET"))};
}

std::vector<std::size_t> Model::elements_named(const Keyword &keyword) const
{
  const Set *set = find_set(element_sets, required(keyword, "ELSET"));
  return set ? set->members : std::vector<std::size_t>{element({keyword.line, {}}, keyword.option("ELSET"))};
}

template <class Find>
void Model::fill(Sets &sets, const Keyword &keyword, const std::string &name, const Find &find)
{
  std::vector<std::size_t> members;
  std::set<const Set *> used;  // once is enough: sets of sets of sets would grow without end
  for (const Line &line : keyword.data)
    if (keyword.has("GENERATE"))
      generate(line, &sets == &node_sets, find, members);
    else
      for (const auto &word : line.words)
        if (!word.empty() && !is_number(word) && upper(word) == upper(name) &&
            keyword.name != "SURFACE")  // a surface of nodes may have the name of their set
          scanner.fail_at(line.number, word, "this set contains itself. Name other sets, or numbers.");
        else if (const Set *other = is_number(word) ? nullptr : find_set(sets, word))
        {
          if (used.insert(other).second)
            members.insert(members.end(), other->members.begin(), other->members.end());
        }
        else if (!word.empty())
          members.push_back(find(line, word));
  if (members.empty())
    scanner.fail_at(keyword.line, name, "this set is empty. Give it members, or delete it.");
  auto &all_members = set(sets, name, keyword.line).members;
  std::unordered_set<std::size_t> seen(all_members.begin(), all_members.end());
  std::copy_if(members.begin(), members.end(), std::back_inserter(all_members),
               [&](const std::size_t member) { return seen.insert(member).second; });
}

template <class Find>
void Model::generate(const Line &line, const bool of_nodes, const Find &find, std::vector<std::size_t> &members) const
{
  std::vector<std::string> words = line.words;
  words.erase(std::remove(words.begin(), words.end(), ""), words.end());
  if (words.size() < 2 || words.size() > 3)
    scanner.fail_at(line.number, join(words), "GENERATE needs lines with first, last and (if not 1) the step.");
  const long first = number(line, words[0], "the first number"), last = number(line, words[1], "the last number");
  const long step = words.size() == 3 ? number(line, words[2], "the step") : 1;
  if (step < 1 || last < first || (last - first) % step != 0)
    scanner.fail_at(line.number, join(words), "the step must be positive and lead from the first number to the last.");
  const unsigned long count = static_cast<unsigned long>((last - first) / step) + 1, most = 1000000 + 10 * mesh.nodes.size();
  if (count > most)
    scanner.fail_at(line.number, join(words),
                    "these are " + std::to_string(count) + " numbers, far more than the file has nodes. Give the range that is meant.");
  // Numbers that do not exist are left out, as CalculiX does.
  const std::size_t there = of_nodes ? mesh.nodes.size() : mesh.elements.size();
  std::vector<long> numbers;
  for (std::size_t i = 0; i < std::min(count, there); ++i)
    if (const long n = count <= there ? first + long(i) * step
                       : of_nodes     ? mesh.numbers[i]
                                      : mesh.elements[i].number;
        n >= first && n <= last && (n - first) % step == 0)
      numbers.push_back(n);
  std::sort(numbers.begin(), numbers.end());
  for (const long n : numbers)
    if (of_nodes ? mesh.has_node(n) : index_of_element.count(n) > 0)
      members.push_back(find(line, std::to_string(n)));
}

void Model::surface(const Keyword &keyword)
{
  require_options(scanner, keyword, {"NAME", "TYPE", "INTERNAL"});
  const std::string name = required(keyword, "NAME"), type = upper(keyword.option("TYPE"));
  if (type == "NODE")
  {
    // Data: a set or a node, and perhaps its area, which does not matter.
    Keyword first_words = keyword;
    for (Line &line : first_words.data)
      line.words.resize(std::min<std::size_t>(line.words.size(), 1));
    return fill(node_sets, first_words, name, [this](const Line &line, const std::string &word) { return node(line, word); });
  }
  if (keyword.has("TYPE") && type != "ELEMENT")
    scanner.fail_at(keyword.line, "TYPE=" + type, "the type of a surface is ELEMENT or NODE.");
  for (const Line &line : keyword.data)
    for (const std::size_t e : elements_of(line, word(line, 0)))
      add_face(name, line, mesh.elements[e]);
}

void Model::only_one(int &count, const Keyword &keyword) const
{
  if (++count > 1 || !keyword.data.empty())
    scanner.fail_at(keyword.line, "*" + keyword.name,
                    "only one part, and one instance of it that is not moved, can be read. Export the mesh of the assembly.");
}

void Model::hand_over()
{
  std::set<const Set *> materials;
  for (const Set &section : sections)
  {
    const Set *found = find_set(element_sets, section.name);
    if (found == nullptr)
      scanner.fail_at(section.line, section.name,
                      "*SOLID SECTION needs a set of elements; there is none of this name" + known(element_sets, section.name) + ".");
    materials.insert(found);
  }
  const int dim = mesh_dimension(mesh);
  std::vector<const Set *> in_order;
  for (const auto &entry : element_sets)
    in_order.push_back(&entry.second);
  std::sort(in_order.begin(), in_order.end(), [](const Set *a, const Set *b) { return a->line < b->line; });
  for (const Set *set : in_order)
    for (const std::size_t e : set->members)
    {
      FileElement &element = mesh.elements[e];
      const bool is_cell = dimension(element.shape) == dim, is_bar = types[e] == "T3D2" || types[e] == "T2D2";
      if (types[e].rfind("SPRING", 0) == 0 || types[e].rfind("DASHPOT", 0) == 0 || types[e] == "MASS")
        continue;
      if (!is_cell && !is_bar && materials.count(set))
        scanner.fail_at(set->line, set->name,
                        "has a *SOLID SECTION, but the " + shape_name(element.shape) + " " + std::to_string(element.number) +
                            " in it: membranes in a mesh cannot be read.");
      // Bars without a section are how mesh generators name edges.
      if (is_cell ? materials.empty() || materials.count(set) : !(is_bar && materials.count(set)))
        element.groups.push_back(mesh.group(set->name));
    }
  for (const Keyword &keyword : all)
    if (const Set *set = keyword.name == "EL PRINT" ? find_set(element_sets, keyword.option("ELSET")) : nullptr)
      mesh.named_cells[set->name] = set->members;
  for (const Keyword &keyword : all)
    for (const Line &line : keyword.data)
      if (keyword.name == "DLOAD" && line.words.size() > 1 && !line.words[1].empty() && upper(line.words[1])[0] != 'P')
        mesh.named_cells[body_loaded(line.words[0])] = elements_of(line, line.words[0]);
  for (std::size_t e = 0; e < types.size(); ++e)
    if (const auto found = integration_points.find(types[e]); found != integration_points.end())
      mesh.elements[e].points = found->second;
  for (const auto &[key, set] : node_sets)
  {
    mesh.node_sets[set.name] = {set.members.begin(), set.members.end()};
    std::set<std::size_t> seen;
    for (const std::size_t node : set.members)
      if (seen.insert(node).second)
        mesh.named_nodes[set.name].push_back(node);
  }
}
}  // namespace abaqus

MeshFile read_abaqus(const std::string &file)
{
  abaqus::Model model(file);
  model.hand_over();
  return std::move(model.mesh);
}
}  // namespace symdyn
