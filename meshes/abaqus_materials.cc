#include <fmt/format.h>

#include <algorithm>

#include "meshes/abaqus_deck.h"
#include "solver/names.h"

// *MATERIAL and *SOLID SECTION.
namespace symdyn::abaqus
{
void DeckWriter::write_materials()
{
  std::vector<std::vector<Keyword>> materials;  // *MATERIAL and what follows it
  std::map<std::string, std::vector<std::string>> groups;
  for (const Keyword &card : before)
    if (card.name == "MATERIAL")
      materials.push_back({card});
    else if (card.name == "ELASTIC" || card.name == "HYPERELASTIC" || card.name == "DENSITY" || card.name == "DAMPING")
    {
      if (materials.empty()) fail(card.line, "*" + card.name, "stands before any *MATERIAL, which it belongs to.");
      materials.back().push_back(card);
    }
    else if (card.name == "SOLID SECTION")
    {
      require_options(model.scanner, card, {"ELSET", "MATERIAL", "CONTROLS", "OFFSET"});
      groups[upper(model.required(card, "MATERIAL"))].push_back(Model::find_set(model.element_sets, model.required(card, "ELSET")) ? Model::find_set(model.element_sets, model.required(card, "ELSET"))->name : card.option("ELSET"));
      if (dim == 2 && !card.data.empty() && real_or(card.data[0], 0, 1., "the thickness") != 1.)
        fail(card.data[0].number, word(card.data[0], 0), "bodies in the plane have the thickness 1 here. Divide forces by the thickness, and write 1.");
    }
  if (groups.empty()) fail(steps.front().line, "*STEP", "no element has a material. Add *SOLID SECTION, ELSET=..., MATERIAL=...");
  for (const std::vector<Keyword> &cards : materials)
  {
    const std::string name = upper(model.required(cards.front(), "NAME"));
    if (const auto found = groups.find(name); found != groups.end())
    {
      read_material(cards, found->second);
      groups.erase(found);
    }
  }
  if (!groups.empty())
    fail(steps.front().line, groups.begin()->first, "a *SOLID SECTION names this material, and there is no *MATERIAL of this name.");
}

void DeckWriter::read_material(const std::vector<Keyword> &cards, const std::vector<std::string> &groups)
{
  const Keyword &head = cards.front();
  const std::string path = "Materials/" + fresh("Materials", head.option("NAME"));
  double density = 0;
  std::size_t laws = 0;
  for (const Keyword &card : cards)
    if (card.name == "DENSITY")
    {
      density = real(only_line(card, "the density"), 0, "the density");
      if (density <= 0.) fail(card.data[0].number, word(card.data[0], 0), "a density is > 0.");
      add(card.data[0].number, path, "Density", written(density));
    }
    else if (card.name == "ELASTIC")
      elastic(card, path), ++laws;
    else if (card.name == "HYPERELASTIC")
      hyperelastic(card, path), ++laws;
    else if (card.name == "DAMPING")
      damping(card);
  if (laws != 1) fail(head.line, "*MATERIAL, NAME=" + head.option("NAME"), "needs one *ELASTIC or *HYPERELASTIC.");
  if (density == 0.)
  {
    if (std::any_of(steps.begin(), steps.end(), [](const Step &step) { return step.procedure != "STATIC"; }))
      fail(head.line, "*MATERIAL, NAME=" + head.option("NAME"), "has no *DENSITY, which motion needs. Add it.");
    add(head.line, path, "Density", "1");
    needs_density = true;  // statics without body forces know nothing of it
  }
  densities.push_back(density);
  add(head.line, path, "Cells", join(groups));
}

void DeckWriter::elastic(const Keyword &card, const std::string &path)
{
  require_options(model.scanner, card, {"TYPE"});
  const std::string type = upper(card.option("TYPE"));
  if (!type.empty() && type != "ISO" && type != "ISOTROPIC")
    fail(card.line, "*ELASTIC, TYPE=" + type, "only TYPE=ISO can be computed from an .inp file. Convert the file and choose an anisotropic law in the .prm deck.");
  const Line &line = only_line(card, "E and nu, at one temperature");
  add(card.line, path, "Type", nonlinear ? "st-venant-kirchhoff" : "linear-elasticity");
  modulus = real(line, 0, "Young's modulus");
  add(line.number, path, "E", written(modulus));
  add(line.number, path, "nu", written(real(line, 1, "Poisson's ratio")));
  if (plane_stress) add(card.line, path, "Plane", "stress");
}

/// Abaqus writes U = ... + (J - 1)²/D1: kappa = 2/D1, with isochoric invariants (Abaqus Theory Guide, "Hyperelastic material behavior").
void DeckWriter::hyperelastic(const Keyword &card, const std::string &path)
{
  require_options(model.scanner, card, {"NEO HOOKE", "MOONEY-RIVLIN", "OGDEN", "POLYNOMIAL", "N"});
  if (!nonlinear)
    fail(card.line, "*HYPERELASTIC", "needs *STEP, NLGEOM: without it CalculiX would linearise the material, and *ELASTIC says so more clearly.");
  if (plane_stress) fail(card.line, "*HYPERELASTIC", "in plane stress cannot be computed. Use plane strain or a solid.");
  Line line = card.data.empty() || !card.has("OGDEN") ? only_line(card, "constants, at one temperature") : card.data.front();
  constexpr std::size_t words_a_line = 8;  // more go on in the next line
  for (std::size_t i = 1; card.has("OGDEN") && i < card.data.size(); ++i)
  {
    if (line.words.size() < i * words_a_line || card.data.size() > 2) fail(card.data[i].number, join(card.data[i].words), "constants at one temperature are expected, eight in a line.");
    line.words.resize(i * words_a_line);
    line.words.insert(line.words.end(), card.data[i].words.begin(), card.data[i].words.end());
  }
  const long order = card.has("N") ? model.number({card.line, {}}, card.option("N"), "the order N") : 1;
  const auto kappa = [&](const std::size_t i, const double shear) {
    constexpr double default_ratio = 20;  // kappa/mu, D1 = 0.1/mu: CalculiX manual, *HYPERELASTIC
    const double D1 = real_or(line, i, 0., "D1");
    if (D1 < 0.) fail(line.number, word(line, i), "D1 = 2/kappa is > 0.");
    if (D1 == 0.) warn(line.number, "*HYPERELASTIC", fmt::format("without D1 the material is incompressible; computed with the bulk modulus {} mu, as CalculiX does", default_ratio));
    add(line.number, path, "kappa", written(D1 > 0. ? 2. / D1 : default_ratio * shear));
  };
  if (card.has("NEO HOOKE"))
  {
    add(card.line, path, "Type", "neo-hooke-quadratic");
    add(line.number, path, "mu", written(2. * real(line, 0, "C10")));
    kappa(1, 2. * real(line, 0, "C10"));
  }
  else if (card.has("MOONEY-RIVLIN") || (card.has("POLYNOMIAL") && order == 1))
  {
    add(card.line, path, "Type", "mooney-rivlin");
    add(line.number, path, "c10", written(real(line, 0, "C10")));
    add(line.number, path, "c01", written(real(line, 1, "C01")));
    kappa(2, 2. * (real(line, 0, "C10") + real(line, 1, "C01")));
  }
  else if (card.has("OGDEN"))
  {
    if (order < 1 || order > 3) fail(card.line, "*HYPERELASTIC, N=" + card.option("N"), "an Ogden material has up to three terms here.");
    // mu_i of Abaqus: U = sum 2 mu_i/alpha_i² (...); here mu_p/alpha_p (...).
    std::vector<double> mu, alpha;
    for (long i = 0; i < order; ++i)
    {
      alpha.push_back(real(line, 2 * i + 1, "alpha"));
      if (alpha.back() == 0.) fail(line.number, word(line, 2 * i + 1), "alpha is not 0.");
      mu.push_back(2. * real(line, 2 * i, "mu") / alpha.back());
    }
    for (long i = 1; i < order; ++i)
      if (real_or(line, 2 * order + i, 0., "D") != 0.) fail(line.number, word(line, 2 * order + i), "only the first D can be computed: U = (J - 1)²/D1. Leave the others out.");
    add(card.line, path, "Type", "ogden");
    add(line.number, path, "mu", written(mu));
    add(line.number, path, "alpha", written(alpha));
    double shear = 0;
    for (std::size_t i = 0; i < mu.size(); ++i) shear += 0.5 * mu[i] * alpha[i];
    kappa(2 * order, shear);
  }
  else
    fail(card.line, "*HYPERELASTIC", "only NEO HOOKE, MOONEY-RIVLIN, OGDEN up to N=3 and POLYNOMIAL with N=1 are laws of symdyn. Fit one of them to your data.");
}

void DeckWriter::damping(const Keyword &card)
{
  require_options(model.scanner, card, {"ALPHA", "BETA"});
  const Line at{card.line, {}};
  const double alpha = card.has("ALPHA") ? model.real(at, card.option("ALPHA"), "ALPHA") : 0., beta = card.has("BETA") ? model.real(at, card.option("BETA"), "BETA") : 0.;
  if (damping_line > 0 && (alpha != mass_damping || beta != stiffness_damping))
    fail(card.line, "*DAMPING", fmt::format("differs from that of {}: all materials have one Rayleigh damping here.", model.scanner.place(damping_line)));
  if (damping_line == 0 && std::any_of(steps.begin(), steps.end(), [](const Step &step) { return step.procedure != "STATIC"; }))
  {
    if (alpha != 0.) add(card.line, "Damping", "Mass proportional", written(alpha));
    if (beta != 0.) add(card.line, "Damping", "Stiffness proportional", written(beta));
  }
  damping_line = card.line;
  mass_damping = alpha;
  stiffness_damping = beta;
}

double DeckWriter::density_of_body(const Line &line) const
{
  for (const double density : densities)
    if (density == 0.) fail(line.number, join(line.words), "a body force needs the *DENSITY of every material. Add it.");
  return densities.front();
}
}  // namespace symdyn::abaqus
