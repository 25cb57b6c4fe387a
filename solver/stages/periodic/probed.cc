#include "solver/stages/periodic/probed.h"

#include <fmt/format.h>

#include <algorithm>

#include "solver/base/names.h"
#include "solver/error.h"
#include "solver/stages/analysis.h"

namespace symdyn
{
double Probed::of(const Vector &u) const
{
  u.update_ghost_values();
  return place.displacement(u, axis);
}

double Probed::displacement(const Vector &q, const Vector &rest) const
{
  Vector u = q;
  u -= rest;
  return of(u);
}

Probed probed(const Analysis &analysis, const Stage &stage, const std::string &label)
{
  const auto places = analysis.structure->places();
  const std::vector<std::string> names = places->names();
  const std::size_t dot = label.rfind('.');
  const std::string name = label.substr(0, dot), letter = dot == std::string::npos ? "" : label.substr(dot + 1),
                    axes = std::string("xyz").substr(0, places->dimension());
  if (std::count(names.begin(), names.end(), name) == 0)
    throw InputError(fmt::format("{}: there is no place '{}'; there are probes and points: {}", stage.at("Probe"), name,
                                 names.empty() ? "none" : join(nearest_first(name, names))));
  if (letter.size() != 1 || axes.find(letter) == std::string::npos)
    throw InputError(fmt::format("{}: it has no axis. Write {}.{}", stage.at("Probe"), name, fmt::join(axes, fmt::format(", {}.", name))));
  return {places->named(name), int(axes.find(letter))};
}
}  // namespace symdyn
