#include "elements/models/relations.h"

#include <algorithm>

namespace symdyn
{
const double *projector_of(const AssembledSystem::Parts &system, const int site)
{
  for (const auto &supports : system.supports)
    if (const double *P = supports->projector(site))
      return P;
  return nullptr;
}

AssembledSystem::Relations relations_of(const AssembledSystem::Parts &system, std::vector<SiteRelation> equations,
                                        std::vector<Expression> sums, const std::vector<SiteRelations::Massless> &massless)
{
  AssembledSystem::Relations found;
  sums.resize(equations.size(), Expression(0.));
  equations.insert(equations.end(), system.couplings.begin(), system.couplings.end());
  sums.insert(sums.end(), system.coupling_sums.begin(), system.coupling_sums.end());
  if (equations.empty() && massless.empty())
    return {};
  const std::size_t all = equations.size();
  found.move = std::any_of(sums.begin(), sums.end(), [](const Expression &sum) { return !sum.is_zero(); });
  found.all = std::make_shared<SiteRelations>(
      std::move(equations), system.space->block(), system.space->sites(), [&](const int site) { return projector_of(system, site); },
      massless);
  found.sums = [sums, all](const double t) {
    SiteRelations::Sums b;
    for (std::vector<double> &order : b)
      order.assign(all, 0.);
    for (std::size_t i = 0; i < sums.size(); ++i)
    {
      const Jet<double> value = sums[i].in_time(nullptr, 0, t);
      b[0][i] = value.x;
      b[1][i] = value.d;
      b[2][i] = value.dd;
    }
    return b;
  };
  return found;
}

std::vector<double> take_couplings(const AssembledSystem::Parts &system, Vector &R)
{
  if (!system.relations.any())
    return {};
  Vector free(R);
  for (const auto &supports : system.supports)
    supports->project(free);
  const std::vector<double> lambda = system.relations.all->multipliers(free);
  system.relations.all->subtract_forces(lambda, R);
  return {lambda.end() - system.couplings.size(), lambda.end()};
}
}  // namespace symdyn
