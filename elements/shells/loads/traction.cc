#include <cmath>

#include "elements/gram/gram_vector.h"
#include "elements/shells/surface_load.h"
#include "elements/space/boundary_names.h"
#include "solver/error.h"

namespace symdyn
{
namespace
{
/// Dead forces per area or per length at rest: f_a = ∫ N_a t(X, t) dA [N].
class DeadSurfaceLoad : public SurfaceLoad
{
public:
  void add_force(const Moment &now, const Vector &, const double factor, Vector &f) const override
  {
    const double s = factor * amplitude(now);
    for (const Point &point : points)
    {
      GramVector t{};
      for (int d = 0; d < 3; ++d)
        t[d] = s * field[d].at(point.X.data(), 3, now.t);
      for (const auto &[site, weight] : point.nodes)
        for (int d = 0; d < 3; ++d)
          f.local_element(3 * site + d) += weight * t[d];
    }
  }
  const Amplitude *in_time() const override { return &amplitude; }

protected:
  void add_field(Parameters &p, const std::string &name, const std::string &help)
  {
    p.add(name, field, help);
    amplitude.declare(p);
  }
  void check_field(const Parameters &p, const std::string &name) const { check_force(p, name, field, 3); }
  /// A point of integration with the area or length of its nodes.
  void add_point(const GramVector &X, const std::vector<std::pair<unsigned int, double>> &nodes, const SurfaceInSystem &surface)
  {
    Point point{X, {}};
    for (const auto &[node, weight] : nodes)
      if (surface.owns(node))
        point.nodes.emplace_back(surface.local(node), weight);
    if (!point.nodes.empty())
      points.push_back(std::move(point));
  }

private:
  struct Point
  {
    GramVector X;
    std::vector<std::pair<int, double>> nodes;  ///< owned sites, [m²] or [m]
  };
  std::vector<Expression> field;
  Amplitude amplitude;
  std::vector<Point> points;
};

class SurfaceTraction : public DeadSurfaceLoad
{
public:
  void declare(Parameters &p) override
  {
    p.add("Groups", groups, "of the surface; default: all of it");
    where = p.where("Groups");
    add_field(p, "Traction", "components [Pa] per reference area, expressions of x, y, z, t");
    refuse_repeated(p, "Groups", groups);
    check_field(p, "Traction");
  }
  void prepare(const SurfaceInSystem &surface) override
  {
    try
    {
      for (const SurfaceMesh::Cell *cell : surface.cells(groups))
        for (const SurfacePoint &point : surface_points(cell->nodes.size()))
          add_point_of(*cell, point, surface);
    }
    catch (const InputError &error)
    {
      throw InputError(where + ": " + error.what());
    }
  }

private:
  void add_point_of(const SurfaceMesh::Cell &cell, const SurfacePoint &point, const SurfaceInSystem &surface)
  {
    GramVector X{}, a_xi{}, a_eta{};
    for (std::size_t a = 0; a < cell.nodes.size(); ++a)
    {
      const GramVector &place = surface.mesh.nodes[cell.nodes[a]];
      add(point.N[a], place, X);
      add(point.along_xi[a], place, a_xi);
      add(point.along_eta[a], place, a_eta);
    }
    const double area = point.weight * norm(cross(a_xi, a_eta));
    std::vector<std::pair<unsigned int, double>> nodes;
    for (std::size_t a = 0; a < cell.nodes.size(); ++a)
      nodes.emplace_back(cell.nodes[a], point.N[a] * area);
    add_point(X, nodes, surface);
  }

  std::vector<std::string> groups;
  std::string where;
};

class EdgeTraction : public DeadSurfaceLoad
{
public:
  void declare(Parameters &p) override
  {
    p.add("Boundary", boundaries, "names of boundaries of the mesh");
    add_field(p, "Force per length", "components [N/m] on an edge of a shell at rest, expressions of x, y, z, t");
    if (boundaries.empty())
      p.fail("Boundary", "a load on an edge needs the name of a boundary");
    refuse_repeated(p, "Boundary", boundaries);
    where = p.where("Boundary");
    check_field(p, "Force per length");
  }
  void prepare(const SurfaceInSystem &surface) override
  {
    try
    {
      for (const SurfaceMesh::Edge &edge : surface.edges(boundaries))
        for (const EdgePoint &point : edge_points(edge, surface.mesh))
        {
          std::vector<std::pair<unsigned int, double>> nodes;
          for (std::size_t a = 0; a < edge.size(); ++a)
            nodes.emplace_back(edge[a], point.N[a] * point.length);
          add_point(point.X, nodes, surface);
        }
    }
    catch (const InputError &error)
    {
      throw InputError(where + ": " + error.what());
    }
  }

private:
  std::vector<std::string> boundaries;
  std::string where;
};
}  // namespace

SYMDYN_REGISTER(SurfaceLoad, SurfaceTraction, "traction");
SYMDYN_REGISTER(SurfaceLoad, EdgeTraction, "edge-traction");
}  // namespace symdyn
