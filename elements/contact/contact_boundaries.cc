#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <stdexcept>

#include "elements/contact/contact_part.h"
#include "elements/contact/pair_term.h"
#include "elements/contact/segment_term.h"
#include "solver/base/together.h"
#include "solver/error.h"

// Contacts of boundaries with each other.
namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

/// Each rank that has a node of the boundaries knows the nodes of all faces of them, for points of all cells at them.
void ContactPart::join_boundaries(SitePlan &plan)
{
  if (boundaries.size() > 2)
    deck->fail("Between", fmt::format("names {} boundaries and no obstacle. Give each pair a section, or name one that touches itself",
                                      boundaries.size()));
  if (by_segments() && boundaries.size() < 2)
    deck->fail("Pairing", "segments are of two boundaries: what touches itself has Pairing = points");
  if (!by_segments() && points < 2)
    deck->fail("Points", "of boundaries with each other is at least 2: their corners are points, too");
  if (!by_segments() && law_name != "barrier")
    deck->fail("Law", "of points of boundaries with each other is barrier. Set Law = barrier, or Pairing = segments");
  against = boundaries.size() == 2 ? boundaries[1] : "itself";
  if (!plan.shared<Obstacles>()
           .pairs.emplace(std::min(boundaries[0], boundaries.back()), std::max(boundaries[0], boundaries.back()))
           .second)
    deck->fail("Between", fmt::format("another contact has '{}' and '{}', too: their pressures would add up. Remove one of both",
                                      boundaries[0], against));
  std::set<std::int64_t> nodes;
  for (const std::string &name : boundaries)
  {
    cells.push_back(body->boundary_cells({name}));
    for (const BoundaryCell &cell : cells.back())
    {
      const std::vector<std::int64_t> known = by_segments() ? nodes_on(cell) : cell.nodes;
      nodes.insert(known.begin(), known.end());
    }
  }
  std::set<std::pair<std::vector<std::int64_t>, std::pair<Place, std::array<Place, 2>>>> faces;
  for (const std::vector<BoundaryCell> &side : cells)
    for (const BoundaryCell &one : side)
      if (!faces.insert({one.nodes, {one.origin, one.axis}}).second)
        deck->fail("Between", fmt::format("'{}' and '{}' share faces. Give each face to one of both", boundaries[0], boundaries[1]));
  plan.join({nodes.begin(), nodes.end()});
}

std::shared_ptr<TouchingTerm> ContactPart::segments(const PlannedSites &sites, const Surface &surface) const
{
  std::array<std::vector<BoundaryCell>, 2> known{cells[0], cells[1]};
  for (const auto &side : cells)
    for (const BoundaryCell &cell : side)
      for (const std::int64_t node : nodes_on(cell))
        if (sites.local(node) < 0)
          known = {};
  const auto side = [&](const int i) {
    return SegmentSurface(
        known[i], [&](const std::int64_t node) { return sites.local(node); }, [&](const std::int64_t node) { return sites.owns(node); });
  };
  // By a penalty, bodies that touch are closed, so that one that lies on another is held in static stages.
  const double touching = law_name == "linear" ? 1e-10 : 0.;
  const auto pair = std::make_shared<SegmentTerm>(SegmentPair{called, boundaries[0], boundaries[1], law, side(0), side(1),
                                                              clearance - touching * surface.height, surface.size, surface.height, points},
                                                  space);
  Vector q = space->new_vector();
  q.update_ghost_values();
  pair->search(q);
  return pair;
}

std::shared_ptr<TouchingTerm> ContactPart::between_boundaries(const PlannedSites &sites, const Surface &surface) const
{
  if (by_segments())
    return segments(sites, surface);
  constexpr double of_cell = 0.3;
  const double layer_here = entries.inside ? entries.layer : 0., depth = 0.5 * (layer_here + clearance);
  if (depth > of_cell * surface.height)
    deck->fail(
        entries.inside ? "Layer" : "Clearance",
        fmt::format("makes a layer of {:.4g} m{}, and {:.2g} of the height of the cells behind the boundaries is the most: {:.4g} m. {}",
                    2. * depth, clearance == 0. ? "" : " with Clearance", 2. * of_cell, 2. * of_cell * surface.height,
                    layer == "auto" && entries.inside ? "Lower Time step or Largest speed, or set Side = outside"
                                                      : "Make it thinner, or set Side = outside"));
  const auto pair = std::make_shared<PairTerm>(TouchingSurfaces{called, boundaries[0], boundaries.size() == 2 ? boundaries[1] : "", law,
                                                                proxies(sites, depth), layer_here, surface.size},
                                               space);
  Vector q = space->new_vector();
  q.update_ghost_values();
  pair->search(q);
  if (const auto [behind, at] = pair->overlap(q); behind > 0.)
    deck->fail("Between", fmt::format("{} is {:.4g} m behind {} at ({:.4g}, {:.4g}, {:.4g}) m at the start. Move one of both, or look at "
                                      "the names of the boundaries",
                                      boundaries[0], behind + clearance + layer_here, against, at[0], at[1], at[2]));
  return pair;
}

/// Of no faces, where this rank does not know the nodes.
ProxySurface ContactPart::proxies(const PlannedSites &sites, const double depth) const
{
  ProxyChoice choice;
  choice.dim = n;
  choice.points = points;
  choice.depth = depth;
  choice.local = [&](const std::int64_t node) { return sites.local(node); };
  choice.owned = [&](const std::int64_t node) { return sites.owns(node); };
  const bool known = std::all_of(cells.begin(), cells.end(), [&](const auto &side) {
    return std::all_of(side.begin(), side.end(), [&](const BoundaryCell &cell) {
      return std::all_of(cell.nodes.begin(), cell.nodes.end(), [&](const std::int64_t node) { return sites.local(node) >= 0; });
    });
  });
  ProxySurface surface;
  surface.dim = n;
  std::string fault;
  try
  {
    if (known)
      surface = make_proxies(cells, choice);
  }
  catch (const std::domain_error &thin)
  {
    fault = fmt::format("{}: at {} the cell behind the boundary is too thin for {:.4g} m. Make the layer thinner, or set Side = outside",
                        deck->where(entries.inside ? "Layer" : "Clearance"), thin.what(), depth);
  }
  throw_collectively<InputError>(fault, space->communicator());
  return surface;
}
}  // namespace symdyn
