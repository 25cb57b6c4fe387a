#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "meshes/abaqus/job.h"
#include "meshes/abaqus/layers.h"
#include "meshes/abaqus/profile.h"
#include "meshes/abaqus/releases.h"
#include "solver/base/names.h"
#include "solver/registry.h"

// *SHELL SECTION, *BEAM SECTION, *BEAM GENERAL SECTION, and *TRANSVERSE SHEAR STIFFNESS behind them.
namespace symdyn::abaqus
{
namespace
{
/// Errors: InputError for elements of the set that are no beams, or no shells.
std::vector<std::size_t> elements_of_section(const Job &job, const Keyword &card, const Shape line_or_cell)
{
  const std::vector<std::size_t> elements = job.model.elements_named(card);
  for (const std::size_t e : elements)
    if (!is_thin(job.model.types[e]) || (job.model.mesh.elements[e].shape == Shape::line) != (line_or_cell == Shape::line))
      job.fail(card.line, "*" + card.name,
               fmt::format("element {} of its set is of type {}. Make a set of {} alone.", job.model.mesh.elements[e].number,
                           job.model.types[e], line_or_cell == Shape::line ? "beams" : "shells"));
  return elements;
}

/// Materials that a section names. Errors: InputError for one that the file does not have.
std::vector<std::string> materials_of(const Job &job, const Keyword &card)
{
  if (!card.has("COMPOSITE"))
  {
    require_material(job, card.line, job.model.required(card, "MATERIAL"));
    return {card.option("MATERIAL")};
  }
  if (card.has("MATERIAL"))
    job.fail(card.line, "MATERIAL=" + card.option("MATERIAL"), "the layers of a COMPOSITE name their materials. Leave MATERIAL out.");
  if (card.data.empty())
    job.fail(card.line, "*SHELL SECTION, COMPOSITE", "needs a line for each layer: thickness, (nothing), material, orientation or angle.");
  std::vector<std::string> materials;
  for (const Line &line : card.data)
    if (const std::string name = job.word(line, 2); std::find(materials.begin(), materials.end(), name) == materials.end())
    {
      require_material(job, line.number, name);
      materials.push_back(name);
    }
  return materials;
}

const std::string &name_of_material(const Job &job, const std::string &material) { return job.materials.thin.at(upper(material)).name; }

/// In thicknesses, of the surface of the nodes from the middle surface.
double offset_of(const Job &job, const Keyword &card)
{
  const std::string word = upper(card.option("OFFSET"));
  if (word == "SPOS" || word == "SNEG")
    return word == "SPOS" ? 0.5 : -0.5;
  return card.has("OFFSET") ? job.model.real({card.line, {}}, card.option("OFFSET"), "OFFSET") : 0.;
}

double positive_thickness(const Job &job, const Line &line)
{
  const double thickness = job.real(line, 0, "the thickness");
  if (thickness <= 0.)
    job.fail(line.number, job.word(line, 0), "the thickness must be > 0. Give it in the unit of length of the file.");
  return thickness;
}

const std::string shear_stiffness = "TRANSVERSE SHEAR STIFFNESS";

class ThinSections : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override
  {
    return {{"SHELL SECTION", Where::model, Options{"ELSET", "MATERIAL", "OFFSET", "ORIENTATION", "COMPOSITE", "NODAL THICKNESS"}},
            {"BEAM SECTION", Where::model, Options{"ELSET", "MATERIAL", "SECTION", "OFFSET1", "OFFSET2"}, 2},
            {"BEAM GENERAL SECTION", Where::model, Options{"ELSET", "MATERIAL", "SECTION", "OFFSET1", "OFFSET2"}, 2},
            {shear_stiffness, Where::model, Options{}, 1}};
  }
  Turn turn() const override { return Turn::materials; }
  void read_mesh(Model &model, const Keyword &card) override
  {
    if (is_section(card))
      model.sections.push_back({model.required(card, "ELSET"), {}, card.line});
  }
  void begin(Job &job) override;
  void write(Job &job) override;

private:
  void write_shell(Job &job, const Keyword &card);
  void write_beam(Job &job, const Keyword &card);
  void write_common(Job &job, const Keyword &card, const std::string &path) const;
  void write_shear(Job &job, const Keyword &card, const std::string &path, bool is_shell) const;
  static bool is_section(const Keyword &card)
  {
    return card.name == "SHELL SECTION" || card.name == "BEAM SECTION" || card.name == "BEAM GENERAL SECTION";
  }
};
SYMDYN_REGISTER(Translator, ThinSections, "thin sections");

void ThinSections::begin(Job &job)
{
  for (std::size_t i = 0; i < job.before.size(); ++i)
    if (const Keyword &card = job.before[i]; card.name == shear_stiffness && (i == 0 || !is_section(job.before[i - 1])))
      job.fail(card.line, "*" + card.name, "belongs to a section. Put it behind a *SHELL SECTION, *BEAM SECTION or *BEAM GENERAL SECTION.");
    else if (is_section(card))
    {
      give_properties(job, card);
      for (const std::string &material : materials_of(job, card))
        job.materials.thin[upper(material)].groups.push_back(card.option("ELSET"));
    }
  for (std::size_t e = 0; e < job.model.types.size() && job.thin; ++e)
    if (const FileElement &element = job.model.mesh.elements[e]; is_thin(job.model.types[e]) && !job.with_properties.count(e))
      job.fail(element.line, fmt::format("element {} (TYPE={})", element.number, job.model.types[e]),
               fmt::format("has no section. Add *{} SECTION with an ELSET that has it.", element.shape == Shape::line ? "BEAM" : "SHELL"));
}

void ThinSections::write(Job &job)
{
  for (const Keyword &card : job.before)
    if (is_section(card))
      card.name == "SHELL SECTION" ? write_shell(job, card) : write_beam(job, card);
}

void ThinSections::write_common(Job &job, const Keyword &card, const std::string &path) const
{
  const Set *set = find_set(job.model.element_sets, card.option("ELSET"));
  job.out.add(card.line, path, "Groups", set ? set->name : card.option("ELSET"));
  if (!card.has("COMPOSITE"))
    job.out.add(card.line, path, "Material", name_of_material(job, card.option("MATERIAL")));
  if (!job.nonlinear)
    job.out.add(card.line, path, "Geometry", "linear");
  if (job.damping.stiffness != 0. &&
      std::any_of(job.steps.begin(), job.steps.end(), [](const Step &s) { return s.procedure == "DYNAMIC"; }))
    job.out.add(job.damping.line, path, "Stiffness damping", written(job.damping.stiffness));
}

/// Of the card behind that of the section: K11, K22, K12 of shells; of beams K23, K13, along axes 2 and 1, and a slenderness compensation,
/// which keeps elements from locking that lock. One that is 0 or left out is as the other.
void ThinSections::write_shear(Job &job, const Keyword &card, const std::string &path, const bool is_shell) const
{
  const auto next = std::find_if(job.before.begin(), job.before.end(), [&card](const Keyword &one) { return one.line > card.line; });
  if (next == job.before.end() || next->name != shear_stiffness)
    return;
  const Line &line = job.only_line(*next, "transverse shear stiffnesses");
  std::array<double, 3> K{};
  for (std::size_t i = 0; i < (is_shell ? 3 : 2); ++i)
    K[i] = job.real_or(line, i, 0., "a transverse shear stiffness");
  for (const int i : {0, 1})
    if (K[i] == 0.)
      K[i] = K[1 - i];
  if (!(K[0] > 0. && K[1] > 0.))
    job.fail(line.number, join(line.words), "a transverse shear stiffness is > 0.");
  if (const std::string slenderness = job.word(line, 2); !is_shell && !slenderness.empty())
    job.out.warn(line.number, slenderness, "the slenderness compensation has no effect: these beams do not lock in shear");
  job.out.add(line.number, path, "Shear stiffness", is_shell ? written({K[0], K[1], K[2]}) : written({K[1], K[0]}));
}

void ThinSections::write_shell(Job &job, const Keyword &card)
{
  const std::vector<std::size_t> elements = elements_of_section(job, card, Shape::quadrilateral);
  const std::string path = "Shells/" + job.out.fresh("Shells", card.option("ELSET"));
  write_common(job, card, path);
  if (const double offset = offset_of(job, card); offset != 0.)
    job.out.add(card.line, path, "Offset", written(-offset));  // of the middle surface from the nodes
  write_shear(job, card, path, true);
  if (card.has("NODAL THICKNESS"))
    job.out.add(card.line, path, "Nodal thickness", "yes");
  if (card.has("COMPOSITE"))
    return write_layers(job, card, elements, path);
  const bool at_nodes = card.has("NODAL THICKNESS");
  if (!at_nodes || !card.data.empty())
  {
    const Line &line = job.only_line(card, "the thickness");
    job.real_or(line, 1, 0., "the number of points of integration");  // the thickness is integrated exactly
    if (const double thickness = at_nodes ? job.real_or(line, 0, 0., "the thickness") : positive_thickness(job, line); !at_nodes)
      job.out.add(line.number, path, "Thickness", written(thickness));
  }
  if (card.has("ORIENTATION"))
  {
    const std::vector<double> axes = points_of_axes(job, orientation_of(job, card.line, card.option("ORIENTATION")));
    job.out.add(card.line, path, "Direction", written({axes.begin(), axes.begin() + 3}));
  }
}

void ThinSections::write_beam(Job &job, const Keyword &card)
{
  const std::vector<std::size_t> elements = elements_of_section(job, card, Shape::line);
  if (card.data.empty())
    job.fail(card.line, "*BEAM SECTION", "needs a line with the sizes of the section, and one with the direction of axis 1.");
  const Profile profile = profile_of(job, card, card.data[0]);
  std::vector<double> direction{0., 0., -1.};
  for (std::size_t d = 0; d < direction.size() && card.data.size() > 1; ++d)
    direction[d] = job.real_or(card.data[1], d, 0., "a component of axis 1");
  if (profile.section == "general")
    job.shapeless.insert(elements.begin(), elements.end());
  const std::string path = "Beams/" + job.out.fresh("Beams", card.option("ELSET"));
  write_common(job, card, path);
  const std::string type = elements.empty() ? "B31" : job.model.types[elements.front()].substr(0, 3);
  for (const std::size_t e : elements)
    if (job.model.types[e].substr(0, 3) != type)
      job.fail(card.line, "*BEAM SECTION", "its set has elements B31 and B32. Make a set of each.");
  job.out.add(card.line, path, "Type", type);
  job.out.add(card.data.back().number, path, "Direction", written(direction));
  job.out.add(card.data[0].number, path, "Section", profile.section);
  job.out.add(card.data[0].number, path, "Size", written(profile.size));
  write_shear(job, card, path, false);
  std::vector<double> offset{0., profile.shift};
  for (const int axis : {0, 1})
    if (const std::string option = fmt::format("OFFSET{}", axis + 1); card.has(option))
      offset[axis] -= profile.extent[axis] * job.model.real({card.line, {}}, card.option(option), option.c_str());
  if (profile.section == "general" && profile.extent[0] == 0. && (card.has("OFFSET1") || card.has("OFFSET2")))
    job.fail(card.line, "OFFSET1, OFFSET2",
             "are in sizes of the section, and SECTION=GENERAL has none. Give another section, or a .prm deck.");
  if (offset[0] != 0. || offset[1] != 0.)
    job.out.add(card.line, path, "Offset", written(offset));
  if (const std::vector<std::string> released = releases_of(job, elements); !released.empty())
    job.out.add(card.line, path, "Releases", join(released));
}
}  // namespace
}  // namespace symdyn::abaqus
