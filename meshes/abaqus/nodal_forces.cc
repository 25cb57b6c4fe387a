#include <fmt/format.h>

#include "meshes/abaqus/deck.h"
#include "solver/base/names.h"

// *CLOAD on nodes of the body, along axes of *TRANSFORM, and on nodes that no cell has.
namespace symdyn::abaqus
{
void DeckWriter::find_given_forces(const Step &step)
{
  given_forces.clear();
  for (const Keyword &card : step.inside)
    if (card.name == "CLOAD")
      for (const Line &line : card.data)
        if (long d = 0; line.words.size() > 1 && parse_integer(line.words[1], d))
          for (const std::size_t node : model.nodes_of(line, line.words[0]))
            given_forces.insert({node, d - 1});
}

/// The forces that an earlier step has left on these nodes: components that no *CLOAD of this step gives.
std::vector<double> DeckWriter::kept_forces(const Region &earlier, const std::size_t line, const std::string &on,
                                            const std::vector<std::string> &nodes) const
{
  std::vector<double> kept(dim, 0.);
  for (int d = 0; d < dim; ++d)
  {
    std::size_t count = 0, given = 0;
    for (const std::string &word_of_nodes : nodes)
      for (const std::size_t node : model.nodes_of({line, {}}, word_of_nodes))
      {
        ++count;
        given += given_forces.count({node, d});
      }
    if (earlier.components[d] == 0. || given == count)
      continue;
    if (given > 0)
      fail(
          line, on,
          fmt::format(
              "had a force along component {} in an earlier step ({}), and this step gives this component of a part of its nodes. Give it for all of them.",
              d + 1, model.scanner.place(earlier.line)));
    if (earlier.varies)
      fail(line, on, "had a force with an AMPLITUDE in an earlier step. Give all of its components again.");
    kept[d] = earlier.components[d];
  }
  return kept;
}

/// Forces of one step on a node or a set add up. Components that none of them gives keep the force of an earlier step, with its own
/// amplitude.
void DeckWriter::write_force(const Keyword &card, Step &step, const std::size_t line, const std::string &on,
                             const std::vector<std::string> &nodes, const std::array<std::optional<double>, 3> &given)
{
  Region region{"CLOAD", on, line};
  const auto found = acting_on.find(region.on());
  const bool goes_on = found != acting_on.end() && !step.removes.count("CLOAD") && step.carries_loads() && !step.loads.count(region.on());
  const std::vector<double> kept = goes_on ? kept_forces(acting[found->second], line, on, nodes) : std::vector<double>(dim, 0.);
  std::vector<double> now;
  for (int d = 0; d < dim; ++d)
    now.push_back(given[d].value_or(0.));
  const std::vector<double> none(dim, 0.);
  const bool apart = card.has("AMPLITUDE") && now != none && kept != none;
  for (int d = 0; d < dim; ++d)
  {
    region.components.push_back(now[d] + kept[d]);
    if (!apart)
      now[d] += kept[d];
  }
  for (const std::string &node : nodes)
    for (const std::size_t n : model.nodes_of({line, {}}, node))
      for (int d = 0; d < dim; ++d)
        if (given[d] || region.components[d] != 0.)
          region.places.insert({n, std::size_t(d), 0, 0});
  std::string names_of_loads = now != none ? write_nodal_forces(card, step, line, on, nodes, now) : "";
  if (apart)
  {
    Keyword constant = card;
    for (const char *option : {"AMPLITUDE", "TIME DELAY"})
      constant.options.erase(option);
    names_of_loads += ", " + write_nodal_forces(constant, step, line, on, nodes, kept);
  }
  begin_load(card, step, region, names_of_loads);
}

std::string DeckWriter::write_nodal_forces(const Keyword &card, const Step &step, const std::size_t line, const std::string &on,
                                           const std::vector<std::string> &nodes, const std::vector<double> &components)
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
    const std::string name = fresh("Loads", is_set             ? nodes[0]
                                            : nodes.size() > 1 ? fmt::format("{} nodes", nodes.size())
                                                               : "node " + on),
                      path = "Loads/" + name;
    add(line, path, "Type", "nodal-force");
    add(line, path, "Nodes", join(alike ? nodes : numbers));
    add(line, path, "Force", written(components));
    write_axes(line, path, transform);
    write_amplitude(card, step, path);
    names_of_loads.push_back(name);
  }
  return join(names_of_loads);
}

std::string DeckWriter::write_outer_force(const Keyword &card, const Step &step, const std::size_t line, const std::size_t node,
                                          const std::vector<double> &components)
{
  std::vector<double> force(dim, 0.);
  const auto axes = axes_at(node);
  for (int i = 0; i < dim; ++i)
    for (int d = 0; d < dim; ++d)
      force[d] += components[i] * axes[i][d];
  const AmplitudeTable *table = step.follows_amplitudes() ? amplitude(card) : nullptr;
  const double start = table ? step.start_of(*table) + delay(card) : 0.;
  std::vector<std::string> formulas;
  for (const double component : force)
    formulas.push_back(written(component) + (table && component != 0. ? "*(" + table->formula(start) + ")" : ""));
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
