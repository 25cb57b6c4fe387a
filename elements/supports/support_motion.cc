#include "elements/supports/support_motion.h"

#include <fmt/format.h>

#include <algorithm>

#include "solver/error.h"
#include "solver/parameters.h"

namespace symdyn
{
namespace
{
const char *const entries[] = {"Displacement", "Velocity", "Acceleration"};
const char *const start_entries[] = {"Initial displacement", "Initial velocity"};
}  // namespace

const std::vector<std::string> &SupportMotion::types()
{
  static const std::vector<std::string> names{"displacement", "velocity", "acceleration"};
  return names;
}

bool SupportMotion::is_type(const std::string &type) { return std::count(types().begin(), types().end(), type) > 0; }

void SupportMotion::add_entries(Parameters &p)
{
  p.renamed_value("Displacement", "stands", "hold");
  p.add(
      "Displacement", texts[0],
      "components [m]: each an expression of x, y, z, t, `free`, or `hold`: the value at the start of the support, in a later stage than the first");
  p.add("Velocity", texts[1],
        "components [m/s]: each an expression of t, or of x, y, z with an Amplitude of t, or `free`; integrated from t = 0");
  p.add("Acceleration", texts[2], "components [m/s^2]: the same, integrated twice");
  p.add("Initial displacement", start[0], "components at t = 0 [m], with Velocity or Acceleration; default: 0");
  p.add("Initial velocity", start[1], "components at t = 0 [m/s], with Acceleration; default: 0");
  amplitude.declare(p);
}

void SupportMotion::declare(Parameters &p, const std::string &type, const int dimension)
{
  add_entries(p);
  prescribed.assign(dimension, type == "fixed" || type == "pinned");
  resting.assign(dimension, true);
  standing.assign(dimension, false);
  field.assign(dimension, Expression(0.));
  integral.assign(dimension, nullptr);
  const bool moving = is_type(type);
  order = moving ? std::find(types().begin(), types().end(), type) - types().begin() : 0;
  for (int given = 0; given < 3; ++given)
    if (p.given(entries[given]) && !(moving && given == order))
      p.fail(entries[given], fmt::format("has no effect with Type = {}. Set Type = {}, or remove the entry", type, types()[given]));
  for (int given = 0; given < 2; ++given)
    if (p.given(start_entries[given]) && !(moving && given < order))
      p.fail(start_entries[given],
             fmt::format("has no effect with Type = {}: only what is integrated needs a start. Remove the entry", type));
  for (const char *entry : {"Amplitude", "Amplitude file", "Amplitude points"})
    if (!moving && p.given(entry))
      p.fail(entry, "has no effect: only Type = displacement, velocity or acceleration moves");
  if (!moving)
    return;
  read_components(p, dimension);
  read_start(p, dimension);
  for (int c = 0; c < dimension; ++c)
  {
    resting[c] = !prescribed[c] || (field[c].is_zero() && start[0][c] == 0. && start[1][c] == 0.);
    if (prescribed[c] && order > 0)
      integrate(p, c);
  }
}

void SupportMotion::read_components(const Parameters &p, const int dimension)
{
  const char *const entry = entries[order];
  const std::vector<std::string> &components = texts[order];
  if (int(components.size()) != dimension)
    p.fail(entry, fmt::format("needs {} components, e.g. {}", dimension, dimension == 3 ? "0, free, 0.1*sin(t)" : "free, 0"));
  for (int c = 0; c < dimension; ++c)
    if (order == 0 && components[c] == "hold")
      prescribed[c] = standing[c] = true;
    else if ((prescribed[c] = components[c] != "free"))
    {
      try
      {
        field[c] = Expression(components[c]);
      }
      catch (const InputError &error)
      {
        p.fail(entry, error.what());
      }
    }
  if (std::none_of(prescribed.begin(), prescribed.end(), [](const bool b) { return b; }) && !p.given("Rotation"))
    p.fail(entry, "every component is free: the support has no effect. Remove it or prescribe a component");
}

void SupportMotion::read_start(const Parameters &p, const int dimension)
{
  for (int k = 0; k < 2; ++k)
  {
    if (start[k].empty())
      start[k].assign(dimension, 0.);
    if (int(start[k].size()) != dimension)
      p.fail(start_entries[k], fmt::format("needs {} components separated by commas", dimension));
    for (int c = 0; c < dimension; ++c)
      if (start[k][c] != 0. && !prescribed[c])
        p.fail(start_entries[k], fmt::format("has no effect in component {}, which is free: give 0 there", "xyz"[c]));
  }
}

void SupportMotion::integrate(const Parameters &p, const int c)
{
  const bool varies = field[c].uses("t");
  for (const char *variable : {"x", "y", "z"})
    if (varies && field[c].uses(variable))
      p.fail(entries[order],
             fmt::format("component {} depends on place and time: its integral is not known at every node. Give the dependence on t as "
                         "\"Amplitude\" (or \"Amplitude file\"), or give the displacement (Type = displacement)",
                         "xyz"[c]));
  if (const Table *table = amplitude.tabulated(); table && !varies)
  {
    integral[c] = std::make_shared<TimeIntegral>(*table, order, TimeIntegral::Beyond::constant);
    return;
  }
  const Expression formula = varies ? field[c] : Expression(1.);
  integral[c] = std::make_shared<TimeIntegral>(
      [formula, factor = amplitude](const double t) { return formula.in_time(nullptr, 0, t) * factor.in_time(t); }, order);
}

bool SupportMotion::any() const
{
  return std::any_of(prescribed.begin(), prescribed.end(), [](const bool b) { return b; });
}

bool SupportMotion::moves() const
{
  return std::any_of(resting.begin(), resting.end(), [](const bool b) { return !b; });
}

std::string SupportMotion::text(const int c) const
{
  if (standing[c])
    return "hold";
  if (resting[c])
    return "0";
  std::string text = field[c].text() + (amplitude.text() == "1" ? "" : " * (" + amplitude.text() + ")");
  if (order > 0)
    text = fmt::format("the {} {}, from {:g} m{} on,", types()[order], text, start[0][c],
                       order == 2 ? fmt::format(" and {:g} m/s", start[1][c]) : "");
  return text;
}

SupportMotion::Instant SupportMotion::at(const double t) const
{
  Instant now{t, order == 0 ? amplitude.in_time(t) : Jet<double>(1.), {}};
  for (const auto &one : integral)
    now.integrals.push_back(one ? (*one)(t) : Jet<double>(0.));
  return now;
}

Jet<double> SupportMotion::operator()(const int c, const double *position, const int dimension, const Instant &now) const
{
  if (order == 0)
    return field[c].in_time(position, dimension, now.t) * now.amplitude;
  const double factor = field[c].uses("t") ? 1. : field[c].at(position, dimension, 0.);
  return factor * now.integrals[c] + Jet<double>(start[0][c] + start[1][c] * now.t, start[1][c], 0.);
}
}  // namespace symdyn
