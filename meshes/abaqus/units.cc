#include <algorithm>
#include <map>
#include <utility>

#include "meshes/abaqus/job.h"
#include "solver/base/names.h"
#include "solver/registry.h"

// The unit system that PrePoMax writes into *HEADING, and FreeCAD into comments. Numbers stay as they are.
namespace symdyn::abaqus
{
namespace
{
class FileUnits : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override { return {{"HEADING", Where::model, Options{}, {}, true}}; }
  Turn turn() const override { return Turn::remarks; }
  void begin(Job &job) override;
  void read(Job &job, const Keyword &card, Step *step) override;
  void write(Job &job) override;

private:
  /// Labels of the results; a warning where two places of the file differ.
  void take(Job &job, std::size_t at, const std::string &what, const std::string &found);

  std::size_t line = 0;  ///< 0: the file does not say which it has
  std::string system = "none";
};
SYMDYN_REGISTER(Translator, FileUnits, "units");

void FileUnits::take(Job &job, const std::size_t at, const std::string &what, const std::string &found)
{
  if (found.empty())
    job.out.warn(at, what, "results have no labels for these units: Units/System = none. There are SI, mm-t-s, molecular and none");
  else if (line > 0 && found != system)
    job.out.warn(at, what, "the units are others than those of line " + std::to_string(line) + ": Units/System = none");
  system = line > 0 && found != system ? "none" : found.empty() ? "none" : found;
  line = at;
}

/// FreeCAD: "**  Length: mm (this includes the mesh geometry)", "**  Mass: t", "**  TimeSpan: s".
void FileUnits::begin(Job &job)
{
  std::map<std::string, std::pair<std::string, std::size_t>> units;
  for (const Line &note : job.model.notes)
    if (const std::string &name = note.words[0]; name == "Length" || name == "Mass" || name == "TimeSpan")
      units.emplace(name, std::pair{note.words[1].substr(0, note.words[1].find(' ')), note.number});
  if (units.size() < 3)
    return;
  const std::string all = units["Length"].first + ", " + units["Mass"].first + ", " + units["TimeSpan"].first;
  take(job, units["Length"].second, all, all == "mm, t, s" ? "mm-t-s" : all == "m, kg, s" ? "SI" : "");
}

/// PrePoMax: "Hash: xf2VM4mZ, Date: 05/19/2026, Unit system: MM_TON_S_C".
void FileUnits::read(Job &job, const Keyword &card, Step *)
{
  static const std::map<std::string, std::string> systems{
      {"M_KG_S_C", "SI"}, {"MM_TON_S_C", "mm-t-s"}, {"UNIT_LESS", "none"}, {"UNDEFINED", "none"}};
  const std::string start = "UNIT SYSTEM:";
  for (const Line &data : card.data)
    for (const std::string &word : data.words)
      if (const std::string text = upper(word); text.rfind(start, 0) == 0)
      {
        const auto found = systems.find(trim(text.substr(start.size())));
        take(job, data.number, word, found == systems.end() ? "" : found->second);
      }
}

void FileUnits::write(Job &job) { job.out.add(line > 0 ? line : job.steps.front().line, "Units", "System", system); }
}  // namespace
}  // namespace symdyn::abaqus
