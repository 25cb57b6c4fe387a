#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "elements/contact/axes/axis_proxies.h"
#include "elements/contact/contact_part.h"
#include "elements/contact/pair_term.h"
#include "solver/error.h"

// Beams in contacts: their axes, around which a tube touches (docs/theory-contact.md).
namespace symdyn
{
/// What the boundaries are of.
void ContactPart::find_axes()
{
  for (const std::string &name : boundaries)
    try
    {
      axes.push_back(body->axis(name));
    }
    catch (const InputError &error)
    {
      deck->fail("Between", error.what());
    }
  if (!has_axes())
    return;
  if (obstacle)
    for (std::size_t i = 1; i < axes.size(); ++i)
      if (axes[i].has_value() != axes[0].has_value() || (axes[i] && axes[i]->radius != axes[0]->radius))
        deck->fail("Between", fmt::format("'{}' and '{}' have surfaces at other distances from their axes. Give each a contact",
                                          boundaries[0], boundaries[i]));
  for (const std::optional<BeamAxis> &axis : axes)
    if (axis && axis->radius == 0. && !deck->given("Clearance"))
      deck->fail(
          "Between",
          fmt::format("the section of beam '{}' is {}, which has no radius: its axis touches. Set Clearance = -t, t the distance of the "
                      "axis from the side that touches [m]",
                      axis->beam, axis->section));
  std::array<Place, 2> box{Place{1e300, 1e300, 1e300}, Place{-1e300, -1e300, -1e300}};
  for (const BoundaryCell &cell : body->boundary_cells(in_mesh(boundaries)))
    for (std::size_t a = 0; a + cell.directors < cell.X.size(); ++a)
      for (int d = 0; d < 3; ++d)
      {
        box[0][d] = std::min(box[0][d], cell.X[a][d]);
        box[1][d] = std::max(box[1][d], cell.X[a][d]);
      }
  body_size = std::max(body_size, length(difference(box[1], box[0])));
}

bool ContactPart::has_axes() const
{
  return std::any_of(axes.begin(), axes.end(), [](const std::optional<BeamAxis> &axis) { return axis.has_value(); });
}

/// How far the axes of beams stand from each other, or from what they touch, where gaps are 0, without Clearance.
double ContactPart::radii() const
{
  double sum = 0;
  for (std::size_t i = 0; i < axes.size() && (!obstacle || i == 0); ++i)
    sum += axes[i] ? axes[i]->radius : 0.;
  return sum;
}

double ContactPart::largest_radius() const
{
  double largest = 0;
  for (const std::optional<BeamAxis> &axis : axes)
    largest = std::max(largest, axis ? axis->radius : 0.);
  return largest;
}

void ContactPart::describe_axes()
{
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (axes[i])
      words += fmt::format(", {}: axis, radius {:.4g} m, width {:.4g} m", boundaries[i], axes[i]->radius, axes[i]->width);
}

/// Newton's method takes what is closed for springs that pull, too, so that an iteration opens only what these let go: of a beam E I on
/// springs K a length about 0.6 of (4 EI/K)^(1/4). Measured with K over four decades; BeamContact.AStiffFloorLetsGoSlowly has the ends.
std::string ContactPart::if_slow_to_lift(const Surface &surface) const
{
  const std::vector<std::string> used = law->entries();
  if (!axes[0] || law->is_barrier() || std::count(used.begin(), used.end(), "Stiffness") == 0 || StepsOfDeck(*deck).in_time())
    return "";
  constexpr double of_length = 0.6, usual = 30.;  // iterations
  const BeamAxis &axis = *axes[0];
  const double r = axis.radius, area = axis.height * axis.width, along = surface.area / axis.width,
               I = r > 0. ? 0.25 * area * (2. * r * r - area / M_PI) : area * axis.height * axis.height / 12.,
               springs = 4. * axis.E * I / axis.width;
  const double lifts = of_length * std::pow(springs / law->stiffness(), 0.25), all = std::ceil(along / lifts);
  return fmt::format(
      "an iteration lifts '{}' by about {:.2g} m off a contact this stiff. Set Newton/Max iterations = {}, or "
      "Contact/{}/Stiffness = {:.2g}",
      boundaries[0], lifts, std::min(all, 1000.), called, springs * std::pow(of_length * usual / along, 4.));
}

/// Entries that need faces.
void ContactPart::refuse_of_axes() const
{
  if (!has_axes())
    return;
  const std::string beam = axes[0] ? boundaries[0] : boundaries.back(), is = fmt::format("'{}' is a beam, ", beam);
  if (boundaries.size() < 2)
    deck->fail("Between", is + "which does not touch itself. Divide it into two beams, and name both");
  if (of_nodes)
    deck->fail("Points", is + "which has points along its axis. Give their number in an element");
  if (deck->given("Pairing") && pairing == "segments")
    deck->fail("Pairing", is + "which has no faces that segments could cover. Set Pairing = points");
  if (law->has_multipliers() || law->holds() || law_name == "tension")
    deck->fail("Law", fmt::format("{} needs faces, and {}which has none. Set Law = barrier, linear, exponential or table", law_name, is));
  if (at_begin != "as it is")
    deck->fail("Start", fmt::format("{} needs faces, and {}which has none. Set Clearance, or place it elsewhere", at_begin, is));
  if (deck->given("Damping"))
    deck->fail("Damping", fmt::format("of two boundaries needs faces, and {}which has none. Set Stiffness damping of the beam", is));
  if (axes[0] && axes[1] && largest_friction() > 0.)
    deck->fail("Friction", fmt::format("'{}' and '{}' are beams, which touch at a point without a plane. Remove the entry", boundaries[0],
                                       boundaries[1]));
}

/// Beside the axis of a beam a face has no points: those along the axis stand for the area.
ProxySurface ContactPart::faces_and_axes(const ProxyChoice &choice) const
{
  std::vector<std::vector<BoundaryCell>> with_faces = cells;
  for (std::size_t side = 0; side < axes.size(); ++side)
    if (axes[side])
      with_faces[side].clear();
  ProxySurface surface = make_proxies(with_faces, choice);
  for (std::size_t face = 0; has_axes() && face < surface.faces.size(); ++face)
    surface.faces[face].points.clear();
  for (std::size_t side = 0; side < axes.size(); ++side)
    if (axes[side])
      add_axes(cells[side], int(side), choice, surface);
  return surface;
}

/// Points of beams alone, against a surface that has no layer below it: the tube around the axis makes distances from both sides of a gap.
std::shared_ptr<TouchingTerm> ContactPart::around_axes(const PlannedSites &sites, const Surface &surface) const
{
  constexpr double of_cell = 0.5;
  const double tube = radii() - clearance, layer_here = entries.inside && law->is_barrier() ? entries.layer : 0.;
  const double deep = std::min(of_cell * surface.height, of_cell * tube);
  if (!(tube > 0.))
    deck->fail("Clearance",
               fmt::format("= {:.4g} m leaves no thickness: the axes would touch. Make it smaller than {:.4g} m", clearance, radii()));
  if (layer_here > tube)
    deck->fail("Layer", fmt::format("= {:.4g} m is more than the {:.4g} m of the axes from what they touch. Make it thinner, or set Side = "
                                    "outside",
                                    layer_here, tube));
  const auto pair = std::make_shared<PairTerm>(TouchingSurfaces{called, boundaries[0], boundaries[1], law, proxies(sites, 0.), tube,
                                                                surface.size, axes[0] && axes[1] ? 0.5 : 1., -deep},
                                               space);
  start_search(*pair, radii());
  return pair;
}
}  // namespace symdyn
