#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "meshes/abaqus/job.h"
#include "solver/base/names.h"
#include "solver/registry.h"

// *MASS, and *SOLID SECTION of bars.
namespace symdyn::abaqus
{
namespace
{
class Mass : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override { return {{"MASS"}}; }
  Turn turn() const override { return Turn::elements; }
  void read(Job &job, const Keyword &card, Step *) override;
};
SYMDYN_REGISTER(Translator, Mass, "mass");

void Mass::read(Job &job, const Keyword &card, Step *)
{
  give_properties(job, card);
  require_options(job.model.scanner, card, {"ELSET"});
  const double mass = job.real(job.only_line(card, "the mass"), 0, "the mass");
  if (mass <= 0.)
    job.fail(card.data[0].number, job.word(card.data[0], 0), "a mass is > 0.");
  for (const std::size_t e : elements_of_types(job, card, {"MASS"}))
  {
    point(job, job.model.mesh.elements[e].nodes[0], card.line);
    job.points.used.at(job.model.mesh.elements[e].nodes[0]).mass += mass;
  }
}

struct BarMaterial
{
  double E = 0, density = 0;
  std::vector<std::pair<double, double>> over_temperature = {};  ///< T and E of each, where there are several
  const Keyword *expansion = nullptr;
};
/// The material of a section of bars.
BarMaterial bar_material(const Job &job, const Keyword &section)
{
  const std::string name = upper(job.model.required(section, "MATERIAL"));
  BarMaterial found;
  bool inside = false;
  for (const Keyword &card : job.before)
  {
    if (card.name == "MATERIAL")
      inside = upper(card.option("NAME")) == name;
    if (!inside)
      continue;
    if (card.name == "ELASTIC" && (!card.has("TYPE") || upper(card.option("TYPE")).substr(0, 3) == "ISO"))
    {
      if (card.data.size() < 2)
        job.pass_temperature(job.only_line(card, "E and nu"), 2);
      found.over_temperature.clear();
      for (const Line &constants : card.data)
      {
        found.E = job.real(constants, 0, "Young's modulus");
        job.real_or(constants, 1, 0., "Poisson's ratio");  // which bars do not feel
        if (card.data.size() > 1)
          found.over_temperature.emplace_back(job.real(constants, 2, "the temperature"), found.E);
      }
    }
    if (card.name == "EXPANSION" && job.heats())
      found.expansion = &card;
    if (card.name == "DENSITY")
      found.density = job.real(job.only_line(card, "the density"), 0, "the density");
  }
  for (std::size_t row = 1; row < found.over_temperature.size(); ++row)
    if (!(found.over_temperature[row].first > found.over_temperature[row - 1].first))
      job.fail(section.line, "MATERIAL=" + section.option("MATERIAL"), "temperatures of *ELASTIC ascend from line to line.");
  if (!(found.E > 0.))
    job.fail(section.line, "MATERIAL=" + section.option("MATERIAL"), "bars need an isotropic *ELASTIC material with E > 0.");
  return found;
}

class Bars : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override { return {{"SOLID SECTION", Where::model, {}, 1}}; }
  Turn turn() const override { return Turn::elements; }
  void read(Job &job, const Keyword &card, Step *) override;
};
SYMDYN_REGISTER(Translator, Bars, "bars");

/// E times `factor`, over the temperature where *ELASTIC is.
void write_stiffness(Job &job, const BarMaterial &material, const std::pair<std::size_t, std::string> &place, const double factor)
{
  const auto &[line, path] = place;
  const std::string entry = job.nonlinear ? "EA" : "Stiffness";
  if (material.over_temperature.empty())
    return job.out.add(line, path, entry, written(material.E * factor));
  std::vector<std::string> rows;
  for (const auto &[T, E] : material.over_temperature)
    rows.push_back(written(T) + " " + written(E * factor));
  job.out.add(line, path, entry + " table", join(rows));
}

/// Bars of E A: with NLGEOM of the Green-Lagrange strain, as the solids are into which CalculiX expands them, else of small displacements.
/// Half of the mass stands on each end.
void Bars::read(Job &job, const Keyword &card, Step *)
{
  give_properties(job, card);
  const std::vector<std::size_t> bars = elements_of_types(job, card, {"T3D2", "T2D2"});
  if (bars.empty())
    return;
  const Line &line = job.only_line(card, "the area");
  const double area = job.real(line, 0, "the area of the cross section");
  if (area <= 0.)
    job.fail(line.number, job.word(line, 0), "an area is > 0.");
  const BarMaterial material = bar_material(job, card);
  for (const std::size_t e : bars)
  {
    const FileElement &element = job.model.mesh.elements[e];
    const double L = job.model.mesh.nodes[element.nodes[0]].distance(job.model.mesh.nodes[element.nodes[1]]);
    if (L == 0.)
      job.fail(element.line, fmt::format("element {}", element.number), "has length zero.");
    const std::string kind = job.nonlinear ? "Bars" : "Springs",
                      name = job.out.fresh(kind, fmt::format("{} {}", card.option("ELSET"), element.number)), path = kind + "/" + name;
    job.bars[e] = {name, area};
    join_ends(job, e, path);
    if (!job.nonlinear)
      job.out.add(card.line, path, "Law", "small-displacement");
    write_stiffness(job, material, {line.number, path}, job.nonlinear ? area : area / L);
    if (material.expansion)
      write_expansion(job, *material.expansion, path);
    if (!material.over_temperature.empty() || (material.expansion && material.expansion->data.size() > 1))
      job.out.add(line.number, path, "Extrapolate", "constant");
    for (const int end : {0, 1})
      job.points.used.at(element.nodes[end]).mass += 0.5 * material.density * area * L;
  }
  if (material.density > 0. && !job.rests())
    job.out.warn(card.line, "*SOLID SECTION", "the mass of bars is lumped at their ends");
}
}  // namespace
}  // namespace symdyn::abaqus
