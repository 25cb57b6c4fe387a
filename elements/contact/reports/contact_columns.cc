#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "elements/contact/contact_part.h"
#include "elements/term_histories.h"
#include "solver/base/log.h"
#include "solver/base/number.h"
#include "solver/base/units.h"

// What history.csv has of a contact.
namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

std::vector<Column> ContactPart::columns(const Units & /*units*/) const
{
  std::vector<Column> all_columns;
  if (is_first)
    all_columns.emplace_back("E_contact", units.energy, Kind::energy);
  if (is_first && any_rubs())
    all_columns.emplace_back("W_friction", units.energy, Kind::energy);
  for (int d = 0; d < n; ++d)
    all_columns.emplace_back(fmt::format("{}.force_{}", called, "xyz"[d]), units.force, Kind::force);
  all_columns.emplace_back(called + ".points", "-");
  all_columns.emplace_back(called + ".area", units.length + "^2");
  all_columns.emplace_back(called + ".gap", units.length);
  all_columns.emplace_back(called + ".pressure", units.stress);
  all_columns.emplace_back(called + ".E", units.energy, Kind::energy);
  if (rubs)
    all_columns.emplace_back(called + ".slip_work", units.energy, Kind::energy);
  if (resolution)
    all_columns.emplace_back(called + ".h_omega_c", "-");
  if (resolution && law->is_barrier())
    all_columns.emplace_back(called + ".layers_per_step", "-");
  return all_columns;
}

void ContactPart::values(const State &state, std::vector<double> &out) const
{
  state.q.update_ghost_values();
  if (is_first)
  {
    double energy = 0, work = 0;
    for (const ContactPart *part : all->parts)
    {
      const FrictionTerm::Rubbing rubbed = part->rubbing(state);
      energy += part->sums(state).energy + rubbed.energy;
      work += rubbed.work;
    }
    out.push_back(energy);
    if (any_rubs())
      out.push_back(work);
  }
  const ContactSums here = sums(state);
  const FrictionTerm::Rubbing of_friction = rubbing(state);
  for (int d = 0; d < n; ++d)
    out.push_back(here.force[d] + of_friction.force[d]);
  constexpr double far = 1e3;
  const double known = here.gap < far_away ? here.gap : far * body_size;
  for (const double value : {double(here.points), here.area, known, here.pressure, here.energy + of_friction.energy})
    out.push_back(value);
  if (rubs)
    out.push_back(of_friction.work);
  if (resolution)
    add_resolution(state, here.gap, out);
}

/// h omega_c = h sqrt(m Phi''(g)/rho_A) of the smallest gap g, m boundaries that move; v_n h/L with v_n = -dg/dt of it. 0 in static stages.
void ContactPart::add_resolution(const State &state, const double gap, std::vector<double> &out) const
{
  constexpr double coarse = 1.5, part = 1e-3;  // part of a step in which v_n is measured
  const double h = actions->seen.h;
  const std::string after_time = Units::after(units.time);
  const bool moves = actions->seen.of_a_step() && !actions->statics && !is_off() && gap < far_away;
  const double h_omega = moves ? h * std::sqrt(surfaces_that_move() * std::max(law->at(gap)[2], 0.) / resolution->rho_A) : 0.;
  out.push_back(h_omega);
  if (h_omega > coarse && !resolution->coarse_for.empty())
    warn_once(
        resolution->warned_of_frequency,
        fmt::format(
            "{}: h omega_c = h sqrt({}Phi''/rho_A) = {:.3g} at the smallest gap, t = {:.6g}{}: above {:g} {} changes the energy of an "
            "impact. Lower Time step to {:.3g}{} with Stiffness = {:.4g} as it is, make Layer thicker, or set Scheme = discrete-gradient",
            deck->where("Between"), obstacle ? "" : "2 ", h_omega, state.t, after_time, coarse, resolution->coarse_for, h / h_omega,
            after_time, law->stiffness()));
  if (!law->is_barrier())
    return;
  double layers = 0.;
  if (moves)
  {
    Vector before = state.q;
    before.add(-part * h, state.v);
    before.update_ghost_values();
    layers = std::max(sums(*term, before, TermHistories::of(state, number_of_term)).gap - gap, 0.) / (part * entries.layer);
  }
  out.push_back(layers);
  resolution->layers = std::max(resolution->layers, layers);
  if (layers > fast && resolution->without_newton && gap < law->reach() + layers * entries.layer)
    warn_once(
        resolution->warned_of_speed,
        fmt::format(
            "{}: the smallest gap closes by v_n h/L = {:.3g} layers a step, t = {:.6g}{}: above {:g} a scheme without Newton's method "
            "misses the layer. Lower Time step to {:.3g}{}, or set Layer = {}",
            deck->where("Between"), layers, state.t, after_time, fast, h / (steps_through * layers), after_time,
            units.in_length(steps_through * layers * entries.layer)));
}

/// Where a step goes through a good part of the layer, stiffness alone does not help. A round part of the step divides what the step does.
std::string ContactPart::way_out() const
{
  constexpr double more = 4., rounded_down = 0.995;
  const std::vector<std::string> used = law->entries();
  const double k = more * law->stiffness(), h = actions->seen.h;
  std::string stiffer =
      std::count(used.begin(), used.end(), "Stiffness") > 0 ? fmt::format("et Contact/{}/Stiffness = {:.3g}", called, k) : "";
  if (actions->statics || !resolution || !(resolution->layers > fast))
  {
    if (const double h_omega = resolution && !actions->statics ? h * std::sqrt(surfaces_that_move() * k / resolution->rho_A) : 0.;
        h_omega > 1. && !stiffer.empty())
      stiffer += fmt::format(" with \"Time step\" = {:.3g}{}", rounded_down * h / h_omega, Units::after(units.time));
    return stiffer.empty() ? "" : ". If it is too soft, s" + stiffer;
  }
  double parts = 1.;
  for (int i = 0; parts < steps_through * resolution->layers; ++i)
    parts *= i % 3 == 1 ? 2.5 : 2.;  // 1, 2, 5, 10, 20, ...
  return fmt::format(". A step closes the gap by up to {:.2g}{}, and the layer is {:.2g}{} thick. {} {:.6g}{}{}{}.",
                     resolution->layers * entries.layer, Units::after(units.length), entries.layer, Units::after(units.length),
                     StepsOfDeck(*deck).automatic ? "In place of auto set \"Time step\" =" : "Lower \"Time step\" to", h / parts,
                     Units::after(units.time), layer == "auto" ? "" : ", or make Layer thicker",
                     stiffer.empty() ? "" : ", and if that is not enough, s" + stiffer);
}

/// Of laws that have a stiffness: points open and close from one iterate to the next, or stick and slide.
std::string ContactPart::slow_out() const
{
  const std::vector<std::string> used = law->entries();
  const bool has_stiffness = std::count(used.begin(), used.end(), "Stiffness") > 0;
  const double k_t = number_from<double>(stick_slope).value_or(law->stiffness());
  if (!has_stiffness && !rubs)
    return "";
  return fmt::format("contact '{}' is closed: where its points open and close between iterates, a smaller {}{}{} helps", called,
                     has_stiffness ? "Stiffness than " + units.in_stress_over_length(law->stiffness()) : "",
                     has_stiffness && rubs ? ", or " : "", rubs ? "Stick slope than " + units.in_stress_over_length(k_t) : "");
}

void ContactPart::warn_once(bool &warned, const std::string &text) const
{
  if (!std::exchange(warned, true))
    log_warning(text);
}

FrictionTerm::Rubbing ContactPart::rubbing(const State &state) const
{
  FrictionTerm::Rubbing all_ranks;
  if (!rubs)
    return all_ranks;
  const FrictionTerm::Rubbing mine = rubs->rubbing(state.q, TermHistories::of(state, number_of_term + 1));
  std::vector<double> added{mine.force[0], mine.force[1], mine.force[2], mine.work, mine.energy};
  MPI::sum(added, state.q.get_mpi_communicator(), added);
  all_ranks.work = added[3];
  if (is_off())
    return all_ranks;
  all_ranks.force = {added[0], added[1], added[2]};
  all_ranks.energy = added[4];
  return all_ranks;
}

ContactSums ContactPart::sums(const State &state) const
{
  ContactSums here = sums(*term, state.q, TermHistories::of(state, number_of_term));
  if (is_off())
  {
    here.force = {};
    here.area = here.pressure = here.energy = 0.;
    here.points = 0;
  }
  return here;
}

ContactSums ContactPart::sums(const TouchingTerm &term, const Vector &q, const double *history)
{
  const MPI_Comm communicator = q.get_mpi_communicator();
  const ContactSums mine = term.sums(q, history);
  ContactSums all = mine;
  std::vector<double> added{mine.force[0], mine.force[1], mine.force[2], mine.area, mine.energy};
  MPI::sum(added, communicator, added);
  all.force = {added[0], added[1], added[2]};
  all.area = added[3];
  all.energy = added[4];
  all.pressure = MPI::max(mine.pressure, communicator);
  all.points = MPI::sum(mine.points, communicator);
  for (const auto &[gap, at, height] : MPI::all_gather(communicator, std::make_tuple(mine.gap, mine.at, mine.height)))
    if (std::tie(gap, at) < std::tie(all.gap, all.at))
    {
      all.gap = gap;
      all.at = at;
      all.height = height;
    }
  return all;
}
}  // namespace symdyn
