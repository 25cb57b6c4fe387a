#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "meshes/abaqus/job.h"
#include "solver/base/names.h"
#include "solver/registry.h"

// *MATERIAL and *SOLID SECTION. What belongs to a material is read by the translators of its keywords, for each section that has it.
namespace symdyn::abaqus
{
void require_material(const Job &job, const std::size_t line, const std::string &wanted)
{
  std::vector<std::string> known;
  for (const Keyword &other : job.model.all)
    if (other.name == "MATERIAL")
      known.push_back(other.option("NAME"));
  if (std::none_of(known.begin(), known.end(), [&](const std::string &name) { return upper(name) == upper(wanted); }))
    job.fail(line, "MATERIAL=" + wanted,
             known.empty() ? "the file has no *MATERIAL. Add it."
                           : "there is no *MATERIAL of this name; there are: " + join(nearest_first(wanted, known)) + ".");
}

namespace
{
/// *MATERIAL with what belongs to it.
using Cards = std::vector<Keyword>;

void refuse_numbers_of_solid(const Job &job, const Keyword &section)
{
  for (const Line &line : section.data)
    for (std::size_t i = 0; i < line.words.size(); ++i)
      if (!job.word(line, i).empty() && job.real(line, i, "1, or nothing,") != 1.)
        job.fail(
            line.number, job.word(line, i),
            "a *SOLID SECTION of cells in space has no thickness and no area. Leave the number out (1, which Abaqus takes for none, may stand).");
}

void read_section(Job &job, const Keyword &card)
{
  require_options(job.model.scanner, card, {"ELSET", "MATERIAL", "CONTROLS", "OFFSET", "ORIENTATION"});
  const std::string set = job.model.required(card, "ELSET");
  const Set *found = find_set(job.model.element_sets, set);
  const std::vector<std::size_t> elements = job.model.elements_named(card);
  if (std::none_of(elements.begin(), elements.end(), [&](const std::size_t e) { return job.is_cell(e); }))
    return;  // bars
  if (std::any_of(elements.begin(), elements.end(), [&](const std::size_t e) { return is_thin(job.model.types[e]); }))
    job.fail(card.line, "*SOLID SECTION", "its set has beams or shells, which have a *BEAM SECTION or a *SHELL SECTION.");
  Section wanted{upper(job.model.required(card, "MATERIAL")), upper(card.option("ORIENTATION")), 1., {}};
  if (job.dim == 3)
    refuse_numbers_of_solid(job, card);
  if (job.dim == 2 && !card.data.empty())
    wanted.thickness = job.real_or(card.data[0], 0, 1., "the thickness");
  require_material(job, card.line, job.model.required(card, "MATERIAL"));
  if (wanted.thickness <= 0.)
    job.fail(card.data[0].number, job.word(card.data[0], 0), "the thickness must be > 0. Give it in the unit of length of the file.");
  if (!wanted.orientation.empty())
    orientation_of(job, card.line, card.option("ORIENTATION"));
  auto same = std::find_if(job.materials.sections.begin(), job.materials.sections.end(), [&](const Section &s) {
    return s.material == wanted.material && s.orientation == wanted.orientation && s.thickness == wanted.thickness;
  });
  if (same == job.materials.sections.end())
    same = job.materials.sections.insert(job.materials.sections.end(), wanted);
  same->groups.push_back(found ? found->name : set);
}

void refuse_beside_creep(const Job &job, const Keyword &plastic)
{
  const std::string kind = compact(plastic.option("HARDENING"));
  if (!kind.empty() && kind != "ISOTROPIC")
    job.fail(plastic.line, "*PLASTIC, HARDENING=" + kind, "beside *CREEP hardening is isotropic. Leave the option out.");
}

/// CalculiX needs a *PLASTIC beside *CREEP; one that yields at no stress says that the material creeps alone.
Cards without_yield_at_zero(const Job &job, Cards cards)
{
  const auto at_zero = [&job](const Keyword &card) {
    double largest = card.data.empty() ? 1. : 0.;
    for (const Line &line : card.data)
    {
      largest = std::max(largest, job.real(line, 0, "the yield stress"));
      job.real_or(line, 1, 0., "the plastic strain");
      job.real_or(line, 2, 0., "the temperature");
    }
    return largest == 0.;
  };
  if (std::any_of(cards.begin(), cards.end(), [](const Keyword &card) { return card.name == "CREEP"; }))
    cards.erase(std::remove_if(cards.begin(), cards.end(),
                               [&](const Keyword &card) { return card.name == "PLASTIC" && !card.has("DATA TYPE") && at_zero(card); }),
                cards.end());
  return cards;
}

/// `creep` may have a yield stress, too.
void find_flow(Job &job, const Cards &cards, Material &material)
{
  std::map<std::string, const Keyword *> found;
  for (const Keyword &card : cards)
  {
    if (card.name != "PLASTIC" && card.name != "CREEP")
      continue;
    if (!found.emplace(card.name, &card).second)
      job.fail(card.line, "*" + card.name, "a second one at one point cannot be computed. Keep one.");
    material.combined = material.combined || compact(card.option("HARDENING")) == "COMBINED";
  }
  if (!found.empty())
    material.flow = found.count("CREEP") ? "creep" : "plastic";
  if (found.size() == 2)
  {
    refuse_beside_creep(job, *found.at("PLASTIC"));
    job.out.warn(
        found.at("CREEP")->line, "*CREEP",
        "stands beside *PLASTIC: the material creeps at any stress, also below the yield stress. CalculiX 2.20 creeps above it alone");
  }
  material.cyclic = std::any_of(cards.begin(), cards.end(), [](const Keyword &card) { return card.name == "CYCLIC HARDENING"; });
  if (material.combined && !material.cyclic && !found.at("PLASTIC")->has("DATA TYPE"))
    job.fail(cards.front().line, "*PLASTIC, HARDENING=COMBINED", "needs *CYCLIC HARDENING, its isotropic part.");
  if (found.empty())
    return;
  std::set<double> temperatures;
  for (const Keyword &card : cards)
    if (is_over_temperature(card) && card.name != "EXPANSION")
      for (const Line &row : card.data)
        temperatures.insert(job.real_or(row, temperature_column(card), 0., "the temperature"));
  material.temperatures.assign(temperatures.begin(), temperatures.end());
}

void read_one(Job &job, const Cards &given, const Section &section)
{
  const Cards cards = without_yield_at_zero(job, given);
  const Keyword &head = cards.front();
  Material material{section, "Materials/" + job.out.fresh("Materials", head.option("NAME"))};
  find_flow(job, cards, material);
  find_relaxation(job, cards, material);
  job.materials.creep = job.materials.creep || material.flow == "creep" || material.relaxes;
  for (const Keyword &card : cards)
    for (const Translators::Reader *reader : job.translators.readers(card.name, Where::material))
      reader->translator->read_material(job, card, material);
  if (job.heats() && std::any_of(cards.begin(), cards.end(), is_over_temperature))
    job.out.add(head.line, material.path, "Extrapolate", "constant");
  if (material.laws != 1)
    job.fail(head.line, "*MATERIAL, NAME=" + head.option("NAME"),
             "needs one *ELASTIC or *HYPERELASTIC (or *ANISOTROPIC HYPERELASTIC, *HYPERFOAM, *DEFORMATION PLASTICITY, *USER MATERIAL).");
  if (material.density == 0.)
  {
    if (!job.rests())
      job.fail(head.line, "*MATERIAL, NAME=" + head.option("NAME"), "has no *DENSITY, which motion needs. Add it.");
    job.out.add(head.line, material.path, "Density", "1");
    job.materials.weightless.push_back({head.option("NAME"), section.groups});  // statics without body forces do not depend on it
  }
  job.materials.densities.push_back(material.density);
  if (section.thin)
  {
    job.materials.thin.at(section.material).name = material.path.substr(material.path.find('/') + 1);
    return;  // shells and beams name it
  }
  if (section.thickness != 1.)
    job.out.add(head.line, material.path, "Thickness", written(section.thickness));
  job.out.add(head.line, material.path, "Groups", join(section.groups));
}

class MaterialsOfSections : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override
  {
    return {{"MATERIAL", Where::model, Options{"NAME"}, 0}, {"SOLID SECTION", Where::model, {}, 1}};
  }
  Turn turn() const override { return Turn::materials; }
  void read_mesh(Model &model, const Keyword &card) override
  {
    if (card.name == "SOLID SECTION")
      model.sections.push_back({model.required(card, "ELSET"), {}, card.line});
  }
  void begin(Job &job) override;
  void write(Job &job) override;

private:
  void require_names(const Job &job) const;
  std::vector<Cards> materials;
};
SYMDYN_REGISTER(Translator, MaterialsOfSections, "materials");

void MaterialsOfSections::begin(Job &job)
{
  for (const Keyword &card : job.before)
    if (card.name == "MATERIAL")
      materials.push_back({card});
    else if (!job.translators.readers(card.name, Where::material).empty())
    {
      if (materials.empty())
        job.fail(card.line, "*" + card.name, "stands before any *MATERIAL, which it belongs to.");
      for (const Translators::Reader *reader : job.translators.readers(card.name, Where::material))
        if (reader->rule.options)
          require_options(job.model.scanner, card, *reader->rule.options);
      materials.back().push_back(card);
    }
    else if (card.name == "SOLID SECTION")
      read_section(job, card);
}

void MaterialsOfSections::require_names(const Job &job) const
{
  std::map<std::string, std::size_t> first_line;
  for (const Cards &cards : materials)
  {
    const Keyword &head = cards.front();
    if (const auto [same, is_new] = first_line.emplace(upper(job.model.required(head, "NAME")), head.line); !is_new)
      job.fail(head.line, "*MATERIAL, NAME=" + head.option("NAME"),
               fmt::format("there is one of this name already, {}. Rename one, and the *SOLID SECTIONs that mean it.",
                           job.model.scanner.place(same->second)));
  }
}

void MaterialsOfSections::write(Job &job)
{
  require_names(job);
  if (job.bodiless)
    return;  // bars read them
  for (const auto &[name, of_thin] : job.materials.thin)
    job.materials.sections.push_back({name, "", 1., of_thin.groups, true});
  if (job.materials.sections.empty())
    job.fail(job.steps.front().line, "*STEP",
             std::string("no element has a material. Add ") + (job.solid ? "*SOLID SECTION" : "*SHELL SECTION or *BEAM SECTION") +
                 ", ELSET=..., MATERIAL=...");
  for (const Cards &cards : materials)
  {
    const std::string name = upper(job.model.required(cards.front(), "NAME"));
    for (const Section &section : job.materials.sections)
      if (section.material == name)
        read_one(job, cards, section);
  }
  for (const Cards &cards : materials)
    if (job.damping.line > 0 && std::none_of(cards.begin(), cards.end(), [](const Keyword &card) { return card.name == "DAMPING"; }))
      job.out.warn(
          cards.front().line, "*MATERIAL, NAME=" + cards.front().option("NAME"),
          fmt::format("is damped as the one of {}: all materials have one damping here", job.model.scanner.place(job.damping.line)));
}
}  // namespace
}  // namespace symdyn::abaqus
