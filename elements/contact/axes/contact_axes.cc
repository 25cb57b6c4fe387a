#include <deal.II/base/mpi.h>
#include <deal.II/base/quadrature_lib.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "elements/contact/axes/axis_proxies.h"
#include "elements/contact/cell_places.h"
#include "elements/contact/contact_part.h"
#include "elements/contact/features/closest.h"
#include "elements/contact/pair_term.h"
#include "solver/base/log.h"
#include "solver/error.h"

// Beams in contacts: their axes, around which a tube touches (docs/theory-contact.md).
namespace symdyn
{
std::optional<BeamAxis> ContactPart::axis_of(const std::string &name) const
{
  try
  {
    return body->axis(name);
  }
  catch (const InputError &error)
  {
    deck->fail("Between", error.what());
  }
}

/// What the boundaries are of.
void ContactPart::find_axes()
{
  for (const std::string &name : boundaries)
    axes.push_back(axis_of(name));
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

/// Of a boundary, of all of them beside an obstacle: least modulus and density, which bound what steps resolve.
std::optional<BeamAxis> ContactPart::softest_axis(const std::size_t side) const
{
  std::optional<BeamAxis> softest = axes[side];
  for (std::size_t i = 0; i < axes.size() && obstacle && softest; ++i)
  {
    softest->E = std::min(softest->E, axes[i]->E);
    softest->rho = std::min(softest->rho, axes[i]->rho);
  }
  return softest;
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
      words +=
          fmt::format(", {}: axis, radius {}, width {}", boundaries[i], units.in_length(axes[i]->radius), units.in_length(axes[i]->width));
}

/// Newton's method takes what is closed for springs that pull, too, so that an iteration opens only what these let go: of a beam E I on
/// springs K a length about 0.6 of (4 EI/K)^(1/4). Measured with K over four decades; BeamContact.AStiffFloorLetsGoSlowly has the ends.
/// Returns the k of which 30 iterations lift the whole of a beam of usual length among the boundaries [Pa/m].
double ContactPart::stiffness_to_lift(const Surface &surface) const
{
  constexpr double of_length = 0.6, usual = 30.;  // iterations
  const BeamAxis axis = *softest_axis(0);
  const double r = axis.radius, area = axis.height * axis.width, along = surface.area / axis.width / double(boundaries.size()),
               I = r > 0. ? 0.25 * area * (2. * r * r - area / M_PI) : area * axis.height * axis.height / 12.;
  return 4. * axis.E * I / axis.width * std::pow(of_length * usual / along, 4.);
}

std::string ContactPart::if_slow_to_lift(const Surface &surface) const
{
  const std::vector<std::string> used = law->entries();
  if (!axes[0] || law->is_barrier() || std::count(used.begin(), used.end(), "Stiffness") == 0 || StepsOfDeck(*deck).in_time() ||
      !(law->stiffness() > stiffness_to_lift(surface)))
    return "";
  return fmt::format(
      "the contact may be so stiff that each iteration of Newton's method lifts a short piece of '{}' alone: then set "
      "Contact/{}/Stiffness = {:.2g}{}",
      boundaries[0], called, stiffness_to_lift(surface), law->has_multipliers() ? "" : ", or Law = hard");
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

namespace
{
std::map<std::int64_t, Place> nodes_of(const std::vector<BoundaryCell> &cells)
{
  std::map<std::int64_t, Place> all;
  for (const BoundaryCell &cell : cells)
    for (const std::int64_t node : cell.is_axis ? cell.nodes : nodes_on(cell))
      if (const std::size_t a = std::find(cell.nodes.begin(), cell.nodes.end(), node) - cell.nodes.begin();
          a + cell.directors < cell.nodes.size())
        all[node] = cell.X[a];
  return all;
}

bool is_within(const ProxySurface &surface, const ProxySurface::Face &face, const Place &X, const double distance)
{
  return std::any_of(face.pieces.begin(), face.pieces.end(), [&](const std::array<int, 3> &piece) {
    const int n = piece[2] < 0 ? 2 : 3;
    std::array<Place, 3> corners{};
    for (int i = 0; i < n; ++i)
      corners[i] = surface.vertices[piece[i]].X;
    return closest(X, piece, n, corners).distance < distance;
  });
}
}  // namespace

/// Where boundaries meet at a node, the surface around an axis overlaps the other one. What is so near it counts as if it had the node,
/// too: neighbours do not touch each other.
void ContactPart::leave_out_neighbours(ProxySurface &surface) const
{
  const std::map<std::int64_t, Place> first = nodes_of(cells[0]), second = nodes_of(cells.back());
  constexpr double beside = 1.5;  // tubes of one line that end beyond the node only touch: they are no neighbours that press each other
  const double within = beside * (radii() - clearance) + (entries.inside ? 0. : entries.layer);
  for (const auto &[node, X] : first)
    if (second.count(node) > 0)
      for (ProxySurface::Face &face : surface.faces)
        if (is_within(surface, face, X, within))
          face.corners.push_back(node);
}

/// Between the points of an axis a small obstacle meets nothing.
void ContactPart::check_spacing(const std::vector<MeshFace> &faces) const
{
  if (!has_axes())
    return;
  const dealii::QGauss<1> rule(points);
  double widest = 2. * rule.point(0)[0], length = 0;  // of an element; over the node between two
  for (int q = 1; q < points; ++q)
    widest = std::max(widest, rule.point(q)[0] - rule.point(q - 1)[0]);
  for (const MeshFace &face : faces)
    length = std::max(length, face.size);
  const double apart = widest * dealii::Utilities::MPI::max(length, space->communicator()),
               round = obstacle->obstacle->depth() + radii() - clearance;
  if (!(apart > round))
    return;
  const std::string rule_broken = fmt::format(
      "points along {} are up to {} apart, and '{}' has a radius or rounding of {}, {} with the beam's", fmt::join(boundaries, ", "),
      units.in_length(apart), against, units.in_length(obstacle->obstacle->depth()), units.in_length(round));
  if (apart > 2. * round)
    deck->fail("Points", rule_broken + ": it passes between them. Raise Points, or use more elements");
  log_warning(fmt::format("{}: {}: it sinks in by up to {} before a point touches. Raise Points, or use more elements",
                          deck->where("Points"), rule_broken, units.in_length(round - std::sqrt(round * round - 0.25 * apart * apart))));
}

/// Beside the axis of a beam a face has its vertices as points: those along the axis stand for the area.
ProxySurface ContactPart::faces_and_axes(const ProxyChoice &choice) const
{
  if (!has_axes())
    return make_proxies(cells, choice);
  std::vector<std::vector<BoundaryCell>> with_faces = cells;
  double width = 1e300, shortest = 1e300;
  for (std::size_t side = 0; side < axes.size(); ++side)
    if (axes[side])
    {
      with_faces[side].clear();
      width = axes[side]->width;
      for (const BoundaryCell &cell : cells[side])
        shortest = std::min(shortest, length(difference(cell.X[cell.degree], cell.X[0])) / cell.degree);
    }
  ProxySurface surface = make_proxies(with_faces, choice);
  constexpr double of_barrier = 0.1, of_others = 1e-3;  // a barrier of a small weight is a wall; other laws give forces of areas
  surface.least_part = law->is_barrier() ? of_barrier : of_others;
  take_vertices_as_points(surface, across_axis(shortest, width));
  for (std::size_t side = 0; side < axes.size(); ++side)
    if (axes[side])
      add_axes(cells[side], int(side), choice, surface);
  leave_out_neighbours(surface);
  return surface;
}

/// Against a surface that has no layer below it: the tube around the axis makes distances from both sides of a gap.
std::shared_ptr<TouchingTerm> ContactPart::around_axes(const PlannedSites &sites, const Surface &surface) const
{
  constexpr double of_cell = 0.5;
  const double tube = radii() - clearance + touching(surface.height), layer_here = entries.inside && law->is_barrier() ? entries.layer : 0.;
  const double deep = std::min(of_cell * surface.height, of_cell * tube);
  if (!(tube > 0.))
    deck->fail("Clearance", fmt::format("= {} leaves no thickness: the axes would touch. Make it smaller than {}",
                                        units.in_length(clearance), units.in_length(radii())));
  if (layer_here > tube)
    deck->fail("Layer", fmt::format("= {} is more than the {} of the axes from what they touch. Make it thinner, or set Side = "
                                    "outside",
                                    units.in_length(layer_here), units.in_length(tube)));
  check_both_faces(-deep);
  const auto pair = std::make_shared<PairTerm>(TouchingSurfaces{called, boundaries[0], boundaries[1], law, proxies(sites, 0.), tube,
                                                                surface.size, axes[0] && axes[1] ? 0.5 : 1., -deep},
                                               space);
  start_search(*pair, radii());
  return pair;
}
}  // namespace symdyn
