#include <algorithm>
#include <limits>

#include "solver/base/log.h"
#include "solver/base/terminal.h"
#include "solver/base/timer.h"
#include "solver/stages/analysis.h"

// How far a run is: on the terminal and in progress.json.
namespace symdyn
{
namespace
{
/// What all stages have.
RunProgress progress_of(const Analysis &analysis, const Stage &stage, const double now)
{
  RunProgress progress;
  progress.stage = stage.name;
  progress.number = long(std::min(analysis.place.stage + 1, analysis.stages.size()));
  progress.stages = long(analysis.stages.size());
  progress.time_unit = analysis.units.time;
  progress.energy_unit = analysis.units.energy;
  progress.frequency_unit = hertz(analysis.units);
  progress.steps = analysis.counts.steps;
  progress.wall = now - analysis.wall_start;
  progress.last_warning = Log::instance().last_warning();
  return progress;
}

void show(const RunProgress &progress, ProgressFile &file, const double now, const bool last)
{
  if (file.is_due(now))
    file.write(progress, now);
  if (last || Log::instance().progress_is_due())
    Log::instance().progress(progress.line(terminal_columns() - 1), last);
}
}  // namespace

void Analysis::show_progress(const Stage &stage, const long done, const long of, const bool last, const std::optional<double> frequency,
                             const char *kind)
{
  const double now = ScopedTimer::now(), part = double(done) / double(of);
  progress.sample(place.stage, part, now);
  if (!last && !Log::instance().progress_is_due() && !progress_file.is_due(now))
    return;
  RunProgress shown = progress_of(*this, stage, now);
  shown.done = done;
  shown.of = of;
  shown.part = part;
  shown.left = last ? -1. : progress.left();
  if (frequency)
  {
    shown.kind = kind;
    shown.f = frequency;
  }
  else
  {
    shown.t = state.t;
    shown.newton = counts.last_newton;
    shown.energy_error = counts.energy_error;
  }
  show(shown, progress_file, now, last);
}

std::function<void(long, long)> Analysis::modes_progress(const Stage &stage)
{
  return [this, &stage](const long found, const long asked) {
    const double now = ScopedTimer::now();
    if (!Log::instance().progress_is_due() && !progress_file.is_due(now))
      return;
    RunProgress shown = progress_of(*this, stage, now);
    shown.kind = "modes";
    shown.done = found;
    shown.of = asked;
    shown.part = double(found) / double(std::max(asked, 1L));
    show(shown, progress_file, now, false);
  };
}

void Analysis::write_progress(const std::string &status, const std::string &verdict)
{
  const double now = ScopedTimer::now();
  const Stage &stage = *stages[std::min(place.stage, stages.size() - 1)];
  RunProgress shown = progress_of(*this, stage, now);
  shown.status = status;
  shown.verdict = verdict;
  shown.t = state.t;
  shown.newton = counts.last_newton;
  shown.energy_error = counts.energy_error;
  shown.done = place.stage < stages.size() ? place.done : stage.length();
  shown.of = stage.length();
  if (shown.of == std::numeric_limits<long>::max())  // not known
    shown.done = shown.of = 0;
  shown.part = place.stage == stages.size() ? 1. : shown.of > 0 ? double(shown.done) / double(shown.of) : 0.;
  progress_file.write(shown, now);
}
}  // namespace symdyn
