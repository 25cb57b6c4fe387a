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

void ContactPart::check_start_entries() const
{
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
  if (at_begin == "shrink" && law_name == "tied")
    deck->fail("Start", "shrink has no effect with Law = tied, which bears no stress at the start. Remove the entry");
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
  if (law_name == "hard" || law_name == "tied")
    p.fail("Law", fmt::format("{} is of Pairing = segments. Set that in place of Points = nodes", law_name));
}

/// Those of the set that are nodes of the first boundary.
std::set<std::int64_t> ContactPart::nodes_to_adjust(const BodySurface &surface, const std::set<std::int64_t> &of_first) const
{
  std::set<std::int64_t> both;
  try
  {
    for (const std::int64_t node : surface.named(adjusted))
      if (of_first.count(node) > 0)
        both.insert(node);
  }
  catch (const InputError &error)
  {
    deck->fail("Adjust nodes", error.what());
  }
  if (both.empty())
    deck->fail("Adjust nodes", fmt::format("'{}' has no node of {}, whose nodes are moved onto {}. Look at the order of Between", adjusted,
                                           between[0], between[1]));
  return both;
}

/// Of the nodes of the first boundary, on faces of the second: within Tolerance, or at any distance for a set of nodes.
std::vector<TiedNode> ContactPart::feet_of(const BodySurface &surface, const std::vector<std::vector<SurfaceFace>> &faces,
                                           const double usual) const
{
  double across = 0;  // more than the distance of any two nodes
  for (const auto &side : faces)
    for (const SurfaceFace &face : side)
      for (const Place &x : face.X)
        across = std::max(across, 2. * length(difference(x, faces[0][0].X[0])));
  const double within = adjusted.empty() ? number_from<double>(tolerance).value_or(usual) : across;
  std::vector<TiedNode> near =
      Registry<TieMethod>::instance().make("nodes")->tie({surface.dimension(), faces[0], faces[1], within, surface.communicator()});
  if (near.empty() && adjusted.empty())
    deck->fail("Start",
               fmt::format("no node of {} is within Tolerance = {:.4g} m of {}. Raise Tolerance, or look at the names of the boundaries",
                           between[0], within, between[1]));
  return near;
}

/// As tied nodes are: by interpolation on the face that is nearest.
bool ContactPart::adjust(BodySurface &surface)
{
  if (at_begin != "adjust")
    return false;
  std::vector<std::vector<SurfaceFace>> faces;
  std::map<std::int64_t, Place> X;
  for (const std::string &name : between)
    try
    {
      faces.push_back(surface.faces({name}));
      for (const SurfaceFace &face : faces.back())
        for (std::size_t a = 0; a < face.nodes.size(); ++a)
          X[face.nodes[a]] = face.X[a];
    }
    catch (const InputError &error)
    {
      deck->fail("Start", fmt::format("adjust is of two boundaries, and {}", error.what()));
    }
  constexpr double part_of_face = 0.025, same_place = 1e-12;
  std::set<std::int64_t> of_first;
  for (const SurfaceFace &face : faces[0])
    of_first.insert(face.nodes.begin(), face.nodes.end());
  if (!adjusted.empty())
    of_first = nodes_to_adjust(surface, of_first);
  const double size = mean_size(faces[0], surface.dimension());
  std::vector<TiedNode> near = feet_of(surface, faces, part_of_face * size);
  near.erase(std::remove_if(near.begin(), near.end(), [&](const TiedNode &one) { return of_first.count(one.node) == 0; }), near.end());
  if (near.empty())
    deck->fail("Adjust nodes",
               fmt::format("no node of '{}' stands before a face of {}. Look at the names of the boundaries", adjusted, between[1]));
  const std::vector<std::pair<std::int64_t, Place>> moved = led_places(near, X);
  double largest = 0;
  for (const auto &[node, x] : moved)
    largest = std::max(largest, length(difference(x, X.at(node))));
  largest_move = std::max(largest_move, largest);
  left = of_first.size() - moved.size();
  if (!(largest > same_place * (size + length(moved.front().second))))
    return false;
  surface.move(moved);
  return true;
}

/// Each rank that has a node of the boundaries knows the nodes of all faces of them, for points of all cells at them.
void ContactPart::join_boundaries(SitePlan &plan)
{
  if (boundaries.size() > 2)
    deck->fail("Between", fmt::format("names {} boundaries and no obstacle. Give each pair a section, or name one that touches itself",
                                      boundaries.size()));
  if ((is_hard || law_name == "tied") && law_name != "barrier" && !deck->given("Pairing"))
    pairing = "segments";
  if (of_nodes && boundaries.size() < 2)
    deck->fail("Points", "nodes are of two boundaries: what touches itself has a number of points");
  if (by_segments() && boundaries.size() < 2)
    deck->fail("Pairing", "segments are of two boundaries: what touches itself has Pairing = points");
  if (!by_segments() && deck->given("Damping"))
    deck->fail("Damping", "of two boundaries is of Pairing = segments. Set that, or take the section Damping");
  if (!by_segments() && at_begin == "shrink")
    deck->fail("Start", "shrink is of Pairing = segments, or Points = nodes. Set one of them");
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
  refuse_ties_of_the_pair();
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
  // By a penalty, bodies that touch are closed, so that one that lies on another is held in static stages.
  const double touching = law_name == "linear" || law_name == "hard" || law_name == "tension" ? 1e-10 : 0.;
  SegmentPair given{called,
                    boundaries[0],
                    boundaries[1],
                    law,
                    side(0),
                    side(1),
                    clearance - touching * surface.height,
                    surface.size,
                    surface.height,
                    points,
                    of_nodes,
                    deep_of_hard * surface.height,
                    {},
                    {}};
  if (overlap > 0.)
    given.fading = [this] { return actions->begun ? overlap * (1. - actions->motion()) : overlap; };
  if (friction > 0.)
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
    log_warning(
        fmt::format("{}: shrink has no effect: {} and {} do not overlap at the start", deck->where("Start"), boundaries[0], against));
    return;
  }
  overlap = deepest;
  term = between_boundaries(sites, surface);
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
  const ProxyChoice choice = proxy_choice(sites, depth);
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

std::unique_ptr<const SegmentSurface> ContactPart::surface_to_draw(const PlannedSites &sites) const
{
  std::vector<BoundaryCell> owned;
  for (const BoundaryCell &cell : body->boundary_cells(boundaries))
  {
    const std::vector<std::int64_t> nodes = nodes_on(cell);
    const bool known = std::all_of(nodes.begin(), nodes.end(), [&](const std::int64_t node) { return sites.local(node) >= 0; });
    if (known && sites.owns(*std::min_element(nodes.begin(), nodes.end())))
      owned.push_back(cell);
  }
  return std::make_unique<const SegmentSurface>(
      owned, [&](const std::int64_t node) { return sites.local(node); }, [](std::int64_t) { return true; });
}

void ContactPart::draw_surfaces(const State &state, NodeFrame &frame) const
{
  Vector sums = space->new_vector();
  if (!is_off())
    term->add_pressures(state.q, TermHistories::of(state, number_of_term), sums);
  sums.compress(dealii::VectorOperation::add);
  sums.update_ghost_values();
  const std::size_t field = frame.field("contact_pressure", 1);
  for (const Facet &facet : facets_of(drawn->faces, n))
  {
    constexpr std::uint8_t vtk_line = 3, vtk_polygon = 7;
    const SurfaceFace &face = drawn->faces[facet.face];
    frame.add_cell(n == 2 ? vtk_line : vtk_polygon, facet.x.size());
    std::vector<double> N(face.nodes.size());
    for (std::size_t corner = 0; corner < facet.x.size(); ++corner)
    {
      face.shape->evaluate(facet.s[corner], N.data(), nullptr);
      Place u{};
      double pressure = 0.;
      for (std::size_t a = 0; a < N.size(); ++a)
      {
        const std::size_t first = n * face.nodes[a];
        for (int d = 0; d < n; ++d)
          u[d] += N[a] * state.q.local_element(first + d);
        if (const double area = sums.local_element(first + 1); area > 0.)
          pressure += N[a] * sums.local_element(first) / area;
      }
      for (int d = 0; d < 3; ++d)
      {
        frame.places.values.push_back(facet.x[corner][d]);
        frame.fields[0].values.push_back(u[d]);
      }
      frame.fields[field].values.push_back(std::max(pressure, 0.));
    }
  }
}
}  // namespace symdyn
