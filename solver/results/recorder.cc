#include "solver/results/recorder.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "solver/archive.h"
#include "solver/base/log.h"
#include "solver/base/names.h"
#include "solver/base/number.h"
#include "solver/base/timer.h"
#include "solver/base/unit_value.h"
#include "solver/draws_sectors.h"
#include "solver/history.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
namespace
{
constexpr double longest_interval = 1e9;            ///< from one output to the next
constexpr std::size_t columns_before_energies = 3;  ///< time, step, stage
constexpr std::uint64_t explicit_rows = 10;         ///< rows of explicit steps: a row needs the energy, and costs as much as some steps
}  // namespace

double positive_number(const std::string &text, const Parameters &p, const std::string &name, const std::string &also)
{
  const auto value = number_from<double>(text);
  if (!value || !(*value > 0.))
    p.fail(name, "must be a number > 0" + also);
  return *value;
}

void read_interval(const Parameters &p, const std::string &entry, const std::string &given, const std::string &also, long &steps,
                   double &seconds)
{
  const std::size_t end = given.find_last_of("0123456789.") + 1;  // 0: no number
  const std::string text = trim(given.substr(0, end)), name = end > 0 ? trim(given.substr(end)) : "";
  const std::optional<Unit> unit = unit_from(name), second = unit_from("s");
  const bool timed = unit && unit->powers == second->powers;
  const double value = positive_number(timed ? text : given, p, entry, " (steps)" + also);
  if (timed)
    seconds = value * unit->factor;
  else if (value != std::floor(value))
    p.fail(entry, fmt::format("a number of steps is whole. For a time write `{} s`", text));
  else if (value > longest_interval)
    p.fail(entry, fmt::format("must be at most {:g} steps. For a time write `{} s`", longest_interval, text));
  else
    steps = long(value);
}

void Recorder::declare(Parameters p)
{
  p.add("Write every", write_every, "output interval: number of steps (`10`) or time (`50 ms`); `never`; default: 100 frames a stage");
  p.add("History every", history_every,
        "interval of the rows of history.csv [steps]; 0: every step, with explicit schemes on a mesh every tenth", between(0, 1000000000));
  p.renamed("Static peaks", "Peaks include static stages");
  p.add("Peaks include static stages", static_peaks,
        "peaks.csv and maxima.pvd count static stages beside dynamic ones; they always do if all stages are static");
  declare_columns(p);
  spectra.declare(p);
  if (!write_every.empty() && write_every != "never")
    read_interval(p, "Write every", write_every, ", a time such as `50 ms`, or `never`", write_every_steps, write_every_seconds);
  if (write_every_seconds > 0. && write_every.find_first_not_of("0123456789.eE+- s") != std::string::npos &&
      Units::of(p.root()).time != "s")
    p.fail("Write every", "times are in the unit of the deck here. Write it as `s`");
}

void Recorder::declare_columns(Parameters &p)
{
  std::vector<std::string> names;
  std::string help = "more columns of history.csv";
  const Registry<HistoryColumns> &registry = Registry<HistoryColumns>::instance();
  for (const std::string &name : registry.names())
    help += fmt::format("; {}: {}", name, registry.make(name)->meaning());
  p.add("Columns", names, help);
  for (const std::string &name : names)
  {
    if (!registry.has(name))
      p.fail("Columns", fmt::format("'{}' is not known; there are: {}", name, join(nearest_first(name, registry.names()))));
    if (std::count(names.begin(), names.end(), name) > 1)
      p.fail("Columns", fmt::format("'{}' stands twice. Remove one", name));
    more.emplace_back(name, registry.make(name));
  }
}

std::string Recorder::more_columns() const
{
  std::vector<std::string> names;
  for (const auto &[name, family] : more)
    names.push_back(name);
  return join(names);
}

void Recorder::attach(Structure &of, Monitors &with, const Units &in, const bool slow)
{
  structure = &of;
  monitors = &with;
  units = in;
  slow_rows = slow;
  const auto is_inelastic = [](const auto &family) { return family.first == "inelastic"; };
  if (structure->system().has(Feature::history) && std::none_of(more.begin(), more.end(), is_inelastic))
    more.emplace_back("inelastic", Registry<HistoryColumns>::instance().make("inelastic"));
}

void Recorder::open(const std::string &folder) { results = std::make_unique<Results>(folder); }

void Recorder::begin(const std::vector<std::string> &log)
{
  if (!results)
    return;
  spectra.check(columns());
  results->clear(structure->print_plan().file);
  Log::instance().open(results->folder() + "/run.log", false);
  for (const std::string &line : log)
    log_line(line);
  results->history_header(columns());
  rotations = ContinuedRotations(columns());
}

void Recorder::resume(const Archive &archive, const std::string &log)
{
  if (!results)
    return;
  spectra.check(columns());
  results->resume(archive.section("files"));
  rotations = ContinuedRotations(columns());
  rotations.load(archive.section("rotations"));
  archive.get("next frame", next_frame);
  archive.get("smallest det F", smallest_determinant);
  Log::instance().open(results->folder() + "/run.log", true);
  log_line(log);
}

void Recorder::save(Archive archive)
{
  if (results)
    results->save(archive.section("files"));
  rotations.save(archive.section("rotations"));
  archive.put("next frame", next_frame);
  archive.put("smallest det F", smallest_determinant);
}

std::vector<Column> Recorder::columns() const
{
  std::vector<Column> columns{{"time", units.time}, {"step", units.time}, {"stage", "", Kind::other}};
  const MechanicalSystem &system = structure->system();
  for (const char *energy : {"E_kinetic", "E_potential", "W_external", "W_thermal", "E_dissipated", "E_total", "E_balance_error"})
    if (energy != std::string("W_thermal") || system.has(Feature::heated))
      columns.push_back({energy, units.energy, Kind::energy});
  std::vector<std::vector<Column>> parts{structure->momentum_columns(units),
                                         monitors->columns(*structure, system, units),
                                         {{"newton", "", Kind::count}, {"krylov", "", Kind::count}},
                                         structure->report_columns(units)};
  for (const auto &[name, family] : more)
    parts.push_back(family->columns(system, units));
  for (const auto &part : parts)
    columns.insert(columns.end(), part.begin(), part.end());
  return columns;
}

std::uint64_t Recorder::rows_every(const Integrator *integrator) const
{
  if (history_every > 0)
    return history_every;
  return slow_rows && integrator && integrator->is_explicit() ? explicit_rows : 1;
}

bool Recorder::row_is_due(const State &state, const Integrator *integrator) const { return state.n % rows_every(integrator) == 0; }

bool Recorder::frame_is_due(const State &state, const double frame_time, const long planned) const
{
  if (!writes_fields())
    return false;
  if (write_every_seconds > 0.)
    return frame_time >= next_frame - 1e-9 * write_every_seconds;
  return state.n % (write_every_steps > 0 ? write_every_steps : std::max(1L, planned / 100)) == 0;
}

void Recorder::record(const Sample &sample)
{
  if (!results)
    return;
  const State &state = sample.state;
  const bool last = sample.time.last, row = last || row_is_due(state, sample.integrator);
  structure->observe(state, sample.peaks, row);
  print(structure->print(state, sample.time));
  const bool frame = writes_fields() && (last || frame_is_due(state, sample.frame_time, sample.planned));
  if (!row && !frame)
    return;
  State shown = state;
  const bool constrained = is_constrained(structure->system()) && sample.integrator && !sample.integrator->along_constraints();
  if (sample.integrator && (constrained || !sample.integrator->carries_acceleration()))
    sample.integrator->Integrator::start(*About(structure->system(), state), shown, sample.h);  // a of the equation of motion
  if (row)
    write_row(sample, shown);
  if (frame)
    write_frame(shown, sample.frame_time);
}

void Recorder::write_row(const Sample &sample, const State &shown)
{
  const ScopedTimer timer("monitors");
  const EnergyBalance &energy = sample.energy_balance;
  const double kinetic = energy.kinetic(), potential = energy.potential();
  std::vector<double> values{kinetic, potential, energy.external_work()};
  if (structure->system().has(Feature::heated))
    values.push_back(energy.heating());
  values.insert(values.end(), {energy.dissipated(), kinetic + potential, energy.balance_error()});
  const std::vector<double> counts{double(sample.report.newton), double(sample.report.krylov)},
      momenta = structure->momenta(shown, energy.momentum());
  const About system(structure->system(), shown);
  for (const auto &part : {momenta, monitors->values(*system, sample.integrator, sample.state, momenta, sample.h), counts,
                           structure->report(shown, !sample.integrator)})
    values.insert(values.end(), part.begin(), part.end());
  for (const auto &[name, family] : more)
  {
    const std::size_t expected = values.size() + family->columns(*system, units).size();
    family->values(*system, shown, values);
    if (values.size() != expected)
      throw std::logic_error(fmt::format("the columns '{}' have {} values too {}", name,
                                         expected > values.size() ? expected - values.size() : values.size() - expected,
                                         expected > values.size() ? "few" : "many"));
  }
  rotations.continue_in(values, columns_before_energies);
  results->history_row(sample.time.stage, {sample.state.t, sample.length}, values, sample.peaks);
}

void Recorder::write_frame(const State &shown, const double frame_time)
{
  results->frame(*structure, shown, frame_time);
  Vector f = structure->system().new_vector();
  const ForceReport force = About(structure->system(), shown)->internal_force(shown.q, f);
  smallest_determinant = std::min(smallest_determinant, dealii::Utilities::MPI::min(force.smallest, force.communicator));
  while (write_every_seconds > 0. && next_frame <= frame_time + 1e-9 * write_every_seconds)
    next_frame += write_every_seconds;
}

void Recorder::last_frame(const State &state, const double frame_time)
{
  if (results)
    results->frame(*structure, state, frame_time);
}

void Recorder::print(const std::string &tables)
{
  if (results && !tables.empty())
    results->append(structure->print_plan().file, tables);
}

void Recorder::file(const std::string &name, const std::string &content)
{
  if (results)
    results->file(name, content);
}

std::vector<std::string> Recorder::shape(const Vector &shape, const std::string &stem, const std::vector<PointValues> &fields)
{
  return results ? structure->write_shape(shape, results->folder(), stem, fields) : std::vector<std::string>();
}

std::vector<std::string> Recorder::sectors(const std::vector<Vector> &shapes, const std::string &stem)
{
  return results ? dynamic_cast<const DrawsSectors &>(*structure).write_sectors(shapes, results->folder(), stem)
                 : std::vector<std::string>();
}

void Recorder::collection(const std::string &name, const Results::Collection &frames)
{
  if (results && !frames.empty())
    results->collection_of(name, frames);
}

void Recorder::conclude(const State &state)
{
  if (!results)
    return;
  results->maxima(*structure, state.t);
  results->peaks();
  spectra.write(results->folder(), units);
}

void Recorder::summary(const nlohmann::json &content)
{
  if (results)
    results->summary(content);
}

void Recorder::check_files() const
{
  if (results)
    results->check_files();
}
}  // namespace symdyn
