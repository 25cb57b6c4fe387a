#include <algorithm>
#include <iterator>
#include <unordered_set>

#include "meshes/abaqus/model.h"
#include "meshes/abaqus/translator.h"
#include "solver/base/names.h"
#include "solver/registry.h"

// *NSET, *ELSET, *SURFACE.
namespace symdyn::abaqus
{
namespace
{
template <class Find>
void generate(const Model &model, const Line &line, const bool of_nodes, const Find &find, std::vector<std::size_t> &members)
{
  std::vector<std::string> words = line.words;
  words.erase(std::remove(words.begin(), words.end(), ""), words.end());
  if (words.size() < 2 || words.size() > 3)
    model.scanner.fail_at(line.number, join(words), "GENERATE needs lines with first, last and (if not 1) the step.");
  const long first = model.number(line, words[0], "the first number"), last = model.number(line, words[1], "the last number");
  const long step = words.size() == 3 ? model.number(line, words[2], "the step") : 1;
  if (step < 1 || last < first || (last - first) % step != 0)
    model.scanner.fail_at(line.number, join(words), "the step must be positive and lead from the first number to the last.");
  const unsigned long count = static_cast<unsigned long>((last - first) / step) + 1, most = 1000000 + 10 * model.mesh.nodes.size();
  if (count > most)
    model.scanner.fail_at(
        line.number, join(words),
        "these are " + std::to_string(count) + " numbers, far more than the file has nodes. Give the range that is meant.");
  // Numbers that do not exist are left out, as CalculiX does.
  const std::size_t there = of_nodes ? model.mesh.nodes.size() : model.mesh.elements.size();
  std::vector<long> numbers;
  for (std::size_t i = 0; i < std::min(count, there); ++i)
    if (const long n = count <= there ? first + long(i) * step
                       : of_nodes     ? model.mesh.numbers[i]
                                      : model.mesh.elements[i].number;
        n >= first && n <= last && (n - first) % step == 0)
      numbers.push_back(n);
  std::sort(numbers.begin(), numbers.end());
  for (const long n : numbers)
    if (of_nodes ? model.mesh.has_node(n) : model.has_element(n))
      members.push_back(find(line, std::to_string(n)));
}

template <class Find>
void fill(Model &model, Sets &sets, const Keyword &keyword, const std::string &name, const Find &find)
{
  std::vector<std::size_t> members;
  std::set<const Set *> used;  // once is enough: sets of sets of sets would grow without end
  for (const Line &line : keyword.data)
    if (keyword.has("GENERATE"))
      generate(model, line, &sets == &model.node_sets, find, members);
    else
      for (const auto &word : line.words)
        if (!word.empty() && !is_number(word) && upper(word) == upper(name) &&
            keyword.name != "SURFACE")  // a surface of nodes may have the name of their set
          model.scanner.fail_at(line.number, word, "this set contains itself. Name other sets, or numbers.");
        else if (const Set *other = is_number(word) ? nullptr : find_set(sets, word))
        {
          if (used.insert(other).second)
            members.insert(members.end(), other->members.begin(), other->members.end());
        }
        else if (!word.empty())
          members.push_back(find(line, word));
  if (members.empty())
    model.scanner.fail_at(keyword.line, name, "this set is empty. Give it members, or delete it.");
  auto &all_members = model.set(sets, name, keyword.line).members;
  std::unordered_set<std::size_t> seen(all_members.begin(), all_members.end());
  std::copy_if(members.begin(), members.end(), std::back_inserter(all_members),
               [&](const std::size_t member) { return seen.insert(member).second; });
}

class NamedSets : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override
  {
    return {{"NSET", Where::model, {}, {}, true},
            {"NSET", Where::step},
            {"ELSET", Where::model, {}, {}, true},
            {"ELSET", Where::step},
            {"SURFACE"}};
  }
  void read_mesh(Model &model, const Keyword &card) override;
  void name_cells(Model &model, const Keyword &card) override;
};
SYMDYN_REGISTER(Translator, NamedSets, "sets");

/// A beam touches by its axis, all around.
void add_axis(Model &model, const std::string &name, const Line &line, const std::size_t element)
{
  if (const std::string label = model.word(line, 1); !label.empty())
    model.scanner.fail_at(line.number, join(line.words), "beams touch all around their axis and have no faces. Remove '" + label + "'.");
  model.axes[name].push_back(element);
}

void read_surface(Model &model, const Keyword &card)
{
  require_options(model.scanner, card, {"NAME", "TYPE", "INTERNAL"});
  const std::string name = model.required(card, "NAME"), type = upper(card.option("TYPE"));
  if (type == "NODE")
  {
    // Data: a set or a node, and perhaps its area, which does not matter.
    Keyword first_words = card;
    for (Line &line : first_words.data)
      line.words.resize(std::min<std::size_t>(line.words.size(), 1));
    return fill(model, model.node_sets, first_words, name,
                [&](const Line &line, const std::string &word) { return model.node(line, word); });
  }
  if (card.has("TYPE") && type != "ELEMENT")
    model.scanner.fail_at(card.line, "TYPE=" + type, "the type of a surface is ELEMENT or NODE.");
  for (const Line &line : card.data)
    for (const std::size_t e : model.elements_of(line, model.word(line, 0)))
      if (model.mesh.elements[e].shape == Shape::line && is_thin(model.types[e]))
        add_axis(model, name, line, e);
      else
        model.add_face(name, line, model.mesh.elements[e]);
  if (model.axes.count(name) > 0 && model.mesh.faces.count(name) > 0)
    model.scanner.fail_at(card.line, name, "has beams and faces. Give each a *SURFACE.");
}

void NamedSets::read_mesh(Model &model, const Keyword &card)
{
  if (card.name == "SURFACE")
    return read_surface(model, card);
  require_options(model.scanner, card, {card.name, "GENERATE", "INTERNAL", "INSTANCE", "UNSORTED"});
  if (card.name == "NSET")
    fill(model, model.node_sets, card, model.required(card, "NSET"),
         [&](const Line &line, const std::string &word) { return model.node(line, word); });
  else
    fill(model, model.element_sets, card, model.required(card, "ELSET"),
         [&](const Line &line, const std::string &word) { return model.element(line, word); });
}

/// Surfaces of beams are groups of the mesh, as some sets of elements are.
void NamedSets::name_cells(Model &model, const Keyword &card)
{
  const auto surface = card.name == "SURFACE" ? model.axes.find(card.option("NAME")) : model.axes.end();
  if (surface == model.axes.end())
    return;
  const auto &[name, elements] = *surface;
  const Set *set = find_set(model.element_sets, name);
  if (set && std::set<std::size_t>(set->members.begin(), set->members.end()) != std::set<std::size_t>(elements.begin(), elements.end()))
    model.scanner.fail_at(card.line, name, "there is an *ELSET of this name with other elements. Give the surface another name.");
  model.name_group(set ? set->name : name, elements);
}
}  // namespace
}  // namespace symdyn::abaqus
