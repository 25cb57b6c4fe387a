#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "materials/point/material_point.h"
#include "materials/section/material_section.h"
#include "solver/base/csv.h"
#include "solver/base/log.h"
#include "solver/base/names.h"
#include "solver/deck/deck.h"
#include "solver/error.h"
#include "solver/program/commands.h"
#include "solver/run/failed_point_file.h"

namespace symdyn
{
namespace
{
constexpr const char *components[6] = {"11", "22", "33", "12", "13", "23"};

/// A section of Materials, with its law; the rest of the deck is not looked at.
MaterialSection section_of(Deck &deck, const std::string &wanted)
{
  deck = materials_of(deck);
  Parameters all = deck.root().section("Materials");
  const std::vector<std::string> names = all.named_sections();
  if (names.empty())
    throw InputError(deck.name() + ": has no material. Add a section Materials with one inside");
  if (wanted.empty() && names.size() > 1)
    throw InputError(deck.name() + ": has the materials " + join(names) + ". Choose one with --material");
  const std::string name = wanted.empty() ? names.front() : wanted;
  if (std::find(names.begin(), names.end(), name) == names.end())
    throw InputError("--material " + name + ": is not in " + deck.name() + "; there are: " + join(nearest_first(name, names)));
  MaterialSection found;
  for (const std::string &other : names)
  {
    Parameters p = all.section(other);
    MaterialSection section;
    section.declare_entries(p);
    section.make_law(p);
    if (other == name)
      found = section;
  }
  deck.finish();
  return found;
}

/// A path: rows of times and of what is prescribed there.
struct Path
{
  CsvTable table;
  PathKind kind;

  std::optional<double> value(const std::string &name, const std::size_t row) const
  {
    if (!table.has(name))
      return {};
    return table.values[table.column(name)].at(row);
  }
  double time(const std::size_t row) const { return value("time", row).value_or(double(row + 1)); }

  /// A first row at t = 0 may say that the body is at rest.
  std::size_t first() const
  {
    if (table.rows() == 0 || !table.has("time") || time(0) != 0.)
      return 0;
    const bool rests = kind == PathKind::gradient ? gradient(0) == MaterialPoint::Gradient{{{1., 0., 0.}, {0., 1., 0.}, {0., 0., 1.}}}
                                                  : target(0).value == std::array<double, 6>{};
    return rests ? 1 : 0;
  }
  /// Errors: InputError for columns that are not of this kind of path.
  void check() const
  {
    std::vector<std::string> known{"time"};
    for (const char *c : components)
    {
      if (kind == PathKind::strain || kind == PathKind::mixed)
        known.push_back(std::string("e") + c);
      if (kind == PathKind::stress || kind == PathKind::mixed)
        known.push_back(std::string("s") + c);
    }
    for (int i = 1; i <= 3 && kind == PathKind::gradient; ++i)
      for (int j = 1; j <= 3; ++j)
        known.push_back(fmt::format("F{}{}", i, j));
    for (std::size_t k = 0; k < table.names.size(); ++k)
    {
      if (std::count(known.begin(), known.end(), table.names[k]) == 0)
        throw InputError(fmt::format("{}: column '{}' is not known; there are: {}", table.file, table.names[k], join(known)));
      if (!table.is_number[k])
        throw InputError(fmt::format("{}: column '{}' holds words. Write numbers", table.file, table.names[k]));
    }
    for (const char *c : components)
      if (table.has(std::string("e") + c) && table.has(std::string("s") + c))
        throw InputError(fmt::format("{}: both e{} and s{} are given. Remove one column", table.file, c, c));
    for (std::size_t row = first(); row < table.rows(); ++row)
      if (!(time(row) > (row == 0 ? 0. : time(row - 1))))
        throw InputError(fmt::format("{}: row {}: the time {:g} s is not after {:g} s. Times grow from 0", table.file, row + 1, time(row),
                                     row == 0 ? 0. : time(row - 1)));
  }
  MaterialPoint::Target target(const std::size_t row) const
  {
    MaterialPoint::Target target;
    for (int c = 0; c < 6; ++c)
    {
      const auto strain = value(std::string("e") + components[c], row), stress = value(std::string("s") + components[c], row);
      target.is_stress[c] = kind == PathKind::stress || (kind == PathKind::mixed && !strain);
      target.value[c] = (target.is_stress[c] ? stress : strain).value_or(0.);
    }
    return target;
  }
  MaterialPoint::Gradient gradient(const std::size_t row) const
  {
    MaterialPoint::Gradient F{};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        F[i][j] = value(fmt::format("F{}{}", i + 1, j + 1), row).value_or(i == j ? 1. : 0.);
    return F;
  }
};

std::string titles(const MaterialPoint &point)
{
  std::string text = "time [s]";
  for (const char *c : components)
    text += fmt::format(",e{}", c);
  for (const char *c : components)
    text += fmt::format(",s{} [Pa]", c);
  text += ",stored energy [J/m^3],dissipated [J/m^3]";
  for (const std::string &name : point.names())
    text += "," + name;
  return text + "\n";
}

std::string row_of(const MaterialPoint &point, const double t)
{
  std::string text = fmt::format("{:.12g}", t);
  for (const double value : point.strain())
    text += fmt::format(",{:.15g}", value);
  for (const double value : point.stress())
    text += fmt::format(",{:.15g}", value);
  text += fmt::format(",{:.15g},{:.15g}", point.stored_energy(), point.dissipated());
  for (const double value : point.memory())
    text += fmt::format(",{:.15g}", value);
  return text + "\n";
}

std::string drive(MaterialPoint &point, const Path &path, const int steps)
{
  std::string text = titles(point) + row_of(point, 0.);
  MaterialPoint::Gradient F{{{1., 0., 0.}, {0., 1., 0.}, {0., 0., 1.}}};
  for (std::size_t row = path.first(); row < path.table.rows(); ++row)
  {
    const double begin = row == 0 ? 0. : path.time(row - 1), dt = (path.time(row) - begin) / steps;
    const std::array<double, 6> strain = point.strain(), stress = point.stress();
    for (int k = 1; k <= steps; ++k)
    {
      const double s = double(k) / steps;
      try
      {
        if (path.kind == PathKind::gradient)
        {
          MaterialPoint::Gradient now = path.gradient(row);
          for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
              now[i][j] = F[i][j] + s * (now[i][j] - F[i][j]);
          point.step(now, dt);
        }
        else
        {
          MaterialPoint::Target target = path.target(row);
          for (int c = 0; c < 6; ++c)
          {
            const double from = target.is_stress[c] ? stress[c] : strain[c];
            target.value[c] = from + s * (target.value[c] - from);
          }
          point.step(target, dt);
        }
      }
      catch (const ComputationError &error)
      {
        throw ComputationError(fmt::format("{}, row {}, t = {:g} s: {}", path.table.file, row + 1, begin + k * dt, error.what()));
      }
      text += row_of(point, begin + k * dt);
    }
    F = path.gradient(row);
  }
  return text;
}
}  // namespace

std::string replay_point(const FailedPointFile &given, const std::string &file, const std::vector<std::string> &settings)
{
  const FailedPoint &point = given.point;
  Deck deck = Deck::from_text(given.materials, given.deck);
  for (const std::string &setting : settings)
    deck.set(setting);
  MaterialSection section = section_of(deck, point.material);
  if (point.prestrained)
    section.initial = [](unsigned int, const double *) { return InitialPoint(); };
  const std::shared_ptr<const Material> law = point.heated ? section.heated(1.) : section.in_body(1.);
  MaterialPoint alone(*law);
  alone.begin(point.memory);
  MaterialPoint::Gradient F;
  for (int i = 0; i < 9; ++i)
    F[i / 3][i % 3] = point.F[i];
  try
  {
    alone.step(F, point.dt);
  }
  catch (const ComputationError &error)
  {
    throw ComputationError(fmt::format("{}: fails again: {}. In the run {}", file, error.what(), point.text));
  }
  return titles(alone) + row_of(alone, point.dt);
}

std::string drive_point(Deck deck, const PointPath &given)
{
  if (given.steps < 1)
    throw InputError(fmt::format("--steps {}: must be at least 1", given.steps));
  const MaterialSection section = section_of(deck, given.material);
  const std::shared_ptr<Material> law = section.law;
  if (section.feels_heat())
    log_warning(deck.name() + ": a point alone has no temperature: Expansion and At temperatures have no effect");
  if (law->plane_stress())
    throw InputError(deck.name() + ": a point is in space, and Plane = stress of this law would hide its thickness. Remove the entry");
  const Path path{CsvTable::read(given.file), given.kind};
  path.check();
  MaterialPoint point(*law);
  return drive(point, path, given.steps);
}
}  // namespace symdyn
