#include "solver/dynamics/slow_motion.h"

#include <fmt/format.h>

#include "solver/archive.h"
#include "solver/base/log.h"
#include "solver/parameters.h"

namespace symdyn
{
void SlowMotion::declare(Parameters p)
{
  p.add("Project start", at_start, "the first dynamic stage starts from the slow manifold: without fast oscillations of the stiff part");
  p.add("Project every", every, "interval of projections of the state [steps], without the last step of a stage; 0: never",
        between(0, 1000000000));
  manifold.declare(p);
  if (p.exists())
    section = std::make_shared<Parameters>(p);
  if (section && !at_start && every == 0)
    p.fail("", "has no effect. Set Project start = yes or Project every, or remove the section");
}

void SlowMotion::check(const MechanicalSystem &system, const State &state, const double duration, const long steps) const
{
  if (!section)
    return;
  if (duration == 0.)
    section->fail("", "has no effect: the deck has static stages only. Remove it, or add a dynamic stage");
  if (every > 0 && every >= steps)
    section->fail("Project every",
                  fmt::format("has no effect: no stage has more than {} steps, and its end is not projected. Make it smaller", steps));
  manifold.check(system, *section);
  manifold.check_window(system, state, *section, duration);
}

void SlowMotion::begin(const MechanicalSystem &system, State &state)
{
  if (!at_start)
    return;
  at_start = false;
  project(system, state);
}

void SlowMotion::project(const MechanicalSystem &system, State &state)
{
  const SlowManifold::Report report = manifold.project(system, state);
  state.memory.clear();
  const std::string text = fmt::format("slow manifold: step {}, t = {:.6g} s: {}", state.n, state.t, report.text());
  if (report.converged || lack_said)
    return log_line(text);
  lack_said = true;
  log_warning(text);
}

void SlowMotion::save(Archive archive) const
{
  archive.put("at start", at_start);
  archive.put("lack said", lack_said);
}

void SlowMotion::load(const Archive &archive)
{
  archive.get("at start", at_start);
  archive.get("lack said", lack_said);
}
}  // namespace symdyn
