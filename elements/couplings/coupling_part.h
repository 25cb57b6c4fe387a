#pragma once
#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "elements/couplings/affine_motion.h"
#include "elements/couplings/off_plane.h"
#include "elements/gram/held_rotation.h"
#include "elements/gram/part_places.h"
#include "elements/structure_part.h"

namespace symdyn
{
/// Rigid: nodes X_s move with a reference r and its directors d_k, which are at rest D_k,
///     x_s = r + sum_k c_k d_k,   c_k = (X_s - r)·D_k;   of directors of nodes d = sum_k (D·D_k) d_k
/// exact in rotations of any size, as far as the directors keep their shape; linear in q, so that they are relations of sites.
/// Distributing: the reference moves with the best affine motion of the nodes (AffineMotion), and loads on it spread over them by the
/// transpose. Off the plane of its nodes, in rotations of any size: OffPlaneReference.
class Coupling : public StructurePart
{
public:
  void declare(const std::string &name, Parameters &p) override;
  void plan(SitePlan &plan) override;
  void join(SitePlan &plan) override;
  PartInSystem build(const PlannedSites &sites) override;
  /// Of the directors of the reference, d' = w x d, and of its nodes, x' = r' + w x c. Collective.
  void initialise(const PlannedSites &sites, Vector &q, Vector &v) const override;
  void draw(const State &state, NodeFrame &drawn) const override;
  std::string description() const override;
  /// The rotation vector of the reference.
  std::vector<Column> columns(const Units &units) const override;
  void values(const State &state, std::vector<double> &out) const override;
  std::vector<double> rotation(const State &state, const State *about) const override;
  std::vector<Column> columns_of_relations(const Units &units) const override;
  void values_of_relations(const State &state, const double *multipliers, std::vector<double> &out) const override;

private:
  static constexpr int space = 3;
  using Relation = PartInSystem::Relation;
  struct Node
  {
    SitePlan::Site site;
    GramVector X;
    std::string name;
    std::vector<std::pair<SitePlan::Site, GramVector>> directors = {};  ///< that follow, at rest
  };
  void check_entries(const Parameters &p) const;
  void find_nodes(SitePlan &plan);
  std::vector<MeshPoints::Node> nodes_named(SitePlan &plan, const std::string &name) const;
  void add_node(const MeshPoints::Node &node, const std::string &from);
  /// Errors: InputError for a node that two couplings move.
  void claim(SitePlan &plan, SitePlan::Site site, const std::string &what);
  bool is_rigid() const { return type == "rigid"; }
  bool all_components() const { return std::count(follows.begin(), follows.end(), true) == space; }
  std::vector<GramVector> arms() const;
  double size() const;
  void plan_rigid(SitePlan &plan);
  void plan_distributing(SitePlan &plan);
  void check_rank(SitePlan &plan) const;
  /// Errors: InputError where what the nodes of a plane cannot determine would turn by any angle, or is held in shape.
  void check_average(SitePlan &plan) const;
  void raise_reference(SitePlan &plan);
  void check_rotation(SitePlan &plan) const;
  HeldRotation::Node turning_node() const { return {directors, basis, called, linear}; }
  /// Of a vector, its components at the directors of the reference, on every rank. Collective.
  GramVectors at_directors(const Vector &x) const;
  void relate_rigidly();
  void relate_rigid_place(const Node &node);
  void relate_on_average();
  /// Of the displacement of the reference (off the plane: of the foot of its arm), what each node's has.
  std::vector<AffineMotion::Matrix> shares_of_place() const;
  void lead_foot(const PlannedSites &sites, Vector &v) const;
  /// 0 = -u_site + sum_s share_s u_s
  void relate_to_nodes(SitePlan::Site site, const GramVector &rest, const std::vector<AffineMotion::Matrix> &shares);
  /// That the component of a site, which is at rest there, follows.
  void add_relation(SitePlan::Site site, const GramVector &rest, int component, std::vector<Relation::Share> shares,
                    const std::string &what);
  /// E r R² of the entry Stiffness; 0: there is no material, or no arm.
  double stiffness_of_size() const;
  double stiffness_of_directors() const;
  /// Where the deck gives less than what is joined has.
  void warn_of_softness() const;
  void add_light(PartInSystem &part);

  std::optional<Parameters> deck;
  std::string called, type = "rigid";
  std::vector<std::string> at, boundaries, names, components{"x", "y", "z", "rotations"};
  std::vector<double> weights;
  std::vector<double> angular_velocity{0., 0., 0.};  ///< w of the reference at t = 0 [rad/s]
  HeldRotation held_rotation;
  double given_stiffness = 0;
  bool linear = false;
  bool off_plane = false;  ///< of distributing: the reference is, in rotations of any size

  std::array<bool, space> follows{};  ///< along x, y, z
  bool directors_follow = false;
  PartPlaces::End reference;
  std::vector<Node> nodes;
  std::optional<AffineMotion> average;
  std::vector<SitePlan::Site> directors;     ///< of the reference
  const DirectorNodes *stiffened = nullptr;  ///< of the plan
  std::vector<GramVector> basis, of_nodes;   ///< its directors at rest; those that follow
  std::vector<PartInSystem::Relation> relations;
  /// What follows, of each relation.
  struct Followed
  {
    SitePlan::Site site;
    GramVector rest;  ///< place or director
    int component;
  };
  std::vector<Followed> followed;
  std::size_t of_elements = 0, light = 0;  ///< directors of the reference that elements need; that get a mass
  std::unique_ptr<PlannedSites> seen;
  std::unique_ptr<const OffPlaneReference> raised;  ///< off the plane
  std::optional<OffPlaneReferences::Reference> height;
};
}  // namespace symdyn
