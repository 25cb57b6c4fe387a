#include "solver/integrator.h"

#include <fmt/format.h>

#include <cmath>

#include "solver/diagnosis.h"
#include "solver/dynamics/multipliers.h"
#include "solver/error.h"
#include "solver/failed_point.h"
#include "solver/history.h"
#include "solver/nodal_constraints.h"
#include "solver/parameters.h"

namespace symdyn
{
void Integrator::start(const MechanicalSystem &system, State &state, double) const { solve_motion(system, state); }

namespace
{
/// Of a scheme without Newton's method, whose step ends with the force at q: after the commit nothing would know from where a point came.
void require_points(const Increment &increment, const Vector &q, const StepReport &report)
{
  const auto *points = dynamic_cast<const PointDiagnosis *>(&increment.diagnosis());
  if (!points || !report.force || report.force->admissible())
    return;
  if (const std::string why = points->find_failed_point(q); !why.empty())
    throw ComputationError(why + ". Lower \"Time step\"");
}
}  // namespace

StepReport in_increment(const MechanicalSystem &system, State &state, const LawIncrement &given,
                        const std::function<StepReport(const MechanicalSystem &, State &)> &step)
{
  const Remembering *laws = remembering(system);
  if (!laws)
    return step(system, state);
  if (!system.has(Feature::history))  // temperatures that stay
    return step(*laws->at(state), state);
  State next = state;
  StepReport report;
  Vector point;
  HistoryPointer from = state.history;
  auto increment = laws->increment(from, given.h, given.t);
  for (int times = 0;; ++times)
  {
    const StepReport before = report;
    next = state;
    report = step(*increment, next);
    report.newton += before.newton;
    report.krylov += before.krylov;
    report.kept += before.newton;  // slow convergence is that of one solution
    require_points(*increment, next.q, report);
    point = next.q;
    if (given.law_point != 1.)
      point.sadd(given.law_point, 1. - given.law_point, state.q);
    from = laws->renewed(from, state.q, point, times);
    if (!from)
      break;
    increment = laws->increment(from, given.h, given.t);
  }
  const Increment::Committed made = increment->commit(point, given.differs ? &state.q : nullptr);
  next.history = made.history;
  report.dissipated += made.lost;
  state = std::move(next);
  return report;
}

StepReport Integrator::advance(const MechanicalSystem &system, State &state, const double h) const
{
  const Remembering *laws = remembering(system);
  if (!laws)
    return step(system, state, h);
  if (!system.has(Feature::history))  // temperatures that stay
    return step(*laws->at(state), state, h);
  if (divides())
  {
    State next = state;
    const StepReport report = step(system, next, h);
    state = std::move(next);
    return report;
  }
  const double s = law_point().value();
  const bool differs = work_rule() == WorkRule::discrete_gradient;  // its forces are those of the middle
  return in_increment(system, state, {h, state.t + (differs ? 0.5 : s) * h, s, differs},
                      [&](const MechanicalSystem &seen, State &next) { return step(seen, next, h); });
}

ForceReport solve_motion(const MechanicalSystem &system, State &state)
{
  const ForceReport report = free_motion(system, state);
  if (is_constrained(system))
    add_constraint_forces(system, state);
  return report;
}

ForceReport free_motion(const MechanicalSystem &system, State &state)
{
  Vector r = system.new_vector(), f = system.new_vector(), a = system.new_vector();
  state.a = 0.;
  system.impose(state.t, state.q, state.v, state.a);
  system.applied_force(state.t, state.q, state.v, r);
  const ForceReport report = system.internal_force(state.q, f);
  r -= f;
  system.damping_force(state.q, state.v, f);
  r -= f;
  system.mass(state.a, f);  // prescribed accelerations drag the free ones along when M is not diagonal
  r -= f;
  system.mass_solve(r, a);
  state.a += a;
  state.a.update_ghost_values();
  return report;
}

void Integrator::start_tangent(const MechanicalSystem &system, const State &started, const double h, State &delta) const
{
  if (is_constrained(system) || !started.memory.empty())
  {
    start_tangent_by_differences(system, started, h, delta);
    return;
  }
  Vector r = system.new_vector(), f = system.new_vector();
  system.stiffness(started.q, delta.q, r);
  system.damping_force(started.q, delta.v, f);
  r += f;
  r *= -1.;
  delta.a = system.new_vector();
  system.mass_solve(r, delta.a);
  delta.a.update_ghost_values();
}

namespace
{
/// z += s delta, with its memory
void shift(State &z, const double s, const State &delta)
{
  z.q.add(s, delta.q);
  z.v.add(s, delta.v);
  z.a.add(s, delta.a);
  for (auto &[name, vector] : z.memory)
    vector.add(s, delta.memory.at(name));
  for (Vector *x : {&z.q, &z.v, &z.a})
    x->update_ghost_values();
}

/// The derivative of a map of states along delta, by differences of fourth order.
template <class Map>
State state_difference(const MechanicalSystem &system, const State &at, const double h, const State &delta, const Map &map)
{
  // Both errors, h^4 of the differences and rounding of the solver, are smallest about here.
  const double length =
      std::max(at.q.l2_norm(), std::abs(h) * at.v.l2_norm()) + (system.constraints()         ? shortest(*system.constraints())
                                                                : system.nodal_constraints() ? 1.  // directors
                                                                                             : std::numeric_limits<double>::min());
  const double epsilon = 1e-3 * length / std::max({delta.q.l2_norm(), std::abs(h) * delta.v.l2_norm(), std::numeric_limits<double>::min()});
  State sum = delta;
  bool first = true;
  for (const auto &[where, weight] : {std::pair{1., 8.}, {-1., -8.}, {2., -1.}, {-2., 1.}})
  {
    State z = at;
    shift(z, where * epsilon, delta);
    map(z);
    if (first)
    {
      sum = z;
      sum.q = sum.v = sum.a = 0.;
      for (auto &entry : sum.memory)
        entry.second = 0.;
      first = false;
    }
    shift(sum, weight / (12. * epsilon), z);
  }
  for (Vector *x : {&sum.q, &sum.v, &sum.a})
    x->update_ghost_values();
  return sum;
}
}  // namespace

void Integrator::step_tangent(const MechanicalSystem &system, const State &before, const State &, const double h, State &delta) const
{
  delta = state_difference(system, before, h, delta, [&](State &z) { step(system, z, h); });
}

void Integrator::start_tangent_by_differences(const MechanicalSystem &system, const State &started, const double h, State &delta) const
{
  State given = started;
  given.a = 0.;
  given.memory.clear();
  delta.a = system.new_vector();
  delta.memory.clear();
  const Vector dq = delta.q, dv = delta.v;
  delta = state_difference(system, given, h, delta, [&](State &z) { start(system, z, h); });
  delta.q = dq;
  delta.v = dv;
}

double Integrator::discrete_energy(const MechanicalSystem &, const State &, const State &, double) const
{
  return std::numeric_limits<double>::quiet_NaN();
}

namespace
{
/// Schemes that keep the constraints of a system, and refuse nothing else of it, for messages; the first one always serves.
std::string schemes_of_constraints(const MechanicalSystem &system)
{
  std::string names = "newmark-constrained";
  if (!system.has(Feature::follower_loads))
    names += ", gonzalez-constrained";
  if (!system.has(Feature::damping) && (!system.nodal_constraints() || system.has(Feature::nodal_mass)))
    names += ", rattle, shake";
  return names;
}

/// What takes all constraints of a system away.
std::string without_constraints(const MechanicalSystem &system)
{
  const std::string elastic = "--set Elements/Directors=elastic",
                    others = system.constraints() ? without_constraints(*system.constraints()) : elastic;
  return ", or " + (system.nodal_constraints() && others != elastic ? elastic + " and " + others : others);
}

/// How a body stays rigid with a scheme.
std::string keeping_bodies(const Integrator &integrator, const MechanicalSystem &system)
{
  std::string text = "Give it a Rigidity";
  if (!system.nodal_constraints())
    text += integrator.keeps_constraints() ? ", or a constraint of Law = orthonormal"
                                           : ", or a constraint of Law = orthonormal with Scheme = newmark-constrained";
  if (!is_constrained(system) && !system.has(Feature::damping))
    text += ", or use Scheme = hp-cayley";
  return text;
}
}  // namespace

void refuse_scheme(const Parameters &p, const std::string &rule)
{
  p.root().section(p.path().substr(0, p.path().rfind('/'))).fail("Scheme", rule);
}

void check_scheme(const Integrator &integrator, const MechanicalSystem &system, const Parameters &p)
{
  const NodalConstraints *nodal = system.nodal_constraints();
  if (integrator.along_constraints() && nodal)
    return;
  // A scheme that turns bodies needs nothing else where directors are those of bodies alone.
  const bool turns_all = nodal && !system.constraints() && integrator.keeps_rotations() && nodal->hold_only(system.rotations());
  if (is_constrained(system) && !turns_all && !integrator.keeps_constraints() && integrator.keeps_rotations())
    refuse_scheme(
        p, fmt::format("the scheme keeps rotations by itself and no other constraints. {}, or use one of {}, with which each rigid body "
                       "needs a Rigidity or a constraint of Law = orthonormal{}",
                       system.nodal_constraints() ? "Set Elements/Directors = elastic" : "Remove the section Constraints",
                       schemes_of_constraints(system), system.nodal_constraints() ? ", unless exact directors are its columns" : ""));
  if (is_constrained(system) && !turns_all && !integrator.keeps_constraints())
    refuse_scheme(p, fmt::format("the scheme does not keep constraints. Use one of {} (--set Integrator/Scheme=newmark-constrained){}",
                                 schemes_of_constraints(system), without_constraints(system)));
  for (const Rotation &body : system.rotations())
    if (!body.held && !integrator.keeps_rotations() && !(nodal && nodal->hold(body)))
      refuse_scheme(p, "a rigid body has neither a Rigidity nor a constraint of Law = orthonormal: its matrix would not stay a rotation. " +
                           keeping_bodies(integrator, system));
  if (system.has(Feature::history) && !integrator.law_point())
    refuse_scheme(
        p,
        std::string(
            "the scheme cannot follow materials with a memory, of flow, of friction or of temperatures that change: it needs derivatives of a potential V(q), or forces at several points "
            "of a step. Use Scheme = ") +
            (is_constrained(system) ? "newmark-constrained" : "newmark, midpoint, discrete-gradient or central-difference") +
            ", or an elastic law");
  integrator.check(system, p);
}

void require_explicit(const MechanicalSystem &system, const Parameters &p, const std::string &entry, const std::string &scheme)
{
  const std::string implicit = is_constrained(system) ? "newmark-constrained" : "newmark with beta = 0.25";
  if (!system.has(Feature::nodal_mass))
    p.fail(entry,
           scheme + " is explicit and needs a diagonal mass. Use --set \"Elements/Mass=lumped\", or an implicit scheme (" + implicit + ")");
  if (system.has(Feature::stiffness_damping))
    p.fail(entry, scheme +
                      " is explicit and cannot carry damping that couples nodes (proportional to stiffness, Kelvin-Voigt). Use --set "
                      "\"Damping/Stiffness proportional=0\", or an implicit scheme (" +
                      implicit + ")");
}

void require_potential_loads(const MechanicalSystem &system, const Parameters &p, const std::string &scheme)
{
  if (system.has(Feature::follower_loads))
    refuse_scheme(p, scheme + " needs forces that have a potential: follower loads and moments have none. Use Scheme = " +
                         (is_constrained(system) ? "newmark-constrained" : "newmark") + ", or dead forces");
  if (system.has(Feature::no_increment_potential))
    refuse_scheme(
        p,
        scheme +
            " needs laws whose increments have a potential: a Backstress recovery has none, and a umat gives none. Use Scheme = newmark or midpoint");
}

void require_undamped(const MechanicalSystem &system, const Parameters &p, const std::string &scheme, const std::string &instead)
{
  if (system.has(Feature::damping))
    refuse_scheme(p, scheme + " is for systems without damping. Use " + instead + ", or remove the damping");
}

bool is_admissible(const MechanicalSystem &system, const State &state, const StepReport &report)
{
  if (report.force)
    return report.force->admissible();
  if (report.newton > 0)
    return true;
  Vector f = system.new_vector();
  state.q.update_ghost_values();
  return system.internal_force(state.q, f).admissible();
}

void accept(State &state, const double h, Vector &q1, Vector &v1, Vector &a1)
{
  // Who reads ghosts fetches them; and each copy of a vector that has them would send them again.
  for (Vector *x : {&q1, &v1, &a1})
    x->zero_out_ghost_values();
  state.q.swap(q1);
  state.v.swap(v1);
  state.a.swap(a1);
  state.t += h;
  ++state.n;
}
}  // namespace symdyn
