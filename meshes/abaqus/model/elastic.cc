#include <fmt/format.h>

#include <algorithm>

#include "meshes/abaqus/job.h"
#include "solver/base/names.h"
#include "solver/registry.h"

// *ELASTIC and *DENSITY.
namespace symdyn::abaqus
{
namespace
{
/// The moduli stand in the order that the laws have them in, eight to a line, a temperature behind them.
void anisotropic(Job &job, const Keyword &card, Material &material, const std::string &type)
{
  const Section &section = material.section;
  const std::string &path = material.path;
  static const std::map<std::string, std::size_t> counts = {
      {"ORTHO", 9}, {"ORTHOTROPIC", 9}, {"ENGINEERINGCONSTANTS", 9}, {"ANISO", 21}, {"ANISOTROPIC", 21}};
  const auto count = counts.find(type);
  if (count == counts.end())
    job.fail(card.line, "*ELASTIC, TYPE=" + card.option("TYPE"), "the types are ISO, ORTHO, ANISO and ENGINEERING CONSTANTS.");
  if (job.plane_stress)
    job.fail(card.line, "*ELASTIC, TYPE=" + card.option("TYPE"), "in plane stress cannot be computed. Use plane strain or a solid.");
  std::vector<double> values;
  for (const Line &line : card.data)
    for (std::size_t i = 0; i < line.words.size() && (i + 1 < line.words.size() || !line.words[i].empty()); ++i)
      values.push_back(job.real(line, i, "a modulus"));
  if (values.size() == count->second + 1)
    values.pop_back();  // the temperature, which is one
  if (values.size() != count->second)
    job.fail(card.line, "*ELASTIC, TYPE=" + card.option("TYPE"),
             fmt::format("has {} numbers; there must be {}, at one temperature.", values.size(), count->second));
  const std::size_t line = card.data.front().number;
  job.out.add(card.line, path, "Type",
              job.nonlinear && !section.thin ? "st-venant-kirchhoff-anisotropic" : "linear-elasticity-anisotropic");
  if (type == "ENGINEERINGCONSTANTS")
    for (const auto &[entry, first] : {std::pair{"E", 0}, {"nu", 3}, {"G", 6}})
      job.out.add(line, path, entry, written({values.begin() + first, values.begin() + first + 3}));
  else
    job.out.add(line, path, "Stiffness", written(values));
  if (section.orientation.empty())
    return;
  material.turned = true;
  for (const Keyword &orientation : job.before)
    if (orientation.name == "ORIENTATION" && upper(orientation.option("NAME")) == section.orientation)
      job.out.add(orientation.data.front().number, path, "Axes", written(points_of_axes(job, orientation)));
}
class Elastic : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override { return {{"ELASTIC", Where::material, Options{"TYPE", "MODULI"}}}; }
  void read_material(Job &job, const Keyword &card, Material &material) override;
};
SYMDYN_REGISTER(Translator, Elastic, "elastic");

/// Constants at the temperatures of the rows behind the first.
void add_temperatures(Job &job, const Keyword &card, const std::string &path, const bool refuses)
{
  const Line &first = card.data.front();
  if (card.data.size() == 1)
  {
    job.pass_temperature(first, 2);
    return;
  }
  if (refuses)
    job.fail(
        card.data[1].number, join(card.data[1].words),
        "moduli over the temperature are possible of elastic solids, beams and shells, and of *PLASTIC or *CREEP alone, without *VISCOELASTIC. "
        "Give E and nu at one temperature.");
  for (const Line &row : card.data)
  {
    const double T = job.real(row, 2, "the temperature");
    if (&row == &first)
    {
      job.out.add(row.number, path, "Temperature", written(T));
      continue;
    }
    const std::string there = path + "/At temperatures/" + written(T);
    job.out.add(row.number, there, "E", written(job.real(row, 0, "Young's modulus")));
    job.out.add(row.number, there, "nu", written(job.real(row, 1, "Poisson's ratio")));
    if (job.plane_stress)
      job.out.add(row.number, there, "Plane", "stress");
  }
}

/// Of a law that flows: constants at all temperatures of its tables.
void write_at_temperatures(Job &job, const Keyword &card, const Material &material)
{
  std::vector<std::pair<double, double>> E, nu;
  for (const Line &row : card.data)
  {
    if (card.data.size() == 1)
      job.pass_temperature(row, 2);
    const double T = card.data.size() > 1 ? job.real(row, 2, "the temperature") : 0.;
    if (!E.empty() && !(T > E.back().first))
      job.fail(row.number, job.word(row, 2), "temperatures ascend from line to line.");
    E.emplace_back(T, job.real(row, 0, "Young's modulus"));
    nu.emplace_back(T, job.real(row, 1, "Poisson's ratio"));
  }
  const std::size_t line = card.data.front().number;
  job.out.add(line, material.path, "Temperature", written(material.temperatures.front()));
  for (const double T : material.temperatures)
  {
    const std::string path = section_at(material, T);
    job.out.add(line, path, "E", written(between_rows(E, T)));
    job.out.add(line, path, "nu", written(between_rows(nu, T)));
    if (path == material.path)
      continue;
    if (!job.nonlinear)
      job.out.add(card.line, path, "Kinematics", "small");
    if (job.plane_stress)
      job.out.add(card.line, path, "Plane", "stress");
  }
}

void Elastic::read_material(Job &job, const Keyword &card, Material &material)
{
  const std::string &path = material.path;
  ++material.laws;
  const std::string type = compact(card.option("TYPE"));
  const bool isotropic = is_isotropic(card);
  if (!isotropic && !material.flow.empty())
    job.fail(card.line, "*ELASTIC, TYPE=" + card.option("TYPE"), "laws that flow are isotropic. Give E and nu.");
  if (!isotropic)
    return anisotropic(job, card, material, type);
  const Line &line = card.data.size() > 1 ? card.data.front() : job.only_line(card, "E and nu");
  const bool flows = !material.flow.empty();
  if (flows && material.section.thin && material.flow != "plastic")
    job.fail(card.line, "*CREEP", "of beams and shells cannot be computed. Take solids.");
  if (flows && !job.nonlinear)
    job.out.add(card.line, path, "Kinematics", "small");
  write_law(job, card.line, material,
            flows                                     ? material.flow
            : job.nonlinear && !material.section.thin ? "st-venant-kirchhoff"
                                                      : "linear-elasticity");
  if (job.plane_stress)
    job.out.add(card.line, path, "Plane", "stress");
  if (!material.temperatures.empty())
    return write_at_temperatures(job, card, material);
  const double E = job.real(line, 0, "Young's modulus"), nu = job.real(line, 1, "Poisson's ratio");
  const double shear = material.shear_rise * E / (2. * (1. + nu)), bulk = material.bulk_rise * E / (3. * (1. - 2. * nu));
  const bool raised = material.shear_rise != 1. || material.bulk_rise != 1.;
  job.out.add(line.number, path, "E", written(raised ? 9. * bulk * shear / (3. * bulk + shear) : E));
  job.out.add(line.number, path, "nu", written(raised ? (3. * bulk - 2. * shear) / (6. * bulk + 2. * shear) : nu));
  add_temperatures(job, card, path, flows || job.bodiless || material.relaxes);
}

class Density : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override { return {{"DENSITY", Where::material, Options{}}}; }
  void read_material(Job &job, const Keyword &card, Material &material) override
  {
    if (card.data.empty())
      job.only_line(card, "the density");
    material.density = job.real(card.data.front(), 0, "the density");
    for (const Line &line : card.data)
    {
      job.pass_temperature(line, 1);
      if (job.real(line, 0, "the density") != material.density)
        job.fail(line.number, job.word(line, 0), "a density that changes with the temperature cannot be computed. Give one.");
    }
    if (material.density <= 0.)
      job.fail(card.data[0].number, job.word(card.data[0], 0), "a density is > 0.");
    job.out.add(card.data[0].number, material.path, "Density", written(material.density));
  }
};
SYMDYN_REGISTER(Translator, Density, "density");
}  // namespace

bool is_isotropic(const Keyword &card)
{
  const std::string type = compact(card.option("TYPE"));
  return type.empty() || type == "ISO" || type == "ISOTROPIC";
}
}  // namespace symdyn::abaqus
