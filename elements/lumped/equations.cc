#include "elements/lumped/equations.h"

#include <fmt/format.h>

#include <algorithm>

#include "elements/lumped/model.h"
#include "solver/parameters.h"

namespace symdyn
{
namespace
{
struct EquationEntries
{
  std::vector<std::string> displacements;
  std::vector<double> factors;
  Expression sum;

  void declare(Parameters &p)
  {
    p.add("Displacements", displacements, "NAME.x, NAME.y, NAME.z of points, one a term");
    p.add("Factors", factors, "c, one a term: sum of c u = Sum, kept exactly by all schemes and stages");
    p.add("Sum", sum, "b [m], an expression of t; applied step by step in a first static stage");
  }
};

/// Points on one node move as one.
int first_on_node(const DiscreteModel &model, const int point)
{
  const auto &points = model.parts.points;
  for (int k = 0; k < point && points[point].node >= 0; ++k)
    if (points[k].node == points[point].node)
      return k;
  return point;
}

int coordinate(const std::string &name, const DiscreteModel &model, const Parameters &p)
{
  const std::string axes = std::string("xyz").substr(0, model.dimension());
  const auto dot = name.rfind('.');
  if (dot == std::string::npos || dot + 2 != name.size() || axes.find(name[dot + 1]) == std::string::npos)
    p.fail("Displacements", fmt::format("'{}' is no displacement: a point, a dot and one of {}, as in bob.x", name, axes));
  const std::vector<int> found = model.find({name.substr(0, dot)}, p, "Displacements");
  if (found.size() > 1)
    p.fail("Displacements", fmt::format("'{}' are {} points; a term has one. Name one of them", name, found.size()));
  if (model.parts.points[found[0]].director_of >= 0)
    p.fail("Displacements", fmt::format("'{}' is the axis of a rigid body, which no equation can hold. Name its centre, or a point", name));
  return model.dimension() * first_on_node(model, found[0]) + int(axes.find(name[dot + 1]));
}

Equation read_one(const std::string &name, Parameters p, const DiscreteModel &model)
{
  EquationEntries entries;
  entries.declare(p);
  if (entries.displacements.empty())
    p.fail("Displacements", "an equation needs its terms, e.g. bob.x, rod.x with Factors = 1, -1");
  if (entries.factors.size() != entries.displacements.size())
    p.fail("Factors",
           fmt::format("has {} numbers for {} displacements. Give one a term", entries.factors.size(), entries.displacements.size()));
  for (const char *variable : {"x", "y", "z"})
    if (entries.sum.uses(variable))
      p.fail("Sum", "depends on t alone");
  Equation equation{name, p.where("Displacements"), {}, entries.sum};
  for (std::size_t i = 0; i < entries.factors.size(); ++i)
  {
    const int wanted = coordinate(entries.displacements[i], model, p);
    const auto same = std::find_if(equation.terms.begin(), equation.terms.end(), [&](const auto &term) { return term.first == wanted; });
    if (same != equation.terms.end())
      p.fail("Displacements", fmt::format("'{}' stands there twice. Add its factors", entries.displacements[i]));
    if (entries.factors[i] != 0.)
      equation.terms.emplace_back(wanted, entries.factors[i]);
  }
  if (equation.terms.empty())
    p.fail("Factors", "are all zero: the equation says nothing. Remove it");
  return equation;
}
}  // namespace

void EquationSection::read(Parameters p, DiscreteModel &model)
{
  for (const std::string &name : p.named_sections())
    model.parts.equations.push_back(read_one(name, p.section(name), model));  // names may not be those of Supports: stages name both
  if (model.parts.equations.empty())
    return;
  if (!model.parts.constraints.empty())
    p.fail("", "beside Constraints with Treatment = exact cannot be computed. Write one of them as the other, or set Treatment = penalty");
}

void EquationSection::announce(Parameters p)
{
  for (const std::string &name : p.named_sections())
  {
    Parameters section = p.section(name);
    EquationEntries().declare(section);
  }
}

void EquationSection::document(Parameters p)
{
  Parameters section = p.section("<name>");
  EquationEntries().declare(section);
}
}  // namespace symdyn
