#include "solver/stages/measured/frequency_response.h"

#include <deal.II/base/numbers.h>
#include <deal.II/lac/lapack_full_matrix.h>
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "solver/archive.h"
#include "solver/base/log.h"
#include "solver/base/names.h"
#include "solver/diagnosis.h"
#include "solver/error.h"
#include "solver/registry.h"
#include "solver/stages/analysis.h"
#include "solver/stages/harmonic_sweep.h"
#include "solver/stages/state_at_rest.h"
#include "solver/vibration/unsolved_frequencies.h"

namespace symdyn
{
void FrequencyResponseStage::declare(Parameters &p)
{
  p.add("Inputs", named_inputs,
        "where unit forces act: PLACE.AXIS of probes and points (hammer.z), or names of loads, of which each acts alone");
  p.add("Outputs", named_outputs, "what is measured: names of probes and points, or PLACE.AXIS; default: all that history.csv has");
  p.add(
      "Quantity", quantity,
      "receptance: displacements; mobility: velocities; accelerance: accelerations; dynamic stiffness: the inverse of the matrix of receptances, with the same Inputs and Outputs",
      {"receptance", "mobility", "accelerance", "dynamic stiffness"});
  p.add("Export", formats,
        "more files beside the table: uff58 (universal file, text), uff58b (the same with bytes), npz (NumPy), mat (MATLAB)");
  request.declare_sweep(p);
  test.declare(p.section("Test data"));
  if (named_inputs.empty())
    p.fail("Inputs", "a frequency response needs its inputs, e.g. shaker.y, or the name of a load");
  else
    refuse_unbalances(p, named_inputs, "Inputs");
  if (!loads.empty() && loads != std::vector<std::string>{"none"})
    p.fail("Loads", "a frequency response stage applies its Inputs, one at a time. Name loads there, and remove this entry");
  for (const std::string &format : formats)
    if (format != "csv" && format != "uff58" && format != "uff58b" && format != "npz" && format != "mat")
      p.fail("Export", fmt::format("'{}' is none of csv, uff58, uff58b, npz, mat", format));
  if (is_stiffness() && !named_outputs.empty() && named_outputs != named_inputs)
    p.fail("Outputs", "of a dynamic stiffness are its Inputs. Remove the entry");
  if (is_stiffness() && test.given())
    p.fail("Quantity", "Test data are motions under forces, and no dynamic stiffness. Set Quantity = receptance");
}

StageTraits FrequencyResponseStage::traits() const
{
  StageTraits traits;
  traits.perturbation = traits.linear = true;
  traits.solves_complex = !request.modal();
  traits.modes = request.needs_modes() ? request.modes.number : 0;
  return traits;
}

void FrequencyResponseStage::check(Analysis &analysis)
{
  check_linear(analysis, *this);
  check_sweep(analysis, *this, request);
  find_ports(analysis);
  test.check(analysis);
}

void FrequencyResponseStage::find_ports(const Analysis &analysis)
{
  const auto all = analysis.structure->places();
  places.clear();
  inputs.clear();
  outputs.clear();
  for (const std::string &name : named_inputs)
    inputs.push_back(port_of(analysis, *all, "Inputs", name, !is_stiffness()));
  const std::vector<std::string> names = all->names();
  for (const std::string &name : is_stiffness() ? named_inputs : named_outputs.empty() ? all->reported() : named_outputs)
    if (std::count(names.begin(), names.end(), name) > 0)
      for (int axis = 0; axis < all->dimension(); ++axis)
        outputs.push_back({fmt::format("{}.{}", name, "xyz"[axis]), number_of_place(*all, name), axis});
    else
      outputs.push_back(port_of(analysis, *all, "Outputs", name, false));
  check_ports();
}

std::size_t FrequencyResponseStage::number_of_place(const StructurePlaces &all, const std::string &name)
{
  const auto is = [&](const StructurePlace &place) { return place.name == name; };
  const auto found = std::find_if(places.begin(), places.end(), is);
  if (found == places.end())
    places.push_back(all.named(name));
  return found - places.begin();
}

FrequencyResponseStage::Port FrequencyResponseStage::port_of(const Analysis &analysis, const StructurePlaces &all, const std::string &entry,
                                                             const std::string &label, const bool load_allowed)
{
  const std::vector<std::string> of_loads = analysis.system().diagnosis().load_names(), names = all.names();
  if (load_allowed && std::count(of_loads.begin(), of_loads.end(), label) > 0)
  {
    resting_load(analysis, at(entry), label, "be an input", "It is no input of a frequency response");
    return {label, std::nullopt, 0};
  }
  const std::size_t dot = label.rfind('.');
  const std::string name = label.substr(0, dot), axes = std::string("xyz").substr(0, all.dimension());
  if (std::count(names.begin(), names.end(), name) == 0)
    throw InputError(fmt::format("{}: there is no {} '{}'; there are {}: {}{}", at(entry), load_allowed ? "place or load" : "place", name,
                                 "probes and points", names.empty() ? "none" : join(nearest_first(name, names)),
                                 load_allowed && !of_loads.empty() ? "; loads: " + join(nearest_first(name, of_loads)) : ""));
  const std::string axis = dot == std::string::npos ? "" : label.substr(dot + 1);
  if (axis.size() != 1 || axes.find(axis) == std::string::npos)
    throw InputError(fmt::format("{}: '{}' has no axis. Write {}.{}", at(entry), label, name, fmt::join(axes, fmt::format(", {}.", name))));
  return {label, number_of_place(all, name), int(axes.find(axis))};
}

void FrequencyResponseStage::check_ports() const
{
  for (const auto &[entry, all] : {std::pair{"Inputs", &inputs}, {"Outputs", &outputs}})
  {
    std::set<std::string> seen;
    for (const Port &port : *all)
      if (!seen.insert(port.label).second)
        throw InputError(fmt::format("{}: '{}' is named twice. Remove one", at(entry), port.label));
  }
  if (outputs.empty())
    throw InputError(at("Outputs") + ": nothing is measured: the deck reports no probe and no point. Name some");
}

ComplexVector FrequencyResponseStage::force(const Analysis &analysis, const Port &port) const
{
  const MechanicalSystem &system = analysis.system();
  ComplexVector F{system.new_vector(), system.new_vector()};
  if (!port.place)
    F.real = constant_load(analysis, at("Inputs"), port.label);
  else
    places[*port.place].add_force(port.axis, 1., F.real);
  Vector free = F.real;
  system.project(free);
  if (free.l2_norm() == 0.)
    throw InputError(fmt::format("{}: '{}' acts on what supports hold, and moves nothing. Name another one", at("Inputs"), port.label));
  return F;
}

void FrequencyResponseStage::prepare(Analysis &analysis)
{
  const State &state = analysis.state;
  about = std::make_unique<AtRest>(analysis.system(), state.t, state.q);
  check_tangent(analysis, **about);
  check_rest(analysis, *this);
  warn_of_growth(analysis, *this, **about);
  find_ports(analysis);
  watch_sweep(analysis, *this, request);
  relaxing = relaxing_stiffness(analysis, *this, request.fast());
  std::vector<ComplexVector> forces;
  for (const Port &input : inputs)
    forces.push_back(force(analysis, input));
  response = std::make_unique<HarmonicResponse>(**about, state.t, state.q, std::move(forces), Vector(), request, relaxing.get());
  response->measure([this](const Vector &u) {
    std::vector<double> values;
    u.update_ghost_values();
    for (const Port &output : outputs)
      values.push_back(places[*output.place].displacement(u, output.axis));
    u.zero_out_ghost_values();
    return values;
  });
  log_line(fmt::format("stage {}: {} of {} outputs and {} inputs at {} frequencies", name, quantity, outputs.size(), inputs.size(),
                       response->frequencies().size()));
  report_sweep(analysis, *this, request, *response);
}

FrequencyResponseStage::Matrix FrequencyResponseStage::quantity_of(const double omega, const Matrix &H) const
{
  using Complex = std::complex<double>;
  Matrix values = H;
  if (is_stiffness())
  {
    const std::size_t n = H.size();
    dealii::LAPACKFullMatrix<Complex> inverse(n, n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        inverse(i, j) = H[i][j];
    inverse.invert();
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        values[i][j] = inverse(i, j);
    return values;
  }
  const Complex factor = quantity == "mobility" ? Complex(0., omega) : quantity == "accelerance" ? Complex(-omega * omega) : Complex(1.);
  for (auto &row : values)
    for (Complex &value : row)
      value *= factor;
  return values;
}

Progress FrequencyResponseStage::advance(Analysis &analysis)
{
  const auto &grid = response->frequencies();
  const long k = analysis.place.done, count = long(grid.size());
  try
  {
    const HarmonicResponse::Measured measured = response->measured(grid[k]);
    analysis.counts.krylov += measured.krylov;
    Matrix H(outputs.size(), std::vector<std::complex<double>>(inputs.size()));
    for (std::size_t j = 0; j < inputs.size(); ++j)
      for (std::size_t i = 0; i < outputs.size(); ++i)
        H[i][j] = measured.values[j][i];
    answers.push_back({grid[k], quantity_of(2. * dealii::numbers::PI * grid[k], H), measured.residual});
  }
  catch (const UnsolvedFrequency &error)
  {
    log_warning(fmt::format("stage {}: {}. This frequency is left out; the sweep continues", name, error.what()));
    (*analysis.found)[name][unsolved_frequencies].push_back(grid[k]);
  }
  analysis.place.done = k + 1;
  analysis.show_progress(*this, k + 1, count, k + 1 == count, grid[k]);
  return k + 1 == count ? Progress::ended : Progress::more;
}

void FrequencyResponseStage::save(const Analysis &, Archive &archive) const
{
  std::vector<double> all{double(outputs.size()), double(inputs.size())};
  for (const Answer &answer : answers)
  {
    all.insert(all.end(), {answer.frequency, answer.residual});
    for (const auto &row : answer.H)
      for (const std::complex<double> &value : row)
        all.insert(all.end(), {value.real(), value.imag()});
  }
  archive.section("responses").put("values", all);
}

void FrequencyResponseStage::load(const Analysis &, const Archive &archive)
{
  const auto all = archive.section("responses").get<std::vector<double>>("values");
  const auto rows = std::size_t(all[0]), columns = std::size_t(all[1]);
  const Matrix zero(rows, std::vector<std::complex<double>>(columns));
  answers.clear();
  for (auto at = all.begin() + 2; at != all.end();)
  {
    Answer answer{*at, zero, *(at + 1)};
    at += 2;
    for (auto &row : answer.H)
      for (std::complex<double> &value : row)
      {
        value = {*at, *(at + 1)};
        at += 2;
      }
    answers.push_back(std::move(answer));
  }
}

void FrequencyResponseStage::end(Analysis &analysis)
{
  write(analysis);
  if (test.given())
    test.compare(analysis, *this, functions());
  if (const std::optional<double> difference = reciprocity())
  {
    log_line(fmt::format("stage {}: reciprocity: |H_ij - H_ji| is at most {:.2g} of sqrt(|H_ii H_jj|)", name, *difference));
    (*analysis.found)[name]["reciprocity"] = *difference;
  }
}

void FrequencyResponseStage::stop(Analysis &analysis)
{
  write(analysis);
  log_line(fmt::format("stage {}: stopped after {} of {} frequencies", name, analysis.place.done, response->frequencies().size()));
}
SYMDYN_REGISTER(Stage, FrequencyResponseStage, "frequency response");
}  // namespace symdyn
