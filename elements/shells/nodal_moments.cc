#include "elements/shells/nodal_moments.h"

#include <fmt/format.h>

#include <algorithm>

#include "solver/base/log.h"
#include "solver/error.h"

namespace symdyn
{
void NodalMoments::declare(Parameters &p, const std::string &entry, const std::string &help, const std::string &turns_with)
{
  p.add(entry, moment, help);
  mode = declare_moment_mode(p, turns_with);
  where = p.where(entry);
  if (!p.given(entry))
    return;
  if (moment.size() != 3 || std::all_of(moment.begin(), moment.end(), [](const Expression &component) { return component.is_zero(); }))
    p.fail(entry, "needs three components, not all zero");
}

std::string NodalMoments::refusal(const SurfaceInSystem &surface, const unsigned int node) const
{
  const GramVector &X = surface.mesh.nodes[node];
  if (surface.directors(node).empty())
    return fmt::format("acts on the node at ({:g}, {:g}, {:g}) m, which has no directors. Moments act on nodes of shells and beams", X[0],
                       X[1], X[2]);
  return refusal_of_moment(moment, X, surface.basis(node));
}

void NodalMoments::act_on(const SurfaceInSystem &surface, const std::map<unsigned int, double> &weights)
{
  double lost = 0;
  for (const auto &[node, weight] : weights)
  {
    if (const std::string why = refusal(surface, node); !why.empty())
      throw InputError(where + ": " + why);
    const GramVector &X = surface.mesh.nodes[node];
    lost = std::max(lost, lost_part(moment, X, surface.basis(node)));
    at_nodes.emplace_back(moment, mode, surface.directors(node), surface.sites, weight, X);
  }
  constexpr double small = 1e-3;
  if (lost > small)
    log_warning(
        fmt::format("{}: up to {:.0f} % of the moment are about the normal of the shell, which does not resist them: they have no effect",
                    where, 100. * lost));
}

void NodalMoments::add_force(const Moment &now, const Vector &q, const double factor, Vector &f) const
{
  for (const MomentLoad &one : at_nodes)
    one.add_force(now, q, factor, f);
}

void NodalMoments::add_matrix(const Moment &now, const Vector &q, const double k, const MatrixSink &sink) const
{
  for (const MomentLoad &one : at_nodes)
    one.add_matrix(now, q, k, sink);
}

void NodalMoments::add_stiffness(const Moment &now, const Vector &q, const Vector &u, const double factor, Vector &Ku) const
{
  for (const MomentLoad &one : at_nodes)
    one.add_stiffness(now, q, u, factor, Ku);
}
}  // namespace symdyn
