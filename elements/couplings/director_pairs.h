#pragma once
#include <utility>
#include <vector>

#include "elements/site_plan.h"
#include "elements/term.h"

namespace symdyn
{
/// No force: the directors of a reference that loads couple in the tangent, where no element does.
class DirectorPairs : public Term
{
public:
  DirectorPairs(const std::vector<SitePlan::Site> &directors, const PlannedSites &sites)
  {
    for (const SitePlan::Site site : directors)
      if (const int local = sites.local(site); local >= 0)
        known.push_back(local);
  }
  Traits traits() const override
  {
    Traits traits;
    traits.linear = traits.quadratic = traits.matrix_free = true;
    return traits;
  }
  void add_matrix(const At &, const Weights &, const MatrixSink &) const override {}
  void couple(const Couple &join) const override
  {
    for (const int one : known)
      for (const int other : known)
        join(one, other);
  }

private:
  std::vector<int> known;
};
}  // namespace symdyn
