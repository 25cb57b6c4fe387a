#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>

#include "meshes/abaqus/job.h"
#include "solver/base/names.h"
#include "solver/registry.h"

// *BOUNDARY: what holds in which step.
namespace symdyn::abaqus
{
namespace
{
/// The components, from 1, that a line holds.
std::vector<int> components_of(const Job &job, const Line &line)
{
  static const std::map<std::string, std::vector<int>> named = {{"ENCASTRE", {1, 2, 3, 4, 5, 6}},
                                                                {"PINNED", {1, 2, 3}},
                                                                {"XSYMM", {1, 5, 6}},
                                                                {"YSYMM", {2, 4, 6}},
                                                                {"ZSYMM", {3, 4, 5}},
                                                                {"XASYMM", {2, 3, 4}},
                                                                {"YASYMM", {1, 3, 5}},
                                                                {"ZASYMM", {1, 2, 6}}};
  if (const auto found = named.find(upper(job.word(line, 1))); found != named.end())
    return found->second;
  const long first = job.model.number(line, job.word(line, 1), "a component, 1 to 6, or ENCASTRE, PINNED, XSYMM to ZASYMM,"),
             last = job.word(line, 2).empty() ? first : job.model.number(line, job.word(line, 2), "the last component, 1 to 6,");
  if (first < 1 || last < first || last > 6)
    job.fail(line.number, join(line.words), "components are 1 to 3, and 4 to 6 of rotations, from the first to the last.");
  std::vector<int> components(last - first + 1);
  std::iota(components.begin(), components.end(), int(first));
  return components;
}

class Boundary : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override
  {
    const Options options{"OP", "AMPLITUDE", "TIME DELAY", "TYPE", "FIXED"};
    return {{"BOUNDARY", Where::model, options}, {"BOUNDARY", Where::step, options}};
  }
  Turn turn() const override { return Turn::supports; }
  void read(Job &job, const Keyword &card, Step *of) override;

private:
  struct Said
  {
    const Keyword *card;
    std::size_t first;  ///< step
    bool stands;
  };
  /// What a line holds; of the ROT NODE of a rigid body the rotations of its reference.
  void hold(Job &job, const Line &line, const std::vector<int> &components, double value, const Said &said);
  void hold(Job &job, const Line &line, const std::string &nodes, int component, double value, const Said &said);

  std::map<std::tuple<std::string, std::size_t, bool, const Keyword *>, std::size_t>
      held_on;  ///< word, first step, stands, card with an amplitude: index into Supports::held
};
SYMDYN_REGISTER(Translator, Boundary, "boundary");

void Boundary::read(Job &job, const Keyword &card, Step *of)
{
  const std::size_t first = of ? of - job.steps.data() : 0;
  const Step &step = job.steps[first];
  const std::string op = upper(card.option("OP")), type = upper(card.option("TYPE"));
  if (!type.empty() && type != "DISPLACEMENT")
    job.fail(card.line, "*BOUNDARY, TYPE=" + type, "only displacements can be prescribed from an .inp file. Integrate the motion in time.");
  if (!op.empty() && op != "NEW" && op != "MOD")
    job.fail(card.line, "*BOUNDARY, OP=" + op, "is NEW or MOD.");
  if (op == "NEW")
    job.supports.frees_all.insert(first);
  warn_if_empty(job, card);
  const bool stands = card.has("FIXED");
  if (stands && first == 0)
    job.fail(card.line, "*BOUNDARY, FIXED", "holds nodes where an earlier step has left them, and this is the first step. Prescribe 0.");
  for (const Line &line : card.data)
  {
    const std::vector<int> components = components_of(job, line);
    const double value = job.real_or(line, 3, 0., "the displacement") * static_factor(job, card, step);
    hold(job, line, components, value, {&card, first, stands});
  }
}

void Boundary::hold(Job &job, const Line &line, const std::vector<int> &components, const double value, const Said &said)
{
  const std::vector<std::size_t> nodes = job.model.nodes_of(line, job.word(line, 0));
  const auto turns = [&](const std::size_t node) { return job.turns(node) || turns_by_coupling(job, node); };
  const auto is_rotation = [&](const std::size_t node) { return job.couplings.of_turned.count(node) > 0; };
  const bool rotations = std::any_of(nodes.begin(), nodes.end(), is_rotation), all_turn = std::all_of(nodes.begin(), nodes.end(), turns);
  if (components.front() > job.dim && std::none_of(nodes.begin(), nodes.end(), turns) && !rotations)
    return job.out.warn(line.number, join(line.words), "has no effect: nodes have no rotations here, which are the components 4 to 6");
  for (const int d : components)
    if (!rotations && (d <= job.dim || all_turn))
      hold(job, line, job.word(line, 0), d - 1, value, said);
    else
      for (const std::size_t one : nodes)
      {
        const auto [node, component] = meant(job, line, one, d - 1);
        if (component < job.dim || turns(node))
          hold(job, line, std::to_string(job.model.mesh.numbers[node]), component, value, said);
      }
}

void Boundary::hold(Job &job, const Line &line, const std::string &nodes, const int component, const double value, const Said &said)
{
  if (component >= job.components())
    return;
  if (component >= job.dim && said.stands)
    job.fail(line.number, join(line.words),
             "rotations can be held at 0, or moved, not where an earlier step has left them. Prescribe values.");
  const auto [same, is_new] = held_on.emplace(
      std::tuple(upper(nodes), said.first, said.stands, said.card->has("AMPLITUDE") ? said.card : nullptr), job.supports.held.size());
  if (is_new)
    job.supports.held.push_back(Held{nodes, line.number, said.first, said.stands, {}, {}, said.card});
  job.supports.held[same->second].value[component] = value;
  job.supports.held[same->second].lines[component] = line.number;
}
}  // namespace
}  // namespace symdyn::abaqus
