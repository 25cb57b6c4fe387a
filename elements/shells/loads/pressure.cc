#include "elements/gram/gram_vector.h"
#include "elements/shells/pressure_load.h"

namespace symdyn
{
namespace
{
/// Follower pressure p on the deformed surface. Its tangent is not symmetric in general.
class SurfacePressure : public PressureLoad
{
public:
  SurfacePressure() : PressureLoad("deformed area") {}
  bool follows() const override { return true; }
  void add_force(const Moment &now, const Vector &q, const double factor, Vector &f) const override { add_forces(now, &q, factor, f); }
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
            unit[j] = cell.factors[b];
            const GramVector change = changed(t, point, cell.nodes[b], unit);
            for (std::size_t a = 0; a < n; ++a)
              for (int i = 0; i < 3; ++i)
                blocks[9 * (a * n + b) + 3 * i + j] += s * p * point.N[cell.nodes[a]] * cell.factors[a] * change[i];
          }
      });
      sink.add_blocks(cell.sites, blocks);
    }
  }
  void add_stiffness(const Moment &now, const Vector &q, const Vector &u, const double factor, Vector &Ku) const override
  {
    const double s = -factor * amplitude(now);
    for (const Cell &cell : cells)
      if (cell.owned)
        for_points(cell, now, [&](const SurfacePoint &point, const double p) {
          const auto t = tangents(cell, point, &q);
          GramVector change{};
          for (std::size_t b = 0; b < cell.sites.size(); ++b)
          {
            GramVector move{};
            for (int d = 0; d < 3; ++d)
              move[d] = cell.factors[b] * u.local_element(3 * cell.sites[b] + d);
            add(1., changed(t, point, cell.nodes[b], move), change);
          }
          for (std::size_t a = 0; a < cell.sites.size(); ++a)
            for (int d = 0; d < 3; ++d)
              Ku.local_element(3 * cell.sites[a] + d) += s * p * point.N[cell.nodes[a]] * cell.factors[a] * change[d];
        });
  }

private:
  /// Of y,xi x y,eta by a motion of a node.
  static GramVector changed(const Tangents &t, const SurfacePoint &point, const std::size_t node, const GramVector &move)
  {
    return combination(scaled(point.along_xi[node], cross(move, t[1])), point.along_eta[node], cross(t[0], move));
  }
};
}  // namespace

SYMDYN_REGISTER(SurfaceLoad, SurfacePressure, "pressure");
}  // namespace symdyn
