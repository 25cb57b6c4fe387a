#include "elements/gram/planned_mass.h"

#include <map>

namespace symdyn
{
void add_mass(const PlannedElement &element, PartInSystem &part)
{
  const GramModel &model = element.model;
  const std::size_t n = element.vectors.size();
  std::map<std::pair<SitePlan::Site, SitePlan::Site>, double> more;
  for (std::size_t a = 0; a < n; ++a)
    for (const auto &[site, factor] : element.vectors[a])
    {
      const double lumped = factor * factor * model.lumped[a];
      part.masses.emplace_back(site, lumped);
      more[{site, site}] -= lumped;
    }
  if (model.mass.empty())
    return;
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b < n; ++b)
      for (const auto &[one, left] : element.vectors[a])
        for (const auto &[other, right] : element.vectors[b])
          if (one <= other)
            more[{one, other}] += left * right * model.mass[a * n + b];
  for (const auto &[sites, mass] : more)
    if (mass != 0.)
      part.pairs.push_back({sites.first, sites.second, mass});
}
}  // namespace symdyn
