#include <fmt/format.h>

#include <algorithm>

#include "meshes/abaqus/job.h"
#include "solver/base/names.h"

// *DLOAD with the labels P1NP to P6NP: the pressure at a node, its component 2 (CalculiX manual, *DLOAD). Without a network of fluids
// *BOUNDARY prescribes it.
namespace symdyn::abaqus
{
void pressure_of_node(Job &job, const Keyword &card, const Line &line, const std::string &face, Step &step)
{
  constexpr int component = 1;
  if (card.has("AMPLITUDE"))
    job.fail(card.line, "AMPLITUDE=" + card.option("AMPLITUDE"),
             face + "NP is the pressure at a node: its *BOUNDARY may have an amplitude.");
  const std::string name = job.word(line, 2);
  const std::size_t node =
      job.model.mesh.node(job.model.scanner, line.number, job.model.number(line, name, "the number of the node with the pressure"));
  if (!is_outer(job, node))
    job.fail(line.number, name,
             fmt::format("{}NP is the pressure at a node of no element; this node belongs to the body. Give the pressure itself: {}.", face,
                         face));
  const std::size_t s = &step - job.steps.data();
  const auto owner = job.supports.owners[s].find({node, component});
  if (owner == job.supports.owners[s].end())
    job.fail(
        line.number, name,
        "the pressure at this node is its component 2, which no *BOUNDARY prescribes (pressures of fluids cannot be computed). Prescribe it, or give P1 to P6.");
  const Held &by = job.supports.held[owner->second];
  for (std::size_t later = s + 1; later < job.steps.size(); ++later)
    if (const auto found = job.supports.owners[later].find({node, component});
        found == job.supports.owners[later].end() || !by.says_the_same(job.supports.held[found->second], component))
      job.fail(found == job.supports.owners[later].end() ? by.lines[component] : job.supports.held[found->second].lines[component], name,
               fmt::format("the pressure at this node changes in {}. Give the *DLOAD of {} as P1 to P6 in each step.",
                           job.steps[later].name, job.model.scanner.place(line.number)));
  if (by.first != s && by.card->has("AMPLITUDE"))
    job.fail(by.card->line, "AMPLITUDE=" + by.card->option("AMPLITUDE"),
             "the pressure at this node begins in an earlier step. Give its *BOUNDARY in the step of the *DLOAD.");
  if (by.stands)
    job.fail(by.line, name, "the pressure at this node is prescribed as a number.");
  point(job, node, line.number);  // tables have its components as they are prescribed
  pressure(job, *by.card, line, {pressed(job.word(line, 0), face)}, *by.value[component], step);
}
}  // namespace symdyn::abaqus
