#pragma once
#include <deal.II/base/mpi.h>

#include <algorithm>
#include <map>
#include <vector>

#include "elements/structure_part.h"

namespace symdyn
{
/// Scaled rotary inertia: each director of a node has at least J = sum over the elements at the node of m s²/12, m the node's share of the
/// mass of an element, s² the area of a shell, the squared length of a beam [kg m²]. Physical inertia, rho t³/12 of an area, bounds
/// explicit steps by the thickness; with J they are bounded by the size of cells (Hughes, Cohen, Haroun 1978; Key, Beisinger 1971).
/// Translations do not move directors: linear momentum stays exact.
class ScaledInertia
{
public:
  void add(const PartInSystem &part)
  {
    for (std::size_t i = 0; i < part.scaled_inertia.size(); ++i)
      for (const SitePlan::Site director : part.director_nodes[i])
        least[director] += part.scaled_inertia[i];
  }
  /// What is missing to J in the masses of owned sites is added to them, and returned.
  std::vector<double> raise(const PlannedSites &sites, std::vector<double> &masses) const
  {
    std::vector<double> added(masses.size(), 0.);
    for (const auto &[director, inertia] : least)
      if (sites.owns(director))
      {
        const int site = sites.local(director);
        added[site] = std::max(0., inertia - masses[site]);
        masses[site] += added[site];
      }
    return added;
  }
  /// Of the directors' masses [kg m²]. Collective.
  double sum(const PlannedSites &sites, const std::vector<double> &masses) const
  {
    double all = 0;
    for (const auto &[director, inertia] : least)
      all += sites.owns(director) ? masses[sites.local(director)] : 0.;
    return dealii::Utilities::MPI::sum(all, sites.space()->communicator());
  }

private:
  std::map<SitePlan::Site, double> least;  ///< J of directors
};
}  // namespace symdyn
