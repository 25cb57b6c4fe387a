#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "meshes/abaqus/deck.h"
#include "solver/base/names.h"

// Linear dynamics: *FREQUENCY, *MODAL DYNAMIC, *STEADY STATE DYNAMICS, *MODAL DAMPING.
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
}  // namespace

void DeckWriter::write_modes(Step &step, const std::string &path)
{
  const Keyword &card = step.card;
  require_options(model.scanner, card, {"SOLVER", "STORAGE", "GLOBAL", "EIGENSOLVER", "NORMALIZATION"});
  if (compact(card.option("SOLVER")) == "MATRIXSTORAGE")
    fail(card.line, "SOLVER=" + card.option("SOLVER"),
         "stores matrices and computes no modes, which cannot be done here. Leave SOLVER out, and give the number of frequencies.");
  const Line &line = only_line(card, "the number of frequencies, the lowest and the highest one");
  mode_count = model.number(line, word(line, 0), "the number of frequencies");
  constexpr long most_modes = 10000;
  if (mode_count < 1 || mode_count > most_modes)
    fail(line.number, word(line, 0), fmt::format("1 to {} frequencies can be computed.", most_modes));
  const double low = real_or(line, 1, 0., "the lowest frequency"), high = real_or(line, 2, 0., "the highest frequency");
  if (low < 0. || high < 0. || (high > 0. && high <= low))
    fail(line.number, join(line.words), "limits of frequencies are >= 0, from the lowest to the highest.");
  modes = {{"Modes", std::to_string(mode_count)}};
  if (low > 0.)
    modes.emplace_back("Lowest frequency", written(low));
  if (high > 0.)
  {
    modes.emplace_back("Highest frequency", written(high));
    modes.emplace_back("Complete interval", "no");
  }
  step.period = 0;
  add(card.line, path, "Type", "modes");
  write_mode_entries(card, path);
}

void DeckWriter::write_mode_entries(const Keyword &card, const std::string &path)
{
  if (modes.empty())
    fail(card.line, "*" + card.name, "needs modes. Put a step with *FREQUENCY before it.");
  for (const auto &[entry, value] : modes)
    add(card.line, path, entry, value);
}

void DeckWriter::write_modal(Step &step, const std::string &path)
{
  const Keyword &card = step.card;
  require_options(model.scanner, card, {"SOLVER", "DIRECT", "DELTMX", "STEADY STATE"});
  if (card.has("DIRECT") && upper(card.option("DIRECT")) == "NO")
    warn(card.line, "DIRECT=NO", "computed with a constant time step, the first one given");
  if (std::any_of(steps.begin(), steps.end(), [&](const Step &other) {
        return other.line < step.line && (other.procedure == "STATIC" || other.procedure == "DYNAMIC");
      }))
    warn(
        card.line, "*MODAL DYNAMIC",
        "the body moves from where the steps before have left it, under their loads that go on; CalculiX begins without displacement, and lets these loads act anew");
  const bool until_steady = card.has("STEADY STATE");
  const Line &line = only_line(card, until_steady ? "time step and relative change at which it ends" : "time step and period");
  const double h = real(line, 0, "the time step");
  constexpr double usual_increments = 100;  // without INC
  step.period = until_steady ? h * (step.increments > 0 ? step.increments : usual_increments) : real(line, 1, "the period of the step");
  read_limits_of_increments(line);
  if (step.period <= 0. || h <= 0. || h > step.period)
    fail(line.number, join(line.words), "the time step is > 0 and at most the period of the step.");
  add(card.line, path, "Type", "modal transient");
  write_mode_entries(card, path);
  if (until_steady)
    add(line.number, path, "Until steady", written(real(line, 1, "the relative change at which the step ends")));
  add(line.number, path + "/Time", "Time step", written(step.period / std::max(1., std::round(step.period / h))));
  add(line.number, path + "/Time", "End time", written(step.start + step.period));
  write_modal_damping(step, path);
}

void DeckWriter::write_harmonic(Step &step, const std::string &path)
{
  const Keyword &card = step.card;
  require_options(model.scanner, card, {"SOLVER", "HARMONIC"});
  const std::string harmonic = upper(card.option("HARMONIC"));
  if (card.has("HARMONIC") && harmonic != "YES" && harmonic != "NO")
    fail(card.line, "HARMONIC=" + card.option("HARMONIC"), "is YES (the default) or NO.");
  step.periodic = harmonic == "NO";
  const Line &line = only_line(card, "lowest and highest frequency, number of points, bias");
  const double low = real(line, 0, "the lowest frequency"), high = real(line, 1, "the highest frequency");
  if (low < 0. || high < low)
    fail(line.number, join(line.words), "frequencies are >= 0, from the lowest to the highest.");
  constexpr double usual_points = 20, usual_bias = 3;  // of CalculiX
  const double points = real_or(line, 2, usual_points, "the number of points");
  constexpr double most_points = 100000;
  if (points < 1. || points > most_points || points != std::floor(points))
    fail(line.number, word(line, 2), fmt::format("the number of points is whole, 1 to {}.", most_points));
  step.period = 0;
  add(card.line, path, "Type", "harmonic");
  add(card.line, path, "Static correction", "no");
  add(card.line, path, "Method", "modal");
  write_mode_entries(card, path);
  add(line.number, path, "Frequencies", written({low, high}));
  add(line.number, path, "Points", fmt::format("{}", long(points)));
  add(line.number, path, "Spacing", "between modes");
  add(line.number, path, "Bias", written(real_or(line, 3, usual_bias, "the bias")));
  if (step.periodic)
    write_waveform(line, path);
  write_base_motion(step, path);
  write_modal_damping(step, path);
  if (std::any_of(step.inside.begin(), step.inside.end(), moves_supports) && resists_relative_motion(modal_damping))
    warn(
        card.line, "*" + card.name,
        fmt::format(
            "damping ratios and beta resist the motion relative to the supports; in CalculiX the absolute motion. For that: --set \"{}/{}=absolute motion\"",
            path, "Modal damping acts on"));
  write_structural_damping(path);
}

/// K (1 + i eta), as CalculiX has it.
void DeckWriter::write_structural_damping(const std::string &path)
{
  if (structural_damping == 0.)
    return;
  add(damping_line, path, "Structural damping", written(structural_damping));
  if (!modal_damping.empty())
    warn(damping_line, "*DAMPING, STRUCTURAL",
         "acts beside *MODAL DAMPING, and both add up; CalculiX 2.20 gives other answers where a file has both");
}

/// Behind the bias: the number of Fourier terms, start and end of the period in the times of amplitudes.
void DeckWriter::write_waveform(const Line &line, const std::string &path)
{
  constexpr double usual_terms = 20, most_terms = 10000;  // of CalculiX
  const double terms = real_or(line, 4, usual_terms, "the number of Fourier terms"),
               first = real_or(line, 5, 0., "the start of the period"), last = real_or(line, 6, 1., "the end of the period");
  if (terms < 2. || terms > most_terms || terms != std::floor(terms))
    fail(line.number, word(line, 4), fmt::format("the number of Fourier terms is whole, 2 to {}.", most_terms));
  if (!(last > first))
    fail(line.number, join(line.words), "the period ends after it has begun.");
  add(line.number, path, "Waveform", written({first, last}));
  add(line.number, path, "Waveform terms", fmt::format("{}", long(terms)));
}

void DeckWriter::write_modal_damping(const Step &step, const std::string &path)
{
  std::vector<double> ratios(mode_count, 0.);
  std::size_t given = 0;
  for (const Keyword &card : step.inside)
    if (card.name == "MODAL DAMPING")
    {
      require_options(model.scanner, card, {"RAYLEIGH", "MODAL"});
      if (card.has("RAYLEIGH"))
      {
        const Line &line = only_line(card, "two empty ones, alpha, beta");
        for (const std::size_t empty : {0u, 1u})
          if (!word(line, empty).empty() && model.number(line, word(line, empty), "a mode") > 1)
            fail(line.number, join(line.words), "Rayleigh damping is that of all modes: the first two numbers are left out.");
        modal_damping = {{"Rayleigh damping", written({real_or(line, 2, 0., "alpha"), real_or(line, 3, 0., "beta")})}};
        continue;
      }
      given = card.line;
      for (const Line &line : card.data)
      {
        const long first = model.number(line, word(line, 0), "the first mode"),
                   last = word(line, 1).empty() ? first : model.number(line, word(line, 1), "the last mode");
        const double ratio = real(line, 2, "the damping ratio");
        if (first < 1 || last < first)
          fail(line.number, join(line.words), "modes go from the first, at least 1, to the last.");
        if (ratio < 0.)
          fail(line.number, word(line, 2), "a damping ratio is >= 0.");
        for (long mode = first; mode <= std::min(last, mode_count); ++mode)
          ratios[mode - 1] = ratio;
      }
    }
  // One number for all, where limits of the frequencies may leave some modes out.
  if (given > 0 && modes.size() > 1 &&
      std::all_of(ratios.begin(), ratios.end(), [&](const double ratio) { return ratio == ratios.front(); }))
    ratios.resize(1);
  if (given > 0)
    modal_damping = {{"Damping ratios", written(ratios)}};
  for (const auto &[entry, value] : modal_damping)
    add(step.card.line, path, entry, value);
}
}  // namespace symdyn::abaqus
