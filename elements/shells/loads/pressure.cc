#include <cmath>

#include "elements/gram/gram_vector.h"
#include "elements/shells/surface_load.h"
#include "elements/space/boundary_names.h"
#include "solver/error.h"

namespace symdyn
{
namespace
{
/// Follower pressure p on the deformed surface, positive along the normal of the shell: f_a = ∫ p N_a (x,xi x x,eta) dxi deta [N]. Its
/// tangent is not symmetric in general.
class SurfacePressure : public SurfaceLoad
{
public:
  void declare(Parameters &p) override
  {
    p.add("Groups", groups, "of the surface; default: all of it");
    p.add("Pressure", pressure, "[Pa] on the deformed area, of shells positive along the normal; expression of x, y, z, t");
    amplitude.declare(p);
    if (pressure.is_zero())
      p.fail("Pressure", "a pressure of zero has no effect. Give its value or remove the load");
    refuse_repeated(p, "Groups", groups);
    where = p.where("Groups");
  }
  void prepare(const SurfaceInSystem &surface) override
  {
    try
    {
      for (const SurfaceMesh::Cell *cell : surface.cells(groups))
        add_cell(*cell, surface);
    }
    catch (const InputError &error)
    {
      throw InputError(where + ": " + error.what());
    }
  }
  bool follows() const override { return true; }
  const Amplitude *in_time() const override { return &amplitude; }

  void add_force(const Moment &now, const Vector &q, const double factor, Vector &f) const override
  {
    const double s = factor * amplitude(now);
    for (const Cell &cell : cells)
      for_points(cell, now, [&](const SurfacePoint &point, const double p) {
        const auto [a_xi, a_eta] = tangents(cell, point, &q);
        const GramVector n = cross(a_xi, a_eta);
        for (std::size_t a = 0; a < cell.sites.size() && cell.owned; ++a)
          for (int d = 0; d < 3; ++d)
            f.local_element(3 * cell.sites[a] + d) += s * p * point.N[a] * n[d];
      });
  }
  void add_matrix(const Moment &now, const Vector &q, const double k, const MatrixSink &sink) const override
  {
    const double s = -k * amplitude(now);
    for (const Cell &cell : cells)
    {
      const std::size_t n = cell.sites.size();
      std::vector<double> blocks(9 * n * n, 0.);
      for_points(cell, now, [&](const SurfacePoint &point, const double p) {
        const auto t = tangents(cell, point, &q);
        for (std::size_t b = 0; b < n; ++b)
          for (int j = 0; j < 3; ++j)
          {
            GramVector unit{};
            unit[j] = 1.;
            const GramVector change = changed(t, point, b, unit);
            for (std::size_t a = 0; a < n; ++a)
              for (int i = 0; i < 3; ++i)
                blocks[9 * (a * n + b) + 3 * i + j] += s * p * point.N[a] * change[i];
          }
      });
      sink.add_blocks(cell.sites, blocks);
    }
  }
  void add_stiffness(const Moment &now, const Vector &q, const Vector &u, const double factor, Vector &Ku) const override
  {
    const double s = -factor * amplitude(now);
    for (const Cell &cell : cells)
      for_points(cell, now, [&](const SurfacePoint &point, const double p) {
        const auto t = tangents(cell, point, &q);
        GramVector change{};
        for (std::size_t b = 0; b < cell.sites.size() && cell.owned; ++b)
        {
          GramVector move{};
          for (int d = 0; d < 3; ++d)
            move[d] = u.local_element(3 * cell.sites[b] + d);
          add(1., changed(t, point, b, move), change);
        }
        for (std::size_t a = 0; a < cell.sites.size() && cell.owned; ++a)
          for (int d = 0; d < 3; ++d)
            Ku.local_element(3 * cell.sites[a] + d) += s * p * point.N[a] * change[d];
      });
  }

private:
  struct Cell
  {
    std::vector<unsigned int> sites;
    std::vector<GramVector> rest;
    bool owned;  ///< this rank counts it; others know it for the rows of their matrices
  };
  using Tangents = std::array<GramVector, 2>;

  void add_cell(const SurfaceMesh::Cell &cell, const SurfaceInSystem &surface)
  {
    Cell one{{}, {}, surface.sites.owns(cell.nodes.front())};
    for (const unsigned int node : cell.nodes)
    {
      const int local = surface.sites.local(node);
      if (local < 0)
        return;
      one.sites.push_back(local);
      one.rest.push_back(surface.mesh.nodes[node]);
    }
    cells.push_back(std::move(one));
  }
  template <class Act>
  void for_points(const Cell &cell, const Moment &now, const Act &act) const
  {
    for (const SurfacePoint &point : surface_points(cell.sites.size()))
    {
      GramVector X{};
      for (std::size_t a = 0; a < cell.rest.size(); ++a)
        add(point.N[a], cell.rest[a], X);
      act(point, point.weight * pressure.at(X.data(), 3, now.t));
    }
  }
  static Tangents tangents(const Cell &cell, const SurfacePoint &point, const Vector *q)
  {
    Tangents t{};
    for (std::size_t a = 0; a < cell.sites.size(); ++a)
    {
      GramVector x = cell.rest[a];
      for (int d = 0; d < 3; ++d)
        x[d] += q->local_element(3 * cell.sites[a] + d);
      add(point.along_xi[a], x, t[0]);
      add(point.along_eta[a], x, t[1]);
    }
    return t;
  }
  /// Of x,xi x x,eta by a motion of a node.
  static GramVector changed(const Tangents &t, const SurfacePoint &point, const std::size_t node, const GramVector &move)
  {
    return combination(scaled(point.along_xi[node], cross(move, t[1])), point.along_eta[node], cross(t[0], move));
  }

  std::vector<std::string> groups;
  Expression pressure;
  Amplitude amplitude;
  std::string where;
  std::vector<Cell> cells;
};
}  // namespace

SYMDYN_REGISTER(SurfaceLoad, SurfacePressure, "pressure");
}  // namespace symdyn
