#include "solver/stages/rotors/turning_body.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solver/diagnosis.h"
#include "solver/error.h"
#include "solver/stages/analysis.h"
#include "solver/stages/equilibrium.h"
#include "solver/stages/rotors/loose_motions.h"
#include "solver/unknowns.h"
#include "solver/vibration/modes_search.h"

namespace symdyn
{
void RotorSpeeds::declare(Parameters &p, const int of_stage)
{
  points = of_stage;
  p.add("Speeds", range, "Omega: the first and the last speed [rad/s], in place of the Speed of Rotation");
  p.add("Points", points, "number of speeds, at equal distances", between(2, 10000));
  p.add("Prestress", prestress,
        "linear: the stress of the centrifugal load grows with Omega^2, from one static solution; nonlinear: an equilibrium in large "
        "displacements at each speed",
        {"linear", "nonlinear"});
}

void RotorSpeeds::check(const Parameters &p) const
{
  if (range.size() != 2 || range[0] < 0. || range[0] >= range[1])
    p.fail("Speeds", "needs two numbers, 0 <= first < last [rad/s]");
}

std::vector<double> RotorSpeeds::speeds() const
{
  std::vector<double> all;
  for (int k = 0; k < points; ++k)
    all.push_back(range[0] + (range[1] - range[0]) * k / (points - 1));
  return all;
}

TurningBody::At::At(CopiedSystem system, Vector at, const double t, const int diameters) : made(std::move(system)), place(std::move(at))
{
  place.update_ghost_values();
  if (diameters >= 0)
    waves = cyclic_sector(*made.whole)->motion(*made, diameters);
  else
    about = std::make_unique<AtRest>(*made, t, place);
}

TurningBody::TurningBody(Analysis &analysis, const Stage &stage, const RotorSpeeds &range)
    : analysis(analysis), stage(stage), spin(*spinning(analysis.structure->system())), nonlinear(range.nonlinear()), last(analysis.state.q)
{
  if (nonlinear && analysis.system().has(Feature::linear))
    throw InputError(stage.at("Prestress") +
                     ": the laws are linear, and no stress stiffens the body. Take Prestress = linear, or "
                     "laws of large displacements (Type = st-venant-kirchhoff, beams and shells without Geometry = linear)");
  const std::vector<std::string> names = analysis.system().diagnosis().load_names();
  load = std::size_t(std::find(names.begin(), names.end(), load_of_frame) - names.begin());
  before = analysis.actions.strength(load);
  if (before != 0.)
    throw InputError(
        fmt::format("{}: the state bears the centrifugal load of [Rotation] already, and the stage adds it at each of its Speeds. Leave "
                    "\"rotation\" out of the Loads of the static stage before",
                    stage.where));
  analysis.actions.set_strength(load, 1.);
  try
  {
    if (!nonlinear)
      find_displacement(range.speeds().back());
  }
  catch (...)
  {
    analysis.actions.set_strength(load, before);
    throw;
  }
}

TurningBody::~TurningBody() { analysis.actions.set_strength(load, before); }

/// Where nothing holds the body K is shifted: the load has no resultant on it, and the shift is taken out by iterations.
void TurningBody::find_displacement(const double speed)
{
  constexpr double exact = 1e-13, part_of_highest = 1e-4;
  constexpr int most = 100;
  const State &state = analysis.state;
  u = analysis.system().new_vector();
  const Vector rest = u;
  const At still = at(0.), turning = at(speed);
  Vector f = rest, without = rest, residual = rest, step = rest;
  turning->applied_force(state.t, state.q, rest, f);
  still->applied_force(state.t, state.q, rest, without);
  f -= without;
  f /= speed * speed;
  still->project(f);
  double shift = 0.;
  if (!loose_motions(analysis, *still).empty())
    shift = part_of_highest * part_of_highest * largest_square(Pencil(*still, state.t, state.q));
  const auto factored = still->factor(shift * M + K, state.t, state.q, rest);
  residual = f;
  for (int k = 0; k == 0 || residual.l2_norm() > exact * f.l2_norm(); ++k)
  {
    if (k == most)
      throw InputError(fmt::format(
          "{}: the centrifugal load moves the body, which nothing holds: its centre of mass is not on the axis of Rotation. Add "
          "Supports, or move the axis",
          stage.where));
    step = 0.;
    factored->solve(residual, step, factored->tolerance());
    u += step;
    u.update_ghost_values();
    if (shift == 0.)
      break;
    tangent(*still, state.t, state.q, u, residual);
    still->project(residual);
    residual.sadd(-1., 1., f);
  }
}

TurningBody::At TurningBody::at(const double speed, const int diameters)
{
  const State &state = analysis.state;
  if (nonlinear)
  {
    State there = state;
    there.q = equilibrium(speed);
    return {spin.turning(there, speed, there.q, 0.), there.q, state.t, diameters};
  }
  Vector moved = u;  // stresses are differences, which a factor on them would round
  moved *= speed * speed;
  moved.update_ghost_values();
  return {spin.turning(state, speed, moved, speed == 0. ? 0. : 1.), state.q, state.t, diameters};
}

Vector TurningBody::equilibrium(const double speed)
{
  constexpr int most = 8;
  double from = last_speed * last_speed;
  const double to = speed * speed;
  if (from == to)
    return last;
  int cuts = 0;
  for (double part = to - from; from != to;)
  {
    const double next = std::abs(to - from) <= std::abs(part) * (1. + 1e-12) ? to : from + part;
    Vector q = last;
    try
    {
      solve_equilibrium(std::sqrt(next), q);
    }
    catch (const ComputationError &error)
    {
      if (++cuts > most)
        throw ComputationError(fmt::format("{}: no equilibrium under the centrifugal load at {:g} rad/s: {}. End Speeds below", stage.where,
                                           speed, error.what()));
      part *= 0.5;
      continue;
    }
    last = q;
    last.update_ghost_values();
    from = next;
  }
  last_speed = std::abs(speed);
  return last;
}

void TurningBody::solve_equilibrium(const double speed, Vector &q) const
{
  State there = analysis.state;
  const CopiedSystem made = spin.turning(there, speed, there.q, 0.);
  const MechanicalSystem &system = *made;
  Equilibrium equilibrium(system, there.t, there.v);
  NewtonProblem problem;
  problem.name = fmt::format("equilibrium at {:g} rad/s", speed);
  problem.finer = "";
  problem.residual = [&](const Vector &x, Vector &r) { return equilibrium.residual(x, r); };
  problem.linearise = [&](const Vector &x) { return equilibrium.tangent(x); };
  problem.norm = [&](const Vector &r) { return system.unknowns().norm(r); };
  problem.rounding = [](const LinearSolve &tangent, const Vector &x) { return tangent.rounding(x); };
  problem.diagnose = [&](const Vector &x) { return system.diagnosis().diagnose(x); };
  if (const NodalConstraints *nodal = system.nodal_constraints())
  {
    problem.retract = [&equilibrium](Vector &x) { equilibrium.retract(x); };
    nodal->retract(q);
  }
  if (system.has(Feature::carried_stresses))
    problem.carry = [&equilibrium](const bool carries) { equilibrium.carry(carries); };
  analysis.newton.forget();  // tangents are of this copy
  analysis.newton.solve(problem, q);
  analysis.newton.forget();
  if (problem.retract)
    problem.retract(q);
  q.update_ghost_values();
}
}  // namespace symdyn
