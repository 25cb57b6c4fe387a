#pragma once
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "elements/lumped/point_sections.h"
#include "elements/models/point_spins.h"
#include "elements/models/points.h"
#include "elements/site_plan.h"

namespace symdyn
{
/// The points that a deck describes beside a solid, of which some are nodes of its mesh.
class SolidPoints
{
public:
  /// Reads nothing yet: where points may be is known when there is a mesh.
  void declare(Parameters &root);
  /// Reads the sections; points that are no nodes of the mesh get sites of their own. Collective. Errors: InputError.
  void plan(SitePlan &plan);
  /// Adds them to the system of the body. Errors: InputError.
  void add_to(AssembledSystem::Parts &system, SitePlan &plan);
  bool any() const { return deck.has_value(); }
  /// Whether the deck gives some of them an expansion.
  bool expand() const;
  /// Those of bars that expand; after plan(). Errors: InputError for those of named nodes, which bars do not have.
  void set_temperatures(std::shared_ptr<const TemperatureField> field, const Actions &actions)
  {
    sections.set_temperatures(std::move(field), actions);
  }
  SitePlan::Site site_of(const std::size_t point) const { return planned[point]; }
  /// nullptr: the deck has no points.
  Points *points() const { return of_deck.get(); }
  const PointSections &all_sections() const { return sections; }
  /// Those that are no nodes.
  std::set<SitePlan::Site> own_sites() const;

  /// The points' own displacements and velocities as the deck gives them.
  void initialise(State &state) const;
  /// Points::check_start.
  void check_start(const State &state) const;
  std::vector<double> report(const State &state) const;
  /// Those that are among these sites, by name.
  std::map<std::string, double> by_name(const std::map<SitePlan::Site, double> &of_sites) const;
  /// At the nodes of the body: what points add to f_int - Gᵀ lambda of the cells [N]; without lambda in a static stage.
  Vector force_on_body(const MechanicalSystem &system, const State &state, bool statics) const;
  /// Forces on points as forces on their sites.
  Vector on_sites(const std::vector<double> &force) const;
  void add_facts(ModelFacts &facts) const;
  /// Writes them on the first rank. Collective. Errors: ComputationError.
  void write(const State &state, const std::string &file) const;

private:
  void join_constrained(SitePlan &plan) const;

  std::optional<Parameters> deck;
  PointSections sections;
  std::vector<SitePlan::Site> planned;  ///< of each point
  std::shared_ptr<const Space> space;
  std::unique_ptr<Points> of_deck;
  std::optional<PlannedSites> sites;
  PointSpins spins;
};
}  // namespace symdyn
