#include "elements/lumped/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "elements/lumped/formula_potential.h"
#include "solver/error.h"
#include "solver/parameters.h"

namespace symdyn
{
namespace
{
const std::string coordinate_names = "xyz";
constexpr std::size_t names_in_message = 12;
}  // namespace

std::string join_some(std::vector<std::string> names)
{
  if (names.size() <= names_in_message)
    return join(names);
  names.resize(names_in_message);
  return join(names) + ", ...";
}

int DiscreteModel::add_point(const LumpedPoint &point, const std::vector<double> &u, const std::vector<double> &v, const Parameters &p)
{
  if (places.count(point.name))
    p.fail("", fmt::format("there are two points '{}'", point.name));
  const int number = parts.points.size();
  places[point.name] = {number};
  displacement.insert(displacement.end(), u.begin(), u.end());
  velocity.insert(velocity.end(), v.begin(), v.end());
  parts.points.push_back(point);
  return number;
}

void DiscreteModel::add_group(const std::string &name, const int count, const Parameters &p)
{
  if (places.count(name))
    p.fail("Count", fmt::format("there is a point '{}' already", name));
  for (int i = 0; i < count; ++i)
    places[name].push_back(parts.points.size() - count + i);
}

std::vector<int> DiscreteModel::find(const std::vector<std::string> &names, const Parameters &p, const std::string &entry) const
{
  std::vector<int> found;
  for (const std::string &name : names)
  {
    const auto place = places.find(name);
    if (place == places.end())
    {
      std::vector<std::string> known;
      for (const auto &other : places)
        known.push_back(other.first);
      p.fail(entry, fmt::format("there is no point or group '{}'; there are: {}{}", name, join_some(nearest_first(name, known)),
                                name == "ground" ? ". The ground stands in To: exchange From and To" : ""));
    }
    found.insert(found.end(), place->second.begin(), place->second.end());
  }
  std::vector<int> sorted = found;
  std::sort(sorted.begin(), sorted.end());
  if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
    p.fail(entry, fmt::format("names point '{}' twice", name_of(*twice)));
  return found;
}

double DiscreteModel::distance(const int from, const Place &to) const
{
  double s = 0;
  for (int d = 0; d < dimension(); ++d)
    s += std::pow(to[d] - parts.points[from].position[d], 2);
  return std::sqrt(s);
}

double DiscreteModel::distance(const int from, const int to) const { return distance(from, parts.points[to].position); }

std::vector<double> DiscreteModel::components(const std::vector<Expression> &formulas, const std::vector<double> &variables,
                                              const std::string &entry, const Parameters &p) const
{
  if (int(formulas.size()) != dimension())
    p.fail(entry, fmt::format("needs {} components separated by commas", dimension()));
  std::vector<double> values;
  for (const Expression &formula : formulas)
  {
    values.push_back(formula(variables.data()));
    if (!std::isfinite(values.back()))
      p.fail(entry, fmt::format("is not finite for i = {:g}", variables.back()));
  }
  return values;
}

Place DiscreteModel::place(const std::vector<double> &given, const std::string &entry, const Parameters &p) const
{
  if (int(given.size()) != dimension())
    p.fail(entry, fmt::format("needs {} components separated by commas", dimension()));
  Place result{};
  std::copy(given.begin(), given.end(), result.begin());
  return result;
}

Place DiscreteModel::direction(const std::vector<double> &given, const std::string &entry, const Parameters &p) const
{
  Place n = place(given, entry, p);
  const double length = std::hypot(n[0], n[1], n[2]);
  if (!(length > 0. && std::isfinite(length)))
    p.fail(entry, "is zero, or too long for a number: a direction is needed");
  for (double &component : n)
    component /= length;
  return n;
}

void Ends::declare(Parameters &p)
{
  p.add("From", from, "point or group");
  p.add("To", to, "point or group; where an Anchor makes sense also: ground. One point is joined with every one of a group");
  p.add("Offset", offset, "of two groups: joins point k with point k + Offset, for every Offset of the list", between(-100000, 100000));
  p.add("Cyclic", cyclic, "k + Offset starts again after the last point of To");
}

bool Ends::given(const Parameters &p) { return p.given("From") || p.given("To") || p.given("Offset") || p.given("Cyclic"); }

std::vector<int> Ends::anchored(const DiscreteModel &model, const Parameters &p) const
{
  if (p.given("Offset") || p.given("Cyclic"))
    p.fail(p.given("Offset") ? "Offset" : "Cyclic", "has no effect with To = ground. Remove the entry");
  if (!p.given("From"))
    p.fail("From", "needs the name of a point or group");
  return model.find({from}, p, "From");
}

std::vector<std::pair<int, int>> Ends::pairs(const DiscreteModel &model, const Parameters &p) const
{
  for (const char *entry : {"From", "To"})
    if (!p.given(entry))
      p.fail(entry, "needs the name of a point or group");
  if (!anchor.empty())
    p.fail("Anchor", "has no effect: a line ends there with To = ground");
  const std::vector<int> starts = model.find({from}, p, "From"), ends = model.find({to}, p, "To");
  const int n = starts.size(), m = ends.size();
  const bool one = n == 1 || m == 1;
  if (one && (p.given("Offset") || p.given("Cyclic")))
    p.fail(p.given("Offset") ? "Offset" : "Cyclic",
           "has no effect: one end is a single point, which is joined with every point of the other end. Remove the entry");
  std::vector<std::pair<int, int>> result;
  for (const int shift : offset)
    for (int k = 0; k < (one ? n * m : n); ++k)
    {
      const int far = one ? k % m : cyclic ? ((k + shift) % m + m) % m : k + shift;
      if (far < 0 || far >= m)
        continue;
      result.emplace_back(starts[one ? k / m : k], ends[far]);
      if (result.back().first == result.back().second)
        p.fail("To",
               fmt::format("point '{}' would be joined with itself. Within a group set Offset = 1 (or more)", model.name_of(ends[far])));
    }
  std::set<std::pair<int, int>> joined;
  for (const auto &[a, b] : result)
    if (!joined.insert(std::minmax(a, b)).second)
      p.fail("Offset", fmt::format("joins '{}' and '{}' twice. Give each pair once", model.name_of(a), model.name_of(b)));
  if (result.empty())
    p.fail("Offset", fmt::format("joins no points: the groups have {} and {}", n, m));
  return result;
}

void FormulaPlaces::declare(Parameters &p, const std::string &what)
{
  p.add("Points", points, "points or groups: " + what + " each of them, a formula of x, y, z");
  ends.declare(p);
}

FormulaPlaces::Sets FormulaPlaces::sets(const DiscreteModel &model, const Parameters &p) const
{
  const int n = model.dimension(), all = model.parts.points.size();
  const bool each = p.given("Points"), paired = Ends::given(p);
  if (each && paired)
    p.fail("Points", "a formula is taken of Points, or of pairs From and To. Remove one of them");
  Sets sets;
  const auto add = [&](std::initializer_list<std::pair<std::string, int>> ends) {
    sets.dofs.emplace_back();
    for (const auto &[of, point] : ends)
      sets.add(of, point, n);
  };
  if (paired)
    for (const auto &[from, to] : ends.pairs(model, p))
      add({{"from.", from}, {"to.", to}});
  else if (each)
    for (const int k : model.find(points, p, "Points"))
      add({{"", k}});
  else if (all == 1)
    add({{"", 0}, {model.name_of(0) + ".", 0}});
  else
  {
    sets.dofs.emplace_back();
    for (int k = 0; k < all; ++k)
      sets.add(model.name_of(k) + ".", k, n);
  }
  return sets;
}

void FormulaPlaces::Sets::add(const std::string &of, const int point, const int dimension)
{
  for (int d = 0; d < dimension; ++d)
  {
    if (dofs.size() == 1)
      names.push_back(of + coordinate_names[d]);
    dofs.back().push_back(dimension * point + d);
  }
}

namespace
{
/// Where the points start.
void refuse_kinks(const Expression &expression, const DiscreteModel &model, const Parameters &p, const std::vector<int> &coordinates)
{
  const std::vector<std::string> &names = expression.variables();
  for (std::size_t first = 0; first < coordinates.size(); first += names.size())
  {
    std::vector<double> z;
    for (std::size_t i = 0; i < names.size(); ++i)
    {
      const int dof = coordinates[first + i];
      z.push_back(model.parts.points[dof / model.dimension()].position[dof % model.dimension()] + model.displacement[dof]);
    }
    if (!std::isfinite(expression(z.data())))
      p.fail("Expression", fmt::format("is not finite where the points start, {} = {:g} of '{}'. Change the place, or the formula",
                                       names[0], z[0], model.name_of(coordinates[first] / model.dimension())));
    if (const int i = Formula{expression}.kink(z.data()); i >= 0)
      p.fail(
          "Expression",
          fmt::format(
              "is not differentiable where the points start: it, or its slope, jumps or is not finite across {} = {:g}, where '{}' starts. "
              "Change the place, or the formula (sqrt of 0, abs, step, min, max, division by 0)",
              names[i], z[i], model.name_of(coordinates[first + i] / model.dimension())));
  }
}
}  // namespace

void FormulaPlaces::complete(const std::string &text, const DiscreteModel &model, const Parameters &p, Expression &expression,
                             std::vector<int> &coordinates) const
{
  const Sets sets = this->sets(model, p);
  try
  {
    const Expression whole(text, sets.names);
    std::vector<std::string> used;
    std::vector<int> which;
    for (std::size_t i = 0; i < sets.names.size(); ++i)
      if (whole.uses(sets.names[i]))
      {
        used.push_back(sets.names[i]);
        which.push_back(i);
      }
    if (used.empty())
      p.fail("Expression", "holds no coordinate: it has no effect. Its variables are: " + join_some(sets.names));
    expression = Expression(text, used);
    for (const std::vector<int> &set : sets.dofs)
      for (const int i : which)
        coordinates.push_back(set[i]);
    refuse_kinks(expression, model, p, coordinates);
  }
  catch (const InputError &error)
  {
    const std::string what = error.what();
    if (what.compare(0, 7, "formula") != 0)
      throw;
    p.fail("Expression", what);
  }
}
}  // namespace symdyn
