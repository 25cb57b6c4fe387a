#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "elements/gram/moment_load.h"
#include "elements/shells/surface_load.h"
#include "elements/space/boundary_names.h"
#include "solver/base/log.h"
#include "solver/error.h"

namespace symdyn
{
namespace
{
/// A moment per length of an edge at rest, on the directors of its nodes (MomentLoad): no potential.
class EdgeMoment : public SurfaceLoad
{
public:
  void declare(Parameters &p) override
  {
    p.add("Boundary", boundaries, "names of boundaries of the mesh");
    p.add("Moment per length", moment, "components [N m/m] on an edge of a shell at rest, expressions of x, y, z, t");
    p.add("Follower", follower, "the moment turns with the edge");
    where = p.where("Boundary");
    where_moment = p.where("Moment per length");
    if (boundaries.empty())
      p.fail("Boundary", "a load on an edge needs the name of a boundary");
    refuse_repeated(p, "Boundary", boundaries);
    if (moment.size() != 3 || std::all_of(moment.begin(), moment.end(), [](const Expression &component) { return component.is_zero(); }))
      p.fail("Moment per length", "needs three components, not all zero");
  }
  void prepare(const SurfaceInSystem &surface) override
  {
    std::map<unsigned int, double> length;
    try
    {
      for (const auto &[from, to] : surface.edges(boundaries))
        for (const unsigned int node : {from, to})
          length[node] += 0.5 * norm(combination(surface.mesh.nodes[to], -1., surface.mesh.nodes[from]));
    }
    catch (const InputError &error)
    {
      throw InputError(where + ": " + error.what());
    }
    for (const auto &[node, of_node] : length)
      if (const std::string why = refusal_of_moment(moment, surface.mesh.nodes[node], surface.basis(node)); !why.empty())
        throw InputError(where_moment + ": " + why);
    double lost = 0;
    for (const auto &[node, of_node] : length)
    {
      lost = std::max(lost, lost_part(moment, surface.mesh.nodes[node], surface.basis(node)));
      at_nodes.emplace_back(moment, follower, surface.directors(node), surface.sites, of_node, surface.mesh.nodes[node]);
    }
    constexpr double small = 1e-3;
    if (lost > small)
      log_warning(
          fmt::format("{}: up to {:.0f} % of the moment are about the normal of the shell, which does not resist them: they have no effect",
                      where_moment, 100. * lost));
  }
  bool follows() const override { return true; }
  void add_force(const Moment &now, const Vector &q, const double factor, Vector &f) const override
  {
    for (const MomentLoad &one : at_nodes)
      one.add_force(now, q, factor, f);
  }
  void add_matrix(const Moment &now, const Vector &q, const double k, const MatrixSink &sink) const override
  {
    for (const MomentLoad &one : at_nodes)
      one.add_matrix(now, q, k, sink);
  }
  void add_stiffness(const Moment &now, const Vector &q, const Vector &u, const double factor, Vector &Ku) const override
  {
    for (const MomentLoad &one : at_nodes)
      one.add_stiffness(now, q, u, factor, Ku);
  }

private:
  std::vector<std::string> boundaries;
  std::vector<Expression> moment;
  bool follower = false;
  std::string where, where_moment;
  std::vector<MomentLoad> at_nodes;
};
}  // namespace

SYMDYN_REGISTER(SurfaceLoad, EdgeMoment, "edge-moment");
}  // namespace symdyn
