#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solver/error.h"
#include "solver/log.h"
#include "solver/machine_memory.h"
#include "solver/phase.h"
#include "solver/simulation.h"

// What a run says about itself.
namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

namespace
{
std::string duration(const double seconds)
{
  if (seconds < 60.)
    return fmt::format("{:.0f} s", seconds);
  return seconds < 3600. ? fmt::format("{:.0f} min {:.0f} s", std::floor(seconds / 60.), std::fmod(seconds, 60.))
                         : fmt::format("{:.0f} h {:.0f} min", std::floor(seconds / 3600.), std::fmod(seconds, 3600.) / 60.);
}
}  // namespace

std::string Simulation::header() const
{
  const ModelFacts facts = structure->facts();
  std::string text = fmt::format("symdyn {}  {}{}\n", SYMDYN_VERSION, deck.name(), title.empty() ? "" : "  " + title);
  const unsigned int ranks = MPI::n_mpi_processes(MPI_COMM_WORLD);
  text += fmt::format("  {}-D, ", facts.dimension);
  text += facts.degree > 0 ? fmt::format("{} cells ({}, degree {}), {} nodes", facts.cells, facts.cell_type, facts.degree, facts.nodes)
                           : fmt::format("{} points, {} {}", facts.nodes, facts.cells, facts.cell_type);
  text += fmt::format(", {} degrees of freedom, {} rank{}\n", facts.dofs, ranks, ranks > 1 ? "s" : "");
  text += fmt::format("  mass {:.6g}{}", facts.mass, Units::after(units.mass));
  for (const auto &[name, law] : facts.materials)
    text += fmt::format(", {}: {}", name, law);
  for (const Stage &stage : stages)
    text += stage.is_static() ? fmt::format("\n  stage {}: static, {} increments", stage.name, stage.increments)
            : stage.looks()   ? fmt::format("\n  stage {}: {}", stage.name, stage.type)
                              : fmt::format("\n  stage {}: {}, h = {:g}{}, to t = {:g}{}", stage.name, stage.scheme, stage.step, Units::after(units.time), stage.end,
                                            Units::after(units.time));
  for (const std::string &section : deck.inactive_sections())
    text += fmt::format("\n  not used: section {}", section);
  const auto by_newton = [this](const Stage &stage) { return stage.is_static() || (stage.type == "dynamic" && stage.integrator->solver_tolerance() == newton.tolerance); };
  if (newton_given && std::none_of(stages.begin(), stages.end(), by_newton))
    text += "\n  not used: section Newton (no scheme here solves nonlinear equations)";
  if (linear_solver_given && !solves_linear_systems())
    text += "\n  not used: section Linear solver (explicit steps without damping solve no linear systems)";
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
  text += fmt::format("  centre of mass ({:.6g}, {:.6g}, {:.6g}){}\n", facts.centre[0], facts.centre[1], facts.centre[2],
                      Units::after(units.length));
  text += fmt::format("  extent ({:.6g}, {:.6g}, {:.6g}) to ({:.6g}, {:.6g}, {:.6g}){}\n", facts.lower[0], facts.lower[1], facts.lower[2],
                      facts.upper[0], facts.upper[1], facts.upper[2], Units::after(units.length));
  for (const auto &[name, area] : facts.boundaries)
    text += fmt::format("  boundary {}: {:.6g}{}{}\n", name, area, Units::after(units.length),
                        facts.dimension == 3 && units.length != "1" ? "^2" : "");
  text += structure->mesh_description(units);
  text += fmt::format("  {} nodes held\n", facts.held_nodes);
  for (const std::string &support : facts.supports)
    text += "  support " + support + "\n";
  for (const std::string &load : facts.loads)
    text += "  load " + load + "\n";
  const double fastest = structure->system().highest_frequency(state.t, state.q, true);
  text += fastest > 0. ? fmt::format("  critical explicit time step (lumped mass, central differences): {:.6g}{}\n", 2. / fastest, Units::after(units.time))
                       : "  nothing vibrates: no critical time step\n";
  if (facts.memory > 0.)
    text += fmt::format("  memory of a run: about {:.2g} GiB\n", facts.memory / 1073741824.);
  text += "  would write: history.csv, " + std::string(write_every_text == "never" ? "" : "solution.pvd, ") + "summary.json, run.log\n";
  return text;
}

void Simulation::show_progress(const Stage &stage, const double done, const bool last)
{
  if (!last && !Log::instance().progress_is_due())
    return;
  const double elapsed = Phase::now() - wall_start;
  Log::instance().progress(fmt::format("{:3.0f} %  t = {:.5g}{}  step {}  newton {}  energy error {:.2e}{}  ETA {}  [{}]", 100. * done, state.t,
                                       Units::after(units.time), steps, last_newton, last_energy_error, Units::after(units.energy),
                                       duration(elapsed * (1. - done) / done), stage.name),
                           last);
}

nlohmann::json Simulation::summary(const std::string &status) const
{
  const ModelFacts facts = structure->facts();
  constexpr double MiB = 1048576.;
  nlohmann::json wall;
  double total = 0;
  for (const auto &[name, seconds] : Phase::seconds())
  {
    wall[name] = seconds;
    total += seconds;
  }
  wall["total"] = Phase::now() - wall_start;
  wall["other"] = std::max(0., Phase::now() - wall_start - total);
  nlohmann::json result = {{"symdyn", SYMDYN_VERSION},
                           {"deck", deck.name()},
                           {"title", title},
                           {"units", {{"length", units.length}, {"mass", units.mass}, {"time", units.time}, {"force", units.force}, {"energy", units.energy}, {"stress", units.stress}}},
                           {"status", status},
                           {"exit status", status == "done" ? exit_done : status == "failed" || status == "incomplete" ? exit_computation : exit_signal},
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
