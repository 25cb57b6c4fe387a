#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "elements/space.h"
#include "elements/space/director_node.h"
#include "solver/nodal_constraints.h"

namespace symdyn
{
/// Nodes with one to three directors that stay unit vectors at right angles: g_ij = d_i·d_j (i < j), ½(d_i·d_i - 1) [-], D_i in the
/// undeformed structure. Motions along g are rotations, u_i = theta x d_i, less those that supports hold: 2 unknowns of one director, 3 of
/// two and three. They stand in place of the first director of the node, its leader.
class DirectorFrames : public NodalConstraints
{
public:
  using Site = std::uint64_t;
  /// P of an owned site by rows, nullptr: free.
  using Projector = std::function<const double *(int site)>;
  /// `nodes`: of all ranks, numbers of the directors of each; those of a node belong to one rank.
  DirectorFrames(std::shared_ptr<const Space> space, const std::vector<std::vector<Site>> &nodes, const Projector &projector);

  void retract(Vector &q) const override;
  void subtract_forces(const Vector &q, Vector &f) const override;
  void subtract_curvature(const Vector &q, const Vector &f, const Vector &u, Vector &r) const override;
  void meet(const Vector &W, const Vector &from, const Vector &end, Vector &change) const override;
  void lead(const Vector &W, const Vector &from, double per, Vector &q, Vector &v) const override;
  void meet_rates(const Vector &W, const Vector &from, const Vector &q, Vector &x, const Bending *bending = nullptr) const override;
  std::vector<Vector> gradients(const Vector &q) const override;
  void find_impulse(const Impulses &of_from, const Vector &end, Vector &force) const override;
  void find_rate_impulse(const Impulses &of_from, const Vector &q, const Vector &x, Vector &force,
                         const Bending *bending = nullptr) const override;
  Deviation deviation(const Vector &q, const Vector &v) const override;
  bool hold(const Rotation &body) const override;
  bool hold_only(const std::vector<Rotation> &bodies) const override;

  /// Where the unknowns of a director stand; of other sites the site itself. Of sites of all ranks.
  Site leader(Site site) const;
  bool turns(Site site) const;
  /// Columns of N at owned directors: u_i = sum_c N[c]_i y_c; orthonormal, or zero.
  using Columns = std::array<Vector, 3>;
  void tangents(const Vector &q, Columns &N) const;
  /// L of each node turned to be nearest to N: L <- L Q, Q orthogonal. A matrix Lᵀ A N then is nearly as symmetric as A.
  void align(const Columns &N, Columns &L) const;
  /// visit(sites, B) of each owned node: its local sites, the leader first, and B = Lᵀ (sum lambda g'') N of f at q, by rows.
  using Visit = std::function<void(const std::vector<int> &sites, const std::array<double, 9> &B)>;
  void visit_curvature(const Vector &q, const Vector &f, const Columns &L, const Columns &N, const Visit &visit) const;

private:
  using Node = DirectorNode;
  using Frame = DirectorNode::Frame;
  using Multipliers = DirectorNode::Multipliers;
  /// "directors of the node of site 12"
  std::string name_of(const Node &node) const;
  /// What follows that in an error of a step.
  static std::string too_far();

  /// take(site, change of it) of W G(from)ᵀ lambda with g(end + change) = 0, at each director. Errors: ComputationError, naming a node.
  template <class Take>
  void find_changes(const Vector &W, const Vector &from, const Vector &end, const Take &take) const;

  std::shared_ptr<const Space> space;
  std::vector<Node> owned;
  /// Directors that are alone at their node and that nothing holds, which move along themselves: explicit steps handle them without a call;
  /// and the other nodes, by their places in `owned`.
  std::vector<int> singles;
  std::vector<std::size_t> others;
  int most_pairs = 0;                          ///< of a node of all ranks
  std::vector<std::pair<Site, Site>> leaders;  ///< of all directors, ascending
};
}  // namespace symdyn
