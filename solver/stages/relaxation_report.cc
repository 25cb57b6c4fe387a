#include "solver/stages/relaxation_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "solver/base/log.h"
#include "solver/history.h"
#include "solver/stages/analysis.h"

namespace symdyn
{
namespace
{
bool takes_time(const Stage &stage)
{
  const StageTraits traits = stage.traits();
  return !traits.perturbation && (traits.in_time || !traits.takes_no_time);
}

bool is_last_in_time(const Analysis &analysis, const Stage &stage)
{
  const auto here = std::find_if(analysis.stages.begin(), analysis.stages.end(), [&](const auto &one) { return one.get() == &stage; });
  return std::none_of(here + 1, analysis.stages.end(), [](const auto &later) { return takes_time(*later); });
}
}  // namespace

void warn_of_relaxation_times(const Analysis &analysis, const Stage &stage, const double h, const double end)
{
  constexpr double short_part = 0.1, long_part = 1e6;
  const Remembering *laws = remembering(analysis.system());
  if (!laws)
    return;
  const bool last = is_last_in_time(analysis, stage);
  const std::string unit = Units::after(analysis.units.time);
  for (const RelaxingLaw &law : laws->relaxing())
    for (std::size_t i = 0; i < law.times.size(); ++i)
    {
      const std::string term =
          fmt::format("stage {}: term {} of Times of material '{}' relaxes in {:g}{}", stage.name, i + 1, law.material, law.times[i], unit);
      if (h > 0. && law.times[i] < short_part * h)
        log_warning(
            fmt::format("{}, below a tenth of the step of {:g}{}: steps do not resolve it. Lower the step, or leave the term out and "
                        "lower the moduli by its ratio",
                        term, h, unit));
      if (last && end > 0. && law.times[i] > long_part * end)
        log_warning(fmt::format("{}, above {:g} times the end of the run at {:g}{}: it has no effect. Leave the term out", term, long_part,
                                end, unit));
    }
}

namespace
{
double modulus_at(const RelaxingLaw &law, const RelaxingLaw::Modulus &modulus, const double t)
{
  double M = modulus.at_start;
  for (std::size_t i = 0; i < law.times.size(); ++i)
    M += modulus.of_terms[i] * std::expm1(-t / law.times[i]);
  return M;
}
}  // namespace

std::string relaxation_in_words(const Analysis &analysis)
{
  const Remembering *laws = remembering(analysis.system());
  if (!laws)
    return "";
  std::set<double> times{0., std::numeric_limits<double>::infinity()};
  for (const auto &stage : analysis.stages)
    if (const TimeStepping *time = stage->stepping())
      times.insert({time->step, time->end});
  std::string text;
  for (const RelaxingLaw &law : laws->relaxing())
  {
    text += fmt::format("  {} relaxes:\n", law.material);
    for (const double t : times)
      text += fmt::format("    t = {}{}: shear modulus {:.6g}{pa}, bulk modulus {:.6g}{pa}\n",
                          std::isinf(t) ? "infinity" : fmt::format("{:g}", t), std::isinf(t) ? "" : Units::after(analysis.units.time),
                          modulus_at(law, law.shear, t), modulus_at(law, law.bulk, t), fmt::arg("pa", Units::after(analysis.units.stress)));
  }
  return text;
}
}  // namespace symdyn
