#include "meshes/abaqus/sort_keywords.h"

#include <fmt/format.h>

#include <algorithm>

#include "meshes/abaqus/job.h"
#include "solver/error.h"
#include "solver/registry.h"

namespace symdyn::abaqus
{
namespace
{
void begin_step(Job &job, const Keyword &keyword)
{
  if (!job.steps.empty() && job.steps.back().is_open)
    job.fail(keyword.line, "*STEP", fmt::format("the step of {} has no *END STEP.", job.model.scanner.place(job.steps.back().line)));
  Step step;
  step.line = keyword.line;
  step.name = fmt::format("step-{}", job.steps.size() + 1);
  const bool off = upper(keyword.option("NLGEOM")) == "NO";
  step.nonlinear = !off && (keyword.has("NLGEOM") || (!job.steps.empty() && job.steps.back().nonlinear));
  step.perturbation = keyword.has("PERTURBATION");
  step.amplitude = keyword.has("AMPLITUDE") ? upper(keyword.option("AMPLITUDE")) : job.steps.empty() ? "" : job.steps.back().amplitude;
  if (!step.amplitude.empty() && step.amplitude != "STEP" && step.amplitude != "RAMP")
    job.fail(keyword.line, "AMPLITUDE=" + step.amplitude, "is STEP or RAMP.");
  if (keyword.has("INC"))
    step.increments = job.model.number({keyword.line, {}}, keyword.option("INC"), "INC");
  job.steps.push_back(step);
}

void end_step(Job &job, const Keyword &keyword)
{
  if (job.steps.empty() || !job.steps.back().is_open)
    job.fail(keyword.line, "*END STEP", "there is no *STEP before it.");
  if (job.steps.back().procedure.empty())
    job.fail(job.steps.back().line, "*STEP", "says nothing to compute. Add *STATIC, *DYNAMIC or *FREQUENCY.");
  job.steps.back().is_open = false;
}

/// Whether the keyword says what the step computes.
bool is_procedure(const Job &job, const Keyword &keyword) { return !job.translators.readers(keyword.name, Where::procedure).empty(); }

void set_procedure(const Job &job, Step &step, const Keyword &keyword)
{
  if (!step.procedure.empty())
    job.fail(keyword.line, "*" + keyword.name, "the step has *" + step.procedure + " already. Make two steps.");
  step.procedure = keyword.name;
  step.traits = job.translators.readers(keyword.name, Where::procedure).front()->rule.procedure;
  step.card = keyword;
}

/// Of the whole file: what one step deforms, those after it begin from.
void find_nonlinearity(Job &job)
{
  for (const Step &step : job.steps)
    job.nonlinear = job.nonlinear || step.nonlinear;
  bool loaded = false;
  for (const Step &step : job.steps)
  {
    if (step.perturbation && loaded && !job.nonlinear)
    {
      job.out.warn(step.line, "*STEP, PERTURBATION",
                   "the stress of the steps before acts here: they are computed with large displacements, as with NLGEOM");
      job.nonlinear = true;
    }
    loaded = loaded || !step.traits.moves;
  }
}

/// A last step that is not ended.
void end_last_step(Job &job)
{
  if (job.steps.empty() || !job.steps.back().is_open)
    return;
  const Step &last = job.steps.back();
  if (job.steps.size() == 1 || !last.procedure.empty() || !last.inside.empty())
    job.fail(last.line, "*STEP", "has no *END STEP. (CalculiX passes over such a step without a word.)");
  job.out.warn(last.line, "*STEP", "the last step is empty and has no *END STEP: it is left out, as in CalculiX");
  job.steps.pop_back();
}

/// *STEP and *END STEP.
class Steps : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override
  {
    return {{"STEP", Where::steps, Options{"NLGEOM", "INC", "PERTURBATION", "NAME", "AMPLITUDE"}},
            {"END STEP", Where::steps, Options{}, 0}};
  }
};
SYMDYN_REGISTER(Translator, Steps, "steps");
}  // namespace

void sort_keywords(Job &job)
{
  for (const Keyword &keyword : job.model.all)
  {
    for (const Translators::Reader *reader : job.translators.readers(keyword.name, Where::steps))
      if (reader->rule.options)
        require_options(job.model.scanner, keyword, *reader->rule.options);
    if (keyword.name == "STEP")
      begin_step(job, keyword);
    else if (keyword.name == "END STEP")
      end_step(job, keyword);
    else if (job.steps.empty() || !job.steps.back().is_open)
      job.before.push_back(keyword);
    else if (is_procedure(job, keyword))
      set_procedure(job, job.steps.back(), keyword);
    else
      job.steps.back().inside.push_back(keyword);
  }
  end_last_step(job);
  if (job.steps.empty())
    throw InputError(job.model.mesh.name +
                     ": has no *STEP: it is a mesh, and nothing is to be computed. Add a step, or name it in a deck's Mesh/File.");
  find_nonlinearity(job);
  find_loaded_sectors(job);
}

namespace
{
[[noreturn]] void refuse_here(const Job &job, const Keyword &card, const char *where)
{
  job.fail(card.line, "*" + card.name,
           !way_out(card.name).empty()
               ? way_out(card.name)
               : fmt::format("cannot be computed {}. docs/inp.md says which keywords can, and what to do instead of others.", where));
}
}  // namespace

void refuse_misplaced(const Job &job)
{
  const auto readers = [&](const Keyword &card) {
    auto found = job.translators.readers(card.name, Where::model);
    const auto of_materials = job.translators.readers(card.name, Where::material);
    found.insert(found.end(), of_materials.begin(), of_materials.end());
    return found;
  };
  for (const Keyword &card : job.before)
    if (readers(card).empty())
      refuse_here(job, card, "before the first step");
  for (const Step &step : job.steps)
    for (const Keyword &card : step.inside)
      if (job.translators.readers(card.name, Where::step).empty())
        refuse_here(job, card, "in a step");
  for (const Keyword &card : job.before)
  {
    const auto of_card = readers(card);
    if (card.line > job.steps.front().line &&
        std::none_of(of_card.begin(), of_card.end(), [](const Translators::Reader *reader) { return reader->rule.between_steps; }))
      job.fail(card.line, "*" + card.name,
               "is outside of the steps, after the first one. Write it before the first *STEP, or between a *STEP and its *END STEP.");
  }
}
}  // namespace symdyn::abaqus
