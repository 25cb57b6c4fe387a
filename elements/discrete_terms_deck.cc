#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "elements/discrete.h"
#include "solver/error.h"
#include "solver/parameters.h"

// How a deck describes what acts between points and on them.
namespace symdyn
{
namespace
{
const std::string axes = "xyz";
constexpr std::size_t names_in_message = 12;
}  // namespace

std::string join_some(std::vector<std::string> names)
{
  if (names.size() <= names_in_message)
    return join(names);
  names.resize(names_in_message);
  return join(names) + ", ...";
}

struct Discrete::BarEntries
{
  Ends ends;
  std::string law = "green-lagrange";
  double EA = 0, stiffness = 0, length = 0;
  std::vector<double> anchor;
  bool stiff = false;

  void declare(Parameters &p)
  {
    ends.declare(p);
    p.add("Anchor", anchor, "the place that To = ground means [m]");
    p.add("Law", law, "with s = l^2: green-lagrange: EA/(8 L^3) (s - L^2)^2; squared: k/2 (s - L^2)^2", {"green-lagrange", "squared"});
    p.add("EA", EA, "stiffness of green-lagrange [N]", positive());
    p.add("Stiffness", stiffness, "k of squared [N/m^3]", positive());
    p.add("Length", length, "L [m]; default: the distance of the positions", positive());
    p.add("Stiff", stiff, "belongs to the stiff part of V, for schemes that treat it apart");
  }
};

struct Discrete::PotentialEntries
{
  std::string text;
  std::vector<std::string> points;
  Ends ends;
  bool stiff = false;

  void declare(Parameters &p)
  {
    p.add("Expression", text, "V [J], a formula of present coordinates NAME.x, NAME.y, NAME.z; of x, y, z if there is one point");
    p.add("Points", points, "points or groups: V is summed over them, a formula of x, y, z of each");
    ends.declare(p);
    p.add("Stiff", stiff, "belongs to the stiff part of V, for schemes that treat it apart");
  }
};

void Discrete::Ends::declare(Parameters &p)
{
  p.add("From", from, "point or group");
  p.add("To", to, "point or group; of a bar also: ground. One point is joined with every one of a group");
  p.add("Offset", offset, "of two groups: joins point k with point k + Offset, for every Offset of the list", between(-100000, 100000));
  p.add("Cyclic", cyclic, "k + Offset starts again after the last point of To");
}

bool Discrete::Ends::given(const Parameters &p) const { return p.given("From") || p.given("To") || p.given("Offset") || p.given("Cyclic"); }

std::vector<std::pair<int, int>> Discrete::pairs(const Ends &ends, const Parameters &p) const
{
  for (const char *entry : {"From", "To"})
    if (!p.given(entry))
      p.fail(entry, "needs the name of a point or group");
  const std::vector<int> from = find({ends.from}, p, "From"), to = find({ends.to}, p, "To");
  const int n = from.size(), m = to.size();
  const bool one = n == 1 || m == 1;
  if (one && (p.given("Offset") || p.given("Cyclic")))
    p.fail(p.given("Offset") ? "Offset" : "Cyclic", "has no effect: one end is a single point, which is joined with every point of the other end. Remove the entry");
  std::vector<std::pair<int, int>> result;
  for (const int offset : ends.offset)
    for (int k = 0; k < (one ? n * m : n); ++k)
    {
      const int far = one ? k % m : ends.cyclic ? ((k + offset) % m + m) % m : k + offset;
      if (far < 0 || far >= m)
        continue;
      result.emplace_back(from[one ? k / m : k], to[far]);
      if (result.back().first == result.back().second)
        p.fail("To", fmt::format("point '{}' would be joined with itself. Within a group set Offset = 1 (or more)", parts.points[to[far]].name));
    }
  std::set<std::pair<int, int>> joined;
  for (const auto &[a, b] : result)
    if (!joined.insert(std::minmax(a, b)).second)
      p.fail("Offset", fmt::format("joins '{}' and '{}' twice. Give each pair once", parts.points[a].name, parts.points[b].name));
  if (result.empty())
    p.fail("Offset", fmt::format("joins no points: the groups have {} and {}", n, m));
  return result;
}

void Discrete::declare_bar(Parameters p)
{
  BarEntries entries;
  entries.declare(p);
  const bool squared = entries.law == "squared", to_ground = entries.ends.to == Ends::ground;
  const std::string needed = squared ? "Stiffness" : "EA", other = squared ? "EA" : "Stiffness";
  if (!p.given(needed))
    p.fail(needed, "a bar of law " + entries.law + " needs it");
  if (p.given(other))
    p.fail(other, "has no effect with Law = " + entries.law + ". Remove the entry");
  if (to_ground != !entries.anchor.empty())
    p.fail("Anchor", to_ground ? "a bar to the ground needs the place where it ends [m]" : "has no effect: a bar ends there with To = ground");
  if (to_ground && int(entries.anchor.size()) != parts.dimension)
    p.fail("Anchor", fmt::format("needs {} components separated by commas", parts.dimension));
  if (to_ground && (p.given("Offset") || p.given("Cyclic")))
    p.fail(p.given("Offset") ? "Offset" : "Cyclic", "has no effect with To = ground. Remove the entry");
  Bar bar;
  bar.dimension = parts.dimension;
  bar.stiff = entries.stiff;
  std::copy(entries.anchor.begin(), entries.anchor.end(), bar.anchor.begin());
  std::vector<std::pair<int, int>> ends;
  if (to_ground)
    for (const int k : find({entries.ends.from}, p, "From"))
      ends.emplace_back(k, -1);
  else
    ends = pairs(entries.ends, p);
  for (const auto &[from, to] : ends)
  {
    bar.from = from;
    bar.to = to;
    double s = 0;
    for (int d = 0; d < parts.dimension; ++d)
      s += std::pow((to < 0 ? bar.anchor[d] : parts.points[to].position[d]) - parts.points[from].position[d], 2);
    bar.length = entries.length > 0. ? entries.length : std::sqrt(s);
    if (bar.length == 0.)
      p.fail("Length", fmt::format("the bar from '{}' to '{}' has length zero. Move a point, or give the length", parts.points[from].name,
                                   to < 0 ? Ends::ground : parts.points[to].name));
    bar.k = squared ? entries.stiffness : entries.EA / (4. * std::pow(bar.length, 3));
    parts.bars.push_back(bar);
  }
}

namespace
{
struct DashpotEntries
{
  std::vector<std::string> points;
  double coefficient = 0;
  void declare(Parameters &p)
  {
    p.add("Points", points, "points and groups");
    p.add("Coefficient", coefficient, "c of f = c v, to the ground, for each point [N s/m]", positive());
  }
};

struct ForceEntries
{
  std::vector<std::string> points;
  std::vector<Expression> force;
  void declare(Parameters &p)
  {
    p.add("Points", points, "points and groups");
    p.add("Force", force, "components on each point [N], expressions of t");
  }
};
}  // namespace

void Discrete::declare_dashpot(Parameters p)
{
  DashpotEntries entries;
  entries.declare(p);
  for (const char *entry : {"Points", "Coefficient"})
    if (!p.given(entry))
      p.fail(entry, "a dashpot needs it");
  parts.dashpots.resize(parts.points.size(), 0.);
  for (const int k : find(entries.points, p, "Points"))
    parts.dashpots[k] += entries.coefficient;
}

void Discrete::declare_force(const std::string &name, Parameters p)
{
  ForceEntries entries;
  entries.declare(p);
  if (!p.given("Points"))
    p.fail("Points", "a force needs the points where it acts");
  if (int(entries.force.size()) != parts.dimension)
    p.fail("Force", fmt::format("needs {} components separated by commas", parts.dimension));
  bool zero = true;
  for (const Expression &component : entries.force)
  {
    zero = zero && component.is_zero();
    for (const char *variable : {"x", "y", "z"})
      if (component.uses(variable))
        p.fail("Force", "depends on t alone. A force that depends on coordinates is a potential");
  }
  if (zero)
    p.fail("Force", "is zero: it has no effect. Remove the section");
  for (const int k : find(entries.points, p, "Points"))
    parts.loads.push_back({k, entries.force});
  force_names.push_back(fmt::format("{} (on {})", name, join(entries.points)));
}

void Discrete::complete(FormulaPotential &potential, const std::vector<std::string> &names, const std::vector<std::vector<int>> &sets,
                        const std::string &text, const Parameters &p) const
{
  try
  {
    const Expression all(text, names);
    std::vector<std::string> used;
    std::vector<int> which;
    for (std::size_t i = 0; i < names.size(); ++i)
      if (all.uses(names[i]))
      {
        used.push_back(names[i]);
        which.push_back(i);
      }
    if (used.empty())
      p.fail("Expression", "holds no coordinate: it has no effect. Its variables are: " + join_some(names));
    potential.expression = Expression(text, used);
    potential.variables = used.size();
    for (const std::vector<int> &set : sets)
      for (const int i : which)
        potential.coordinates.push_back(set[i]);
  }
  catch (const InputError &error)
  {
    const std::string what = error.what();
    if (what.compare(0, 7, "formula") != 0)
      throw;
    p.fail("Expression", what);
  }
}

void Discrete::declare_potential(const std::string &name, Parameters p)
{
  PotentialEntries entries;
  entries.declare(p);
  if (!p.given("Expression"))
    p.fail("Expression", "a potential needs its formula [J]");
  const int n = parts.dimension;
  const bool each = p.given("Points"), paired = entries.ends.given(p);
  if (each && paired)
    p.fail("Points", "a potential is summed over Points, or over pairs From and To. Remove one of them");
  std::vector<std::string> names;
  std::vector<std::vector<int>> sets;
  const auto add = [&](const std::string &of, const int point, std::vector<int> &set) {
    for (int d = 0; d < n; ++d)
    {
      if (sets.empty())
        names.push_back(of + axes[d]);
      set.push_back(n * point + d);
    }
  };
  if (paired)
    for (const auto &[from, to] : pairs(entries.ends, p))
    {
      std::vector<int> set;
      add("from.", from, set);
      add("to.", to, set);
      sets.push_back(set);
    }
  else if (each || parts.points.size() == 1)
    for (const int k : each ? find(entries.points, p, "Points") : std::vector<int>{0})
    {
      std::vector<int> set;
      add("", k, set);
      sets.push_back(set);
    }
  else
  {
    std::vector<int> set;
    for (std::size_t k = 0; k < parts.points.size(); ++k)
      add(parts.points[k].name + ".", k, set);
    sets.push_back(set);
  }
  if (!each && !paired && parts.points.size() == 1)  // the long names, too
    for (int d = 0; d < n; ++d)
    {
      names.push_back(parts.points[0].name + "." + axes[d]);
      sets[0].push_back(d);
    }
  FormulaPotential potential;
  potential.name = name;
  potential.stiff = entries.stiff;
  complete(potential, names, sets, entries.text, p);
  parts.formulas.push_back(potential);
}

void Discrete::declare_terms(Parameters &root)
{
  Parameters bars = root.section("Bars"), dashpots = root.section("Dashpots"), forces = root.section("Forces"),
             potentials = root.section("Potentials");
  for (const std::string &name : bars.named_sections())
    declare_bar(bars.section(name));
  for (const std::string &name : dashpots.named_sections())
    declare_dashpot(dashpots.section(name));
  for (const std::string &name : forces.named_sections())
    declare_force(name, forces.section(name));
  for (const std::string &name : potentials.named_sections())
    declare_potential(name, potentials.section(name));
}

void Discrete::document_terms(Parameters &root)
{
  Parameters bar = root.section("Bars").section("<name>"), dashpot = root.section("Dashpots").section("<name>"),
             force = root.section("Forces").section("<name>"), potential = root.section("Potentials").section("<name>");
  BarEntries().declare(bar);
  DashpotEntries().declare(dashpot);
  ForceEntries().declare(force);
  PotentialEntries().declare(potential);
}
}  // namespace symdyn
