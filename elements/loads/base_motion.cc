#include "elements/loads/base_motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "solver/base/acceleration_unit.h"
#include "solver/base/log.h"
#include "solver/deck/formula/step_mean.h"
#include "solver/error.h"
#include "solver/parameters.h"
#include "solver/unknowns.h"

namespace symdyn
{
void BaseMotion::add_entries(Parameters &p)
{
  p.add("File", file,
        "record of the acceleration: lines `t value` (with Direction) or `t` and a value for each component; relative to the deck");
  p.add("Unit", unit, std::string("of the values: ") + AccelerationUnit::help, AccelerationUnit::names());
  p.add("Scale", scale, "factor of the values [-]");
  p.add("Direction", direction, "of a record with one column of values; only its direction counts");
  p.add("Start", delay, "the time of the run at which the record's t = 0 stands [s]", not_negative());
  p.add("Frame", frame, "relative: displacements from the moving base, inertia as a load; absolute: displacements in space, supports move",
        {"relative", "absolute"});
}

void BaseMotion::document(Parameters p) { BaseMotion().add_entries(p); }

std::shared_ptr<BaseMotion> BaseMotion::read(Parameters root, const int dimension)
{
  const Parameters p = root.section("Base motion");
  if (!p.exists())
    return nullptr;
  auto base = std::make_shared<BaseMotion>();
  base->declare(p, dimension, Units::of(root));
  return base;
}

double BaseMotion::factor(const Parameters &p) const
{
  const double size = AccelerationUnit::in_deck(unit, units);
  if (size == 0.)
    p.fail("Unit", AccelerationUnit::unknown);
  return scale * size;
}

void BaseMotion::declare(Parameters p, const int dimension, const Units &given)
{
  units = given;
  add_entries(p);
  where = p.where();
  where_frame = p.where("Frame");
  if (file.empty())
    p.fail("File", "the motion of a base needs its record");
  if (!p.given("Unit"))
    p.fail("Unit", "a record needs the unit of its values: m/s2, g, cm/s2, gal or deck");
  if (scale == 0.)
    p.fail("Scale", "is zero: the record has no effect. Remove the section");
  g = AccelerationUnit::in_deck("g", units);
  file_entry = p.where("File");
  tables = read_record(p, dimension);
  end = tables.front().times().back();
  components.assign(dimension, nullptr);
  for (int d = 0; d < dimension; ++d)
    if (tables[d].largest() > 0.)
      components[d] = std::make_shared<TimeIntegral>(tables[d], 2, TimeIntegral::Beyond::zero);
  if (std::none_of(components.begin(), components.end(), [](const auto &component) { return bool(component); }))
    p.fail("File", "all accelerations are zero: the record has no effect. Remove the section");
}

/// A table of each component in the units of the deck.
std::vector<Table> BaseMotion::read_record(const Parameters &p, const int dimension)
{
  std::vector<Table> columns;
  try
  {
    columns = Table::read_columns(p.file_path(file));
  }
  catch (const InputError &error)
  {
    p.fail("File", error.what());
  }
  if (columns.front().times().front() + delay < 0.)
    p.fail("File", fmt::format("begins at t = {:g} s, before the run. Raise \"Start\" to {:g}", columns.front().times().front(),
                               -columns.front().times().front()));
  const double size = factor(p);
  const bool single = columns.size() == 1;
  if (!single && int(columns.size()) != dimension)
    p.fail("File", fmt::format("has {} columns of values; it needs one (with Direction), or {}: one for each component", columns.size(),
                               dimension));
  if (!single && p.given("Direction"))
    p.fail("Direction", "has no effect: the file has a column for each component. Remove the entry");
  const double length = std::sqrt(std::inner_product(direction.begin(), direction.end(), direction.begin(), 0.));
  if (single && (int(direction.size()) != dimension || length == 0.))
    p.fail("Direction", fmt::format("a record with one column of values needs {} components, not all zero", dimension));
  std::vector<Table> result;
  for (int d = 0; d < dimension; ++d)
    result.push_back(single ? columns[0].changed(delay, size * direction[d] / length) : columns[d].changed(delay, size));
  return result;
}

double BaseMotion::acceleration(const int direction, const Moment &now) const
{
  return now.averaging.on() && moves(direction) ? StepMean(now.averaging)(tables[direction], now.t, StepMean::Beyond::zero)
                                                : along(direction, now.t).dd;
}

void BaseMotion::add_load(const Moment &now, const std::vector<Vector> &patterns, const bool static_now, Vector &f) const
{
  for (std::size_t d = 0; d < patterns.size(); ++d)
  {
    const Jet<double> motion = along(d, now.t);
    if (relative() && static_now && motion.dd != 0.)
      throw InputError(fmt::format(
          "{}: the base accelerates by {:.3g}{} at t = {:g}{}, the time of a static stage, which knows no inertia. Let the record begin "
          "with 0 there, or begin later: raise \"Start\"",
          where, motion.dd, Units::after(units.length + "/" + units.time + "^2"), now.t, Units::after(units.time)));
    if (static_now)  // C does not enter
      continue;
    if (const double factor = relative() ? -acceleration(d, now) : motion.d; factor != 0.)
      f.add(factor, patterns[d]);
  }
}

void BaseMotion::add_tables(std::vector<DrivingTable> &driving) const
{
  constexpr double beside = 1e-9;  // of the length of the record
  for (int d = 0; d < dimension(); ++d)
  {
    if (!moves(d))
      continue;
    std::vector<double> t = tables[d].times(), a = tables[d].values();
    const double gap = beside * std::max(t.back() - t.front(), std::abs(t.back()));
    if (a.front() != 0.)
    {
      t.insert(t.begin(), t.front() - gap);
      a.insert(a.begin(), 0.);
    }
    if (a.back() != 0.)
    {
      t.push_back(t.back() + gap);
      a.push_back(0.);
    }
    driving.push_back({fmt::format("base motion along {}", "xyz"[d]), Table::of(t, a), relative(), relative(), false, false});
  }
}

void BaseMotion::carry(const double t, const std::vector<Vector> &held, Vector &q, Vector &v, Vector &a) const
{
  for (std::size_t d = 0; d < held.size(); ++d)
  {
    const Jet<double> motion = along(d, t);
    q.add(motion.x, held[d]);
    v.add(motion.d, held[d]);
    a.add(motion.dd, held[d]);
  }
}

void BaseMotion::check(const MechanicalSystem &system, const std::string &grounded) const
{
  if (!relative() && !grounded.empty())
    throw InputError(fmt::format(
        "{}: '{}' holds to a place in space, which does not move with the base. Join it to a Fixed point in the place of the ground "
        "(it moves with the base), or set Frame = relative",
        where_frame, grounded));
  Vector e = system.new_vector(), q = system.new_vector();
  for (int d = 0; d < dimension(); ++d)
  {
    system.unknowns().generator(d, q, e);
    system.project_prescribed(e);
    if (moves(d) && grounded.empty() && e.linfty_norm() < 1e-6)
      throw InputError(fmt::format(
          "{}: the base moves along {}, where no support holds the structure to it: the record has no effect there. Add a support, "
          "or leave this component out",
          where, "xyz"[d]));
  }
}

std::string BaseMotion::report() const
{
  double a = 0, v = 0, u = 0, rest = 0;
  for (int d = 0; d < dimension(); ++d)
  {
    a = std::max(a, tables[d].largest());
    for (const double t : tables[d].times())
    {
      v = std::max(v, std::abs(along(d, t).d));
      u = std::max(u, std::abs(along(d, t).x));
    }
    rest = std::max(rest, std::abs(along(d, end).d));
  }
  const std::string length = units.length, time = units.time;
  return fmt::format(
      "base motion ({} frame): t = {:g} ... {:g}{}; largest components: acceleration {:.4g}{}{}, velocity {:.4g}{}, displacement {:.4g}{}; velocity left "
      "at the end {:.3g}{}",
      frame, tables.front().times().front(), end, Units::after(time), a, Units::after(length + "/" + time + "^2"),
      g > 0. ? fmt::format(" ({:.4g} g)", a / g) : "", v, Units::after(length + "/" + time), u, Units::after(length), rest,
      Units::after(length + "/" + time));
}

void BaseMotion::watch(const double t) const
{
  constexpr double rounding = 1e-9;
  if (ended || t <= end * (1. + rounding))
    return;
  ended = true;
  log_warning(fmt::format("{}: the record ends at t = {:g}{}, before the run: the acceleration of the base is zero from there on",
                          file_entry, end, Units::after(units.time)));
}

std::vector<Column> BaseMotion::columns() const
{
  std::vector<Column> columns;
  const std::string labels[] = {units.length, units.length + "/" + units.time, units.length + "/" + units.time + "^2"};
  for (int k = 0; k < 3; ++k)
    for (int d = 0; d < dimension(); ++d)
      columns.push_back({fmt::format("base.{}_{}", "uva"[k], "xyz"[d]), labels[k], Kind::prescribed_motion});
  return columns;
}

void BaseMotion::add_values(const double t, std::vector<double> &values) const
{
  watch(t);
  std::vector<Jet<double>> now;
  for (int d = 0; d < dimension(); ++d)
    now.push_back(along(d, t));
  for (const auto part : {&Jet<double>::x, &Jet<double>::d, &Jet<double>::dd})
    for (const Jet<double> &component : now)
      values.push_back(component.*part);
}
}  // namespace symdyn
