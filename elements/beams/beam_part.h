#pragma once
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "elements/beams/beam_course.h"
#include "elements/beams/beam_deck.h"
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
  std::vector<Column> columns(const Units &units) const override;
  void values(const State &state, std::vector<double> &out) const override;
  void tabulate(const Vector &q, const std::string &quantity, const ElementNumbers &wanted, ElementTables &tables) const override;
  void draw(const State &state, NodeFrame &frame) const override;
  std::vector<std::string> materials() const override { return {section.material_name()}; }
  std::vector<std::string> groups_of_mesh() const override { return groups; }
  std::string description() const override;
  std::vector<std::string> loads() const override;

private:
  int nodes_of_element() const { return type == "B31" ? 2 : 3; }
  bool is_hinged(const std::string &end) const { return std::find(hinged.begin(), hinged.end(), end) != hinged.end(); }
  bool is_straight() const { return groups.empty(); }
  int last_node() const { return int(course.places.size()) - 1; }
  /// Whether the directors of a node are of this beam alone: of a hinge.
  bool turns_alone(const int node) const { return (node == 0 && is_hinged("from")) || (node == last_node() && is_hinged("to")); }
  void check_entries(const Parameters &p) const;
  void check_ends(const Parameters &p) const;
  void check_line_load(const Parameters &p) const;
  /// Errors: InputError where an end lies on another beam that does not end there.
  void check_crossings(SitePlan &plan) const;
  void plan_straight(SitePlan &plan);
  void plan_lines(SitePlan &plan);
  PlannedElement planned_element(SitePlan &plan, const BeamCourse::Element &of_course, const BeamType &model);
  /// Adds the element to scaled_inertia.
  void scale_inertia(const BeamCourse::Element &of_course, const GramModel &model);
  std::vector<PlannedElement> planned_directors() const;
  /// Of N, M1, M2 at a Gauss point of an element with these strains, at a point of the section [Pa]; `metric`: ds/dxi there.
  double axial_stress(const std::vector<double> &eps, int point, double metric, const BeamPoint &corner) const;
  /// `mises`: the number of its field.
  void draw_element(const GramTerm::Seen &one, const std::vector<BeamPoint> &corners, std::size_t mises, NodeFrame &drawn) const;
  /// Where history.csv has section forces, once the course is known. Errors: InputError.
  void find_cuts(SitePlan &plan);
  /// C e at a Gauss point of an element: V1, V2, N, M1, M2, T.
  std::vector<double> forces_at(const GramTerm::Seen &one, std::size_t point) const;
  /// The same at each cut, one after the other, on every rank. Collective.
  std::vector<double> section_forces(const State &state) const;

  std::optional<Parameters> deck;
  std::string called, type = "B32";
  std::vector<std::string> from, to, groups, clamped, hinged, forces_at_nodes;
  std::vector<Expression> line_load;
  std::vector<double> direction;
  int elements = 10, shared = 0;  ///< shared: nodes that are points, or nodes of the mesh
  double director_stiffness = 1, damping = 0;
  bool lumped = false;  ///< mass of the deck
  bool linear = false;
  BeamDeck section;

  BeamCourse course;
  std::vector<BeamCut> cuts;
  std::vector<std::vector<SitePlan::Site>> node_basis;  ///< directors of each node
  std::vector<PlannedElement> planned;
  std::vector<double> lengths;               ///< of each node: the integral of its functions over the beam, by which line loads act [m]
  std::vector<double> scaled_inertia;        ///< of each node: sum of m L²/12, m its share of the mass of an element of length L [kg m²]
  std::vector<std::vector<double>> metrics;  ///< of each element at its Gauss points: ds/dxi [m]
  std::vector<std::size_t> counted;          ///< elements, by GramTerm::Seen::number
  std::shared_ptr<GramTerm> term;
  std::shared_ptr<DirectorTerm> directors;
  std::unique_ptr<PlannedSites> seen;
};
}  // namespace symdyn
