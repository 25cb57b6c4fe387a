#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "elements/site_mass.h"
#include "elements/space.h"

namespace symdyn
{
/// The inverse of a mass that joins few sites each, as the place of a node and its directors: a lumped mass off the nodes. Sites that no
/// pair joins have a diagonal mass.
class NodeMass
{
public:
  using Project = std::function<void(Vector &)>;

  /// `pairs`: both ways round, between local sites. nullptr: some pair reaches another rank, or joins many sites. Collective.
  static std::unique_ptr<NodeMass> make(const Space &space, const std::vector<double> &diagonal, const std::vector<PairMass> &pairs);

  /// v = P v with P (M v - p) = 0, P a projector of sites, the same one until forget_held(). Collective.
  void solve(const Vector &p, const Project &project, Vector &v) const;

  /// The next solve() has another projector.
  void forget_held() const { has_held = false; }

private:
  NodeMass(const Space &space, std::vector<double> diagonal);
  struct Group
  {
    std::vector<int> sites;
    std::vector<double> mass, inverse;  ///< by rows: a number of each pair of sites
    std::vector<double> of_free;        ///< (P M P)^-1 of components, by rows, where P holds some of them
  };
  /// Finds what P holds, by what it leaves of unit vectors.
  void find_held(const Project &project) const;

  const Space &space;
  std::vector<double> inverse_diagonal;
  mutable std::vector<Group> groups;
  mutable bool has_held = false;  ///< find_held() is done
};
}  // namespace symdyn
