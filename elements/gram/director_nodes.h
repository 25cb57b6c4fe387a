#pragma once
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "elements/gram/gram_term.h"

namespace symdyn
{
/// The length [m] by which directors at a kink, fold or joint are as stiff as a section at least. The moment of a joint bends the shape of
/// its directors by M/(k E A h): with h of the mesh alone it would be the softer, the finer the mesh. With 20 radii of gyration a
/// cantilever of length L with a kink is softer by about 0.15 r/L.
inline double length_of_joint(const double gyration) { return 20. * gyration; }

/// Elastic directors d_i, i < k <= 3, of a node, no mass: V = ½ stiffness sum_ij (½ (d_i·d_j - D_i·D_j))², over all ordered pairs,
/// D_i at rest; stiffness in N m (force times length).
GramModel director_model(int k, double stiffness);

/// The nodes with directors of a structure, which beams and shells share where they meet (SitePlan::shared). A node has as many directors,
/// 1 to 3, as the elements that meet there need: an orthonormal basis of the span of theirs. The director of an element is a combination
/// of them with constant factors, so that elements are joined stiffly.
class DirectorNodes
{
public:
  /// If something needs directors at a node, they are these unit vectors at right angles: columns of a rigid body, at sites of its own.
  /// Before parts plan.
  void offer(SitePlan::Site place, const std::vector<GramVector> &columns, const std::vector<SitePlan::Site> &sites);
  bool is_body(const SitePlan::Site place) const { return offered.count(place) > 0; }
  /// A beam has this unit vector as a director at a node. While parts plan.
  void need(SitePlan::Site place, const GramVector &director);
  /// The same of a shell, whose unit normal it is.
  void need_normal(SitePlan::Site place, const GramVector &normal);
  /// The axis of a hinge at a node, a unit vector that is one of the node's directors where hinges of other axes do not prevent it.
  /// `has_mass`: it is a director of the hinged element.
  void hinge(SitePlan::Site place, const GramVector &axis, bool has_mass);
  /// An end of a beam there releases some moments. While parts plan.
  void release(const SitePlan::Site place) { ++released[place]; }
  /// How many of them there are. Once all parts have planned.
  int releases(const SitePlan::Site place) const { return released.count(place) > 0 ? released.at(place) : 0; }
  /// What keeps the directors of a node in shape, of elements [N m].
  void stiffen(const SitePlan::Site place, const double stiffness) { stiffnesses[place] += stiffness; }
  double stiffness(const SitePlan::Site place) const { return stiffnesses.count(place) > 0 ? stiffnesses.at(place) : 0.; }
  /// Something else than one hinge turns with the node, or holds its rotation.
  void use(const SitePlan::Site place) { used.insert(place); }
  /// Whether that is so, or several hinges meet there. Once all parts have planned.
  bool is_used(const SitePlan::Site place) const
  {
    const auto found = axes.find(place);
    return used.count(place) > 0 || (found != axes.end() && found->second.size() > 1);
  }
  /// Whether elements that are not hinged, or a coupling, keep the directors of the node in shape.
  bool is_shaped(const SitePlan::Site place) const { return used.count(place) > 0; }
  /// Whether no element gives this axis of a hinge a mass; true only when first asked. Once all parts have planned.
  bool take_massless(SitePlan::Site place, const GramVector &axis);
  /// The same of a coupling, after those of elements: this vector [-] of length 1 at most; and all directors of another node.
  void carry(SitePlan::Site place, const GramVector &vector)
  {
    carried.push_back({place, vector, place});
    use(place);
  }
  void carry_all(const SitePlan::Site place, const SitePlan::Site other)
  {
    carried.push_back({place, {}, other});
    use(place);
    use(other);
  }
  /// How many directors of a node elements need: the first ones.
  std::size_t of_elements(const SitePlan::Site place) const { return needed.count(place) > 0 ? needed.at(place) : 0; }
  /// Whether a beam brings the second and third director of a smooth shell, whose bending does not resist their rotation about its normal
  /// (elements/shells/drilling.h). At a fold the other side resists. Once all parts have planned.
  bool can_drill(SitePlan::Site place) const;
  /// The directors of a node. Once all parts have planned: appends their sites when it is first asked.
  const std::vector<SitePlan::Site> &directors(SitePlan &plan, SitePlan::Site place);
  /// A needed director as a sum of those.
  SiteSum sum(SitePlan &plan, SitePlan::Site place, const GramVector &director);
  /// Those of the basis.
  const std::vector<GramVector> &basis(SitePlan::Site place) const { return nodes.at(place).basis; }
  /// Whether a node has directors. Once all parts have planned.
  bool has(const SitePlan::Site place)
  {
    resolve();
    return nodes.count(place) > 0;
  }

  /// All nodes that have directors, and the bodies that offer them. Once all parts have planned.
  std::vector<std::pair<SitePlan::Site, std::vector<SitePlan::Site>>> all() const
  {
    std::vector<std::pair<SitePlan::Site, std::vector<SitePlan::Site>>> found;
    for (const auto &[place, node] : nodes)
      found.emplace_back(place, node.sites);
    for (const auto &[place, node] : offered)
      if (nodes.count(place) == 0)
        found.emplace_back(place, node.sites);
    return found;
  }

private:
  struct Node
  {
    std::vector<GramVector> basis;
    std::vector<SitePlan::Site> sites;
    GramVector normal{};  ///< the first of shells; 0: none has the node
    bool is_fold = false, has_beam = false;
  };
  std::map<SitePlan::Site, Node> offered;
  struct Carried
  {
    SitePlan::Site place;
    GramVector vector;
    SitePlan::Site other;  ///< itself: the vector; else all directors of that
  };
  /// Of an element; the node that has it.
  Node &add_needed(SitePlan::Site place, const GramVector &director);
  /// Adds a vector to the span of a node; whether that has grown.
  bool extend(SitePlan::Site place, const GramVector &vector, double least);
  /// Puts axes of hinges first, and gives nodes what couplings carry.
  void resolve();
  void put_axes_first();

  std::map<SitePlan::Site, Node> nodes;
  std::map<SitePlan::Site, std::size_t> needed;
  std::map<SitePlan::Site, int> released;
  std::map<SitePlan::Site, double> stiffnesses;
  std::vector<Carried> carried;
  std::set<SitePlan::Site> used;
  std::map<SitePlan::Site, std::vector<GramVector>> axes, massless;  ///< of hinges
  bool are_axes_first = false;
};
}  // namespace symdyn
