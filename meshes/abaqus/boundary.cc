#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "meshes/abaqus/deck.h"
#include "solver/base/names.h"

// *BOUNDARY: what holds in which step.
namespace symdyn::abaqus
{
void DeckWriter::read_boundary(const Keyword &card, const std::size_t first)
{
  require_options(model.scanner, card, {"OP", "AMPLITUDE", "TIME DELAY", "TYPE", "FIXED"});
  const Step &step = steps[first];
  const std::string op = upper(card.option("OP")), type = upper(card.option("TYPE"));
  if (!type.empty() && type != "DISPLACEMENT")
    fail(card.line, "*BOUNDARY, TYPE=" + type, "only displacements can be prescribed from an .inp file. Integrate the motion in time.");
  if (!op.empty() && op != "NEW" && op != "MOD")
    fail(card.line, "*BOUNDARY, OP=" + op, "is NEW or MOD.");
  if (op == "NEW")
    frees_all.insert(first);
  warn_if_empty(card);
  const bool stands = card.has("FIXED");
  if (stands && first == 0)
    fail(card.line, "*BOUNDARY, FIXED", "holds nodes where an earlier step has left them, and this is the first step. Prescribe 0.");
  static const std::map<std::string, std::pair<int, int>> named = {{"ENCASTRE", {1, 6}}, {"PINNED", {1, 3}}};
  for (const Line &line : card.data)
  {
    const std::string label = upper(word(line, 1));
    std::pair<int, int> dofs;
    if (const auto found = named.find(label); found != named.end())
      dofs = found->second;
    else
    {
      constexpr long beyond = 7;  // of any node: larger ones would not fit into an int
      dofs.first = std::min(beyond, model.number(line, word(line, 1), "the first component, 1 to 3,"));
      dofs.second = word(line, 2).empty() ? dofs.first : std::min(beyond, model.number(line, word(line, 2), "the last component, 1 to 3,"));
    }
    if (dofs.first < 1 || dofs.second < dofs.first || dofs.second > 6)
      fail(line.number, join(line.words), "components are 1 to 3, from the first to the last.");
    const double value = real_or(line, 3, 0., "the displacement") * static_factor(card, step);
    model.nodes_of(line, word(line, 0));
    if (dofs.first > 3)
    {
      warn(line.number, join(line.words), "has no effect: nodes have no rotations here, which are the components 4 to 6");
      continue;
    }
    const auto [same, is_new] =
        held_on.emplace(std::tuple(upper(word(line, 0)), first, stands, card.has("AMPLITUDE") ? &card : nullptr), held.size());
    if (is_new)
      held.push_back(Held{word(line, 0), line.number, first, stands, {}, {}, &card});
    for (int d = dofs.first; d <= std::min(dofs.second, dim); ++d)
    {
      held[same->second].value[d - 1] = value;
      held[same->second].lines[d - 1] = line.number;
    }
  }
}

std::string DeckWriter::Held::text(const int d) const { return stands ? "stands" : written(*value[d]); }

bool DeckWriter::Held::says_the_same(const Held &other, const int d) const
{
  const auto amplitude = [](const Held &h) { return upper(h.card->option("AMPLITUDE")); };
  return value[d] && other.value[d] && text(d) == other.text(d) && (*value[d] == 0. || amplitude(*this) == amplitude(other)) &&
         (!stands || first == other.first);
}

/// What comes later stands: of nodes that two name, each component belongs to the last; for each step.
std::vector<DeckWriter::Owners> DeckWriter::owners_of_steps() const
{
  std::vector<Owners> owners;
  for (std::size_t s = 0; s < steps.size(); ++s)
  {
    owners.push_back(s > 0 && !frees_all.count(s) ? owners.back() : Owners());
    std::vector<std::tuple<std::size_t, std::size_t, int>> said;  // line, which, component: in the order of the file
    for (std::size_t h = 0; h < held.size(); ++h)
      for (int d = 0; d < dim; ++d)
        if (held[h].first == s && held[h].value[d])
          said.emplace_back(held[h].lines[d], h, d);
    std::sort(said.begin(), said.end());
    for (const auto &[line, h, d] : said)
      for (const std::size_t node : nodes_of(held[h]))
        owners.back()[{node, d}] = h;
  }
  return owners;
}

void DeckWriter::write_supports()
{
  for (const Keyword &card : before)
    if (card.name == "BOUNDARY")
      read_boundary(card, 0);
  for (std::size_t s = 0; s < steps.size(); ++s)
    for (const Keyword &card : steps[s].inside)
      if (card.name == "BOUNDARY")
        read_boundary(card, s);
  for (std::size_t s = 0; s < steps.size(); ++s)
    move_base(s);
  owners = owners_of_steps();
  in_step.resize(steps.size());
  for (std::size_t h = 0; h < held.size(); ++h)
    write_held(h);
}

/// Supports and equations of each step, where they are not the same in all.
void DeckWriter::write_stage_supports()
{
  for (const Written &equation : equations)
    for (std::size_t s = 0; s < std::min(steps.size(), equation.gone); ++s)
      in_step[s].push_back(equation.name);
  if (std::all_of(in_step.begin(), in_step.end(), [&](const auto &names_of_supports) { return names_of_supports == in_step.front(); }))
    return;
  for (std::size_t s = 0; s < steps.size(); ++s)
    add(steps[s].line, "Stages/" + steps[s].name, "Supports", in_step[s].empty() ? "none" : join(in_step[s]));
}

void DeckWriter::require_same_motion(const Held &by, const std::set<std::size_t> &when, const std::string &instead) const
{
  const AmplitudeTable *table = amplitude(*by.card);
  const Step &first = steps[by.first];
  if (!table || !first.takes_time())
    return;
  const auto goes_on = [&](const Step &step) {
    return table->total_time && first.start - first.total_start == step.start - step.total_start;
  };
  for (const std::size_t later : when)
    if (later > by.first && steps[later].takes_time() && !goes_on(steps[later]))
      fail(by.card->line, "AMPLITUDE=" + by.card->option("AMPLITUDE"),
           fmt::format("this motion carries on into {}, where its amplitude would begin anew. {}", steps[later].name, instead));
}

/// One support for each set of steps in which components of its nodes hold, and for each kind of node.
void DeckWriter::write_held(const std::size_t h)
{
  const Held &s = held[h];
  const std::vector<std::size_t> nodes = nodes_of(s);
  const auto holds = [&](const std::size_t node, const int d, const std::size_t step) {
    const auto found = owners[step].find({node, d});
    return s.value[d] && step >= s.first && found != owners[step].end() && (found->second == h || s.says_the_same(held[found->second], d));
  };
  using Steps = std::set<std::size_t>;
  std::map<Steps, std::map<std::pair<int, std::string>, std::vector<std::string>>>
      parts;  // when, along which axes what is held: by which nodes
  for (const std::size_t node : nodes)
  {
    std::map<Steps, std::vector<std::string>> components;
    for (int d = 0; d < dim; ++d)
    {
      Steps when;
      for (std::size_t step = 0; step < steps.size(); ++step)
        if (holds(node, d, step))
          when.insert(step);
      if (!when.empty())
        components.emplace(when, std::vector<std::string>(dim, "free")).first->second[d] = s.text(d);
    }
    for (const auto &[when, texts] : components)
      if (!is_outer(node))  // others are points
        parts[when][{transform_of(node), join(texts)}].push_back(std::to_string(model.mesh.numbers[node]));
  }
  const Set *set = s.nodes.empty() ? model.set_of_nodes(s.word) : nullptr;
  for (const auto &[when, kinds] : parts)
    for (const auto &[kind, members] : kinds)
    {
      const auto &[transform, components] = kind;
      const std::string name = fresh("Supports", set ? set->name : s.nodes.empty() ? "node " + s.word : s.word), path = "Supports/" + name;
      for (const std::size_t step : when)
        in_step[step].push_back(name);
      add(s.line, path, "Nodes", members.size() < nodes.size() || !s.nodes.empty() ? join(members) : set ? set->name : s.word);
      const std::vector<std::string> values = split(components);
      if (std::all_of(values.begin(), values.end(), [](const std::string &v) { return v == "0"; }))
        continue;  // Type = fixed
      add(s.line, path, "Type", "displacement");
      add(s.line, path, "Displacement", components);
      write_axes(s.line, path, transform);
      const Step &step = steps[s.first];
      if (std::any_of(values.begin(), values.end(), [](const std::string &v) { return v != "0" && v != "free" && v != "stands"; }))
      {
        require_same_motion(s, when, "Give it again in that step, or hold the nodes where they stand (*BOUNDARY, FIXED).");
        write_amplitude(*s.card, step, path);
      }
    }
}
}  // namespace symdyn::abaqus
