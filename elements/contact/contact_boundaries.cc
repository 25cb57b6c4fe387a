#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>

#include "elements/contact/contact_part.h"
#include "elements/contact/pair_term.h"
#include "elements/contact/segment_term.h"
#include "elements/contact/tied_term.h"
#include "elements/files/node_files.h"
#include "elements/term_histories.h"
#include "elements/ties/tie_method.h"
#include "solver/actions.h"
#include "solver/base/log.h"
#include "solver/base/number.h"
#include "solver/base/together.h"
#include "solver/error.h"

// Contacts of boundaries with each other.
namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

bool ContactPart::acts_in_first_stage() const
{
  const Parameters stages = deck->root().section("Stages");
  const std::vector<std::string> names = stages.named_sections();
  if (names.empty())
    return true;
  std::vector<std::string> acting;
  Parameters first = stages.section(names.front());
  first.add("Contact", acting, "");
  return acting.empty() || acting.front() == "all" || std::count(acting.begin(), acting.end(), called) > 0;
}

void ContactPart::check_start_entries() const
{
  if (at_begin == "shrink" && !acts_in_first_stage())
    deck->fail("Start", "shrink is of the first stage, in which this contact does not act. Let it act there, or set Start = adjust");
  if (const auto number = number_from<double>(tolerance); tolerance != "auto" && !(number && *number > 0.))
    deck->fail("Tolerance", "must be a number > 0 [m], or `auto`");
  if (at_begin != "adjust" && deck->given("Tolerance"))
    deck->fail("Tolerance", "has no effect without Start = adjust. Remove the entry");
  if (at_begin != "adjust" && deck->given("Adjust nodes"))
    deck->fail("Adjust nodes", "has no effect without Start = adjust. Remove the entry");
  if (deck->given("Adjust nodes") && deck->given("Tolerance"))
    deck->fail("Tolerance", "has no effect beside Adjust nodes, which are moved at any distance. Remove one of both");
  if (at_begin == "adjust" && between.size() != 2)
    deck->fail("Start", "adjust is of two boundaries: the nodes of the first are moved onto the second");
  if (at_begin == "shrink" && law->holds())
    deck->fail("Start", fmt::format("shrink has no effect with Law = {}, which bears no stress at the start. Remove the entry", law_name));
  if (at_begin == "clearance" && law->holds())
    deck->fail("Start", fmt::format("clearance has no effect with Law = {}. Remove the entry", law_name));
  if (at_begin != "shrink")
    return;
  const Parameters stages = deck->root().section("Stages");
  const std::vector<std::string> names = stages.named_sections();
  std::string first = "dynamic";
  if (!names.empty())
    stages.section(names.front()).add("Type", first, "");
  if (first != "static")
    deck->fail("Start",
               fmt::format("shrink is of decks whose first stage is static, and this one is {}: the overlap comes in its increments. "
                           "Begin with a static stage",
                           first));
}

void ContactPart::choose_points(const Parameters &p)
{
  constexpr int most = 16;
  of_nodes = points_given == "nodes";
  if (!of_nodes)
  {
    const auto number = number_from<int>(points_given);
    if (!number || *number < 1 || *number > most)
      p.fail("Points", fmt::format("must be a number from 1 to {}, or `nodes`", most));
    points = *number;
    return;
  }
  if (pairing == "segments")
    p.fail("Points", "nodes are points, and not of Pairing = segments. Remove one of both");
  if (asked->has_multipliers() || law->holds())
    p.fail("Law", fmt::format("{} is of Pairing = segments. Set that in place of Points = nodes", asked_name));
}

/// `all` is every pair of boundaries, without beams.
void ContactPart::refuse_other_contacts(const Obstacles &obstacles) const
{
  if (whole && boundaries.size() > 1)
    deck->fail("Between", "`all` is the whole surface, which touches itself. Name nothing beside it, or an obstacle");
  if (has_axes())
    return;
  for (const auto &[first, second] : obstacles.pairs)
    if (obstacles.all.count(second) == 0 && (whole || first == "all") && !axis_of(first) && !axis_of(second))
      deck->fail("Between",
                 fmt::format("another contact has '{}' and '{}': `all` is every pair of boundaries, and their pressures would add "
                             "up. Remove one of both",
                             first, second));
}

void ContactPart::refuse_shared_faces(const std::vector<std::vector<BoundaryCell>> &of_boundaries) const
{
  std::map<std::pair<std::vector<std::int64_t>, std::pair<Place, std::array<Place, 2>>>, std::size_t> faces;
  for (std::size_t side = 0; side < of_boundaries.size(); ++side)
    for (const BoundaryCell &one : of_boundaries[side])
      if (const auto [known, is_new] = faces.emplace(std::pair{one.nodes, std::pair{one.origin, one.axis}}, side); !is_new)
        deck->fail("Between", fmt::format("'{}' and '{}' share {}. Give each to one of both", boundaries[known->second], boundaries[side],
                                          one.is_axis ? "lines" : "faces"));
}

/// Entries that need nodes of a surface at its faces.
void ContactPart::refuse_of_shells() const
{
  for (const std::string &name : boundaries)
    if (body->has_shell(name) && of_nodes)
      deck->fail("Points", fmt::format("'{}' is a shell, whose faces have no nodes. Set Pairing = segments", name));
    else if (body->has_shell(name) && law->holds())
      deck->fail("Law",
                 fmt::format("{} is of boundaries of solids, and '{}' is a shell. Set Law = linear, hard or barrier", law_name, name));
    else if (body->has_shell(name) && at_begin == "adjust")
      deck->fail("Start", fmt::format("'{}' is a shell, whose nodes no contact moves. Set Clearance, or place it in the mesh", name));
}

/// Each rank that has a node of the boundaries knows the nodes of all faces of them, for points of all cells at them.
void ContactPart::join_boundaries(SitePlan &plan)
{
  if (boundaries.size() > 2)
    deck->fail("Between", fmt::format("names {} boundaries and no obstacle. Give each pair a section, or name one that touches itself",
                                      boundaries.size()));
  refuse_of_axes();
  if ((asked->has_multipliers() || law->holds()) && !law->is_barrier() && !deck->given("Pairing"))
    pairing = "segments";
  refuse_of_shells();
  if (of_nodes && boundaries.size() < 2)
    deck->fail("Points", "nodes are of two boundaries: what touches itself has a number of points");
  if (by_segments() && boundaries.size() < 2)
    deck->fail("Pairing", "segments are of two boundaries: what touches itself has Pairing = points");
  if (!by_segments() && deck->given("Damping"))
    deck->fail("Damping", "of two boundaries is of Pairing = segments. Set that, or take the section Damping");
  if (!by_segments() && (at_begin == "shrink" || at_begin == "clearance"))
    deck->fail("Start", at_begin + " is of Pairing = segments, or Points = nodes. Set one of them");
  if (!by_segments() && points < 2)
    deck->fail("Points", "of boundaries with each other is at least 2: their corners are points, too");
  if (!by_segments() && !law->is_barrier() && !has_axes())
    deck->fail("Law", "of points of boundaries with each other is barrier. Set Law = barrier, or Pairing = segments");
  against = boundaries.size() == 2 ? boundaries[1] : "itself";
  refuse_other_contacts(plan.shared<Obstacles>());
  if (!plan.shared<Obstacles>()
           .pairs.emplace(std::min(boundaries[0], boundaries.back()), std::max(boundaries[0], boundaries.back()))
           .second)
    deck->fail("Between", fmt::format("another contact has '{}' and '{}', too: their pressures would add up. Remove one of both",
                                      boundaries[0], against));
  refuse_ties_of_the_pair();
  std::set<std::int64_t> nodes;
  for (const std::string &name : boundaries)
  {
    cells.push_back(cells_of(name));
    for (const BoundaryCell &cell : cells.back())
    {
      const std::vector<std::int64_t> known = by_segments() ? nodes_on(cell) : cell.nodes;
      nodes.insert(known.begin(), known.end());
    }
  }
  refuse_shared_faces(cells);
  plan.join({nodes.begin(), nodes.end()});
}

std::shared_ptr<TouchingTerm> ContactPart::tied(const Surface &surface, std::array<SegmentSurface, 2> sides) const
{
  constexpr double of_face = 0.5;
  const double k = law->stiffness();
  return std::make_shared<TiedTerm>(TiedPair{called, k, number_from<double>(stick_slope).value_or(k), std::move(sides[0]),
                                             std::move(sides[1]), of_face * surface.size, surface.height, points},
                                    space);
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
  if (law->holds())
    return tied(surface, {side(0), side(1)});
  SegmentPair given{called,
                    boundaries[0],
                    boundaries[1],
                    law,
                    side(0),
                    side(1),
                    clearance - touching(surface.height),
                    surface.size,
                    surface.height,
                    points,
                    of_nodes,
                    sites_alone(sites),
                    deep_of_hard * surface.height,
                    {},
                    {},
                    at_begin == "clearance"};
  if (overlap > 0.)
    given.fading = [this] { return actions->begun ? 1. - actions->motion() : 1.; };
  if (largest_friction() > 0.)
    given.rubbing = make_proxies({known[0], known[1]}, proxy_choice(sites, 0.));
  const auto pair = std::make_shared<SegmentTerm>(std::move(given), space);
  Vector q = space->new_vector();
  q.update_ghost_values();
  pair->search(q);
  return pair;
}

/// What is beyond rounding of the gap at the start. The first stage takes it in as it takes prescribed motion.
void ContactPart::take_overlap_back(const PlannedSites &sites, const Surface &surface)
{
  constexpr double rounding = 1e-6;
  const double deepest = -sums(*term, at_start(space->new_vector()), nullptr).gap;
  if (!(deepest > rounding * surface.height))
  {
    log_line(fmt::format("contact {}: {} and {} do not overlap at the start: nothing shrinks", called, boundaries[0], against));
    return;
  }
  overlap = deepest;
  term = between_boundaries(sites, surface);
}

std::shared_ptr<TouchingTerm> ContactPart::between_boundaries(const PlannedSites &sites, const Surface &surface) const
{
  constexpr double of_thickness = 0.25;  // more, and the far faces of two shells look as if they were deep in each other
  const bool is_of_shells = std::any_of(boundaries.begin(), boundaries.end(), [&](const auto &name) { return body->has_shell(name); });
  if (by_segments() && is_of_shells && clearance > of_thickness * surface.height)
    deck->fail("Clearance", fmt::format("of shells by segments is at most a quarter of the smallest thickness: {}. Lower it, or set "
                                        "Pairing = points",
                                        units.in_length(of_thickness * surface.height)));
  if (by_segments())
    return segments(sites, surface);
  if (has_axes())
    return around_axes(sites, surface);
  constexpr double of_cell = 0.3;
  const double layer_here = entries.inside ? entries.layer : 0., depth = 0.5 * (layer_here + clearance);
  if (depth > of_cell * surface.height)
    deck->fail(entries.inside ? "Layer" : "Clearance",
               fmt::format("makes a layer of {}{}, and {:.2g} of the height of the cells behind the boundaries is the most: {}. {}",
                           units.in_length(2. * depth), clearance == 0. ? "" : " with Clearance", 2. * of_cell,
                           units.in_length(2. * of_cell * surface.height),
                           layer == "auto" && entries.inside ? "Lower Time step or Largest speed, or set Side = outside"
                                                             : "Make it thinner, or set Side = outside"));
  const auto pair = std::make_shared<PairTerm>(TouchingSurfaces{called, boundaries[0], boundaries.size() == 2 ? boundaries[1] : "", law,
                                                                proxies(sites, depth), layer_here, surface.size},
                                               space);
  start_search(*pair, clearance + layer_here);
  return pair;
}

/// `apart`: from each other, in all, do places stand where distances are measured [m].
void ContactPart::start_search(PairTerm &pair, const double apart) const
{
  Vector q = space->new_vector();
  q.update_ghost_values();
  pair.search(q);
  const auto [behind, at] = pair.overlap(q);
  constexpr double touching = 1e-9;  // of the body
  if (!(behind > 0.))
    return;
  if (apart == 0. && behind < touching * body_size)
    deck->fail("Side",
               fmt::format("outside is of bodies that do not touch at the start, and {} touches {} at {}. Set Side = inside, or give "
                           "a Clearance",
                           boundaries[0], against, units.at_place(at)));
  deck->fail("Between", fmt::format("{} is {} behind {} at {} at the start. Move one of both, set Start = adjust with a Tolerance of more "
                                    "than that (its nodes are moved), or look at the names of the boundaries",
                                    boundaries[0], units.in_length(behind + apart), against, units.at_place(at)));
}

ProxyChoice ContactPart::proxy_choice(const PlannedSites &sites, const double depth) const
{
  constexpr int beside_segments = 3;  // a direction of each face: corners, edges, and its middle
  ProxyChoice choice;
  choice.dim = n;
  choice.points = by_segments() ? beside_segments : points;
  choice.depth = depth;
  choice.local = [&](const std::int64_t node) { return sites.local(node); };
  choice.owned = [&](const std::int64_t node) { return sites.owns(node); };
  return choice;
}

/// Of no faces, where this rank does not know the nodes.
ProxySurface ContactPart::proxies(const PlannedSites &sites, const double depth) const
{
  ProxyChoice choice = proxy_choice(sites, depth);
  choice.one_point_a_place = boundaries.size() == 2;
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
      surface = faces_and_axes(choice);
  }
  catch (const std::domain_error &thin)
  {
    fault = fmt::format("{}: at {} the cell behind the boundary is too thin for {}. Make the layer thinner, or set Side = outside",
                        deck->where(entries.inside ? "Layer" : "Clearance"), thin.what(), units.in_length(depth));
  }
  throw_collectively<InputError>(fault, space->communicator());
  return surface;
}

}  // namespace symdyn
