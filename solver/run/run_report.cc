#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "solver/base/counted.h"
#include "solver/base/memory_usage.h"
#include "solver/base/names.h"
#include "solver/base/timer.h"
#include "solver/diagnosis.h"
#include "solver/error.h"
#include "solver/run/motion_estimates.h"
#include "solver/run/run.h"
#include "solver/stages/relaxation_report.h"
#include "solver/unknowns.h"

// What a run says about itself.
namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

std::string Run::header() const
{
  const ModelFacts facts = analysis.structure->facts();
  std::string text = fmt::format("symdyn {}  {}{}\n", SYMDYN_VERSION, deck.name(), title.empty() ? "" : "  " + title);
  const unsigned int ranks = MPI::n_mpi_processes(MPI_COMM_WORLD);
  text += fmt::format("  {}-D, ", facts.dimension);
  text += facts.degree > 0 ? fmt::format("{} ({}, degree {}), {}", counted(facts.cells, "cell"), facts.cell_type, facts.degree,
                                         counted(facts.nodes, "node"))
                           : fmt::format("{}, {}", counted(facts.nodes, "point"), counted(facts.cells, facts.cell_type));
  text += fmt::format(", {}, {}\n", facts.dofs == 1 ? "1 degree of freedom" : fmt::format("{} degrees of freedom", facts.dofs),
                      counted(ranks, "rank"));
  text += fmt::format("  mass {:.6g}{}", facts.mass, Units::after(analysis.units.mass));
  for (const auto &[name, law] : facts.materials)
    text += fmt::format(", {}: {}", name, law);
  for (const auto &one : analysis.stages)
    text += fmt::format("\n  stage {}: {}", one->name, one->headline(analysis.units));
  for (const std::string &entry : unused_entries())
    text += "\n  not used: " + entry;
  return text;
}

std::vector<std::string> Run::unused_entries() const
{
  const auto any = [this](const auto &what) {
    return std::any_of(analysis.stages.begin(), analysis.stages.end(), [&](const auto &one) { return what(one->traits()); });
  };
  std::vector<std::string> unused;
  for (const std::string &section : deck.inactive_sections())
    unused.push_back("section " + section);
  if (newton_given && !any([](const StageTraits &traits) { return traits.solves_newton; }))
    unused.push_back("section Newton (no scheme here solves nonlinear equations)");
  if (linear_solver_given && !solves_linear_systems())
    unused.push_back("section Linear solver (explicit steps without damping solve no linear systems)");
  const bool beside = any([](const StageTraits &traits) { return traits.is_static(); }) && analysis.moves();
  if (analysis.recorder.static_peaks && !beside)
    unused.push_back("Output/Peaks include static stages (no static stage accompanies a dynamic one)");
  return unused;
}

bool Run::solves_linear_systems() const { return analysis.structure->needs_tangent || analysis.system().has(Feature::damping); }

/// xi_aᵀ M xi_b of rotations about the centre of mass.
std::string Run::inertia_in_words(const ModelFacts &facts) const
{
  const MechanicalSystem &system = analysis.system();
  const std::vector<std::string> names = system.unknowns().momenta();
  std::vector<Vector> turns;
  std::vector<int> axes;
  Vector field = system.new_vector();
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i].substr(0, 2) == "J_")
    {
      system.unknowns().generator(i, analysis.state.q, field);
      turns.push_back(field);
      turns.back().update_ghost_values();
      axes.push_back(names[i].back() - 'x');
    }
  const std::array<double, 3> &c = facts.centre;
  const double square = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
  std::vector<std::pair<std::string, double>> found;
  double size = facts.mass * square;
  for (std::size_t a = 0; a < turns.size(); ++a)
    for (std::size_t b = a; b < turns.size(); ++b)
    {
      Vector momentum = system.new_vector();
      system.mass(turns[b], momentum);
      const double J = turns[a] * momentum - facts.mass * ((a == b ? square : 0.) - c[axes[a]] * c[axes[b]]);
      found.emplace_back(fmt::format("J_{}{}", "xyz"[axes[a]], "xyz"[axes[b]]), J);
      size = std::max(size, std::abs(J));
    }
  if (found.empty())
    return "";
  std::vector<std::string> words;
  for (const auto &[name, J] : found)
    words.push_back(fmt::format("{} = {:.6g}", name, without_rounding(J, size)));
  const Units &u = analysis.units;
  return fmt::format("  about it {}{}\n", join(words), u.mass == "1" || u.length == "1" ? "" : fmt::format(" {} {}^2", u.mass, u.length));
}

std::string Run::description()
{
  const ModelFacts facts = analysis.structure->facts();
  std::string text = header() + "\n";
  const auto place = [&](const std::array<double, 3> &x) {
    double size = 0;
    for (int d = 0; d < 3; ++d)
      size = std::max({size, std::abs(facts.lower[d]), std::abs(facts.upper[d])});
    return fmt::format("({:.6g}, {:.6g}, {:.6g})", without_rounding(x[0], size), without_rounding(x[1], size),
                       without_rounding(x[2], size));
  };
  text += fmt::format("  centre of mass {}{}\n", place(facts.centre), Units::after(analysis.units.length));
  text += inertia_in_words(facts);
  text += fmt::format("  extent {} to {}{}\n", place(facts.lower), place(facts.upper), Units::after(analysis.units.length));
  for (const auto &[name, area] : facts.boundaries)
    text += fmt::format("  boundary {}: {:.6g}{}{}\n", name, area, Units::after(analysis.units.length),
                        facts.dimension == 3 && analysis.units.length != "1" ? "^2" : "");
  text += analysis.structure->mesh_description(analysis.units);
  text += relaxation_in_words(analysis);
  text += fmt::format("  {} held\n", counted(facts.held_nodes, "node"));
  for (const std::string &support : facts.supports)
    text += "  support " + support + "\n";
  for (const std::string &load : facts.loads)
    text += "  load " + load + "\n";
  const double fastest = analysis.system().diagnosis().highest_frequency(analysis.state.t, analysis.state.q, true);
  text += fastest > 0. ? fmt::format("  critical explicit time step (lumped mass, central differences): {:.6g}{}\n", 2. / fastest,
                                     Units::after(analysis.units.time))
                       : "  nothing vibrates: no critical time step\n";
  if (analysis.system().has(Feature::gravity) ||
      std::any_of(analysis.stages.begin(), analysis.stages.end(), [](const auto &stage) { return !stage->traits().is_static(); }))
    text += waves_in_words(facts, analysis.units) + first_period_in_words(analysis);
  if (const double scaled = analysis.system().diagnosis().highest_frequency_scaled(analysis.state.q); scaled > 0. && fastest > 0.)
    text += fmt::format("  the same with Rotary inertia = scaled: {:.6g}{}\n", 2. / scaled, Units::after(analysis.units.time));
  for (const auto &[name, path] : deck.files())
    if (std::filesystem::path(name).extension() == ".so")
      text += "  library " + std::filesystem::absolute(path).lexically_normal().string() + "\n";
  if (facts.memory > 0.)
    text += fmt::format("  memory of a run: about {:.2g} GiB\n", facts.memory / 1073741824.);
  text +=
      "  would write: history.csv, " + std::string(analysis.recorder.writes_fields() ? "solution.pvd, " : "") + "summary.json, run.log\n";
  return text;
}

namespace
{
/// Of each phase since it had `before`, and in all since `start`.
nlohmann::json wall_seconds(const double start, const std::map<std::string, double> &before)
{
  nlohmann::json wall;
  double total = 0;
  for (const auto &[name, now] : ScopedTimer::seconds())
  {
    const auto earlier = before.find(name);
    const double seconds = now - (earlier == before.end() ? 0. : earlier->second);
    wall[name] = seconds;
    total += seconds;
  }
  wall["total"] = ScopedTimer::now() - start;
  wall["other"] = std::max(0., ScopedTimer::now() - start - total);
  return wall;
}

nlohmann::json summary_of(const Units &units)
{
  return {{"length", units.length}, {"mass", units.mass},     {"time", units.time},
          {"force", units.force},   {"energy", units.energy}, {"stress", units.stress}};
}

int exit_status_of(const std::string &status)
{
  return status == "done" ? exit_done : status == "failed" || status == "incomplete" ? exit_computation : exit_signal;
}

/// With what it has found, by name of the stage.
nlohmann::json summary_of(const Stage &stage, const nlohmann::json &found)
{
  const TimeStepping *stepping = stage.stepping();
  nlohmann::json summary = {
      {"name", stage.name}, {"type", stage.type}, {"scheme", stepping ? stepping->scheme : ""}, {"step", stepping ? stepping->step : 0.}};
  if (found.contains(stage.name))
    summary.update(found.at(stage.name));
  return summary;
}

void add_model(const ModelFacts &facts, nlohmann::json &summary)
{
  summary["materials"] = summary["boundaries"] = nlohmann::json::object();
  for (const auto &[name, law] : facts.materials)
    summary["materials"][name] = law;
  for (const auto &[name, area] : facts.boundaries)
    summary["boundaries"][name] = area;
  summary["supports"] = facts.supports;
  summary["loads"] = facts.loads;
}
}  // namespace

nlohmann::json Run::summary(const std::string &status) const
{
  const Counts &counts = analysis.counts;
  const ModelFacts facts = analysis.structure->facts();
  constexpr double MiB = 1048576.;
  nlohmann::json result = {{"symdyn", SYMDYN_VERSION},
                           {"deck", deck.name()},
                           {"title", title},
                           {"units", summary_of(analysis.units)},
                           {"status", status},
                           {"exit status", exit_status_of(status)},
                           {"dimension", facts.dimension},
                           {"dofs", facts.dofs},
                           {"nodes", facts.nodes},
                           {"cells", facts.cells},
                           {"degree", facts.degree},
                           {"mass", facts.mass},
                           {"ranks", MPI::n_mpi_processes(MPI_COMM_WORLD)},
                           {"steps", counts.steps},
                           {"time", analysis.state.t},
                           {"newton iterations", counts.newton},
                           {"krylov iterations", counts.krylov},
                           {"linear solver", solves_linear_systems() ? facts.linear_solver : "none"},
                           {"largest energy balance error", counts.largest_energy_error},
                           {"monitors", analysis.monitors.summary()},
                           {"wall seconds", wall_seconds(analysis.wall_start, phases_before)},
                           {"peak memory MiB", MPI::sum(peak_memory() / MiB, MPI_COMM_WORLD)},
                           {"peak memory of a rank MiB", MPI::max(peak_memory() / MiB, MPI_COMM_WORLD)}};
  if (const auto &alarm = analysis.energy_alarm.raised())
    result["energy alarm"] = {{"step", alarm->step},
                              {"time", alarm->time},
                              {"balance error", alarm->balance_error},
                              {"largest energy before", alarm->largest_before}};
  if (facts.memory > 0.)
    result["memory estimate MiB"] = facts.memory / MiB;
  if (const std::string file = analysis.structure->print_plan().file; !file.empty())
    result["tables"] = file;
  for (const auto &one : analysis.stages)
    result["stages"].push_back(summary_of(*one, *analysis.found));
  add_model(facts, result);
  return result;
}
}  // namespace symdyn
