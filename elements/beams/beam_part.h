#pragma once
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "elements/beams/beam_course.h"
#include "elements/beams/beam_deck.h"
#include "elements/beams/beam_hinge.h"
#include "elements/gram/director_stiffness.h"
#include "elements/gram/director_term.h"
#include "elements/gram/part_places.h"
#include "elements/structure_part.h"
#include "solver/deck/formula/expression.h"

namespace symdyn
{
/// A straight beam between two places, or one along lines of the mesh: elements with directors (beam_element.h) that share the directors of
/// a node with all beams and shells that have it, so that they are joined stiffly.
class Beam : public StructurePart
{
public:
  void declare(const std::string &name, Parameters &p) override;
  void plan(SitePlan &plan) override;
  void join(SitePlan &plan) override;
  PartInSystem build(const PlannedSites &sites) override;
  void number_terms(const std::size_t first) override { number_of_term = first; }
  std::vector<Column> columns(const Units &units) const override;
  void values(const State &state, std::vector<double> &out) const override;
  void tabulate(const State &state, const std::string &quantity, const ElementNumbers &wanted, ElementTables &tables) const override;
  void draw(const State &state, NodeFrame &frame) const override;
  std::vector<std::string> materials() const override { return {section.material_name()}; }
  std::vector<std::string> groups_of_mesh() const override { return groups; }
  std::string description() const override;
  std::vector<std::string> loads() const override;

private:
  struct Turning;
  int nodes_of_element() const { return type == "B31" ? 2 : 3; }
  bool is_straight() const { return groups.empty(); }
  int last_node() const { return int(course.places.size()) - 1; }
  bool is_clamped(const int node) const
  {
    const auto has = [&](const char *end) { return std::find(clamped.begin(), clamped.end(), end) != clamped.end(); };
    return (node == 0 && has("from")) || (node == last_node() && has("to"));
  }
  void check_entries(const Parameters &p) const;
  void check_ends(const Parameters &p) const;
  void check_line_load(const Parameters &p) const;
  /// Errors: InputError where an end lies on another beam that has no node there; a warning of ends of lines of a mesh, and of axes that
  /// cross.
  void check_crossings(SitePlan &plan) const;
  /// As its constraints are named: "girder.hinge_to".
  std::string name_of(const BeamHinge &hinge) const;
  /// Which moments an end releases; the entry that says it.
  BeamRelease release_at(const std::string &end, const Parameters &p) const;
  std::string entry_of_release(const std::string &end) const;
  /// Errors: InputError for what would be a mechanism.
  void check_releases(const Parameters &p) const;
  /// Once the course is known. Errors: InputError.
  void find_hinges();
  /// An item of the entry Releases.
  void add_named_hinge(const std::string &text);
  /// Of an element at one of its nodes; nullptr: it is joined stiffly there.
  const BeamHinge *hinge_at(std::size_t element, std::size_t end) const;
  BeamHinge *hinge_at(const std::size_t element, const std::size_t end)
  {
    return const_cast<BeamHinge *>(std::as_const(*this).hinge_at(element, end));
  }
  int node_of(const BeamHinge &hinge) const { return course.elements[hinge.element].nodes[hinge.end]; }
  /// d_1, d_2 and the tangent at rest.
  GramVectors axes_of(const BeamHinge &hinge) const;
  void plan_hinge(SitePlan &plan, const BeamHinge &hinge) const;
  /// Errors: InputError for a release of what nothing resists.
  void join_hinge(SitePlan &plan, BeamHinge &hinge);
  /// Where two of three moments are released: rotations about the axis of the third are equal on both sides, for small ones.
  void carry_last_moment(SitePlan &plan, const BeamHinge &hinge);
  /// Directors that turn as one: those of nodes, and of hinges beside them. Once hinges are joined.
  void find_turning(SitePlan &plan);
  void add_turning(BeamHinge &hinge);
  void plan_straight(SitePlan &plan);
  void plan_lines(SitePlan &plan);
  PlannedElement planned_element(SitePlan &plan, std::size_t element, const BeamType &model);
  void add_axis(SitePlan &plan, std::size_t element) const;
  /// Adds the element to scaled_inertia.
  void scale_inertia(std::size_t element, const GramModel &model);
  /// What keeps these directors in shape [N m].
  double stiffness_of(const Turning &one) const;
  PlannedElement planned_directors(const Turning &node) const;
  /// Of all elements that this rank counts.
  void visit(const State &state, const std::function<void(const GramTerm::Seen &)> &take) const;
  /// Of N, M1, M2 at a Gauss point of an element, at a place of the section [Pa]; of plastic beams at the nearest point that yields.
  double axial_stress(const GramTerm::Seen &one, int point, const BeamPoint &corner) const;
  /// The point of a plastic section there.
  const Fibres::Seen &fibre_at(const GramTerm::Seen &one, int point, const BeamPoint &corner) const;
  void draw_element(const GramTerm::Seen &one, const std::vector<BeamPoint> &corners, NodeFrame &drawn) const;
  /// Numbers of the fields of a frame, asked for before a cell is added.
  struct DrawnFields
  {
    std::size_t mises;
    std::array<std::size_t, 2> directors;
    std::size_t flow, heat, stress;
  };
  /// A node, in the section at this place, with the largest values that a Gauss point has at the places seen.
  void draw_point(const GramTerm::Seen &one, int a, int point, const BeamPoint &place, const std::vector<BeamPoint> &seen,
                  const DrawnFields &fields, NodeFrame &drawn) const;
  std::vector<std::uint64_t> words_of_point(std::size_t element, std::size_t a, const BeamPoint &place) const;
  /// Where history.csv has section forces, once the course is known. Errors: InputError.
  void find_cuts(SitePlan &plan);
  /// C e at a Gauss point of an element: V1, V2, N, M1, M2, T.
  std::vector<double> forces_at(const GramTerm::Seen &one, std::size_t point) const;
  /// The same at each cut, one after the other, on every rank. Collective.
  std::vector<double> section_forces(const State &state) const;

  std::optional<Parameters> deck;
  std::string called, type = "B32";
  std::vector<std::string> from, to, groups, clamped, hinged, release_at_from, release_at_to, releases, forces_at_nodes;
  std::vector<Expression> line_load;
  std::vector<double> direction;
  int elements = 10, shared = 0;  ///< shared: nodes that are points, or nodes of the mesh
  DirectorStiffness director_stiffness;
  double damping = 0;
  bool lumped = false;  ///< mass of the deck
  bool linear = false;
  BeamDeck section;

  BeamCourse course;
  std::vector<BeamCut> cuts;
  std::vector<BeamHinge> hinges;
  struct Turning
  {
    int node;
    std::vector<SitePlan::Site> sites;  ///< of the directors: own ones first
    std::vector<SiteSum> directors;
    bool is_joint;              ///< moments pass through the shape of the directors
    double length = 0;          ///< the share of the beam [m]
    double scaled_inertia = 0;  ///< sum of m L²/12, m its share of the mass of an element of length L [kg m²]
  };
  std::vector<Turning> turning;
  std::vector<std::size_t> at_node;  ///< of each node: its place in `turning`
  std::vector<PartInSystem::Relation> relations;
  std::vector<PartInSystem::Light> light;
  std::vector<SitePlan::Site> held;  ///< directors at clamped ends
  std::string not_exact;             ///< why a hinge cannot have exact directors
  std::vector<PlannedElement> planned;
  std::unique_ptr<HeatedElements> heat;
  std::vector<double> lengths;               ///< of each node: the integral of its functions over the beam, by which line loads act [m]
  std::vector<std::vector<double>> metrics;  ///< of each element at its Gauss points: ds/dxi [m]
  std::vector<std::size_t> counted;          ///< elements, by GramTerm::Seen::number
  std::shared_ptr<GramTerm> term;
  std::size_t number_of_term = 0;  ///< in the system
  std::shared_ptr<DirectorTerm> directors;
  std::unique_ptr<PlannedSites> seen;
};
}  // namespace symdyn
