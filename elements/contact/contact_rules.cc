#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "elements/contact/contact_part.h"
#include "elements/contact/friction/obstacle_friction.h"
#include "elements/contact/friction/pair_friction.h"
#include "elements/contact/tied_term.h"
#include "solver/base/log.h"
#include "solver/base/number.h"
#include "solver/base/together.h"
#include "solver/error.h"

// What a contact chooses by itself, and what it refuses: stiffness, layer, steps (docs/theory-contact.md).
namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

ContactPart::Surface ContactPart::measure(const std::vector<MeshFace> &faces, const MPI_Comm communicator) const
{
  Surface surface;
  surface.height = surface.size = 1e300;
  for (const MeshFace &face : faces)
    if (face.owned)
    {
      surface.height = std::min(surface.height, face.height);
      surface.size = std::min(surface.size, face.size);
      ++surface.faces;
      surface.points += face.points();
      for (const double dA : face.dA)
        surface.area += dA;
    }
  surface.height = MPI::min(surface.height, communicator);
  surface.size = MPI::min(surface.size, communicator);
  surface.area = MPI::sum(surface.area, communicator);
  surface.faces = MPI::sum(surface.faces, communicator);
  surface.points = MPI::sum(surface.points, communicator);
  return surface;
}

void ContactPart::find_material(const PlannedSites &sites)
{
  std::vector<std::set<std::string>> bodies(obstacle ? 1 : 2);  // the groups of each
  for (std::size_t side = 0; side < boundaries.size(); ++side)
  {
    std::set<std::string> &groups = bodies[std::min(side, bodies.size() - 1)];
    const bool is_set = !alone.empty() && side == 0;
    for (const MeshFace &face : is_set ? std::vector<MeshFace>{} : body->faces(in_mesh({boundaries[side]}), 1, sites))
      groups.insert(face.group);
  }
  for (const std::set<std::string> &mine : bodies)
  {
    std::set<std::string> groups;
    for (const auto &some : MPI::all_gather(space->communicator(), std::vector<std::string>(mine.begin(), mine.end())))
      groups.insert(some.begin(), some.end());
    if (groups.empty() && material)
      continue;
    const std::optional<BeamAxis> axis = softest_axis(&mine - bodies.data());
    const std::optional<StiffestMaterial> here = axis ? StiffestMaterial{axis->E, axis->rho} : stiffest_material(*deck, groups);
    if (!here)
      return;
    material = material ? StiffestMaterial{std::min(material->E, here->E), std::min(material->rho, here->rho)} : *here;
  }
}

/// 20 k/rho_A: the barrier's b'' is 19 at x = 0.3. Each boundary that moves adds its part.
double ContactPart::impact_of(const Surface &surface) const
{
  constexpr double of_a_deep_impact = 20.;
  const std::vector<std::string> used = law->entries();
  const bool straight = !law->is_barrier() && std::count(used.begin(), used.end(), "Stiffness") > 0;
  const double slope = largest_friction() > 0. ? number_from<double>(stick_slope).value_or(0.) : 0.,
               k = std::max((straight ? 1. : of_a_deep_impact) * law->stiffness(), slope), mass = mass_over_area(surface);
  return mass > 0. && !law->holds() ? surfaces_that_move() * k / mass : 0.;
}

/// Of a consistent mass about 1/sqrt(3) of a lumped one.
double ContactPart::mass_over_area(const Surface &surface) const
{
  std::string mass = "consistent";
  Parameters elements = deck->root().section("Elements");
  elements.add("Mass", mass, "");
  return material ? material->rho * surface.height * body->part_of_mass(in_mesh(boundaries)) * (mass == "lumped" ? 1. : 1. / std::sqrt(3.))
                  : 0.;
}

/// What the derivatives of V lose to schemes.
void ContactPart::check_smoothness(const StepsOfDeck &steps) const
{
  const std::string scheme = steps.with_third_derivative(), plain = steps.neither_keeps_nor_damps();
  if (!scheme.empty() && obstacle && (law->smoothness() < 3 || !obstacle->obstacle->smooth()))
    deck->fail(
        law->smoothness() < 3 ? "Law" : "Between",
        fmt::format("{} uses the third derivative of V, which has jumps here. Set Law = barrier, against a plane, sphere or cylinder, or "
                    "Scheme = newmark",
                    scheme));
  if (law->smoothness() < 2 && !plain.empty())
    log_warning(fmt::format(
        "{}: the linear law has one continuous derivative: {} loses its bounded energy in impacts. Use Law = barrier, or Scheme = discrete-gradient",
        deck->where("Law"), plain));
}

void ContactPart::check_friction() const
{
  if (const auto number = number_from<double>(stick_slope); stick_slope != "auto" && !(number && *number > 0.))
    deck->fail("Stick slope", "must be a number > 0 [Pa/m], or `auto`");
  for (const char *entry : {"Stick slope", "Friction iterations"})
    if (largest_friction() == 0. && deck->given(entry) && !(law->holds() && std::string(entry) == "Stick slope"))
      deck->fail(entry, "has no effect without Friction. Remove the entry");
  if (largest_friction() == 0.)
    return;
  const StepsOfDeck steps(*deck);
  if (by_segments() && !steps.of_middle.empty())
    deck->fail("Friction", fmt::format("of segments is of the end of a step, and {} takes laws within it. Use Scheme = newmark or "
                                       "discrete-gradient, or Pairing = points",
                                       steps.of_middle));
  if (const std::string scheme = steps.with_third_derivative(); !scheme.empty())
    deck->fail("Friction",
               fmt::format("{} uses the third derivative of V, and friction has none. Use Scheme = newmark or discrete-gradient", scheme));
}

std::shared_ptr<FrictionTerm> ContactPart::make_friction() const
{
  if (largest_friction() == 0.)
    return nullptr;
  const FrictionTerm::Staged given{friction_of_stages(), actions, term};
  if (const auto pair = std::dynamic_pointer_cast<const RubbingSurfaces>(term))
    return std::make_shared<PairFriction>(pair, given);
  return std::make_shared<ObstacleFriction>(std::dynamic_pointer_cast<const ContactTerm>(term), given);
}

void ContactPart::check_steps(const Surface &surface)
{
  const StepsOfDeck steps(*deck);
  if (!steps.in_time())
    return;
  check_smoothness(steps);
  const std::string plain = steps.neither_keeps_nor_damps();
  const double slope = largest_friction() > 0. ? number_from<double>(stick_slope).value_or(0.) : 0., k = std::max(law->stiffness(), slope);
  const double mass = mass_over_area(surface), h_omega = mass > 0. ? steps.longest * std::sqrt(surfaces_that_move() * k / mass) : 0.;
  if (mass > 0. && !law->holds())
    resolution = Resolution{mass, plain, steps.without_newton};
  if (!steps.automatic)
    words += fmt::format(", h omega_0 = {:.3g}", h_omega);
  if (law->holds() && !steps.without_newton)
    return;
  const bool is_kick = !obstacle && !steps.with_third_derivative().empty();
  constexpr double good = 1., rounding = 1e-9;
  const double most = is_kick ? good * (1. + rounding) : 2.;
  if (h_omega <= good * (1. + rounding) || plain.empty())
    return;
  const std::vector<std::string> entries_of_law = law->entries();
  const std::string entry = slope < k ? entries_of_law.front() : "Stick slope";  // Stiffness, or what makes it
  const std::string advice =
      fmt::format("lower Time step to {:.3g}{}, or {} so that k is {}, or use Scheme = discrete-gradient", steps.longest / h_omega,
                  Units::after(units.time), entry, units.in_stress_over_length(k / (h_omega * h_omega)));
  if (h_omega > most)
    deck->fail(entry, fmt::format("h omega_0 = h sqrt({}k/rho_A) = {:.3g} with h = {:g}{} and k = {}: above {:g} an impact with {} "
                                  "multiplies the energy. Either {}",
                                  obstacle ? "" : "2 ", h_omega, steps.longest, Units::after(units.time), units.in_stress_over_length(k),
                                  is_kick ? good : most, plain, advice));
  log_warning(fmt::format("{}: h omega_0 = h sqrt({}k/rho_A) = {:.3g} is above 1: {} resolves an impact poorly. Either {}",
                          deck->where(entry), obstacle ? "" : "2 ", h_omega, plain, advice));
}

void ContactPart::check_gradient(const ContactPair &pair, const MPI_Comm communicator) const
{
  std::string fault;  // faces are those of this rank
  constexpr int iterations = 8;
  constexpr double tolerance = 1e-3, far = 10.;
  for (const MeshFace &face : pair.faces)
    for (std::size_t a = 0; a < face.X.size(); ++a)
    {
      if (space->is_director(face.nodes[a]))
        continue;
      Place x = face.X[a];
      Place n;
      double g = pair.obstacle->gap(x, n);
      const double first = std::abs(g);
      for (int i = 0; i < iterations && std::abs(g) > 1e-9 * body_size && first < far * body_size; ++i)
      {
        const double square = along(n, n);
        for (int d = 0; d < 3; ++d)
          x[d] -= g * n[d] / square;
        g = pair.obstacle->gap(x, n);
      }
      if (!(std::abs(g) <= 1e-6 * body_size))
        continue;  // no place of the surface beside this node
      if (const double length = std::sqrt(along(n, n)); std::abs(length - 1.) > tolerance)
        fault = fmt::format(
            "{}: the gradient of Distance of obstacle '{}' has the length {:.5g} at {}: it is no "
            "distance, whose gradient is 1 long. Divide the expression by that length",
            deck->where("Between"), against, length, units.at_place(x));
    }
  throw_collectively<InputError>(fault, communicator);
}

void ContactPart::check_tied(const Parameters &p) const
{
  if (!law->holds())
    return;
  if (p.given("Clearance"))
    p.fail("Clearance", fmt::format("has no effect with Law = {}. Remove the entry", law_name));
  if (largest_friction() > 0.)
    p.fail(
        "Friction",
        fmt::format("has no effect with Law = {}, which holds bodies also in the surface, with Stick slope. Remove the entry", law_name));
  if (p.given("Pairing") && !by_segments())
    p.fail("Pairing", fmt::format("of Law = {} is segments. Remove the entry", law_name));
}

/// Boundaries that are tied cannot part, and what Law = tied adds between them is never strained.
void ContactPart::refuse_ties_of_the_pair() const
{
  const Parameters ties = deck->root().section("Ties");
  for (const std::string &name : ties.named_sections())
  {
    std::vector<std::string> dependent, independent;
    Parameters tie = ties.section(name);
    tie.add("Dependent", dependent, "");
    tie.add("Independent", independent, "");
    const auto has = [](const std::vector<std::string> &names, const std::string &one) {
      return std::count(names.begin(), names.end(), one) > 0;
    };
    const std::string &first = boundaries.front(), &last = boundaries.back();
    if ((has(dependent, first) && has(independent, last)) || (has(dependent, last) && has(independent, first)))
      deck->fail("Between", fmt::format("'{}' and '{}' are tied by Ties/{} ({}), so that this contact has no effect. Remove one of both",
                                        first, last, name, tie.where()));
  }
}

void ContactPart::check_damping(const Parameters &p) const
{
  if (law->holds() && p.given("Damping"))
    p.fail("Damping", fmt::format("has no effect with Law = {}. Remove the entry, or take the section Damping", law_name));
  if (damping > 0. && !StepsOfDeck(p).in_time())
    log_warning(p.where("Damping") + ": has no effect: no stage moves in time");
}

void ContactPart::describe_tied(const ContactSums &start)
{
  if (start.area == 0.)
    deck->fail("Between", fmt::format("no face of {} stands before one of {}, within half a face. Look at the names of the boundaries, or "
                                      "set Start = adjust",
                                      boundaries[0], against));
  const double apart = MPI::max(std::dynamic_pointer_cast<const TiedTerm>(term)->farthest(), space->communicator());
  words += fmt::format(", tied over {:.4g}{}, up to {} apart", start.area, units.length == "1" ? "" : " " + units.length + "^2",
                       units.in_length(apart));
  constexpr double near = 1e-6;
  if (const double k = law->stiffness(), aside = number_from<double>(stick_slope).value_or(k); aside != k && StepsOfDeck(*deck).in_time())
    log_warning(fmt::format("{}: k_t = {} is not k = {}: the angular momentum is not kept by a body that turns", deck->where("Stick slope"),
                            units.in_stress_over_length(aside), units.in_stress_over_length(k)));
  if (apart > near * start.height)
    log_warning(
        fmt::format("{}: {} and {} are up to {} apart: the angular momentum is kept only by surfaces that touch. Set Start = "
                    "adjust",
                    deck->where("Between"), boundaries[0], against, units.in_length(apart)));
}

void ContactPart::check_start(const ContactSums &start) const
{
  constexpr double rounding = 1e-6, far = 10.;
  const double allowed = std::isfinite(law->least()) && law->least() > 0. ? law->least() : -rounding * start.height;
  const double missing = (allowed > 0. ? entries.layer : 0.) - start.gap;
  const bool of_self = !obstacle && boundaries.size() < 2;  // whose distances have no sign
  if (of_self && !misplaced.empty())
    deck->fail("Between", misplaced);
  if (!(start.gap >= allowed))
    deck->fail("Between",
               fmt::format("{} and {} overlap at the start: gap {}{} at {}{}{}. Move one of both by {}, "
                           "or give a Clearance of {}{}",
                           boundaries.front(), against, of_self ? "at most " : "", units.in_length(start.gap), units.at_place(start.at),
                           radii() > 0. ? fmt::format(", {} from the axis", units.in_length(radii())) : "",
                           allowed > 0. ? ", with Side = outside they may not even touch" : "", units.in_length(missing),
                           units.in_length(clearance + missing),
                           obstacle ? ". If the body is on its free side, the obstacle looks the wrong way (a plane: turn its Normal)"
                           : has_axes() || boundaries.size() < 2 ? ""
                           : by_segments() && acts_in_first_stage()
                               ? ", or set Start = adjust (nodes are moved), or shrink (it comes over the first stage)"
                               : ", or set Start = adjust (nodes are moved)"));
  if (!misplaced.empty())
    deck->fail("Between", misplaced);
  if (!turned.empty() && !StepsOfDeck(*deck).in_time())  // who moves may turn
    deck->fail("Between", turned);
  if (by_segments() && start.gap > far * body_size)
    deck->fail("Between", fmt::format("no face of {} looks at one of {}: segments are what faces cover of each other. Look at the "
                                      "names and places of the boundaries",
                                      boundaries[0], against));
  if (!obstacle && start.gap > far * body_size)
    deck->fail("Between",
               boundaries.size() == 1
                   ? fmt::format("no two faces of {} can touch: all share corners. Name the boundary that it meets, too", boundaries[0])
                   : fmt::format("{} has no face that {} could touch: all share corners", against, boundaries[0]));
  if (start.gap > far * body_size)
    deck->fail("Between", fmt::format("{} is {} away from {}, more than 10 times the size of the body. Look at the place of the obstacle "
                                      "and the sign of its normal",
                                      against, units.in_length(start.gap), boundaries.front()));
}
}  // namespace symdyn
