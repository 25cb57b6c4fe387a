#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "solver/base/counted.h"
#include "solver/base/log.h"
#include "solver/base/memory_usage.h"
#include "solver/base/timer.h"
#include "solver/error.h"
#include "solver/run/simulation.h"

// What a run says about itself.
namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

std::string Simulation::header() const
{
  const ModelFacts facts = structure->facts();
  std::string text = fmt::format("symdyn {}  {}{}\n", SYMDYN_VERSION, deck.name(), title.empty() ? "" : "  " + title);
  const unsigned int ranks = MPI::n_mpi_processes(MPI_COMM_WORLD);
  text += fmt::format("  {}-D, ", facts.dimension);
  text += facts.degree > 0 ? fmt::format("{} ({}, degree {}), {}", counted(facts.cells, "cell"), facts.cell_type, facts.degree,
                                         counted(facts.nodes, "node"))
                           : fmt::format("{}, {}", counted(facts.nodes, "point"), counted(facts.cells, facts.cell_type));
  text += fmt::format(", {}, {}\n", facts.dofs == 1 ? "1 degree of freedom" : fmt::format("{} degrees of freedom", facts.dofs),
                      counted(ranks, "rank"));
  text += fmt::format("  mass {:.6g}{}", facts.mass, Units::after(units.mass));
  for (const auto &[name, law] : facts.materials)
    text += fmt::format(", {}: {}", name, law);
  for (const Stage &stage : stages)
    text += stage.is_static()         ? fmt::format("\n  stage {}: static, {}", stage.name, counted(stage.increments, "increment"))
            : stage.is_perturbation() ? fmt::format("\n  stage {}: {}", stage.name, stage.type)
                                      : fmt::format("\n  stage {}: {}, h = {:g}{}, to t = {:g}{}", stage.name, stage.scheme, stage.step,
                                                    Units::after(units.time), stage.end, Units::after(units.time));
  for (const std::string &section : deck.inactive_sections())
    text += fmt::format("\n  not used: section {}", section);
  const auto by_newton = [this](const Stage &stage) {
    return stage.is_static() || (stage.type == "dynamic" && stage.integrator->solver_tolerance() == newton.tolerance);
  };
  if (newton_given && std::none_of(stages.begin(), stages.end(), by_newton))
    text += "\n  not used: section Newton (no scheme here solves nonlinear equations)";
  if (linear_solver_given && !solves_linear_systems())
    text += "\n  not used: section Linear solver (explicit steps without damping solve no linear systems)";
  const bool some_static = std::any_of(stages.begin(), stages.end(), [](const Stage &stage) { return stage.is_static(); });
  if (static_peaks && !(some_static && std::any_of(stages.begin(), stages.end(), [](const Stage &stage) { return stage.moves(); })))
    text += "\n  not used: Output/Static peaks (no static stage stands beside a dynamic one)";
  return text;
}

bool Simulation::has_peaks(const Stage &stage) const
{
  return static_peaks || !stage.is_static() || std::none_of(stages.begin(), stages.end(), [](const Stage &one) { return one.moves(); });
}

void Simulation::write_conclusions(const std::string &status)
{
  results->maxima(*structure, state.t);
  results->peaks();
  spectra.write(results->folder(), units);
  results->summary(summary(status));
}

bool Simulation::solves_linear_systems() const { return structure->needs_tangent || structure->system().has(Feature::damping); }

std::string Simulation::description()
{
  const ModelFacts facts = structure->facts();
  std::string text = header() + "\n";
  const auto place = [&](const std::array<double, 3> &x) {
    double size = 0;
    for (int d = 0; d < 3; ++d)
      size = std::max({size, std::abs(facts.lower[d]), std::abs(facts.upper[d])});
    return fmt::format("({:.6g}, {:.6g}, {:.6g})", without_rounding(x[0], size), without_rounding(x[1], size),
                       without_rounding(x[2], size));
  };
  text += fmt::format("  centre of mass {}{}\n", place(facts.centre), Units::after(units.length));
  text += fmt::format("  extent {} to {}{}\n", place(facts.lower), place(facts.upper), Units::after(units.length));
  for (const auto &[name, area] : facts.boundaries)
    text += fmt::format("  boundary {}: {:.6g}{}{}\n", name, area, Units::after(units.length),
                        facts.dimension == 3 && units.length != "1" ? "^2" : "");
  text += structure->mesh_description(units);
  text += fmt::format("  {} held\n", counted(facts.held_nodes, "node"));
  for (const std::string &support : facts.supports)
    text += "  support " + support + "\n";
  for (const std::string &load : facts.loads)
    text += "  load " + load + "\n";
  const double fastest = structure->system().highest_frequency(state.t, state.q, true);
  text += fastest > 0. ? fmt::format("  critical explicit time step (lumped mass, central differences): {:.6g}{}\n", 2. / fastest,
                                     Units::after(units.time))
                       : "  nothing vibrates: no critical time step\n";
  if (facts.memory > 0.)
    text += fmt::format("  memory of a run: about {:.2g} GiB\n", facts.memory / 1073741824.);
  text += "  would write: history.csv, " + std::string(write_every_text == "never" ? "" : "solution.pvd, ") + "summary.json, run.log\n";
  return text;
}

void Simulation::show_progress(const Stage &stage, const double done, const bool last)
{
  progress.sample(place.stage, done, ScopedTimer::now());
  if (!last && !Log::instance().progress_is_due())
    return;
  std::vector<Progress::Field> fields{{fmt::format("{:3.0f} %", 100. * done), 0},
                                      {fmt::format("t = {:.5g}{}", state.t, Units::after(units.time)), 0},
                                      {fmt::format("step {}", steps), 1},
                                      {fmt::format("newton {}", last_newton), 3},
                                      {fmt::format("energy error {:.1e}{}", last_energy_error, Units::after(units.energy)), 2}};
  if (const double left = progress.left(); left >= 0. && !last)
    fields.push_back({"ETA " + duration_text(left), 1});
  fields.push_back({"[" + stage.name + "]", 4});
  Log::instance().progress(Progress::line(fields), last);
}

nlohmann::json Simulation::summary(const std::string &status) const
{
  const ModelFacts facts = structure->facts();
  constexpr double MiB = 1048576.;
  nlohmann::json wall;
  double total = 0;
  for (const auto &[name, seconds] : ScopedTimer::seconds())
  {
    wall[name] = seconds;
    total += seconds;
  }
  wall["total"] = ScopedTimer::now() - wall_start;
  wall["other"] = std::max(0., ScopedTimer::now() - wall_start - total);
  nlohmann::json result = {{"symdyn", SYMDYN_VERSION},
                           {"deck", deck.name()},
                           {"title", title},
                           {"units",
                            {{"length", units.length},
                             {"mass", units.mass},
                             {"time", units.time},
                             {"force", units.force},
                             {"energy", units.energy},
                             {"stress", units.stress}}},
                           {"status", status},
                           {"exit status", status == "done"                               ? exit_done
                                           : status == "failed" || status == "incomplete" ? exit_computation
                                                                                          : exit_signal},
                           {"dimension", facts.dimension},
                           {"dofs", facts.dofs},
                           {"nodes", facts.nodes},
                           {"cells", facts.cells},
                           {"degree", facts.degree},
                           {"mass", facts.mass},
                           {"ranks", MPI::n_mpi_processes(MPI_COMM_WORLD)},
                           {"steps", steps},
                           {"time", state.t},
                           {"newton iterations", newton_total},
                           {"krylov iterations", krylov_total},
                           {"linear solver", solves_linear_systems() ? structure->linear_solver_name() : "none"},
                           {"largest energy balance error", largest_energy_error},
                           {"monitors", monitors.summary()},
                           {"wall seconds", wall},
                           {"peak memory MiB", MPI::sum(peak_memory() / MiB, MPI_COMM_WORLD)},
                           {"peak memory of a rank MiB", MPI::max(peak_memory() / MiB, MPI_COMM_WORLD)}};
  if (!energy_alarm.raised().is_null())
    result["energy alarm"] = energy_alarm.raised();
  if (facts.memory > 0.)
    result["memory estimate MiB"] = facts.memory / MiB;
  if (const std::string file = structure->printed_file(); !file.empty())
    result["tables"] = file;
  for (const Stage &stage : stages)
  {
    result["stages"].push_back({{"name", stage.name}, {"type", stage.type}, {"scheme", stage.scheme}, {"step", stage.step}});
    if (found.contains(stage.name))
      result["stages"].back().update(found.at(stage.name));
  }
  return result;
}
}  // namespace symdyn
