#include <map>
#include <set>
#include <string>

#include "meshes/abaqus/job.h"
#include "solver/registry.h"

// Keywords that change nothing.
namespace symdyn::abaqus
{
namespace
{
/// Headings, and what programs print or write beside tables and frames. *RESTART, READ is refused.
class PassedOver : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override
  {
    std::vector<KeywordRule> rules;
    const Options of_restart{"READ", "WRITE", "FREQUENCY", "NUMBER INTERVAL", "OVERLAY", "TIME MARKS", "STEP", "INC", "END STEP"},
        of_print{"FREQUENCY", "CONTACT", "MODEL CHANGE", "PLASTICITY", "RESIDUAL", "SOLVE"}, of_files{"ASCII", "BINARY", "ZERO INCREMENT"};
    for (const auto &[name, options] : std::map<std::string, Options>{{"HEADING", {}},
                                                                      {"PREPRINT", {"ECHO", "HISTORY", "MODEL", "CONTACT", "MASSPROP"}},
                                                                      {"RESTART", of_restart},
                                                                      {"PRINT", of_print},
                                                                      {"FILE FORMAT", of_files}})
      rules.push_back({name, Where::model, options, {}, true});
    for (const auto &[name, options] : std::map<std::string, Options>{{"RESTART", of_restart},
                                                                      {"PRINT", of_print},
                                                                      {"FILE FORMAT", of_files},
                                                                      {"CONTROLS", {"PARAMETERS", "ANALYSIS", "TYPE", "RESET"}},
                                                                      {"MONITOR", {"DOF", "NODE", "FREQUENCY"}}})
      rules.push_back({name, Where::step, options});
    return rules;
  }
  void read_mesh(Model &model, const Keyword &card) override
  {
    if (card.name == "RESTART" && card.has("READ"))
      model.scanner.fail_at(card.line, "*RESTART, READ",
                            "a run goes on from a checkpoint of symdyn alone: symdyn run --restart. Write the steps into one file.");
  }
};
SYMDYN_REGISTER(Translator, PassedOver, "passed over");

/// Files of which the mesh alone is read may have these.
class PassedOverInMeshes : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override
  {
    std::vector<KeywordRule> rules;
    for (const char *name : {"PLASTIC", "USER MATERIAL", "DEPVAR", "SECTION CONTROLS", "HOURGLASS STIFFNESS", "ENERGY PRINT"})
      rules.push_back({name, Where::mesh});
    return rules;
  }
};
SYMDYN_REGISTER(Translator, PassedOverInMeshes, "passed over in meshes");

/// Keywords that only the conduction of heat makes use of: libraries of materials have them; what would make use of them is refused.
class OfConduction : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override
  {
    return {{"CONDUCTIVITY", Where::model, Options{"TYPE"}},
            {"SPECIFIC HEAT", Where::model, Options{}},
            {"PHYSICAL CONSTANTS", Where::model, Options{"ABSOLUTE ZERO", "STEFAN BOLTZMANN", "NEWTON GRAVITY"}, {}, true}};
  }
  Turn turn() const override { return Turn::remarks; }
  void read(Job &job, const Keyword &card, Step *) override
  {
    if (said.insert(card.name).second)
      job.out.warn(card.line, "*" + card.name, "has no effect: heat is not conducted here");
  }

private:
  std::set<std::string> said;
};
SYMDYN_REGISTER(Translator, OfConduction, "conduction");
}  // namespace
}  // namespace symdyn::abaqus
