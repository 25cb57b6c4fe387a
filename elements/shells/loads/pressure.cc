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
    std::vector<unsigned int> of_cell;
    std::vector<double> blocks;
    for (const Batch &cells : batches)
    {
      const std::array<NodeVectors, most_nodes> w = slopes(cells, now, q);
      const std::size_t first = cells.first_slot, end = first + cells.slots;
      for (int lane = 0; lane < cells.cells; ++lane)
      {
        of_cell.clear();
        blocks.clear();
        for (std::size_t i = first; i < end; ++i)
        {
          of_cell.push_back(sites[i * lanes + lane]);
          for (std::size_t j = first; j < end; ++j)
          {
            const Triple<Wide> &of_pair = w[node_of[i]][node_of[j]];
            const double factor = s * factors[i][lane] * factors[j][lane];
            const double x = factor * of_pair[0][lane], y = factor * of_pair[1][lane], z = factor * of_pair[2][lane];
            blocks.insert(blocks.end(), {0., -z, y, z, 0., -x, -y, x, 0.});
          }
        }
        sink.add_blocks(of_cell, blocks);
      }
    }
  }
  void add_stiffness(const Moment &now, const Vector &q, const Vector &u, const double factor, Vector &Ku) const override
  {
    const double s = -factor * amplitude(now);
    for (const Batch &cells : batches)
      if (cells.owned)
      {
        const NodeVectors y = present(cells, q), move = moves(cells, u);
        const auto change = [&](const SurfacePoint &point) {
          const Tangents t = tangents(point, cells.nodes, y), of_move = tangents(point, cells.nodes, move);
          return combination(cross(of_move[0], t[1]), Wide(1.), cross(t[0], of_move[1]));
        };
        scatter(cells, forces(cells, now, s, change), Ku);
      }
  }

private:
  /// w_ab: the force on node a changes by w_ab x u where node b moves by u. y,xi x y,eta changes by (N_b,eta y,xi - N_b,xi y,eta) x u.
  std::array<NodeVectors, most_nodes> slopes(const Batch &cells, const Moment &now, const Vector &q) const
  {
    std::array<NodeVectors, most_nodes> w;
    for (NodeVectors &row : w)
      row.fill({Wide(0.), Wide(0.), Wide(0.)});
    const NodeVectors y = present(cells, q);
    for_points(cells, now, [&](const SurfacePoint &point, const Wide &p) {
      const Tangents t = tangents(point, cells.nodes, y);
      for (int b = 0; b < cells.nodes; ++b)
        for (int a = 0; a < cells.nodes; ++a)
        {
          const Wide share = point.N[a] * p;
          w[a][b] = combination(w[a][b], point.along_eta[b] * share, t[0]);
          w[a][b] = combination(w[a][b], -point.along_xi[b] * share, t[1]);
        }
    });
    return w;
  }
};
}  // namespace

SYMDYN_REGISTER(SurfaceLoad, SurfacePressure, "pressure");
}  // namespace symdyn
