#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solver/base/units.h"
#include "solver/results/recorder.h"
#include "solver/stages/motion.h"

// What a deck says of a stage in time.
namespace symdyn
{
void Motion::declare_entries(Entries &entries, AdaptiveStep &substeps, Parameters time)
{
  time.add("Time step", entries.step, "h [s], or `auto`: 0.9 of the critical step of an explicit scheme");
  time.add("Automatic step at most", entries.at_most, "upper bound of `Time step = auto` [s]", positive());
  time.add("Automatic step at least", entries.at_least,
           "lower bound of `Time step = auto` [s]: where the critical step asks for a shorter one, the run is refused", positive());
  time.add("End time", entries.end, "[s]; a multiple of the step");
  time.add(
      "Sampling", entries.sampling,
      "value of amplitude tables and base records that a step uses; points: that of the table at the times of the scheme; mean: the mean over the neighbouring steps, whose "
      "impulse is exact",
      {"points", "mean"});
  substeps.declare(time);
  time.add("Allow unstable step", entries.allow_unstable, "run an explicit scheme beyond its critical step");
}

void Motion::document_time(Parameters time)
{
  Entries entries;
  AdaptiveStep substeps;
  declare_entries(entries, substeps, std::move(time));
}

double Motion::declare_time(TimeSections &deck, const double start)
{
  time.start = start;
  const Parameters own = deck.own.section("Time"), section = own.exists() ? own : deck.root.section("Time");
  deck.time_used = deck.time_used || !own.exists();
  declare_entries(entries, substeps, section);
  entries.where_sampling = section.where("Sampling");
  entries.where_step = section.where("Time step");
  entries.where_end = section.where("End time");
  entries.section = section.path();
  check_entries(section);
  check_end(section);
  declare_scheme(deck);
  return time.end;
}

void Motion::check_entries(const Parameters &section)
{
  if (!section.given("Time step"))
    section.fail("Time step", "a dynamic stage needs its time step [s]");
  if (!section.given("End time"))
    section.fail("End time", "a dynamic stage needs its end time [s]");
  const bool automatic = entries.step == "auto";
  for (const char *entry : {"Automatic step at most", "Automatic step at least"})
    if (section.given(entry) && !automatic)
      section.fail(entry, "has no effect without \"Time step = auto\". Set that, or remove the entry");
  if (entries.at_most > 0. && entries.at_least > entries.at_most)
    section.fail("Automatic step at least", "is above \"Automatic step at most\". Lower it");
  if (!automatic)
    time.step = positive_number(entries.step, section, "Time step", " or `auto`");
  time.end = positive_number(entries.end, section, "End time", "");
}

void Motion::check_end(const Parameters &section) const
{
  if (time.end <= time.start)
    section.fail("End time", fmt::format("must be later than the start of stage '{}', {:g} s", name, time.start));
  if (time.step == 0.)
    return;
  const double n = std::max(1., std::round((time.end - time.start) / time.step)), nearest = time.start + n * time.step;
  if (n > 1e9)
    section.fail("End time",
                 fmt::format("takes {:.3g} steps of {} s; at most 1e9 are possible. Look at the unit of both", n, entries.step));
  if (std::abs(nearest - time.end) > 1e-9 * time.end)
    section.fail("End time", fmt::format("is not a multiple of the step {} s{}. The nearest is {:.12g} s", entries.step,
                                         time.start > 0. ? fmt::format(" after the start at {:g} s", time.start) : "", nearest));
}

std::string Motion::headline(const Units &units) const
{
  return fmt::format("{}, h = {:g}{}, to t = {:g}{}", time.scheme, time.step, Units::after(units.time), time.end, Units::after(units.time));
}
}  // namespace symdyn
