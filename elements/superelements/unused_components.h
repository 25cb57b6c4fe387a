#pragma once
#include <array>

#include "elements/site_plan.h"
#include "elements/site_supports.h"

namespace symdyn
{
/// The components of a site of amplitudes that no mode has: they rest, which holds nothing of the structure.
class UnusedComponents : public SiteSupports
{
public:
  /// From component `used` on.
  UnusedComponents(const SitePlan::Site site, const int used, const PlannedSites &sites)
      : n(sites.space()->block()), used(used), local(sites.local(site)), owns(sites.owns(site))
  {
    for (int d = 0; d < used; ++d)
      P[(n + 1) * d] = 1.;
  }
  void impose(double, const Actions &, Vector &q, Vector &v, Vector &a) const override
  {
    for (Vector *x : {&q, &v, &a})
      project(*x);
  }
  void project(Vector &r) const override
  {
    for (int d = used; d < n && owns; ++d)
      r.local_element(n * local + d) = 0.;
  }
  const double *projector(const unsigned int site) const override { return int(site) == local ? P.data() : nullptr; }
  bool any() const override { return false; }
  bool moves() const override { return false; }

private:
  int n, used, local;
  bool owns;
  std::array<double, 9> P{};
};
}  // namespace symdyn
