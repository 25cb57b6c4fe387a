#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "meshes/abaqus_deck.h"
#include "solver/names.h"

// *CLOAD, *DLOAD and *DSLOAD.
namespace symdyn::abaqus
{
void DeckWriter::write_loads()
{
  for (Step &step : steps)
    for (const Keyword &card : step.inside)
      if (card.name == "CLOAD" || card.name == "DLOAD" || card.name == "DSLOAD") read_loads(card, step);
  write_stage_loads();
}

void DeckWriter::read_loads(const Keyword &card, Step &step)
{
  require_options(model.scanner, card, {"OP", "AMPLITUDE", "TIME DELAY", "LOAD CASE"});
  const std::string load_case = card.option("LOAD CASE");
  if (card.has("LOAD CASE") && load_case != "1" && (load_case != "2" || step.procedure != "STEADY STATE DYNAMICS"))
    fail(card.line, "LOAD CASE=" + load_case, "is 1, or in *STEADY STATE DYNAMICS 2: loads a quarter of a period ahead of the others.");
  const auto before = step.loads;
  if (upper(card.option("OP")) == "NEW") step.removes.insert(card.name == "DSLOAD" ? "DLOAD" : card.name);
  if (step.procedure == "FREQUENCY") fail(card.line, "*" + card.name, "modes of vibration know no loads. Remove it, or put it into a static step before.");
  card.name == "CLOAD" ? cload(card, step) : card.name == "DLOAD" ? dload(card, step) : dsload(card, step);
  if (load_case != "2") return;
  // Under keys of their own: the same nodes and faces may have loads in phase as well.
  std::map<std::string, std::string> all = before;
  for (const auto &[on, name] : step.loads)
    if (!before.count(on) || before.at(on) != name)
    {
      all[on + " LOAD CASE 2"] = name;
      step.quadrature.push_back(name);
    }
  step.loads = all;
}

void DeckWriter::cload(const Keyword &card, Step &step)
{
  const double factor = static_factor(card, step);
  struct Force
  {
    std::string word;
    std::size_t line;
    std::vector<double> components;
  };
  std::vector<Force> forces;
  for (const Line &line : card.data)
  {
    const std::string name = word(line, 0);
    model.nodes_of(line, name);
    const long component = model.number(line, word(line, 1), "the component, 1 to 3,");
    if (component < 1 || component > dim)
      fail(line.number, word(line, 1), fmt::format("the component of a force is 1 to {}; nodes of solids take no moments.", dim));
    auto same = std::find_if(forces.begin(), forces.end(), [&](const Force &force) { return upper(force.word) == upper(name); });
    if (same == forces.end()) same = forces.insert(forces.end(), {name, line.number, std::vector<double>(dim, 0.)});
    same->components[component - 1] += factor * real(line, 2, "the force");
  }
  for (const Force &force : forces)
  {
    if (std::all_of(force.components.begin(), force.components.end(), [](const double f) { return f == 0.; })) continue;
    const Set *set = Model::find_set(model.node_sets, force.word);
    if (step.loads.count("CLOAD " + upper(force.word)) && card.option("LOAD CASE") != "2") fail(force.line, force.word, "has forces from another *CLOAD of this step. Write them under one *CLOAD.");
    for (const Step &earlier : steps)
      if (&earlier != &step && earlier.loads.count("CLOAD " + upper(force.word)))
        warn(force.line, force.word, "all components of its earlier force end here, those that are not given again as well");
    const std::string name = fresh("Loads", set ? set->name : "node " + force.word), path = "Loads/" + name;
    add(force.line, path, "Type", "nodal-force");
    add(force.line, path, "Nodes", set ? set->name : force.word);
    add(force.line, path, "Force", written(force.components));
    write_amplitude(card, step, path);
    step.loads["CLOAD " + upper(force.word)] = name;
  }
}

void DeckWriter::require_whole_body(const Line &line, const std::string &elements) const
{
  std::vector<bool> in(model.mesh.elements.size(), false);
  for (const std::size_t e : model.elements_of(line, elements)) in[e] = true;
  for (std::size_t e = 0; e < in.size(); ++e)
    if (!in[e] && dimension(model.mesh.elements[e].shape) == dim)
      fail(line.number, elements, fmt::format("a body force acts on the whole body here; element {} is not in this set. Give a .prm deck an Acceleration that is 0 there.", model.mesh.elements[e].number));
}

void DeckWriter::dload(const Keyword &card, Step &step)
{
  for (const Line &line : card.data)
  {
    const std::string label = upper(word(line, 1));
    if (label.size() == 2 && label[0] == 'P' && label[1] >= '1' && label[1] <= '6')
    {
      const double p = static_factor(card, step) * real(line, 2, "the pressure");
      if (p == 0.) continue;
      const std::string boundary = Model::pressed(word(line, 0), label), name = fresh("Loads", boundary), path = "Loads/" + name;
      add(line.number, path, "Type", step.nonlinear ? "pressure" : "dead-pressure");
      add(line.number, path, "Boundary", boundary);
      add(line.number, path, "Pressure", written(p));
      write_amplitude(card, step, path);
      step.loads["DLOAD " + upper(boundary)] = name;
    }
    else
      body_load(card, line, label, step);
  }
}

void DeckWriter::dsload(const Keyword &card, Step &step)
{
  for (const Line &line : card.data)
  {
    if (upper(word(line, 1)) != "P") fail(line.number, join(line.words), "only pressures can be computed: a line is surface, P, value.");
    const double p = static_factor(card, step) * real(line, 2, "the pressure");
    const auto surface = std::find_if(model.mesh.faces.begin(), model.mesh.faces.end(), [&](const auto &faces) { return upper(faces.first) == upper(word(line, 0)); });
    if (surface == model.mesh.faces.end()) fail(line.number, word(line, 0), "there is no *SURFACE of element faces with this name.");
    if (p == 0.) continue;
    const std::string name = fresh("Loads", surface->first), path = "Loads/" + name;
    add(line.number, path, "Type", step.nonlinear ? "pressure" : "dead-pressure");
    add(line.number, path, "Boundary", surface->first);
    add(line.number, path, "Pressure", written(p));
    write_amplitude(card, step, path);
    step.loads["DLOAD surface " + upper(surface->first)] = name;
  }
}

/// Forces per mass [m/s²]: GRAV g n; CENTRIF omega² (r - (r·n) n), r from a point of the axis along n; BX, BY, BZ are per volume.
void DeckWriter::body_load(const Keyword &card, const Line &line, const std::string &label, Step &step)
{
  static const std::vector<std::string> labels = {"GRAV", "CENTRIF", "BX", "BY", "BZ"};
  if (!std::count(labels.begin(), labels.end(), label)) fail(line.number, label.empty() ? "(nothing)" : label, "only P1 to P6, " + join(labels) + " can be computed.");
  require_whole_body(line, word(line, 0));
  if (needs_density && label[0] != 'B') fail(line.number, label, "needs the *DENSITY of every material. Add it.");
  const double value = static_factor(card, step) * real(line, 2, "the value");
  if (value == 0.) return;
  std::vector<std::string> field(dim, "0");
  const auto unit = [&](const std::size_t first) {
    std::array<double, 3> n{};
    for (std::size_t d = 0; d < 3; ++d) n[d] = real_or(line, first + d, 0., "a component of a direction");
    const double length = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (length == 0.) fail(line.number, join(line.words), "the direction is zero.");
    for (double &component : n) component /= length;
    return n;
  };
  if (label == "GRAV")
  {
    const auto n = unit(3);
    for (int d = 0; d < dim; ++d) field[d] = written(value * n[d]);
  }
  else if (label == "CENTRIF")
  {
    const auto n = unit(6);
    const std::string axes = "xyz";
    for (int d = 0; d < dim; ++d)
    {
      field[d] = "0";
      for (int e = 0; e < 3; ++e)
        if (const double c = value * ((d == e ? 1. : 0.) - n[d] * n[e]); c != 0.)
          field[d] += e < dim ? fmt::format(" + ({})*({} - ({}))", c, axes[e], real_or(line, 3 + e, 0., "a point of the axis")) : "";
    }
  }
  else
  {
    if (label[1] - 'X' >= dim) fail(line.number, label, "the body is in the plane.");
    if (std::any_of(densities.begin(), densities.end(), [&](const double rho) { return rho != densities[0]; }))
      fail(line.number, label, "a force per volume needs one density of all materials here. Write it as a .prm deck.");
    field[label[1] - 'X'] = written(value / (densities[0] > 0. ? densities[0] : 1.));
  }
  const bool constant = label != "CENTRIF" && (!card.has("AMPLITUDE") || !step.takes_time());
  const std::string name = fresh("Loads", upper(word(line, 0)) + "." + label), path = "Loads/" + name;
  add(line.number, path, "Type", constant && label == "GRAV" ? "gravity" : "body-force");
  add(line.number, path, "Acceleration", join(field));
  write_amplitude(card, step, path);
  step.loads["DLOAD " + upper(word(line, 0)) + " " + label] = name;
}

/// Loads carry on into later steps, unless OP=NEW, or another load on the same nodes, faces or body takes their place.
void DeckWriter::write_stage_loads()
{
  for (const Step &step : steps)
    if (!step.quadrature.empty()) add(step.card.line, "Stages/" + step.name, "Loads out of phase", join(step.quadrature));
  if (steps.size() == 1) return;
  std::map<std::string, std::string> active, modal;
  for (const Step &step : steps)
  {
    const auto stays = [&step](const std::string &on) { return !step.removes.count(on.substr(0, on.find(' '))); };
    const bool linear = step.procedure == "MODAL DYNAMIC" || step.procedure == "STEADY STATE DYNAMICS";
    std::map<std::string, std::string> now;
    std::vector<std::string> names_of_loads;
    for (const auto &[on, name] : active)
      if (step.procedure == "MODAL DYNAMIC")
        names_of_loads.push_back(name);  // at rest, as the state that the step is about; in harmonic stages they are not named
      else if (!linear && stays(on))
        now[on] = name;
    if (step.procedure == "MODAL DYNAMIC")
      for (const auto &[on, name] : modal)
        if (stays(on)) now[on] = name;
    for (const auto &[on, name] : step.loads) now[on] = name;
    if (step.procedure == "MODAL DYNAMIC") modal = now;
    for (const auto &entry : now) names_of_loads.push_back(entry.second);
    if (step.procedure != "FREQUENCY") add(step.line, "Stages/" + step.name, "Loads", names_of_loads.empty() ? "none" : join(names_of_loads));
    if (!linear && step.procedure != "FREQUENCY") active = now;
  }
}
}  // namespace symdyn::abaqus
