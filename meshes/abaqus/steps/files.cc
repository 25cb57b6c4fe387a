#include <fmt/format.h>

#include <algorithm>

#include "meshes/abaqus/job.h"
#include "solver/base/names.h"
#include "solver/registry.h"

// *NODE FILE, *EL FILE and their like: whether frames are written. All fields are, where one is asked for.
namespace symdyn::abaqus
{
namespace
{
/// Whether a step asks for files of fields. In Abaqus *NODE OUTPUT belongs to the *OUTPUT before it, which may be of histories.
bool asks_for_files(const Step &step)
{
  bool history = false;
  for (const Keyword &card : step.inside)
  {
    if (card.name == "OUTPUT")
      history = card.has("HISTORY");
    const bool of_fields = card.name == "NODE FILE" || card.name == "EL FILE" || (card.name == "OUTPUT" && card.has("FIELD")) ||
                           ((card.name == "NODE OUTPUT" || card.name == "ELEMENT OUTPUT") && !history);
    if (of_fields && card.option("FREQUENCY") != "0")
      return true;
  }
  return false;
}
class Files : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override
  {
    std::vector<KeywordRule> rules;
    const Options of_files{"NSET",           "ELSET",      "GLOBAL",      "OUTPUT",          "OUTPUT ALL",
                           "FREQUENCY",      "FREQUENCYF", "TIME POINTS", "LAST ITERATIONS", "CONTACT ELEMENTS",
                           "SECTION FORCES", "MODE",       "LAST MODE",   "DIRECTIONS",      "POSITION"},
        of_output{"FIELD",           "HISTORY",       "FREQUENCY",  "NAME",        "OP",
                  "NUMBER INTERVAL", "TIME INTERVAL", "TIME MARKS", "TIME POINTS", "VARIABLE"},
        of_parts{"NSET", "ELSET", "VARIABLE", "DIRECTIONS", "POSITION", "EXTERIOR"};
    for (const char *name : {"NODE FILE", "EL FILE", "ENERGY FILE"})
      rules.push_back({name, Where::step, of_files});
    for (const char *name : {"NODE OUTPUT", "ELEMENT OUTPUT", "ENERGY OUTPUT"})
      rules.push_back({name, Where::step, of_parts});
    rules.push_back({"OUTPUT", Where::step, of_output});
    return rules;
  }
  void write(Job &job) override
  {
    if (std::none_of(job.steps.begin(), job.steps.end(), asks_for_files))
      job.out.add(job.steps.front().line, "Output", "Write every", "never");
  }
};
SYMDYN_REGISTER(Translator, Files, "files");
}  // namespace
}  // namespace symdyn::abaqus
