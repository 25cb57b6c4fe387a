#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "meshes/abaqus/job.h"
#include "solver/base/names.h"
#include "solver/registry.h"

// *CLOAD on nodes of the body, along axes of *TRANSFORM, and on nodes that no cell has.
namespace symdyn::abaqus
{
namespace
{
/// On a node that no cell has, along its own axes. Returns the name of the load.
std::string write_outer_force(Job &job, const Keyword &card, const Step &step, const std::size_t line, const std::size_t node,
                              const std::vector<double> &components)
{
  std::vector<double> force(job.dim, 0.);
  const auto axes = axes_at(job, node);
  for (int i = 0; i < job.dim; ++i)
    for (int d = 0; d < job.dim; ++d)
      force[d] += components[i] * axes[i][d];
  std::vector<std::string> formulas;
  for (const double component : force)
    formulas.push_back(varying_value(job, card, step, component));
  for (int d = 0; d < job.dim; ++d)
    if (force[d] != 0.)
    {
      point(job, node, line);
      job.points.used.at(node).forced[d] = line;
    }
  const std::string on = point(job, node, line), name = job.out.fresh("Loads", "force on " + on), path = "Forces/" + name;
  job.out.add(line, path, "Points", on);
  job.out.add(line, path, "Force", join(formulas));
  return name;
}

/// Force, and of nodes of beams and shells Moment.
void write_components(Job &job, const Step &step, const std::size_t line, const std::string &path, const std::vector<double> &components,
                      const bool turns)
{
  const std::vector<double> force(components.begin(), components.begin() + job.dim), moment(components.begin() + job.dim, components.end());
  const auto any = [](const std::vector<double> &values) {
    return std::any_of(values.begin(), values.end(), [](const double value) { return value != 0.; });
  };
  if (!turns || any(force))
    job.out.add(line, path, "Force", written(force));
  if (!any(moment))
    return;
  job.out.add(line, path, "Moment", written(moment));
  if (!step.nonlinear)
    job.out.add(line, path, "Geometry", "linear");
}

/// On a node of a beam or a shell, along its own axes. Returns the name of the load.
std::string write_turned_force(Job &job, const Keyword &card, const Step &step, const std::size_t line, const std::size_t node,
                               const std::vector<double> &components)
{
  std::vector<double> turned(components.size(), 0.);
  const auto axes = axes_at(job, node);
  for (std::size_t i = 0; i < components.size(); ++i)
    for (std::size_t d = 0; d < 3; ++d)
      turned[i - i % 3 + d] += components[i] * axes[i % 3][d];
  const std::string number = std::to_string(job.model.mesh.numbers[node]), name = job.out.fresh("Loads", "node " + number),
                    path = "Loads/" + name;
  job.out.add(line, path, "Type", "nodal-force");
  job.out.add(line, path, "Nodes", number);
  write_components(job, step, line, path, turned, true);
  write_amplitude(job, card, step, path);
  return name;
}
}  // namespace

std::string write_nodal_forces(Job &job, const Keyword &card, const Step &step, const std::size_t line, const std::string &on,
                               const std::vector<std::string> &nodes, const std::vector<double> &components)
{
  std::map<std::pair<int, bool>, std::vector<std::string>> by_axes;  // nodes of the body by their *TRANSFORM, and whether they turn
  std::vector<std::string> names_of_loads;
  const auto any = [&](const int from, const int to) {
    return std::any_of(components.begin() + from, components.begin() + to, [](const double value) { return value != 0.; });
  };
  const bool turns = any(job.dim, int(components.size())), moves = any(0, job.dim);
  for (const std::string &word_of_nodes : nodes)
    for (const std::size_t node : job.model.nodes_of({line, {}}, word_of_nodes))
    {
      const std::string number = std::to_string(job.model.mesh.numbers[node]);
      const bool by_coupling = turns && turns_by_coupling(job, node);
      if (turns && !by_coupling && (is_outer(job, node) || !job.turns(node)))
        job.fail(line, on, "no beam, shell or coupling has this node, which takes no moments. Give components 1 to 3.");
      if (by_coupling)
        names_of_loads.push_back(write_moment(job, card, step, line, node, {components[3], components[4], components[5]}));
      if (by_coupling && !moves)
        continue;
      if (is_outer(job, node))
        names_of_loads.push_back(write_outer_force(job, card, step, line, node, components));
      else if (by_coupling)
        names_of_loads.push_back(
            write_nodal_forces(job, card, step, line, on, {number}, {components[0], components[1], components[2], 0., 0., 0.}));
      else if (job.turns(node) && transform_of(job, node) >= 0)
        names_of_loads.push_back(write_turned_force(job, card, step, line, node, components));
      else
        by_axes[{transform_of(job, node), job.turns(node)}].push_back(number);
    }
  const bool alike = names_of_loads.empty() && by_axes.size() == 1, is_set = job.model.set_of_nodes(on);
  for (const auto &[kind, numbers] : by_axes)
  {
    const auto [transform, turn] = kind;
    const std::string name = job.out.fresh("Loads", is_set             ? nodes[0]
                                                    : nodes.size() > 1 ? fmt::format("{} nodes", nodes.size())
                                                                       : "node " + on),
                      path = "Loads/" + name;
    job.out.add(line, path, "Type", "nodal-force");
    job.out.add(line, path, "Nodes", join(alike ? nodes : numbers));
    write_components(job, step, line, path, components, turn);
    write_axes(job, line, path, transform);
    write_amplitude(job, card, step, path);
    names_of_loads.push_back(name);
  }
  return join(names_of_loads);
}

namespace
{
using Given = std::array<std::optional<double>, components_with_rotations>;  ///< components of a force and a moment

class NodalForces : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override { return {{"CLOAD", Where::step, options_of_loads}}; }
  Turn turn() const override { return Turn::loads; }
  void begin_step(Job &job, Step &step) override;
  void read(Job &job, const Keyword &card, Step *of) override;

private:
  static int component_of(const Job &job, const Line &line);
  static void warn_of_turned(Job &job, const Step &step, const Line &line);
  std::vector<double> kept_forces(const Job &job, const Region &earlier, std::size_t line, const std::string &on,
                                  const std::vector<std::string> &nodes) const;
  void write_force(Job &job, const Keyword &card, Step &step, std::size_t line, const std::string &on,
                   const std::vector<std::string> &nodes, const Given &components);
  std::set<std::pair<std::size_t, int>> given;  ///< nodes and components with a *CLOAD in the present step
};
SYMDYN_REGISTER(Translator, NodalForces, "cload");

void NodalForces::begin_step(Job &job, Step &step)
{
  given.clear();
  for (const Keyword &card : step.inside)
    if (card.name == "CLOAD")
      for (const Line &line : card.data)
        if (long d = 0; line.words.size() > 1 && parse_integer(line.words[1], d))
          for (const std::size_t node : job.model.nodes_of(line, line.words[0]))
            given.insert(meant(job, line, node, int(d) - 1));
}

/// Of CalculiX a moment on a ROT NODE does the work m·dtheta on its rotation vector theta, which about one axis alone is that of a vector
/// of fixed direction.
void NodalForces::warn_of_turned(Job &job, const Step &step, const Line &line)
{
  const std::vector<std::size_t> nodes = job.model.nodes_of(line, job.word(line, 0));
  if (step.nonlinear &&
      std::any_of(nodes.begin(), nodes.end(), [&](const std::size_t node) { return job.couplings.of_turned.count(node) > 0; }))
    job.out.warn(
        line.number, join(line.words),
        "with NLGEOM the moment keeps its direction in space. In CalculiX it does its work on the rotation vector of the ROT NODE, "
        "which is another moment where the node turns about several axes (docs/inp.md)");
}

/// From 0. Nodes come first: of a line that is no *CLOAD the error then names the first word.
int NodalForces::component_of(const Job &job, const Line &line)
{
  job.model.nodes_of(line, job.word(line, 0));
  const bool rotations = job.components() > job.dim;
  const long component = job.model.number(line, job.word(line, 1), rotations ? "the component, 1 to 6," : "the component, 1 to 3,");
  if (component < 1 || component > job.components())
    job.fail(line.number, job.word(line, 1),
             fmt::format("the component of a force is 1 to {}{}.", job.components(), rotations ? "" : "; nodes of solids take no moments"));
  return int(component) - 1;
}

void NodalForces::read(Job &job, const Keyword &card, Step *of)
{
  Step &step = *of;
  begin_card(job, card, step, "CLOAD");
  const double factor = static_factor(job, card, step);
  struct Force
  {
    std::string word;
    std::size_t line;
    Given given;
    std::vector<std::string> nodes;
  };
  std::vector<Force> forces;
  std::map<std::string, std::size_t> force_on;  // a node or a set: its place among the forces
  const auto add = [&](const Line &line, const std::string &name, const int component, const double force) {
    const auto [same, is_new] = force_on.emplace(upper(name), forces.size());
    if (is_new)
      forces.push_back({name, line.number, {}, {}});
    std::optional<double> &value = forces[same->second].given[component];
    value = value.value_or(0.) + force;
  };
  for (const Line &line : card.data)
  {
    const int component = component_of(job, line);
    const double force = factor * job.real(line, 2, "the force");
    if (force != 0.)
      warn_of_turned(job, step, line);
    for (const auto &[name, meant_component] : meant_words(job, line, component))
      add(line, name, meant_component, force);
  }
  // Of one step, nodes with one force make one load: files of some programs give each a line.
  std::map<Given, std::size_t> of_nodes;
  for (std::size_t i = 0; i < forces.size(); ++i)
  {
    const Set *set = job.model.set_of_nodes(forces[i].word);
    const std::size_t first = set || job.steps.size() > 1 ? i : of_nodes.emplace(forces[i].given, i).first->second;
    forces[first].nodes.push_back(set ? set->name : forces[i].word);
  }
  for (const Force &force : forces)
    if (!force.nodes.empty())
      write_force(job, card, step, force.line, force.word, force.nodes, force.given);
}

/// The forces that an earlier step has left on these nodes: components that no *CLOAD of this step gives.
std::vector<double> NodalForces::kept_forces(const Job &job, const Region &earlier, const std::size_t line, const std::string &on,
                                             const std::vector<std::string> &nodes) const
{
  std::vector<double> kept(job.components(), 0.);
  for (int d = 0; d < job.components(); ++d)
  {
    std::size_t count = 0, given_here = 0;
    for (const std::string &word_of_nodes : nodes)
      for (const std::size_t node : job.model.nodes_of({line, {}}, word_of_nodes))
      {
        ++count;
        given_here += given.count({node, d});
      }
    if (earlier.components[d] == 0. || given_here == count)
      continue;
    if (given_here > 0)
      job.fail(
          line, on,
          fmt::format(
              "had a force along component {} in an earlier step ({}), and this step gives this component of a part of its nodes. Give it for all of them.",
              d + 1, job.model.scanner.place(earlier.line)));
    if (earlier.varies)
      job.fail(line, on, "had a force with an AMPLITUDE in an earlier step. Give all of its components again.");
    kept[d] = earlier.components[d];
  }
  return kept;
}

/// Forces of one step on a node or a set add up. Components that none of them gives keep the force of an earlier step, with its own
/// amplitude.
void NodalForces::write_force(Job &job, const Keyword &card, Step &step, const std::size_t line, const std::string &on,
                              const std::vector<std::string> &nodes, const Given &given)
{
  Region region{"CLOAD", on, line};
  const auto found = job.loads.acting_on.find(region.on());
  const bool goes_on =
      found != job.loads.acting_on.end() && !step.removes.count("CLOAD") && step.traits.carries_loads && !step.loads.count(region.on());
  const std::vector<double> kept =
      goes_on ? kept_forces(job, job.loads.acting[found->second], line, on, nodes) : std::vector<double>(job.components(), 0.);
  std::vector<double> now;
  for (int d = 0; d < job.components(); ++d)
    now.push_back(given[d].value_or(0.));
  const std::vector<double> none(job.components(), 0.);
  const bool apart = card.has("AMPLITUDE") && now != none && kept != none;
  for (int d = 0; d < job.components(); ++d)
  {
    region.components.push_back(now[d] + kept[d]);
    if (!apart)
      now[d] += kept[d];
  }
  for (const std::string &node : nodes)
    for (const std::size_t n : job.model.nodes_of({line, {}}, node))
      for (int d = 0; d < job.components(); ++d)
        if (given[d] || region.components[d] != 0.)
          region.places.insert({n, std::size_t(d), 0, 0});
  std::string names_of_loads = now != none ? write_nodal_forces(job, card, step, line, on, nodes, now) : "";
  if (apart)
  {
    Keyword constant = card;
    for (const char *option : {"AMPLITUDE", "TIME DELAY"})
      constant.options.erase(option);
    names_of_loads += ", " + write_nodal_forces(job, constant, step, line, on, nodes, kept);
  }
  begin_load(job, card, step, region, names_of_loads);
}
}  // namespace
}  // namespace symdyn::abaqus
