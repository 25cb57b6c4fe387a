#pragma once
#include <algorithm>
#include <map>
#include <vector>

#include "elements/gram/gram_term.h"

namespace symdyn
{
/// Masses of shells and beams by the groups of the mesh that their elements are in: what weighs where gravity acts on some groups alone
/// (SitePlan::shared). Parts add theirs while they join.
class GroupMasses
{
public:
  /// `groups`: of the cell or line of the element, indices into SurfaceMesh::groups.
  void add(const SitePlan &plan, const std::vector<int> &groups, const PlannedElement &element)
  {
    std::map<SitePlan::Site, double> &masses = by_groups[groups];
    const std::size_t n = element.vectors.size();
    for (std::size_t b = 0; b < n; ++b)
      for (std::size_t a = 0; a < n && !is_director(plan, element.vectors[b].front().first); ++a)
        for (const auto &[site, factor] : element.vectors[a])
          masses[site] += factor * element.model.mass[a * n + b];
  }
  /// sum_j M_ij over places j, for each site i of the elements that are in one of these groups [kg], of directors [kg m]: with an
  /// acceleration g of all places the force on i is that times g.
  std::map<SitePlan::Site, double> of(const std::vector<int> &groups) const
  {
    std::map<SitePlan::Site, double> sum;
    for (const auto &[some, masses] : by_groups)
      if (std::find_first_of(some.begin(), some.end(), groups.begin(), groups.end()) != some.end())
        for (const auto &[site, mass] : masses)
          sum[site] += mass;
    return sum;
  }

private:
  static bool is_director(const SitePlan &plan, const SitePlan::Site site) { return site < 0 && plan.appended()[-site - 1].is_director; }

  std::map<std::vector<int>, std::map<SitePlan::Site, double>> by_groups;
};
}  // namespace symdyn
