#pragma once
#include <algorithm>
#include <array>
#include <vector>

#include "elements/site_plan.h"
#include "elements/site_supports.h"

namespace symdyn
{
/// Sites that rest: directors that do not turn.
class HeldSites : public SiteSupports
{
public:
  HeldSites(const std::vector<SitePlan::Site> &held, const PlannedSites &sites)
      : n(sites.space()->block()),
        owned(sites.space()->owned()),
        holds(sites.space()->sites()->locally_owned_size() + sites.space()->sites()->n_ghost_indices(), 0),
        any_held(!held.empty())
  {
    for (const SitePlan::Site site : held)
      if (const int local = sites.local(site); local >= 0)
        holds[local] = 1;
  }
  void impose(double, const Actions &, Vector &q, Vector &v, Vector &a) const override
  {
    for (Vector *x : {&q, &v, &a})
      project(*x);
  }
  void project(Vector &r) const override
  {
    for (int site = 0; site < owned; ++site)
      for (int d = 0; d < n && holds[site]; ++d)
        r.local_element(n * site + d) = 0.;
  }
  const double *projector(const unsigned int site) const override { return holds[site] ? nothing.data() : nullptr; }
  bool any() const override { return any_held; }
  bool moves() const override { return false; }

private:
  int n, owned;
  std::vector<char> holds;  ///< local sites
  bool any_held;
  std::array<double, 9> nothing{};
};
}  // namespace symdyn
