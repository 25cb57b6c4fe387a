#pragma once
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "elements/gram/director_nodes.h"
#include "elements/gram/director_stiffness.h"
#include "elements/gram/director_term.h"
#include "elements/shells/shell_deck.h"
#include "elements/shells/shell_element.h"
#include "elements/shells/shell_surface.h"
#include "elements/structure_part.h"

namespace symdyn
{
struct ShellMeans;

/// A shell on groups of cells of the surface: elements with a director at each node (shell_element.h). Shells and beams that share nodes
/// are joined stiffly.
class Shell : public StructurePart
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
  std::vector<std::string> materials() const override { return section.materials(); }
  std::vector<std::string> groups_of_mesh() const override { return groups; }
  std::string description() const override;

private:
  struct Cell
  {
    std::vector<SitePlan::Site> nodes;
    std::vector<GramVector> rest;  ///< places, then normals
    ShellDeck::Layup layup;
    std::vector<int> groups;  ///< indices into SurfaceMesh::groups
    long number = 0;          ///< in the file of the mesh
  };
  void check_direction(const std::vector<GramVector> &rest, const std::string &cell) const;
  void check_surface(const ShellSurface &surface) const;
  /// A cell of the surface, whose normals its nodes need as directors. Errors: InputError.
  Cell planned_cell(SitePlan &plan, ShellSurface &surface, std::size_t number) const;
  /// Of the directors at the nodes: stiffness over tributary areas.
  /// Per area [N/m].
  double stiffness_of_directors(SitePlan &plan, const ShellSection &of_cell) const;
  void plan_directors(SitePlan &plan);
  PlannedElement element(std::size_t cell) const;
  std::shared_ptr<DirectorTerm> build_directors(const PlannedSites &sites);
  /// Drilling at the nodes of a cell on which beams end (drilling.h).
  void plan_drilling(SitePlan &plan, const Cell &cell, const ShellSection &of_cell);
  /// Of all elements that this rank counts.
  void visit(const State &state, const std::function<void(const GramTerm::Seen &)> &take) const;
  /// Strains and resultants at the Gauss points of a cell, in its axes.
  std::vector<ShellResultants> resultants(const Cell &cell, const GramTerm::Seen &one) const;
  /// The same in the axes of tables: Direction, or without it the projection of x (of z where
  /// x is along the normal), as in Abaqus.
  std::vector<ShellResultants> tabulated(const Cell &cell, const GramTerm::Seen &one) const;
  static std::vector<std::uint64_t> words_of_point(const Cell &cell, const GramVector &axis, std::size_t a, double side);
  void draw_cell(const GramTerm::Seen &one, NodeFrame &frame) const;
  /// Stresses of layers: fields of pictures, and columns of history.csv for cells near some places. Errors: InputError for a place that is
  /// on no cell.
  void draw_layers(const GramTerm::Seen &one, const ShellMeans &means, std::size_t nodes, NodeFrame &frame) const;
  void find_reported();
  std::vector<Column> columns_of_layers() const;
  void values_of_layers(const State &state, std::vector<double> &out) const;
  GramVector axis() const { return direction.empty() ? GramVector{} : GramVector{direction[0], direction[1], direction[2]}; }

  std::optional<Parameters> deck;
  std::string called;
  std::vector<std::string> groups;
  std::vector<double> direction, reported_places;
  DirectorStiffness director_stiffness;
  double damping = 0;
  bool linear = false, draws_layers = false;
  ShellDeck section;

  std::vector<Cell> cells;
  double area = 0;  ///< [m²]
  /// What a node has of elastic directors, of all cells around.
  struct Node
  {
    double stiffness = 0, area = 0, gyration = 0;
    GramVector place{};
    std::vector<SitePlan::Site> directors;
  };
  std::map<SitePlan::Site, Node> nodes;                 ///< until they are built
  std::vector<std::vector<SiteSum>> directors_of_cell;  ///< until they are built: of each node
  PartInSystem masses;                                  ///< likewise
  std::vector<PlannedElement> planned_drilling;
  std::unique_ptr<HeatedElements> heat;
  std::set<SitePlan::Site> drilled;                 ///< nodes with drilling
  std::map<SitePlan::Site, double> scaled_inertia;  ///< of nodes: sum of m A/12, m their share of the mass of a cell, A its area [kg m²]
  std::shared_ptr<GramTerm> term;
  std::size_t number_of_term = 0;  ///< in the system
  std::shared_ptr<DirectorTerm> directors;
  std::vector<std::size_t> reported;  ///< cells of which history.csv has the stresses of layers
  std::vector<std::size_t> drawn;     ///< the cell of each element that this rank counts
  std::unique_ptr<PlannedSites> seen;
};
}  // namespace symdyn
