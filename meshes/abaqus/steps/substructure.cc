#include <fmt/format.h>

#include <algorithm>

#include "meshes/abaqus/job.h"
#include "solver/base/names.h"
#include "solver/registry.h"

// *SUBSTRUCTURE GENERATE with *RETAINED NODAL DOFS and *SUBSTRUCTURE MATRIX OUTPUT.
namespace symdyn::abaqus
{
namespace
{
class SubstructureGenerate : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override
  {
    return {{"SUBSTRUCTURE GENERATE", Where::procedure, Options{"SOLVER"}, 0, false, ProcedureTraits::about_a_state()},
            {"RETAINED NODAL DOFS", Where::step, Options{"SORTED"}},
            {"SUBSTRUCTURE MATRIX OUTPUT", Where::step, Options{"STIFFNESS", "MASS", "OUTPUT FILE", "FILE NAME"}, 0}};
  }
  void write_procedure(Job &job, Step &step, const std::string &path) override;
  void read(Job &job, const Keyword &card, Step *step) override
  {
    if (step->procedure != "SUBSTRUCTURE GENERATE")
      job.fail(card.line, "*" + card.name, "belongs to a step of *SUBSTRUCTURE GENERATE. Remove it.");
  }
};
SYMDYN_REGISTER(Translator, SubstructureGenerate, "substructure generate");

/// "113.x", or "113" where all components are kept.
void add_masters(Job &job, const Line &line, std::vector<std::string> &masters)
{
  constexpr long places = 3, rotations = 6;
  const long first = job.model.number(line, job.word(line, 1), "the first component");
  const long last = job.word(line, 2).empty() ? first : job.model.number(line, job.word(line, 2), "the last component");
  const long most = job.thin ? rotations : places;
  if (first < 1 || last < first || last > most)
    job.fail(line.number, join(line.words), fmt::format("components are 1 to {}, the first before the last.", most));
  if (last > places && (first > places + 1 || last < rotations))
    job.fail(line.number, join(line.words), "rotations are kept together: 4 to 6.");
  for (const std::size_t node : job.model.nodes_of(line, job.word(line, 0)))
  {
    const std::string number = std::to_string(job.model.mesh.numbers[node]);
    if (first == 1 && last == (job.turns(node) ? rotations : places))
      masters.push_back(number);
    else
      for (long c = first; c <= std::min(last, places); ++c)
        masters.push_back(number + "." + "xyz"[c - 1]);
    if (last == rotations && first > 1)
      masters.push_back(number + ".rotations");
  }
}

/// CalculiX keeps the order of the lines, whatever SORTED says, and writes the stiffness alone.
void SubstructureGenerate::write_procedure(Job &job, Step &step, const std::string &path)
{
  std::vector<std::string> masters;
  const Keyword *output = nullptr;
  for (const Keyword &card : step.inside)
    if (card.name == "RETAINED NODAL DOFS")
      for (const Line &line : card.data)
        add_masters(job, line, masters);
    else if (card.name == "SUBSTRUCTURE MATRIX OUTPUT")
      output = &card;
    else if (card.name == "CLOAD" || card.name == "DLOAD")
      job.fail(card.line, "*" + card.name, "has no effect on a stiffness. Remove it from the step of *SUBSTRUCTURE GENERATE.");
  if (masters.empty())
    job.fail(step.card.line, "*SUBSTRUCTURE GENERATE", "needs *RETAINED NODAL DOFS with lines of a node or set, and components.");
  if (!output || upper(output->option("STIFFNESS")) != "YES")
    job.fail(output ? output->line : step.card.line, "*SUBSTRUCTURE GENERATE",
             "needs *SUBSTRUCTURE MATRIX OUTPUT, STIFFNESS=YES, or nothing is written.");
  if (upper(output->option("MASS")) == "YES")
    job.fail(
        output->line, "MASS=YES",
        "is nothing that CalculiX writes. Leave it out, and take a .prm deck with Type = substructure, which writes masses and modes.");
  if (output->has("OUTPUT FILE") && compact(output->option("OUTPUT FILE")) != "USERDEFINED")
    job.fail(output->line, "OUTPUT FILE=" + output->option("OUTPUT FILE"), "is USER DEFINED, with a FILE NAME.");
  step.period = 0;
  job.out.add(step.card.line, path, "Type", "substructure");
  job.out.add(step.card.line, path, "Masters", join(masters));
  job.out.add(output->line, path, "Export", "mtx");
  if (output->has("FILE NAME"))
    job.out.add(output->line, path, "File name", output->option("FILE NAME"));
}
}  // namespace
}  // namespace symdyn::abaqus
