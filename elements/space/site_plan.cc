#include "elements/site_plan.h"

#include <algorithm>

namespace symdyn
{
SitePlan::Site SitePlan::append(const AppendedSite &site)
{
  own.push_back(site);
  return -Site(own.size());
}

void SitePlan::join(const std::vector<Site> &sites)
{
  joined.insert(joined.end(), sites.begin(), sites.end());
  start.push_back(joined.size());
}

std::int64_t SitePlan::number(const Site site) const
{
  if (site < 0)
    return first - 1 - site;
  return site < first ? site : site + std::int64_t(own.size());
}

dealii::IndexSet SitePlan::needed(const std::uint64_t begin, const std::uint64_t end, const std::uint64_t sites) const
{
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
  dealii::IndexSet ghosts(sites);
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
