#include "solver/dynamics/monitors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "solver/archive.h"
#include "solver/base/log.h"
#include "solver/base/timer.h"
#include "solver/parameters.h"
#include "solver/unknowns.h"

namespace symdyn
{
namespace
{
constexpr double none = std::numeric_limits<double>::quiet_NaN();
}

void Monitors::declare(Parameters p)
{
  p.add("Canonical momenta", canonical_momenta_wanted,
        "columns Pc_x.., Jc_x..: momenta in the canonical variables of the scheme (of its discrete Lagrangian), the conserved ones");
  p.add("Discrete energy", discrete_energy_wanted,
        "column E_d: energy of the discrete Lagrangian of each step [J], where the scheme has one");
  p.add("Symplectic form", symplectic_form,
        "columns omega, omega_drift, omega_floor: dx ∧ dp on two tangents carried along the run; costs some solves a step");
  p.add("Multiplier window", constraints.window,
        "columns lambda_mean.NAME: means of the multipliers - omega^2 g of penalties over so much time before [s]; 0: none",
        not_negative());
  section = std::make_shared<Parameters>(p);
}

void Monitors::check(const MechanicalSystem &system, const double duration) const
{
  if (symplectic_form && remembering(system))
    section->fail("Symplectic form", "materials with a memory dissipate: their motions keep no symplectic form. Remove the entry");
  if (discrete_energy_wanted && remembering(system))
    section->fail("Discrete energy", "materials with a memory have no discrete Lagrangian. Remove the entry");
  if (section && constraints.window > duration)
    section->fail("Multiplier window",
                  fmt::format("is longer than the motion, {:.6g}: no mean would be complete. Make it shorter", duration));
}

std::vector<Column> Monitors::columns(const Structure &structure, const MechanicalSystem &system, const Units &units) const
{
  std::vector<Column> columns;
  if (canonical_momenta_wanted)
    for (Column column : structure.momentum_columns(units))
    {
      column.name.insert(1, "c");
      columns.push_back(column);
    }
  if (discrete_energy_wanted)
    columns.push_back({"E_d", units.energy, Kind::energy});
  if (symplectic_form)
    columns.insert(columns.end(), {{"omega", "-"}, {"omega_drift", "-"}, {"omega_floor", "-"}});
  for (const Column &column : constraints.columns(system, units))
    columns.push_back(column);
  return columns;
}

void Monitors::start(const MechanicalSystem &system, const Integrator &integrator, const State &state, const double h)
{
  const ScopedTimer timer("monitors");
  dynamic = true;
  constraints.advance(system, state);
  discrete_energy = none;
  names = system.unknowns().momenta();
  if (symplectic_form)
    form.emplace(system, integrator, state, h);
  symmetric.assign(names.size(), false);
  if (canonical_momenta_wanted && !system.has(Feature::damping))
    symmetric = symmetries(system, state);
  first.clear();
  drift.assign(names.size(), 0.);
  largest.assign(names.size(), 0.);
}

void Monitors::save(Archive archive) const
{
  archive.put("discrete energy", discrete_energy);
  archive.put("symmetric", symmetric);
  archive.put("lack said", lack_said);
  archive.put("first", first);
  archive.put("drift", drift);
  archive.put("largest", largest);
  constraints.save(archive.section("constraints"));
  if (form)
    form->save(archive.section("form"));
}

void Monitors::resume(const MechanicalSystem &system, const Integrator &integrator, const State &state, const double h,
                      const Archive &archive)
{
  start(system, integrator, state, h);
  archive.get("discrete energy", discrete_energy);
  archive.get("symmetric", symmetric);
  archive.get("lack said", lack_said);
  archive.get("first", first);
  archive.get("drift", drift);
  archive.get("largest", largest);
  constraints.load(archive.section("constraints"));
  if (form)
    form->load(archive.section("form"));
}

void Monitors::advance(const MechanicalSystem &system, const Integrator &integrator, const State &before, const State &after,
                       const double h)
{
  constraints.advance(system, after);
  if (!follow_steps())
    return;
  const ScopedTimer timer("monitors");
  if (symplectic_form)
    form->advance(system, integrator, before, after, h);
  if (discrete_energy_wanted)
  {
    discrete_energy = integrator.discrete_energy(system, before, after, h);
    if (std::isnan(discrete_energy) && !lack_said)
      log_warning(
          "Monitors/Discrete energy: the scheme has no discrete Lagrangian here; the column E_d stays empty (nan). Remove the entry");
    lack_said = lack_said || std::isnan(discrete_energy);
  }
}

void Monitors::follow_momenta(const MechanicalSystem &system, const State &state, const std::vector<double> &momenta)
{
  if (system.has(Feature::loads))
  {
    Vector f = system.new_vector();
    system.applied_force(state.t, state.q, state.v, f);
    if (f.linfty_norm() > 0.)  // momenta are kept from when the loads are gone
    {
      first.clear();
      std::fill(drift.begin(), drift.end(), 0.);
      return;
    }
  }
  if (first.empty())
    first = momenta;
  for (std::size_t i = 0; i < momenta.size(); ++i)
  {
    drift[i] = std::max(drift[i], std::abs(momenta[i] - first[i]));
    largest[i] = std::max(largest[i], std::abs(momenta[i]));
  }
}

std::vector<double> Monitors::values(const MechanicalSystem &system, const Integrator *integrator, const State &state,
                                     const std::vector<double> &momenta, const double h)
{
  std::vector<double> values;
  if (canonical_momenta_wanted)
  {
    values = integrator && integrator->suris_shift() != 0. ? canonical_momenta(system, *integrator, state, h) : momenta;
    if (integrator && std::find(symmetric.begin(), symmetric.end(), true) != symmetric.end())
      follow_momenta(system, state, values);
  }
  if (discrete_energy_wanted)
    values.push_back(integrator ? discrete_energy : none);
  if (symplectic_form)
    for (const double value : {form ? form->omega() : none, form ? form->drift() : none, form ? form->floor() : none})
      values.push_back(integrator ? value : none);
  const std::vector<double> of_constraints = constraints.values(system, state);
  values.insert(values.end(), of_constraints.begin(), of_constraints.end());
  return values;
}

std::string Monitors::summary_line() const
{
  if (!dynamic)
    return "";
  std::string text;
  for (std::size_t i = 0; i < names.size() && !first.empty(); ++i)
    if (symmetric[i])
      text += fmt::format("{}{} drift {:.1e} of {:.3g}", text.empty() ? "canonical momenta: " : ", ", std::string(names[i]).insert(1, "c"),
                          drift[i], largest[i]);
  if (form)
    text += fmt::format("{}symplectic form: drift {:.1e} (floor {:.0e})", text.empty() ? "" : "; ", form->drift(), form->floor());
  return text;
}

nlohmann::json Monitors::summary() const
{
  nlohmann::json result = nlohmann::json::object();
  for (std::size_t i = 0; i < names.size() && !first.empty(); ++i)
    if (symmetric[i])
      result["canonical momenta"][names[i]] = {{"drift", drift[i]}, {"largest", largest[i]}};
  if (form)
    result["symplectic form"] = {{"omega", form->omega()}, {"drift", form->drift()}, {"floor", form->floor()}};
  return result;
}
}  // namespace symdyn
