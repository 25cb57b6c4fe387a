#include "elements/models/relations.h"

#include <deal.II/base/mpi.h>

#include <algorithm>

#include "elements/place.h"

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

namespace
{
/// Orthonormal directions that a projector leaves, by rows; nullptr: all.
std::vector<Place> directions_left(const double *P, const int n)
{
  constexpr double rounding = 1e-10;
  std::vector<Place> left;
  for (int c = 0; c < n; ++c)
  {
    Place e{};
    for (int d = 0; d < n; ++d)
      e[d] = P ? P[n * c + d] : double(c == d);
    for (const Place &one : left)
    {
      const double along = dot(one, e);
      for (int d = 0; d < n; ++d)
        e[d] -= along * one[d];
    }
    const double size = length(e);
    if (size < rounding)
      continue;
    for (double &x : e)
      x /= size;
    left.push_back(e);
  }
  return left;
}

/// A relation for each of these directions. The same on every rank. Collective.
std::vector<SiteRelation> relations_of_ties(const AssembledSystem::Parts &system)
{
  const int n = system.space->block();
  const auto sites = system.space->sites();
  std::vector<double> P(n * n * system.ties.size(), 0.);
  for (std::size_t i = 0; i < system.ties.size(); ++i)
    if (const std::uint64_t site = system.ties[i].site; sites->in_local_range(site))
    {
      const double *of_site = system.projector_of(int(site - sites->local_range().first));
      for (int k = 0; k < n * n; ++k)
        P[n * n * i + k] = of_site ? of_site[k] : double(k % (n + 1) == 0);
    }
  MPI::sum(P, system.space->communicator(), P);  // one rank owns each
  std::vector<SiteRelation> all;
  for (std::size_t i = 0; i < system.ties.size(); ++i)
    for (const Place &direction : directions_left(&P[n * n * i], n))
    {
      const SiteTie &tie = system.ties[i];
      all.push_back({tie.name, tie.where, {}});
      for (int d = 0; d < n; ++d)
        if (direction[d] != 0.)
        {
          all.back().terms.emplace_back(n * tie.site + d, direction[d]);
          for (const auto &[other, weight] : tie.others)
            all.back().terms.emplace_back(n * other + d, -weight * direction[d]);
        }
    }
  return all;
}
}  // namespace

AssembledSystem::Relations relations_of(const AssembledSystem::Parts &system, std::vector<SiteRelation> equations,
                                        std::vector<Expression> sums, const std::vector<SiteRelations::Massless> &massless)
{
  AssembledSystem::Relations found;
  if (!system.ties.empty())
    for (SiteRelation &one : relations_of_ties(system))
      equations.push_back(std::move(one));
  sums.resize(equations.size(), Expression(0.));
  equations.insert(equations.end(), system.couplings.begin(), system.couplings.end());
  sums.insert(sums.end(), system.coupling_sums.begin(), system.coupling_sums.end());
  if (equations.empty() && massless.empty())
    return {};
  const std::size_t all = equations.size();
  found.move = std::any_of(sums.begin(), sums.end(), [](const Expression &sum) { return !sum.is_zero(); });
  found.all = std::make_shared<SiteRelations>(
      std::move(equations), system.space->block(), system.space->sites(), [&](const int site) { return system.projector_of(site); },
      massless);
  found.massless = massless;
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
