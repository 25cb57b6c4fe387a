#include "solver/stages/periodic/orbit.h"

#include <deal.II/base/numbers.h>

#include <algorithm>

#include "solver/error.h"

namespace symdyn
{
double OrbitProblem::w() const { return 2. * dealii::numbers::PI / first_period; }

OrbitVector OrbitProblem::zero() const { return {std::vector<Vector>(half() ? 1 : 2, whole.new_vector())}; }

Orbit OrbitProblem::moved(const Orbit &orbit, const OrbitVector &change, const double part) const
{
  Orbit result = orbit;
  result.q.add(part, change.x[0]);
  if (!half())
    result.v.add(part * w(), change.x[1]);
  (by_factor ? result.factor : result.period) += part * change.p * (by_factor ? last_factor : first_period);
  result.q.update_ghost_values();
  result.v.update_ghost_values();
  return result;
}

OrbitVector OrbitProblem::change(const Orbit &from, const Orbit &to) const
{
  OrbitVector result = zero();
  result.x[0] = to.q;
  result.x[0] -= from.q;
  if (!half())
  {
    result.x[1].add(1. / w(), to.v);
    result.x[1].add(-1. / w(), from.v);
  }
  result.p = by_factor ? (to.factor - from.factor) / last_factor : (to.period - from.period) / first_period;
  return result;
}

namespace
{
/// A periodic stage has no Time step.
StepReport step_of_period(const OrbitProblem &problem, const OrbitSystem &system, State &state, const double h)
{
  const std::string shorter = "Halve \"Time step\"";
  try
  {
    return problem.integrator.step(system, state, h);
  }
  catch (const ComputationError &error)
  {
    std::string why = error.what();
    if (const std::size_t at = why.find(shorter); at != std::string::npos)
      why.replace(at, shorter.size(), "Raise \"Steps a period\"");
    throw ComputationError(why);
  }
}
}  // namespace

OrbitMotion::OrbitMotion(const OrbitProblem &problem, const Orbit &orbit, const int steps)
    : problem(problem),
      start(orbit),
      system(problem.whole, problem.t, problem.force, orbit.period, orbit.factor),
      h(orbit.period / problem.steps)
{
  if (!(orbit.period > 0.))
    throw ComputationError("periodic motion: the period is not positive");
  State state;
  state.q = orbit.q;
  state.v = orbit.v;
  state.a = problem.whole.new_vector();
  problem.integrator.start(system, state, h);
  all.push_back(state);
  for (int k = 0; k < steps; ++k)
  {
    const StepReport report = step_of_period(problem, system, state, h);
    if (!is_admissible(system, state, report))
      throw ComputationError("periodic motion: " + diagnose(system, state.q));
    all.push_back(state);
  }
}

void OrbitMotion::linearise(std::vector<State> &tangents) const
{
  for (State &tangent : tangents)
  {
    tangent.a = problem.whole.new_vector();
    problem.integrator.start_tangent(system, all.front(), h, tangent);
  }
  for (std::size_t k = 0; k + 1 < all.size(); ++k)
    for (State &tangent : tangents)
      problem.integrator.step_tangent(system, all[k], all[k + 1], h, tangent);
}

double OrbitMotion::size() const
{
  double largest = 0;
  for (const State &state : all)
  {
    Vector u = state.q;
    u -= problem.rest;
    largest = std::max(largest, double(u.l2_norm()));
  }
  return largest;
}

OrbitVector OrbitMotion::residual() const
{
  OrbitVector r = problem.zero();
  Vector &v = r.x.back();
  v = all.back().v;
  if (!problem.half())
  {
    r.x[0] = all.back().q;
    r.x[0] -= start.q;
    v -= start.v;
  }
  v *= 1. / problem.w();
  return r;
}

std::vector<OrbitVector> OrbitMotion::derivative(const std::vector<OrbitVector> &changes) const
{
  std::vector<State> tangents(changes.size());
  for (std::size_t i = 0; i < changes.size(); ++i)
  {
    tangents[i].q = changes[i].x[0];
    tangents[i].v = problem.whole.new_vector();
    if (!problem.half())
      tangents[i].v.add(problem.w(), changes[i].x[1]);
    tangents[i].q.update_ghost_values();
    tangents[i].v.update_ghost_values();
  }
  linearise(tangents);
  std::vector<OrbitVector> result(changes.size(), problem.zero());
  for (std::size_t i = 0; i < changes.size(); ++i)
  {
    Vector &v = result[i].x.back();
    v.add(1. / problem.w(), tangents[i].v);
    if (problem.half())
      continue;
    v -= changes[i].x[1];
    result[i].x[0] = tangents[i].q;
    result[i].x[0] -= changes[i].x[0];
  }
  return result;
}

OrbitVector OrbitMotion::parameter_derivative() const
{
  constexpr double part = 1e-4;
  OrbitVector change = problem.zero();
  change.p = part;
  OrbitVector r = shoot(problem, problem.moved(start, change)).residual();
  const OrbitVector back = shoot(problem, problem.moved(start, change, -1.)).residual();
  for (std::size_t i = 0; i < r.x.size(); ++i)
  {
    r.x[i] -= back.x[i];
    r.x[i] *= 0.5 / part;
  }
  return r;
}

OrbitMotion shoot(const OrbitProblem &problem, const Orbit &orbit)
{
  return {problem, orbit, problem.half() ? problem.steps / 2 : problem.steps};
}
}  // namespace symdyn
