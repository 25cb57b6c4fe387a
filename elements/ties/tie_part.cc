#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "elements/space/boundary_names.h"
#include "elements/structure_part.h"
#include "elements/surfaces/box_search.h"
#include "elements/surfaces/facet.h"
#include "elements/ties/tie_method.h"
#include "solver/base/log.h"
#include "solver/base/names.h"
#include "solver/base/number.h"
#include "solver/base/units.h"
#include "solver/error.h"

// The section Ties of a deck.
namespace symdyn
{
namespace
{
constexpr double auto_tolerance = 0.025;  ///< of the mean size of a face
constexpr double same_place = 1e-12;      ///< of the size of the surfaces

class TiePart : public StructurePart, public MovesNodes
{
public:
  void declare(const std::string &name, Parameters &p) override;
  bool adjust(BodySurface &surface) override;
  void plan(SitePlan &plan) override;
  PartInSystem build(const PlannedSites &sites) override;
  bool has_elements() const override { return false; }
  std::string description() const override { return words; }

private:
  void find(BodySurface &surface, const std::vector<SurfaceFace> &of_dependent, const std::vector<SurfaceFace> &of_independent);
  void report_missed(const std::map<std::int64_t, Place> &nodes) const;
  bool move(BodySurface &surface, const std::map<std::int64_t, Place> &X);
  [[noreturn]] void fail_apart(const BodySurface &surface, const std::vector<SurfaceFace> &a, const std::vector<SurfaceFace> &b) const;

  std::optional<Parameters> deck;
  Units units;
  std::string called, tolerance_given = "auto", method = "mortar";
  std::vector<std::string> dependent, independent;
  bool adjusts = true, found = false, warned = false;

  double tolerance = 0, size = 0, largest_move = 0;
  std::vector<TiedNode> tied;
  std::string words;
};

/// Nodes of all ties, and which ties follow nodes that others move.
struct NodesOfTies
{
  std::map<std::int64_t, std::string> tie_of;            ///< of dependent nodes
  std::map<std::int64_t, std::set<std::string>> led_by;  ///< ties that a node leads
  std::map<std::string, std::set<std::string>> behind;   ///< of a tie: those whose dependent nodes lead it

  bool follows(const std::string &tie, const std::string &other) const
  {
    const auto found = behind.find(tie);
    return found != behind.end() && std::any_of(found->second.begin(), found->second.end(),
                                                [&](const std::string &next) { return next == other || follows(next, other); });
  }
};

std::map<std::int64_t, Place> nodes_of(const std::vector<SurfaceFace> &faces)
{
  std::map<std::int64_t, Place> nodes;
  for (const SurfaceFace &face : faces)
    for (std::size_t a = 0; a < face.nodes.size(); ++a)
      nodes[face.nodes[a]] = face.X[a];
  return nodes;
}

std::string in_words(const Place &x) { return fmt::format("({:.4g}, {:.4g}, {:.4g})", x[0], x[1], x[2]); }

void TiePart::declare(const std::string &name, Parameters &p)
{
  called = name;
  deck = p;
  units = Units::of(p.root());
  p.add("Dependent", dependent, "boundaries whose nodes follow the other side: those of the finer mesh, or of the softer body");
  p.add("Independent", independent, "boundaries that lead");
  p.add("Tolerance", tolerance_given,
        "what is further from the other side is not tied [m]; auto: 2.5 % of the mean size of a face of Dependent");
  p.add("Adjust", adjusts,
        "yes: tied nodes of Dependent are moved onto the other side before anything is computed, free of stress; no: an initial gap "
        "stays, and causes stress under rotation. A move of more than twice Tolerance is refused");
  p.add("Method", method,
        "mortar: by integrals over both sides, passes the patch test; nodes: by interpolation at each node, as CalculiX's *TIE",
        Registry<TieMethod>::instance().names());
  if (dependent.empty() || independent.empty())
    p.fail(dependent.empty() ? "Dependent" : "Independent", "a tie needs boundaries on both sides");
  for (const std::string &one : dependent)
    if (std::count(independent.begin(), independent.end(), one) > 0)
      p.fail("Independent", fmt::format("'{}' stands on both sides. A boundary cannot be tied to itself", one));
  refuse_repeated(p, "Dependent", dependent);
  refuse_repeated(p, "Independent", independent);
  const auto number = number_from<double>(tolerance_given);
  if (tolerance_given != "auto" && !(number && *number > 0.))
    p.fail("Tolerance", "must be a number > 0, or `auto`");
  tolerance = number.value_or(0.);
}

bool TiePart::adjust(BodySurface &surface)
{
  const auto faces = [&](const char *entry, const std::vector<std::string> &names) {
    try
    {
      return surface.faces(names);
    }
    catch (const InputError &error)
    {
      deck->fail(entry, error.what());
    }
  };
  const std::vector<SurfaceFace> of_dependent = faces("Dependent", dependent), of_independent = faces("Independent", independent);
  if (of_dependent.empty() || of_independent.empty())
    deck->fail(of_dependent.empty() ? "Dependent" : "Independent", "has no faces");
  if (!found)
    find(surface, of_dependent, of_independent);
  std::map<std::int64_t, Place> X = nodes_of(of_dependent);
  X.merge(nodes_of(of_independent));
  return move(surface, X);
}

void TiePart::find(BodySurface &surface, const std::vector<SurfaceFace> &of_dependent, const std::vector<SurfaceFace> &of_independent)
{
  found = true;
  const double face = mean_size(of_dependent, surface.dimension());
  if (tolerance_given == "auto")
    tolerance = auto_tolerance * face;
  const std::map<std::int64_t, Place> nodes = nodes_of(of_dependent), others = nodes_of(of_independent);
  Place lower = nodes.begin()->second, upper = lower;
  for (const auto &entry : nodes)
    for (int d = 0; d < 3; ++d)
    {
      lower[d] = std::min(lower[d], entry.second[d]);
      upper[d] = std::max(upper[d], entry.second[d]);
    }
  if (constexpr double much = 0.5; tolerance > much * face)
    log_warning(
        fmt::format("{}: Tolerance = {} is more than half a face ({}): cells at the tie may be distorted, and surfaces be tied "
                    "that do not touch",
                    deck->where("Tolerance"), units.in_length(tolerance), units.in_length(face)));
  size = length(difference(upper, lower)) + length(upper);  // places round as they are far from the origin
  tied = Registry<TieMethod>::instance().make(method)->tie(
      {surface.dimension(), of_dependent, of_independent, tolerance, surface.communicator()});
  // A node of both sides leads itself.
  tied.erase(std::remove_if(tied.begin(), tied.end(), [&](const TiedNode &one) { return others.count(one.node) > 0; }), tied.end());
  if (tied.empty())
    fail_apart(surface, of_dependent, of_independent);
  std::map<std::int64_t, Place> missed = nodes;
  for (const TiedNode &one : tied)
    missed.erase(one.node);
  for (const auto &entry : others)
    missed.erase(entry.first);
  if (!missed.empty())
    report_missed(missed);
  words = fmt::format("{} ({} faces) follows {} ({} faces), {} of {} nodes tied by {}, tolerance {}", fmt::join(dependent, ", "),
                      of_dependent.size(), fmt::join(independent, ", "), of_independent.size(), tied.size(), nodes.size(),
                      method == "mortar" ? "mortar" : "interpolation at nodes", units.in_length(tolerance));
}

void TiePart::report_missed(const std::map<std::int64_t, Place> &nodes) const
{
  constexpr std::size_t shown = 5;
  std::set<Place> places;  // an order that knows nothing of ranks
  for (const auto &entry : nodes)
    places.insert(entry.second);
  std::vector<std::string> list;
  for (const Place &x : places)
    if (list.size() < shown)
      list.push_back(in_words(x));
  log_warning(fmt::format("{}: {} nodes of {} have nothing of {} within Tolerance = {} and are not tied: at {}{}{}", deck->where(),
                          nodes.size(), fmt::join(dependent, ", "), fmt::join(independent, ", "), units.in_length(tolerance),
                          fmt::join(list, ", "), places.size() > shown ? ", ..." : "", Units::after(units.length)));
}

void TiePart::fail_apart(const BodySurface &surface, const std::vector<SurfaceFace> &a, const std::vector<SurfaceFace> &b) const
{
  const std::vector<Facet> ours = facets_of(a, surface.dimension()), theirs = facets_of(b, surface.dimension());
  const BoxSearch search(boxes_of(theirs));
  double least = std::numeric_limits<double>::max();
  const Facet *one = nullptr, *other = nullptr;
  for (double reach = 2. * tolerance; !one && reach < least; reach *= 2.)
    for (const Facet &f : ours)
      for (const int g : search.near({f.middle}, reach))
        if (const double distance = length(difference(f.middle, theirs[g].middle)); distance < least)
        {
          least = distance;
          one = &f;
          other = &theirs[g];
        }
  const double gap = std::abs(dot(difference(other->middle, one->middle), one->normal));
  const std::string why =
      dot(one->normal, other->normal) > -0.5 ? "do not face each other: name other boundaries"
      : gap <= tolerance
          ? "are beside each other: move a body along the surface, or name other boundaries"
          : fmt::format("are {} apart along the normal: set a larger Tolerance, or name other boundaries", units.in_length(gap));
  deck->fail("Tolerance", fmt::format("no node of {} is within {} of {}. The nearest faces, at {} and {}{}, {}", fmt::join(dependent, ", "),
                                      units.in_length(tolerance), fmt::join(independent, ", "), in_words(one->middle),
                                      in_words(other->middle), Units::after(units.length), why));
}

/// X of tied nodes becomes what their relation says, so that u and X obey the same one: rotations are free of stress.
bool TiePart::move(BodySurface &surface, const std::map<std::int64_t, Place> &X)
{
  const std::vector<std::pair<std::int64_t, Place>> moved = led_places(tied, X);
  double largest = 0;
  for (const auto &[node, x] : moved)
    largest = std::max(largest, length(difference(x, X.at(node))));
  largest_move = std::max(largest_move, largest);
  if (largest <= same_place * size)
    return false;
  if (!adjusts && warned)
    return false;
  if (!adjusts)
  {
    warned = true;
    log_warning(fmt::format(
        "{}: tied nodes are up to {} from the other side, and Adjust = no: bodies that turn are strained, angular momentum is not kept",
        deck->where(), units.in_length(largest)));
    return false;
  }
  if (largest > 2. * tolerance)
    deck->fail("Adjust", fmt::format("would move a node by {}, more than twice the Tolerance of {}: the surfaces do not fit. Mesh "
                                     "the curved side finer, or set Adjust = no",
                                     units.in_length(largest), units.in_length(tolerance)));
  surface.move(moved);
  return true;
}

void TiePart::plan(SitePlan &plan)
{
  if (!found)
    deck->fail("", "ties are of the boundaries of solids, and the structure has no solid cells");
  auto &ties = plan.shared<NodesOfTies>();
  for (const TiedNode &one : tied)
  {
    if (const auto [other, is_new] = ties.tie_of.emplace(one.node, called); !is_new)
      deck->fail("Dependent",
                 fmt::format("has a node that follows the other side of tie '{}', too. Name each boundary as Dependent in one tie",
                             other->second));
    for (const std::string &follower : ties.led_by[one.node])
      ties.behind[follower].insert(called);
    for (const auto &entry : one.others)
      if (const auto leader = ties.tie_of.find(entry.first); leader != ties.tie_of.end() && leader->second != called)
        ties.behind[called].insert(leader->second);
  }
  for (const TiedNode &one : tied)
    for (const auto &entry : one.others)
      ties.led_by[entry.first].insert(called);
  for (const auto &[tie, ahead] : ties.behind)
    if (tie != called && ahead.count(called) > 0 && ties.follows(called, tie))
      deck->fail("Dependent",
                 fmt::format("leads what it follows, by tie '{}': the tie would be stiffer than the bodies. Give both sides one tie", tie));
}

PartInSystem TiePart::build(const PlannedSites &)
{
  if (largest_move > same_place * size && adjusts)
    words += fmt::format(", largest move {}", units.in_length(largest_move));
  log_line(fmt::format("tie {}: {}", called, words));
  PartInSystem part;
  for (TiedNode &one : tied)
    part.ties.push_back({called, deck->where(), one.node, std::move(one.others)});
  tied.clear();
  return part;
}
SYMDYN_REGISTER(StructurePart, TiePart, "Ties");
}  // namespace
}  // namespace symdyn
