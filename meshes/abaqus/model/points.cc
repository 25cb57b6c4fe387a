#include <fmt/format.h>

#include <algorithm>

#include "meshes/abaqus/job.h"
#include "solver/base/names.h"
#include "solver/registry.h"

// Nodes as points of the deck: those that springs, masses and equations name, and those that no cell has.
namespace symdyn::abaqus
{
namespace
{
/// Errors: InputError for a node that *BOUNDARY holds otherwise in another step.
void require_one_support(const Job &job, const std::size_t node)
{
  const Owners &first = job.supports.owners.front();
  for (const Owners &later : job.supports.owners)
    for (int d = 0; d < job.dim; ++d)
      if (const auto now = later.find({node, d}), before_it = first.find({node, d});
          (now == later.end()) != (before_it == first.end()) ||
          (now != later.end() && now->second != before_it->second &&
           !job.supports.held[now->second].says_the_same(job.supports.held[before_it->second], d)))
        job.fail(
            now == later.end() ? job.supports.held[before_it->second].lines[d] : job.supports.held[now->second].lines[d],
            std::to_string(job.model.mesh.numbers[node]),
            "no cell has this node, and *BOUNDARY holds it otherwise in another step, which cannot be computed. Hold it the same way in all steps.");
}

/// A point with a displacement of its own, which *BOUNDARY holds by equations, or altogether.
void write_outer_point(Job &job, const std::size_t node, const std::string &path)
{
  const PointUse use = job.points.used.at(node);
  const Owners &first = job.supports.owners.front();
  require_one_support(job, node);
  std::vector<double> X;
  for (int d = 0; d < job.dim; ++d)
    X.push_back(job.model.mesh.nodes[node][d]);
  job.out.add(use.line, path, "Position", written(X));
  if (job.couplings.of_reference.count(node))
  {
    write_held_point(job, node, path, [](int) { return false; });
    return;
  }
  const bool tied = std::any_of(use.in_equation.begin(), use.in_equation.end(), [](const bool in) { return in; });
  const bool alone = !use.joined && use.mass == 0. && !tied;
  for (int d = 0; d < job.dim && alone; ++d)
    if (use.forced[d] > 0)
      job.fail(use.forced[d], std::to_string(job.model.mesh.numbers[node]),
               "no element has this node, and no *EQUATION: the force acts on nothing. Load a node of the body.");
  if (job.bodiless)
    return write_alone(job, node, path);
  bool all_held = true, rests = true;
  for (int d = 0; d < job.dim; ++d)
  {
    const auto found = first.find({node, d});
    all_held = all_held && found != first.end();
    rests = rests && found != first.end() && *job.supports.held[found->second].value[d] == 0.;
  }
  if (all_held && rests && !tied && use.mass == 0.)
  {
    job.out.add(use.line, path, "Fixed", "yes");
    return;
  }
  const bool statics = job.rests();
  if (use.mass == 0.)
    job.out.add(use.line, path, use.joined && statics ? "Mass" : "Massless",
                use.joined && statics ? "1" : "yes");  // statics do not feel it
  for (int d = 0; d < job.dim; ++d)
  {
    const auto found = first.find({node, d});
    if (found != first.end())
    {
      const Held &by = job.supports.held[found->second];
      write_equation(job, {{node, d, 1.}}, by.lines[d]);
      if (*by.value[d] != 0.)
        job.out.add(by.lines[d], "Equations/" + job.equations.back().name, "Sum", motion_of(job, by, d));
    }
    else if (!use.joined && use.mass == 0. && transform_of(job, node) < 0 && !use.in_equation[d] && use.forced[d] > 0)
      job.fail(
          use.forced[d], std::to_string(job.model.mesh.numbers[node]),
          fmt::format("nothing moves this node along component {}: the force acts on nothing. Load one that an *EQUATION has.", d + 1));
    else if (!use.joined && use.mass == 0. && transform_of(job, node) < 0 && !use.in_equation[d])
      write_equation(job, {{node, d, 1.}}, use.line);  // nothing moves it that way
  }
}

class WrittenPoints : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override { return {}; }
  Turn turn() const override { return Turn::points; }
  void write(Job &job) override;
};
SYMDYN_REGISTER(Translator, WrittenPoints, "points");

void WrittenPoints::write(Job &job)
{
  std::vector<std::size_t> nodes;
  for (const Step &step : job.steps)
    for (const Keyword &card : step.inside)
      if (const Set *set =
              (job.bodiless || job.thin) && card.name == "NODE PRINT" ? find_set(job.model.node_sets, card.option("NSET")) : nullptr)
        for (const std::size_t node : set->members)
          if (job.bodiless || job.turns(node))
            point(job, node, card.line);
  for (const auto &entry : job.points.used)
    nodes.push_back(entry.first);
  for (const std::size_t node : nodes)
  {
    const PointUse &use = job.points.used.at(node);
    const std::string path = "Points/" + point(job, node, use.line);
    if (is_outer(job, node))
      write_outer_point(job, node, path);
    else
      job.out.add(use.line, path, "On nodes", std::to_string(job.model.mesh.numbers[node]));
    if (use.mass > 0.)
      job.out.add(use.line, path, "Mass", written(use.mass));
  }
}

/// Elements beside cells.
class Properties : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override { return {}; }
  Turn turn() const override { return Turn::elements; }
  void write(Job &job) override
  {
    for (std::size_t e = 0; e < job.model.types.size(); ++e)
      if (const FileElement &element = job.model.mesh.elements[e]; !job.is_cell(e) && !job.with_properties.count(e))
        job.fail(element.line, fmt::format("element {} (TYPE={})", element.number, job.model.types[e]),
                 "has no properties. Give them by *SPRING, *DASHPOT, *MASS, or *SOLID SECTION of bars, with an ELSET that holds it.");
  }
};
SYMDYN_REGISTER(Translator, Properties, "properties");
}  // namespace
}  // namespace symdyn::abaqus
