#include "elements/site_plan.h"

#include <algorithm>
#include <stdexcept>

namespace symdyn
{
SitePlan::Site SitePlan::append(const AppendedSite &site)
{
  own.push_back(site);
  return -Site(own.size());
}

void SitePlan::append_nodes(const std::int64_t nodes, const std::vector<Place> &places)
{
  if (!own.empty())
    throw std::logic_error("nodes of surfaces stand in front of all other sites that are appended");
  behind_mesh = nodes;
  for (const Place &X : places)
    append({X, false});
}

void SitePlan::join(const std::vector<Site> &sites)
{
  joined.insert(joined.end(), sites.begin(), sites.end());
  start.push_back(joined.size());
}

void SitePlan::number_by_node(const std::int64_t nodes)
{
  std::map<Site, std::vector<Site>> directors;
  for (std::size_t i = 0; i < own.size(); ++i)
    if (own[i].is_director)
      directors[own[i].node].push_back(-Site(i) - 1);
  of_nodes.assign(nodes, 0);
  constexpr std::int64_t none = -1;
  of_appended.assign(own.size(), none);
  std::int64_t next = 0;
  const auto take = [&](const Site site) { (site < 0 ? of_appended[-site - 1] : of_nodes[site]) = next++; };
  const auto take_all = [&](const Site node) {
    take(node);
    for (const Site director : directors[node])
      take(director);
  };
  for (Site node = 0; node < nodes; ++node)
    take_all(node);
  for (std::size_t i = 0; i < own.size(); ++i)
    if (!own[i].is_director)
      take_all(-Site(i) - 1);
  for (std::size_t i = 0; i < own.size(); ++i)  // of no node
    if (of_appended[i] == none)
      take(-Site(i) - 1);
}

std::int64_t SitePlan::number(const Site site) const
{
  if (!of_appended.empty() || !of_nodes.empty())
    return site < 0 ? of_appended.at(-site - 1) : of_nodes.at(site);
  if (site < 0)
    return first - 1 - site;
  if (site >= behind_mesh)
    return first + (site - behind_mesh);
  return site < first ? site : site + std::int64_t(own.size());
}

dealii::IndexSet SitePlan::needed(const std::uint64_t begin, const std::uint64_t end, const std::uint64_t sites) const
{
  dealii::IndexSet ghosts(sites);
  if (together)
  {
    ghosts.add_range(0, begin);
    ghosts.add_range(end, sites);
    return ghosts;
  }
  const auto owned = [&](const Site site) { return std::uint64_t(number(site)) >= begin && std::uint64_t(number(site)) < end; };
  std::vector<dealii::types::global_dof_index> others;
  for (std::size_t group = 0; group + 1 < start.size(); ++group)
  {
    const auto from = joined.begin() + start[group], to = joined.begin() + start[group + 1];
    if (std::any_of(from, to, owned))
      for (auto site = from; site != to; ++site)
        if (!owned(*site))
          others.push_back(number(*site));
  }
  std::sort(others.begin(), others.end());
  ghosts.add_indices(others.begin(), std::unique(others.begin(), others.end()));
  ghosts.compress();
  return ghosts;
}

int PlannedSites::local(const SitePlan::Site site) const
{
  const auto &sites = *of_space->sites();
  const std::int64_t global = number(site);
  return sites.in_local_range(global) || sites.is_ghost_entry(global) ? int(sites.global_to_local(global)) : -1;
}
}  // namespace symdyn
