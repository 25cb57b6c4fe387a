#include <cmath>

#include <algorithm>
#include <limits>

#include "integrators/base_scheme.h"

namespace symdyn
{
namespace
{
/// Sub-steps w_1 h, w_2 h, ..., w_1 h of a symmetric scheme of order 2, sum w = 1, sum w³ = 0: order 4, symmetric (Yoshida 1990;
/// Suzuki 1990). Some weights are negative. Reversible and explicit as the base is, it keeps what the base keeps in (q, v);
/// what the base keeps in variables that depend on h (newmark, beta != 0: x = q + beta h² M^-1 dV/dq) is lost: the defect in
/// dq ∧ d(M v) is of order h^5. Linear modes: the promise is the limit of the base over the longest sub-step, and the step below
/// which sub-steps do not resonate (around a base that keeps the energy of linear systems they never do). The base starts again
/// wherever the length of its sub-step changes. For systems without damping, which would run backwards. `base`
/// names the scheme; a section of that name holds its parameters. Errors: those of the base; then the state is unchanged.
class Composition : public Integrator
{
public:
  Composition(std::string name, std::vector<double> weights, double resonance)
      : name(std::move(name)), weights(std::move(weights)), resonance(resonance)
  {
  }

  void declare(Parameters &p) override
  {
    base = declare_base(p, base_name, "symmetric scheme that is composed", {"yoshida4", "suzuki4", "langevin"});
  }

  std::optional<double> law_point() const override { return std::nullopt; }
  void check(const MechanicalSystem &system, const Parameters &p) const override
  {
    require_undamped(system, p, name, "the base itself as Scheme");
    const Parameters own = p.section(base_name);
    base->check(system, own);
    const Promise of_base = base->promise(system);
    if (!of_base.reversible || of_base.order != 2)
      p.fail("base", name +
                         " needs a symmetric base of order 2: step, v -> -v, step must lead back to the start. Set base = midpoint, "
                         "stormer-verlet, zhang-skeel or newmark (gamma = 0.5)");
    if (own.given("start"))  // x0 of variational-newmark would depend on the sub-step
      own.fail("start", "a sub-step has no start of its own: the composition starts at the given positions. Remove the entry");
  }

  bool is_explicit() const override { return base->is_explicit(); }
  bool carries_acceleration() const override { return base->carries_acceleration(); }

  Promise promise(const MechanicalSystem &system) const override
  {
    Promise promise = base->promise(system);
    promise.order = 4;
    for (Where *where : {&promise.symplectic, &promise.linear_momentum, &promise.angular_momentum})
      if (*where == Where::canonical_h)
        *where = Where::nowhere;
    promise.energy_bounded = promise.energy || promise.symplectic == Where::in_qv;
    promise.monotone_dissipation = false;
    promise.stable_h_omega /= longest();
    if (!promise.energy)
      promise.stable_h_omega = std::min(promise.stable_h_omega, resonance);
    return promise;
  }

  void start(const MechanicalSystem &system, State &state, const double h) const override
  {
    base->newton = newton;
    base->start(system, state, weights.front() * h);
  }
  void start_tangent(const MechanicalSystem &system, const State &started, const double h, State &delta) const override
  {
    base->start_tangent(system, started, weights.front() * h, delta);
  }

  StepReport step(const MechanicalSystem &system, State &state, const double h) const override
  {
    StepReport report;
    State end = state;
    substeps(system, end, h, &report, nullptr);
    end.t = state.t + h;
    end.n = state.n + 1;
    state = std::move(end);
    return report;
  }

  void step_tangent(const MechanicalSystem &system, const State &before, const State &, const double h, State &delta) const override
  {
    State end = before;
    substeps(system, end, h, nullptr, &delta);
  }

private:
  double longest() const
  {
    return std::abs(
        *std::max_element(weights.begin(), weights.end(), [](const double a, const double b) { return std::abs(a) < std::abs(b); }));
  }

  void substeps(const MechanicalSystem &system, State &state, const double h, StepReport *sum, State *delta) const
  {
    base->newton = newton;
    double last = weights.front();
    for (const double w : weights)
    {
      if (w != last)
      {
        base->start(system, state, w * h);
        if (delta)
          base->start_tangent(system, state, w * h, *delta);
      }
      last = w;
      const State before = delta ? state : State();
      const StepReport report = base->step(system, state, w * h);
      if (delta)
        base->step_tangent(system, before, state, w * h, *delta);
      if (sum)
      {
        sum->newton += report.newton;
        sum->krylov += report.krylov;
        sum->kept += report.kept;
        sum->force = report.force;
        if (sum->warning.empty())
          sum->warning = report.warning;
      }
    }
  }

  std::string name, base_name = "midpoint";
  std::vector<double> weights;
  double resonance;  ///< h omega
  std::unique_ptr<Integrator> base;
};

/// The triple jump (Yoshida 1990, eq. 2.11).
class Yoshida4 : public Composition
{
public:
  Yoshida4() : Composition("yoshida4", {w, 1. - 2. * w, w}, std::numeric_limits<double>::infinity()) {}

private:
  static inline const double w = 1. / (2. - std::cbrt(2.));
};

/// Five sub-steps (Suzuki 1990, eq. 20): all shorter than h, and an error constant some seventy times smaller. But each sub-step is
/// a rotation in another metric, and where all of them together turn a mode by half a circle it grows: at h omega = 2.72 around
/// Stoermer-Verlet, 2.88 to 3.5 around Newmark, 2.77 to 3.3 around its pushforward (0 < beta <= 1/2; none at beta = 1/4 of Newmark).
class Suzuki4 : public Composition
{
public:
  Suzuki4() : Composition("suzuki4", {w, w, 1. - 4. * w, w, w}, 2.72) {}

private:
  static inline const double w = 1. / (4. - std::cbrt(4.));
};
}  // namespace

SYMDYN_REGISTER(Integrator, Yoshida4, "yoshida4");
SYMDYN_REGISTER(Integrator, Suzuki4, "suzuki4");
}  // namespace symdyn
