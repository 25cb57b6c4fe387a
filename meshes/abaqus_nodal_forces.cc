#include <fmt/format.h>

#include "meshes/abaqus_deck.h"
#include "solver/names.h"

// *CLOAD on nodes of the body, along axes of *TRANSFORM, and on nodes that no cell has.
namespace symdyn::abaqus
{
void DeckWriter::write_nodal_forces(const Keyword &card, Step &step, const Line &line, const Set *set, const std::vector<double> &components)
{
  const std::string of = line.words[0];
  const std::vector<std::size_t> nodes = model.nodes_of(line, of);
  std::map<int, std::vector<std::string>> by_axes;  // nodes of the body by their *TRANSFORM
  for (const std::size_t node : nodes)
    if (is_outer(node))
      write_outer_force(card, step, line, node, components);
    else
      by_axes[transform_of(node)].push_back(std::to_string(model.mesh.numbers[node]));
  const std::string key = "CLOAD " + upper(of);
  for (const auto &[transform, numbers] : by_axes)
  {
    const bool whole = numbers.size() == nodes.size();
    const std::string name = fresh("Loads", set ? set->name : "node " + of), path = "Loads/" + name;
    add(line.number, path, "Type", "nodal-force");
    add(line.number, path, "Nodes", !whole ? join(numbers) : set ? set->name : of);
    add(line.number, path, "Force", written(components));
    write_axes(line.number, path, transform);
    write_amplitude(card, step, path);
    step.loads[by_axes.size() == 1 ? key : fmt::format("{} along {}", key, transform)] = name;
  }
}

void DeckWriter::write_outer_force(const Keyword &card, Step &step, const Line &line, const std::size_t node, const std::vector<double> &components)
{
  std::vector<double> force(dim, 0.);
  const auto axes = axes_at(node);
  for (int i = 0; i < dim; ++i)
    for (int d = 0; d < dim; ++d) force[d] += components[i] * axes[i][d];
  const AmplitudeTable *table = step.takes_time() ? amplitude(card) : nullptr;
  const double start = table ? step.start - (table->total_time ? step.total_start : 0.) + delay(card) : 0.;
  std::vector<std::string> formulas;
  for (const double component : force) formulas.push_back(written(component) + (table && component != 0. ? "*(" + table->formula(start) + ")" : ""));
  const std::string on = point(node, line.number), name = fresh("Loads", "force on " + on), path = "Forces/" + name;
  add(line.number, path, "Points", on);
  add(line.number, path, "Force", join(formulas));
  step.loads[fmt::format("CLOAD {} on {}", upper(line.words[0]), on)] = name;
}
}  // namespace symdyn::abaqus
