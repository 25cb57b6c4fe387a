#include <fmt/format.h>

#include <algorithm>

#include "meshes/abaqus/job.h"
#include "solver/base/names.h"
#include "solver/registry.h"

// *HYPERELASTIC and *ANISOTROPIC HYPERELASTIC, HOLZAPFEL.
namespace symdyn::abaqus
{
namespace
{
constexpr std::size_t words_a_line = 8;  // of constants; more stand in the next line

/// kappa of D1 = 2/kappa, the i-th word of this line; `shear`: mu [Pa].
void add_bulk_modulus(Job &job, const Line &line, const std::size_t i, const double shear, const Material &material)
{
  constexpr double default_ratio = 20;  // kappa/mu, D1 = 0.1/mu: CalculiX manual, *HYPERELASTIC
  const double D1 = job.real_or(line, i, 0., "D1");
  if (D1 < 0.)
    job.fail(line.number, job.word(line, i), "D1 = 2/kappa is > 0.");
  if (D1 == 0.)
    job.out.warn(
        line.number, "*HYPERELASTIC",
        fmt::format("without D1 the material is incompressible; computed with the bulk modulus {} mu, as CalculiX does", default_ratio));
  job.out.add(line.number, material.path, "kappa", written(D1 > 0. ? material.bulk_rise * 2. / D1 : default_ratio * shear));
}

void ogden(Job &job, const Keyword &card, const Line &line, const long order, const Material &material)
{
  if (order < 1 || order > 3)
    job.fail(card.line, "*HYPERELASTIC, N=" + card.option("N"), "an Ogden material has up to three terms here.");
  // mu_i of Abaqus: U = sum 2 mu_i/alpha_i² (...); here mu_p/alpha_p (...).
  std::vector<double> mu, alpha;
  for (long i = 0; i < order; ++i)
  {
    alpha.push_back(job.real(line, 2 * i + 1, "alpha"));
    if (alpha.back() == 0.)
      job.fail(line.number, job.word(line, 2 * i + 1), "alpha is not 0.");
    mu.push_back(material.shear_rise * 2. * job.real(line, 2 * i, "mu") / alpha.back());
  }
  for (long i = 1; i < order; ++i)
    if (job.real_or(line, 2 * order + i, 0., "D") != 0.)
      job.fail(line.number, job.word(line, 2 * order + i), "only the first D can be computed: U = (J - 1)²/D1. Leave the others out.");
  for (std::size_t i = std::max<std::size_t>(words_a_line, 3 * order); i < line.words.size(); ++i)
    if (!line.words[i].empty())
      job.fail(card.data.back().number, line.words[i],
               "stands behind the last constant, D of the last term (temperatures are not read). Remove it.");
  write_law(job, card.line, material, "ogden");
  job.out.add(line.number, material.path, "mu", written(mu));
  job.out.add(line.number, material.path, "alpha", written(alpha));
  double shear = 0;
  for (std::size_t i = 0; i < mu.size(); ++i)
    shear += 0.5 * mu[i] * alpha[i];
  add_bulk_modulus(job, line, 2 * order, shear, material);
}

class Hyperelastic : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override
  {
    return {{"HYPERELASTIC", Where::material, Options{"NEO HOOKE", "MOONEY-RIVLIN", "OGDEN", "POLYNOMIAL", "N", "MODULI"}}};
  }
  void read_material(Job &job, const Keyword &card, Material &material) override;
};
SYMDYN_REGISTER(Translator, Hyperelastic, "hyperelastic");

/// Abaqus writes U = ... + (J - 1)²/D1: kappa = 2/D1, with isochoric invariants (Abaqus Theory Guide, "Hyperelastic material behavior").
void Hyperelastic::read_material(Job &job, const Keyword &card, Material &material)
{
  const std::string &path = material.path;
  ++material.laws;
  if (!job.nonlinear)
    job.fail(card.line, "*HYPERELASTIC",
             "needs *STEP, NLGEOM: without it CalculiX would linearise the material, and *ELASTIC says so more clearly.");
  if (job.plane_stress)
    job.fail(card.line, "*HYPERELASTIC", "in plane stress cannot be computed. Use plane strain or a solid.");
  Line line = card.data.empty() || !card.has("OGDEN") ? job.only_line(card, "constants, at one temperature") : card.data.front();
  for (std::size_t i = 1; card.has("OGDEN") && i < card.data.size(); ++i)
  {
    if (line.words.size() < i * words_a_line || card.data.size() > 2)
      job.fail(card.data[i].number, join(card.data[i].words), "constants at one temperature are expected, eight in a line.");
    line.words.resize(i * words_a_line);
    line.words.insert(line.words.end(), card.data[i].words.begin(), card.data[i].words.end());
  }
  const long order = card.has("N") ? job.model.number({card.line, {}}, card.option("N"), "the order N") : 1;
  if (card.has("NEO HOOKE"))
  {
    const double mu = material.shear_rise * 2. * job.real(line, 0, "C10");
    write_law(job, card.line, material, "neo-hooke-quadratic");
    job.out.add(line.number, path, "mu", written(mu));
    add_bulk_modulus(job, line, 1, mu, material);
  }
  else if (card.has("MOONEY-RIVLIN") || (card.has("POLYNOMIAL") && order == 1))
  {
    const double c10 = material.shear_rise * job.real(line, 0, "C10"), c01 = material.shear_rise * job.real(line, 1, "C01");
    write_law(job, card.line, material, "mooney-rivlin");
    job.out.add(line.number, path, "c10", written(c10));
    job.out.add(line.number, path, "c01", written(c01));
    add_bulk_modulus(job, line, 2, 2. * (c10 + c01), material);
  }
  else if (card.has("OGDEN"))
    ogden(job, card, line, order, material);
  else
    job.fail(card.line, "*HYPERELASTIC",
             "only NEO HOOKE, MOONEY-RIVLIN, OGDEN up to N=3 and POLYNOMIAL with N=1 are laws of symdyn. Fit one of them to your data.");
}

/// C10, D, k1, k2, kappa; fibres along the directions behind the two lines of *ORIENTATION, LOCAL DIRECTIONS=N.
class Holzapfel : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override
  {
    return {{"ANISOTROPIC HYPERELASTIC", Where::material, Options{"HOLZAPFEL", "LOCAL DIRECTIONS"}}};
  }
  void read_material(Job &job, const Keyword &card, Material &material) override;

private:
  static std::vector<double> fibres_of(const Job &job, const Keyword &card, const Keyword &orientation);
};
SYMDYN_REGISTER(Translator, Holzapfel, "holzapfel");

std::vector<double> Holzapfel::fibres_of(const Job &job, const Keyword &card, const Keyword &orientation)
{
  constexpr std::size_t lines_of_axes = 2;
  const long families =
      card.has("LOCAL DIRECTIONS") ? job.model.number({card.line, {}}, card.option("LOCAL DIRECTIONS"), "LOCAL DIRECTIONS") : 0;
  if (families < 1)
    job.fail(card.line, "*ANISOTROPIC HYPERELASTIC", "needs LOCAL DIRECTIONS, the number of families of fibres. Give 1 or more.");
  if (orientation.data.size() != lines_of_axes + families)
    job.fail(orientation.line, "*ORIENTATION",
             fmt::format("has {} lines; there are two of its axes, then one of each of {} directions.", orientation.data.size(), families));
  std::vector<double> fibres;
  for (std::size_t k = lines_of_axes; k < orientation.data.size(); ++k)
    for (std::size_t i = 0; i < 3; ++i)
      fibres.push_back(job.real_or(orientation.data[k], i, 0., "a component of a direction"));
  return fibres;
}

void Holzapfel::read_material(Job &job, const Keyword &card, Material &material)
{
  ++material.laws;
  if (!card.has("HOLZAPFEL"))
    job.fail(card.line, "*ANISOTROPIC HYPERELASTIC", "is read with HOLZAPFEL alone. Fit it to your data.");
  if (!job.nonlinear || job.plane_stress || material.section.thin)
    job.fail(card.line, "*ANISOTROPIC HYPERELASTIC", "needs *STEP, NLGEOM, and solids.");
  if (material.section.orientation.empty())
    job.fail(card.line, "*ANISOTROPIC HYPERELASTIC", "needs the ORIENTATION of its *SOLID SECTION, which has the directions of fibres.");
  const Keyword &orientation = orientation_of(job, card.line, material.section.orientation);
  const Line &line = job.only_line(card, "C10, D, k1, k2 and kappa, at one temperature");
  const std::size_t at = line.number;
  job.out.add(card.line, material.path, "Type", "holzapfel");
  for (const auto &[entry, i] : {std::pair{"c10", 0}, {"D", 1}, {"k1", 2}, {"k2", 3}})
    job.out.add(at, material.path, entry, written(job.real(line, i, entry)));
  job.out.add(at, material.path, "Dispersion", written(job.real_or(line, 4, 0., "kappa")));
  job.out.add(orientation.line, material.path, "Fibres", written(fibres_of(job, card, orientation)));
  job.out.add(orientation.line, material.path, "Axes", written(points_of_axes(job, orientation)));
  material.turned = true;
}
}  // namespace
}  // namespace symdyn::abaqus
