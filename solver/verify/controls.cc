#include <fmt/format.h>

#include <cmath>

#include "solver/error.h"
#include "solver/registry.h"
#include "solver/verify/particles.h"
#include "solver/verify/verify.h"

// Schemes that must lose the symplectic form on a system where it can be lost, and how fast.
namespace symdyn
{
namespace
{
enum class Expected
{
  kept,          ///< over a run
  lost,          ///< over a run
  kept_between,  ///< on differences of neighbouring runs
  lost_between,  ///< likewise
  power_of_h     ///< of the change in one step
};

struct Control
{
  std::string scheme, settings;
  bool canonical;  ///< in x = q + s h² M^-1 dV/dq; else in (q, M v)
  Expected expected;
  int power;
  double h;
  std::string why;
};

/// Defects: Tao and Owhadi (2015), Theorem 2.4, and our own expansions (docs/verify.md).
const std::vector<Control> &all_controls()
{
  static const std::vector<Control> controls{
      {"newmark", "", true, Expected::kept, 0, 0.2, "symplectic in its own variables"},
      {"newmark", "", false, Expected::lost, 0, 0.2, "not in (q, Mv)"},
      {"newmark", "set gamma = 0.6\nset beta = 0.3025\n", false, Expected::lost, 0, 0.2, "damps"},
      {"rk4", "", false, Expected::lost, 0, 0.2, "no geometry"},
      {"hht-alpha", "set alpha = -0.1\n", false, Expected::lost, 0, 0.2, "damps"},
      {"newmark", "", true, Expected::kept_between, 0, 0.2, "symplectic in its own variables"},
      {"newmark", "", false, Expected::lost_between, 0, 0.2, "not in (q, Mv)"},
      {"rk4", "", false, Expected::lost_between, 0, 0.2, "no geometry"},
      {"hht-alpha", "set alpha = -0.1\n", false, Expected::lost_between, 0, 0.2, "damps"},
      {"zhang-skeel", "", false, Expected::kept, 0, 0.05, "Verlet with a modified potential"},
      {"zhang-skeel-simplified", "", false, Expected::power_of_h, 5, 0.04, "the third derivative is left out"},
      {"zhang-skeel-stiff", "", false, Expected::power_of_h, 3, 0.02, "M (M + c K1)^-1 (K0 + K1) is not symmetric"},
      {"newmark-partial", "", true, Expected::power_of_h, 6, 0.1, "one Newton iteration"},
      {"yoshida4", "set base = midpoint\n", false, Expected::kept, 0, 0.1, "composition of steps that are symplectic in (q, Mv)"},
      {"yoshida4", "set base = newmark\n", false, Expected::power_of_h, 5, 0.01, "the base keeps its form in variables that depend on h"}};
  return controls;
}

constexpr int run_steps = 200;
constexpr double kept_limit = 1e-10, control_above_rounding = 10., lost_limit = 1e-3, power_tolerance = 0.5;

Trial trial_of(const Control &control, const Particles &system, const Integrator &integrator)
{
  Trial trial;
  trial.system = &system;
  trial.integrator = &integrator;
  trial.start = system.start({0.3, -1.1, 1.2, -2.1}, {0.2, -0.1, 0.3, 0.4});  // a swing, about the size of the rods
  trial.h = control.h;
  trial.steps = run_steps;
  return trial;
}

void measure_run(const Control &control, const Trial &trial, Finding &finding)
{
  const RunHistory run = measured_run(trial);
  finding.value = 0.;
  for (const double drift : control.canonical ? run.drift : run.drift_qv)
    finding.value = larger(finding.value, drift);
  const bool kept = control.expected == Expected::kept;
  finding.limit = kept ? std::max(kept_limit, control_above_rounding * run.form_floor) : lost_limit;
  const bool as_expected = kept ? finding.value <= finding.limit : finding.value >= finding.limit;
  finding.verdict = as_expected ? Verdict::kept : Verdict::broken;
  finding.reason = fmt::format("{}; largest drift in {} steps of {:g}", control.why, trial.steps, trial.h);
}

void measure_neighbours(const Control &control, const Trial &trial, Finding &finding)
{
  const NeighbourDrift drift = neighbour_drift(trial, 0.);
  const bool kept = control.expected == Expected::kept_between;
  finding.value = control.canonical ? drift.canonical : drift.qv;
  finding.limit = kept ? neighbours_limit : lost_limit;
  finding.verdict = (kept ? finding.value <= finding.limit : finding.value >= finding.limit) ? Verdict::kept : Verdict::broken;
  finding.reason = fmt::format("{}; differences of runs of {} steps of {:g}", control.why, drift.steps, trial.h);
}

std::string expected_text(const Control &control)
{
  switch (control.expected)
  {
    case Expected::kept:
      return fmt::format("< {:.0e}", kept_limit);
    case Expected::kept_between:
      return fmt::format("< {:.0e}", neighbours_limit);
    case Expected::lost:
    case Expected::lost_between:
      return fmt::format("> {:.0e}", lost_limit);
    case Expected::power_of_h:
      return fmt::format("h^{}", control.power);
  }
  return "";
}

void measure_power(const Control &control, Trial trial, Finding &finding)
{
  const double coarse = one_step_change(trial, control.canonical);
  trial.h *= 0.5;
  const double fine = one_step_change(trial, control.canonical);
  finding.value = std::log2(coarse / fine);
  finding.limit = control.power;
  finding.verdict = std::abs(finding.value - control.power) <= power_tolerance ? Verdict::kept : Verdict::broken;
  finding.reason = fmt::format("{}; the power of h of the change in one step, {:.1e} at h = {:g}", control.why, coarse, control.h);
}
}  // namespace

std::vector<Finding> run_controls()
{
  constexpr double omega = 2., soft = 1.;
  const Particles system = Particles::pendulum(omega, soft);
  Newton newton;
  newton.tolerance = newton.step_tolerance = 1e-15;
  std::vector<Finding> findings;
  for (const Control &control : all_controls())
  {
    Finding finding{control.scheme,
                    control.canonical ? "form in (x, Mv)" : "form in (q, Mv)",
                    true,
                    Verdict::not_applicable,
                    std::nan(""),
                    std::nan(""),
                    ""};
    finding.expected = expected_text(control);
    if (!Registry<Integrator>::instance().has(control.scheme))
      finding.reason = "no such scheme in this program";
    else
      try
      {
        const auto integrator = scheme_with(control.scheme, control.settings, system, newton);
        const Trial trial = trial_of(control, system, *integrator);
        if (control.expected == Expected::power_of_h)
          measure_power(control, trial, finding);
        else if (control.expected == Expected::kept_between || control.expected == Expected::lost_between)
          measure_neighbours(control, trial, finding);
        else
          measure_run(control, trial, finding);
      }
      catch (const std::exception &error)
      {
        finding.verdict = Verdict::broken;
        finding.reason = error.what();
      }
    findings.push_back(finding);
  }
  return findings;
}
}  // namespace symdyn
