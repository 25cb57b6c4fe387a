#include <algorithm>
#include <map>

#include "elements/models/relations.h"
#include "elements/models/structure_parts.h"
#include "elements/space/director_frames.h"
#include "solver/error.h"

// Exact directors of parts: which nodes have constraints.
namespace symdyn
{
void StructureParts::count_directors(const std::vector<std::vector<SitePlan::Site>> &nodes)
{
  std::map<SitePlan::Site, std::size_t> directors;  // of the first of a node
  for (const auto &node : nodes)
    directors[node.front()] = std::max(directors[node.front()], node.size());
  found.nodes_with = {};
  for (const auto &[first, count] : directors)
    ++found.nodes_with.at(count);
}

namespace
{
/// Takes out nodes whose directors relations move. Errors: InputError where that is so of some of them.
void leave_out(const std::set<SitePlan::Site> &related, const std::string &where, std::vector<std::vector<SitePlan::Site>> &nodes)
{
  const auto is_related = [&](const std::vector<SitePlan::Site> &node) {
    const auto found = std::count_if(node.begin(), node.end(), [&related](const SitePlan::Site site) { return related.count(site) > 0; });
    if (found > 0 && found < std::int64_t(node.size()))
      throw InputError(
          where +
          ": a beam has a hinge at a node of a coupling, whose directors stay elastic while those beyond the hinge cannot. Put the "
          "hinge one element away, or set Directors = elastic");
    return found > 0;
  };
  nodes.erase(std::remove_if(nodes.begin(), nodes.end(), is_related), nodes.end());
}
}  // namespace

void StructureParts::constrain(std::vector<std::vector<SitePlan::Site>> nodes, const std::set<SitePlan::Site> &related,
                               const std::string &where, AssembledSystem::Parts &system)
{
  leave_out(related, where, nodes);
  if (system.constraints.exact)
    throw InputError(where + ": there are exact Constraints, too. Set Directors = elastic, or Constraints/Treatment = penalty");
  std::map<DirectorFrames::Site, std::vector<DirectorFrames::Site>> by_leader;
  std::set<SitePlan::Site> seen;
  bool shared = false;  // a hinge about one axis, whose director is of two frames
  for (const auto &node : nodes)
  {
    std::vector<DirectorFrames::Site> numbers;
    for (const SitePlan::Site site : node)
      numbers.push_back(sites->number(site));
    if (const auto known = by_leader.find(numbers.front()); known != by_leader.end() && known->second == numbers)
      continue;
    for (const SitePlan::Site site : node)
      shared = !seen.insert(site).second || shared;
    by_leader[numbers.front()] = numbers;
  }
  if (shared)
  {
    exact = DirectorConstraints::make(nodes, *sites, system.supports, where);
    system.constraints.exact = exact.get();
    return;
  }
  std::vector<std::vector<DirectorFrames::Site>> all;
  for (auto &node : by_leader)
    all.push_back(std::move(node.second));
  system.frames = std::make_shared<DirectorFrames>(system.space, all, [&system](const int site) { return projector_of(system, site); });
  system.constraints.nodal = system.frames.get();
}
}  // namespace symdyn
