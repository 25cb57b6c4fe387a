#include "elements/contact/step_rules.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "solver/base/number.h"
#include "solver/deck/formula/expression.h"
#include "solver/integrator.h"
#include "solver/registry.h"

namespace symdyn
{
namespace
{
bool starts_with(const std::string &text, const std::string &start) { return text.rfind(start, 0) == 0; }

void read_stage(Parameters time, Parameters integrator, StepsOfDeck &steps)
{
  std::string step, scheme = "newmark";
  time.add("Time step", step, "h [s], or `auto`: 0.9 of the critical step of an explicit scheme");
  integrator.add("Scheme", scheme, "time-stepping scheme", Registry<Integrator>::instance().names());
  steps.schemes.push_back(scheme);
  const auto integrator_of = Registry<Integrator>::instance().make(scheme);
  Parameters own = integrator.section(scheme);
  integrator_of->declare(own);
  steps.without_newton =
      steps.without_newton || integrator_of->is_explicit() || starts_with(scheme, "zhang-skeel") || scheme == "newmark-partial";
  if (integrator_of->law_point() != 1.)
    steps.of_middle = scheme;
  if (step == "auto")
  {
    steps.automatic = true;
    steps.where_automatic = time.where("Time step");
  }
  if (const auto h = number_from<double>(step))
    steps.longest = std::max(steps.longest, *h);
}
}  // namespace

StepsOfDeck::StepsOfDeck(const Parameters &any)
{
  const Parameters root = any.root(), stages = root.section("Stages");
  const std::vector<std::string> names = stages.named_sections();
  for (const std::string &name : names)
  {
    Parameters stage = stages.section(name);
    std::string type = "dynamic";
    stage.add("Type", type, "");
    begins_at_rest = begins_at_rest || (name == names.front() && type != "dynamic" && type != "modal transient");
    if (type != "dynamic")
      continue;
    const Parameters time = stage.section("Time"), integrator = stage.section("Integrator");
    read_stage(time.exists() ? time : root.section("Time"), integrator.exists() ? integrator : root.section("Integrator"), *this);
  }
  if (names.empty() && root.section("Time").exists())
    read_stage(root.section("Time"), root.section("Integrator"), *this);
}

std::string StepsOfDeck::with_third_derivative() const
{
  for (const std::string &name : schemes)
    if (starts_with(name, "zhang-skeel"))
      return name;
  return "";
}

std::string StepsOfDeck::neither_keeps_nor_damps() const
{
  const std::set<std::string> others{"discrete-gradient", "simo-tarnow", "gonzalez-constrained", "hht-alpha", "generalized-alpha",
                                     "wbz-alpha",         "bathe"};
  for (const std::string &name : schemes)
    if (others.count(name) == 0)
      return name;
  return "";
}

std::vector<Place> initial_values(const std::string &entry, const Parameters &any, const std::vector<Place> &places, const int dimension)
{
  std::vector<Expression> field;
  Parameters initial = any.root().section("Initial conditions");
  initial.add(entry, field,
              entry == "Velocity" ? "components [m/s], expressions of x, y, z" : "components [m], expressions of x, y, z at t = 0");
  std::vector<Place> found;
  for (const Place &X : places)
  {
    found.push_back({});
    for (int d = 0; d < std::min(dimension, int(field.size())); ++d)
      found.back()[d] = field[d].at(X.data(), dimension, 0.);
  }
  return found;
}
}  // namespace symdyn
