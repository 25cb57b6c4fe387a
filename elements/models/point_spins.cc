#include "elements/models/point_spins.h"

#include <fmt/format.h>

#include <cmath>

#include "solver/base/together.h"
#include "solver/error.h"

namespace symdyn
{
void PointSpins::find(const LumpedParts &points, const SitePlan &plan, const std::vector<SitePlan::Site> &sites)
{
  for (std::size_t k = 0; k < points.points.size(); ++k)
    if (const LumpedPoint &point = points.points[k]; point.spin)
    {
      Spin &one = spins.emplace_back();
      const auto &w = *point.spin;
      one.where = fmt::format("{} Angular velocity = {:g}, {:g}, {:g}", point.where, w[0], w[1], w[2]);
      one.w = {w[0], w[1], w[2]};
      for (std::size_t i = 0; i < plan.appended().size(); ++i)
        if (const auto &[D, is_director, node, is_amplitudes] = plan.appended()[i]; is_director && node == sites[k])
          one.directors.emplace_back(-SitePlan::Site(i) - 1, D);
      if (one.directors.empty())
        throw InputError(one.where + ": no beam or shell turns with the point. Remove the entry");
    }
}

void PointSpins::set(const PlannedSites &sites, Vector &v) const
{
  for (const Spin &one : spins)
    for (const auto &[site, D] : one.directors)
      for (int d = 0; d < 3 && sites.owns(site); ++d)
        v.local_element(3 * sites.local(site) + d) = cross(one.w, D)[d];
}

void PointSpins::check(const PlannedSites &sites, const Vector &v) const
{
  constexpr double rounding = 1e-9;
  std::string fault;
  for (const Spin &one : spins)
    for (const auto &[site, D] : one.directors)
      for (int d = 0; d < 3 && sites.owns(site); ++d)
        if (std::abs(v.local_element(3 * sites.local(site) + d) - cross(one.w, D)[d]) > rounding * norm(one.w))
          fault = one.where + ": a support, a Rotation or a coupling prescribes another one. Remove the entry, or what holds the point";
  throw_collectively<InputError>(fault, v.get_mpi_communicator());
}
}  // namespace symdyn
