#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "meshes/abaqus/deck.h"
#include "solver/base/names.h"

// What a file says in places that nothing reads: words behind the last one that a keyword has, lines that it does not have, keywords
// outside of steps; and what has no effect.
namespace symdyn::abaqus
{
void DeckWriter::refuse_unread() const
{
  static const std::set<std::string> without_lines = {"MATERIAL", "DAMPING", "BASE MOTION", "END STEP"},
                                     of_one_line = {"STATIC", "DYNAMIC", "SOLID SECTION"};
  for (const Keyword &card : model.all)
  {
    const std::size_t allowed = without_lines.count(card.name) ? 0 : of_one_line.count(card.name) ? 1 : card.data.size();
    for (std::size_t l = 0; l < card.data.size(); ++l)
    {
      const Line &line = card.data[l];
      if (l >= allowed && std::any_of(line.words.begin(), line.words.end(), [](const std::string &w) { return !w.empty(); }))
        fail(line.number, join(line.words),
             fmt::format("*{} has {} here. Remove the line, or give it the keyword that it belongs to.", card.name,
                         allowed == 0 ? "no lines of data" : "one line of data"));
      const std::string more = model.unread(line);
      if (!more.empty())
        fail(line.number, join(line.words),
             fmt::format(
                 "{} is unexpected trailing data of *{} (temperatures are not supported). If a number has a decimal comma, write a point.",
                 more, card.name));
    }
  }
}

void DeckWriter::refuse_between_steps() const
{
  static const std::set<std::string> anywhere = {"AMPLITUDE", "TIME POINTS",        "NSET",  "ELSET",       "HEADING",     "RESTART",
                                                 "PREPRINT",  "PHYSICAL CONSTANTS", "PRINT", "FILE FORMAT", "END ASSEMBLY"};
  for (const Keyword &card : before)
    if (card.line > steps.front().line && !anywhere.count(card.name))
      fail(card.line, "*" + card.name,
           "is outside of the steps, after the first one. Write it before the first *STEP, or between a *STEP and its *END STEP.");
}

void DeckWriter::warn_of_remarks()
{
  for (const Remark &remark : model.remarks)
    warn(remark.line, remark.what, remark.text);
  if (!model.cut_elements.empty())
  {
    const Remark &first = model.cut_elements.front();
    warn(first.line, first.what, fmt::format("{} (so of {} elements)", first.text, model.cut_elements.size()));
  }
  // Libraries of materials have these; what would make use of them is refused.
  std::set<std::string> said;
  for (const Keyword &card : model.all)
    if (without_effect().count(card.name) && said.insert(card.name).second)
      warn(card.line, "*" + card.name, "has no effect: temperatures cannot be computed, and no step of this file changes them");
}

const std::set<std::string> &DeckWriter::without_effect()
{
  static const std::set<std::string> names = {"EXPANSION", "CONDUCTIVITY", "SPECIFIC HEAT", "PHYSICAL CONSTANTS"};
  return names;
}

/// Loads and supports that name nothing.
void DeckWriter::warn_if_empty(const Keyword &card)
{
  if (card.data.empty() && upper(card.option("OP")) != "NEW")
    warn(card.line, "*" + card.name, "has no lines of data: it says nothing");
}
}  // namespace symdyn::abaqus
