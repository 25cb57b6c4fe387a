#include <map>

#include "elements/gram/gram_vector.h"
#include "elements/shells/nodal_moments.h"
#include "elements/shells/surface_load.h"
#include "elements/space/boundary_names.h"
#include "solver/error.h"

namespace symdyn
{
namespace
{
/// The same dead force [N] and the same moment [N m] on each of some nodes; moments act on their directors (MomentLoad).
class SurfaceNodalForce : public SurfaceLoad
{
public:
  void declare(Parameters &p) override
  {
    p.add("Nodes", names, "sets and numbers of nodes as the mesh file has them; one that is named twice gets the load twice");
    p.add("Boundary", boundaries, "or: names of boundaries, each node of which gets the load");
    p.add("Force", force, "components [N] on each node, expressions of x, y, z, t");
    moments.declare(p, "Moment", "components [N m] on each node, which needs directors: of a shell or a beam; expressions of x, y, z, t",
                    "node");
    amplitude.declare(p);
    where = p.where(boundaries.empty() ? "Nodes" : "Boundary");
    if (names.empty() == boundaries.empty())
      p.fail("Nodes", "give one of Nodes, Boundary");
    refuse_repeated(p, "Boundary", boundaries);
    if (!p.given("Force") && !moments.given())
      p.fail("", "the load has no effect. Give a Force [N] or a Moment [N m]");
    if (p.given("Follower") && !moments.given())
      p.fail("Follower", "has no effect without a Moment. Remove the entry");
    if (p.given("Force"))
      check_force(p, "Force", force, 3);
  }
  void prepare(const SurfaceInSystem &surface) override
  {
    std::map<unsigned int, double> times;
    try
    {
      times = nodes(surface);
    }
    catch (const InputError &error)
    {
      throw InputError(where + ": " + error.what());
    }
    for (const auto &[node, weight] : times)
      if (surface.owns(node) && !force.empty())
        points.push_back({surface.local(node), weight, surface.mesh.nodes[node]});
    if (moments.given())
      moments.act_on(surface, times);
  }
  const Amplitude *in_time() const override { return &amplitude; }
  bool follows() const override { return moments.follows(); }
  void add_force(const Moment &now, const Vector &q, const double factor, Vector &f) const override
  {
    const double s = factor * amplitude(now);
    for (const Point &point : points)
      for (int d = 0; d < 3; ++d)
        f.local_element(3 * point.site + d) += s * point.times * force[d].at(point.X.data(), 3, now.t);
    moments.add_force(now, q, s, f);
  }
  void add_matrix(const Moment &now, const Vector &q, const double k, const MatrixSink &sink) const override
  {
    moments.add_matrix(now, q, k * amplitude(now), sink);
  }
  void add_stiffness(const Moment &now, const Vector &q, const Vector &u, const double factor, Vector &Ku) const override
  {
    moments.add_stiffness(now, q, u, factor * amplitude(now), Ku);
  }

private:
  /// How often the load acts on each node: once on that of two boundaries.
  std::map<unsigned int, double> nodes(const SurfaceInSystem &surface) const
  {
    std::map<unsigned int, double> times;
    for (const auto &edge : surface.edges(boundaries))
      for (const unsigned int node : edge)
        times[node] = 1.;
    for (const std::string &name : names)
      for (const unsigned int node : surface.mesh.set(name))
        times[node] += 1.;
    if (times.empty())
      throw InputError("there is no node. Name a set or a boundary that has some");
    return times;
  }

  struct Point
  {
    int site;  ///< owned
    double times;
    GramVector X;
  };
  std::vector<std::string> names, boundaries;
  std::vector<Expression> force;
  NodalMoments moments;
  Amplitude amplitude;
  std::string where;
  std::vector<Point> points;
};
}  // namespace

SYMDYN_REGISTER(SurfaceLoad, SurfaceNodalForce, "nodal-force");
}  // namespace symdyn
