#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "meshes/abaqus_deck.h"
#include "solver/names.h"

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
    if (step.perturbation && step.procedure != "FREQUENCY" && step.procedure != "MODAL DYNAMIC" && step.procedure != "STEADY STATE DYNAMICS")
      fail(step.line, "*STEP, PERTURBATION", "a linear step about a loaded state can be computed for *FREQUENCY, *MODAL DYNAMIC and *STEADY STATE DYNAMICS only. Leave PERTURBATION out.");
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

void DeckWriter::write_static(Step &step, const std::string &path)
{
  const Keyword &card = step.card;
  require_options(model.scanner, card, {"DIRECT", "SOLVER"});
  const Line none{card.line, {}}, &line = card.data.empty() ? none : card.data.front();
  step.period = real_or(line, 1, 1., "the period of the step");
  const double first = real_or(line, 0, step.period, "the first increment");
  if (step.period <= 0. || first <= 0. || first > step.period) fail(line.number, join(line.words), "the increment is > 0 and at most the period of the step.");
  const double n = std::ceil(step.period / first * (1. - 1e-9));
  constexpr double most = 100000.;
  if (n > most) fail(line.number, word(line, 0), fmt::format("takes {:.3g} increments; at most {} are possible.", n, most));
  add(card.line, path, "Type", "static");
  if (step.nonlinear && n > 1.) add(line.number, path, "Increments", fmt::format("{}", long(n)));
}

void DeckWriter::write_dynamic(Step &step, const std::string &path)
{
  const Keyword &card = step.card;
  require_options(model.scanner, card, {"DIRECT", "ALPHA", "EXPLICIT", "SOLVER"});
  const Line none{card.line, {}}, &line = card.data.empty() ? none : card.data.front();
  step.period = real_or(line, 1, 1., "the period of the step");
  const double h = real_or(line, 0, step.period, "the time step");
  if (step.period <= 0. || h <= 0. || h > step.period) fail(line.number, join(line.words), "the time step is > 0 and at most the period of the step.");
  const double n = std::max(1., std::round(step.period / h));
  if (std::abs(n * h - step.period) > 1e-6 * step.period)
    warn(line.number, join(line.words), fmt::format("the period is no multiple of the time step; computed with {} steps of {:.9g}", n, step.period / n));
  if (!card.has("DIRECT") && !card.has("EXPLICIT"))
    warn(card.line, "*DYNAMIC", "computed with a constant time step, the first one given (as with DIRECT)");
  add(card.line, path, "Type", "dynamic");
  if (card.has("EXPLICIT"))
  {
    // The step is the critical one, as in CalculiX: what is given there is only where it begins.
    add(line.number, path + "/Time", "Time step", "auto");
    add(card.line, "Elements", "Mass", "lumped");
  }
  else
    add(line.number, path + "/Time", "Time step", written(step.period / n));
  add(line.number, path + "/Time", "End time", written(step.start + step.period));
  const double alpha = card.has("ALPHA") ? model.real({card.line, {}}, card.option("ALPHA"), "ALPHA") : -0.05;
  add(card.line, path + "/Integrator", "Scheme", card.has("EXPLICIT") ? "central-difference" : "hht-alpha");
  if (!card.has("EXPLICIT")) add(card.line, path + "/Integrator/hht-alpha", "alpha", written(alpha));
}

void DeckWriter::write_modes(Step &step, const std::string &path)
{
  const Keyword &card = step.card;
  require_options(model.scanner, card, {"SOLVER", "STORAGE", "GLOBAL", "EIGENSOLVER", "NORMALIZATION"});
  const Line &line = only_line(card, "the number of frequencies");
  modes = model.number(line, word(line, 0), "the number of frequencies");
  for (const std::size_t i : {1u, 2u})
    if (real_or(line, i, 0., "a limit of the frequencies") != 0.) warn(line.number, word(line, i), "this limit is not applied: the lowest frequencies are computed");
  constexpr long most_modes = 10000;
  if (modes < 1 || modes > most_modes) fail(line.number, word(line, 0), fmt::format("1 to {} frequencies can be computed.", most_modes));
  step.period = 0;
  add(card.line, path, "Type", "modes");
  add(line.number, path, "Modes", std::to_string(modes));
}

void DeckWriter::write_modal(Step &step, const std::string &path)
{
  const Keyword &card = step.card;
  require_options(model.scanner, card, {"SOLVER", "DIRECT"});
  if (card.has("DIRECT") && upper(card.option("DIRECT")) == "NO") warn(card.line, "DIRECT=NO", "computed with a constant time step, the first one given");
  if (modes == 0) fail(card.line, "*MODAL DYNAMIC", "needs modes. Put a step with *FREQUENCY before it.");
  const Line &line = only_line(card, "time step and period");
  const double h = real(line, 0, "the time step");
  step.period = real(line, 1, "the period of the step");
  if (step.period <= 0. || h <= 0. || h > step.period) fail(line.number, join(line.words), "the time step is > 0 and at most the period of the step.");
  add(card.line, path, "Type", "modal transient");
  add(card.line, path, "Modes", std::to_string(modes));
  add(line.number, path + "/Time", "Time step", written(step.period / std::max(1., std::round(step.period / h))));
  add(line.number, path + "/Time", "End time", written(step.start + step.period));
  write_modal_damping(step, path);
}

void DeckWriter::write_harmonic(Step &step, const std::string &path)
{
  const Keyword &card = step.card;
  require_options(model.scanner, card, {"SOLVER", "HARMONIC"});
  if (card.has("HARMONIC") && upper(card.option("HARMONIC")) != "YES") fail(card.line, "HARMONIC=" + card.option("HARMONIC"), "only harmonic loads can be computed. Take *MODAL DYNAMIC for others.");
  if (modes == 0) fail(card.line, "*STEADY STATE DYNAMICS", "needs modes. Put a step with *FREQUENCY before it.");
  const Line &line = only_line(card, "lowest and highest frequency, number of points");
  const double low = real(line, 0, "the lowest frequency"), high = real(line, 1, "the highest frequency");
  if (low < 0. || high <= low) fail(line.number, join(line.words), "frequencies are >= 0, from the lowest to the highest.");
  constexpr double usual_points = 20;  // of CalculiX, between two modes
  const double points = real_or(line, 2, usual_points, "the number of points");
  constexpr double most_points = 100000;
  if (points < 1. || points > most_points || points != std::floor(points)) fail(line.number, word(line, 2), fmt::format("the number of points is whole, 1 to {}.", most_points));
  if (real_or(line, 3, 1., "the bias") != 1.) warn(line.number, join(line.words), "the bias is not applied: points stand around each mode and evenly between");
  step.period = 0;
  add(card.line, path, "Type", "harmonic");
  add(card.line, path, "Method", "modal");
  add(card.line, path, "Modes", std::to_string(modes));
  add(line.number, path, "Frequencies", written({low, high}));
  add(line.number, path, "Points", fmt::format("{}", long(points)));
  add(line.number, path, "Spacing", "around modes");
  write_modal_damping(step, path);
}

void DeckWriter::write_modal_damping(const Step &step, const std::string &path)
{
  std::vector<double> ratios(modes, 0.);
  std::size_t given = 0;
  for (const Keyword &card : step.inside)
    if (card.name == "MODAL DAMPING")
    {
      require_options(model.scanner, card, {});
      given = card.line;
      for (const Line &line : card.data)
      {
        const long first = model.number(line, word(line, 0), "the first mode"), last = word(line, 1).empty() ? first : model.number(line, word(line, 1), "the last mode");
        const double ratio = real(line, 2, "the damping ratio");
        if (first < 1 || last < first) fail(line.number, join(line.words), "modes go from the first, at least 1, to the last.");
        if (ratio < 0.) fail(line.number, word(line, 2), "a damping ratio is >= 0.");
        for (long mode = first; mode <= std::min(last, modes); ++mode) ratios[mode - 1] = ratio;
      }
    }
  if (given > 0) add(given, path, "Damping ratios", written(ratios));
}

void DeckWriter::write_prints()
{
  for (std::size_t s = 0; s < steps.size(); ++s)
    for (const Keyword &card : steps[s].inside)
      if (card.name == "NODE PRINT" || card.name == "EL PRINT") write_print(card, steps[s], s);
  if (names.count("Prints/any")) add(steps.front().line, "Prints", "File", std::filesystem::path(model.mesh.name).stem().string() + ".dat");
}

void DeckWriter::write_print(const Keyword &card, const Step &step, const std::size_t stage)
{
  const bool nodes = card.name == "NODE PRINT";
  require_options(model.scanner, card, {nodes ? "NSET" : "ELSET", "FREQUENCY", "FREQUENCYF", "TOTALS", "GLOBAL", "TIME POINTS", "OUTPUT"});
  for (const char *option : {"TIME POINTS", "FREQUENCYF"})
    if (card.has(option)) warn(card.line, "*" + card.name + ", " + option, "is not known; tables are written each FREQUENCY increments");
  static const std::set<std::string> of_nodes = {"U", "V", "RF"}, of_elements = {"S", "E", "ENER"};
  std::vector<std::string> quantities;
  for (const Line &line : card.data)
    for (const std::string &w : line.words)
      if (const std::string quantity = upper(w); (nodes ? of_nodes : of_elements).count(quantity))
        quantities.push_back(quantity);
      else if (!w.empty())
        warn(line.number, "*" + card.name + " " + w, "this quantity is not written; there are " + (nodes ? std::string("U, V, RF") : std::string("S, E, ENER")));
  if (quantities.empty()) return;
  const std::string set_name = model.required(card, nodes ? "NSET" : "ELSET");
  const Set *set = Model::find_set(nodes ? model.node_sets : model.element_sets, set_name);
  if (!set) fail(card.line, "*" + card.name, "there is no set " + set_name + ".");
  const std::string path = "Prints/" + fresh("Prints", fmt::format("{} {}", step.name, set->name));
  ++names["Prints/any"];
  add(card.line, path, "Stage", steps[stage].name);
  add(card.line, path, nodes ? "Nodes" : "Elements", set->name);
  add(card.line, path, "Quantities", join(quantities));
  if (card.has("TOTALS")) add(card.line, path, "Totals", upper(card.option("TOTALS")) == "ONLY" ? "only" : upper(card.option("TOTALS")) == "YES" ? "yes" : "no");
  if (card.has("FREQUENCY")) add(card.line, path, "Every", card.option("FREQUENCY"));
  if (!step.takes_time())
  {
    add(card.line, path, "Start", written(step.total_start));
    add(card.line, path, "Period", written(step.period));
  }
}
}  // namespace symdyn::abaqus
