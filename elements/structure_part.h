#pragma once
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "elements/applied_load.h"
#include "elements/cyclic_symmetry.h"
#include "elements/element_rows.h"
#include "elements/mesh_points.h"
#include "elements/site_plan.h"
#include "elements/site_supports.h"
#include "elements/term.h"
#include "solver/column.h"
#include "solver/deck/formula/expression.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
struct NodeFrame;
struct Units;

/// What a part adds to the system of a structure.
struct PartInSystem
{
  std::vector<std::shared_ptr<Term>> terms;
  std::shared_ptr<Term> directors;                          ///< what keeps elastic directors in shape; nullptr: there are none
  std::vector<std::vector<SitePlan::Site>> director_nodes;  ///< the same directors, node by node
  /// Of each of these nodes: what Elements/Rotary inertia = scaled gives to each of its directors at least, summed over the parts that meet
  /// there [kg m²]; empty: the part has nothing to scale.
  std::vector<double> scaled_inertia;
  bool linear = false;                                    ///< its displacements and rotations are small
  std::vector<std::pair<SitePlan::Site, double>> masses;  ///< of its sites and, beside that of the cells, of nodes [kg]
  /// Masses of pairs of sites, each pair once, in addition to those [kg]: the mass that the deck chooses, less the diagonal one.
  struct Pair
  {
    SitePlan::Site one, other;
    double mass;
  };
  std::vector<Pair> pairs;
  std::vector<Pair> lumped_pairs;  ///< likewise, of a lumped mass: sites of a node whose mass stands off its place
  /// In addition to those, of all degrees of freedom of some sites: DenseMass.
  struct Dense
  {
    std::vector<SitePlan::Site> sites;
    std::vector<double> mass;
    std::string where;  ///< file:line
    bool carried;       ///< translations of its places are those of all of its mass: it can weigh
  };
  std::vector<Dense> dense_masses;
  /// A director to which relations give no mass: it gets a hundredth of the inertia of these nodes, sum of mass times square of the arm,
  /// and the largest of these other directors.
  struct Light
  {
    SitePlan::Site director;
    std::vector<std::pair<SitePlan::Site, double>> nodes;  ///< and |c|² [m²]
    std::vector<SitePlan::Site> others;
  };
  std::vector<Light> light;
  /// sum of factor times component of the displacement of a site = b(t), from the first step to the last.
  struct Relation
  {
    std::string name, where;  ///< for errors; where: file:line
    struct Share
    {
      SitePlan::Site site;
      int component;
      double factor;
    };
    std::vector<Share> shares;
    Expression sum = Expression(0.);  ///< b
    bool of_cut = false;              ///< joins a sector with the next one: SiteRelation::of_cut
  };
  std::vector<Relation> relations;
  /// The displacement of a site = sum of weight times that of others. Supports of the site win: in the directions that they hold, there is
  /// no relation.
  struct Tie
  {
    std::string name, where;  ///< for errors; where: file:line
    SitePlan::Site site;
    std::vector<std::pair<SitePlan::Site, double>> others;
  };
  std::vector<Tie> ties;
  /// Directors that relations move, or that lead others in relations: exact constraints leave their nodes out, which `directors` holds.
  std::set<SitePlan::Site> related;
  std::shared_ptr<const CyclicSymmetry> cyclic;  ///< the structure is one of these sectors; nullptr: it is the whole
  std::string off_nodes;                         ///< the entry, with its place in the deck, that puts masses off the nodes
  std::string not_exact;                         ///< an error, with its place in the deck, where exact directors would be wrong
  std::vector<std::shared_ptr<const SiteSupports>> supports;  ///< of its own sites
  std::vector<LoadInUse> loads;
};

/// A part of a structure beside its cells: beams, a contact between two boundaries. One subsection of the section of the deck by whose name
/// the class is registered,
///     SYMDYN_REGISTER(StructurePart, Mast, "Masts");        subsection Masts / subsection main / set Height = 3
/// makes one part. A structure calls declare() when it reads the deck, plan() when there is a mesh, join() when all parts have
/// planned, build() when sites are numbered; every rank calls them in the same order. Errors of all: InputError with the place in the deck
/// (Parameters::fail).
class StructurePart
{
public:
  virtual ~StructurePart() = default;

  /// The entries of its subsection.
  virtual void declare(const std::string &name, Parameters &p) = 0;
  /// Finds nodes of the mesh, appends sites, joins those of an element. Collective.
  virtual void plan(SitePlan &plan) = 0;
  /// The same for sites that depend on what other parts have planned.
  virtual void join(SitePlan & /*plan*/) {}
  virtual PartInSystem build(const PlannedSites &sites) = 0;
  /// The number that the first of its terms has in the system: of their histories in a State (TermHistories::of).
  virtual void number_terms(std::size_t /*first*/) {}
  /// Displacements and velocities of its own sites at t = 0; those of nodes are the body's.
  virtual void initialise(const PlannedSites &, Vector & /*q*/, Vector & /*v*/) const {}

  /// Whether its section has no subsections, and is one part by itself.
  virtual bool single() const { return false; }
  /// Whether it has elements with a mass or a strain: beams, shells.
  virtual bool has_elements() const { return true; }
  /// Sections of Materials that it names.
  virtual std::vector<std::string> materials() const { return {}; }
  /// Groups of the mesh that it fills; {}: none, or all.
  virtual std::vector<std::string> groups_of_mesh() const { return {}; }
  /// Names of its loads, for `symdyn check` and summary.json.
  virtual std::vector<std::string> loads() const { return {}; }
  /// Adds its owned elements as they stand to a frame, with the field `displacement`.
  virtual void draw(const State &, NodeFrame &) const {}
  /// The same of surfaces of the mesh, which solution.pvd has already: for contact.pvd.
  virtual void draw_surfaces(const State &, NodeFrame &) const {}
  /// For history.csv; the values are the same on every rank. Collective.
  virtual std::vector<Column> columns(const Units &) const { return {}; }
  virtual void values(const State &, std::vector<double> & /*out*/) const {}
  /// The same of forces in its relations: one multiplier each, lambda of sum of factor u = 0, whose force on a site is factor lambda [N].
  virtual std::vector<Column> columns_of_relations(const Units &) const { return {}; }
  virtual void values_of_relations(const State &, const double * /*multipliers*/, std::vector<double> & /*out*/) const {}
  /// For printed tables: rows of a quantity (SF, S) of those of these elements that this rank counts.
  virtual void tabulate(const State &, const std::string & /*quantity*/, const ElementNumbers &, ElementTables &) const {}
  /// Of its reference, for printed tables of nodes: rotation vector [rad] and angular velocity [rad/s]; {}: it has none. `about`: of a
  /// displacement state.q about that state. Collective.
  virtual std::vector<double> rotation(const State & /*state*/, const State * /*about*/) const { return {}; }
  /// For `symdyn check`: "12 elements from (0, 0, 0) to (0, 0, 3) m".
  virtual std::string description() const { return ""; }
};
}  // namespace symdyn
