#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "meshes/abaqus/job.h"
#include "solver/base/names.h"
#include "solver/registry.h"

// *STEADY STATE DYNAMICS.
namespace symdyn::abaqus
{
namespace
{
bool moves_supports(const Keyword &card)
{
  constexpr std::size_t value = 3;  // of a line of *BOUNDARY: node or set, first and last component before it
  return card.name == "BASE MOTION" || (card.name == "BOUNDARY" && std::any_of(card.data.begin(), card.data.end(), [](const Line &line) {
                                          return line.words.size() > value && std::strtod(line.words[value].c_str(), nullptr) != 0.;
                                        }));
}

/// Damping of ratios, and beta of Rayleigh's: what acts on another motion here than in CalculiX.
bool resists_relative_motion(const std::map<std::string, std::string> &damping)
{
  for (const auto &[entry, values] : damping)
  {
    std::istringstream numbers(values);
    std::string number;
    for (int i = 0; std::getline(numbers, number, ','); ++i)
      if (std::strtod(number.c_str(), nullptr) != 0. && (entry != "Rayleigh damping" || i == 1))
        return true;
  }
  return false;
}
/// K (1 + i eta), as CalculiX has it.
void write_structural_damping(Job &job, const std::string &path)
{
  if (job.damping.structural == 0.)
    return;
  job.out.add(job.damping.line, path, "Structural damping", written(job.damping.structural));
  if (!job.modes.damping.empty())
    job.out.warn(job.damping.line, "*DAMPING, STRUCTURAL",
                 "acts beside *MODAL DAMPING, and both add up; CalculiX 2.20 gives other answers where a file has both");
}

/// Behind the bias: the number of Fourier terms, start and end of the period in the times of amplitudes.
void write_waveform(Job &job, const Line &line, const std::string &path)
{
  constexpr double usual_terms = 20, most_terms = 10000;  // of CalculiX
  const double terms = job.real_or(line, 4, usual_terms, "the number of Fourier terms"),
               first = job.real_or(line, 5, 0., "the start of the period"), last = job.real_or(line, 6, 1., "the end of the period");
  if (terms < 2. || terms > most_terms || terms != std::floor(terms))
    job.fail(line.number, job.word(line, 4), fmt::format("the number of Fourier terms is whole, 2 to {}.", most_terms));
  if (!(last > first))
    job.fail(line.number, join(line.words), "the period ends after it has begun.");
  job.out.add(line.number, path, "Waveform", written({first, last}));
  job.out.add(line.number, path, "Waveform terms", fmt::format("{}", long(terms)));
}

class SteadyState : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override
  {
    ProcedureTraits traits;
    traits.linear = true;
    traits.carries_loads = false;
    traits.perturbation = true;
    return {{"STEADY STATE DYNAMICS", Where::procedure, Options{"SOLVER", "HARMONIC", "NSET"}, {}, false, traits}};
  }
  void write_procedure(Job &job, Step &step, const std::string &path) override;
};
SYMDYN_REGISTER(Translator, SteadyState, "steady state dynamics");

void SteadyState::write_procedure(Job &job, Step &step, const std::string &path)
{
  const Keyword &card = step.card;
  const std::string harmonic = upper(card.option("HARMONIC"));
  if (card.has("HARMONIC") && harmonic != "YES" && harmonic != "NO")
    job.fail(card.line, "HARMONIC=" + card.option("HARMONIC"), "is YES (the default) or NO.");
  step.periodic = harmonic == "NO";
  if (card.has("NSET"))
    job.out.warn(card.line, "NSET=" + card.option("NSET"), "has no effect: the answer is that of all nodes");
  const Line &line = job.only_line(card, "lowest and highest frequency, number of points, bias");
  const double low = job.real(line, 0, "the lowest frequency"), high = job.real(line, 1, "the highest frequency");
  if (low < 0. || high < low)
    job.fail(line.number, join(line.words), "frequencies are >= 0, from the lowest to the highest.");
  constexpr double usual_points = 20, usual_bias = 3;  // of CalculiX
  const double points = job.real_or(line, 2, usual_points, "the number of points");
  constexpr double most_points = 100000;
  if (points < 1. || points > most_points || points != std::floor(points))
    job.fail(line.number, job.word(line, 2), fmt::format("the number of points is whole, 1 to {}.", most_points));
  step.period = 0;
  job.out.add(card.line, path, "Type", "harmonic");
  job.out.add(card.line, path, "Static correction", "no");
  job.out.add(card.line, path, "Method", "modal");
  write_mode_entries(job, card, path);
  job.out.add(line.number, path, "Frequencies", written({low, high}));
  job.out.add(line.number, path, "Points", fmt::format("{}", long(points)));
  job.out.add(line.number, path, "Spacing", "between modes");
  job.out.add(line.number, path, "Bias", written(job.real_or(line, 3, usual_bias, "the bias")));
  if (step.periodic)
    write_waveform(job, line, path);
  write_base_motion(job, step, path);
  write_modal_damping(job, step, path);
  if (std::any_of(step.inside.begin(), step.inside.end(), moves_supports) && resists_relative_motion(job.modes.damping))
    job.out.warn(
        card.line, "*" + card.name,
        fmt::format(
            "damping ratios and beta resist the motion relative to the supports; in CalculiX the absolute motion. For that: --set \"{}/{}=absolute motion\"",
            path, "Modal damping acts on"));
  write_structural_damping(job, path);
}
}  // namespace
}  // namespace symdyn::abaqus
