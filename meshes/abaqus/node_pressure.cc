#include <fmt/format.h>

#include <algorithm>

#include "meshes/abaqus/deck.h"
#include "solver/base/names.h"

// *DLOAD with the labels P1NP to P6NP: the pressure at a node, its component 2 (CalculiX manual, *DLOAD). Without a network of fluids
// *BOUNDARY prescribes it.
namespace symdyn::abaqus
{
void DeckWriter::pressure_of_node(const Keyword &card, const Line &line, const std::string &face, Step &step)
{
  constexpr int component = 1;
  if (card.has("AMPLITUDE"))
    fail(card.line, "AMPLITUDE=" + card.option("AMPLITUDE"), face + "NP is the pressure at a node: its *BOUNDARY may have an amplitude.");
  const std::string name = word(line, 2);
  const std::size_t node =
      model.mesh.node(model.scanner, line.number, model.number(line, name, "the number of the node with the pressure"));
  if (!is_outer(node))
    fail(line.number, name,
         fmt::format("{}NP is the pressure at a node of no element; this node belongs to the body. Give the pressure itself: {}.", face,
                     face));
  const std::size_t s = &step - steps.data();
  const auto owner = owners[s].find({node, component});
  if (owner == owners[s].end())
    fail(
        line.number, name,
        "the pressure at this node is its component 2, which no *BOUNDARY prescribes (pressures of fluids cannot be computed). Prescribe it, or give P1 to P6.");
  const Held &by = held[owner->second];
  for (std::size_t later = s + 1; later < steps.size(); ++later)
    if (const auto found = owners[later].find({node, component});
        found == owners[later].end() || !by.says_the_same(held[found->second], component))
      fail(found == owners[later].end() ? by.lines[component] : held[found->second].lines[component], name,
           fmt::format("the pressure at this node changes in {}. Give the *DLOAD of {} as P1 to P6 in each step.", steps[later].name,
                       model.scanner.place(line.number)));
  if (by.first != s && by.card->has("AMPLITUDE"))
    fail(by.card->line, "AMPLITUDE=" + by.card->option("AMPLITUDE"),
         "the pressure at this node begins in an earlier step. Give its *BOUNDARY in the step of the *DLOAD.");
  if (by.stands)
    fail(by.line, name, "the pressure at this node is prescribed as a number.");
  point(node, line.number);  // tables have its components as they are prescribed
  pressure(*by.card, line, {Model::pressed(word(line, 0), face)}, *by.value[component], step);
}
}  // namespace symdyn::abaqus
