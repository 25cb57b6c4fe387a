#pragma once
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "elements/gram/gram_batches.h"
#include "elements/site_plan.h"
#include "elements/temperature_field.h"
#include "materials/section/expansion.h"
#include "materials/section/heated_stiffness.h"

namespace symdyn
{
/// The temperatures of a deck, as parts of a structure find them (SitePlan::shared).
struct PartTemperatures
{
  /// Before parts plan. Collective. Errors: InputError for names that no node has.
  void set(std::shared_ptr<const TemperatureField> field, const Actions &actions, const MeshPoints &mesh);

  std::shared_ptr<const TemperatureField> field;  ///< nullptr: the deck gives none
  const Actions *actions = nullptr;
  std::map<SitePlan::Site, TemperatureField::Names> names;  ///< of nodes that the deck names
  bool matter = false;                                      ///< some part has an expansion
};

/// A layer of a section, or all of it, and how a free section follows its free strain: by this part of it as a stretch [-], and with this
/// curvature along the directors 1 [1/m].
struct ExpandingLayer
{
  Expansion expansion;
  double stretch = 1., curvature = 0.;
};

/// Elements at temperatures. Each has a mean T of its nodes and gradients g_k of it along its directors, and remembers T, the free thermal
/// strain since the start and the free curvatures,
///     e = alpha(T) (T - T_ref) - alpha(T_0) (T_0 - T_ref)      [-],      kappa_k = d(alpha(T) (T - T_ref))/dT g_k      [1/m]
/// (of layers with an expansion of their own e = sum_l stretch_l e_l, and kappa_1 = sum_l curvature_l e_l, without a gradient.)
/// A free element has its places (1 + e) as far apart, and its directors turn by kappa along them:
///     eps_free = e B(Y)·X + e² B(X)·X/2 + sum_k kappa_k B'(Y)·X_k        (linear elements: without e²)
/// with Y the nodal vectors at rest, X those of them that are places, X_k the places in the positions of the directors k, and B' without
/// products with directors themselves, which are shear and torsion. What strains the element is eps - eps_free. Its stiffness may depend on
/// T: k(T) D in the place of D.
class HeatedElements
{
public:
  HeatedElements(const PartTemperatures &given, std::vector<ExpandingLayer> layers, const HeatedStiffness &stiffness, bool linear);
  /// While parts join; nullptr: they have no temperatures, or do not feel them. `stiffness`: of all layers; not given: it does not change.
  static std::unique_ptr<HeatedElements> of(SitePlan &plan, const std::vector<ExpandingLayer> &layers, const HeatedStiffness &stiffness,
                                            bool linear);
  static constexpr int variables = 4;  ///< T, e, kappa_1, kappa_2

  bool changes() const { return field->changes(); }
  bool changes_in_time() const { return field->changes_in_time(); }

  /// A place at which a temperature stands, and its part of the mean of an element.
  struct Share
  {
    SitePlan::Site site;
    GramVector place;
    double part;
  };
  /// Takes the last element of a batch of a group. The first nodal vectors are places, `shares` of them; as many directors 1 and 2 follow.
  /// `rest`: of the batch.
  void add(int group, int batch, int lane, const GramLayout &layout, const std::vector<Triple<Wide>> &rest,
           const std::vector<Share> &shares);
  /// All elements are there. Collective. Errors: InputError.
  void close(MPI_Comm ranks);

  /// Of all nodes that elements have.
  using Nodal = std::vector<std::array<double, 3>>;  ///< T, g_1, g_2
  Nodal at(double t) const;
  /// The variables of a batch at the start; and a step of the stage towards these temperatures. Errors: InputError where a table of the
  /// expansion does not reach them.
  void begin(int group, int batch, Wide *m) const;
  void heat(int group, int batch, const Nodal &values, Wide *m) const;
  double temperature_at_start(int group, int batch, int lane) const { return mean(group, batch, start)[0][lane]; }
  bool softens() const { return stiffness.given(); }
  /// How many times as stiff they are as their models, with these variables (nullptr: at the start).
  Wide stiffness_of(int group, int batch, const Wide *m) const;
  /// Temperatures of nodes, from those of elements of this rank in a history: each(take) calls take(group, batch, lane, T). Collective.
  /// Errors: InputError of reached_part().
  using Elements = std::function<void(const std::function<void(int, int, int, double)> &)>;
  std::map<SitePlan::Site, double> of_nodes(double t, const Elements &each, MPI_Comm ranks) const;
  /// eps - eps_free
  void subtract(int group, int batch, const Wide *m, Wide *eps) const;

private:
  struct Node
  {
    SitePlan::Site site;
    GramVector place;
    TemperatureField::Names names;
  };
  struct Group
  {
    int shares = 0, strains = 0;
    std::vector<int> nodes;                 ///< [batch][share][lane]
    std::vector<Wide> parts;                ///< [batch][share]
    std::vector<std::array<Wide, 4>> free;  ///< B(Y)·X, B(X)·X/2, B'(Y)·X_1, B'(Y)·X_2: [batch][strain]
  };
  int node_at(const Share &share);
  double or_reference(double T) const;
  /// sum_l stretch_l e_l, sum_l curvature_l e_l
  std::array<double, 2> free_of_layers(double T, double T0) const;
  /// Of T and of its gradients.
  std::array<Wide, 3> mean(int group, int batch, const Nodal &values) const;

  std::shared_ptr<const TemperatureField> field;
  const Actions *actions;
  std::map<SitePlan::Site, TemperatureField::Names> names;
  std::vector<ExpandingLayer> layers;
  HeatedStiffness stiffness;
  bool linear;
  std::vector<Node> nodes;
  std::map<SitePlan::Site, int> number_of;
  std::vector<Group> groups;
  Nodal start;
};
}  // namespace symdyn
