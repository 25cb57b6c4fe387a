#pragma once
#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "elements/gram/gram_vector.h"
#include "elements/shells/surface_load.h"
#include "materials/algebra/wide.h"

namespace symdyn
{
/// A pressure p on groups of a surface, positive along the normal of the shell. Its points at the nodes are y_a = x_a, or on a face of the
/// shell x_a + zeta d_a, thus sums of vectors c_i v_i, i of a; present ones or those at rest:
///     f_i = c_i ∫ p N_a (y,xi x y,eta) dxi deta [N]
class PressureLoad : public SurfaceLoad
{
public:
  void declare(Parameters &p) override;
  void prepare(const SurfaceInSystem &surface) override;
  const Amplitude *in_time() const override { return &amplitude; }

protected:
  static constexpr int most_nodes = 8;
  using NodeVectors = std::array<Triple<Wide>, most_nodes>;  ///< of the nodes of cells
  using Tangents = std::array<Triple<Wide>, 2>;
  /// Up to `lanes` cells with the same slots, side by side; empty lanes have factors and pressures 0. A slot is a vector c v in the sum of
  /// a node.
  struct Batch
  {
    const std::vector<SurfacePoint> *points;
    bool owned;  ///< this rank counts the cells; others know them for the rows of their matrices
    int cells, nodes, slots;
    std::size_t first_slot, first_node, first_point;
  };

  /// `area`: what p is per, for the help.
  explicit PressureLoad(std::string area) : area(std::move(area)) {}

  /// f += factor times the load, about the displacements q; nullptr: at rest.
  void add_forces(const Moment &now, const Vector *q, double factor, Vector &f) const;
  /// act(point, weight p) at each point of cells.
  template <class Act>
  void for_points(const Batch &cells, const Moment &now, const Act &act) const;
  /// Sums of displacements u of sites, of the nodes of cells; and y about them.
  NodeVectors moves(const Batch &cells, const Vector &u) const;
  NodeVectors present(const Batch &cells, const Vector &q) const;
  void scatter(const Batch &cells, const NodeVectors &of_nodes, Vector &f) const;
  /// y,xi and y,eta
  static Tangents tangents(const SurfacePoint &point, int nodes, const NodeVectors &y);
  /// Forces on the nodes of cells: sums over points of N_a s p change(point).
  template <class Change>
  NodeVectors forces(const Batch &cells, const Moment &now, double s, const Change &change) const;

  Amplitude amplitude;
  std::vector<Batch> batches;
  std::vector<int> node_of;         ///< of slots: a
  std::vector<unsigned int> sites;  ///< of slots, [slot][lane]: v
  std::vector<Wide> factors;        ///< of slots: c

private:
  struct Slot
  {
    int node;
    unsigned int site;
    double factor;
  };
  /// Of the surface on which the pressure acts from that of the nodes [m].
  double height(const SurfaceInSystem &surface, std::size_t cell) const;
  void add_cell(std::size_t number, const SurfaceInSystem &surface);
  /// Sums of the nodes of a cell; {}: this rank does not know all sites.
  static std::vector<Slot> slots_of(const SurfaceMesh::Cell &cell, const std::vector<GramVector> &normals, double zeta,
                                    const SurfaceInSystem &surface);
  /// Where there is a free lane for a cell.
  Batch &open_batch(std::size_t nodes, bool owned, const std::vector<Slot> &slots);
  void add_points(int lane, const Batch &cells);
  NodeVectors at_rest(const Batch &cells) const;
  void add_moves(const Batch &cells, const Vector &u, NodeVectors &y) const;
  /// Weight times p at a point.
  Wide pressures_at(const Batch &cells, std::size_t point, double t) const;

  std::string area, where, side = "nodes";
  std::vector<std::string> groups;
  Expression pressure;
  std::vector<Triple<Wide>> rest;                                 ///< of nodes: y
  std::vector<Wide> pressures;                                    ///< of points: weight times p, where it does not depend on t
  std::vector<Triple<Wide>> places;                               ///< of points at rest, where it does
  std::map<std::pair<bool, std::vector<int>>, std::size_t> open;  ///< the last batch of cells with these nodes of slots
};

template <class Act>
void PressureLoad::for_points(const Batch &cells, const Moment &now, const Act &act) const
{
  for (std::size_t i = 0; i < cells.points->size(); ++i)
  {
    const SurfacePoint &point = (*cells.points)[i];
    act(point, places.empty() ? pressures[cells.first_point + i] : pressures_at(cells, i, now.t));
  }
}

inline PressureLoad::Tangents PressureLoad::tangents(const SurfacePoint &point, const int nodes, const NodeVectors &y)
{
  const Triple<Wide> zero{Wide(0.), Wide(0.), Wide(0.)};
  Tangents t{zero, zero};
  for (int a = 0; a < nodes; ++a)
  {
    t[0] = combination(t[0], Wide(point.along_xi[a]), y[a]);
    t[1] = combination(t[1], Wide(point.along_eta[a]), y[a]);
  }
  return t;
}

template <class Change>
PressureLoad::NodeVectors PressureLoad::forces(const Batch &cells, const Moment &now, const double s, const Change &change) const
{
  NodeVectors of_nodes;
  const int n = cells.nodes;
  std::fill_n(of_nodes.begin(), n, Triple<Wide>{Wide(0.), Wide(0.), Wide(0.)});
  for_points(cells, now, [&](const SurfacePoint &point, const Wide &p) {
    const Triple<Wide> vector = change(point);
    const Wide sp = s * p;
    for (int a = 0; a < n; ++a)
      of_nodes[a] = combination(of_nodes[a], point.N[a] * sp, vector);
  });
  return of_nodes;
}
}  // namespace symdyn
