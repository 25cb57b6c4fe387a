#include "elements/lumped/constraint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "elements/lumped/laws.h"
#include "solver/base/log.h"
#include "solver/base/names.h"
#include "solver/dynamics/start_projection.h"
#include "solver/parameters.h"

namespace symdyn
{
namespace
{
const std::string axis_names = "xyz";

struct ConstraintEntries
{
  std::string law = "distance";
  FormulaPlaces places;
  std::string text, body;
  double length = 0;
  std::vector<double> normal;

  void declare(Parameters &p)
  {
    p.add(
        "Law", law,
        "distance: r - L = 0; distance-squared: r^2 - L^2 = 0; pin: both ends at one place; fixed: Points stay at their positions; plane: Points stay in the "
        "plane through Anchor with this Normal; orthonormal: the matrix of the rigid Body is a rotation; expression: a formula is zero",
        {"distance", "distance-squared", "pin", "fixed", "plane", "orthonormal", "expression"});
    places.declare(p, "each is held by itself; of expression, g of");
    p.add("Anchor", places.ends.anchor, "the place that To = ground means; a place of the plane [m]");
    p.add("Length", length, "L [m]; default: the distance of the positions", positive());
    p.add("Normal", normal, "of the plane, not zero");
    p.add("Body", body, "of orthonormal: name of a rigid body");
    p.add("Expression", text, "g, zero where it is held: a formula of present coordinates NAME.x, NAME.y, NAME.z");
  }
};

/// Which entries a law knows.
void refuse_others(const ConstraintEntries &entries, const Parameters &p)
{
  const auto known = [&](const std::string &entry) -> bool {
    const std::string &law = entries.law;
    const bool line = law == "distance" || law == "distance-squared", formula = law == "expression";
    if (entry == "From" || entry == "To" || entry == "Offset" || entry == "Cyclic")
      return line || law == "pin" || formula;
    if (entry == "Anchor")
      return line || law == "pin" || law == "plane";
    if (entry == "Points")
      return law == "fixed" || law == "plane" || formula;
    return (entry == "Length" && line) || (entry == "Normal" && law == "plane") || (entry == "Body" && law == "orthonormal") ||
           (entry == "Expression" && formula);
  };
  for (const char *entry : {"From", "To", "Offset", "Cyclic", "Anchor", "Points", "Length", "Normal", "Body", "Expression"})
    if (p.given(entry) && !known(entry))
      p.fail(entry, "has no effect with Law = " + entries.law + ". Remove the entry");
}

using Made = std::vector<std::shared_ptr<Constraint>>;

Made distances(const ConstraintEntries &entries, const DiscreteModel &model, const Parameters &p)
{
  DistanceConstraint one;
  one.dimension = model.dimension();
  one.squared = entries.law == "distance-squared";
  const auto length = [&](const double between) {
    const double L = entries.length > 0. ? entries.length : between;
    if (L == 0.)
      p.fail("Length", "is zero: both ends are at one place. Use Law = pin, or move a point");
    return L;
  };
  Made made;
  if (entries.places.ends.to_ground())
  {
    if (entries.places.ends.anchor.empty())
      p.fail("Anchor", "a distance from the ground needs the place [m]");
    one.anchor = model.place(entries.places.ends.anchor, "Anchor", p);
    for (const int k : entries.places.ends.anchored(model, p))
    {
      one.from = k;
      one.length = length(model.distance(k, one.anchor));
      one.name = model.name_of(k) + " - ground";
      made.push_back(std::make_shared<DistanceConstraint>(one));
    }
    return made;
  }
  for (const auto &[from, to] : entries.places.ends.pairs(model, p))
  {
    one.from = from;
    one.to = to;
    one.length = length(model.distance(from, to));
    one.name = model.name_of(from) + " - " + model.name_of(to);
    made.push_back(std::make_shared<DistanceConstraint>(one));
  }
  return made;
}

Made pins(const ConstraintEntries &entries, const DiscreteModel &model, const Parameters &p)
{
  Made made;
  const int n = model.dimension();
  const bool to_ground = entries.places.ends.to_ground();
  if (to_ground && entries.places.ends.anchor.empty())
    p.fail("Anchor", "a pin on the ground needs its place [m]");
  std::vector<std::pair<int, int>> pairs;
  if (to_ground)
    for (const int k : entries.places.ends.anchored(model, p))
      pairs.emplace_back(k, -1);
  else
    pairs = entries.places.ends.pairs(model, p);
  for (const auto &[from, to] : pairs)
    for (int d = 0; d < n; ++d)
    {
      LinearConstraint one;
      one.coordinates = {n * from + d};
      one.factors = {-1.};
      one.name = fmt::format("{} - {} {}", model.name_of(from), to_ground ? Ends::ground : model.name_of(to), axis_names[d]);
      if (to_ground)
        one.constant = -model.place(entries.places.ends.anchor, "Anchor", p)[d];
      else
      {
        one.coordinates.push_back(n * to + d);
        one.factors.push_back(1.);
      }
      made.push_back(std::make_shared<LinearConstraint>(one));
    }
  return made;
}

Made planes(const ConstraintEntries &entries, const DiscreteModel &model, const Parameters &p)
{
  Made made;
  const int n = model.dimension();
  const bool plane = entries.law == "plane";
  if (!p.given("Points"))
    p.fail("Points", "the constraint needs the points that it holds");
  Place normal{}, through{};
  double norm = 0;
  if (plane)
  {
    if (entries.places.ends.anchor.empty())
      p.fail("Anchor", "a plane needs a place in it [m]");
    normal = model.place(entries.normal, "Normal", p);
    through = model.place(entries.places.ends.anchor, "Anchor", p);
    norm = std::sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    if (norm == 0.)
      p.fail("Normal", "is zero. Give the direction across the plane");
  }
  for (const int k : model.find(entries.places.points, p, "Points"))
    for (int row = 0; row < (plane ? 1 : n); ++row)
    {
      LinearConstraint one;
      one.name = plane ? model.name_of(k) : fmt::format("{} {}", model.name_of(k), axis_names[row]);
      for (int d = 0; d < n; ++d)
        if (plane || d == row)
        {
          one.coordinates.push_back(n * k + d);
          one.factors.push_back(plane ? normal[d] / norm : 1.);
          one.constant += one.factors.back() * (plane ? through[d] : model.parts.points[k].position[d]);
        }
      made.push_back(std::make_shared<LinearConstraint>(one));
    }
  return made;
}

/// "a - b"
std::string points_of_constraint(const std::vector<int> &coordinates, const DiscreteModel &model)
{
  std::vector<int> points;
  std::string names;
  for (const int k : coordinates)
    if (const int point = k / model.dimension(); std::find(points.begin(), points.end(), point) == points.end())
    {
      names += (points.empty() ? "" : " - ") + model.name_of(point);
      points.push_back(point);
    }
  return names;
}

Made formulas(const std::string &text, const std::string &name, const FormulaPlaces &places, const DiscreteModel &model,
              const Parameters &p)
{
  Made made;
  FormulaConstraint one;
  std::vector<int> coordinates;
  places.complete(text, model, p, one.formula.expression, coordinates);
  const int n = one.formula.variables();
  for (std::size_t first = 0; first < coordinates.size(); first += n)
  {
    one.coordinates.assign(coordinates.begin() + first, coordinates.begin() + first + n);
    one.name = name;
    if (int(coordinates.size()) > n)
      one.name += " " + points_of_constraint(one.coordinates, model);
    made.push_back(std::make_shared<FormulaConstraint>(one));
  }
  return made;
}

/// The point of e_1 of the rigid body that the entry names.
std::size_t first_director(const std::string &body, const DiscreteModel &model, const Parameters &p)
{
  std::vector<std::string> bodies;
  for (std::size_t k = 0; k < model.parts.points.size(); ++k)
    if (const int centre = model.parts.points[k].director_of; centre >= 0 && centre == int(k) - 1)
    {
      bodies.push_back(model.parts.points[centre].name);
      if (bodies.back() == body)
        return k;
    }
  p.fail("Body", bodies.empty() ? "the deck has no rigid body. Add a section \"Rigid bodies\""
                                : fmt::format("there is no rigid body '{}'; there are: {}", body, join_some(nearest_first(body, bodies))));
}

/// e_i·e_j = delta_ij
Made orthonormal(const ConstraintEntries &entries, DiscreteModel &model, const Parameters &p)
{
  if (!p.given("Body"))
    p.fail("Body", "the constraint needs the name of a rigid body");
  const std::size_t first = first_director(entries.body, model, p);
  for (int j = 0; j < 3; ++j)
    model.parts.points[first + j].rigid = true;
  Made made;
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j)
    {
      FormulaConstraint one;
      one.name = fmt::format("{} {}{}", entries.body, i + 1, j + 1);
      std::string text;
      std::vector<std::string> names;
      for (int d = 0; d < 3; ++d)
      {
        const std::string a = std::string("a") + axis_names[d], b = i == j ? a : std::string("b") + axis_names[d];
        text += (d > 0 ? " + " : "") + a + "*" + b;
        names.push_back(a);
        one.coordinates.push_back(3 * (first + i) + d);
        if (i != j)
        {
          names.push_back(b);
          one.coordinates.push_back(3 * (first + j) + d);
        }
      }
      one.formula.expression = Expression(text + (i == j ? " - 1" : ""), names);
      made.push_back(std::make_shared<FormulaConstraint>(one));
    }
  return made;
}

/// ½ omega² g² of a formula.
std::shared_ptr<DiscreteTerm> formula_penalty(const FormulaConstraint &g, const double omega, const int dimension)
{
  auto term = std::make_shared<FormulaPotential>();
  term->dimension = dimension;
  term->coordinates = g.coordinates;
  term->formula.expression =
      Expression(fmt::format("0.5*{}*({})^2", omega * omega, g.formula.expression.text()), g.formula.expression.variables());
  return term;
}

std::shared_ptr<DiscreteTerm> linear_penalty(const LinearConstraint &g, const double omega, const int dimension)
{
  FormulaConstraint formula;
  formula.coordinates = g.coordinates;
  std::string text = fmt::format("{}", -g.constant);
  std::vector<std::string> names;
  for (std::size_t k = 0; k < g.factors.size(); ++k)
  {
    names.push_back(fmt::format("x{}", k));
    text += fmt::format(" + {}*{}", g.factors[k], names.back());
  }
  formula.formula.expression = Expression(text, names);
  return formula_penalty(formula, omega, dimension);
}

/// Of all distances of one section: one term.
template <class Law, class Make>
std::shared_ptr<DiscreteTerm> distance_penalty(const Made &made, const int dimension, const Make &make)
{
  auto term = std::make_shared<CentralPairs<Law>>();
  term->dimension = dimension;
  for (const auto &one : made)
  {
    const auto &g = dynamic_cast<const DistanceConstraint &>(*one);
    if (g.to < 0 && term->places.empty())
      term->places.push_back(g.anchor);
    term->pairs.push_back({g.from, g.to < 0 ? -1 : g.to, make(g.length)});
  }
  return term;
}

std::vector<std::shared_ptr<DiscreteTerm>> penalties(const Made &made, const double omega, const int dimension)
{
  const double k = omega * omega;
  if (const auto *distance = dynamic_cast<const DistanceConstraint *>(made.front().get()))
    return {distance->squared ? distance_penalty<SquaredLaw>(made, dimension,
                                                             [&](const double L) {
                                                               return SquaredLaw{k, L};
                                                             })
                              : distance_penalty<LinearLaw>(made, dimension, [&](const double L) {
                                  return LinearLaw{k, L};
                                })};
  std::vector<std::shared_ptr<DiscreteTerm>> terms;
  for (const auto &one : made)
    if (const auto *linear = dynamic_cast<const LinearConstraint *>(one.get()))
      terms.push_back(linear_penalty(*linear, omega, dimension));
    else
      terms.push_back(formula_penalty(dynamic_cast<const FormulaConstraint &>(*one), omega, dimension));
  return terms;
}
}  // namespace

void ConstraintSection::declare_treatment(Parameters &p)
{
  p.add("Treatment", treatment,
        "exact: by multipliers, for schemes that know them (rattle, shake, ...); penalty: 1/2 omega^2 g^2 for each in V, for all schemes",
        {"exact", "penalty"});
  p.add("omega", omega, "of the penalty [rad/s for unit mass and g in m]", positive());
  project = declare_start_projection(p) != StartProjection::none;
  p.add("Stiff", stiff, "treat the penalty as stiff in schemes that split stiff and soft forces");
}

void ConstraintSection::declare(Parameters p, DiscreteModel &model)
{
  if (!p.exists())
    return;
  declare_treatment(p);
  const std::vector<std::string> names = p.named_sections();
  if (names.empty())
    p.fail("", "there is no constraint in it. Add one: subsection Constraints / subsection rod / set From = a / set To = b");
  if (treatment == "penalty" && !p.given("omega"))
    p.fail("omega", "a penalty needs it [rad/s]");
  model.parts.project = project && treatment == "exact";
  // The entries of the other treatment may stay: decks are run with either by --set.
  for (const char *entry : {"omega", "Stiff", "Project"})
    if (p.given(entry) && (treatment == "penalty") == (entry == std::string("Project")))
      log_line(fmt::format("note: {}: has no effect with Treatment = {}", p.where(entry), treatment));
  for (const std::string &name : names)
    add(name, p.section(name), model);
  model.parts.penalty_omega = treatment == "penalty" ? omega : 0.;
}

void ConstraintSection::add(const std::string &name, Parameters p, DiscreteModel &model) const
{
  ConstraintEntries entries;
  entries.declare(p);
  refuse_others(entries, p);
  Made made;
  if (entries.law == "expression")
  {
    if (!p.given("Expression"))
      p.fail("Expression", "the constraint needs its formula");
    made = formulas(entries.text, name, entries.places, model, p);
  }
  else
    made = entries.law == "pin"                               ? pins(entries, model, p)
           : entries.law == "orthonormal"                     ? orthonormal(entries, model, p)
           : entries.law == "plane" || entries.law == "fixed" ? planes(entries, model, p)
                                                              : distances(entries, model, p);
  for (auto &one : made)
  {
    one->where = p.where("");
    if (one->name != name)
      one->name = made.size() == 1 ? name : name + " " + one->name;
  }
  auto &held = treatment == "exact" ? model.parts.constraints : model.parts.penalties;
  held.insert(held.end(), made.begin(), made.end());
  if (treatment == "exact")
    return;
  for (const auto &term : penalties(made, omega, model.dimension()))
  {
    term->name = name;
    term->stiff = stiff;
    model.parts.terms.push_back(term);
  }
}

void ConstraintSection::announce(Parameters p)
{
  ConstraintSection().declare_treatment(p);
  for (const std::string &name : p.named_sections())
  {
    Parameters one = p.section(name);
    ConstraintEntries().declare(one);
  }
}

void ConstraintSection::document(Parameters p)
{
  ConstraintSection section;
  section.declare_treatment(p);
  Parameters one = p.section("<name>");
  ConstraintEntries().declare(one);
}
}  // namespace symdyn
