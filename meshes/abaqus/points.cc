#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "meshes/abaqus/deck.h"
#include "solver/base/names.h"

// Nodes as points of the deck: those that springs, masses and equations name, and those that no cell has.
namespace symdyn::abaqus
{
void DeckWriter::find_outer_nodes()
{
  in_body.assign(model.mesh.nodes.size(), false);
  for (const FileElement &element : model.mesh.elements)
    if (dimension(element.shape) == dim)
    {
      for (unsigned int i = 0; i < node_count(element.shape); ++i)
        in_body[element.nodes[i]] = true;
      for (const unsigned int node : element.middles)
        in_body[node] = true;
    }
}

std::string DeckWriter::point(const std::size_t node, const std::size_t line)
{
  points.emplace(node, PointUse{line});
  return fmt::format("n{}", model.mesh.numbers[node]);
}

void DeckWriter::write_points()
{
  std::vector<std::size_t> nodes;
  for (const Step &step : steps)
    for (const Keyword &card : step.inside)
      if (const Set *set = bodiless && card.name == "NODE PRINT" ? Model::find_set(model.node_sets, card.option("NSET")) : nullptr)
        for (const std::size_t node : set->members)
          point(node, card.line);
  for (const auto &entry : points)
    nodes.push_back(entry.first);
  for (const std::size_t node : nodes)
  {
    const PointUse &use = points.at(node);
    const std::string path = "Points/" + point(node, use.line);
    if (is_outer(node))
      write_outer_point(node, path);
    else
      add(use.line, path, "On nodes", std::to_string(model.mesh.numbers[node]));
    if (use.mass > 0.)
      add(use.line, path, "Mass", written(use.mass));
  }
}

std::string DeckWriter::motion_of(const Held &by, const int d) const
{
  std::set<std::size_t> all;
  for (std::size_t s = 0; s < steps.size(); ++s)
    all.insert(s);
  require_same_motion(
      by, all,
      "Make its TIME=TOTAL TIME, or hold and move the nodes in files of their own: nodes without cells are held the same way in all steps.");
  const Step &step = steps[by.first];
  const AmplitudeTable *table = step.follows_amplitudes() ? amplitude(*by.card) : nullptr;
  return written(*by.value[d]) + (table ? "*(" + table->formula(step.start_of(*table) + delay(*by.card)) + ")" : "");
}

/// A point with a displacement of its own, which *BOUNDARY holds by equations, or altogether.
void DeckWriter::write_outer_point(const std::size_t node, const std::string &path)
{
  const PointUse use = points.at(node);
  const Owners &first = owners.front();
  for (const Owners &later : owners)
    for (int d = 0; d < dim; ++d)
      if (const auto now = later.find({node, d}), before_it = first.find({node, d});
          (now == later.end()) != (before_it == first.end()) || (now != later.end() && now->second != before_it->second))
        fail(
            now == later.end() ? held[before_it->second].lines[d] : held[now->second].lines[d], std::to_string(model.mesh.numbers[node]),
            "no cell has this node, and *BOUNDARY holds it otherwise in another step, which cannot be computed. Hold it the same way in all steps.");
  std::vector<double> X;
  for (int d = 0; d < dim; ++d)
    X.push_back(model.mesh.nodes[node][d]);
  add(use.line, path, "Position", written(X));
  const bool alone =
      !use.joined && use.mass == 0. && std::none_of(use.in_equation.begin(), use.in_equation.end(), [](const bool in) { return in; });
  for (int d = 0; d < dim && alone; ++d)
    if (use.forced[d] > 0)
      fail(use.forced[d], std::to_string(model.mesh.numbers[node]),
           "no element has this node, and no *EQUATION: the force acts on nothing. Load a node of the body.");
  if (bodiless)
    return write_alone(node, path);
  bool all_held = true, rests = true;
  for (int d = 0; d < dim; ++d)
  {
    const auto found = first.find({node, d});
    all_held = all_held && found != first.end();
    rests = rests && found != first.end() && *held[found->second].value[d] == 0.;
  }
  const bool tied = std::any_of(use.in_equation.begin(), use.in_equation.end(), [](const bool in) { return in; });
  if (all_held && rests && !tied && use.mass == 0.)
  {
    add(use.line, path, "Fixed", "yes");
    return;
  }
  const bool statics = std::all_of(steps.begin(), steps.end(), [](const Step &step) { return step.procedure == "STATIC"; });
  if (use.mass == 0.)
    add(use.line, path, use.joined && statics ? "Mass" : "Massless", use.joined && statics ? "1" : "yes");  // statics do not feel it
  for (int d = 0; d < dim; ++d)
  {
    const auto found = first.find({node, d});
    if (found != first.end())
    {
      const Held &by = held[found->second];
      write_equation({{node, d, 1.}}, by.lines[d]);
      if (*by.value[d] != 0.)
        add(by.lines[d], "Equations/" + equations.back().name, "Sum", motion_of(by, d));
    }
    else if (!use.joined && use.mass == 0. && transform_of(node) < 0 && !use.in_equation[d] && use.forced[d] > 0)
      fail(use.forced[d], std::to_string(model.mesh.numbers[node]),
           fmt::format("nothing moves this node along component {}: the force acts on nothing. Load one that an *EQUATION has.", d + 1));
    else if (!use.joined && use.mass == 0. && transform_of(node) < 0 && !use.in_equation[d])
      write_equation({{node, d, 1.}}, use.line);  // nothing moves it that way
  }
}
}  // namespace symdyn::abaqus
