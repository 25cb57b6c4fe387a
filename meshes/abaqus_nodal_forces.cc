#include <fmt/format.h>

#include "meshes/abaqus_deck.h"
#include "solver/names.h"

// *CLOAD on nodes of the body, along axes of *TRANSFORM, and on nodes that no cell has.
namespace symdyn::abaqus
{
std::string DeckWriter::write_nodal_forces(const Keyword &card, const Step &step, const std::size_t line, const std::string &on, const std::vector<std::string> &nodes,
                                           const std::vector<double> &components)
{
  std::map<int, std::vector<std::string>> by_axes;  // nodes of the body by their *TRANSFORM
  std::vector<std::string> names_of_loads;
  for (const std::string &word_of_nodes : nodes)
    for (const std::size_t node : model.nodes_of({line, {}}, word_of_nodes))
      if (is_outer(node))
        names_of_loads.push_back(write_outer_force(card, step, line, node, components));
      else
        by_axes[transform_of(node)].push_back(std::to_string(model.mesh.numbers[node]));
  const bool alike = names_of_loads.empty() && by_axes.size() == 1, is_set = model.set_of_nodes(on);
  for (const auto &[transform, numbers] : by_axes)
  {
    const std::string name = fresh("Loads", is_set ? nodes[0] : nodes.size() > 1 ? fmt::format("{} nodes", nodes.size()) : "node " + on), path = "Loads/" + name;
    add(line, path, "Type", "nodal-force");
    add(line, path, "Nodes", join(alike ? nodes : numbers));
    add(line, path, "Force", written(components));
    write_axes(line, path, transform);
    write_amplitude(card, step, path);
    names_of_loads.push_back(name);
  }
  return join(names_of_loads);
}

std::string DeckWriter::write_outer_force(const Keyword &card, const Step &step, const std::size_t line, const std::size_t node, const std::vector<double> &components)
{
  std::vector<double> force(dim, 0.);
  const auto axes = axes_at(node);
  for (int i = 0; i < dim; ++i)
    for (int d = 0; d < dim; ++d) force[d] += components[i] * axes[i][d];
  const AmplitudeTable *table = step.follows_amplitudes() ? amplitude(card) : nullptr;
  const double start = table ? step.start_of(*table) + delay(card) : 0.;
  std::vector<std::string> formulas;
  for (const double component : force) formulas.push_back(written(component) + (table && component != 0. ? "*(" + table->formula(start) + ")" : ""));
  for (int d = 0; d < dim; ++d)
    if (force[d] != 0.)
    {
      point(node, line);
      points.at(node).forced[d] = line;
    }
  const std::string on = point(node, line), name = fresh("Loads", "force on " + on), path = "Forces/" + name;
  add(line, path, "Points", on);
  add(line, path, "Force", join(formulas));
  return name;
}
}  // namespace symdyn::abaqus
