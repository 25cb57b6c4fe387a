#pragma once
#include <memory>
#include <string>
#include <vector>

#include "elements/lumped/point_sections.h"
#include "elements/models/initial_velocity.h"
#include "elements/models/node_rotations.h"
#include "elements/models/point_places.h"
#include "elements/models/point_spins.h"
#include "elements/models/points.h"
#include "elements/models/structure_parts.h"
#include "elements/models/surface_model.h"
#include "elements/output/discrete_tables.h"
#include "elements/system/linear_solver_deck.h"
#include "elements/temperature_field.h"
#include "solver/draws_sectors.h"
#include "solver/structure.h"

namespace symdyn
{
class Parameters;

/// Points, bars, dashpots, forces and potentials as a deck describes them; beams; a surface and its shells.
class Discrete : public Structure, public DrawsSectors
{
public:
  Discrete();
  void declare(Parameters &root) override;
  void document(Parameters &root) override;
  void build() override;

  MechanicalSystem &system() override { return *assembled; }
  const Points &all_points() const { return *points; }
  ModelFacts facts() const override;
  void initialise(State &state) const override;
  std::string mesh_description(const Units &) const override { return surface.description() + structure_parts.description(); }
  bool projects_start() const override { return model.parts.project; }
  std::string free_motions(const Vector &q, const Units &units) const override;
  StructureSupports &supports() const override { return *of_supports; }
  std::unique_ptr<StructurePlaces> places() const override;
  std::vector<Column> momentum_columns(const Units &units) const override;
  /// Of the points of Points/Report, with rotations where they have directors, and how far the matrices of rigid bodies are from rotations:
  /// |RᵀR - 1|.
  std::vector<Column> report_columns(const Units &units) const override;
  std::vector<double> momenta(const State &state, const Vector &Mv) const override;
  std::vector<double> report(const State &state, bool statics) const override;
  std::vector<std::string> write_frame(const State &state, const std::string &folder, unsigned int number) const override;
  PrintPlan print_plan() const override { return {tables.file_name(), tables.of_modes()}; }
  std::string print(const State &state, const OutputTime &moment) override;
  std::string print(const State &about, const PrintedField &field, const OutputTime &moment) override;
  void save(Archive &archive) const override;
  void load(const Archive &archive) override;
  std::vector<std::string> write_shape(const Vector &shape, const std::string &folder, const std::string &stem,
                                       const std::vector<PointValues> &fields) const override;
  StressPoints stresses(const State &state, const std::vector<Vector> &motions) const override;

private:
  DrawnShapes drawn(const std::vector<Vector> &shapes) const override;
  class OfSupports;
  class OfPlaces;

  std::vector<std::string> write_sectors(const std::vector<Vector> &shapes, const std::string &folder,
                                         const std::string &stem) const override;
  void declare_elements(Parameters &root);
  std::shared_ptr<const Space> make_space() const;
  /// The initial velocity at places and directors of beams and shells.
  void start(Vector &v) const;
  /// Reported points that are nodes of beams and shells have rotations.
  void find_rotations();
  void offer_bodies();
  /// Warns of an expansion without temperatures, and of temperatures that nothing feels. Errors: InputError for tables of temperatures that
  /// are not there.
  void check_temperatures() const;
  void refuse_idle_rigidity(const AssembledSystem::Parts &system) const;
  std::vector<SitePlan::Site> sites_of_points() const;
  /// Of the points, for tables: NaN where no beam or shell is heated [K]. Collective.
  std::vector<double> temperatures(const State &state) const;
  /// Warns of velocities that supports take at the start. Errors: InputError for a body that is held from turning.
  void check_held_start(const Vector &given, const Vector &imposed) const;
  static void add_inertia_to_bodies(AssembledSystem::Parts &system);
  /// Errors: InputError where two loads, or two supports, have one name.
  void check_names() const;
  /// Errors: InputError where masses of points would not weigh by a load of gravity.
  void check_gravity(const AssembledSystem::Parts &system) const;
  std::vector<std::string> write_point_frame(const State &state, const std::string &folder, const std::string &stem) const;
  /// On the first rank. Collective. Errors: ComputationError.
  void write(const State &state, const std::string &file) const;

  PointSections sections;
  DiscreteTables tables;
  DiscreteModel &model = sections.model;
  std::shared_ptr<LinearSolver> linear_solver, stiff_solver;
  LinearSolverChoice solver_choice;
  std::string mass_name = "consistent", directors_name = "elastic", where_directors;
  std::vector<std::pair<std::string, double>> speeds_of_waves;  ///< by material
  std::shared_ptr<BaseMotion> base;
  std::shared_ptr<const TurningFrame> rotation;
  std::unique_ptr<Points> points;
  StructureParts structure_parts;
  SurfaceModel surface;
  InitialVelocity initial_velocity;
  PointSpins spins;
  std::shared_ptr<TemperatureField> temperature = std::make_shared<TemperatureField>();
  NodeRotations rotations;
  std::unique_ptr<PointPlaces> places_of_parts;
  std::unique_ptr<SitePlan> plan;
  std::unique_ptr<AssembledSystem> assembled;
  std::unique_ptr<StructureSupports> of_supports;
};
}  // namespace symdyn
