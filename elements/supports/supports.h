#pragma once
#include <deal.II/base/tensor.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "elements/site_supports.h"
#include "elements/space/local_axes.h"
#include "elements/space/rotation_entry.h"
#include "elements/supports/nodes_of_mesh.h"
#include "elements/supports/support_motion.h"
#include "elements/supports/support_region.h"

namespace symdyn
{
/// Where and how a structure is held. At each held node the prescribed directions n_k (unit vectors) span a subspace:
///     P = I - Nᵀ(N Nᵀ)⁻¹N,   u = P u + Nᵀ(N Nᵀ)⁻¹ g(t),   rows of N: n_k
/// so that coordinate planes and inclined rollers are one thing. Types: `fixed`; `displacement`, `velocity`, `acceleration` (components are
/// an expression or `free`: SupportMotion); `symmetry` and `roller` (no displacement along the normal of a plane boundary).
///
/// Directors of shells: `fixed` holds them; `symmetry` keeps n·d; of the others `Rotation` says about which axes the nodes do not turn:
/// about all three, d is held; about two, d·a of the third, a; about one, a, d·(a x D) of a node with one director (SingleRotation: of
/// others). A rotation that moves is prescribed about all three axes, d(t) = exp(theta(t)) D; or about one, d·(a x D) = sin(theta) |a x
/// D|²; of small rotations about any of them, components of D + theta x D.
template <int dim>
class Supports : public SiteSupports
{
public:
  using Tensor = dealii::Tensor<2, dim>;

  void declare(Parameters &p);
  /// The entries of one support, for the deck reference.
  void document(Parameters p);
  /// Errors: InputError for a boundary that does not exist, is curved (roller, symmetry) or contradicts another support.
  void prepare(std::shared_ptr<const SupportedNodes<dim>> nodes);
  void prepare(const Discretisation<dim> &mesh) { prepare(supported_nodes(mesh)); }

  /// How much of what is prescribed has come: of supports that begin in this stage, and of the others.
  struct Factors
  {
    double beginning, others;
  };
  void impose(double t, const Actions &actions, Vector &q, Vector &v, Vector &a) const override;
  /// These hold from now on, and those of them that `begin` from where q stands. Errors: InputError where two contradict each other.
  void begin(const std::vector<bool> &hold, const std::vector<bool> &begin, const Vector &q);
  /// The same before there is a state.
  void hold_only(const std::vector<bool> &hold);
  void project(Vector &r) const override;
  const double *projector(unsigned int site) const override { return at[site] < 0 ? nullptr : &held[at[site]].P[0][0]; }
  bool any() const override { return !supports.empty(); }
  void add_tables(std::vector<DrivingTable> &driving) const override;

  /// P of a local node, or nullptr if it is free.
  const Tensor *projector_of(unsigned int node) const { return at[node] < 0 ? nullptr : &held[at[node]].P; }

  struct Support
  {
    std::string name, type = "fixed";
    SupportRegion region;
    SupportMotion motion;
    std::vector<double> normal;
    LocalAxes axes;                                             ///< of the components that move
    RotationEntry rotation;                                     ///< not given: as the type says
    std::vector<Expression> theta{};                            ///< what of it is applied
    bool small_rotations = false, turns_by_components = false;  ///< the latter: d = D + theta x D along what is held
    std::string where;                                          ///< place in the deck, for errors
    bool holds = true, begins = false;
    std::unordered_map<unsigned int, dealii::Tensor<1, dim>> stood;  ///< u of its owned nodes when it began [m]
    std::vector<unsigned int> nodes;                                 ///< owned
  };
  const std::vector<Support> &all() const { return supports; }
  bool moves() const override;
  /// Names of those that hold something where it stands.
  std::vector<std::string> standing() const;
  /// "clamp.R_x", and sums of such a vector of forces over the nodes of each [N]; where nodes have directors and it holds their rotation,
  /// "clamp.RM_x": sum of (X - middle) x R + sum D x R of the directors, about the middle of its nodes at rest [N m]. Collective.
  std::vector<std::string> columns() const;
  std::vector<double> sums(const Vector &force) const;
  int n_held_nodes() const { return int(held.size()); }
  /// The rotation about one axis of an owned node with several directors, which is a relation between them.
  struct SingleRotation
  {
    int support;
    unsigned int node;
    dealii::Tensor<1, dim> axis;
    Expression theta;  ///< [rad]
    bool operator==(const SingleRotation &other) const { return support == other.support && node == other.node; }
  };
  const std::vector<SingleRotation> &single_rotations() const { return singles; }

private:
  bool holds_rotation(const Support &support) const;
  /// This rank's part of that of sums().
  dealii::Tensor<1, dim> moment(const Support &support, const Vector &force) const;
  struct Direction
  {
    dealii::Tensor<1, dim> n;
    int support, component;              ///< component -1: g = 0
    bool stands = false;                 ///< g is where the node stood
    dealii::Tensor<1, dim> turned = {};  ///< not 0: g = n·(exp(theta(t)) turned - turned)
    bool rests() const { return component < 0 && turned.norm() == 0.; }
  };
  struct Held
  {
    unsigned int node;
    std::vector<Direction> directions;
    Tensor P;
    std::vector<dealii::Tensor<1, dim>> lift;  ///< columns of Nᵀ(N Nᵀ)⁻¹
  };

  static void add_entries(Support &support, Parameters &p);
  void declare_one(const std::string &name, Parameters p);
  static void read_rotation(Support &support, const Parameters &p);
  dealii::Tensor<1, dim> plane_normal(const Support &support, const std::string &boundary) const;
  void hold_boundary(int support, const std::string &boundary);
  void hold_region(int support);
  void hold_each(const std::vector<unsigned int> &nodes, int support, const dealii::Tensor<1, dim> &normal, bool along_normal);
  void hold_all(unsigned int node, int support, const dealii::Tensor<1, dim> &normal, bool along_normal);
  void hold_directors(unsigned int node, int support, const dealii::Tensor<1, dim> &normal);
  void hold_symmetry(unsigned int node, const typename SupportedNodes<dim>::Director &director, int support,
                     const dealii::Tensor<1, dim> &n);
  void hold_rotation(const typename SupportedNodes<dim>::Director &director, int support, const std::array<bool, 3> &held,
                     const dealii::Tensor<2, dim> &axes);
  void hold(unsigned int node, const Direction &direction);
  /// For messages, and to tell motions apart.
  std::string text(const Direction &direction) const;
  dealii::Tensor<2, dim> axes_at(const Support &support, unsigned int node) const;
  /// n·(d - D) of a director that turns.
  Jet<double> turned(const Held &node, const Direction &direction, double factor, double t) const;
  void complete(Held &node) const;
  Jet<double> prescribed(const Held &node, const Direction &direction, const Factors &factors,
                         const std::vector<SupportMotion::Instant> &instants) const;

  std::shared_ptr<const SupportedNodes<dim>> of_mesh;
  std::vector<Support> supports;
  std::vector<Held> held;
  std::vector<int> at;  ///< local node: index into held, or -1
  std::vector<SingleRotation> singles;
};
}  // namespace symdyn
