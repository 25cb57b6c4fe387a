#include "solver/stages/harmonic.h"

#include <deal.II/base/numbers.h>
#include <fmt/format.h>

#include <algorithm>
#include <complex>
#include <nlohmann/json.hpp>

#include "solver/archive.h"
#include "solver/base/log.h"
#include "solver/registry.h"
#include "solver/stages/analysis.h"
#include "solver/stages/harmonic_sweep.h"
#include "solver/stages/state_at_rest.h"
#include "solver/vibration/mode_tables.h"
#include "solver/vibration/modes_table.h"
#include "solver/vibration/stress_statistics.h"
#include "solver/vibration/unsolved_frequencies.h"

namespace symdyn
{
namespace
{
std::string of_complex(const std::complex<double> &value)
{
  return fmt::format(",{},{}", std::abs(value), std::arg(value) * 180. / dealii::numbers::PI);
}
}  // namespace

void HarmonicStage::declare(Parameters &p)
{
  loads_of_sectors.declare(p);  // before what may fail: entries that are not declared by then would be called unknown
  p.add(
      "Stresses", stresses,
      "yes: frames have the amplitude of each stress component and the largest von Mises stress of a period, at the points of their cells");
  request.declare(p);
  refuse_unbalances(p, loads, "Loads");
  if (stresses && request.periodic())
    p.fail("Stresses", "are of harmonic answers, and Waveform is one of any form. Remove one of the two");
}

StageTraits HarmonicStage::traits() const
{
  StageTraits traits;
  traits.perturbation = traits.linear = traits.of_sectors = true;
  traits.solves_complex = !request.modal();
  traits.modes = request.needs_modes() ? request.modes.number : 0;
  return traits;
}

void HarmonicStage::check(Analysis &analysis)
{
  check_linear(analysis, *this);
  check_sweep(analysis, *this, request);
  oscillating_loads(analysis);
  check_sector(analysis);
}

void HarmonicStage::prepare(Analysis &analysis)
{
  const State &state = analysis.state;
  about = std::make_unique<AtRest>(analysis.system(), state.t, state.q);
  check_tangent(analysis, **about);
  check_rest(analysis, *this);
  watch_sweep(analysis, *this, request);
  prepare_quantities(analysis, **about);
  find_patterns(analysis);
  const bool periodic = request.periodic();
  relaxing = relaxing_stiffness(analysis, *this, request.fast());
  waveform = periodic ? waveform_of(analysis) : Waveform();
  const Vector none = analysis.system().new_vector(), moved = periodic ? Vector() : support_amplitude(analysis);
  const ComplexVector F = periodic ? ComplexVector{none, none} : force(analysis);
  for (Pattern &pattern : patterns)
    pattern.response =
        std::make_unique<HarmonicResponse>(pattern.motion ? *pattern.motion : **about, state.t, state.q,
                                           std::vector{pattern.motion ? of_whole(pattern, F) : F}, moved, request, relaxing.get());
  for (const Pattern &pattern : patterns)
    warn_of_growth(analysis, *this, pattern.motion ? *pattern.motion : **about);
  make_grid();
  if (patterns.size() == 1)
    report_sweep(analysis, *this, request, *patterns.front().response);
  else
    for (const Pattern &pattern : patterns)
      if (const Modes &modes = pattern.response->all_modes(); modes.size() > 0)
        log_line(fmt::format("stage {}: {} nodal diameters: {} modes, {:.6g} to {:.6g} {}", name, pattern.order.diameters, modes.size(),
                             modes.frequency(0), modes.frequency(modes.size() - 1), hertz(analysis.units)));
  written = analysis.place.done;
}

void HarmonicStage::prepare_quantities(const Analysis &analysis, const MechanicalSystem &system)
{
  quantities = std::make_unique<LinearQuantities>(analysis, system);
  const std::vector<Column> others = quantities->others();
  more.clear();
  for (std::size_t i = 0; i < others.size(); ++i)
    if (others[i].name.find(".F_int_") == std::string::npos)  // forces of supports have columns of their own
      more.push_back(i);
  if (stresses && !quantities->has_stresses())
    throw InputError(at("Stresses") + ": the structure has none at points of frames: it has no cells, beams or shells. Remove the entry");
  if (stresses && quantities->has_axial_stresses())
    log_warning(fmt::format("stage {}: stresses of beams are those of N, M1 and M2, without torsion and shear", name));
}

void HarmonicStage::begin(Analysis &analysis)
{
  prepare(analysis);
  sweep = {request.periodic() ? period_header(analysis) : header(analysis), {}, {}};
}

void HarmonicStage::save(const Analysis &, Archive &archive) const
{
  Archive own = archive.section("sweep");
  own.put("rows", sweep.rows);
  Results::put(own.section("real"), sweep.real);
  Results::put(own.section("imaginary"), sweep.imaginary);
}

void HarmonicStage::load(const Analysis &, const Archive &archive)
{
  const Archive own = archive.section("sweep");
  sweep = {own.get<std::string>("rows"), Results::collection_in(own.section("real")), Results::collection_in(own.section("imaginary"))};
}

Progress HarmonicStage::advance(Analysis &analysis)
{
  const long k = analysis.place.done, count = long(grid.size());
  try
  {
    request.periodic() ? answer_period(analysis, grid[k], k + 1) : answer(analysis, grid[k], k + 1);
  }
  catch (const UnsolvedFrequency &error)
  {
    log_warning(fmt::format("stage {}: {}. This frequency is left out; the sweep continues", name, error.what()));
    (*analysis.found)[name][unsolved_frequencies].push_back(grid[k]);
  }
  catch (const ComputationError &)
  {
    write_sweep(analysis);
    throw;
  }
  analysis.place.done = k + 1;
  constexpr long part = 50;  // so that a long sweep is not written over and over again
  if (k + 1 - written > (k + 1) / part)
  {
    write_sweep(analysis);
    written = k + 1;
  }
  analysis.show_progress(*this, k + 1, count, k + 1 == count, grid[k]);
  return k + 1 == count ? Progress::ended : Progress::more;
}

void HarmonicStage::end(Analysis &analysis)
{
  write_sweep(analysis);
  const std::size_t missed =
      analysis.found->value(name, nlohmann::json::object()).value(unsolved_frequencies, nlohmann::json::array()).size();
  log_line(fmt::format("stage {}: {} frequencies in {}/{}.csv{}", name, grid.size() - missed, analysis.recorder.folder(), stem(),
                       missed > 0 ? fmt::format("; {} were not solved", missed) : ""));
}

void HarmonicStage::stop(Analysis &analysis)
{
  write_sweep(analysis);
  log_line(fmt::format("stage {}: stopped after {} of {} frequencies; they are in {}/{}.csv", name, analysis.place.done, grid.size(),
                       analysis.recorder.folder(), stem()));
}

std::string HarmonicStage::header(const Analysis &analysis) const
{
  const Structure &structure = *analysis.structure;
  const Units &units = analysis.units;
  std::string text = "frequency [" + hertz(units) + "]";
  if (request.fast())
    text += ",residual";
  for (const Column &column : structure.report_columns(units))
    if (column.kind == Kind::motion)
      text += fmt::format(",amplitude {},phase {} [deg]", column.title(), column.name);
  const std::vector<Column> others = quantities->others();
  for (const std::size_t i : more)
    text += fmt::format(",amplitude {},phase {} [deg]", others[i].title(), others[i].name);
  for (const std::string &column : structure.supports().columns())
    text += fmt::format(",amplitude {} [{}],phase {} [deg]", column, StructureSupports::unit(column, units), column);
  return text + "\n";
}

std::string HarmonicStage::row(const Analysis &analysis, const double frequency, const HarmonicResponse::Amplitude &amplitude) const
{
  const Structure &structure = *analysis.structure;
  const double omega = 2. * dealii::numbers::PI * frequency;
  // A part of u e^{i omega t}; v = i omega u has the other part.
  const auto seen = [&](const Vector &u, const Vector &other, const double rate) {
    State shown = analysis.state;
    shown.q = u;
    shown.v = other;
    shown.v *= rate;
    shown.a = u;
    shown.a *= -omega * omega;
    for (Vector *x : {&shown.q, &shown.v, &shown.a})
      x->update_ghost_values();
    return structure.report(shown, false);
  };
  const Vector nothing = analysis.system().new_vector();
  const auto &[real, imaginary] = amplitude.u;
  const std::vector<double> at_rest = seen(nothing, nothing, 0.), in_phase = seen(real, imaginary, -omega),
                            across = seen(imaginary, real, omega);
  const std::vector<Column> columns = structure.report_columns(analysis.units);
  std::string text = fmt::format("{}", frequency);
  if (request.fast())
    text += fmt::format(",{:.3g}", amplitude.residual);
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (columns[i].kind == Kind::motion)
      text += of_complex({in_phase[i] - at_rest[i], across[i] - at_rest[i]});
  if (!more.empty())
  {
    const std::vector<double> of_real = quantities->forces(real), of_imaginary = quantities->forces(imaginary);
    for (const std::size_t i : more)
      text += of_complex({of_real[i], of_imaginary[i]});
  }
  const std::vector<double> R_real = structure.supports().sums(amplitude.reactions.real),
                            R_imaginary = structure.supports().sums(amplitude.reactions.imaginary);
  for (std::size_t i = 0; i < R_real.size(); ++i)
    text += of_complex({R_real[i], R_imaginary[i]});
  return text + "\n";
}

void HarmonicStage::answer(Analysis &analysis, const double frequency, const long number)
{
  Recorder &recorder = analysis.recorder;
  Structure &structure = *analysis.structure;
  const OutputTime moment{name};
  std::vector<HarmonicResponse::Amplitude> sectors = answers(frequency, recorder.writes_fields());
  const HarmonicResponse::Amplitude &amplitude = sectors.front();
  analysis.counts.krylov += amplitude.krylov;
  if (structure.print_plan().modes && request.modal())
    for (const Pattern &one : patterns)
      recorder.print(calculix_shares(frequency, one.response->all_modes(), one.response->shares(2. * dealii::numbers::PI * frequency)));
  for (const Vector *part : {&amplitude.u.real, &amplitude.u.imaginary})
    recorder.print(structure.print(analysis.state, {*part, frequency}, moment));
  sweep.rows += row(analysis, frequency, amplitude);
  if (!recorder.writes_fields())
    return;
  const std::string file = fmt::format("-{:05d}", number);
  if (sector)
  {
    std::vector<Vector> wheel[2];
    for (HarmonicResponse::Amplitude &one : sectors)
    {
      wheel[0].push_back(std::move(one.u.real));
      wheel[1].push_back(std::move(one.u.imaginary));
    }
    sweep.real.emplace_back(frequency, recorder.sectors(wheel[0], stem() + "-real" + file));
    sweep.imaginary.emplace_back(frequency, recorder.sectors(wheel[1], stem() + "-imaginary" + file));
    return;
  }
  const std::vector<PointValues> fields = stresses ? stress_amplitudes(amplitude.u) : std::vector<PointValues>();
  sweep.real.emplace_back(frequency, recorder.shape(amplitude.u.real, stem() + "-real" + file, fields));
  sweep.imaginary.emplace_back(frequency, recorder.shape(amplitude.u.imaginary, stem() + "-imaginary" + file));
}

/// Over a period the stress goes around the ellipse sigma_r cos - sigma_i sin, which is that of the covariance of both parts.
std::vector<PointValues> HarmonicStage::stress_amplitudes(const ComplexVector &u) const
{
  const StressStatistics both(quantities->stresses({u.real, u.imaginary}), {1., 0., 0., 1.});
  PointValues amplitude{"stress_amplitude", StressPoints::components, {}};
  for (const auto &size : both.size)
    amplitude.values.insert(amplitude.values.end(), size.begin(), size.end());
  return {amplitude, {"mises_max", 1, both.largest}};
}

void HarmonicStage::write_sweep(Analysis &analysis) const
{
  Recorder &recorder = analysis.recorder;
  recorder.file(stem() + ".csv", sweep.rows);
  if (request.periodic())
    return recorder.collection(stem() + "-period.pvd", sweep.real);
  recorder.collection(stem() + "-real.pvd", sweep.real);
  recorder.collection(stem() + "-imaginary.pvd", sweep.imaginary);
}
SYMDYN_REGISTER(Stage, HarmonicStage, "harmonic");
}  // namespace symdyn
