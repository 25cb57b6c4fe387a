#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "meshes/abaqus/job.h"
#include "meshes/abaqus/sort_keywords.h"

// SECTOR of *CLOAD and *DLOAD in *STEADY STATE DYNAMICS of a cyclic model.
namespace symdyn::abaqus
{
namespace
{
constexpr const char *option = "SECTOR";

/// In space: it does not turn with its sector.
bool has_one_direction(const Keyword &card)
{
  static const std::set<std::string> labels{"GRAV", "BX", "BY", "BZ"};
  constexpr std::size_t label = 1;
  return card.name == "CLOAD" || std::any_of(card.data.begin(), card.data.end(), [](const Line &line) {
           return line.words.size() > label && labels.count(upper(line.words[label])) > 0;
         });
}

bool is_load(const Keyword &card) { return card.name == "CLOAD" || card.name == "DLOAD" || card.name == "DSLOAD"; }

/// Without its sector.
std::string content(const Keyword &card)
{
  std::string text = card.name;
  for (const auto &[name, value] : card.options)
    text += name == option ? "" : fmt::format(",{}={}", name, upper(value));
  for (const Line &line : card.data)
    text += fmt::format("|{}", upper(fmt::format("{}", fmt::join(line.words, ","))));
  return text;
}

long sector_of(const Job &job, const Keyword &card)
{
  if (!card.has(option))
    return 1;  // as in CalculiX
  const long number = job.model.number({card.line, {}}, card.option(option), option);
  if (number < 1)
    job.fail(card.line, fmt::format("{}={}", option, number), "is the number of a sector, from 1 on.");
  return number;
}

void find_sectors(const Job &job, Step &step)
{
  std::map<long, std::vector<const Keyword *>> by_sector;
  for (const Keyword &card : step.inside)
    if (is_load(card))
      by_sector[sector_of(job, card)].push_back(&card);
  if (by_sector.empty())
    return;
  const std::vector<const Keyword *> &first = by_sector.begin()->second;
  for (const auto &[number, cards] : by_sector)
    for (const Keyword *card : cards)
      if (number > 1 && has_one_direction(*card))
        job.fail(
            card->line, fmt::format("{}={}", option, number),
            "forces of nodes and bodies have one direction in space there, and here loads turn with their sector. Give pressures by *DLOAD, "
            "or model the whole.");
  for (const auto &[number, cards] : by_sector)
  {
    step.loaded_sectors.push_back(number);
    for (std::size_t i = 0; i < std::max(cards.size(), first.size()); ++i)
      if (i >= std::min(cards.size(), first.size()) || content(*cards[i]) != content(*first[i]))
        job.fail(cards[std::min(i, cards.size() - 1)]->line, fmt::format("{}={}", option, number),
                 fmt::format("has other loads than sector {}. Give all sectors of a step the same cards, or take a step for each.",
                             by_sector.begin()->first));
  }
  const long kept = by_sector.begin()->first;
  step.inside.erase(std::remove_if(step.inside.begin(), step.inside.end(),
                                   [&](const Keyword &card) { return is_load(card) && sector_of(job, card) != kept; }),
                    step.inside.end());
}
}  // namespace

void find_loaded_sectors(Job &job)
{
  const bool cyclic =
      std::any_of(job.before.begin(), job.before.end(), [](const Keyword &card) { return card.name == "CYCLIC SYMMETRY MODEL"; });
  for (Step &step : job.steps)
    if (cyclic && step.procedure == "STEADY STATE DYNAMICS")
      find_sectors(job, step);
    else
      for (const Keyword &card : step.inside)
        if (is_load(card) && card.has(option))
          job.fail(card.line, fmt::format("{}={}", option, card.option(option)),
                   "is of *STEADY STATE DYNAMICS with *CYCLIC SYMMETRY MODEL. Remove it.");
}
}  // namespace symdyn::abaqus
