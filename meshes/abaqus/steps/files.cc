#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

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
                           card.name == "CONTACT FILE" ||
                           ((card.name == "NODE OUTPUT" || card.name == "ELEMENT OUTPUT" || card.name == "CONTACT OUTPUT") && !history);
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
    rules.push_back(
        {"CONTACT FILE", Where::step, Options{"NSET", "FREQUENCY", "FREQUENCYF", "TIME POINTS", "LAST ITERATIONS", "CONTACT ELEMENTS"}});
    rules.push_back({"CONTACT OUTPUT", Where::step, Options{"MASTER", "SLAVE", "NSET", "VARIABLE"}});
    return rules;
  }
  void read(Job &job, const Keyword &card, Step *step) override;
  void write(Job &job) override
  {
    if (std::none_of(job.steps.begin(), job.steps.end(), asks_for_files))
      job.out.add(job.steps.front().line, "Output", "Write every", "never");
  }
};
SYMDYN_REGISTER(Translator, Files, "files");

/// Frames have the fields of contacts where one is asked for.
void Files::read(Job &job, const Keyword &card, Step *)
{
  if (card.name != "CONTACT FILE" && card.name != "CONTACT OUTPUT")
    return;
  const std::vector<std::string> known{"CDIS", "CSTR"};
  for (const Line &line : card.data)
    for (const std::string &w : line.words)
      if (!w.empty() && std::count(known.begin(), known.end(), upper(w).substr(0, 4)) == 0)
        job.out.warn(
            line.number, "*" + card.name + " " + w,
            "is not in the frames; contact.pvd has contact_gap and contact_slip (CDIS), contact_pressure and contact_shear (CSTR)");
}
}  // namespace
}  // namespace symdyn::abaqus
