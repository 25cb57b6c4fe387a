#include "solver/vibration/complex_modes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "solver/base/log.h"
#include "solver/base/number.h"
#include "solver/base/plain_units.h"
#include "solver/diagnosis.h"
#include "solver/error.h"
#include "solver/registry.h"
#include "solver/spinning.h"
#include "solver/stages/analysis.h"
#include "solver/stages/growing_loads.h"
#include "solver/stages/nodal_diameters.h"
#include "solver/stages/state_at_rest.h"
#include "solver/vibration/complex_modes_table.h"
#include "solver/vibration/cyclic_complex_modes.h"
#include "solver/vibration/stability.h"

namespace symdyn
{
/// Free damped vibration about the state, also under loads that follow the body.
class ComplexModesStage : public Stage
{
public:
  std::string meaning() const override { return "free damped vibration about the state, flutter and divergence"; }
  void declare(Parameters &p) override;
  StageTraits traits() const override
  {
    StageTraits traits;
    traits.perturbation = traits.linear = traits.of_sectors = true;
    traits.modes = 2 * request.number;
    return traits;
  }
  void check(Analysis &analysis) override;
  bool may_stop() const override { return false; }  // the search asks
  Progress advance(Analysis &analysis) override;

private:
  bool finds() const { return load_factor == "find"; }
  void under_loads(Analysis &analysis, const MechanicalSystem &about);
  void about_sector(Analysis &analysis, const CyclicSector &sector);
  /// `of`: which modes, for the log.
  void report(Analysis &analysis, const ComplexModes &modes, const std::string &of = "") const;
  void report_instability(Analysis &analysis, const LoadBranches &found, const std::vector<double> &load) const;
  void write(Analysis &analysis, const ComplexModes &modes) const;
  void write_branches(Analysis &analysis, const LoadBranches &found) const;

  ComplexModesRequest request;
  NodalDiameters diameters;
  std::vector<int> numbers;  ///< of nodal diameters
  std::string load_factor = "none";
  double factor = 0;
  std::vector<double> factors;
  int intervals = 20;
};

void ComplexModesStage::declare(Parameters &p)
{
  request.declare(p);
  diameters.declare(p);
  p.add("Load factor", load_factor,
        "factor on the Loads of the stage, which are added to those of the state with their linear stress; find: the first "
        "factor between Load factors where a motion grows; none: nothing is added");
  p.add("Load factors", factors, "with Load factor = find: where it begins and ends");
  p.add("Intervals", intervals, "with Load factor = find: parts of Load factors; the first in which a motion begins to grow is bisected",
        between(1, 1000));
  const bool some = !loads.empty() && loads != std::vector<std::string>{"none"};
  if (load_factor == "none" && some)
    p.fail("Loads",
           "of a complex modes stage grow by \"Load factor\"; those of the stages before it stay. Give Load factor, or remove the entry");
  if (load_factor != "none" && !finds())
  {
    const auto number = number_from<double>(load_factor);
    if (!number)
      p.fail("Load factor", "must be a number, `find` or `none`");
    factor = *number;
  }
  for (const char *entry : {"Load factors", "Intervals"})
    if (p.given(entry) && !finds())
      p.fail(entry, "has no effect without Load factor = find. Set that, or remove the entry");
  if (finds() && (factors.size() != 2 || factors[0] < 0. || factors[0] >= factors[1]))
    p.fail("Load factors", "needs two numbers, 0 <= first < last");
}

void ComplexModesStage::check(Analysis &analysis)
{
  check_linear(analysis, *this);
  const CyclicSector *sector = cyclic_sector(analysis.structure->system());
  numbers = diameters.of(sector);
  if (sector && load_factor != "none")
    throw InputError(at("Load factor") + ": it is not available with Cyclic symmetry. Remove it: loads of the stages before stay");
  if (load_factor != "none" && analysis.system().diagnosis().load_names().empty())
    throw InputError(at("Load factor") + ": no loads grow: the deck has none. Add a section to Loads");
}

Progress ComplexModesStage::advance(Analysis &analysis)
{
  const State &state = analysis.state;
  check_rest(analysis, *this);
  const AtRest about(analysis.system(), state.t, state.q);
  const std::string free = analysis.structure->free_motions(state.q, analysis.units);
  request.stop = analysis.should_stop;
  request.progress = analysis.modes_progress(*this);
  if (const CyclicSector *sector = cyclic_sector(analysis.structure->system()))
  {
    about_sector(analysis, *sector);
    return Progress::ended;
  }
  if (load_factor == "none")
  {
    const ComplexModes modes = find_complex_modes(*about, state.t, state.q, request);
    report(analysis, modes);
    write(analysis, modes);
    return Progress::ended;
  }
  if (!free.empty())
    throw InputError(fmt::format("{}: nothing holds the body: {}. Loads that grow need a body that stands: add Supports", where, free));
  under_loads(analysis, *about);
  return Progress::ended;
}

void ComplexModesStage::under_loads(Analysis &analysis, const MechanicalSystem &about)
{
  const State &state = analysis.state;
  GrowingLoads loads(analysis, *this);
  const Vector f = loads.force(about, state), u = loads.displacement(about, state, f);
  const auto modes = [&](const double factor) {
    const LoadedState there(analysis.structure->system(), state, loads, u, factor, factor);
    return find_complex_modes(*there, state.t, state.q, request);
  };
  if (!finds())
  {
    const ComplexModes found = modes(factor);
    report(analysis, found);
    return write(analysis, found);
  }
  constexpr double tolerance = 1e-6;
  constexpr unsigned int few = 60;  // the search asks dozens of times
  constexpr int pairs = 4;          // of fewer, one that merges with another is lost
  request.number = std::max(request.number, pairs);
  request.dense = few;
  request.count = false;
  request.progress = nullptr;
  const LoadBranches found = find_instability(about, modes, factors[0], factors[1], intervals, tolerance);
  write_branches(analysis, found);
  report_instability(analysis, found, GrowingLoads::resultant(about, state.q, f));
  write(analysis, std::isfinite(found.critical) ? found.at_critical : found.at_last);
}

void ComplexModesStage::about_sector(Analysis &analysis, const CyclicSector &sector)
{
  const State &state = analysis.state;
  const CyclicComplexModes found(sector, analysis.system(), state.t, state.q, request, numbers);
  for (std::size_t k = 0; k < found.motions.size(); ++k)
    report(analysis, found.of_motions[k], fmt::format(" ({} nodal diameters)", found.motions[k]->diameters()));
  (*analysis.found)[name] = complex_modes_summary(found.all);
  Recorder &recorder = analysis.recorder;
  const std::string stem = Results::stem("complex-modes", name);
  recorder.file(stem + ".csv", complex_modes_csv(found.all, analysis.units, in_its_frame(analysis.structure->system())));
  std::vector<Results::Collection> parts(2);
  std::size_t number = 0;
  for (std::size_t k = 0; k < found.motions.size() && recorder.writes_fields(); ++k)
    for (const ComplexVector &shape : found.of_motions[k].shapes)
    {
      ++number;
      for (const bool real : {true, false})
      {
        std::vector<Vector> sectors;
        for (int i = 0; i < sector.sectors_shown(); ++i)
          sectors.push_back(found.motions[k]->sector(real ? shape.real : shape.imaginary, i));
        parts[real ? 0 : 1].emplace_back(number,
                                         recorder.sectors(sectors, fmt::format("{}-{}-{:05d}", stem, real ? "real" : "imaginary", number)));
      }
    }
  recorder.collection(stem + "-real.pvd", parts[0]);
  recorder.collection(stem + "-imaginary.pvd", parts[1]);
}

void ComplexModesStage::report(Analysis &analysis, const ComplexModes &modes, const std::string &of) const
{
  log_line(complex_modes_lines(name + of, modes, analysis.units, in_its_frame(analysis.structure->system())));
  (*analysis.found)[name] = complex_modes_summary(modes);
  if (modes.size() < std::size_t(request.number))
    log_warning(fmt::format("stage {}: {} complex modes were asked for; there are {} in all", name, request.number, modes.size()));
  std::vector<std::size_t> above;  // their limits
  for (std::size_t i = 0; i < modes.size(); ++i)
    if (modes.residuals[i] > modes.limit(i))
      above.push_back(i);
  if (!above.empty())
  {
    const std::size_t worst = *std::max_element(
        above.begin(), above.end(), [&](const std::size_t i, const std::size_t j) { return modes.residuals[i] < modes.residuals[j]; });
    log_warning(fmt::format(
        "stage {}: {} of {} modes are not exact: mode {}, |lambda| = {:.6g} rad/{}, has a residual of {:.2g} (limit {:.1g}). Set "
        "Near to about its |lambda|",
        name, above.size(), modes.size(), worst + 1, std::abs(modes.values[worst]), analysis.units.time, modes.residuals[worst],
        modes.limit(worst)));
  }
  if (!modes.all && modes.counted < 0.)
    log_warning(
        fmt::format("stage {}: no Sturm check: modes may be missed. \"Linear solver/Type\" = mumps counts them where no load follows the "
                    "body and Near = 0",
                    name));
  else if (!modes.complete())
    log_warning(fmt::format(
        "stage {}: {:g} complex modes have a |lambda| below {:.6g}, and {:g} undamped ones. Damping and a frame that turns change |lambda|; where neither explains it, modes are "
        "missing: ask for more Modes",
        name, modes.below, modes.place, modes.counted));
}

void ComplexModesStage::report_instability(Analysis &analysis, const LoadBranches &found, const std::vector<double> &load) const
{
  nlohmann::json result = {{"kind", "stable"}, {"factors", factors}};
  if (!std::isfinite(found.critical))
    log_line(fmt::format("stage {}: none of the {} lowest pairs grows at {} Load factors from {:g} to {:g} (no Sturm check)", name,
                         request.number, intervals + 1, factors[0], factors[1]));
  else if (found.from_the_start())
    throw InputError(
        fmt::format("{}: a motion grows at the first of them already ({:g}). Begin with a lower one", at("Load factors"), factors[0]));
  else
  {
    const std::size_t first = found.grows.front();
    const std::string kind = in_words(found.at_critical.kinds[first]);
    const double frequency = found.at_critical.damped(first);
    std::string critical;
    for (const double one : load)
      critical += fmt::format(" {:.6g}", found.critical * one);
    log_line(fmt::format("stage {}: {} at load factor {:.8g} (stable at {:.8g}), {:.6g} {}; resultant of the loads [{}]:{}", name, kind,
                         found.critical, found.stable, frequency, hertz(analysis.units), analysis.units.force, critical));
    result = {{"kind", kind}, {"load factor", found.critical}, {"frequency", frequency}};
  }
  (*analysis.found)[name] = result;
}

void ComplexModesStage::write_branches(Analysis &analysis, const LoadBranches &found) const
{
  std::string text = fmt::format("load factor [-],branch,{},{}\n", with_plain_unit("Re lambda [1/" + analysis.units.time + "]"),
                                 with_plain_unit("Im lambda [rad/" + analysis.units.time + "]"));
  for (const LoadBranches::Point &point : found.points)
    text += fmt::format("{},{},{},{}\n", point.factor, point.branch, point.value.real(), point.value.imag());
  analysis.recorder.file(Results::stem("complex-modes", name) + "-branches.csv", text);
}

void ComplexModesStage::write(Analysis &analysis, const ComplexModes &modes) const
{
  Recorder &recorder = analysis.recorder;
  const std::string stem = Results::stem("complex-modes", name);
  recorder.file(stem + ".csv", complex_modes_csv(modes, analysis.units, in_its_frame(analysis.structure->system())));
  Results::Collection real, imaginary;
  for (std::size_t i = 0; i < modes.size() && recorder.writes_fields(); ++i)
  {
    real.emplace_back(i + 1, recorder.shape(modes.shapes[i].real, fmt::format("{}-real-{:05d}", stem, i + 1)));
    imaginary.emplace_back(i + 1, recorder.shape(modes.shapes[i].imaginary, fmt::format("{}-imaginary-{:05d}", stem, i + 1)));
  }
  recorder.collection(stem + "-real.pvd", real);
  recorder.collection(stem + "-imaginary.pvd", imaginary);
}
SYMDYN_REGISTER(Stage, ComplexModesStage, "complex modes");
}  // namespace symdyn
