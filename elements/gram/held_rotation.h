#pragma once
#include <map>
#include <string>
#include <vector>

#include "elements/gram/gram_vector.h"
#include "elements/space/rotation_entry.h"
#include "elements/structure_part.h"
#include "solver/deck/formula/expression.h"

namespace symdyn
{
/// How the rotation of a node with k directors is held: about x, y, z each 0, an expression of t [rad], or free. With theta(t), which has 0
/// where it is free,
///     all three held          d_i = exp(theta) D_i; of small rotations D_i + theta x D_i
///     two, free about a       d_i·a stays; of small rotations d_i·a = (D_i + theta x D_i)·a
///     one, about a, k = 1     d·(a x D) = sin(theta·a) |a x D|²; of small rotations theta·a |a x D|²
///     one, about a, k > 1     a·(the rotation of the directors, as of small ones) = sin(theta·a); of small rotations theta·a:
///                             exact where the node turns about a alone
class HeldRotation : private RotationEntry
{
public:
  struct Node
  {
    std::vector<SitePlan::Site> directors;
    GramVectors basis;  ///< they at rest
    std::string name;
    bool linear;  ///< rotations are small
  };
  /// The entry Rotation. Errors: InputError.
  void declare(Parameters &p, const std::string &of_what);
  using RotationEntry::any;
  using RotationEntry::count;
  using RotationEntry::holds;
  using RotationEntry::moves;
  /// Errors: InputError for what such a node cannot do.
  void check(const Node &node, const Parameters &p) const;
  /// Supports of the directors, or a relation between them.
  void add_to(PartInSystem &part, const Node &node, const PlannedSites &sites, const std::string &where) const;
};

/// Coefficients of theta·axis, of small rotations, over the displacements of directors that are at rest `basis`.
GramVectors rotation_about(const GramVector &axis, const GramVectors &basis);

/// Nodes whose rotation is held, of all parts of a structure (SitePlan::shared), and where the deck says it.
struct HeldRotations
{
  std::map<SitePlan::Site, std::string> by, clamped;  ///< clamped: by ends of beams, beside which supports may hold it, too
  /// Errors: InputError where something else holds the rotation of the node.
  void claim(const SitePlan::Site node, const Parameters &p)
  {
    const auto [other, is_new] = by.emplace(node, p.where("Rotation"));
    const auto end = clamped.find(node);
    if (!is_new || end != clamped.end())
      p.fail("Rotation", "the rotation of this node is held by " + (is_new ? end : other)->second + ", too. Keep one of both");
  }
};
}  // namespace symdyn
