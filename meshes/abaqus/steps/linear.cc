#include <fmt/format.h>

#include <algorithm>

#include "meshes/abaqus/job.h"
#include "solver/base/names.h"
#include "solver/registry.h"

// What steps of linear dynamics have in common: modes, and *MODAL DAMPING.
namespace symdyn::abaqus
{
void read_limits_of_increments(const Job &job, const Line &line)
{
  for (const std::size_t i : {2u, 3u, 4u})
    job.real_or(line, i, 0., "a limit of the increments");
}

void write_mode_entries(Job &job, const Keyword &card, const std::string &path)
{
  if (job.modes.entries.empty())
    job.fail(card.line, "*" + card.name, "needs modes. Put a step with *FREQUENCY before it.");
  for (const auto &[entry, value] : job.modes.entries)
    job.out.add(card.line, path, entry, value);
}

void write_modal_damping(Job &job, const Step &step, const std::string &path)
{
  std::vector<double> ratios(job.modes.count, 0.);
  std::size_t given = 0;
  for (const Keyword &card : step.inside)
    if (card.name == "MODAL DAMPING")
    {
      if (card.has("RAYLEIGH"))
      {
        const Line &line = job.only_line(card, "two empty ones, alpha, beta");
        for (const std::size_t empty : {0u, 1u})
          if (!job.word(line, empty).empty() && job.model.number(line, job.word(line, empty), "a mode") > 1)
            job.fail(line.number, join(line.words), "Rayleigh damping is that of all modes: the first two numbers are left out.");
        job.modes.damping = {{"Rayleigh damping", written({job.real_or(line, 2, 0., "alpha"), job.real_or(line, 3, 0., "beta")})}};
        continue;
      }
      given = card.line;
      for (const Line &line : card.data)
      {
        const long first = job.model.number(line, job.word(line, 0), "the first mode"),
                   last = job.word(line, 1).empty() ? first : job.model.number(line, job.word(line, 1), "the last mode");
        const double ratio = job.real(line, 2, "the damping ratio");
        if (first < 1 || last < first)
          job.fail(line.number, join(line.words), "modes go from the first, at least 1, to the last.");
        if (ratio < 0.)
          job.fail(line.number, job.word(line, 2), "a damping ratio is >= 0.");
        for (long mode = first; mode <= std::min(last, job.modes.count); ++mode)
          ratios[mode - 1] = ratio;
      }
    }
  // One number for all, where limits of the frequencies may leave some modes out.
  if (given > 0 && job.modes.entries.size() > 1 &&
      std::all_of(ratios.begin(), ratios.end(), [&](const double ratio) { return ratio == ratios.front(); }))
    ratios.resize(1);
  if (given > 0)
    job.modes.damping = {{"Damping ratios", written(ratios)}};
  for (const auto &[entry, value] : job.modes.damping)
    job.out.add(step.card.line, path, entry, value);
}

namespace
{
/// It is read with its step, whose modes it damps.
class ModalDamping : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override { return {{"MODAL DAMPING", Where::step, Options{"RAYLEIGH", "MODAL"}}}; }
};
SYMDYN_REGISTER(Translator, ModalDamping, "modal damping");
}  // namespace
}  // namespace symdyn::abaqus
