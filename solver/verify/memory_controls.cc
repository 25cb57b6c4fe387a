#include <cmath>

#include "solver/error.h"
#include "solver/registry.h"
#include "solver/verify/memory.h"
#include "solver/verify/yielding.h"

// Memories that must be caught, each by its row.
namespace symdyn
{
namespace
{
struct MemoryControl
{
  std::string scheme;
  double eta;
  MemoryFault fault;
  std::string broken;  ///< the row that must break; "": all are kept
  std::string why;
};

const std::vector<MemoryControl> &memory_controls()
{
  static const std::vector<MemoryControl> all{
      {"newmark", 0., MemoryFault::none, "", "a mass on a spring that yields"},
      {"newmark", 0.3, MemoryFault::none, "", "one that yields by its rate"},
      {"midpoint", 0., MemoryFault::none, "", "a mass on a spring that yields"},
      {"discrete-gradient", 0., MemoryFault::none, "", "a mass on a spring that yields"},
      {"hht-alpha", 0.3, MemoryFault::none, "", "one that yields by its rate"},
      {"newmark", 0., MemoryFault::flows_backwards, "second law", "flow against the stress"},
      {"newmark", 0., MemoryFault::each_iteration, "function", "each iterate is taken for an accepted state"},
      {"newmark", 0., MemoryFault::in_the_system, "rollback", "the memory is the system's, not the state's"},
      {"hht-alpha", 0.3, MemoryFault::flows_at_rest, "accepted state", "the start of a step flows again"}};
  return all;
}

/// Of all rows but the one that must break, the verdict is that of the worst.
Finding judged(const MemoryControl &control, const std::vector<Finding> &rows)
{
  Finding finding{control.scheme, control.broken.empty() ? "memory" : control.broken, true, Verdict::kept, std::nan(""), std::nan(""),
                  control.why};
  if (!control.broken.empty())
    finding.verdict = Verdict::broken;  // until its row says that it is caught
  finding.expected = control.broken.empty() ? "kept" : "broken";
  for (const Finding &row : rows)
    if (control.broken.empty() && row.verdict == Verdict::broken)
    {
      finding = {control.scheme, "memory", true, Verdict::broken, row.value, row.limit, row.property + ": " + row.reason};
      finding.expected = "kept";
      return finding;
    }
    else if (row.property == control.broken)
    {
      finding.value = row.value;
      finding.limit = row.limit;
      finding.verdict = row.verdict == Verdict::broken && std::isfinite(row.value) ? Verdict::kept : Verdict::broken;
      finding.reason = control.why + "; " + row.reason;
    }
  return finding;
}
}  // namespace

std::vector<Finding> run_memory_controls()
{
  constexpr double h = 0.05;
  Newton newton;
  newton.tolerance = newton.step_tolerance = 1e-14;
  std::vector<Finding> findings;
  for (const MemoryControl &control : memory_controls())
  {
    const YieldingMass system(control.eta, control.fault);
    Trial trial;
    trial.system = &system;
    trial.start = system.start({0.3, -0.2}, {0.5, 0.8});
    trial.h = h;
    try
    {
      const auto integrator = scheme_with(control.scheme, "", system, newton);
      findings.push_back(judged(control, MemoryCheck(control.scheme, *integrator, trial).run()));
    }
    catch (const std::exception &error)
    {
      findings.push_back({control.scheme, "memory", true, Verdict::broken, std::nan(""), std::nan(""), error.what()});
    }
  }
  return findings;
}
}  // namespace symdyn
