#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fstream>
#include <sstream>

#include "elements/discrete.h"
#include "elements/discrete_constraint.h"
#include "elements/linear_solver_deck.h"
#include "solver/error.h"
#include "solver/number.h"
#include "solver/parameters.h"

// How a deck describes points and bars.
namespace symdyn
{
namespace
{
constexpr std::size_t reported_by_default = 50;  ///< points

/// A name that formulas can use.
bool is_word(const std::string &name)
{
  return !name.empty() && std::isalpha(static_cast<unsigned char>(name[0])) &&
         std::all_of(name.begin(), name.end(), [](const unsigned char c) { return std::isalnum(c) || c == '_'; });
}
}  // namespace

struct Discrete::PointEntries
{
  double mass = 0;
  int count = 1;
  bool fixed = false;
  std::string file;
  std::vector<int> rows{1, 1};
  std::vector<std::vector<double>> data;  ///< the chosen rows
  std::vector<Expression> motion, position{Expression("0", {"i"})}, displacement{Expression("0", {"x", "y", "z", "i"})}, velocity = displacement;

  void declare(Parameters &p)
  {
    p.add("Mass", mass, "of each point [kg]; a fixed point needs none", positive());
    p.add("Count", count, "makes a group of so many points NAME0, NAME1, ...", between(1, 100000));
    p.add("Position", position, "components [m]; in a group, expressions of the number i = 0, 1, ...");
    p.add("Displacement", displacement, "components at t = 0 [m], expressions of the position x, y, z and of i");
    p.add("Velocity", velocity, "components at t = 0 [m/s], expressions of the position x, y, z and of i");
    p.add("File", file, "instead of Position and Velocity: a file with a row of components, first of x, then of v, for each point; relative to the deck");
    p.add("Rows", rows, "of the file: the first, and from each to the next; comments do not count", {1, 1000000});
    p.add("Fixed", fixed, "the point stays at its position, or moves as Motion says");
    p.add("Motion", motion, "displacement of a fixed point: components [m], expressions of t");
  }
};

void Discrete::declare(Parameters &root)
{
  declare_points(root);
  for (const std::string &kind : Registry<DiscreteSection>::instance().names())
  {
    Parameters section = root.section(kind);
    for (const std::string &name : section.named_sections())
      Registry<DiscreteSection>::instance().make(kind)->add_terms(name, section.section(name), model);
  }
  ConstraintSection().declare(root.section("Constraints"), model);
  LinearSolverChoice choice;
  choice.declare(root.section("Linear solver"));
  if (choice.type != "automatic")
    model.parts.linear_solver = choice.solver;
  model.parts.linear_tolerance = choice.tolerance;
}

void Discrete::declare_space(Parameters &p)
{
  p.add("Dimension", model.parts.dimension, "of the space: 1, 2 or 3", between(1, 3));
  p.add("Gravity", gravity, "components of g [m/s^2]: V = - sum m g.x");
  p.add("Report", report_names, "points and groups whose motion goes to history.csv; default: all, if there are not more than 50");
}

void Discrete::declare_points(Parameters &root)
{
  Parameters p = root.section("Points");
  declare_space(p);
  if (!gravity.empty())
    model.parts.gravity = model.place(gravity, "Gravity", p);
  for (const std::string &name : p.named_sections())
    declare_point(name, p.section(name));
  for (const std::string &kind : Registry<DiscreteSection>::instance().names())
  {
    Parameters section = root.section(kind);
    for (const std::string &name : section.named_sections())
      Registry<DiscreteSection>::instance().make(kind)->add_points(name, section.section(name), model);
  }
  if (model.parts.points.empty())
    p.fail("", "there is no point. Add one: subsection Points / subsection bob / set Mass = 1 / set Position = 0, 0, 0");
  declare_report(p);
}

void Discrete::declare_report(const Parameters &p)
{
  if (!report_names.empty())
    reported = model.find(report_names, p, "Report");
  else if (model.parts.points.size() <= reported_by_default)
    for (std::size_t k = 0; k < model.parts.points.size(); ++k)
      reported.push_back(k);
}

void Discrete::read_rows(PointEntries &entries, const Parameters &p) const
{
  for (const char *entry : {"Position", "Velocity"})
    if (p.given(entry))
      p.fail(entry, "is in the File. Remove one of them");
  if (entries.rows.size() != 2)
    p.fail("Rows", "are two numbers: the first row, and from each to the next");
  const std::string name = p.file_path(entries.file);
  std::ifstream stream(name);
  if (!stream)
    p.fail("File", name + " cannot be read");
  const std::size_t wanted = 2 * model.dimension(), count = entries.count;
  std::string line;
  for (int number = 1, row = 1; std::getline(stream, line) && entries.data.size() < count; ++number)
  {
    std::istringstream words(line.substr(0, line.find('#')));
    std::vector<double> values;
    for (std::string word; words >> word;)
    {
      const auto value = number_from<double>(word);
      if (!value)
        p.fail("File", fmt::format("{}:{}: '{}' is not a finite number", name, number, word));
      values.push_back(*value);
    }
    if (values.empty())
      continue;
    if (values.size() != wanted)
      p.fail("File", fmt::format("{}:{}: has {} numbers; a row has {}: the components of x, then of v", name, number, values.size(), wanted));
    if (row >= entries.rows[0] && (row - entries.rows[0]) % entries.rows[1] == 0)
      entries.data.push_back(values);
    ++row;
  }
  if (entries.data.size() < count)
    p.fail("File", fmt::format("{} has {} such rows; Count = {} points need as many", name, entries.data.size(), count));
}

void Discrete::declare_point(const std::string &name, Parameters p)
{
  PointEntries entries;
  entries.declare(p);
  if (!is_word(name) || name == Ends::ground || name == "from" || name == "to")
    p.fail("", fmt::format("a point's name is made of letters, digits and _, starts with a letter, and is not {}, from, to: formulas use it", Ends::ground));
  if (p.given("File"))
    read_rows(entries, p);
  else if (p.given("Rows"))
    p.fail("Rows", "has no effect without File. Remove the entry");
  else if (!p.given("Position"))
    p.fail("Position", "a point needs its position [m], or a File with it");
  if (!p.given("Mass") && !entries.fixed)
    p.fail("Mass", "a point that moves needs its mass [kg], > 0. Give it, or set Fixed = yes");
  if (entries.fixed)
    for (const char *entry : {"Displacement", "Velocity", "File"})
      if (p.given(entry))
        p.fail(entry, "a fixed point rests at its Position, which the deck gives. Remove the entry, or Fixed");
  if (!entries.motion.empty() && !entries.fixed)
    p.fail("Motion", "is of a fixed point. Set Fixed = yes, or remove the entry");
  if (!entries.motion.empty() && int(entries.motion.size()) != model.dimension())
    p.fail("Motion", fmt::format("needs {} components separated by commas", model.dimension()));
  for (int i = 0; i < entries.count; ++i)
    add_point(entries.count == 1 ? name : name + std::to_string(i), i, entries, p);
  if (entries.count > 1)
    model.add_group(name, entries.count, p);
}

void Discrete::add_point(const std::string &name, const int i, const PointEntries &entries, const Parameters &p)
{
  const int n = model.dimension();
  DiscreteSystem::Point point;
  point.name = name;
  point.mass = entries.mass;
  point.fixed = entries.fixed;
  point.motion = entries.motion;
  const bool in_file = !entries.data.empty();
  const std::vector<double> *row = in_file ? &entries.data[i] : nullptr;
  const std::vector<double> position = in_file ? std::vector<double>(row->begin(), row->begin() + n)
                                               : model.components(entries.position, {double(i)}, "Position", p);
  std::copy(position.begin(), position.end(), point.position.begin());
  const std::vector<double> variables{point.position[0], point.position[1], point.position[2], double(i)};
  const std::vector<double> none(n, 0.);
  const std::vector<double> u = p.given("Displacement") ? model.components(entries.displacement, variables, "Displacement", p) : none;
  const std::vector<double> v = in_file               ? std::vector<double>(row->begin() + n, row->end())
                                : p.given("Velocity") ? model.components(entries.velocity, variables, "Velocity", p)
                                                      : none;
  model.add_point(point, u, v, p);
}

void Discrete::document(Parameters &root)
{
  Parameters points = root.section("Points"), point = points.section("<name>");
  declare_space(points);
  PointEntries().declare(point);
  for (const std::string &kind : Registry<DiscreteSection>::instance().names())
    Registry<DiscreteSection>::instance().make(kind)->document(root.section(kind).section("<name>"));
  ConstraintSection::document(root.section("Constraints"));
  LinearSolverChoice().declare(root.section("Linear solver"));
}
}  // namespace symdyn
