#include <fmt/format.h>

#include <algorithm>

#include "meshes/abaqus/job.h"
#include "solver/base/names.h"
#include "solver/registry.h"

// Entries of supports: what *BOUNDARY, or another keyword, holds or moves.
namespace symdyn::abaqus
{
namespace
{
/// Whether this one writes the held component of rotation of a node: the first of all that hold any of its rotations, since one support
/// has all of a node.
bool holds_rotation(const Job &job, const std::size_t h, const std::size_t node, const int d, const std::size_t step)
{
  const auto &owners = job.supports.owners[step];
  std::size_t first = job.supports.held.size();
  for (int e = job.dim; e < job.components(); ++e)
    if (const auto owner = owners.find({node, e}); owner != owners.end())
      first = std::min(first, owner->second);
  return first == h && owners.count({node, d}) > 0;
}

/// The component of the rotation vector [rad], an expression of t.
std::string rotation_of(const Job &job, const Held &by, const int d)
{
  return *by.value[d] == 0. ? "0" : varying_value(job, *by.card, job.steps[by.first], *by.value[d]);
}

using StepNumbers = std::set<std::size_t>;

/// What a support says of a node: its components by the steps in which they hold. Rotations of a node hold together, for one support has
/// all that hold in a step.
std::map<StepNumbers, std::vector<std::string>> components_of(const Job &job, const std::size_t h, const std::size_t node)
{
  const Held &s = job.supports.held[h];
  std::map<std::vector<std::pair<int, std::string>>, StepNumbers> groups;  // components and what is prescribed
  for (std::size_t step = 0; step < job.steps.size(); ++step)
  {
    std::vector<std::pair<int, std::string>> rotations;
    for (int d = 0; d < (job.turns(node) ? job.components() : job.dim); ++d)
    {
      const auto found = job.supports.owners[step].find({node, d});
      if (d >= job.dim && holds_rotation(job, h, node, d, step))
        rotations.emplace_back(d, rotation_of(job, job.supports.held[found->second], d));
      else if (d < job.dim && s.value[d] && step >= s.first && found != job.supports.owners[step].end() &&
               (found->second == h || s.says_the_same(job.supports.held[found->second], d)))
        groups[{{d, s.text(d)}}].insert(step);
    }
    if (!rotations.empty())
      groups[rotations].insert(step);
  }
  std::map<StepNumbers, std::vector<std::string>> components;
  for (const auto &[group, when] : groups)
    for (const auto &[d, text] : group)
      components.emplace(when, std::vector<std::string>(job.components(), "free")).first->second[d] = text;
  return components;
}

/// One support for each set of steps in which components of its nodes hold, and for each kind of node.
void write_held(Job &job, const std::size_t h)
{
  const Held &s = job.supports.held[h];
  const std::vector<std::size_t> nodes = nodes_of(job, s);
  std::map<StepNumbers, std::map<std::pair<int, std::string>, std::vector<std::string>>>
      parts;  // when, along which axes what is held: by which nodes
  for (const std::size_t node : nodes)
    for (const auto &[when, texts] : components_of(job, h, node))
      if (!is_outer(job, node))  // others are points
        parts[when][{transform_of(job, node), join(texts)}].push_back(std::to_string(job.model.mesh.numbers[node]));
  const Set *set = s.nodes.empty() ? job.model.set_of_nodes(s.word) : nullptr;
  for (const auto &[when, kinds] : parts)
    for (const auto &[kind, members] : kinds)
    {
      const auto &[transform, components] = kind;
      const std::string name = job.out.fresh("Supports", set               ? set->name
                                                         : s.nodes.empty() ? "node " + s.word
                                                                           : s.word),
                        path = "Supports/" + name;
      for (const std::size_t step : when)
        job.supports.in_step[step].push_back(name);
      job.out.add(s.line, path, "Nodes", members.size() < nodes.size() || !s.nodes.empty() ? join(members) : set ? set->name : s.word);
      const std::vector<std::string> values = split(components);
      if (std::all_of(values.begin(), values.end(), [](const std::string &v) { return v == "0"; }))
        continue;  // Type = fixed
      job.out.add(s.line, path, "Type", "displacement");
      job.out.add(s.line, path, "Displacement", join({values.begin(), values.begin() + job.dim}));
      const auto moves = [](const std::string &v) { return v != "0" && v != "free" && v != "hold"; };
      const auto rotations = values.begin() + job.dim;
      if (const auto held = values.end() - rotations - std::count(rotations, values.end(), "free"); job.thin && held > 0)
      {
        job.out.add(s.line, path, "Rotation", join({rotations, values.end()}));
        if (!job.nonlinear && (held == 1 || std::any_of(rotations, values.end(), moves)))
          job.out.add(s.line, path, "Geometry", "linear");
      }
      write_axes(job, s.line, path, transform);
      const Step &step = job.steps[s.first];
      if (std::any_of(values.begin(), values.end(), moves))
        require_same_motion(job, s, when, "Give it again in that step, or hold the nodes where they stand (*BOUNDARY, FIXED).");
      if (std::any_of(values.begin(), rotations, moves))
        write_amplitude(job, *s.card, step, path);
    }
}

class HeldNodes : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override { return {}; }
  Turn turn() const override { return Turn::held; }
  void write(Job &job) override
  {
    job.supports.owners = owners_of_steps(job);
    job.supports.in_step.resize(job.steps.size());
    for (std::size_t h = 0; h < job.supports.held.size(); ++h)
      write_held(job, h);
  }
};
SYMDYN_REGISTER(Translator, HeldNodes, "held");

/// Supports and equations of each step, where they are not the same in all.
void write_stage_supports(Job &job)
{
  for (const Equation &equation : job.equations)
    for (std::size_t s = 0; s < std::min(job.steps.size(), equation.gone); ++s)
      job.supports.in_step[s].push_back(equation.name);
  if (std::all_of(job.supports.in_step.begin(), job.supports.in_step.end(),
                  [&](const auto &names_of_supports) { return names_of_supports == job.supports.in_step.front(); }))
    return;
  for (std::size_t s = 0; s < job.steps.size(); ++s)
    job.out.add(job.steps[s].line, "Stages/" + job.steps[s].name, "Supports",
                job.supports.in_step[s].empty() ? "none" : join(job.supports.in_step[s]));
}

class StepSupports : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override { return {}; }
  Turn turn() const override { return Turn::step_supports; }
  void write(Job &job) override { write_stage_supports(job); }
};
SYMDYN_REGISTER(Translator, StepSupports, "step supports");
}  // namespace
}  // namespace symdyn::abaqus
