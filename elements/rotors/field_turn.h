#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "elements/rotors/node_rings.h"

namespace symdyn
{
/// The directors of a node, numbers of sites over all ranks.
struct NodeDirectors
{
  std::uint64_t place;
  std::vector<std::uint64_t> directors;
};

/// W = dT/dphi at phi = 0 of T(phi), which turns a field of displacements by phi around the axis, places and vectors: on waves
/// u_r, u_theta, u_a ~ e^(-i k theta) W = i k. The derivative around the axis of components in fixed directions is S - W, S = a x.
///
/// Nodes on the axis: W u = S u, and of the directors d_k, at rest D_k, which are an orthonormal basis of a space that turns into itself,
/// W d_k = S d_k - sum_b (D_b·S D_k) d_b. Other nodes are on rings of N that a turn by 2 pi/N maps to each other, with their directors: the
/// derivative of the trigonometric interpolation around the ring (Trefethen, Spectral Methods in MATLAB, 2000, ch. 3), which is exact for
/// |k| < N/2 and commutes with each matrix that the turn by 2 pi/N leaves as it is: the transformation of Coleman and Feingold (1958).
class FieldTurn
{
public:
  using Block = std::array<double, 9>;  ///< by rows of `block` numbers
  /// N for which a turn by 2 pi/N maps nodes to nodes, descending, 3 at least; {0}: all are on the axis. Collective.
  static std::vector<int> sectors(const NodeRings &nodes);
  /// `space` must outlive it; each rank knows all sites (SitePlan::join_all). `nodes`: of all ranks. Errors: InputError for directors that
  /// do not turn into each other. Collective.
  FieldTurn(const Space &space, std::shared_ptr<const TurningFrame> frame, const std::vector<NodeDirectors> &nodes, const NodeRings &rings,
            int sectors);

  int sectors() const { return number; }
  /// W x, owned entries; ghost entries too.
  Vector times(const Vector &x) const;
  /// visit(column, W_site,column, (W²)_site,column) of a local site.
  template <class Visit>
  void visit(const int site, const Visit &visit) const
  {
    const auto &[orbit, index] = on_orbit[site];
    if (orbit < 0)
      for (const Entry &entry : on_axis[site])
        visit(entry.column, entry.first, entry.second);
    else
      for (int l = 0; l < number; ++l)
      {
        const int apart = (index - l + number) % number;
        visit(orbits[orbit][l], once[apart], twice[apart]);
      }
  }

private:
  struct Entry
  {
    int column;
    Block first, second;
  };
  void make_blocks();
  void add_orbits(const NodeRings &rings, const std::vector<NodeDirectors> &nodes);
  void add_orbit(std::vector<int> sites);
  void add_axis(const std::vector<NodeDirectors> &nodes);
  /// W of the directors of a node on the axis.
  void add_directors(const std::vector<int> &sites);
  Block product(const Block &a, const Block &b) const;

  const Space &space;
  std::shared_ptr<const TurningFrame> frame;
  int number;                                 ///< N
  std::vector<Block> once, twice;             ///< W and W² between nodes of a ring, j places apart
  std::vector<std::vector<int>> orbits;       ///< sites
  std::vector<std::pair<int, int>> on_orbit;  ///< of local sites: ring and place on it; -1: none
  std::vector<std::vector<Entry>> on_axis;    ///< of local sites
};
}  // namespace symdyn
