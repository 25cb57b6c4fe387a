#include "integrators/equations/balance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "integrators/equations/step_start.h"
#include "solver/searching.h"
#include "solver/unknowns.h"

// The balance of a step; discrete gradients: Gonzalez 1996; stresses carried on: Magisano, Leonetti, Garcea 2017.
namespace symdyn
{
namespace
{
Vector mean(const Vector &a, const Vector &b)
{
  Vector m = a;
  m.sadd(0.5, 0.5, b);
  m.update_ghost_values();
  return m;
}

/// r += weight F
ForceReport add_force(const MechanicalSystem &system, const Balance::Point &point, Vector &f, Vector &r)
{
  const Vector middle = point.from ? mean(*point.from, point.q) : Vector();
  const Vector &q = point.from ? middle : point.q;
  const ForceReport report = point.from ? system.discrete_gradient(*point.from, point.q, f) : system.internal_force(point.q, f);
  r.add(point.weight, f);
  if (system.has(Feature::damping))
  {
    system.damping_force(q, point.v, f);
    r.add(point.weight, f);
  }
  system.applied_force(point.t, q, point.v, f);
  r.add(-point.weight, f);
  return report;
}
}  // namespace

std::string step_name(const State &state, const double t) { return fmt::format("step {}, t = {:.6g} s", state.n + 1, t); }

std::vector<Balance::Point> Balance::at(const Vector &x) const
{
  std::vector<Point> moved = points;
  for (Point &point : moved)
  {
    point.q.add(point.dq, x);
    point.v.add(point.dv, x);
    point.q.update_ghost_values();
    point.v.update_ghost_values();
  }
  return moved;
}

std::shared_ptr<const LinearSolve> Balance::factor(const MechanicalSystem &system, const std::vector<Point> &at,
                                                   const std::vector<Point> &before) const
{
  Linearisation terms;
  for (std::size_t k = 0; k < at.size(); ++k)
    terms.push_back({at[k].weight * (at[k].dv * C + at[k].dq * K), at[k].t, &at[k].q, &at[k].v, at[k].from, Part::all,
                     before.empty() ? nullptr : &before[k].q});
  terms.front().weights.m = mass;
  return system.factor(terms);
}

ForceReport Balance::residual(const MechanicalSystem &system, const Vector &x, Vector &r, std::vector<Point> &now) const
{
  for (std::size_t k = 0; k < points.size(); ++k)
  {
    now[k].q = points[k].q;
    now[k].v = points[k].v;
    now[k].q.add(points[k].dq, x);
    now[k].v.add(points[k].dv, x);
    now[k].q.update_ghost_values();
    now[k].v.update_ghost_values();
  }
  Vector f = system.new_vector();
  system.mass(x, r);
  r *= mass;
  ForceReport report;
  for (const Point &point : now)
    report = add_force(system, point, f, r);
  if (known.size() > 0)
    r -= known;
  system.project(r);
  return report;
}

/// How |r| is measured, what is rounding, and which iterates may be.
void Balance::judge(NewtonProblem &problem, const MechanicalSystem &system, const std::vector<Point> &now) const
{
  problem.norm = [&](const Vector &r) { return system.unknowns().norm(r); };
  problem.rounding = [&](const LinearSolve &tangent, const Vector &) { return tangent.rounding(now.back().q); };
  problem.diagnose = [&](const Vector &) { return diagnose(system, now.back().q); };
  if (const Searching *neighbours = searching(system))
    problem.free_part = [this, neighbours](const Vector &x, const Vector &dx) { return free_part(*neighbours, x, dx); };
}

double Balance::free_part(const Searching &neighbours, const Vector &x, const Vector &dx) const
{
  double part = 1.;
  for (const Point &point : at(x))
  {
    Vector dq = dx;
    dq *= point.dq;
    dq.update_ghost_values();
    part = std::min(part, neighbours.free_part(point.q, dq));
  }
  return part;
}

NewtonReport Balance::solve(const MechanicalSystem &system, const Newton &newton, const std::string &name, Vector &x,
                            const Vector *q0) const
{
  std::vector<Point> now = points, before;
  bool carried = false;
  NewtonProblem problem;
  problem.name = name;
  problem.linear = system.has(Feature::linear) && !points.front().from;
  problem.kind = {mass};
  for (const Point &point : points)
    problem.kind.insert(problem.kind.end(), {point.weight, point.dq, point.dv, point.from ? 1. : 0.});
  // A predictor may stand deep in flow where no step ends, and no tangent from there serves another iterate.
  const bool flows = system.has(Feature::history), carries_on = newton.stresses == "carried" && system.has(Feature::carried_stresses);
  if (flows)
    problem.kind.clear();
  problem.residual = [&](const Vector &trial, Vector &r) { return residual(system, trial, r, now); };
  problem.linearise = [&](const Vector &) {
    const auto tangent = factor(system, now, before);
    if (carried)
      before = now;
    return tangent;
  };
  judge(problem, system, now);
  if (!q0 || !(carries_on || flows))
    return newton.solve(problem, x);
  const Vector start = unknown_at(system, points.front().q, points.front().dq, *q0, x);
  if (!is_nearer(problem, start, x))
    return newton.solve(problem, x);
  if (carries_on)
    problem.carry = [&](const bool carries) {
      carried = carries;
      before.clear();
    };
  return solve_from(start, newton, problem, x);
}

void Balance::linearised(const MechanicalSystem &system, const Vector &x, const std::vector<Vector> &delta_Q,
                         const std::vector<Vector> &delta_V, const Vector &delta_known, Vector &delta_x) const
{
  const std::vector<Point> now = at(x);
  Vector r = system.new_vector(), f = system.new_vector();
  if (delta_known.size() > 0)
    r = delta_known;
  for (std::size_t k = 0; k < now.size(); ++k)
  {
    if (now[k].from)
      system.factor({{K, now[k].t, &now[k].q, &now[k].v, now[k].from}})->multiply(delta_Q[k], f);
    else
      system.stiffness(now[k].q, delta_Q[k], f);
    r.add(-now[k].weight, f);
    if (system.has(Feature::damping))
    {
      system.damping_force(now[k].from ? mean(*now[k].from, now[k].q) : now[k].q, delta_V[k], f);
      r.add(-now[k].weight, f);
    }
  }
  system.project(r);
  delta_x = system.new_vector();
  factor(system, now)->solve(r, delta_x, 1e-14);
  delta_x.update_ghost_values();
}
}  // namespace symdyn
