#include "meshes/abaqus/amplitude.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "meshes/abaqus/job.h"

namespace symdyn::abaqus
{
double AmplitudeTable::at(const double time) const
{
  const auto after = std::upper_bound(t.begin(), t.end(), time);
  if (after == t.begin())
    return a.front();
  if (after == t.end())
    return a.back();
  const std::size_t i = after - t.begin();
  return a[i - 1] + (a[i] - a[i - 1]) * (time - t[i - 1]) / (t[i] - t[i - 1]);
}

std::string AmplitudeTable::formula(const double start) const
{
  const auto piece = [&](const std::size_t i) {  // before the i-th point
    if (i == 0 || i == t.size() || a[i] == a[i - 1])
      return written(a[i == 0 ? 0 : i - 1]);
    return fmt::format("{} + ({})*(t - ({}))", a[i - 1], (a[i] - a[i - 1]) / (t[i] - t[i - 1]), start + t[i - 1]);
  };
  const std::function<std::string(std::size_t, std::size_t)> choice = [&](const std::size_t first, const std::size_t last) {
    const std::size_t middle = (first + last) / 2;
    return first == last ? piece(first)
                         : fmt::format("(t < ({}) ? {} : {})", start + t[middle], choice(first, middle), choice(middle + 1, last));
  };
  return choice(0, t.size());
}

namespace
{
/// time, value, time, value, ... in the time of the deck, where the table begins at `start`.
std::string as_list(const AmplitudeTable &table, const double start)
{
  std::vector<double> list;
  for (std::size_t i = 0; i < table.t.size(); ++i)
    list.insert(list.end(), {start + table.t[i], table.a[i]});
  return written(list);
}
}  // namespace

const AmplitudeTable *amplitude(const Job &job, const Keyword &card)
{
  if (!card.has("AMPLITUDE"))
    return nullptr;
  const auto found = job.amplitudes.find(upper(card.option("AMPLITUDE")));
  if (found == job.amplitudes.end())
    job.fail(card.line, "AMPLITUDE=" + card.option("AMPLITUDE"), "there is no *AMPLITUDE of this name.");
  return &found->second;
}

double static_factor(const Job &job, const Keyword &card, const Step &step)
{
  const AmplitudeTable *table = amplitude(job, card);
  return table && !step.traits.moves && !step.follows_amplitudes()
             ? table->at(step.period - delay(job, card) + (table->total_time ? step.total_start : 0.))
             : 1.;
}

double delay(const Job &job, const Keyword &card)
{
  if (!card.has("TIME DELAY"))
    return 0.;
  if (!card.has("AMPLITUDE"))
    job.fail(card.line, "TIME DELAY", "is of an AMPLITUDE, and there is none. Remove it.");
  return job.model.real({card.line, {}}, card.option("TIME DELAY"), "TIME DELAY");
}

void write_amplitude(Job &job, const Keyword &card, const Step &step, const std::string &path)
{
  if (const AmplitudeTable *table = amplitude(job, card); table && step.follows_amplitudes())
    job.out.add(card.line, path, "Amplitude points", as_list(*table, step.start_of(*table) + delay(job, card)));
}

std::string varying_value(const Job &job, const Keyword &card, const Step &step, const double value)
{
  const AmplitudeTable *table = step.follows_amplitudes() ? amplitude(job, card) : nullptr;
  const double start = table ? step.start_of(*table) + delay(job, card) : 0.;
  return written(value) + (table && value != 0. ? "*(" + table->formula(start) + ")" : "");
}
}  // namespace symdyn::abaqus
