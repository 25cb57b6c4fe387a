#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "elements/contact/contact_part.h"
#include "solver/base/log.h"
#include "solver/base/names.h"
#include "solver/base/number.h"

// The law of a contact: its entries, its layer and its stiffness (docs/theory-contact.md).
namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

void ContactPart::declare_law(Parameters &p)
{
  p.add(
      "Law", law_name,
      "pressure of a gap: barrier (three continuous derivatives, bodies never pass), linear (a penalty: energy drifts), hard (no depth: static increments are repeated until it is below 1e-3 of a cell; in motion barrier), exponential, table, tension (CalculiX's linear law of nodes, with a small tension of open ones); tied: boundaries that stand before each other are held together by a layer of this stiffness, in tension and shear, too");
  p.add(
      "Stiffness", stiffness,
      "of barrier, linear, hard, tension and tied: k [Pa/m], pressure over closure; auto: from the time step and the modulus, of hard 50 E over the height of a cell, of a beam against an obstacle less");
  p.add("Layer", layer,
        "of barrier: thickness L of the layer in which it acts [m]; auto: 0.1 of a face, without Newton's method at least 12 v h");
  p.add("Side", side, "of barrier: inside acts from touching to a depth of Layer; outside from a gap of Layer, so that bodies never touch",
        {"inside", "outside"});
  p.add("Largest speed", largest_speed, "of Layer = auto without Newton's method: v [m/s]; auto: that of the initial conditions");
  p.add("Pressure", entries.pressure, "of exponential: p0 at touching; of tension: that of open surfaces [Pa]", positive());
  p.add(
      "Distance", entries.distance,
      "of exponential: the clearance at which 1 % of p0 is left; of tension: up to which it acts, 1e-3 of the smallest face without this entry [m]",
      positive());
  p.add("Pressures", entries.pressures, "of table: pressures of its rows [Pa], the first 0");
  p.add("Closures", entries.closures, "of table: closures of its rows, minus the gap [m], increasing");
  choose_law(p);
}

/// The one that the deck asks for, or another one in its place.
void ContactPart::choose_law(Parameters &p)
{
  const std::vector<std::string> laws = Registry<ContactLaw>::instance().names();
  if (std::count(laws.begin(), laws.end(), law_name) == 0)
    p.fail("Law", "must be one of " + symdyn::join(nearest_first(law_name, laws)));
  asked_name = law_name;
  law = asked = Registry<ContactLaw>::instance().make(law_name);
  law->declare(p);
}

void ContactPart::replace_law(const Parameters &p)
{
  const std::string other = StepsOfDeck(p).in_time() ? asked->in_motion() : "";
  if (other.empty())
    return;
  replaced = fmt::format("Law = {} is {} in decks with motion", law_name, other);
  law_name = other;
  law = Registry<ContactLaw>::instance().make(law_name);
}

void ContactPart::check_law(const Parameters &p) const
{
  if (between.empty())
    p.fail("Between", "a contact needs boundaries, or a boundary and an obstacle: `foot, floor`");
  const std::vector<std::string> used = law->entries();
  for (const char *entry : {"Stiffness", "Layer", "Side", "Largest speed", "Pressure", "Distance", "Pressures", "Closures"})
    if (p.given(entry) && std::count(used.begin(), used.end(), entry) == 0)
      p.fail(entry, fmt::format("has no effect with Law = {}. Remove the entry", law_name));
  for (const auto &[entry, text] : {std::pair{"Stiffness", stiffness}, {"Layer", layer}, {"Largest speed", largest_speed}})
    if (const auto number = number_from<double>(text); text != "auto" && !(number && *number > 0.))
      p.fail(entry, "must be a number > 0, or `auto`");
  if (p.given("Largest speed") && layer != "auto")
    p.fail("Largest speed", "has no effect where Layer is given. Remove one of both");
}

/// Of the start: of places against an obstacle the largest -v·n; of boundaries with each other a bound of the difference of two velocities.
double ContactPart::closing_speed(const std::vector<MeshFace> &faces, const MPI_Comm communicator) const
{
  std::vector<Place> places;
  for (const MeshFace &one : faces)
    places.insert(places.end(), one.X.begin(), one.X.end());
  const std::vector<Place> velocities = initial_values("Velocity", *deck, places, 3);
  double closing = 0;
  std::vector<double> ends(6, -std::numeric_limits<double>::max());  // of v and -v
  for (std::size_t i = 0; i < places.size(); ++i)
  {
    Place normal{};
    if (obstacle)
    {
      obstacle->obstacle->gap(places[i], normal);
      closing = std::max(closing, -dot(velocities[i], normal));
    }
    for (int d = 0; d < 3; ++d)
    {
      ends[d] = std::max(ends[d], velocities[i][d]);
      ends[3 + d] = std::max(ends[3 + d], -velocities[i][d]);
    }
  }
  if (obstacle)
    return MPI::max(closing, communicator) + obstacle->speed;
  MPI::max(ends, communicator, ends);
  return std::sqrt(std::pow(ends[0] + ends[3], 2) + std::pow(ends[1] + ends[4], 2) + std::pow(ends[2] + ends[5], 2));
}

void ContactPart::choose_layer(const Surface &surface, const std::vector<MeshFace> &faces, const MPI_Comm communicator)
{
  if (!law->is_barrier())
    return;
  constexpr double part_of_face = 0.1;
  const double face = std::min(surface.size, surface.height);
  if (const auto given = number_from<double>(layer))
    entries.layer = *given;
  else
  {
    entries.layer = part_of_face * face;
    const StepsOfDeck steps(*deck);
    if (deck->given("Largest speed") && !steps.without_newton)
      deck->fail("Largest speed", "has no effect with schemes that use Newton's method. Remove the entry");
    if (steps.in_time() && steps.without_newton)
    {
      const auto said = number_from<double>(largest_speed);
      const double at_start = closing_speed(faces, communicator), v = said ? *said : at_start;
      constexpr double rounding = 1e-6;
      if (obstacle && v < (1. - rounding) * at_start)  // of two boundaries it is a bound
        log_warning(
            fmt::format("{}: the body comes with {}{} at the start, and a layer for {:.4g} may be missed. Raise it, or remove the "
                        "entry",
                        deck->where("Largest speed"), units.in_length(at_start), units.time == "1" ? "" : "/" + units.time, v));
      const double of_body = steps.automatic && material ? surface.height * std::sqrt(material->rho / material->E) : 0.;
      const double h = std::max(steps.longest, of_body);
      entries.layer = std::max(entries.layer, steps_through * v * h);
    }
  }
  if (entries.layer > 0.5 * surface.size)
    log_warning(
        fmt::format("{}: the layer of {} is more than half of a face ({}): contacts last longer than the bodies' own waves make them. {}",
                    deck->where("Layer"), units.in_length(entries.layer), units.in_length(surface.size),
                    layer == "auto" ? "Lower Time step or Largest speed" : "Lower Layer"));
}

void ContactPart::choose_stiffness(const Surface &surface) { entries.stiffness = stiffness_of(*law, stiffness, surface, *deck); }

double ContactPart::stiffness_of(const ContactLaw &of, const std::string &text, const Surface &surface, const Parameters &p) const
{
  if (const std::vector<std::string> used = of.entries(); std::count(used.begin(), used.end(), "Stiffness") == 0)
    return 0.;
  if (const auto given = number_from<double>(text))
    return *given;
  if (!material)
    p.fail("Stiffness", "`auto` needs the modulus of a material, and the deck has none. Give k [Pa/m]");
  const StepsOfDeck steps(*deck);
  const double k = material->E / surface.height * (steps.automatic && !of.holds() ? 1. : (&of == law.get() ? *asked : of).over_modulus());
  if (of.has_multipliers() && obstacle && axes[0])
  {
    constexpr double least = 1e-8;  // of k: long beams, which lie, do not sink before the multipliers lift them
    return std::min(k, std::max(stiffness_to_lift(surface), least * k));
  }
  if (!steps.in_time() || !(steps.longest > 0.) || of.holds())  // no impacts
    return k;
  return std::min(k, mass_over_area(surface) / (surfaces_that_move() * steps.longest * steps.longest));
}

void ContactPart::make_law(const Surface &surface)
{
  entries.face = surface.size;
  if (const auto [entry, rule] = law->take(entries); !rule.empty())
    deck->fail(entry, rule);
  stage_laws(surface);
  if (!replaced.empty())
    log_line(fmt::format("contact {}: {}", called, replaced));
  const std::string first = obstacle ? fmt::format("{}", fmt::join(boundaries, ", ")) : boundaries[0],
                    parts = alone.empty() ? fmt::format("{} faces, {} points", surface.faces, surface.points)
                                          : fmt::format("{} nodes, {} faces at them", alone.size(), surface.faces);
  const bool of_both = !obstacle && boundaries.size() > 1 && alone.empty();
  words = of_both ? fmt::format("{} and {} ({} of both)", first, against, parts) : fmt::format("{} ({}) and {}", first, parts, against);
  words += fmt::format(", {}, k = {}", law_name, units.in_stress_over_length(law->stiffness()));
  if (of_nodes)
    words += ", nodes against faces";
  if (leaves_beams)
    words += ", beams are no part of `all`";
  describe_axes();
  if (law->is_barrier())
    words += fmt::format(", layer {} {}", units.in_length(entries.layer), side);
  if (friction > 0.)
    words += fmt::format(", friction {:g}, stick slope {}", friction,
                         units.in_stress_over_length(number_from<double>(stick_slope).value_or(law->stiffness())));
}
}  // namespace symdyn
