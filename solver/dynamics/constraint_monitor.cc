#include "solver/dynamics/constraint_monitor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/archive.h"
#include "solver/base/log.h"
#include "solver/nodal_constraints.h"

namespace symdyn
{
const HolonomicConstraints &ConstraintMonitor::of(const MechanicalSystem &system) const
{
  return system.constraints() ? *system.constraints() : *system.penalties();
}

std::vector<Column> ConstraintMonitor::columns(const MechanicalSystem &system, const Units &units) const
{
  if (window > 0. && (system.constraints() || !system.penalties()))
    log_warning(
        "Monitors/Multiplier window: has no effect, there are no penalties of constraints (Constraints/Treatment = penalty). Remove it");
  if (!active(system))
    return {};
  std::vector<Column> columns{{"g_max", ""}, {"gdot_max", "1/" + units.time}};
  if (are_nodal(system) || of(system).size() > most)
    return columns;
  const HolonomicConstraints &constraints = of(system);
  for (const char *what : {"g", "gdot", "lambda", "lambda_mean"})
    for (int i = 0; i < constraints.size(); ++i)
      if (what != std::string("lambda_mean") || (window > 0. && !system.constraints()))
        columns.push_back({fmt::format("{}.{}", what, constraints.name(i)), ""});
  return columns;
}

void ConstraintMonitor::advance(const MechanicalSystem &system, const State &state)
{
  if (window <= 0. || system.constraints() || !system.penalties() || system.penalties()->size() > most)
    return;
  std::vector<double> u, g;
  of(system).gather(state.q, u);
  of(system).values(u, g);
  past.emplace_back(state.t, g);
  constexpr double rounding = 1e-9;
  while (past.size() > 1 && past[1].first <= state.t - window * (1. - rounding))
    past.pop_front();
}

void ConstraintMonitor::save(Archive archive) const
{
  std::vector<double> times, values;
  for (const auto &[t, g] : past)
  {
    times.push_back(t);
    values.insert(values.end(), g.begin(), g.end());
  }
  archive.put("times", times);
  archive.put("values", values);
}

void ConstraintMonitor::load(const Archive &archive)
{
  const auto times = archive.get<std::vector<double>>("times"), values = archive.get<std::vector<double>>("values");
  const std::size_t size = times.empty() ? 0 : values.size() / times.size();
  past.clear();
  for (std::size_t i = 0; i < times.size(); ++i)
    past.emplace_back(times[i], std::vector<double>(values.begin() + i * size, values.begin() + (i + 1) * size));
}

std::vector<double> ConstraintMonitor::mean() const
{
  if (past.empty())
    return {};
  std::vector<double> sum(past.front().second.size(), 0.);
  const double length = past.back().first - past.front().first;
  for (std::size_t k = 1; k < past.size(); ++k)
    for (std::size_t i = 0; i < sum.size(); ++i)
      sum[i] += 0.5 * (past[k].first - past[k - 1].first) * (past[k].second[i] + past[k - 1].second[i]);
  for (std::size_t i = 0; i < sum.size(); ++i)
    sum[i] = length > 0. ? sum[i] / length : past.front().second[i];
  return sum;
}

std::vector<double> ConstraintMonitor::multipliers(const MechanicalSystem &system, const State &state, const std::vector<double> &g) const
{
  std::vector<double> lambda(g);
  if (!system.constraints())
  {
    for (double &value : lambda)
      value *= -std::pow(system.kinematic_constraints().penalty_omega, 2);
    return lambda;
  }
  if (const ConstraintSprings &springs = *system.constraints()->springs; springs.act())
  {
    State still = state;
    still.v = 0.;
    lambda = multipliers_of_motion(system, still);  // what the springs do not bear: before the first increment all of it
    for (std::size_t i = 0; i < g.size(); ++i)
      lambda[i] += springs.lambda[i] - springs.k[i] * g[i];
    return lambda;
  }
  if (const auto kept = state.memory.find("lambda"); kept != state.memory.end())
    return {kept->second.begin(), kept->second.end()};
  return multipliers_of_motion(system, state);
}

std::vector<double> ConstraintMonitor::values(const MechanicalSystem &system, const State &state)
{
  if (!active(system))
    return {};
  if (are_nodal(system))
  {
    const NodalConstraints::Deviation error = system.nodal_constraints()->deviation(state.q, state.v);
    return {error.g, error.rate};
  }
  const HolonomicConstraints &constraints = of(system);
  ConstraintError error = constraint_error(constraints, state);
  if (const NodalConstraints *nodal = system.nodal_constraints())  // beside penalties
  {
    const NodalConstraints::Deviation of_nodes = nodal->deviation(state.q, state.v);
    error.g = std::max(error.g, of_nodes.g);
    error.rate = std::max(error.rate, of_nodes.rate);
  }
  std::vector<double> values{error.g, error.rate};
  if (constraints.size() > most)
    return values;
  std::vector<double> u, g;
  constraints.gather(state.q, u);
  constraints.values(u, g);
  values.insert(values.end(), g.begin(), g.end());
  ConstraintRows G;
  std::vector<double> v;
  constraints.gather(state.v, v);
  constraints.jacobian(u, G);
  for (int i = 0; i < constraints.size(); ++i)
    values.push_back(G.times(i, v));
  const std::vector<double> lambda = multipliers(system, state, g);
  values.insert(values.end(), lambda.begin(), lambda.end());
  if (window > 0. && !system.constraints())
  {
    constexpr double rounding = 1e-9;
    const bool full = !past.empty() && past.back().first - past.front().first >= window * (1. - rounding);
    const std::vector<double> slow = full ? mean() : std::vector<double>(g.size(), std::numeric_limits<double>::quiet_NaN());
    for (const double value : slow)
      values.push_back(-std::pow(system.kinematic_constraints().penalty_omega, 2) * value);
  }
  return values;
}
}  // namespace symdyn
