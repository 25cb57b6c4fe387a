#include <fmt/format.h>

#include <algorithm>

#include "meshes/abaqus/deck.h"
#include "solver/base/names.h"

// Which loads act in a step: those that begin there, and those of earlier steps in other places (CalculiX: in the same places the new one
// stands, and within a step they add up).
namespace symdyn::abaqus
{
namespace
{
/// "CLOAD", "DLOAD"
std::string kind(const std::string &sort) { return sort.substr(0, sort.find(' ')); }
}  // namespace

std::string DeckWriter::Region::on() const { return sort + " on " + upper(word); }

void DeckWriter::begin_load(const Keyword &card, Step &step, Region region, const std::string &name)
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
  bool ends_another = acting_on.count(region.on()) > 0;
  if (card.has("AMPLITUDE") && !name.empty())
    step.varying[region.on()] = &card;
  region.varies = card.has("AMPLITUDE");
  if (step.carries_loads() && !step.removes.count(kind(region.sort)))
  {
    std::set<std::size_t> here;
    for (const auto &place : region.places)
      if (const auto found = acting_at.find(place); found != acting_at.end())
        here.insert(found->second.begin(), found->second.end());
    for (const std::size_t i : here)
    {
      const Region &earlier = acting[i];
      if (earlier.on() == region.on() || earlier.sort != region.sort)
        continue;
      if (!std::includes(region.places.begin(), region.places.end(), earlier.places.begin(), earlier.places.end()))
        fail(
            region.line, region.word,
            fmt::format(
                "acts where a part of the load on {} of {} acts, which would end there and go on elsewhere. Load the same sets in both steps, or end the earlier load with OP=NEW.",
                earlier.word, model.scanner.place(earlier.line)));
      step.loads.emplace(earlier.on(), "");
      ends_another = true;
    }
  }
  if (name.empty() && !ends_another)
    warn(region.line, region.word, "zero load ignored (it replaces no earlier load)");
  if (name.empty())
    return;
  const auto same =
      is_first ? begun.end() : std::find_if(begun.begin(), begun.end(), [&](const Region &other) { return other.on() == region.on(); });
  if (same == begun.end())
    begun.push_back(std::move(region));
  else
  {
    same->varies = same->varies || region.varies;
    same->places.insert(region.places.begin(), region.places.end());
    for (std::size_t d = 0; d < same->components.size(); ++d)
      same->components[d] += region.components[d];
  }
}

void DeckWriter::end_step_of_loads(const Step &step)
{
  if (step.carries_loads() && steps.size() > 1)
  {
    const auto ends = [&](const Region &region) { return step.removes.count(kind(region.sort)) > 0 || step.loads.count(region.on()) > 0; };
    acting.erase(std::remove_if(acting.begin(), acting.end(), ends), acting.end());
    acting.insert(acting.end(), begun.begin(), begun.end());
    acting_at.clear();
    acting_on.clear();
    for (std::size_t i = 0; i < acting.size(); ++i)
    {
      acting_on[acting[i].on()] = i;
      for (const auto &place : acting[i].places)
        acting_at[place].push_back(i);
    }
  }
  begun.clear();
}

void DeckWriter::require_same_amplitudes(const Step &step, const std::map<std::string, std::string> &now) const
{
  for (const auto &[on, name] : now)
    for (const Step &earlier : steps)
    {
      const auto varying = earlier.varying.find(on);
      if (varying == earlier.varying.end() || &earlier == &step || earlier.loads.at(on) != name || name.empty())
        continue;
      const Keyword &card = *varying->second;
      const bool goes_on = amplitude(card)->total_time && earlier.takes_time() && step.takes_time() &&
                           earlier.start - earlier.total_start == step.start - step.total_start;
      if (!goes_on)
        fail(
            card.line, "AMPLITUDE=" + card.option("AMPLITUDE"),
            fmt::format(
                "this load carries on into {}, where its amplitude would begin anew. Give the load again in that step, or end it with OP=NEW.",
                step.name));
    }
}
}  // namespace symdyn::abaqus
