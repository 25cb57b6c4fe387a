#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "meshes/abaqus/job.h"
#include "solver/base/names.h"
#include "solver/registry.h"

// *MODAL DYNAMIC.
namespace symdyn::abaqus
{
namespace
{
class ModalDynamic : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override
  {
    ProcedureTraits traits;
    traits.takes_time = true;
    traits.linear = true;
    traits.perturbation = true;
    return {{"MODAL DYNAMIC", Where::procedure, Options{"SOLVER", "DIRECT", "DELTMX", "STEADY STATE"}, {}, false, traits}};
  }
  void write_procedure(Job &job, Step &step, const std::string &path) override;
};
SYMDYN_REGISTER(Translator, ModalDynamic, "modal dynamic");

void ModalDynamic::write_procedure(Job &job, Step &step, const std::string &path)
{
  const Keyword &card = step.card;
  if (card.has("DIRECT") && upper(card.option("DIRECT")) == "NO")
    job.out.warn(card.line, "DIRECT=NO", "computed with a constant time step, the first one given");
  if (std::any_of(job.steps.begin(), job.steps.end(),
                  [&](const Step &other) { return other.line < step.line && !other.traits.perturbation; }))
    job.out.warn(
        card.line, "*MODAL DYNAMIC",
        "the body moves from where the steps before have left it, under their loads that go on; CalculiX begins without displacement, and applies these loads from zero again");
  const bool until_steady = card.has("STEADY STATE");
  const Line &line = job.only_line(card, until_steady ? "time step and relative change at which it ends" : "time step and period");
  const double h = job.real(line, 0, "the time step");
  constexpr double usual_increments = 100;  // without INC
  step.period = until_steady ? h * (step.increments > 0 ? step.increments : usual_increments) : job.real(line, 1, "the period of the step");
  read_limits_of_increments(job, line);
  if (step.period <= 0. || h <= 0. || h > step.period)
    job.fail(line.number, join(line.words), "the time step is > 0 and at most the period of the step.");
  job.out.add(card.line, path, "Type", "modal transient");
  write_mode_entries(job, card, path);
  if (until_steady)
    job.out.add(line.number, path, "Stop when steady", written(job.real(line, 1, "the relative change at which the step ends")));
  job.out.add(line.number, path + "/Time", "Time step", written(step.period / std::max(1., std::round(step.period / h))));
  job.out.add(line.number, path + "/Time", "End time", written(step.start + step.period));
  write_modal_damping(job, step, path);
}
}  // namespace
}  // namespace symdyn::abaqus
