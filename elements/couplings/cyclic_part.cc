#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "elements/gram/director_nodes.h"
#include "elements/structure_part.h"
#include "solver/base/log.h"
#include "solver/base/names.h"
#include "solver/base/number.h"
#include "solver/error.h"

// The section Cyclic symmetry of a deck: nodes of one side of a sector, and those that they come to stand on when it turns.
namespace symdyn
{
namespace
{
constexpr double tolerance_of_size = 1e-4;  ///< of the size of the mesh

class CyclicPart : public StructurePart
{
public:
  void declare(const std::string &name, Parameters &p) override;
  void plan(SitePlan &plan) override;
  void join(SitePlan &plan) override;
  PartInSystem build(const PlannedSites &sites) override;
  bool single() const override { return true; }
  bool has_elements() const override { return false; }
  std::string description() const override { return words; }

private:
  using Nodes = std::vector<MeshPoints::Node>;
  struct Pair
  {
    MeshPoints::Node low, high;
  };
  void take_axis(int dimension);
  Nodes nodes_of(const SitePlan &plan, const char *entry, const std::vector<std::string> &names) const;
  /// Of each node of `from`, turned, the nearest of `to`: its number and distance.
  std::vector<std::pair<std::size_t, double>> nearest(const Nodes &from, const Nodes &to) const;
  void match(Nodes from, Nodes to, double reach);
  /// 0 = u_high - sum of factor Q u_low
  void relate(SitePlan::Site high, const std::vector<std::pair<SitePlan::Site, double>> &low);

  std::optional<Parameters> deck;
  std::vector<std::string> low, high;
  std::vector<double> along{0., 0., 1.}, through;
  std::string shown = "all", tolerance = "auto";
  std::shared_ptr<CyclicSymmetry> whole = std::make_shared<CyclicSymmetry>();
  int dimension = 3;
  std::vector<Pair> pairs;
  std::vector<PartInSystem::Relation> relations;
  std::string words;
};

void CyclicPart::declare(const std::string &, Parameters &p)
{
  constexpr int most = 100000;
  deck = p;
  p.add("Sectors", whole->sectors, "N: the body is one of N equal sectors, each the one before it turned by 360/N degrees",
        between(2, most));
  p.add("Axis", along, "direction of the axis of symmetry; its length does not count. In 2-D it is 0, 0, 1");
  p.add("Point", through, "a point of the axis [m]; default: the origin");
  p.add("Low", low, "boundaries, or sets of nodes, of one side of the sector");
  p.add("High", high,
        "the other side, on which Low comes to stand when it turns by 360/N degrees about Axis (right-handed), or the reverse");
  p.add("Tolerance", tolerance,
        "largest distance of a node from the turned node of the other side [m]; auto: 1e-4 of the size of the mesh");
  p.add("Sectors shown", shown, "sectors in the pictures of modes: a number, or all");
  whole->where = p.where();
  for (const char *entry : {"Sectors", "Low", "High"})
    if (!p.given(entry))
      p.fail("", fmt::format("{} is missing. Give Sectors, Low and High", entry));
  const auto distance = number_from<double>(tolerance);
  if (tolerance != "auto" && !(distance && *distance > 0.))
    p.fail("Tolerance", "must be a number > 0, or `auto`");
  const auto count = shown == "all" ? std::optional(whole->sectors) : number_from<int>(shown);
  if (!count || *count < 1 || *count > whole->sectors)
    p.fail("Sectors shown", fmt::format("must be `all`, or a number from 1 to Sectors = {}", whole->sectors));
  whole->shown = *count;
}

void CyclicPart::take_axis(const int of_mesh)
{
  dimension = of_mesh;
  if (dimension == 1)
    deck->fail("", "a line has no cyclic symmetry. Let the structure have two or three dimensions, or remove the section");
  double square = 0;
  for (const double one : along)
    square += one * one;
  if (along.size() != 3 || !(square > 0.))
    deck->fail("Axis", "needs three numbers, not all zero");
  if (dimension == 2 && (along[0] != 0. || along[1] != 0.))
    deck->fail("Axis", "a plane structure turns about the axis 0, 0, 1");
  through.resize(through.empty() ? dimension : through.size(), 0.);
  if (int(through.size()) != dimension)
    deck->fail("Point", dimension == 2 ? "needs two numbers" : "needs three numbers");
  for (int d = 0; d < 3; ++d)
    whole->axis[d] = along[d] / std::sqrt(square);
  for (int d = 0; d < dimension; ++d)
    whole->point[d] = through[d];
}

CyclicPart::Nodes CyclicPart::nodes_of(const SitePlan &plan, const char *entry, const std::vector<std::string> &names) const
{
  Nodes all;
  for (const std::string &name : names)
    try
    {
      const Nodes found = plan.mesh().on_boundary(name);
      all.insert(all.end(), found.begin(), found.end());
    }
    catch (const InputError &of_boundary)
    {
      try
      {
        const Nodes found = plan.mesh().named(name);
        all.insert(all.end(), found.begin(), found.end());
      }
      catch (const InputError &)
      {
        deck->fail(entry, of_boundary.what());
      }
    }
  std::sort(all.begin(), all.end(), [](const auto &a, const auto &b) { return a.number < b.number; });
  all.erase(std::unique(all.begin(), all.end(), [](const auto &a, const auto &b) { return a.number == b.number; }), all.end());
  if (all.empty())
    deck->fail(entry, "has no nodes");
  return all;
}

/// Sorted along a line, on which places that are near each other are near, too.
std::vector<std::pair<std::size_t, double>> CyclicPart::nearest(const Nodes &from, const Nodes &to) const
{
  const Place line{0.5377, 0.6343, 0.5558};
  std::vector<std::pair<double, std::size_t>> sorted;
  for (std::size_t i = 0; i < to.size(); ++i)
    sorted.emplace_back(dot(line, to[i].position), i);
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::pair<std::size_t, double>> found;
  for (const MeshPoints::Node &node : from)
  {
    const Place X = whole->turned_place(node.position, whole->angle());
    const double at = dot(line, X);
    std::pair<std::size_t, double> best(0, std::numeric_limits<double>::max());
    const auto look = [&](const auto &candidate) {
      if (const double distance = length(difference(to[candidate.second].position, X)); distance < best.second)
        best = {candidate.second, distance};
      return std::abs(candidate.first - at) <= best.second;
    };
    const auto middle = std::lower_bound(sorted.begin(), sorted.end(), std::pair(at, std::size_t(0)));
    for (auto next = middle; next != sorted.end() && look(*next); ++next)
    {
    }
    for (auto next = std::make_reverse_iterator(middle); next != sorted.rend() && look(*next); ++next)
    {
    }
    found.push_back(best);
  }
  return found;
}

/// High may be the side that turns onto Low: then both are exchanged.
void CyclicPart::match(Nodes from, Nodes to, const double reach)
{
  const auto less = [](const auto &a, const auto &b) { return a.second < b.second; };
  const auto worst_of = [&](const auto &found) { return std::max_element(found.begin(), found.end(), less); };
  auto found = nearest(from, to);
  if (auto other = nearest(to, from); worst_of(other)->second < worst_of(found)->second)
  {
    std::swap(from, to);
    std::swap(found, other);
    std::swap(low, high);
    whole->sense = -1;
    words = ", Low and High exchanged";
  }
  const auto worst = worst_of(found);
  const std::string sides =
      fmt::format("{} turned by 360/{} degrees does not fit {}", symdyn::join(low), whole->sectors, symdyn::join(high));
  const auto place = [](const MeshPoints::Node &node) {
    return fmt::format("({:.6g}, {:.6g}, {:.6g}) m", node.position[0], node.position[1], node.position[2]);
  };
  if (worst->second > reach)
    deck->fail(
        "", fmt::format("{}: the node at {} is {:.4g} m from the nearest node there, the largest such distance, and Tolerance is {:.4g} m. "
                        "Check Sectors, Axis and Point, or mesh both sides alike",
                        sides, place(from[worst - found.begin()]), worst->second, reach));
  std::vector<char> taken(to.size(), 0);
  for (std::size_t i = 0; i < from.size(); ++i)
  {
    const std::size_t other = found[i].first;
    if (taken[other])
      deck->fail(
          "",
          fmt::format("{}: two nodes come to stand within Tolerance = {:.4g} m of the node at {}. Mesh both sides alike, or set a smaller "
                      "Tolerance",
                      sides, reach, place(to[other])));
    taken[other] = 1;
    pairs.push_back({from[i], to[other]});
  }
  if (const auto left = std::find(taken.begin(), taken.end(), 0); left != taken.end())
    deck->fail("", fmt::format("{}: {} nodes and {}; none comes to stand on the node at {}. Mesh both sides alike", sides, from.size(),
                               to.size(), place(to[left - taken.begin()])));
  words = fmt::format("{} sectors, {} turns onto {}, {} nodes, largest distance {:.2g} m{}", whole->sectors, symdyn::join(low),
                      symdyn::join(high), pairs.size(), worst->second, words);
}

void CyclicPart::plan(SitePlan &plan)
{
  take_axis(plan.mesh().dimension());
  match(nodes_of(plan, "Low", low), nodes_of(plan, "High", high),
        tolerance == "auto" ? tolerance_of_size * plan.mesh().size() : *number_from<double>(tolerance));
}

void CyclicPart::relate(const SitePlan::Site onto, const std::vector<std::pair<SitePlan::Site, double>> &of)
{
  constexpr double nothing = 1e-15;
  for (int i = 0; i < dimension; ++i)
  {
    relations.push_back({"Cyclic symmetry", deck->where(""), {{onto, i, 1.}}, Expression(0.), true});
    for (int j = 0; j < dimension; ++j)
    {
      Place unit{};
      unit[j] = 1.;
      if (const double Q = whole->turned(unit, whole->angle())[i]; std::abs(Q) > nothing)
        for (const auto &[site, factor] : of)
          relations.back().shares.push_back({site, j, -factor * Q});
    }
  }
}

/// Directors of beams and shells turn with their nodes.
void CyclicPart::join(SitePlan &plan)
{
  constexpr double apart = 1e-6;
  auto &directors = plan.shared<DirectorNodes>();
  for (const auto &[from, onto] : pairs)
  {
    relate(onto.number, {{from.number, 1.}});
    if (!directors.has(from.number) && !directors.has(onto.number))
      continue;
    const auto fail = [&, node = &from] {
      deck->fail(
          "",
          fmt::format(
              "the directors of beams or shells at the node at ({:.6g}, {:.6g}, {:.6g}) m of the cut do not turn into those of the other side: normals of the mesh "
              "differ there. Let the middle surface be flat across the cut, or cut the sector elsewhere",
              node->position[0], node->position[1], node->position[2]));
    };
    if (!directors.has(from.number) || !directors.has(onto.number))
      fail();
    const auto &sites = directors.directors(plan, from.number), &others = directors.directors(plan, onto.number);
    if (sites.size() != others.size())
      fail();
    for (std::size_t j = 0; j < others.size(); ++j)
    {
      Place left = directors.basis(onto.number)[j];
      std::vector<std::pair<SitePlan::Site, double>> of;
      for (std::size_t i = 0; i < sites.size(); ++i)
      {
        const Place D = whole->turned(directors.basis(from.number)[i], whole->angle());
        const double factor = dot(D, directors.basis(onto.number)[j]);
        for (int d = 0; d < 3; ++d)
          left[d] -= factor * D[d];
        if (std::abs(factor) > apart)
          of.emplace_back(sites[i], factor);
      }
      if (length(left) > apart)
        fail();
      relate(others[j], of);
    }
  }
}

PartInSystem CyclicPart::build(const PlannedSites &)
{
  log_line("cyclic symmetry: " + words);
  PartInSystem part;
  part.cyclic = whole;
  part.relations = std::move(relations);
  pairs.clear();
  return part;
}
SYMDYN_REGISTER(StructurePart, CyclicPart, "Cyclic symmetry");
}  // namespace
}  // namespace symdyn
