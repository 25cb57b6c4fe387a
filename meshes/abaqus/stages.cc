#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "meshes/abaqus/deck.h"
#include "solver/base/names.h"

// The procedures of steps.
namespace symdyn::abaqus
{
void DeckWriter::write_stages()
{
  double time = 0, total = 0;
  for (Step &step : steps)
  {
    const Keyword &card = step.card;
    const std::string path = "Stages/" + step.name;
    if (step.perturbation && step.procedure != "FREQUENCY" && step.procedure != "MODAL DYNAMIC" &&
        step.procedure != "STEADY STATE DYNAMICS")
      fail(
          step.line, "*STEP, PERTURBATION",
          "a linear step about a loaded state can be computed for *FREQUENCY, *MODAL DYNAMIC and *STEADY STATE DYNAMICS only. Leave PERTURBATION out.");
    check_geometry(step);
    step.start = time;
    step.total_start = total;
    if (card.name == "STATIC")
      write_static(step, path);
    else if (card.name == "DYNAMIC")
      write_dynamic(step, path);
    else if (card.name == "FREQUENCY")
      write_modes(step, path);
    else if (card.name == "MODAL DYNAMIC")
      write_modal(step, path);
    else
      write_harmonic(step, path);
    total += step.period;
    time += step.takes_time() ? step.period : 0.;
  }
}

/// A material is either of small displacements or of large ones, in all steps.
void DeckWriter::check_geometry(const Step &step)
{
  const bool after_nonlinear =
      std::any_of(steps.begin(), steps.end(), [&](const Step &other) { return other.line < step.line && other.nonlinear; });
  const bool after_static =
      std::any_of(steps.begin(), steps.end(), [&](const Step &other) { return other.line < step.line && other.procedure == "STATIC"; });
  if (nonlinear && !step.nonlinear && (step.procedure == "STATIC" || step.procedure == "DYNAMIC"))
    warn(step.line, "*STEP", "computed with large displacements, as another step has NLGEOM");
  if (step.procedure != "FREQUENCY")
    return;
  if (!step.perturbation && after_nonlinear)
    warn(step.line, "*FREQUENCY", "computed about the loaded state of the step before, as with PERTURBATION");
  if (step.perturbation && after_static && !nonlinear)
    fail(
        step.line, "*STEP, PERTURBATION",
        "the stress of the step before stiffens the body, which a material of small displacements does not know. Write NLGEOM at the *STEP of *STATIC.");
}

/// The smallest and the largest increment, which constant ones do not need, and what CalculiX has behind them.
void DeckWriter::read_limits_of_increments(const Line &line) const
{
  for (const std::size_t i : {2u, 3u, 4u})
    real_or(line, i, 0., "a limit of the increments");
}

void DeckWriter::write_static(Step &step, const std::string &path)
{
  const Keyword &card = step.card;
  require_options(model.scanner, card, {"DIRECT", "SOLVER"});
  const Line none{card.line, {}}, &line = card.data.empty() ? none : card.data.front();
  step.period = real_or(line, 1, 1., "the period of the step");
  const double first = real_or(line, 0, step.period, "the first increment");
  read_limits_of_increments(line);
  if (step.period <= 0. || first <= 0. || first > step.period)
    fail(line.number, join(line.words), "the increment is > 0 and at most the period of the step.");
  const double n = std::ceil(step.period / first * (1. - 1e-9));
  constexpr double most = 100000.;
  if (n > most)
    fail(line.number, word(line, 0), fmt::format("takes {:.3g} increments; at most {} are possible.", n, most));
  add(card.line, path, "Type", "static");
  if (step.nonlinear && n > 1.)
    add(line.number, path, "Increments", fmt::format("{}", long(n)));
  if (step.amplitude == "STEP")
    add(step.line, path, "Ramp", "no");
  if (step.nonlinear && !card.has("DIRECT"))
    add(card.line, path, "Cut increments", "yes");
}

void DeckWriter::write_dynamic(Step &step, const std::string &path)
{
  const Keyword &card = step.card;
  require_options(model.scanner, card, {"DIRECT", "ALPHA", "EXPLICIT", "SOLVER"});
  if (step.amplitude == "RAMP")
    fail(step.line, "*STEP, AMPLITUDE=RAMP", "loads of a dynamic step act at once, or by an *AMPLITUDE. Write the ramp as one.");
  const Line none{card.line, {}}, &line = card.data.empty() ? none : card.data.front();
  step.period = real_or(line, 1, 1., "the period of the step");
  const double h = real_or(line, 0, step.period, "the time step");
  read_limits_of_increments(line);
  if (step.period <= 0. || h <= 0. || h > step.period)
    fail(line.number, join(line.words), "the time step is > 0 and at most the period of the step.");
  const double n = std::max(1., std::round(step.period / h));
  if (std::abs(n * h - step.period) > 1e-6 * step.period)
    warn(line.number, join(line.words),
         fmt::format("the period is no multiple of the time step; computed with {} steps of {:.9g}", n, step.period / n));
  if (!card.has("DIRECT") && !card.has("EXPLICIT"))
    warn(card.line, "*DYNAMIC", "computed with a constant time step, the first one given (as with DIRECT)");
  add(card.line, path, "Type", "dynamic");
  if (card.has("EXPLICIT"))
  {
    // The step is the critical one, as in CalculiX: what is given there is only where it begins. The third number scales masses where a
    // cell asks for a shorter one, the fourth is the longest.
    if (line.words.size() > 4)
      fail(line.number, join(line.words),
           "*DYNAMIC, EXPLICIT has four numbers: the first step, the period, and the shortest and the longest step.");
    add(line.number, path + "/Time", "Time step", "auto");
    for (const auto &[i, entry] : {std::pair{2u, "Automatic step at least"}, {3u, "Automatic step at most"}})
    {
      const double limit = real_or(line, i, 0., "a limit of the time step");
      if (limit < 0.)
        fail(line.number, join(line.words), "a limit of the time step is not negative.");
      if (limit > 0.)
        add(line.number, path + "/Time", entry, written(limit));
    }
    if (!bodiless)
      add(card.line, "Elements", "Mass", "lumped");
  }
  else
    add(line.number, path + "/Time", "Time step", written(step.period / n));
  add(line.number, path + "/Time", "End time", written(step.start + step.period));
  const double alpha = card.has("ALPHA") ? model.real({card.line, {}}, card.option("ALPHA"), "ALPHA") : -0.05;
  add(card.line, path + "/Integrator", "Scheme", card.has("EXPLICIT") ? "central-difference" : "hht-alpha");
  if (!card.has("EXPLICIT"))
    add(card.line, path + "/Integrator/hht-alpha", "alpha", written(alpha));
}
}  // namespace symdyn::abaqus
