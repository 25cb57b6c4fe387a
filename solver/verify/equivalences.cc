#include <fmt/format.h>

#include <algorithm>

#include "solver/parameters.h"
#include "solver/registry.h"
#include "solver/verify/verify.h"

// Schemes that are the same by theory.
namespace symdyn
{
namespace
{
constexpr int compared_steps = 20;

void march(const Trial &trial, const Integrator &integrator, State &state, const double h, const int steps)
{
  for (int k = 0; k < steps; ++k)
    advance(*trial.system, integrator, state, h);
}

State end_of_run(const Trial &trial, const Integrator &integrator)
{
  State state = trial.start;
  begin(*trial.system, integrator, state, trial.h);
  march(trial, integrator, state, trial.h, trial.steps);
  return state;
}

double relative(const Trial &trial, const State &a, const State &b)
{
  const auto [q, v] = distances(*trial.system, a, b);
  const auto [q_way, v_way] = distances(*trial.system, a, trial.start);
  return (q + trial.h * v) / (q_way + trial.h * v_way);
}

/// How far runs part whose starts are apart by the velocity that the rounding of forces makes in each of the steps, in a direction that
/// excites the stiffest vibrations: equal schemes are no nearer to each other.
double rounding_of_run(const Trial &trial, const Integrator &integrator)
{
  const MechanicalSystem &system = *trial.system;
  Vector u = random_vector(system, 31), Mu = u, zero = u;
  system.mass(u, Mu);
  const double force = system.factor(M + trial.h * trial.h * K, 0., trial.start.q, trial.start.v)->rounding(trial.start.q);
  u *= trial.h * trial.steps * force / Mu.l2_norm();
  zero = 0.;
  Trial near = trial;
  near.start = neighbour_of(system, trial.start, 1., {zero, u});
  return relative(trial, end_of_run(trial, integrator), end_of_run(near, integrator));
}

Vector combined(const double s, const Vector &x, const double t, const Vector &y)
{
  Vector z = x;
  z.sadd(s, t, y);
  z.update_ghost_values();
  return z;
}

/// x_k = (1 - alpha) q_k + alpha q_k+1 has Newmark's two-step form with beta = alpha (1 - alpha) (Kane et al. 1999, Theorem 3.4). The
/// partner starts from x_0 with the velocity that leads it to x_1.
double interpolated_distance(const Trial &trial, const Integrator &first, const Integrator &newmark, const double alpha)
{
  const double h = trial.h, beta = alpha * (1. - alpha);
  const MechanicalSystem &system = *trial.system;
  State state = trial.start;
  begin(system, first, state, h);
  const auto next_point = [&] {
    const Vector q = state.q;
    march(trial, first, state, h, 1);
    return combined(1. - alpha, q, alpha, state.q);
  };
  State partner = trial.start, ahead = trial.start;
  partner.q = next_point();
  ahead.q = next_point();
  const Vector x0 = partner.q;
  begin(system, newmark, partner, h);
  begin(system, newmark, ahead, h);
  partner.v = combined(1. / h, ahead.q, -1. / h, partner.q);
  partner.v.add(-h * (0.5 - beta), partner.a, -h * beta, ahead.a);
  partner.v.update_ghost_values();
  Vector x = ahead.q;
  for (int k = 2; k <= trial.steps; ++k)
    x = next_point();
  march(trial, newmark, partner, h, trial.steps);
  State expected = partner, way = partner;
  expected.q = x;
  way.q = x0;
  return distances(system, partner, expected).first / distances(system, partner, way).first;
}
}  // namespace

std::unique_ptr<Integrator> scheme_with(const std::string &name, const std::string &settings, const MechanicalSystem &system,
                                        const Newton &newton)
{
  Deck deck = Deck::from_text(settings, name);
  Parameters p = deck.root();
  auto integrator = Registry<Integrator>::instance().make(name);
  integrator->declare(p);
  deck.finish();
  integrator->newton = &newton;
  check_scheme(*integrator, system, p);
  return integrator;
}

const std::vector<Equivalence> &equivalences()
{
  constexpr Likeness same = Likeness::same;
  static const std::vector<Equivalence> list{
      {"average-acceleration", "", "newmark", "set beta = 0.25\n"},
      {"average-acceleration", "", "midpoint", "", same, true},
      {"central-difference", "", "stormer-verlet", ""},
      {"newmark", "set beta = 0\n", "stormer-verlet", ""},
      {"zhang-skeel", "set beta = 0\n", "stormer-verlet", ""},
      {"zhang-skeel", "set beta = 0.25\n", "variational-newmark", "set beta = 0.25\n", same, true},
      {"zhang-skeel-simplified", "set beta = 0.25\n", "zhang-skeel", "set beta = 0.25\n", same, true},
      {"newmark", "set beta = 0.25\n", "midpoint", "", same, true},
      {"variational-newmark", "set beta = 0.25\nset start = suris\n", "newmark", "set beta = 0.25\n", Likeness::shadow},
      {"symmetric-galerkin-alpha", "set alpha = 0.3\n", "newmark", "set beta = 0.21\n", same, true},
      {"symmetric-galerkin-alpha", "set alpha = 0.5\n", "midpoint", ""},
      {"galerkin-alpha", "set alpha = 0.5\n", "midpoint", ""},
      {"galerkin-alpha", "set alpha = 0.4\n", "newmark", "set beta = 0.24\n", Likeness::interpolated, false, false, 0.4},
      {"galerkin-alpha", "set alpha = 0.3\n", "galerkin-alpha", "set alpha = 0.7\n", Likeness::adjoint},
      {"galerkin-alpha", "set alpha = 0\n", "symplectic-euler", ""},
      {"symplectic-euler", "", "galerkin-alpha", "set alpha = 0\n"},
      {"symplectic-euler", "", "galerkin-alpha", "set alpha = 1\n", Likeness::adjoint},
      {"hht-alpha", "set alpha = 0\n", "newmark", "set beta = 0.25\n"},
      {"wbz-alpha", "set alpha = 0\n", "newmark", "set beta = 0.25\n"},
      {"generalized-alpha", "set rho infinity = 1\nset force = averaged\n", "newmark", "set beta = 0.25\n"},
      {"generalized-alpha", "set rho infinity = 1\nset force = evaluated\n", "midpoint", ""},
      {"two-step", "", "midpoint", ""},
      {"lagrange-dalembert", "", "midpoint", ""},
      {"lagrange-dalembert", "", "midpoint", "", same, false, true},
      {"newmark-dalembert", "set beta = 0.25\n", "newmark", "set beta = 0.25\n"},
      {"newmark-dalembert", "set beta = 0.25\n", "newmark", "set beta = 0.25\n", same, false, true},
      {"incremental-potential", "set beta = 0.25\n", "newmark", "set beta = 0.25\n"},
      {"simo-tarnow", "", "midpoint", "", same, true},
      {"discrete-gradient", "", "midpoint", "", same, true}};
  return list;
}

double unlikeness(const Equivalence &pair, const Integrator &first, const Integrator &second, const Trial &trial)
{
  if (pair.likeness == Likeness::interpolated)
    return interpolated_distance(trial, first, second, pair.alpha);
  State end = end_of_run(trial, first);
  if (pair.likeness != Likeness::adjoint)
  {
    if (pair.likeness == Likeness::shadow)
      end.q = end.memory.at("q_newmark");
    return relative(trial, end, end_of_run(trial, second));
  }
  State back = end;
  back.memory.clear();
  begin(*trial.system, second, back, -trial.h);
  march(trial, second, back, -trial.h, trial.steps);
  const auto [q, v] = distances(*trial.system, back, trial.start);
  const auto [q_way, v_way] = distances(*trial.system, end, trial.start);
  return (q + trial.h * v) / (q_way + trial.h * v_way);
}

namespace
{
std::string how(const Equivalence &pair)
{
  std::string settings = pair.settings + pair.partner_settings;
  std::replace(settings.begin(), settings.end(), '\n', ' ');
  const std::string with = settings.empty() ? "" : ", with " + settings.substr(0, settings.size() - 1);
  switch (pair.likeness)
  {
    case Likeness::shadow:
      return "distance of q = x + beta h² a and v" + with;
    case Likeness::interpolated:
      return "distance of (1 - alpha) q0 + alpha q1" + with;
    case Likeness::adjoint:
      return "distance from the start after as many steps back with the partner" + with;
    case Likeness::same:
      break;
  }
  return "distance of q and v" + with;
}
}  // namespace

void SchemeCheck::equivalences(const Trial &of, const bool damped)
{
  for (const Equivalence &pair : symdyn::equivalences())
  {
    if (pair.scheme != history.scheme || pair.damped != damped || !Registry<Integrator>::instance().has(pair.partner))
      continue;
    const std::string name = (pair.likeness == Likeness::adjoint ? "adjoint of " : "same as ") + pair.partner + (damped ? ", damped" : "");
    property(name, true, [&](Finding &finding) {
      if (pair.linear_only && !of.system->has(Feature::linear))
        finding.reason = "on linear decks only";
      else if (pair.likeness != Likeness::same && moving)
        finding.reason = "the supports move, at times that the two do not share";
      if (!finding.reason.empty())
        return;
      const auto first = scheme_with(pair.scheme, pair.settings, *of.system, *of.integrator->newton);
      const auto second = scheme_with(pair.partner, pair.partner_settings, *of.system, *of.integrator->newton);
      Trial shared = of;
      shared.steps = compared_steps;
      shared.h = std::min({of.h, subject.step_for(*first, *of.system), subject.step_for(*second, *of.system)});
      const double apart = unlikeness(pair, *first, *second, shared), limit = compared_steps * exact_per_step;
      if (apart <= limit)
        set(finding, apart, limit, how(pair));
      else
      {
        constexpr double most = 1e-7;  // schemes that are not equal differ by more
        set(finding, apart, std::clamp(rounding_of_run(shared, *second), limit, most), how(pair) + "; limit: rounding of these runs");
      }
    });
  }
}
}  // namespace symdyn
