#pragma once
#include <utility>
#include <vector>

#include "elements/applied_load.h"
#include "elements/site_plan.h"

namespace symdyn
{
/// A dead load per length [N/m] on the nodes of a line.
class LineLoad : public AppliedLoad
{
public:
  /// `weights`: of the nodes [m].
  LineLoad(std::vector<Expression> load, const std::vector<SitePlan::Site> &nodes, const std::vector<double> &weights,
           const PlannedSites &sites)
      : load(std::move(load))
  {
    for (std::size_t i = 0; i < nodes.size(); ++i)
      if (sites.owns(nodes[i]))
        own.emplace_back(sites.local(nodes[i]), weights[i]);
  }
  void add_force(const Moment &now, const Vector &, const double factor, Vector &f) const override
  {
    for (std::size_t d = 0; d < load.size(); ++d)
    {
      const double value = factor * load[d].at(nullptr, 0, now.t);
      for (const auto &[site, weight] : own)
        f.local_element(load.size() * site + d) += value * weight;
    }
  }

private:
  std::vector<Expression> load;
  std::vector<std::pair<int, double>> own;  ///< sites, weights [m]
};
}  // namespace symdyn
