#include <fmt/format.h>

#include <algorithm>

#include "meshes/abaqus/job.h"
#include "solver/base/names.h"
#include "solver/registry.h"

// Which loads act in a step: those that begin there, and those of earlier steps in other places (CalculiX: in the same places the new one
// stands, and within a step they add up).
namespace symdyn::abaqus
{
const std::set<std::string> options_of_loads = {"OP", "AMPLITUDE", "TIME DELAY", "LOAD CASE", "SECTOR"};

void warn_if_empty(Job &job, const Keyword &card)
{
  if (card.data.empty() && upper(card.option("OP")) != "NEW")
    job.out.warn(card.line, "*" + card.name, "has no lines of data: it says nothing");
}

void begin_card(Job &job, const Keyword &card, Step &step, const std::string &ends)
{
  const std::string load_case = card.option("LOAD CASE");
  if (card.has("LOAD CASE") && load_case != "1" && (load_case != "2" || step.procedure != "STEADY STATE DYNAMICS" || step.periodic))
    job.fail(card.line, "LOAD CASE=" + load_case, "is 1, or in *STEADY STATE DYNAMICS 2: loads a quarter of a period ahead of the others.");
  const std::string op = upper(card.option("OP"));
  if (card.has("OP") && op != "NEW" && op != "MOD")
    job.fail(card.line, "OP=" + card.option("OP"), "is MOD (loads carry on, the default) or NEW (earlier ones end).");
  if (op == "NEW")
    step.removes.insert(ends);
  if (step.procedure == "FREQUENCY")
    job.fail(card.line, "*" + card.name, "modes of vibration know no loads. Remove it, or put it into a static step before.");
  if (card.has("AMPLITUDE") && step.procedure == "STEADY STATE DYNAMICS" && !step.periodic)
    job.fail(card.line, "AMPLITUDE=" + card.option("AMPLITUDE"),
             "would be a function of frequency here; harmonic loads have constant amplitudes. Leave it out.");
  if (amplitude(job, card) && !step.traits.moves && step.nonlinear)
    job.out.warn(card.line, "AMPLITUDE=" + card.option("AMPLITUDE"),
                 "only its value at the end of the step counts; increments before apply a part of it that grows evenly");
  warn_if_empty(job, card);
}

namespace
{
/// "CLOAD", "DLOAD"
std::string kind(const std::string &sort) { return sort.substr(0, sort.find(' ')); }

/// Ends the loads of earlier steps whose places are all in this region: whether there are any. Errors: InputError for one that would go on
/// in a part of its places.
bool end_others(const Job &job, Step &step, const Region &region)
{
  if (!step.traits.carries_loads || step.removes.count(kind(region.sort)))
    return false;
  bool any = false;
  std::set<std::size_t> here;
  for (const auto &place : region.places)
    if (const auto found = job.loads.acting_at.find(place); found != job.loads.acting_at.end())
      here.insert(found->second.begin(), found->second.end());
  for (const std::size_t i : here)
  {
    const Region &earlier = job.loads.acting[i];
    if (earlier.on() == region.on() || earlier.sort != region.sort)
      continue;
    if (!std::includes(region.places.begin(), region.places.end(), earlier.places.begin(), earlier.places.end()))
      job.fail(
          region.line, region.word,
          fmt::format(
              "acts where a part of the load on {} of {} acts, which would end there and go on elsewhere. Load the same sets in both steps, or end the earlier load with OP=NEW.",
              earlier.word, job.model.scanner.place(earlier.line)));
    step.loads.emplace(earlier.on(), "");
    any = true;
  }
  return any;
}

}  // namespace

std::string Region::on() const { return sort + " on " + upper(word); }

void begin_load(Job &job, const Keyword &card, Step &step, Region region, const std::string &name)
{
  if (card.option("LOAD CASE") == "2")  // the same places may have loads in phase as well
  {
    region.sort += " ahead";
    for (const std::string &one : split(name))
      step.quadrature.push_back(one);
  }
  std::string &names_there = step.loads[region.on()];
  const bool is_first = names_there.empty();
  names_there += (names_there.empty() || name.empty() ? "" : ", ") + name;
  bool ends_another = job.loads.acting_on.count(region.on()) > 0;
  if (card.has("AMPLITUDE") && !name.empty())
    step.varying[region.on()] = &card;
  region.varies = card.has("AMPLITUDE");
  ends_another = end_others(job, step, region) || ends_another;
  if (name.empty() && !ends_another)
    job.out.warn(region.line, region.word, "zero load ignored (it replaces no earlier load)");
  if (name.empty())
    return;
  const auto same = is_first ? job.loads.begun.end()
                             : std::find_if(job.loads.begun.begin(), job.loads.begun.end(),
                                            [&](const Region &other) { return other.on() == region.on(); });
  if (same == job.loads.begun.end())
    job.loads.begun.push_back(std::move(region));
  else
  {
    same->varies = same->varies || region.varies;
    same->places.insert(region.places.begin(), region.places.end());
    for (std::size_t d = 0; d < same->components.size(); ++d)
      same->components[d] += region.components[d];
  }
}

namespace
{
void end_step_of_loads(Job &job, const Step &step)
{
  if (step.traits.carries_loads && job.steps.size() > 1)
  {
    const auto ends = [&](const Region &region) { return step.removes.count(kind(region.sort)) > 0 || step.loads.count(region.on()) > 0; };
    job.loads.acting.erase(std::remove_if(job.loads.acting.begin(), job.loads.acting.end(), ends), job.loads.acting.end());
    job.loads.acting.insert(job.loads.acting.end(), job.loads.begun.begin(), job.loads.begun.end());
    job.loads.acting_at.clear();
    job.loads.acting_on.clear();
    for (std::size_t i = 0; i < job.loads.acting.size(); ++i)
    {
      job.loads.acting_on[job.loads.acting[i].on()] = i;
      for (const auto &place : job.loads.acting[i].places)
        job.loads.acting_at[place].push_back(i);
    }
  }
  job.loads.begun.clear();
}

void require_same_amplitudes(const Job &job, const Step &step, const std::map<std::string, std::string> &now)
{
  for (const auto &[on, name] : now)
    for (const Step &earlier : job.steps)
    {
      const auto varying = earlier.varying.find(on);
      if (varying == earlier.varying.end() || &earlier == &step || earlier.loads.at(on) != name || name.empty())
        continue;
      const Keyword &card = *varying->second;
      const bool goes_on = amplitude(job, card)->total_time && earlier.traits.takes_time && step.traits.takes_time &&
                           earlier.start - earlier.total_start == step.start - step.total_start;
      if (!goes_on)
        job.fail(
            card.line, "AMPLITUDE=" + card.option("AMPLITUDE"),
            fmt::format(
                "this load stays active in {}, where its amplitude would restart. Give the load again in that step, or end it with OP=NEW.",
                step.name));
    }
}

/// Loads carry on into later steps, unless OP=NEW, or another load on the same nodes, faces or body takes their place.
void write_stage_loads(Job &job)
{
  for (const Step &step : job.steps)
    if (!step.quadrature.empty())
      job.out.add(step.card.line, "Stages/" + step.name, "Imaginary loads", join(step.quadrature));
  if (job.steps.size() == 1)
    return;
  std::map<std::string, std::string> active;
  for (const Step &step : job.steps)
  {
    if (step.procedure == "FREQUENCY")
      continue;
    std::map<std::string, std::string> now;
    for (const auto &[on, name] : active)
      if (step.traits.carries_loads && !step.removes.count(on.substr(0, on.find(' '))))
        now[on] = name;
    for (const auto &[on, name] : step.loads)
      now[on] = name;
    std::vector<std::string> names_of_loads;
    for (const auto &entry : now)
      if (!entry.second.empty())
        names_of_loads.push_back(entry.second);
    require_same_amplitudes(job, step, now);
    job.out.add(step.line, "Stages/" + step.name, "Loads", names_of_loads.empty() ? "none" : join(names_of_loads));
    if (step.traits.carries_loads)
      active = now;
  }
}

class StepLoads : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override { return {}; }
  Turn turn() const override { return Turn::loads; }
  void end_step(Job &job, Step &step) override { end_step_of_loads(job, step); }
  void write(Job &job) override { write_stage_loads(job); }
};
SYMDYN_REGISTER(Translator, StepLoads, "step loads");
}  // namespace
}  // namespace symdyn::abaqus
