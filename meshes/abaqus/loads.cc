#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "meshes/abaqus/deck.h"
#include "solver/base/names.h"

// *CLOAD, *DLOAD and *DSLOAD.
namespace symdyn::abaqus
{
void DeckWriter::write_loads()
{
  for (Step &step : steps)
  {
    find_given_forces(step);
    for (const Keyword &card : step.inside)
      if (card.name == "CLOAD" || card.name == "DLOAD" || card.name == "DSLOAD")
        read_loads(card, step);
    end_step_of_loads(step);
  }
  write_stage_loads();
}

void DeckWriter::read_loads(const Keyword &card, Step &step)
{
  require_options(model.scanner, card, {"OP", "AMPLITUDE", "TIME DELAY", "LOAD CASE"});
  const std::string load_case = card.option("LOAD CASE");
  if (card.has("LOAD CASE") && load_case != "1" && (load_case != "2" || step.procedure != "STEADY STATE DYNAMICS" || step.periodic))
    fail(card.line, "LOAD CASE=" + load_case, "is 1, or in *STEADY STATE DYNAMICS 2: loads a quarter of a period ahead of the others.");
  const std::string op = upper(card.option("OP"));
  if (card.has("OP") && op != "NEW" && op != "MOD")
    fail(card.line, "OP=" + card.option("OP"), "is MOD (loads carry on, the default) or NEW (earlier ones end).");
  if (op == "NEW")
    step.removes.insert(card.name == "DSLOAD" ? "DLOAD" : card.name);
  if (step.procedure == "FREQUENCY")
    fail(card.line, "*" + card.name, "modes of vibration know no loads. Remove it, or put it into a static step before.");
  if (card.has("AMPLITUDE") && step.procedure == "STEADY STATE DYNAMICS" && !step.periodic)
    fail(card.line, "AMPLITUDE=" + card.option("AMPLITUDE"),
         "would be a function of frequency here; harmonic loads have constant amplitudes. Leave it out.");
  if (amplitude(card) && step.procedure == "STATIC" && step.nonlinear)
    warn(card.line, "AMPLITUDE=" + card.option("AMPLITUDE"),
         "only its value at the end of the step counts; increments before apply a part of it that grows evenly");
  warn_if_empty(card);
  card.name == "CLOAD" ? cload(card, step) : card.name == "DLOAD" ? dload(card, step) : dsload(card, step);
}

void DeckWriter::cload(const Keyword &card, Step &step)
{
  const double factor = static_factor(card, step);
  struct Force
  {
    std::string word;
    std::size_t line;
    std::array<std::optional<double>, 3> given;
    std::vector<std::string> nodes;
  };
  std::vector<Force> forces;
  std::map<std::string, std::size_t> force_on;  // a node or a set: its place among the forces
  for (const Line &line : card.data)
  {
    const std::string name = word(line, 0);
    model.nodes_of(line, name);
    const long component = model.number(line, word(line, 1), "the component, 1 to 3,");
    if (component < 1 || component > dim)
      fail(line.number, word(line, 1), fmt::format("the component of a force is 1 to {}; nodes of solids take no moments.", dim));
    const auto [same, is_new] = force_on.emplace(upper(name), forces.size());
    if (is_new)
      forces.push_back({name, line.number, {}, {}});
    std::optional<double> &value = forces[same->second].given[component - 1];
    value = value.value_or(0.) + factor * real(line, 2, "the force");
  }
  // Of one step, nodes with one force make one load: files of some programs give each a line.
  std::map<std::array<std::optional<double>, 3>, std::size_t> of_nodes;
  for (std::size_t i = 0; i < forces.size(); ++i)
  {
    const Set *set = model.set_of_nodes(forces[i].word);
    const std::size_t first = set || steps.size() > 1 ? i : of_nodes.emplace(forces[i].given, i).first->second;
    forces[first].nodes.push_back(set ? set->name : forces[i].word);
  }
  for (const Force &force : forces)
    if (!force.nodes.empty())
      write_force(card, step, force.line, force.word, force.nodes, force.given);
}

bool DeckWriter::is_whole_body(const Line &line, const std::string &elements) const
{
  std::vector<bool> in(model.mesh.elements.size(), false);
  for (const std::size_t e : model.elements_of(line, elements))
    in[e] = true;
  for (std::size_t e = 0; e < in.size(); ++e)
    if (!in[e] && dimension(model.mesh.elements[e].shape) == dim)
      return false;
  return true;
}

void DeckWriter::dload(const Keyword &card, Step &step)
{
  std::map<double, std::vector<std::string>> of_elements;  // of one step: pressures, and where they act
  std::map<double, const Line *> first;
  std::set<std::string> merged;
  for (const Line &line : card.data)
  {
    const std::string written_label = upper(word(line, 1)), face = Model::pressed_face(written_label),
                      label = face.empty() ? written_label : face;
    if (!face.empty() && face != written_label)
      pressure_of_node(card, line, face, step);
    else if (!face.empty())
    {
      const double p = static_factor(card, step) * real(line, 2, "the pressure");
      const std::string boundary = Model::pressed(word(line, 0), label);
      if (steps.size() > 1 || model.set_of_elements(word(line, 0)) || !merged.insert(boundary).second)
        pressure(card, line, {boundary}, p, step);
      else
      {
        of_elements[p].push_back(boundary);
        first.emplace(p, &line);
      }
    }
    else
      body_load(card, line, label, step);
  }
  for (const auto &[p, boundaries] : of_elements)
    pressure(card, *first[p], boundaries, p, step);
}

Sets DeckWriter::surfaces() const
{
  Sets named;
  for (const Keyword &card : model.all)
    if (card.name == "SURFACE" && model.mesh.faces.count(card.option("NAME")))
      named.emplace(card.option("NAME"), Set{card.option("NAME"), {}, card.line});
  return named;
}

void DeckWriter::dsload(const Keyword &card, Step &step)
{
  for (const Line &line : card.data)
  {
    if (upper(word(line, 1)) != "P")
      fail(line.number, join(line.words), "only pressures can be computed: a line is surface, P, value.");
    const double p = static_factor(card, step) * real(line, 2, "the pressure");
    const auto surface = std::find_if(model.mesh.faces.begin(), model.mesh.faces.end(),
                                      [&](const auto &faces) { return upper(faces.first) == upper(word(line, 0)); });
    if (surface == model.mesh.faces.end())
      fail(line.number, word(line, 0),
           "there is no *SURFACE of element faces with this name" + Model::known(surfaces(), word(line, 0)) + ".");
    pressure(card, line, {surface->first}, p, step);
  }
}

void DeckWriter::pressure(const Keyword &card, const Line &line, const std::vector<std::string> &boundaries, const double p, Step &step)
{
  Region region{"DLOAD faces", boundaries[0], line.number};
  for (const std::string &boundary : boundaries)
    for (const FileFace &face : model.mesh.faces.at(boundary))
    {
      std::vector<std::size_t> nodes(face.nodes.begin(), face.nodes.end());
      std::sort(nodes.begin(), nodes.end());
      std::array<std::size_t, 4> corners{};
      std::copy_n(nodes.begin(), std::min(nodes.size(), corners.size()), corners.begin());
      region.places.insert(corners);
    }
  std::string name;
  if (p != 0.)
  {
    name = fresh("Loads", boundaries.size() > 1 ? fmt::format("{} faces", boundaries.size()) : boundaries[0]);
    const std::string path = "Loads/" + name;
    add(line.number, path, "Type", step.nonlinear ? "pressure" : "dead-pressure");
    add(line.number, path, "Boundary", join(boundaries));
    add(line.number, path, "Pressure", written(p));
    write_amplitude(card, step, path);
  }
  begin_load(card, step, region, name);
}

void DeckWriter::require_density(const Line &line, const std::string &label) const
{
  for (const Weightless &material : weightless)
  {
    std::set<std::size_t> its;
    for (const std::string &group : material.groups)
      if (const Set *set = Model::find_set(model.element_sets, group))
        its.insert(set->members.begin(), set->members.end());
    for (const std::size_t e : model.elements_of(line, word(line, 0)))
      if (its.count(e))
        fail(line.number, label,
             fmt::format("is a force per mass, and the material {} of element {} has no *DENSITY. Add it.", material.material,
                         model.mesh.elements[e].number));
  }
}

/// The unit vector along three components, which begin at this word.
std::array<double, 3> DeckWriter::unit_vector(const Line &line, const std::size_t first) const
{
  std::array<double, 3> n{};
  for (std::size_t d = 0; d < 3; ++d)
    n[d] = real_or(line, first + d, 0., "a component of a direction");
  const double length = std::hypot(n[0], n[1], n[2]);
  if (!std::isfinite(length))
    fail(line.number, join(line.words), "the direction is too long for a number.");
  if (length == 0.)
    fail(line.number, join(line.words), "the direction is zero.");
  for (double &component : n)
    component /= length;
  return n;
}

/// a = omega² (1 - n n^T) (X - X_0) of CENTRIF, omega² = value.
std::vector<std::string> DeckWriter::centrifugal(const Line &line, const double value)
{
  std::vector<std::string> field(dim, "0");
  const std::array<double, 3> n = unit_vector(line, 6);
  std::array<double, 3> on_axis{};
  for (int e = 0; e < 3; ++e)
    on_axis[e] = real_or(line, 3 + e, 0., "a point of the axis");
  if (nonlinear)
    warn(
        line.number, "CENTRIF",
        "acts where the body was before its deformation: modes about the state that it loads have no spin softening, by which squares of frequencies in CalculiX are less by up to (Omega/2 pi)^2");
  const std::string axes = "xyz";
  for (int d = 0; d < dim; ++d)
    for (int e = 0; e < 3; ++e)
      if (const double c = value * ((d == e ? 1. : 0.) - n[d] * n[e]); c != 0.)
        field[d] += e < dim ? fmt::format(" + ({})*({} - ({}))", c, axes[e], on_axis[e]) : "";
  return field;
}

/// Forces per mass [m/s²]: GRAV g n; CENTRIF omega² (r - (r·n) n), r from a point of the axis along n; BX, BY, BZ are per volume.
void DeckWriter::body_load(const Keyword &card, const Line &line, const std::string &label, Step &step)
{
  static const std::vector<std::string> labels = {"GRAV", "CENTRIF", "BX", "BY", "BZ"};
  if (label == "NEWTON")
    fail(line.number, label, "the attraction between elements cannot be computed. Give GRAV, of one direction.");
  if (!std::count(labels.begin(), labels.end(), label))
    fail(line.number, label.empty() ? "(nothing)" : label, "only P1 to P6, P1NP to P6NP, " + join(labels) + " can be computed.");
  if (label[0] != 'B')
    require_density(line, label);
  const double value = static_factor(card, step) * real(line, 2, "the value");
  Region region{"DLOAD " + label, word(line, 0), line.number};
  for (const std::size_t e : model.elements_of(line, region.word))
    region.places.insert({e, 0, 0, 0});
  std::vector<std::string> field(dim, "0");
  if (label == "GRAV")
  {
    const std::array<double, 3> n = unit_vector(line, 3);
    region.sort += " " + written({n.begin(), n.end()});  // another direction is another load
    for (int d = 0; d < dim; ++d)
      field[d] = written(value * n[d]);
  }
  else if (label == "CENTRIF")
    field = centrifugal(line, value);
  else
  {
    if (label[1] - 'X' >= dim)
      fail(line.number, label, "the body is in the plane.");
    if (std::any_of(densities.begin(), densities.end(), [&](const double rho) { return rho != densities[0]; }))
      fail(line.number, label, "a force per volume needs one density of all materials here. Write it as a .prm deck.");
    field[label[1] - 'X'] = written(value / (densities[0] > 0. ? densities[0] : 1.));
  }
  if (value == 0.)
    return begin_load(card, step, region, "");
  const bool constant = label != "CENTRIF" && (!card.has("AMPLITUDE") || !step.follows_amplitudes());
  const std::string name = fresh("Loads", upper(word(line, 0)) + "." + label), path = "Loads/" + name;
  add(line.number, path, "Type", constant && label == "GRAV" ? "gravity" : "body-force");
  add(line.number, path, "Acceleration", join(field));
  if (!is_whole_body(line, word(line, 0)))
    add(line.number, path, "Elements", model.body_loaded(word(line, 0)));
  write_amplitude(card, step, path);
  begin_load(card, step, region, name);
}

/// Loads carry on into later steps, unless OP=NEW, or another load on the same nodes, faces or body takes their place.
void DeckWriter::write_stage_loads()
{
  for (const Step &step : steps)
    if (!step.quadrature.empty())
      add(step.card.line, "Stages/" + step.name, "Loads out of phase", join(step.quadrature));
  if (steps.size() == 1)
    return;
  std::map<std::string, std::string> active;
  for (const Step &step : steps)
  {
    if (step.procedure == "FREQUENCY")
      continue;
    std::map<std::string, std::string> now;
    for (const auto &[on, name] : active)
      if (step.carries_loads() && !step.removes.count(on.substr(0, on.find(' '))))
        now[on] = name;
    for (const auto &[on, name] : step.loads)
      now[on] = name;
    std::vector<std::string> names_of_loads;
    for (const auto &entry : now)
      if (!entry.second.empty())
        names_of_loads.push_back(entry.second);
    require_same_amplitudes(step, now);
    add(step.line, "Stages/" + step.name, "Loads", names_of_loads.empty() ? "none" : join(names_of_loads));
    if (step.carries_loads())
      active = now;
  }
}
}  // namespace symdyn::abaqus
