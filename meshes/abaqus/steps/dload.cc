#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "meshes/abaqus/steps/turning_frame.h"
#include "solver/base/names.h"
#include "solver/registry.h"

// *DLOAD: pressures on faces of elements, and forces on their bodies.
namespace symdyn::abaqus
{
std::string pressed_face(const std::string &word)
{
  const std::string label = upper(word);
  const bool face = label.size() > 1 && label[0] == 'P' && label[1] >= '1' && label[1] <= '6';
  return face && (label.size() == 2 || label.substr(2) == "NP") ? label.substr(0, 2) : "";
}

std::string pressed(const std::string &elements, const std::string &label) { return elements + "." + upper(label); }

void pressure(Job &job, const Keyword &card, const Line &line, const std::vector<std::string> &boundaries, const double p, Step &step)
{
  Region region{"DLOAD faces", boundaries[0], line.number};
  for (const std::string &boundary : boundaries)
    for (const FileFace &face : job.model.mesh.faces.at(boundary))
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
    name = job.out.fresh("Loads", boundaries.size() > 1 ? fmt::format("{} faces", boundaries.size()) : boundaries[0]);
    const std::string path = "Loads/" + name;
    job.out.add(line.number, path, "Type", step.nonlinear ? "pressure" : "dead-pressure");
    job.out.add(line.number, path, "Boundary", join(boundaries));
    job.out.add(line.number, path, "Pressure", written(p));
    write_amplitude(job, card, step, path);
  }
  begin_load(job, card, step, region, name);
}

namespace
{
/// The name of the cells that a *DLOAD of body forces means.
std::string body_loaded(const Model &model, const std::string &elements)
{
  return model.set_of_elements(elements) ? model.set_of_elements(elements)->name : "element " + elements;
}

bool is_whole_body(const Job &job, const Line &line, const std::string &elements)
{
  std::vector<bool> in(job.model.mesh.elements.size(), false);
  for (const std::size_t e : job.model.elements_of(line, elements))
    in[e] = true;
  for (std::size_t e = 0; e < in.size(); ++e)
    if (!in[e] && job.is_cell(e))
      return false;
  return true;
}

/// Errors: InputError for elements without a density.
void require_density(const Job &job, const Line &line, const std::string &label)
{
  for (const Materials::Weightless &material : job.materials.weightless)
  {
    std::set<std::size_t> its;
    for (const std::string &group : material.groups)
      if (const Set *set = find_set(job.model.element_sets, group))
        its.insert(set->members.begin(), set->members.end());
    for (const std::size_t e : job.model.elements_of(line, job.word(line, 0)))
      if (its.count(e))
        job.fail(line.number, label,
                 fmt::format("is a force per mass, and the material {} of element {} has no *DENSITY. Add it.", material.material,
                             job.model.mesh.elements[e].number));
  }
}

/// The unit vector along three components, which begin at this word.
std::array<double, 3> unit_vector(const Job &job, const Line &line, const std::size_t first)
{
  std::array<double, 3> n{};
  for (std::size_t d = 0; d < 3; ++d)
    n[d] = job.real_or(line, first + d, 0., "a component of a direction");
  const double length = std::hypot(n[0], n[1], n[2]);
  if (!std::isfinite(length))
    job.fail(line.number, join(line.words), "the direction is too long for a number.");
  if (length == 0.)
    job.fail(line.number, join(line.words), "the direction is zero.");
  for (double &component : n)
    component /= length;
  return n;
}

/// a = omega² (1 - n n^T) (X - X_0) of CENTRIF, omega² = value.
std::vector<std::string> centrifugal(Job &job, const Line &line, const double value)
{
  std::vector<std::string> field(job.dim, "0");
  const std::array<double, 3> n = unit_vector(job, line, 6);
  std::array<double, 3> on_axis{};
  for (int e = 0; e < 3; ++e)
    on_axis[e] = job.real_or(line, 3 + e, 0., "a point of the axis");
  if (job.nonlinear)
    job.out.warn(
        line.number, "CENTRIF",
        "acts where the body was before its deformation: modes about the state that it loads have no spin softening, by which squares of frequencies in CalculiX are less by up to (Omega/2 pi)^2");
  const std::string axes = "xyz";
  for (int d = 0; d < job.dim; ++d)
    for (int e = 0; e < 3; ++e)
      if (const double c = value * ((d == e ? 1. : 0.) - n[d] * n[e]); c != 0.)
        field[d] += e < job.dim ? fmt::format(" + ({})*({} - ({}))", c, axes[e], on_axis[e]) : "";
  return field;
}

/// The section Rotation, whose load is `rotation`. A line that repeats it changes nothing.
void turn_frame(Job &job, const Keyword &card, const Line &line, const double value, Step &step, Region region)
{
  const std::array<double, 3> n = unit_vector(job, line, 6);
  std::vector<double> point;
  for (int d = 0; d < 3; ++d)
    if (const double x = job.real_or(line, 3 + d, 0., "a point of the axis"); d < job.dim)
      point.push_back(x);
  if (step.card.name == "COMPLEX FREQUENCY")
    return;
  job.out.add(line.number, "Rotation", "Speed", written(std::sqrt(value)));
  job.out.add(line.number, "Rotation", "Axis", written({n.begin(), n.end()}));
  job.out.add(line.number, "Rotation", "Point", written(point));
  begin_load(job, card, step, std::move(region), "rotation");
}

/// Errors: InputError for a set with beams or shells and with other cells.
void check_all_thin(const Job &job, const Line &line)
{
  for (const std::size_t e : job.model.elements_of(line, job.word(line, 0)))
    if (job.is_solid(e))
      job.fail(
          line.number, job.word(line, 0),
          "has cells of solids beside beams or shells, and not all of the structure. Give a line for each: a set of solids, and one of "
          "beams and shells.");
}

/// Forces per mass [m/s²]: GRAV g n; CENTRIF omega² (r - (r·n) n), r from a point of the axis along n; BX, BY, BZ are per volume.
void body_load(Job &job, const Keyword &card, const Line &line, const std::string &label, Step &step)
{
  static const std::vector<std::string> labels = {"GRAV", "CENTRIF", "BX", "BY", "BZ"};
  if (label == "NEWTON")
    job.fail(line.number, label, "the attraction between elements cannot be computed. Give GRAV, of one direction.");
  if (!std::count(labels.begin(), labels.end(), label))
    job.fail(line.number, label.empty() ? "(nothing)" : label, "only P1 to P6, P1NP to P6NP, " + join(labels) + " can be computed.");
  if (label[0] != 'B')
    require_density(job, line, label);
  const double value = static_factor(job, card, step) * job.real(line, 2, "the value");
  if (label == "CENTRIF" && value < 0.)
    job.fail(line.number, job.word(line, 2), "CENTRIF takes omega^2, the square of the angular velocity, which is >= 0.");
  Region region{"DLOAD " + label, job.word(line, 0), line.number};
  for (const std::size_t e : job.model.elements_of(line, region.word))
    region.places.insert({e, 0, 0, 0});
  if (label == "CENTRIF" && line_of_frame(job))
    return turn_frame(job, card, line, value, step, std::move(region));
  std::vector<std::string> field(job.dim, "0");
  if (label == "GRAV")
  {
    const std::array<double, 3> n = unit_vector(job, line, 3);
    region.sort += " " + written({n.begin(), n.end()});  // another direction is another load
    for (int d = 0; d < job.dim; ++d)
      field[d] = written(value * n[d]);
  }
  else if (label == "CENTRIF")
    field = centrifugal(job, line, value);
  else
  {
    if (label[1] - 'X' >= job.dim)
      job.fail(line.number, label, "the body is in the plane.");
    if (std::any_of(job.materials.densities.begin(), job.materials.densities.end(),
                    [&](const double rho) { return rho != job.materials.densities[0]; }))
      job.fail(line.number, label, "a force per volume needs one density of all materials here. Write it as a .prm deck.");
    field[label[1] - 'X'] = written(value / (job.materials.densities[0] > 0. ? job.materials.densities[0] : 1.));
  }
  if (value == 0.)
    return begin_load(job, card, step, region, "");
  const bool constant = label != "CENTRIF" && (!card.has("AMPLITUDE") || !step.follows_amplitudes());
  const std::string name = job.out.fresh("Loads", upper(job.word(line, 0)) + "." + label), path = "Loads/" + name;
  job.out.add(line.number, path, "Type", constant && label == "GRAV" ? "gravity" : "body-force");
  job.out.add(line.number, path, "Acceleration", join(field));
  const bool whole = is_whole_body(job, line, job.word(line, 0));
  const bool thin = job.any_thin(line, job.word(line, 0));
  if (thin && !constant)
    job.fail(line.number, label, "gravity of beams and shells is constant. Leave the AMPLITUDE out.");
  if (thin && !whole)
    check_all_thin(job, line);
  if (thin && !whole)
    job.out.add(line.number, path, "Groups", body_loaded(job.model, job.word(line, 0)));
  else if (!whole)
    job.out.add(line.number, path, "Elements", body_loaded(job.model, job.word(line, 0)));
  write_amplitude(job, card, step, path);
  begin_load(job, card, step, region, name);
}

/// Lines of pressures on shells (label P) by the name of the group of their elements: a set; an element; or, in files of one step, all
/// elements that have one pressure, once each.
std::map<std::string, std::vector<const Line *>> pressed_shells(const Model &model, const Keyword &card)
{
  std::map<std::string, std::vector<const Line *>> groups, of_elements;
  for (const Line &line : card.data)
    if (line.words.size() > 2 && upper(line.words[1]) == "P")
    {
      const Set *set = model.set_of_elements(line.words[0]);
      (set ? groups[set->name] : of_elements[line.words[0]]).push_back(&line);
    }
  const auto is_step = [](const Keyword &keyword) { return keyword.name == "STEP"; };
  const bool one_step = std::count_if(model.all.begin(), model.all.end(), is_step) < 2;
  std::map<std::string, std::string> of_value;
  for (const auto &[element, lines] : of_elements)
  {
    const Line &line = *lines.front();
    std::string name = "element " + element;
    if (one_step && lines.size() == 1)
      name = of_value.emplace(line.words[2], fmt::format("elements of line {}", line.number)).first->second;
    groups[name].insert(groups[name].end(), lines.begin(), lines.end());
  }
  return groups;
}

class Dload : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override { return {{"DLOAD", Where::step, options_of_loads}}; }
  Turn turn() const override { return Turn::loads; }
  void read_mesh(Model &model, const Keyword &card) override;
  void name_cells(Model &model, const Keyword &card) override
  {
    for (const Line &line : card.data)
      if (line.words.size() > 1 && !line.words[1].empty() && upper(line.words[1])[0] != 'P')
        model.mesh.named_cells[body_loaded(model, line.words[0])] = model.elements_of(line, line.words[0]);
    if (!model.thin)
      return;
    for (const auto &[name, elements] : model.mesh.named_cells)
      model.name_group(name, elements);
    for (const auto &[name, lines] : pressed_shells(model, card))
      for (const Line *line : lines)
        model.name_group(name, model.elements_of(*line, line->words[0]));
  }
  void read(Job &job, const Keyword &card, Step *of) override;

private:
  void read_shells(Job &job, const Keyword &card, Step &step) const;
};
SYMDYN_REGISTER(Translator, Dload, "dload");

/// The faces that it names become boundaries.
void Dload::read_mesh(Model &model, const Keyword &card)
{
  for (const Line &line : card.data)
  {
    const std::string label = line.words.size() > 1 ? pressed_face(line.words[1]) : "";
    if (label.empty())
      continue;  // the deck reader knows what else there is
    const std::vector<std::size_t> elements = model.elements_of(line, line.words[0]);
    if (std::any_of(elements.begin(), elements.end(), [&](const std::size_t e) { return is_thin(model.types[e]); }))
      continue;
    const std::string name = pressed(line.words[0], label);
    Line face = line;
    face.words = {line.words[0], "S" + label.substr(1)};
    if (model.named_by_loads.insert(name).second)
      for (const std::size_t e : elements)
        model.add_face(name, face, model.mesh.elements[e]);
  }
}

/// Pressures p along the normals of shells. With NLGEOM they turn with the shell.
void Dload::read_shells(Job &job, const Keyword &card, Step &step) const
{
  for (const auto &[group, lines] : pressed_shells(job.model, card))
  {
    const Line &line = *lines.front();
    double p = 0;  // those on the same elements add up
    Region region{"DLOAD shells", group, line.number};
    for (const Line *one : lines)
    {
      const double value = static_factor(job, card, step) * job.real(*one, 2, "the pressure");
      job.word(*one, 1);
      if (upper(job.word(*one, 0)) == upper(line.words[0]))
        p += value;
      for (const std::size_t e : job.model.elements_of(*one, one->words[0]))
      {
        if (dimension(job.model.mesh.elements[e].shape) != 2)
          job.fail(
              one->number, join(one->words),
              fmt::format("P is a pressure on shells, and element {} ({}) is none. Solids have P1 to P6; load nodes of beams by *CLOAD.",
                          job.model.mesh.elements[e].number, job.model.types[e]));
        region.places.insert({e, 0, 0, 0});
      }
    }
    std::string name;
    if (p != 0.)
    {
      name = job.out.fresh("Loads", "pressure on " + group);
      const std::string path = "Loads/" + name;
      job.out.add(line.number, path, "Type", step.nonlinear ? "pressure" : "dead-pressure");
      job.out.add(line.number, path, "Groups", group);
      job.out.add(line.number, path, "Pressure", written(p));
      write_amplitude(job, card, step, path);
    }
    begin_load(job, card, step, region, name);
  }
}

void Dload::read(Job &job, const Keyword &card, Step *of)
{
  Step &step = *of;
  begin_card(job, card, step, "DLOAD");
  if (job.thin)
    read_shells(job, card, step);
  std::map<double, std::vector<std::string>> of_elements;  // of one step: pressures, and where they act
  std::map<double, const Line *> first;
  std::set<std::string> merged;
  for (const Line &line : card.data)
  {
    const std::string written_label = upper(job.word(line, 1)), face = pressed_face(written_label),
                      label = face.empty() ? written_label : face;
    if (job.thin && label == "P")
      continue;
    if (label != "GRAV" && job.thin && job.any_thin(line, job.word(line, 0)))
      job.fail(
          line.number, label.empty() ? "(nothing)" : label,
          "beams and shells take P (a pressure on shells) and GRAV. Give pressures on shells as P, and forces on beams at their nodes by *CLOAD.");
    if (!face.empty() && face != written_label)
      pressure_of_node(job, card, line, face, step);
    else if (!face.empty())
    {
      const double p = static_factor(job, card, step) * job.real(line, 2, "the pressure");
      const std::string boundary = pressed(job.word(line, 0), label);
      if (job.steps.size() > 1 || job.model.set_of_elements(job.word(line, 0)) || !merged.insert(boundary).second)
        pressure(job, card, line, {boundary}, p, step);
      else
      {
        of_elements[p].push_back(boundary);
        first.emplace(p, &line);
      }
    }
    else
      body_load(job, card, line, label, step);
  }
  for (const auto &[p, boundaries] : of_elements)
    pressure(job, card, *first[p], boundaries, p, step);
}
}  // namespace
}  // namespace symdyn::abaqus
