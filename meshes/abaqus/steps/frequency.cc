#include <fmt/format.h>

#include <algorithm>

#include "meshes/abaqus/job.h"
#include "solver/base/names.h"
#include "solver/registry.h"

// *FREQUENCY.
namespace symdyn::abaqus
{
namespace
{
class Frequency : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override
  {
    ProcedureTraits traits;
    traits.carries_loads = false;
    traits.perturbation = true;
    return {{"FREQUENCY", Where::procedure, Options{"SOLVER", "STORAGE", "GLOBAL", "EIGENSOLVER", "NORMALIZATION"}, {}, false, traits}};
  }
  void write_procedure(Job &job, Step &step, const std::string &path) override;
};
SYMDYN_REGISTER(Translator, Frequency, "frequency");

void Frequency::write_procedure(Job &job, Step &step, const std::string &path)
{
  const Keyword &card = step.card;
  if (compact(card.option("SOLVER")) == "MATRIXSTORAGE")
    job.fail(card.line, "SOLVER=" + card.option("SOLVER"),
             "stores matrices and computes no modes, which cannot be done here. Leave SOLVER out, and give the number of frequencies.");
  const Line &line = job.only_line(card, "the number of frequencies, the lowest and the highest one");
  job.modes.count = job.model.number(line, job.word(line, 0), "the number of frequencies");
  constexpr long most_modes = 10000;
  if (job.modes.count < 1 || job.modes.count > most_modes)
    job.fail(line.number, job.word(line, 0), fmt::format("1 to {} frequencies can be computed.", most_modes));
  const double low = job.real_or(line, 1, 0., "the lowest frequency"), high = job.real_or(line, 2, 0., "the highest frequency");
  if (low < 0. || high < 0. || (high > 0. && high <= low))
    job.fail(line.number, join(line.words), "limits of frequencies are >= 0, from the lowest to the highest.");
  job.modes.entries = {{"Modes", std::to_string(job.modes.count)}};
  if (low > 0.)
    job.modes.entries.emplace_back("Lowest frequency", written(low));
  if (high > 0.)
  {
    job.modes.entries.emplace_back("Highest frequency", written(high));
    job.modes.entries.emplace_back("Complete interval", "no");
  }
  step.period = 0;
  job.out.add(card.line, path, "Type", "modes");
  write_mode_entries(job, card, path);
}
}  // namespace
}  // namespace symdyn::abaqus
