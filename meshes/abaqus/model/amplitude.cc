#include <fmt/format.h>

#include <cmath>

#include "meshes/abaqus/job.h"
#include "solver/base/names.h"
#include "solver/registry.h"

// *AMPLITUDE: tables of time and value.
namespace symdyn::abaqus
{
namespace
{
void read_table(Job &job, const Keyword &card)
{
  if (card.has("USER"))
    job.fail(card.line, "*AMPLITUDE, USER", "subroutines of a user cannot be called. Write the amplitude as a table of time and value.");
  require_options(job.model.scanner, card, {"NAME", "TIME", "DEFINITION", "VALUE"});
  const std::string name = job.model.required(card, "NAME"), time = upper(card.option("TIME"));
  if (!time.empty() && compact(time) != "TOTALTIME" && compact(time) != "STEPTIME")
    job.fail(card.line, "TIME=" + time, "is TOTAL TIME, or left out.");
  for (const char *option : {"DEFINITION", "VALUE"})
    if (card.has(option) && upper(card.option(option)) != "TABULAR" && upper(card.option(option)) != "RELATIVE")
      job.fail(card.line, std::string(option) + "=" + card.option(option),
               "only tables (DEFINITION=TABULAR, VALUE=RELATIVE) can be computed. Write the amplitude as a table of time and value.");
  AmplitudeTable table;
  table.total_time = compact(time) == "TOTALTIME";
  for (const Line &line : card.data)
  {
    std::vector<std::string> words = line.words;
    while (!words.empty() && words.back().empty())
      words.pop_back();
    if (words.size() % 2 != 0)
      job.fail(line.number, join(words), "an amplitude is made of pairs: time, value, time, value, ...; a comma or a number is missing.");
    for (std::size_t i = 0; i < words.size(); i += 2)
    {
      const double t = job.model.real(line, words[i], "a time"), a = job.model.real(line, words[i + 1], "a value");
      if (!table.t.empty() && t <= table.t.back())
        job.fail(line.number, words[i],
                 fmt::format("times of an amplitude go forward; the one before is {}. For a jump write two close times.", table.t.back()));
      if (!table.t.empty() && !std::isfinite((a - table.a.back()) / (t - table.t.back())))
        job.fail(line.number, words[i + 1],
                 fmt::format("the slope from {}, {} to here is no finite number.", table.t.back(), table.a.back()));
      table.t.push_back(t);
      table.a.push_back(a);
    }
  }
  if (table.t.empty())
    job.fail(card.line, "*AMPLITUDE, NAME=" + name, "has no points. Give lines of time, value.");
  if (!job.amplitudes.emplace(upper(name), table).second)
    job.fail(card.line, "*AMPLITUDE, NAME=" + name, "there is another one of this name. Rename one.");
}

class Amplitude : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override { return {{"AMPLITUDE", Where::model, {}, {}, true}, {"AMPLITUDE", Where::step}}; }
  Turn turn() const override { return Turn::amplitudes; }
  /// In the order of the file: loads and supports of any step may name it.
  void begin(Job &job) override
  {
    for (const Keyword &keyword : job.model.all)
      if (keyword.name == "AMPLITUDE")
        read_table(job, keyword);
  }
};
SYMDYN_REGISTER(Translator, Amplitude, "amplitude");
}  // namespace
}  // namespace symdyn::abaqus
