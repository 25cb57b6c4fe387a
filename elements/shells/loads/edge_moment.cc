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
/// A moment per length of an edge at rest, on the directors of its nodes (MomentLoad): no potential.
class EdgeMoment : public SurfaceLoad
{
public:
  void declare(Parameters &p) override
  {
    p.add("Boundary", boundaries, "names of boundaries of the mesh");
    moments.declare(p, "Moment per length", "components [N m/m] on an edge of a shell at rest, expressions of x, y, z, t", "edge");
    where = p.where("Boundary");
    if (boundaries.empty())
      p.fail("Boundary", "a load on an edge needs the name of a boundary");
    refuse_repeated(p, "Boundary", boundaries);
    if (!moments.given())
      p.fail("Moment per length", "needs three components, not all zero");
  }
  void prepare(const SurfaceInSystem &surface) override
  {
    std::map<unsigned int, double> length;
    try
    {
      for (const SurfaceMesh::Edge &edge : surface.edges(boundaries))
        for (const EdgePoint &point : edge_points(edge, surface.mesh))
          for (std::size_t a = 0; a < edge.size(); ++a)
            length[edge[a]] += point.length * point.N[a];
    }
    catch (const InputError &error)
    {
      throw InputError(where + ": " + error.what());
    }
    moments.act_on(surface, length);
  }
  bool follows() const override { return moments.follows(); }
  void add_force(const Moment &now, const Vector &q, const double factor, Vector &f) const override
  {
    moments.add_force(now, q, factor, f);
  }
  void add_matrix(const Moment &now, const Vector &q, const double k, const MatrixSink &sink) const override
  {
    moments.add_matrix(now, q, k, sink);
  }
  void add_stiffness(const Moment &now, const Vector &q, const Vector &u, const double factor, Vector &Ku) const override
  {
    moments.add_stiffness(now, q, u, factor, Ku);
  }

private:
  std::vector<std::string> boundaries;
  NodalMoments moments;
  std::string where;
};
}  // namespace

SYMDYN_REGISTER(SurfaceLoad, EdgeMoment, "edge-moment");
}  // namespace symdyn
