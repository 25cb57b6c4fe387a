#include "meshes/abaqus/steps/print_times.h"

#include <algorithm>

#include "meshes/abaqus/job.h"

// When tables are written.
namespace symdyn::abaqus
{
namespace
{
void write_time_points(Job &job, const Keyword &card, const Step &step, const std::string &path)
{
  const std::string name = upper(card.option("TIME POINTS"));
  const auto found = std::find_if(job.model.all.begin(), job.model.all.end(),
                                  [&](const Keyword &k) { return k.name == "TIME POINTS" && upper(k.option("NAME")) == name; });
  if (found == job.model.all.end())
    job.fail(card.line, "TIME POINTS=" + name, "there is no *TIME POINTS of this name.");
  const double since =
      compact(found->option("TIME")) == "TOTALTIME" || compact(upper(found->option("TIME"))) == "TOTALTIME" ? step.total_start : 0.;
  std::vector<double> times;
  const auto take = [&](const double time) {
    if (time - since > 0. && time - since <= step.period * (1. + 1e-9))
      times.push_back(time - since);
  };
  for (const Line &line : found->data)
    if (!found->has("GENERATE"))
      for (const std::string &w : line.words)
        w.empty() ? void() : take(job.model.real(line, w, "a time"));
    else
    {
      const double first = job.real(line, 0, "the first time"), last = job.real(line, 1, "the last time"),
                   by = job.real(line, 2, "the interval");
      constexpr double most = 100000;
      if (last < first || by <= 0. || (last - first) / by > most)
        job.fail(line.number, join(line.words), "times go from the first to the last by an interval > 0.");
      for (long k = 0; first + k * by <= last * (1. + 1e-9); ++k)
        take(first + k * by);
    }
  if (times.empty())
    return job.out.warn(card.line, "TIME POINTS=" + name, "none of its times is in this step: the table is written at the end of the step");
  job.out.add(found->line, path, "Times", written(times));
}
}  // namespace

bool has_forms(const Step &step) { return step.procedure == "FREQUENCY" || step.procedure == "BUCKLE"; }

bool is_printed(Job &job, const Keyword &card)
{
  if (card.has("FREQUENCYF"))
    job.out.warn(card.line, "*" + card.name + ", FREQUENCYF", "is not known; tables are written each FREQUENCY increments");
  if (card.has("FREQUENCY") &&
      job.model.number({card.line, {}}, card.option("FREQUENCY"), "FREQUENCY, how many increments from table to table,") == 0)
    return false;
  return true;
}

void write_print_times(Job &job, const Keyword &card, const Step &step, const std::string &path)
{
  if (card.has("TOTALS"))
    job.out.add(card.line, path, "Totals",
                upper(card.option("TOTALS")) == "ONLY"  ? "only"
                : upper(card.option("TOTALS")) == "YES" ? "yes"
                                                        : "no");
  if (card.has("TIME POINTS"))
    write_time_points(job, card, step, path);
  else if (card.has("FREQUENCY"))
    job.out.add(card.line, path, "Every", card.option("FREQUENCY"));
  if (!step.traits.moves || has_forms(step) || (step.traits.takes_time && step.start != step.total_start))
    job.out.add(card.line, path, "Start", written(step.total_start));
  if ((!step.traits.moves && !step.traits.takes_time) || has_forms(step))
    job.out.add(card.line, path, "Period", written(has_forms(step) ? 1. : step.period));
}
}  // namespace symdyn::abaqus
