#include "elements/lumped/point_supports.h"

#include <algorithm>

namespace symdyn
{
PointSupports::PointSupports(const LumpedParts &parts, std::shared_ptr<const PointSites> given)
    : sites(std::move(given)),
      n(parts.dimension),
      at(sites->space().sites()->locally_owned_size() + sites->space().sites()->n_ghost_indices(), -1)
{
  for (std::size_t k = 0; k < parts.points.size(); ++k)
  {
    const LumpedPoint &point = parts.points[k];
    any_held = any_held || point.fixed;
    any_motion = any_motion || !point.motion.empty();
    const int site = sites->site(k);
    if (!point.fixed || site < 0)
      continue;
    at[site] = projectors.size();
    projectors.emplace_back();
    for (int d = 0; d < n; ++d)
      projectors.back()[(n + 1) * d] = point.holds(d) ? 0. : 1.;
    if (sites->owns(k))
      held.push_back({site, point});
  }
}

void PointSupports::impose(const double t, const Actions &actions, Vector &q, Vector &v, Vector &a) const
{
  for (const auto &[site, point] : held)
    for (int d = 0; d < n; ++d)
    {
      if (!point.holds(d))
        continue;
      const Jet<double> u = point.motion.empty() ? Jet<double>(0.)
                                                 : actions.motion() * (point.integrals.empty() ? point.motion[d].in_time(nullptr, 0, t)
                                                                                               : (*point.integrals[d])(t));
      q.local_element(n * site + d) = u.x;
      v.local_element(n * site + d) = u.d;
      a.local_element(n * site + d) = u.dd;
    }
  if (any_held)
    for (Vector *x : {&q, &v, &a})
      x->zero_out_ghost_values();
}

void PointSupports::project(Vector &r) const
{
  for (const auto &[site, point] : held)
    for (int d = 0; d < n; ++d)
      if (point.holds(d))
        r.local_element(n * site + d) = 0.;
}

PointForces::PointForces(const LumpedParts &parts, const std::size_t name, const std::shared_ptr<const PointSites> sites)
    : n(parts.dimension)
{
  for (const LumpedForce &load : parts.loads)
    if (load.name == name && sites->owns(load.point))
      forces.emplace_back(sites->site(load.point), load.force);
}

void PointForces::add_force(const Moment &now, const Vector &, const double factor, Vector &f) const
{
  const double at[] = {0., 0., 0., now.t};
  for (const auto &[site, force] : forces)
    for (int d = 0; d < n; ++d)
      f.local_element(n * site + d) += factor * force[d](at);
}
}  // namespace symdyn
