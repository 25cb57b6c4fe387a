#include "elements/gram/director_nodes.h"

#include <cmath>

namespace symdyn
{
namespace
{
/// Directors closer than this to the span of others are in it [-].
constexpr double same_span = 1e-4;
}  // namespace

void DirectorNodes::need(const SitePlan::Site place, const GramVector &director)
{
  std::vector<GramVector> &basis = nodes[place].basis;
  GramVector rest = director;
  for (int again = 0; again < 2; ++again)  // orthogonal to rounding
    for (const GramVector &one : basis)
    {
      const double part = dot(rest, one);
      for (int d = 0; d < 3; ++d)
        rest[d] -= part * one[d];
    }
  const double length = std::sqrt(dot(rest, rest));
  if (length < same_span)
    return;
  for (double &component : rest)
    component /= length;
  basis.push_back(rest);
}

const std::vector<SitePlan::Site> &DirectorNodes::directors(SitePlan &plan, const SitePlan::Site place)
{
  Node &node = nodes.at(place);
  if (node.sites.empty())
    for (const GramVector &D : node.basis)
      node.sites.push_back(plan.append({D, true}));
  return node.sites;
}

SiteSum DirectorNodes::sum(SitePlan &plan, const SitePlan::Site place, const GramVector &director)
{
  constexpr double nothing = 1e-14;
  const std::vector<SitePlan::Site> &sites = directors(plan, place);
  SiteSum parts;
  for (std::size_t i = 0; i < sites.size(); ++i)
    if (const double factor = dot(director, nodes.at(place).basis[i]); std::abs(factor) > nothing)
      parts.emplace_back(sites[i], factor);
  return parts;
}
}  // namespace symdyn
