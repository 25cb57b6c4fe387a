#include <fmt/format.h>

#include "meshes/abaqus/job.h"
#include "solver/registry.h"

// *BUCKLE.
namespace symdyn::abaqus
{
namespace
{
class Buckle : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override
  {
    return {{"BUCKLE", Where::procedure, Options{"SOLVER"}, 1, false, ProcedureTraits::about_a_state()}};
  }
  void write_procedure(Job &job, Step &step, const std::string &path) override;
};
SYMDYN_REGISTER(Translator, Buckle, "buckle");

/// Behind the number stand accuracy, size of the Krylov space and iterations of CalculiX's solver, which this one chooses by itself.
void Buckle::write_procedure(Job &job, Step &step, const std::string &path)
{
  const Keyword &card = step.card;
  const Line &line = job.only_line(card, "the number of buckling factors");
  const long count = job.model.number(line, job.word(line, 0), "the number of buckling factors");
  constexpr long most = 1000;
  if (count < 1 || count > most)
    job.fail(line.number, job.word(line, 0), fmt::format("1 to {} factors can be computed.", most));
  constexpr std::size_t entries_of_calculix = 4;
  for (std::size_t i = 1; i < entries_of_calculix; ++i)
    job.real_or(line, i, 0., "accuracy, Lanczos vectors or iterations, which have no effect here,");
  step.period = 0;
  job.out.add(card.line, path, "Type", "buckling");
  job.out.add(line.number, path, "Modes", std::to_string(count));
}
}  // namespace
}  // namespace symdyn::abaqus
