#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "integrators/base_scheme.h"
#include "solver/dynamics/multipliers.h"
#include "solver/integrator.h"
#include "solver/parameters.h"
#include "solver/random.h"
#include "solver/registry.h"
#include "solver/unknowns.h"

namespace symdyn
{
/// Geometric Langevin (Bou-Rabee, Owhadi 2010; Tao, Owhadi 2015, sect. 4.3) for dq = v dt, M dv = (f - dV/dq - gamma v) dt + sqrt(2 gamma
/// kT) dW: a step of any deterministic scheme, `base`, and then the exact Ornstein-Uhlenbeck step of each free p = m v,
///     p <- e^(-gamma h/m) p + sqrt(m kT (1 - e^(-2 gamma h/m))) xi      [kg m/s]
/// xi is a standard normal number that is a function of (seed, identity of the degree of freedom, number of the step): a run can be
/// repeated, restarted, and shared by any number of ranks. Around a symplectic base the statistics are those of Gibbs, exp(-H/kT), up to
/// the order of the base in h (of the base's modified energy). Needs a diagonal mass. Where the acceleration or the memory of the base
/// depends on v, it starts again after the noise. With h < 0 the base goes back; noise has no inverse and acts over |h|. With constraints
/// the velocity after the noise is projected, G v = 0 (Lelievre, Rousset, Stoltz 2012): around rattle or shake. Keeps nothing, and has no
/// order along a path. Errors: those of the base; then the state is unchanged.
class Langevin : public Integrator
{
public:
  void declare(Parameters &p) override
  {
    p.add("gamma", gamma, "friction of each degree of freedom with the bath, force over velocity [kg/s]; to be given", positive());
    p.add("kT", temperature,
          "Boltzmann's constant times the temperature of the bath, mean of m v² of each degree of freedom [J]; to be given",
          not_negative());
    p.add("seed", seed, "another number gives another path of the noise", between(0, std::numeric_limits<int>::max()));
    base = declare_base(p, base_name, "deterministic scheme, for which the noise acts between steps", {"langevin"});
  }

  std::optional<double> law_point() const override { return std::nullopt; }
  void check(const MechanicalSystem &system, const Parameters &p) const override
  {
    for (const char *entry : {"gamma", "kT"})
      if (!p.given(entry))
        p.fail(entry, "langevin has no friction and no temperature of its own. Give gamma [kg/s] and kT [J] in its section");
    if (!system.has(Feature::diagonal_mass))
      refuse_scheme(p, "langevin needs a diagonal mass, so that each momentum has its own noise. Use --set \"Elements/Mass=lumped\"");
    if (base_name == "hp-cayley")
      p.fail(
          "base",
          "noise on the coordinates of a body is no noise on its turning. Use base = stormer-verlet with a Rigidity, or rattle with Law = orthonormal");
    if (is_constrained(system) && !base->keeps_constraints())
      p.fail("base", fmt::format("'{}' does not keep constraints. Use base = rattle", base_name));
    check_scheme(*base, system, p.section(base_name));
  }
  bool keeps_constraints() const override { return base->keeps_constraints(); }
  bool keeps_rotations() const override { return base->keeps_rotations(); }

  bool is_explicit() const override { return base->is_explicit(); }
  bool carries_acceleration() const override { return base->carries_acceleration(); }
  WorkRule work_rule() const override { return base->work_rule(); }

  Promise promise(const MechanicalSystem &system) const override
  {
    Promise promise;
    promise.order = 0;
    promise.linear_momentum = Where::nowhere;
    promise.stable_h_omega = base->promise(system).stable_h_omega;
    return promise;
  }

  void start(const MechanicalSystem &system, State &state, const double h) const override
  {
    base->newton = newton;
    base->start(system, state, h);
  }
  void start_tangent(const MechanicalSystem &system, const State &started, const double h, State &delta) const override
  {
    base->start_tangent(system, started, h, delta);
  }

  StepReport step(const MechanicalSystem &system, State &state, const double h) const override
  {
    base->newton = newton;
    State end = state;
    const StepReport report = base->step(system, end, h);
    exchange(system, state.n, h, end.v, temperature);
    if (is_constrained(system))
      project_rates(system, end);
    if (follows_velocity(system, end) || is_constrained(system))
      base->start(system, end, h);
    state = std::move(end);
    return report;
  }

  void step_tangent(const MechanicalSystem &system, const State &before, const State &after, const double h, State &delta) const override
  {
    State end = before;
    base->newton = newton;
    base->step(system, end, h);
    base->step_tangent(system, before, end, h, delta);
    exchange(system, before.n, h, delta.v, 0.);
    delta.v.update_ghost_values();
    if (follows_velocity(system, after))
      base->start_tangent(system, after, h, delta);
  }

private:
  /// v after the bath at the given temperature has acted over |h| on the free directions.
  void exchange(const MechanicalSystem &system, const std::uint64_t n, const double h, Vector &v, const double kT) const
  {
    if (layout != v.get_partitioner())
    {
      layout = v.get_partitioner();
      identities = system.unknowns().identities();
    }
    Vector change = system.new_vector(), m = change;
    change = 1.;
    system.mass(change, m);
    for (unsigned int i = 0; i < v.locally_owned_size(); ++i)
    {
      const double mass = m.local_element(i), rate = gamma * std::abs(h) / mass;
      change.local_element(i) = std::expm1(-rate) * v.local_element(i);
      if (kT > 0.)
        change.local_element(i) += std::sqrt(-std::expm1(-2. * rate) * kT / mass) * standard_normal(seed, identities[i], n);
    }
    system.project(change);
    v += change;
  }

  /// Whether what the base carries besides q and v depends on v.
  static bool follows_velocity(const MechanicalSystem &system, const State &state)
  {
    return system.has(Feature::damping) || !state.memory.empty();
  }

  double gamma = 1., temperature = 0.;
  int seed = 0;
  std::string base_name = "stormer-verlet";
  std::unique_ptr<Integrator> base;
  mutable std::shared_ptr<const dealii::Utilities::MPI::Partitioner> layout;
  mutable std::vector<std::uint64_t> identities;  ///< of the degrees of freedom of this layout
};

SYMDYN_REGISTER(Integrator, Langevin, "langevin");
}  // namespace symdyn
