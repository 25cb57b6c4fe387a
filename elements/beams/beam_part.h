#pragma once
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "elements/beams/beam_deck.h"
#include "elements/gram/director_term.h"
#include "elements/gram/part_places.h"
#include "elements/structure_part.h"
#include "solver/deck/formula/expression.h"

namespace symdyn
{
/// A straight beam between two places: elements with directors (beam_element.h) that share the directors of a node with all beams that end
/// there, so that they are joined stiffly.
class Beam : public StructurePart
{
public:
  void declare(const std::string &name, Parameters &p) override;
  void plan(SitePlan &plan) override;
  void join(SitePlan &plan) override;
  PartInSystem build(const PlannedSites &sites) override;
  std::vector<Column> columns(const Units &units) const override;
  void values(const State &state, std::vector<double> &out) const override;
  void draw(const State &state, NodeFrame &frame) const override;
  std::string description() const override;
  std::vector<std::string> loads() const override;

private:
  int nodes_of_element() const { return type == "B31" ? 2 : 3; }
  int step() const { return nodes_of_element() - 1; }  ///< nodes from one element to the next
  bool is_hinged(const std::string &end) const { return std::find(hinged.begin(), hinged.end(), end) != hinged.end(); }
  /// Whether the directors of a node are of this beam alone: of a hinge.
  bool turns_alone(const int node) const { return (node == 0 && is_hinged("from")) || (node == elements * step() && is_hinged("to")); }
  void check_ends(const Parameters &p) const;
  /// Errors: InputError where an end lies on another beam that does not end there.
  void check_crossings(SitePlan &plan) const;
  /// Weights of a line load at the nodes [m].
  std::vector<double> tributary() const;
  void find_frame(const PartPlaces::End &from, const PartPlaces::End &to);
  std::vector<PlannedElement> planned_directors() const;
  /// Of N, M1, M2 at a Gauss point of an element with these strains, at a point of the section [Pa].
  double axial_stress(const std::vector<double> &eps, int point, const BeamPoint &corner) const;
  /// C e of the Gauss point that is nearest to an end: V1, V2, N, M1, M2, T.
  std::vector<double> section_forces(const State &state, bool at_start) const;

  std::optional<Parameters> deck;
  std::string called, type = "B32";
  std::vector<std::string> from, to, clamped, hinged;
  std::vector<Expression> line_load;
  std::vector<double> direction;
  int elements = 10, shared = 0;  ///< shared: nodes that are points, or nodes of the mesh
  double director_stiffness = 1, damping = 0;
  BeamDeck section;

  double length = 0;
  std::array<GramVector, 3> frame{};                    ///< d1, d2, tangent
  std::vector<SitePlan::Site> places;                   ///< of the nodes
  std::vector<GramVector> positions;                    ///< at rest [m]
  std::vector<std::vector<SitePlan::Site>> node_basis;  ///< directors of each node
  std::vector<PlannedElement> planned;
  std::shared_ptr<GramTerm> term;
  std::shared_ptr<DirectorTerm> directors;
  SitePlan::Site first = 0, last = 0;
  std::unique_ptr<PlannedSites> seen;
};
}  // namespace symdyn
