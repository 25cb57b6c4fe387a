#include "solver/vibration/modes.h"

#include <fmt/format.h>

#include <limits>

#include "solver/base/log.h"
#include "solver/registry.h"
#include "solver/spinning.h"
#include "solver/stages/analysis.h"
#include "solver/stages/measured/test_data.h"
#include "solver/stages/nodal_diameters.h"
#include "solver/stages/state_at_rest.h"
#include "solver/vibration/cyclic_modes.h"
#include "solver/vibration/mode_tables.h"
#include "solver/vibration/modes_table.h"
#include "solver/vibration/tangent_system.h"

namespace symdyn
{
/// Free vibration about the state.
class ModesStage : public Stage
{
public:
  std::string meaning() const override { return "free vibration about the state"; }
  void declare(Parameters &p) override
  {
    if (!loads.empty() && loads != std::vector<std::string>{"none"})
      p.fail("Loads", "a modes stage applies no loads; those of the stages before it stay. Set Loads = none, or remove the entry");
    request.declare(p);
    diameters.declare(p);
    orders.declare(p);
    test.declare(p.section("Test data"));
  }
  StageTraits traits() const override
  {
    StageTraits traits;
    traits.perturbation = traits.linear = traits.of_sectors = true;
    traits.modes = request.number;
    return traits;
  }
  void check(Analysis &analysis) override
  {
    check_linear(analysis, *this);
    test.check(analysis);
    const CyclicSector *sector = cyclic_sector(analysis.structure->system());
    numbers = diameters.of(sector);
    orders.check(sector);
    if (sector && test.given())
      throw InputError(where + ": Test data is of a whole body, and the deck describes one sector of it. Remove one of both");
  }
  bool may_stop() const override { return false; }  // the search asks
  Progress advance(Analysis &analysis) override;

private:
  void about_sector(Analysis &analysis, const CyclicSector &sector);

  ModesRequest request;
  NodalDiameters diameters;
  EngineOrders orders;
  std::vector<int> numbers;  ///< of nodal diameters
  TestData test;
};

Progress ModesStage::advance(Analysis &analysis)
{
  const State &state = analysis.state;
  const AtRest about(analysis.system(), state.t, state.q);
  const MechanicalSystem &system = *about;
  Recorder &recorder = analysis.recorder;
  check_rest(analysis, *this);
  refuse_uneven_bearings(analysis, where);
  if (spinning(analysis.structure->system()))
    log_line(fmt::format(
        "stage {}: of the frame that turns the modes have the spin softening, not Coriolis' forces. Type = complex modes has both", name));
  request.stop = analysis.should_stop;
  request.progress = analysis.modes_progress(*this);
  if (const CyclicSector *sector = cyclic_sector(analysis.structure->system()))
  {
    about_sector(analysis, *sector);
    return Progress::ended;
  }
  const Modes modes = find_modes(system, state.t, state.q, request);
  const std::vector<double> ratios = damping_ratios(modal_damping(system, state.q, modes), modes);
  report_modes(analysis, *this, modes, ratios);
  const std::string stem = Results::stem("modes", name);
  recorder.file(stem + ".csv", ModesTable(system, state.q, modes, ratios, analysis.units).csv());
  if (test.given())
    test.compare(analysis, *this, modes, ratios);
  const OutputTime moment{name, 1., true, 0.};
  if (analysis.structure->print_plan().modes)
    recorder.print(calculix_modes(system, modes));
  for (std::size_t i = 0; i < modes.size(); ++i)
    recorder.print(
        analysis.structure->print(state, {modes.shapes[i], std::numeric_limits<double>::quiet_NaN(), calculix_mode_title(i + 1)}, moment));
  Results::Collection frames;
  for (std::size_t i = 0; i < modes.size() && recorder.writes_fields(); ++i)
    frames.emplace_back(i + 1, recorder.shape(modes.shapes[i], fmt::format("{}-{:05d}", stem, i + 1)));
  recorder.collection(stem + ".pvd", frames);
  return Progress::ended;
}

void ModesStage::about_sector(Analysis &analysis, const CyclicSector &sector)
{
  const State &state = analysis.state;
  const CyclicModes found(sector, analysis.system(), state.t, state.q, request, numbers);
  const Modes &modes = found.modes();
  const ModesTable table(modes, found.participation(), found.ratios(), analysis.units, found.diameters());
  report_modes(analysis, *this, modes, table);
  Recorder &recorder = analysis.recorder;
  const std::string stem = Results::stem("modes", name);
  recorder.file(stem + ".csv", table.csv());
  if (orders.any())
    recorder.file(stem + "-interference.csv", orders.table(modes, found.diameters(), sector.sectors(), analysis.units));
  if (analysis.structure->print_plan().modes)
    recorder.print(calculix_cyclic_modes(modes, found.diameters()));
  Results::Collection frames;
  for (std::size_t i = 0; i < modes.size(); ++i)
  {
    const Vector cosine = found.motion(i).sector(modes.shapes[i], 0);
    recorder.print(analysis.structure->print(state, {cosine, std::numeric_limits<double>::quiet_NaN(), calculix_mode_title(i + 1)},
                                             {name, 1., true, 0.}));
    if (!recorder.writes_fields())
      continue;
    std::vector<Vector> sectors;
    for (int k = 0; k < sector.sectors_shown(); ++k)
      sectors.push_back(found.motion(i).sector(modes.shapes[i], k));
    frames.emplace_back(i + 1, recorder.sectors(sectors, fmt::format("{}-{:05d}", stem, i + 1)));
  }
  recorder.collection(stem + ".pvd", frames);
}
SYMDYN_REGISTER(Stage, ModesStage, "modes");
}  // namespace symdyn
