#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "meshes/abaqus/deck.h"
#include "solver/base/names.h"

// *SPRING, *DASHPOT, *MASS and bars: between nodes of the body, and beside it.
namespace symdyn::abaqus
{
void DeckWriter::write_springs()
{
  std::set<std::size_t> has_section;
  for (const Keyword &card : before)
    if (card.name == "SPRING" || card.name == "DASHPOT" || card.name == "MASS" || card.name == "SOLID SECTION")
    {
      for (const std::size_t e : model.elements_named(card))
        has_section.insert(e);
      card.name == "SPRING"    ? write_spring(card)
      : card.name == "DASHPOT" ? write_dashpot(card)
      : card.name == "MASS"    ? write_mass(card)
                               : write_bars(card);
    }
  for (std::size_t e = 0; e < model.types.size(); ++e)
    if (const FileElement &element = model.mesh.elements[e]; dimension(element.shape) != dim && !has_section.count(e))
      fail(element.line, fmt::format("element {} (TYPE={})", element.number, model.types[e]),
           "has no properties. Give them by *SPRING, *DASHPOT, *MASS, or *SOLID SECTION of bars, with an ELSET that holds it.");
}

std::vector<std::size_t> DeckWriter::elements_of(const Keyword &card, const std::vector<std::string> &types) const
{
  std::vector<std::size_t> found;
  for (const std::size_t e : model.elements_named(card))
    if (std::count(types.begin(), types.end(), model.types[e]))
      found.push_back(e);
    else if (card.name != "SOLID SECTION")
      fail(card.line, "*" + card.name,
           fmt::format("element {} is of type {}, not {}.", model.mesh.elements[e].number, model.types[e], join(types)));
  return found;
}

void DeckWriter::join_ends(const std::size_t e, const std::string &path)
{
  const FileElement &element = model.mesh.elements[e];
  for (const int end : {0, 1})
  {
    add(element.line, path, end == 0 ? "From" : "To", point(element.nodes[end], element.line));
    PointUse &use = points.at(element.nodes[end]);
    use.joined = true;
    for (int d = 0; d < dim && path.rfind("Dashpots", 0) != 0; ++d)
      if (model.mesh.nodes[element.nodes[0]][d] != model.mesh.nodes[element.nodes[1]][d])
        use.stiff[d] = spanned[d] = true;
  }
}

/// "first component[, second]" of the line before the constants.
DeckWriter::Dofs DeckWriter::take_dofs(Keyword &card, const std::string &kind) const
{
  const std::vector<std::size_t> elements = elements_of(card, {kind + "A", kind + "1", kind + "2"});
  Dofs dofs{model.types[elements.front()]};
  for (const std::size_t e : elements)
    if (model.types[e] != dofs.type)
      fail(card.line, "*" + card.name,
           fmt::format("its elements are of the types {} and {}. Give each its own set.", dofs.type, model.types[e]));
  if (dofs.type.back() == 'A')
    return dofs;
  if (card.data.empty())
    fail(card.line, "*" + card.name,
         fmt::format("elements of type {} need a line with the components of their nodes before the constants.", dofs.type));
  const Line line = card.data.front();
  card.data.erase(card.data.begin());
  const std::size_t count = dofs.type.back() - '0';
  for (std::size_t i = 0; i < count; ++i)
  {
    const long component = model.number(line, word(line, i), count == 1 ? "the component of the node" : "a component of each node");
    if (component < 1 || component > dim)
      fail(line.number, word(line, i), fmt::format("the component is 1 to {}: these nodes do not rotate.", dim));
    dofs.component[i] = int(component) - 1;
  }
  for (std::size_t i = count; i < line.words.size(); ++i)
    if (!word(line, i).empty())
      fail(line.number, join(line.words),
           fmt::format("{} components of nodes are expected in the line before the constants of {}.", count, dofs.type));
  return dofs;
}

/// Type 1: e = u_i, type 2: e = u_i of the first node - u_j of the second.
void DeckWriter::join_dofs(const std::size_t e, const Dofs &dofs, const std::string &path)
{
  const FileElement &element = model.mesh.elements[e];
  const auto axis = [&](const int component, const double sign) {
    std::vector<double> n(dim, 0.);
    n[component] = sign;
    return written(n);
  };
  const auto name = [&](const int end) {
    const std::string of_point = point(element.nodes[end], element.line);
    if (transform_of(element.nodes[end]) >= 0)
      fail(element.line, fmt::format("element {}", element.number),
           fmt::format("of type {} is at a node with axes of its own (*TRANSFORM). Take it out of that set.", dofs.type));
    PointUse &use = points.at(element.nodes[end]);
    use.joined = true;
    if (path.rfind("Dashpots", 0) != 0)
      use.stiff[dofs.component[end]] = spanned[dofs.component[end]] = true;
    return of_point;
  };
  const bool dashpot = path.rfind("Dashpots", 0) == 0;
  if (dofs.type.back() == '1')
  {
    add(element.line, path, dashpot ? "Points" : "From", name(0));
    if (!dashpot)
      add(element.line, path, "To", "ground");
    add(element.line, path, "Direction", axis(dofs.component[0], -1.));
    return;
  }
  add(element.line, path, "From", name(1));
  add(element.line, path, "To", name(0));
  add(element.line, path, "Direction", axis(dofs.component[1], 1.));
  if (dofs.component[0] != dofs.component[1])
    add(element.line, path, "Direction at To", axis(dofs.component[0], 1.));
}

void DeckWriter::write_spring(const Keyword &given)
{
  require_options(model.scanner, given, {"ELSET", "NONLINEAR"});
  Keyword card = given;
  const Dofs dofs = take_dofs(card, "SPRING");
  const bool along_line = dofs.type == "SPRINGA";
  const bool table = card.has("NONLINEAR");
  std::vector<double> forces, elongations;
  if (table)
    for (const Line &line : card.data)
    {
      forces.push_back(real(line, 0, "a force"));
      elongations.push_back(real(line, 1, "an elongation"));
    }
  const double k = table ? 0. : real(only_line(card, "the stiffness, after an empty line"), 0, "the stiffness");
  if (table && !nonlinear)
    fail(card.line, "*SPRING, NONLINEAR", "needs *STEP, NLGEOM: without it the spring is its first slope. Give that, or add NLGEOM.");
  for (const std::size_t e : elements_of(card, {dofs.type}))
  {
    const std::string path =
        fmt::format("Springs/{}", fresh("Springs", fmt::format("{} {}", card.option("ELSET"), model.mesh.elements[e].number)));
    along_line ? join_ends(e, path) : join_dofs(e, dofs, path);
    if (table)
    {
      add(card.line, path, "Law", "table");
      add(card.line, path, "Forces", written(forces));
      add(card.line, path, "Elongations", written(elongations));
      continue;
    }
    if (!nonlinear || !along_line)
      add(card.line, path, "Law", "small-displacement");
    add(card.line, path, "Stiffness", written(k));
  }
}

void DeckWriter::write_dashpot(const Keyword &given)
{
  require_options(model.scanner, given, {"ELSET"});
  Keyword card = given;
  const Dofs dofs = take_dofs(card, "DASHPOT");
  if (card.data.size() > 1 && std::all_of(card.data.begin(), card.data.end(), [&](const Line &line) { return !word(line, 1).empty(); }))
    fail(card.data[1].number, "*DASHPOT",
         "a coefficient that changes with the frequency cannot be computed. Give the one of the frequency that matters.");
  const double c = real(only_line(card, "the coefficient, after an empty line"), 0, "the coefficient");
  for (const std::size_t e : elements_of(card, {dofs.type}))
  {
    const std::string path =
        fmt::format("Dashpots/{}", fresh("Dashpots", fmt::format("{} {}", card.option("ELSET"), model.mesh.elements[e].number)));
    dofs.type == "DASHPOTA" ? join_ends(e, path) : join_dofs(e, dofs, path);
    add(card.line, path, "Coefficient", written(c));
  }
}

void DeckWriter::write_mass(const Keyword &card)
{
  require_options(model.scanner, card, {"ELSET"});
  const double mass = real(only_line(card, "the mass"), 0, "the mass");
  if (mass <= 0.)
    fail(card.data[0].number, word(card.data[0], 0), "a mass is > 0.");
  for (const std::size_t e : elements_of(card, {"MASS"}))
  {
    point(model.mesh.elements[e].nodes[0], card.line);
    points.at(model.mesh.elements[e].nodes[0]).mass += mass;
  }
}

std::pair<double, double> DeckWriter::bar_material(const Keyword &section) const
{
  const std::string name = upper(model.required(section, "MATERIAL"));
  double E = 0, density = 0;
  bool inside = false;
  for (const Keyword &card : before)
  {
    if (card.name == "MATERIAL")
      inside = upper(card.option("NAME")) == name;
    if (!inside)
      continue;
    if (card.name == "ELASTIC" && (!card.has("TYPE") || upper(card.option("TYPE")).substr(0, 3) == "ISO"))
    {
      const Line &constants = only_line(card, "E and nu, at one temperature");
      E = real(constants, 0, "Young's modulus");
      real_or(constants, 1, 0., "Poisson's ratio");  // which bars do not feel
    }
    if (card.name == "DENSITY")
      density = real(only_line(card, "the density"), 0, "the density");
  }
  if (!(E > 0.))
    fail(section.line, "MATERIAL=" + section.option("MATERIAL"), "bars need an isotropic *ELASTIC material with E > 0.");
  return {E, density};
}

/// Bars of E A: with NLGEOM of the Green-Lagrange strain, as the solids are into which CalculiX expands them, else of small displacements.
/// Half of the mass stands on each end.
void DeckWriter::write_bars(const Keyword &card)
{
  const std::vector<std::size_t> bars = elements_of(card, {"T3D2", "T2D2"});
  if (bars.empty())
    return;
  const Line &line = only_line(card, "the area");
  const double area = real(line, 0, "the area of the cross section");
  if (area <= 0.)
    fail(line.number, word(line, 0), "an area is > 0.");
  const auto [E, density] = bar_material(card);
  for (const std::size_t e : bars)
  {
    const FileElement &element = model.mesh.elements[e];
    const double L = model.mesh.nodes[element.nodes[0]].distance(model.mesh.nodes[element.nodes[1]]);
    if (L == 0.)
      fail(element.line, fmt::format("element {}", element.number), "has length zero.");
    const std::string kind = nonlinear ? "Bars" : "Springs", name = fresh(kind, fmt::format("{} {}", card.option("ELSET"), element.number)),
                      path = kind + "/" + name;
    sections_of_bars[e] = {name, area};
    join_ends(e, path);
    if (!nonlinear)
      add(card.line, path, "Law", "small-displacement");
    add(line.number, path, nonlinear ? "EA" : "Stiffness", written(nonlinear ? E * area : E * area / L));
    for (const int end : {0, 1})
      points.at(element.nodes[end]).mass += 0.5 * density * area * L;
  }
  if (density > 0. && std::any_of(steps.begin(), steps.end(), [](const Step &step) { return step.procedure != "STATIC"; }))
    warn(card.line, "*SOLID SECTION", "the mass of bars is lumped at their ends");
}
}  // namespace symdyn::abaqus
