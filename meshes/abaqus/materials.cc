#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "meshes/abaqus/deck.h"
#include "solver/base/names.h"

// *MATERIAL and *SOLID SECTION.
namespace symdyn::abaqus
{
namespace
{
constexpr std::size_t words_a_line = 8;  // of constants; more stand in the next line
}  // namespace

void DeckWriter::write_materials()
{
  std::vector<std::vector<Keyword>> materials;  // *MATERIAL and what follows it
  for (const Keyword &card : before)
    if (card.name == "MATERIAL")
      materials.push_back({card});
    else if (card.name == "ELASTIC" || card.name == "HYPERELASTIC" || card.name == "DENSITY" || card.name == "DAMPING")
    {
      if (materials.empty())
        fail(card.line, "*" + card.name, "stands before any *MATERIAL, which it belongs to.");
      materials.back().push_back(card);
    }
    else if (card.name == "SOLID SECTION")
      read_section(card);
  std::map<std::string, std::size_t> first_line;
  for (const std::vector<Keyword> &cards : materials)
  {
    const Keyword &head = cards.front();
    if (const auto [same, is_new] = first_line.emplace(upper(model.required(head, "NAME")), head.line); !is_new)
      fail(head.line, "*MATERIAL, NAME=" + head.option("NAME"),
           fmt::format("there is one of this name already, {}. Rename one, and the *SOLID SECTIONs that mean it.",
                       model.scanner.place(same->second)));
  }
  if (bodiless)
    return;  // write_bars reads them
  if (sections.empty())
    fail(steps.front().line, "*STEP", "no element has a material. Add *SOLID SECTION, ELSET=..., MATERIAL=...");
  for (const std::vector<Keyword> &cards : materials)
  {
    const std::string name = upper(model.required(cards.front(), "NAME"));
    for (const Section &section : sections)
      if (section.material == name)
        read_material(cards, section);
  }
  for (const std::vector<Keyword> &cards : materials)
    if (damping_line > 0 && std::none_of(cards.begin(), cards.end(), [](const Keyword &card) { return card.name == "DAMPING"; }))
      warn(cards.front().line, "*MATERIAL, NAME=" + cards.front().option("NAME"),
           fmt::format("is damped as the one of {}: all materials have one damping here", model.scanner.place(damping_line)));
}

void DeckWriter::refuse_numbers_of_solid(const Keyword &section) const
{
  for (const Line &line : section.data)
    for (std::size_t i = 0; i < line.words.size(); ++i)
      if (!word(line, i).empty() && real(line, i, "1, or nothing,") != 1.)
        fail(
            line.number, word(line, i),
            "a *SOLID SECTION of cells in space has no thickness and no area. Leave the number out (1, which Abaqus takes for none, may stand).");
}

void DeckWriter::read_section(const Keyword &card)
{
  require_options(model.scanner, card, {"ELSET", "MATERIAL", "CONTROLS", "OFFSET", "ORIENTATION"});
  const std::string set = model.required(card, "ELSET");
  const Set *found = Model::find_set(model.element_sets, set);
  const std::vector<std::size_t> elements = model.elements_named(card);
  if (std::none_of(elements.begin(), elements.end(),
                   [this](const std::size_t e) { return dimension(model.mesh.elements[e].shape) == dim; }))
    return;  // bars
  Section wanted{upper(model.required(card, "MATERIAL")), upper(card.option("ORIENTATION")), 1., {}};
  if (dim == 3)
    refuse_numbers_of_solid(card);
  if (dim == 2 && !card.data.empty())
    wanted.thickness = real_or(card.data[0], 0, 1., "the thickness");
  std::vector<std::string> known;
  for (const Keyword &other : model.all)
    if (other.name == "MATERIAL")
      known.push_back(other.option("NAME"));
  if (std::none_of(known.begin(), known.end(), [&](const std::string &name) { return upper(name) == wanted.material; }))
    fail(card.line, "MATERIAL=" + card.option("MATERIAL"),
         known.empty() ? "the file has no *MATERIAL. Add it."
                       : "there is no *MATERIAL of this name; there are: " + join(nearest_first(card.option("MATERIAL"), known)) + ".");
  if (wanted.thickness <= 0.)
    fail(card.data[0].number, word(card.data[0], 0), "a thickness is > 0.");
  if (!wanted.orientation.empty())
    read_orientation(card);
  auto same = std::find_if(sections.begin(), sections.end(), [&](const Section &s) {
    return s.material == wanted.material && s.orientation == wanted.orientation && s.thickness == wanted.thickness;
  });
  if (same == sections.end())
    same = sections.insert(sections.end(), wanted);
  same->groups.push_back(found ? found->name : set);
}

void DeckWriter::read_material(const std::vector<Keyword> &cards, const Section &section)
{
  const Keyword &head = cards.front();
  const std::string path = "Materials/" + fresh("Materials", head.option("NAME"));
  double density = 0;
  std::size_t laws = 0;
  for (const Keyword &card : cards)
    if (card.name == "DENSITY")
    {
      density = real(only_line(card, "the density"), 0, "the density");
      if (density <= 0.)
        fail(card.data[0].number, word(card.data[0], 0), "a density is > 0.");
      add(card.data[0].number, path, "Density", written(density));
    }
    else if (card.name == "ELASTIC")
      elastic(card, section, path), ++laws;
    else if (card.name == "HYPERELASTIC")
      hyperelastic(card, path), ++laws;
    else if (card.name == "DAMPING")
      damping(card);
  if (laws != 1)
    fail(head.line, "*MATERIAL, NAME=" + head.option("NAME"), "needs one *ELASTIC or *HYPERELASTIC.");
  if (density == 0.)
  {
    if (std::any_of(steps.begin(), steps.end(), [](const Step &step) { return step.procedure != "STATIC"; }))
      fail(head.line, "*MATERIAL, NAME=" + head.option("NAME"), "has no *DENSITY, which motion needs. Add it.");
    add(head.line, path, "Density", "1");
    weightless.push_back({head.option("NAME"), section.groups});  // statics without body forces do not depend on it
  }
  densities.push_back(density);
  if (section.thickness != 1.)
    add(head.line, path, "Thickness", written(section.thickness));
  add(head.line, path, "Cells", join(section.groups));
}

/// kappa of D1 = 2/kappa, the i-th word of this line; `shear`: mu [Pa].
void DeckWriter::add_bulk_modulus(const Line &line, const std::size_t i, const double shear, const std::string &path)
{
  constexpr double default_ratio = 20;  // kappa/mu, D1 = 0.1/mu: CalculiX manual, *HYPERELASTIC
  const double D1 = real_or(line, i, 0., "D1");
  if (D1 < 0.)
    fail(line.number, word(line, i), "D1 = 2/kappa is > 0.");
  if (D1 == 0.)
    warn(line.number, "*HYPERELASTIC",
         fmt::format("without D1 the material is incompressible; computed with the bulk modulus {} mu, as CalculiX does", default_ratio));
  add(line.number, path, "kappa", written(D1 > 0. ? 2. / D1 : default_ratio * shear));
}

void DeckWriter::ogden(const Keyword &card, const Line &line, const long order, const std::string &path)
{
  if (order < 1 || order > 3)
    fail(card.line, "*HYPERELASTIC, N=" + card.option("N"), "an Ogden material has up to three terms here.");
  // mu_i of Abaqus: U = sum 2 mu_i/alpha_i² (...); here mu_p/alpha_p (...).
  std::vector<double> mu, alpha;
  for (long i = 0; i < order; ++i)
  {
    alpha.push_back(real(line, 2 * i + 1, "alpha"));
    if (alpha.back() == 0.)
      fail(line.number, word(line, 2 * i + 1), "alpha is not 0.");
    mu.push_back(2. * real(line, 2 * i, "mu") / alpha.back());
  }
  for (long i = 1; i < order; ++i)
    if (real_or(line, 2 * order + i, 0., "D") != 0.)
      fail(line.number, word(line, 2 * order + i), "only the first D can be computed: U = (J - 1)²/D1. Leave the others out.");
  for (std::size_t i = std::max<std::size_t>(words_a_line, 3 * order); i < line.words.size(); ++i)
    if (!line.words[i].empty())
      fail(card.data.back().number, line.words[i],
           "stands behind the last constant, D of the last term (temperatures are not read). Remove it.");
  add(card.line, path, "Type", "ogden");
  add(line.number, path, "mu", written(mu));
  add(line.number, path, "alpha", written(alpha));
  double shear = 0;
  for (std::size_t i = 0; i < mu.size(); ++i)
    shear += 0.5 * mu[i] * alpha[i];
  add_bulk_modulus(line, 2 * order, shear, path);
}

/// Abaqus writes U = ... + (J - 1)²/D1: kappa = 2/D1, with isochoric invariants (Abaqus Theory Guide, "Hyperelastic material behavior").
void DeckWriter::hyperelastic(const Keyword &card, const std::string &path)
{
  require_options(model.scanner, card, {"NEO HOOKE", "MOONEY-RIVLIN", "OGDEN", "POLYNOMIAL", "N"});
  if (!nonlinear)
    fail(card.line, "*HYPERELASTIC",
         "needs *STEP, NLGEOM: without it CalculiX would linearise the material, and *ELASTIC says so more clearly.");
  if (plane_stress)
    fail(card.line, "*HYPERELASTIC", "in plane stress cannot be computed. Use plane strain or a solid.");
  Line line = card.data.empty() || !card.has("OGDEN") ? only_line(card, "constants, at one temperature") : card.data.front();
  for (std::size_t i = 1; card.has("OGDEN") && i < card.data.size(); ++i)
  {
    if (line.words.size() < i * words_a_line || card.data.size() > 2)
      fail(card.data[i].number, join(card.data[i].words), "constants at one temperature are expected, eight in a line.");
    line.words.resize(i * words_a_line);
    line.words.insert(line.words.end(), card.data[i].words.begin(), card.data[i].words.end());
  }
  const long order = card.has("N") ? model.number({card.line, {}}, card.option("N"), "the order N") : 1;
  if (card.has("NEO HOOKE"))
  {
    add(card.line, path, "Type", "neo-hooke-quadratic");
    add(line.number, path, "mu", written(2. * real(line, 0, "C10")));
    add_bulk_modulus(line, 1, 2. * real(line, 0, "C10"), path);
  }
  else if (card.has("MOONEY-RIVLIN") || (card.has("POLYNOMIAL") && order == 1))
  {
    add(card.line, path, "Type", "mooney-rivlin");
    add(line.number, path, "c10", written(real(line, 0, "C10")));
    add(line.number, path, "c01", written(real(line, 1, "C01")));
    add_bulk_modulus(line, 2, 2. * (real(line, 0, "C10") + real(line, 1, "C01")), path);
  }
  else if (card.has("OGDEN"))
    ogden(card, line, order, path);
  else
    fail(card.line, "*HYPERELASTIC",
         "only NEO HOOKE, MOONEY-RIVLIN, OGDEN up to N=3 and POLYNOMIAL with N=1 are laws of symdyn. Fit one of them to your data.");
}

void DeckWriter::damping(const Keyword &card)
{
  require_options(model.scanner, card, {"ALPHA", "BETA", "STRUCTURAL"});
  const auto value = [&](const char *option) { return card.has(option) ? model.real({card.line, {}}, card.option(option), option) : 0.; };
  const double alpha = value("ALPHA"), beta = value("BETA"), eta = value("STRUCTURAL");
  if (eta < 0.)
    fail(card.line, "STRUCTURAL=" + card.option("STRUCTURAL"), "a loss factor is >= 0.");
  if (damping_line > 0 && (alpha != mass_damping || beta != stiffness_damping || eta != structural_damping))
    fail(card.line, "*DAMPING",
         fmt::format("differs from that of {}: all materials have one damping here.", model.scanner.place(damping_line)));
  const auto has = [this](const std::set<std::string> &procedures) {
    return std::any_of(steps.begin(), steps.end(), [&](const Step &step) { return procedures.count(step.procedure) > 0; });
  };
  if (damping_line == 0 && has({"DYNAMIC"}))  // modal steps have their own, *MODAL DAMPING
  {
    if (has({"MODAL DYNAMIC", "STEADY STATE DYNAMICS"}) && (alpha != 0. || beta != 0.))
      fail(card.line, "*DAMPING", "damps *DYNAMIC steps, and not those of modes, of which this file has both. Make two files of them.");
    if (alpha != 0.)
      add(card.line, "Damping", "Mass proportional", written(alpha));
    if (beta != 0.)
      add(card.line, "Damping", "Stiffness proportional", written(beta));
    if (beta != 0. && nonlinear)
      add(card.line, "Damping", "Stiffness", "current");
  }
  else if (damping_line == 0 && (alpha != 0. || beta != 0.) && has({"MODAL DYNAMIC", "STEADY STATE DYNAMICS"}))
    warn(card.line, "*DAMPING",
         "ALPHA and BETA damp *DYNAMIC steps only, as in CalculiX, and the file has none: give *MODAL DAMPING, RAYLEIGH");
  if (damping_line == 0 && eta != 0. && has({"DYNAMIC", "MODAL DYNAMIC"}))
    warn(card.line, "*DAMPING", "STRUCTURAL damps *STEADY STATE DYNAMICS only, as in CalculiX");
  damping_line = card.line;
  mass_damping = alpha;
  stiffness_damping = beta;
  structural_damping = eta;
}
}  // namespace symdyn::abaqus
