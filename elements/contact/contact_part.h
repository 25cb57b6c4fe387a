#pragma once
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "elements/body_surface.h"
#include "elements/contact/contact_term.h"
#include "elements/contact/friction/friction_term.h"
#include "elements/contact/obstacles/obstacle_part.h"
#include "elements/contact/proxy_surface.h"
#include "elements/contact/segments.h"
#include "elements/contact/step_rules.h"
#include "elements/contact_stages.h"
#include "elements/contact_tables.h"
#include "elements/gram/stiffest_material.h"
#include "elements/mesh_faces.h"
#include "elements/structure_part.h"
#include "elements/ties/tie_method.h"

namespace symdyn
{
class PairTerm;

/// A section of Contact: boundaries of a body against an obstacle, or two boundaries against each other, or one against itself.
class ContactPart : public StructurePart, public MovesNodes, public ReportsContact
{
public:
  void declare(const std::string &name, Parameters &p) override;
  bool adjust(BodySurface &surface) override;
  void plan(SitePlan &plan) override;
  void join(SitePlan &plan) override;
  PartInSystem build(const PlannedSites &sites) override;
  void number_terms(const std::size_t first) override { number_of_term = first; }
  bool has_elements() const override { return false; }
  void initialise(const PlannedSites &sites, Vector &q, Vector &v) const override;
  std::vector<Column> columns(const Units &units) const override;
  void values(const State &state, std::vector<double> &out) const override;
  std::string description() const override { return words; }
  /// Its boundaries, with the fields contact_pressure, contact_gap, contact_slip.
  void draw_surfaces(const State &state, NodeFrame &frame) const override;
  const std::string &first_boundary() const override;
  bool has_nodes() const override { return of_nodes; }
  ContactTable table(const State &state) const override;
  std::function<SurfaceValue(const State &)> at_place(const Place &X, const std::string &where) const override;

private:
  /// All contacts, for the column E_contact.
  struct All
  {
    std::vector<const ContactPart *> parts;
  };
  /// What is known of a surface, over all ranks.
  struct Surface
  {
    double height = 0, size = 0;  ///< the smallest of its faces and the cells over them [m]
    double area = 0;
    std::size_t faces = 0, points = 0;
  };
  static constexpr double deep_of_hard = 1e-3;  ///< what Law = hard allows, in heights of a cell
  void find_boundary(SitePlan &plan, const std::string &name, const Obstacles &obstacles);
  bool find_thin(SitePlan &plan, const std::string &name) const;
  std::vector<std::string> in_mesh(std::vector<std::string> names) const;
  std::vector<BoundaryCell> cells_of(const std::string &name) const;
  /// How steps resolve impacts: where stages move, and the masses are known.
  struct Resolution
  {
    double rho_A;            ///< [kg/m²]
    std::string coarse_for;  ///< a scheme that neither keeps the energy nor damps, or ""
    bool without_newton;     ///< of some stage
    double layers = 0;       ///< the most that the smallest gap has closed by in a step, in the rows of the history
    bool warned_of_frequency = false, warned_of_speed = false;
  };
  static constexpr double far_away = 1e299;  ///< [m], above gaps that are known
  /// The rule of steps: 12 v h is a layer; more than this part of one a step is fast.
  static constexpr double steps_through = 12., fast = 0.2;
  void add_resolution(const State &state, double gap, std::vector<double> &out) const;
  std::string way_out() const;
  std::string slow_out() const;
  /// By a penalty, bodies that touch are closed, so that one that lies on another is held in static stages: gaps below this are [m].
  double touching(const double height) const { return law->closes_by_touching() ? 1e-10 * height : 0.; }
  void warn_once(bool &warned, const std::string &text) const;
  void refuse_other_contacts(const Obstacles &obstacles) const;
  std::vector<MeshFace> faces_of(const PlannedSites &sites) const;
  std::vector<SurfaceFace> faces_of(const BodySurface &surface, const std::string &name, std::set<std::int64_t> &of_first) const;
  std::set<int> sites_alone(const PlannedSites &sites) const;
  std::vector<TiedNode> feet_of(const BodySurface &surface, const std::vector<std::vector<SurfaceFace>> &faces, double usual) const;
  std::set<std::int64_t> nodes_to_adjust(const BodySurface &surface, const std::set<std::int64_t> &of_first) const;
  static void refuse_what_is_not_there(Parameters &p);
  void choose_law(Parameters &p);
  void replace_law(const Parameters &p);
  void declare_law(Parameters &p);
  void declare_friction(Parameters &p);
  void declare_start(Parameters &p);
  /// Layer and stiffness are known.
  void make_law(const Surface &surface);
  void check_law(const Parameters &p) const;
  Surface measure(const std::vector<MeshFace> &faces, MPI_Comm communicator) const;
  /// Layer and stiffness, where the deck leaves them to the program (docs/theory-contact.md). Errors: InputError.
  /// Whether any contact of the deck has friction.
  bool any_rubs() const
  {
    return std::any_of(all->parts.begin(), all->parts.end(), [](const ContactPart *part) { return bool(part->rubs); });
  }
  double closing_speed(const std::vector<MeshFace> &faces, MPI_Comm communicator) const;
  /// Whether a boundary stands deep within a body, or two do not look at each other.
  void look_at_start(const BodySurface &surface);
  void choose_layer(const Surface &surface, const std::vector<MeshFace> &faces, MPI_Comm communicator);
  /// Errors: InputError for a layer that is more than half of the thinnest body. Collective.
  void check_thickness(const Surface &surface) const;
  void choose_stiffness(const Surface &surface);
  double stiffness_of(const ContactLaw &of, const std::string &text, const Surface &surface, const Parameters &p) const;
  /// What a stage changes.
  struct Change
  {
    std::size_t stage;
    std::string law_name, stiffness;
    ContactEntries entries;
    double friction;
    std::string stick_slope;
    Parameters deck;
  };
  void declare_changes(const Parameters &p);
  static void declare_change(Change &change);
  void check_change(const Change &change) const;
  double largest_friction() const;
  std::vector<int> changes_of_stages() const;
  void stage_laws(const Surface &surface);
  std::vector<FrictionTerm::Entries> friction_of_stages() const;
  /// The least mass over an area of the surface [kg/m²].
  double mass_over_area(const Surface &surface) const;
  /// Those of the cells at the boundaries; of two boundaries the modulus of the softer one.
  void find_material(const PlannedSites &sites);
  /// Traits::impact.
  double impact_of(const Surface &surface) const;
  /// Errors and warnings about h omega_0 and the smoothness of the law.
  void check_steps(const Surface &surface);
  double surfaces_that_move() const { return obstacle ? 1. : 2.; }
  void check_smoothness(const StepsOfDeck &steps) const;
  void check_friction() const;
  void check_start_entries() const;
  bool acts_in_first_stage() const;
  void choose_points(const Parameters &p);
  std::shared_ptr<FrictionTerm> make_friction() const;
  void check_gradient(const ContactPair &pair, MPI_Comm communicator) const;
  /// The sums of all ranks.
  bool is_off() const { return actions->are_apart(called); }
  static ContactSums sums(const TouchingTerm &term, const Vector &q, const double *history);
  ContactSums sums(const State &state) const;
  /// The same of friction.
  FrictionTerm::Rubbing rubbing(const State &state) const;
  Vector at_start(const Vector &q) const;
  void check_start(const ContactSums &at_rest) const;
  void check_tied(const Parameters &p) const;
  void check_damping(const Parameters &p) const;
  PartInSystem terms_of(const Surface &surface) const;
  void describe_start(const ContactSums &at_rest);
  void describe_memory();
  void describe_tied(const ContactSums &at_rest);
  void join_boundaries(SitePlan &plan);
  void refuse_ties_of_the_pair() const;
  void refuse_shared_faces(const std::vector<std::vector<BoundaryCell>> &of_boundaries) const;
  void refuse_of_obstacle() const;
  void refuse_of_shells() const;
  void find_axes();
  std::optional<BeamAxis> axis_of(const std::string &name) const;
  std::optional<BeamAxis> softest_axis(std::size_t side) const;
  void leave_out_neighbours(ProxySurface &surface) const;
  void check_spacing(const std::vector<MeshFace> &faces) const;
  void check_both_faces(double deep) const;
  bool has_axes() const;
  double radii() const;
  double largest_radius() const;
  void describe_axes();
  double stiffness_to_lift(const Surface &surface) const;
  std::string if_slow_to_lift(const Surface &surface) const;
  void refuse_of_axes() const;
  ProxySurface faces_and_axes(const ProxyChoice &choice) const;
  std::shared_ptr<TouchingTerm> around_axes(const PlannedSites &sites, const Surface &surface) const;
  void start_search(PairTerm &pair, double apart) const;
  std::shared_ptr<TouchingTerm> against_obstacle(ContactPair pair, const PlannedSites &sites, const Surface &surface);
  SurfaceSums field_sums(const State &state, int layer) const;
  std::unique_ptr<const SegmentSurface> surface_to_draw(const PlannedSites &sites) const;
  ProxyChoice proxy_choice(const PlannedSites &sites, double depth) const;
  ProxySurface proxies(const PlannedSites &sites, double depth) const;
  bool by_segments() const { return pairing == "segments" || of_nodes; }
  std::shared_ptr<TouchingTerm> between_boundaries(const PlannedSites &sites, const Surface &surface) const;
  void take_overlap_back(const PlannedSites &sites, const Surface &surface);
  std::shared_ptr<TouchingTerm> tied(const Surface &surface, std::array<SegmentSurface, 2> sides) const;
  std::shared_ptr<TouchingTerm> segments(const PlannedSites &sites, const Surface &surface) const;

  std::optional<Parameters> deck;
  Units units;
  std::string called, law_name = "barrier", stiffness = "auto", layer = "auto", side = "inside", largest_speed = "auto", pairing = "points";
  std::vector<std::string> between, boundaries;
  ContactEntries entries;
  double clearance = 0, friction = 0, damping = 0;  ///< [m], mu, c
  std::vector<Change> changes;
  std::string words_of_changes;
  std::string stick_slope = "auto";
  int friction_iterations = 0;
  std::string at_begin = "as it is", tolerance = "auto";
  double largest_move = 0;    ///< of Start = adjust [m]
  std::size_t left = 0;       ///< nodes that it should move and cannot: out of its Tolerance, or beside no face
  std::string adjusted;       ///< a set of nodes, or ""
  double farthest_drawn = 0;  ///< gaps of pictures are at most this [m]
  double overlap = 0;         ///< of Start = shrink: the deepest place at the start [m]
  std::string points_given = "4";
  int points = 4;
  bool of_nodes = false;         ///< Points = nodes
  bool whole = false;            ///< `all` is one of the boundaries: the whole surface
  bool leaves_beams = false;     ///< of which beams are no part
  std::set<std::int64_t> alone;  ///< of those: a set of nodes in place of the first boundary, which has no face

  std::optional<StiffestMaterial> material;  ///< nothing: the deck has none
  std::string against;                       ///< the obstacle, or the other boundary, or "itself"
  const Obstacles::One *obstacle = nullptr;  ///< of the plan
  const MeshFaces *body = nullptr;
  std::string misplaced, turned;  ///< that a boundary of solids stands within a body; that two look away from each other; "": no
  double size_of_part = 0;        ///< the largest of the parts of a mesh of solids [m]; 0: not known
  double body_size = 0;
  All *all = nullptr;  ///< of the plan
  const Actions *actions = nullptr;
  bool is_first = false;
  std::vector<std::optional<BeamAxis>> axes;     ///< of each boundary, where that is a beam
  std::vector<std::vector<BoundaryCell>> cells;  ///< of contacts of boundaries, each one's
  std::shared_ptr<ContactLaw> law, asked;        ///< asked: that of the deck, in whose place `law` may be
  std::string asked_name, replaced;              ///< what to say of that, or ""
  std::shared_ptr<TouchingTerm> term;
  std::unique_ptr<const SegmentSurface> drawn;  ///< owned faces of all boundaries
  std::shared_ptr<FrictionTerm> rubs;           ///< nullptr: without friction
  mutable std::optional<Resolution> resolution;
  std::size_t number_of_term = 0;
  int n = 3, carrier = -1;  ///< local site of a moving obstacle
  std::shared_ptr<const Space> space;
  std::string words;  ///< for `symdyn check`
};
}  // namespace symdyn
