#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "elements/models/joined_constraints.h"
#include "elements/models/relations.h"
#include "elements/models/structure_parts.h"
#include "elements/space/director_frames.h"
#include "solver/error.h"

// Directors of parts: their inertia, and which nodes have constraints.
namespace symdyn
{
void StructureParts::declare_inertia(Parameters elements, const std::string &mass)
{
  elements.add(
      "Rotary inertia", inertia,
      "rotary inertia of the directors of beams and shells: physical; or scaled, for explicit schemes with Mass = lumped: at least "
      "m L^2/12 of a beam element, m A/12 of a shell cell, so that the stable step follows the size of elements, not their thickness",
      {"physical", "scaled"});
  if (inertia == "physical")
    return;
  where_inertia = elements.where("Rotary inertia");
  if (!any_elements())
    elements.fail("Rotary inertia", "has no effect, because there are no beams or shells. Remove the entry");
  if (mass != "lumped")
    elements.fail("Rotary inertia",
                  "is of a lumped mass, for explicit schemes. Set Mass = lumped with Scheme = central-difference, or remove the entry");
}

void StructureParts::mark_sites_of_terms(const std::size_t owned)
{
  has_part.assign(owned, 0);
  for (const auto &term : terms)
    term->couple([this](const int i, int) {
      if (i < int(has_part.size()))
        has_part[i] = 1;
    });
}

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
/// Frames of directors that are nodes of their own, by the number of the first, and pairs of directors at right angles across two of them,
/// which a hinge about one axis has: its own directors are a frame beside that of its node, which has the axis.
struct DirectorPlan
{
  std::map<DirectorFrames::Site, std::vector<DirectorFrames::Site>> frames;
  std::set<std::pair<SitePlan::Site, SitePlan::Site>> pairs;
};

DirectorPlan planned(std::vector<std::vector<SitePlan::Site>> nodes, const PlannedSites &sites)
{
  const auto larger = [](const std::vector<SitePlan::Site> &a, const std::vector<SitePlan::Site> &b) { return a.size() > b.size(); };
  std::stable_sort(nodes.begin(), nodes.end(), larger);
  DirectorPlan plan;
  std::map<SitePlan::Site, DirectorFrames::Site> frame_of;
  for (const auto &node : nodes)
  {
    std::vector<DirectorFrames::Site> own;
    for (const SitePlan::Site site : node)
      if (frame_of.count(site) == 0)
        own.push_back(sites.number(site));
    for (const SitePlan::Site site : node)
      frame_of.emplace(site, own.empty() ? 0 : own.front());
    if (!own.empty())
      plan.frames[own.front()] = own;
  }
  for (const auto &node : nodes)
    for (const SitePlan::Site a : node)
      for (const SitePlan::Site b : node)
        if (a < b && frame_of.at(a) != frame_of.at(b))
          plan.pairs.emplace(a, b);
  return plan;
}
}  // namespace

void StructureParts::constrain(std::vector<std::vector<SitePlan::Site>> nodes, const std::set<SitePlan::Site> &related, HingeNames &names,
                               const std::string &where, AssembledSystem::Parts &system)
{
  leave_out(related, where, nodes);
  const DirectorPlan plan = planned(std::move(nodes), *sites);
  if (!plan.pairs.empty())
  {
    exact = DirectorConstraints::make(plan.pairs, *sites, system.supports, names, where);
    if (system.constraints.exact && exact->size() > 0)
      joined = std::make_shared<JoinedConstraints>(*system.constraints.exact, *exact);
    if (joined)
      system.constraints.exact = joined.get();
    else if (exact->size() > 0)
      system.constraints.exact = exact.get();
  }
  std::vector<std::vector<DirectorFrames::Site>> all;
  for (const auto &node : plan.frames)
    all.push_back(node.second);
  system.frames = std::make_shared<DirectorFrames>(system.space, all, [&system](const int site) { return system.projector_of(site); });
  system.constraints.nodal = system.frames.get();
}
}  // namespace symdyn
