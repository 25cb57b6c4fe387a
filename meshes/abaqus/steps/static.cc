#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "meshes/abaqus/job.h"
#include "solver/base/names.h"
#include "solver/registry.h"

// *STATIC, *VISCO, and *NO ANALYSIS, whose stage is that of *STATIC: so its loads and supports are checked.
namespace symdyn::abaqus
{
namespace
{
class Static : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override
  {
    ProcedureTraits traits;
    traits.moves = false;
    ProcedureTraits visco = traits;
    visco.takes_time = true;
    return {{"STATIC", Where::procedure, Options{"DIRECT", "SOLVER"}, 1, false, traits},
            {"NO ANALYSIS", Where::procedure, Options{}, 0, false, traits},
            {"VISCO", Where::procedure, Options{"DIRECT", "SOLVER", "CETOL"}, 1, false, visco}};
  }
  void write_procedure(Job &job, Step &step, const std::string &path) override;
};
SYMDYN_REGISTER(Translator, Static, "static");

/// Errors: InputError where another step is to be computed.
void write_check(Job &job, const Step &step)
{
  for (const Step &other : job.steps)
    if (other.procedure != step.procedure)
      job.fail(step.card.line, "*NO ANALYSIS",
               "another step has *" + other.procedure + ", which is to be computed. Give *NO ANALYSIS to all steps, or to none.");
  if (step.line == job.steps.front().line)
    job.out.add(step.card.line, "", "Check only", "yes");
}

/// Errors: InputError.
void refuse_amplitudes(Job &job, const Step &step)
{
  for (const Keyword &inside : step.inside)
    if (inside.has("AMPLITUDE"))
      job.fail(
          inside.line, "AMPLITUDE=" + inside.option("AMPLITUDE"),
          "a material flows and remembers the way, and of an amplitude a *STATIC step has the value at its end alone. Write *VISCO, which "
          "follows it.");
}

void Static::write_procedure(Job &job, Step &step, const std::string &path)
{
  const Keyword &card = step.card;
  if (card.name == "NO ANALYSIS")
    write_check(job, step);
  const Line none{card.line, {}}, &line = card.data.empty() ? none : card.data.front();
  step.period = job.real_or(line, 1, 1., "the period of the step");
  const double first = job.real_or(line, 0, step.period, "the first increment");
  read_limits_of_increments(job, line);
  if (step.period <= 0. || first <= 0. || first > step.period)
    job.fail(line.number, join(line.words), "the increment is > 0 and at most the period of the step.");
  const double n = std::ceil(step.period / first * (1. - 1e-9));
  constexpr double most = 100000.;
  if (n > most)
    job.fail(line.number, job.word(line, 0), fmt::format("takes {:.3g} increments; at most {} are possible.", n, most));
  job.out.add(card.line, path, "Type", "static");
  if (!job.discrete())
    job.out.add(card.line, path, "Free motions", "held");
  const bool flows = job.flows(), visco = card.name == "VISCO";
  const bool touches =
      std::any_of(job.before.begin(), job.before.end(), [](const Keyword &one) { return one.name == "CONTACT PAIR" || one.name == "GAP"; });
  const bool by_increments = step.nonlinear || flows || touches;
  const bool of_user = std::any_of(job.before.begin(), job.before.end(), [](const Keyword &one) { return one.name == "USER MATERIAL"; });
  if (visco || of_user)
    job.out.add(card.line, path, "Duration", written(step.period));
  step.takes_time = visco || of_user;
  if (by_increments && n > 1.)
    job.out.add(line.number, path, "Increments", fmt::format("{}", long(n)));
  if (visco && card.has("CETOL") && card.has("DIRECT"))
    job.out.warn(card.line, "*VISCO, CETOL=" + card.option("CETOL"), "with DIRECT increments keep their length. Leave one of both out");
  else if (visco && card.has("CETOL"))
    job.out.add(card.line, path, "Largest flow", card.option("CETOL"));
  if (flows && !visco)
    refuse_amplitudes(job, step);
  if (!visco && job.materials.creep)
    job.out.add(card.line, path, "Rates", "no");
  if (visco ? step.amplitude != "RAMP" : step.amplitude == "STEP")
    job.out.add(step.line, path, "Ramp", "no");
  if (by_increments && !card.has("DIRECT"))
    job.out.add(card.line, path, "Halve on failure", "yes");
}
}  // namespace
}  // namespace symdyn::abaqus
