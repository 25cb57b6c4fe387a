#include "elements/temperature_field.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <sstream>

#include "solver/base/text_file.h"
#include "solver/error.h"
#include "solver/parameters.h"

namespace symdyn
{
namespace
{
/// Rows `node T_0` or `node T_0 T`: nodes, and their temperatures as constants.
void read_rows(const Parameters &p, const std::string &path, std::vector<std::string> &nodes,
               std::array<std::vector<Expression>, 2> &values)
{
  const TextFile file = TextFile::read(path);
  if (!file.fault.empty())
    p.fail("File", file.place(path) + " " + file.fault);
  std::size_t columns = 0;
  for (const auto &[line, text] : file.rows())
  {
    const std::string place = fmt::format("{}:{}: \"{}\"", path, line, shortened(text));
    std::istringstream row(text);
    std::string node;
    std::vector<double> T;
    row >> node;
    for (double value; row >> value;)
      T.push_back(value);
    if (!row.eof() || T.empty() || T.size() > 2)
      p.fail("File", place + " is not: node T_0, nor: node T_0 T");
    if (columns != 0 && T.size() != columns)
      p.fail("File", place + " has another number of temperatures than the rows before");
    columns = T.size();
    nodes.push_back(node);
    for (std::size_t k = 0; k < columns; ++k)
      values[k].emplace_back(T[k]);
  }
  if (nodes.empty())
    p.fail("File", path + " has no rows. Write lines: node T_0, or: node T_0 T");
}
}  // namespace

void TemperatureField::OfNodes::declare(Parameters &p)
{
  std::string file;
  p.add(
      "File", file,
      "instead of Nodes, Initial and Value: a file with rows `node T_0` or `node T_0 T`, a number or set of the mesh's file, its temperature "
      "at the start and what it becomes (times Amplitude)");
  p.add("Nodes", nodes, "numbers and names of node sets of the mesh's file");
  p.add("Initial", initial, "temperature at the start, one of all Nodes, or one for each of them; default: that of the whole body");
  p.add("Value", value,
        "temperature, an expression of x, y, z, t, one of all Nodes, or one for each of them; default: that of the whole body");
  amplitude.declare(p);
  starts = p.given("Initial");
  becomes = p.given("Value");
  where = p.where("Nodes");
  if (!file.empty())
  {
    for (const char *entry : {"Nodes", "Initial", "Value"})
      if (p.given(entry))
        p.fail(entry, "stands beside File, which has it. Remove one of both");
    where = p.where("File");
    std::array<std::vector<Expression>, 2> values;
    read_rows(p, p.file_path(file), nodes, values);
    initial = values[0];
    value = values[1];
    starts = true;
    becomes = !value.empty();
  }
  for (const auto &[name, values] : {std::pair{"Initial", &initial}, {"Value", &value}})
    if (values->size() > 1 && values->size() != nodes.size())
      p.fail(name, fmt::format("has {} values for {} names in Nodes. Give one, or as many", values->size(), nodes.size()));
  for (const Expression &one : initial)
    if (one.uses("t"))
      p.fail("Initial", "the temperature at the start depends on x, y, z alone. Give what follows as Value");
}

void TemperatureField::declare_entries(Parameters &p)
{
  p.add("Initial", initial,
        "temperature at the start, where nothing strains, an expression of x, y, z; default: the Reference temperature");
  p.add("Field", field,
        "temperature, an expression of x, y, z, t, from the start of a dynamic stage on; static stages go to it with their increments, but "
        "take a function of t as it is; default: that of the start");
  p.add("Gradient", slope,
        "of beams and shells, an expression of x, y, z, t: along the normal of shells and axis 1 of beams; a second one: along axis 2 of "
        "beams [K/m]; 0 at the start");
  starts = p.given("Initial");
  becomes = p.given("Field");
}

void TemperatureField::declare(Parameters p)
{
  if (!p.exists())
    return;
  place = p.where();
  declare_entries(p);
  if (initial.uses("t"))
    p.fail("Initial", "the temperature at the start depends on x, y, z alone. Give what follows as Field");
  if (slope.size() > 2)
    p.fail("Gradient", fmt::format("has {} values. Give 1, or 2 of beams", slope.size()));
  for (const std::string &name : p.named_sections())
  {
    Parameters section = p.section(name);
    OfNodes one;
    one.name = name;
    one.declare(section);
    if (one.nodes.empty())
      section.fail("Nodes", "needs node sets or numbers of nodes of the mesh's file");
    if (!one.starts && !one.becomes)
      section.fail("Value", "the section says no temperature. Give Value, Initial or both");
    if (!one.becomes && !one.amplitude.constant())
      section.fail("Amplitude", "has no effect without a Value. Give it, or remove the entry");
    of_nodes.push_back(one);
  }
  if (!starts && !becomes && of_nodes.empty() && slope.empty())
    p.fail("", "the section says no temperature. Give Initial and Field, or sections with Nodes");
}

void TemperatureField::document(Parameters p)
{
  declare_entries(p);
  Parameters section = p.section("<name>");
  OfNodes().declare(section);
}

bool TemperatureField::changes() const
{
  return becomes || has_gradient() || std::any_of(of_nodes.begin(), of_nodes.end(), [](const OfNodes &one) { return one.becomes; });
}

bool TemperatureField::changes_in_time() const
{
  const auto moves = [](const Expression &value) { return value.uses("t"); };
  const auto any_moves = [&moves](const std::vector<Expression> &values) { return std::any_of(values.begin(), values.end(), moves); };
  return (becomes && moves(field)) || any_moves(slope) || std::any_of(of_nodes.begin(), of_nodes.end(), [&](const OfNodes &one) {
           return one.becomes && (!one.amplitude.constant() || any_moves(one.value));
         });
}

double TemperatureField::finite(const double T, const std::string &where, const Expression &formula, const double *X, const int dim)
{
  if (!std::isfinite(T))
    throw InputError(fmt::format("{}: '{}' is {} at X = ({:.6g}, {:.6g}{}). Give a formula with a value at all nodes", where,
                                 formula.text(), T, X[0], X[1], dim == 3 ? fmt::format(", {:.6g}", X[2]) : ""));
  return T;
}

double TemperatureField::at_start(const double *X, const int dim, const Names &names) const
{
  double T = starts ? finite(initial.at(X, dim, 0.), place, initial, X, dim) : std::numeric_limits<double>::quiet_NaN();
  for (const auto &[section, k] : names)
    if (const OfNodes &one = of_nodes[section]; one.starts)
      T = finite(one.of(one.initial, k).at(X, dim, 0.), one.where, one.of(one.initial, k), X, dim);
  return T;
}

double TemperatureField::gradient(const std::size_t k, const double *X, const Moment &now) const
{
  return k < slope.size() ? finite(slope[k].at(X, 3, now.t), place, slope[k], X, 3) : 0.;
}

double TemperatureField::at(const double *X, const int dim, const Names &names, const Moment &now) const
{
  double T = becomes ? finite(field.at(X, dim, now.t), place, field, X, dim) : at_start(X, dim, names);
  for (const auto &[section, k] : names)
    if (const OfNodes &one = of_nodes[section]; one.becomes)
      T = finite(one.of(one.value, k).at(X, dim, now.t) * one.amplitude(now), one.where, one.of(one.value, k), X, dim);
  return T;
}
}  // namespace symdyn
