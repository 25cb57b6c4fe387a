#include "elements/output/discrete_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "elements/lumped/model.h"
#include "elements/lumped/straight_springs.h"
#include "meshes/surface.h"
#include "solver/base/names.h"
#include "solver/error.h"
#include "solver/parameters.h"
#include "solver/vibration/mode_tables.h"

namespace symdyn
{
namespace
{
constexpr int integration_points = 8;  ///< of a bar in CalculiX, which makes a brick of it

/// Along the axes of the table, where it has any.
std::vector<double> along_axes(const PrintTable &table, const long number, const Place &X, std::vector<double> row)
{
  if (!table.axes.given() || (!table.axes_of.empty() && !std::count(table.axes_of.begin(), table.axes_of.end(), std::to_string(number))))
    return row;
  const auto axes = table.axes.at(dealii::Point<3>(X[0], X[1], X[2]));
  std::vector<double> turned(3, 0.);
  for (int k = 0; k < 3; ++k)
    for (int d = 0; d < 3; ++d)
      turned[k] += axes[k][d] * row[d];
  return turned;
}
}  // namespace

void DiscreteTables::Places::declare(Parameters &p)
{
  p.add("Lines", lines, "of a discrete structure, of a table of Elements: names of Springs of Law = small-displacement, of one line each");
  p.add("Areas", areas, "of these Lines: the areas that the stress is of [m^2]", positive());
}

void DiscreteTables::document(const Parameters &p)
{
  document_tables(p, 3);
  Parameters section = p.section("<name>");
  Places().declare(section);
}

void DiscreteTables::declare(Parameters p, const DiscreteModel &model, const SurfaceMesh *mesh)
{
  for (const std::string &name : p.named_sections())
  {
    Parameters section = p.section(name);
    places.emplace_back();
    places.back().declare(section);
  }
  declare_tables(p, model.dimension());
  for (std::size_t i = 0; i < tables.size(); ++i)
    if (const Parameters section = p.section(tables[i].name); mesh && !tables[i].elements.empty() && places[i].lines.empty())
      find_elements(places[i], tables[i], section, *mesh);
    else
      find(places[i], tables[i], section, model);
}

void DiscreteTables::find(Places &of_table, const PrintTable &table, const Parameters &p, const DiscreteModel &model) const
{
  if (!table.surface.empty())
    p.fail("Surface", "tables of surfaces are of solids. Print SF of Elements, or RF of Points");
  if (!table.contacts.empty())
    p.fail("Contacts", "are of solids, and this structure has none. Remove the entry, or *CONTACT PRINT of the .inp file");
  const bool nodes = table.elements.empty();
  const std::vector<std::string> &names = nodes ? table.points : of_table.lines;
  if (names.empty() && table.turning.empty())
    p.fail(nodes ? "Points" : "Lines",
           nodes ? "a table of a discrete structure needs them" : "a table of elements of a discrete structure needs them");
  if (nodes && !(of_table.lines.empty() && of_table.areas.empty()))
    p.fail("Lines", "and Areas are for tables of Elements. Remove the entry");
  if (!nodes && of_table.areas.size() != names.size())
    p.fail("Areas", fmt::format("are {} for {} lines. Give one a line", of_table.areas.size(), names.size()));
  if (!nodes && table.quantities != std::vector<std::string>{"S"})
    p.fail("Quantities", "of lines there is S alone");
  if (nodes)
    of_table.points = model.find(names, p, "Points");
  else
    for (const std::string &name : names)
    {
      const auto &terms = model.parts.terms;
      const auto springs = [](const auto &one) { return dynamic_cast<const StraightSprings *>(one.get()); };
      const auto term =
          std::find_if(terms.begin(), terms.end(), [&](const auto &one) { return one->name == name && one->quadratic() && springs(one); });
      if (term == terms.end())
        p.fail("Lines", fmt::format("'{}': there are no such Springs of Law = small-displacement", name));
      if (const auto &lines = springs(*term)->springs; lines.size() != 1)
        p.fail("Lines", fmt::format("'{}' are {} springs, and a line is one. Make a section of Springs for each", name, lines.size()));
      else if (lines.front().directed)
        p.fail(
            "Lines",
            fmt::format(
                "'{}' has a Direction, which is no line between its ends: it has no stress. Take it out of the Lines, and print RF of its points",
                name));
      of_table.points.push_back(term - terms.begin());
    }
  if (table.numbers.size() != of_table.points.size())
    p.fail("Numbers",
           fmt::format("are {} for {} {}. Give one each", table.numbers.size(), of_table.points.size(), nodes ? "points" : "lines"));
}

void DiscreteTables::find_elements(Places &of_table, const PrintTable &table, const Parameters &p, const SurfaceMesh &mesh) const
{
  const auto set = mesh.printed.find(table.elements);
  if (set == mesh.printed.end())
    p.fail("Elements",
           fmt::format("'{}': the mesh's .inp file has no *EL PRINT of this set. Add one, or take another set", table.elements));
  of_table.elements = {set->second.begin(), set->second.end()};
  for (const std::string &quantity : table.quantities)
    if (quantity != "SF" && quantity != "S")
      p.fail("Quantities", fmt::format("'{}' is not written of beams and shells; there are SF and S", quantity));
  if (!of_table.areas.empty())
    p.fail("Areas", "is for tables of Lines. Remove the entry");
  if (!table.numbers.empty())
    p.fail("Numbers", "is for tables of Points and Lines. Remove the entry");
  if (table.axes.given())
    p.fail("Axes", "section forces are along the axes of their section. Remove the entry");
}

std::string DiscreteTables::print(const LumpedParts &parts, const Motion &motion, const double t, const OutputTime &moment) const
{
  std::string text;
  for (std::size_t i = 0; i < tables.size(); ++i)
    if (tables[i].now)
      text += written(i, parts, motion, tables[i].time(moment, t));
  return text;
}

std::string DiscreteTables::print(const LumpedParts &parts, const Motion &motion, const PrintedField &field, const OutputTime &moment) const
{
  std::string text;
  for (std::size_t i = 0; i < tables.size(); ++i)
    if (tables[i].stage == moment.stage)
    {
      for (const std::string &quantity : tables[i].quantities)
        if (quantity == "V" || quantity == "NT")
          throw InputError(fmt::format("{}: {} of modes and of harmonic vibration is not written. Leave it out of the Quantities",
                                       tables[i].where, quantity));
      text += written(i, parts, motion, tables[i].time(field));
    }
  return text.empty() ? text : field.heading + text;
}

std::string DiscreteTables::written(const std::size_t number, const LumpedParts &parts, const Motion &motion, const double time) const
{
  const PrintTable &table = tables[number];
  const int n = parts.dimension;
  std::string text;
  for (const std::string &quantity : table.quantities)
  {
    if (!places[number].elements.empty())
    {
      for (const auto &[title, rows] : motion.of_elements(quantity, places[number].elements))
      {
        text += fmt::format("\n {} for set {} and time {}\n\n", title, table.elements, fortran(time));
        for (const ElementRow &row : rows)
          text += table_row(fmt::format("{:10d} {:3d}", row.element, row.point), row.values);
      }
      continue;
    }
    if (quantity == "S")
    {
      text += stresses(number, parts, motion, time);
      continue;
    }
    if (quantity == "NT")
    {
      text += temperatures(number, motion, time);
      continue;
    }
    const std::vector<double> &field = quantity == "U" ? motion.u : quantity == "V" ? motion.v : motion.forces;
    PrintTable::Rows rows, global;
    for (std::size_t k = 0; k < table.numbers.size(); ++k)
    {
      const int point = places[number].points[k];
      std::vector<double> row(3, 0.);
      for (int d = 0; d < n; ++d)
        row[d] = field[n * point + d];
      global[table.numbers[k]] = row;
      rows[table.numbers[k]] = along_axes(table, table.numbers[k], parts.points[point].position, row);
    }
    table.add_rotations(quantity, motion.rotations, rows);
    text += table.of_rows(quantity, rows, global, time);
  }
  return text;
}

bool DiscreteTables::prints_temperatures(std::string &where) const
{
  const auto table = std::find_if(tables.begin(), tables.end(),
                                  [](const PrintTable &one) { return std::count(one.quantities.begin(), one.quantities.end(), "NT") > 0; });
  where = table == tables.end() ? "" : table->where;
  return table != tables.end();
}

std::string DiscreteTables::temperatures(const std::size_t number, const Motion &motion, const double time) const
{
  const PrintTable &table = tables[number];
  PrintTable::Rows rows;
  for (std::size_t k = 0; k < table.numbers.size(); ++k)
    if (const double T = motion.temperatures[places[number].points[k]]; !std::isnan(T))
      rows[table.numbers[k]] = {T};
  return table.of_rows("NT", rows, rows, time);
}

std::string DiscreteTables::stresses(const std::size_t number, const LumpedParts &parts, const Motion &motion, const double time) const
{
  const PrintTable &table = tables[number];
  std::vector<double> x = parts.positions();
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] += motion.u[i];
  std::string text =
      fmt::format("\n stresses (elem, integ.pnt.,sxx,syy,szz,sxy,sxz,syz) for set {} and time {}\n\n", table.elements, fortran(time));
  for (std::size_t k = 0; k < table.numbers.size(); ++k)
    motion.terms[places[number].points[k]]->draw(x.data(), [&](const Line &line) {
      const Place &from = parts.points[line.from].position, &to = line.to < 0 ? line.place : parts.points[line.to].position;
      const double L = std::hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]), stress = line.tension / places[number].areas[k];
      dealii::SymmetricTensor<2, 3> tensor;
      for (int i = 0; i < 3; ++i)
        for (int j = i; j < 3; ++j)
          tensor[i][j] = stress * (to[i] - from[i]) * (to[j] - from[j]) / (L * L);
      if (table.axes.given())
        tensor = table.axes.components(tensor);
      for (int point = 1; point <= integration_points; ++point)
        text += table_row(fmt::format("{:10d} {:3d}", table.numbers[k], point),
                          {tensor[0][0], tensor[1][1], tensor[2][2], tensor[0][1], tensor[0][2], tensor[1][2]});
    });
  return text;
}
}  // namespace symdyn
