#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "meshes/abaqus/job.h"
#include "solver/base/names.h"
#include "solver/registry.h"

// *DYNAMIC.
namespace symdyn::abaqus
{
namespace
{
/// The step is the critical one, as in CalculiX: what is given there is only where it begins. The third number scales masses where a cell
/// asks for a shorter one, the fourth is the longest.
void write_explicit(Job &job, const Keyword &card, const Line &line, const std::string &path)
{
  if (line.words.size() > 4)
    job.fail(line.number, join(line.words),
             "*DYNAMIC, EXPLICIT has four numbers: the first step, the period, and the shortest and the longest step.");
  job.out.add(line.number, path + "/Time", "Time step", "auto");
  for (const auto &[i, entry] : {std::pair{2u, "Automatic step at least"}, {3u, "Automatic step at most"}})
  {
    const double limit = job.real_or(line, i, 0., "a limit of the time step");
    if (limit < 0.)
      job.fail(line.number, join(line.words), "a limit of the time step is not negative.");
    if (limit > 0.)
      job.out.add(line.number, path + "/Time", entry, written(limit));
  }
  if (!job.bodiless)
    job.out.add(card.line, "Elements", "Mass", "lumped");
}

class Dynamic : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override
  {
    ProcedureTraits traits;
    traits.takes_time = true;
    return {{"DYNAMIC", Where::procedure, Options{"DIRECT", "ALPHA", "EXPLICIT", "SOLVER"}, 1, false, traits}};
  }
  void write_procedure(Job &job, Step &step, const std::string &path) override;
};
SYMDYN_REGISTER(Translator, Dynamic, "dynamic");

void Dynamic::write_procedure(Job &job, Step &step, const std::string &path)
{
  const Keyword &card = step.card;
  if (step.amplitude == "RAMP")
    job.fail(step.line, "*STEP, AMPLITUDE=RAMP", "loads of a dynamic step act at once, or by an *AMPLITUDE. Write the ramp as one.");
  const Line none{card.line, {}}, &line = card.data.empty() ? none : card.data.front();
  step.period = job.real_or(line, 1, 1., "the period of the step");
  const double h = job.real_or(line, 0, step.period, "the time step");
  read_limits_of_increments(job, line);
  if (step.period <= 0. || h <= 0. || h > step.period)
    job.fail(line.number, join(line.words), "the time step is > 0 and at most the period of the step.");
  const double n = std::max(1., std::round(step.period / h));
  if (std::abs(n * h - step.period) > 1e-6 * step.period)
    job.out.warn(line.number, join(line.words),
                 fmt::format("the period is no multiple of the time step; computed with {} steps of {:.9g}", n, step.period / n));
  if (!card.has("DIRECT") && !card.has("EXPLICIT"))
    job.out.warn(card.line, "*DYNAMIC", "computed with a constant time step, the first one given (as with DIRECT)");
  job.out.add(card.line, path, "Type", "dynamic");
  if (card.has("EXPLICIT"))
    write_explicit(job, card, line, path);
  else
    job.out.add(line.number, path + "/Time", "Time step", written(step.period / n));
  job.out.add(line.number, path + "/Time", "End time", written(step.start + step.period));
  const double alpha = card.has("ALPHA") ? job.model.real({card.line, {}}, card.option("ALPHA"), "ALPHA") : -0.05;
  job.out.add(card.line, path + "/Integrator", "Scheme", card.has("EXPLICIT") ? "central-difference" : "hht-alpha");
  if (!card.has("EXPLICIT"))
    job.out.add(card.line, path + "/Integrator/hht-alpha", "alpha", written(alpha));
}
}  // namespace
}  // namespace symdyn::abaqus
