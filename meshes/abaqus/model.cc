#include "meshes/abaqus/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "meshes/abaqus/translator.h"
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

/// The last file that was read as a deck.
std::unique_ptr<Model> &kept()
{
  static std::unique_ptr<Model> model;
  return model;
}
}  // namespace

unsigned int integration_points_of(const std::string &type)
{
  const auto found = integration_points.find(type);
  return found == integration_points.end() ? 0 : found->second;
}

Model::Model(const std::string &file, const Translators &translators)
    : scanner(with_includes(file)), all(keywords(scanner, remarks, notes, translators.keywords())), mesh(file)
{
  mesh.pieces = scanner.pieces();
  mesh.names_nodes = true;
  for (const Keyword &keyword : all)
  {
    const std::vector<Translator *> readers = translators.of(keyword.name);
    if (readers.empty())
      refuse_unknown(scanner, keyword, translators.keywords());
    for (Translator *reader : readers)
      reader->read_mesh(*this, keyword);
  }
}

bool Model::renamed(const std::string &file)
{
  Scanner now = with_includes(file);
  if (!now.same_text(scanner))
    return false;
  scanner = std::move(now);
  mesh.name = file;
  mesh.pieces = scanner.pieces();
  return true;
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

const Set *find_set(const Sets &sets, const std::string &reference)
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

void Model::add_element(const std::size_t line, const ElementType &type, const std::string &name, const std::vector<long> &numbers)
{
  if (!index_of_element.emplace(numbers[0], mesh.elements.size()).second)
    scanner.fail_at(line, std::to_string(numbers[0]), "this element was given before. Each needs its own number.");
  const unsigned int corners = node_count(type.shape);
  FileElement &element = mesh.add_element(scanner, line, numbers[0], type.shape, {numbers.begin() + 1, numbers.end()}, type.between);
  for (std::size_t i = 1 + corners; i < numbers.size(); ++i)
    element.middles.push_back(mesh.node(scanner, line, numbers[i]));
  types.push_back(name);
  if (is_thin(name) && !thin)
  {
    thin = true;
    mesh.thin_line = line;
    mesh.thin_type = name;
  }
}

void Model::add_face(const std::string &name, const Line &line, const FileElement &element)
{
  const auto local = faces.find(element.shape);
  const std::string label = upper(word(line, 1));
  long face = 0;
  const bool is_shell = dimension(element.shape) == 2 && is_thin(types[&element - mesh.elements.data()]);
  const long first_edge = is_shell ? 3 : 1;  // behind the bottom and the top
  const bool valid = local != faces.end() && label.size() == 2 && label[0] == 'S' && parse_integer(label.substr(1), face) && face >= 1 &&
                     face < first_edge + long(local->second.size());
  const bool is_whole = is_shell && (label == "SPOS" || label == "SNEG" || (valid && face < first_edge));
  if (!valid && !is_whole)
    scanner.fail_at(line.number, join(line.words),
                    "a line of a surface has an element or a set and one of its faces, S1 to S" +
                        std::to_string(local == faces.end() ? 6 : first_edge - 1 + long(local->second.size())) +
                        (is_shell ? ", SNEG or SPOS." : "."));
  FileFace found{{}, line.number, element.number, label == "SNEG" ? 1 : label == "SPOS" ? 2 : int(face)};
  std::vector<unsigned int> corners(is_whole ? node_count(element.shape) : 0);
  std::iota(corners.begin(), corners.end(), 0u);
  for (const unsigned int i : is_whole ? corners : local->second[face - first_edge])
    found.nodes.push_back(element.nodes[lexicographic_place(element.shape, i)]);
  mesh.faces[name].push_back(found);
}

void Model::name_group(const std::string &name, const std::vector<std::size_t> &elements)
{
  const int group = mesh.group(name);
  for (const std::size_t e : elements)
    if (std::vector<int> &groups = mesh.elements[e].groups; is_thin(types[e]) && !std::count(groups.begin(), groups.end(), group))
      groups.push_back(group);
}

bool Model::has_solids() const
{
  return std::any_of(mesh.elements.begin(), mesh.elements.end(), [](const FileElement &element) { return dimension(element.shape) == 3; });
}

bool is_thin(const std::string &type)
{
  const std::string base = type.substr(0, 3), of_shell = type.substr(0, 2);
  return base == "B31" || base == "B32" || of_shell == "S3" || of_shell == "S4" || of_shell == "S6" || of_shell == "S8";
}

std::string known(const Sets &sets, const std::string &name)
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

bool is_number(const std::string &word)
{
  long value = 0;
  return parse_integer(word, value);
}

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

namespace
{
std::string keyword_at(const Model &model, const std::size_t line)
{
  const auto found = std::find_if(model.all.begin(), model.all.end(), [line](const Keyword &keyword) { return keyword.line == line; });
  return found == model.all.end() ? "SOLID SECTION" : found->name;
}

/// Sets of elements that are materials. Errors: InputError for a section of a set that does not exist.
std::set<const Set *> sets_of_sections(const Model &model)
{
  std::set<const Set *> materials;
  for (const Set &section : model.sections)
  {
    const Set *found = find_set(model.element_sets, section.name);
    if (found == nullptr)
      model.scanner.fail_at(section.line, section.name,
                            "*" + keyword_at(model, section.line) + " needs a set of elements; there is none of this name" +
                                known(model.element_sets, section.name) + ".");
    materials.insert(found);
  }
  return materials;
}

/// In the order of the file.
std::vector<const Set *> in_order(const Sets &sets)
{
  std::vector<const Set *> all;
  for (const auto &entry : sets)
    all.push_back(&entry.second);
  std::sort(all.begin(), all.end(), [](const Set *a, const Set *b) { return a->line < b->line; });
  return all;
}
}  // namespace

void Model::hand_over(const Translators &translators)
{
  const std::set<const Set *> materials = sets_of_sections(*this);
  const int dim = thin ? 3 : mesh_dimension(mesh);
  for (const Set *set : in_order(element_sets))
    for (const std::size_t e : set->members)
    {
      FileElement &element = mesh.elements[e];
      const bool is_cell = is_thin(types[e]) || dimension(element.shape) == dim,
                 is_bar = !thin && (types[e] == "T3D2" || types[e] == "T2D2");
      if (thin && !is_cell)
        continue;
      if (types[e].rfind("SPRING", 0) == 0 || types[e].rfind("DASHPOT", 0) == 0 || types[e] == "MASS" || types[e] == "GAPUNI")
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
    for (Translator *reader : translators.of(keyword.name))
      reader->name_cells(*this, keyword);
  for (std::size_t e = 0; e < types.size(); ++e)
    if (const unsigned int points = integration_points_of(types[e]); points > 0)
      mesh.elements[e].points = points;
  for (const auto &[key, set] : node_sets)
  {
    mesh.node_sets[set.name] = {set.members.begin(), set.members.end()};
    std::set<std::size_t> seen;
    for (const std::size_t node : set.members)
      if (seen.insert(node).second)
        mesh.named_nodes[set.name].push_back(node);
  }
}

void keep_for_its_mesh(std::unique_ptr<Model> model) { kept() = std::move(model); }

std::unique_ptr<Model> kept_for_its_mesh(const std::string &file)
{
  std::unique_ptr<Model> model = std::move(kept());
  return model && model->renamed(file) ? std::move(model) : nullptr;
}
}  // namespace abaqus

MeshFile read_abaqus(const std::string &file)
{
  const abaqus::Translators translators;
  std::unique_ptr<abaqus::Model> model = abaqus::kept_for_its_mesh(file);
  if (!model)
    model = std::make_unique<abaqus::Model>(file, translators);
  model->hand_over(translators);
  return std::move(model->mesh);
}
}  // namespace symdyn
