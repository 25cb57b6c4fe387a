#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "elements/gram/gram_vector.h"
#include "elements/site_plan.h"
#include "elements/site_supports.h"
#include "elements/space/turned_vector.h"
#include "solver/deck/formula/expression.h"

namespace symdyn
{
/// Directors that turn as it is prescribed: d_i(t) = exp(theta(t)) D_i; linear: D_i + theta x D_i.
class TurnedSites : public SiteSupports
{
public:
  /// `theta`: components of the rotation vector, expressions of t [rad].
  TurnedSites(std::vector<Expression> theta, const std::vector<SitePlan::Site> &directors, const PlannedSites &sites, const bool linear)
      : theta(std::move(theta)), space(sites.space()), linear(linear)
  {
    for (const SitePlan::Site site : directors)
      if (const int local = sites.local(site); local >= 0)
        turned.push_back(local);
  }
  void impose(const double t, const Actions &actions, Vector &q, Vector &v, Vector &a) const override
  {
    Triple<Jet<double>> now;
    for (int d = 0; d < 3; ++d)
      now[d] = actions.motion() * theta[d].in_time(nullptr, 0, t);
    for (const int site : turned)
    {
      if (site >= space->owned())
        continue;
      const GramVector &D = space->position(site);
      const Triple<Jet<double>> director = turned_by(now, D, linear);
      for (int d = 0; d < 3; ++d)
      {
        q.local_element(3 * site + d) = director[d].x - D[d];
        v.local_element(3 * site + d) = director[d].d;
        a.local_element(3 * site + d) = director[d].dd;
      }
    }
  }
  void project(Vector &r) const override
  {
    for (const int site : turned)
      for (int d = 0; d < 3 && site < space->owned(); ++d)
        r.local_element(3 * site + d) = 0.;
  }
  const double *projector(const unsigned int site) const override
  {
    return std::find(turned.begin(), turned.end(), int(site)) != turned.end() ? nothing.data() : nullptr;
  }
  bool any() const override { return true; }
  bool moves() const override
  {
    return std::any_of(theta.begin(), theta.end(), [](const Expression &component) { return !component.is_zero(); });
  }

private:
  std::vector<Expression> theta;
  std::shared_ptr<const Space> space;
  bool linear;
  std::vector<int> turned;  ///< local sites
  std::array<double, 9> nothing{};
};
}  // namespace symdyn
