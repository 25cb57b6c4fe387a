#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solver/base/log.h"
#include "solver/error.h"
#include "solver/run/simulation.h"
#include "solver/vibration/mode_tables.h"
#include "solver/vibration/modes_table.h"

// Modes of a state at rest, and what is asked of such a state.
namespace symdyn
{
void Simulation::check_rest(const Stage &stage) const
{
  const MechanicalSystem &system = structure->system();
  if (system.has(Feature::linear))  // K is the same everywhere
    return;
  Vector f = system.new_vector(), r = f, rest = f;
  system.internal_force(state.q, f);
  system.applied_force(state.t, state.q, rest, r);
  r -= f;
  const double size = f.l2_norm() + r.l2_norm();
  system.project(r);
  constexpr double unbalanced = 1e-4, of_rounding = 1e3;
  system.factor(K, state.t, state.q, rest);  // from there on it knows the rounding of K
  if (r.l2_norm() > unbalanced * size && r.l2_norm() > of_rounding * system.rounding(state.q))
    log_warning(fmt::format(
        "stage {}: the state is not in equilibrium (|f_applied - f_int| = {:.3g}{}, {:.2g} of the forces): the stage is about a body that would not rest as it "
        "stands. Put a static stage before it",
        stage.name, r.l2_norm(), Units::after(units.force), r.l2_norm() / size));
}

void Simulation::tell_modes(const Stage &stage, const Modes &modes, const std::vector<double> &ratios)
{
  const ModesTable table(structure->system(), state.q, modes, ratios, units);
  log_line(table.lines(stage.name));
  found[stage.name] = table.summary();
  if (!modes.complete)
    log_warning(fmt::format(
        "stage {}: nothing has counted the modes: of several with one frequency some may be missing. \"Linear solver/Type\" = mumps counts them",
        stage.name));
  if (std::count(modes.kinds.begin(), modes.kinds.end(), Modes::unstable))
    log_warning(
        fmt::format("stage {}: the state is unstable: omega² < 0 (modes marked `unstable` grow). It is beyond buckling", stage.name));
}

void Simulation::run_modes(const Stage &stage)
{
  MechanicalSystem &system = structure->system();
  check_rest(stage);
  const Modes modes = find_modes(system, state.t, state.q, stage.modes);
  const std::vector<double> ratios = damping_ratios(modal_damping(system, state.q, modes), modes);
  tell_modes(stage, modes, ratios);
  const std::string stem = Results::stem("modes", stage.name);
  results->file(stem + ".csv", ModesTable(system, state.q, modes, ratios, units).csv());
  const OutputTime moment{stage.name, 1., true, 0.};
  if (structure->prints_modes())
    print(calculix_modes(system, modes));
  for (std::size_t i = 0; i < modes.size(); ++i)
    print(structure->print(state, {modes.shapes[i], std::numeric_limits<double>::quiet_NaN(), calculix_mode_title(i + 1)}, moment));
  Results::Collection frames;
  for (std::size_t i = 0; i < modes.size() && write_every_text != "never"; ++i)
    frames.emplace_back(i + 1, structure->write_shape(modes.shapes[i], results->folder(), fmt::format("{}-{:05d}", stem, i + 1)));
  if (!frames.empty())
    results->collection_of(stem + ".pvd", frames);
}
}  // namespace symdyn
