#pragma once
#include <memory>
#include <string>
#include <vector>

#include "elements/models/initial_velocity.h"
#include "elements/models/solid_points.h"
#include "elements/models/structure_parts.h"
#include "elements/models/surface_model.h"
#include "elements/output/calculix/print_tables.h"
#include "elements/output/contact_probe.h"
#include "elements/output/field_error.h"
#include "elements/output/field_integral.h"
#include "elements/output/field_output.h"
#include "elements/output/logarithm_watch.h"
#include "elements/output/maxima.h"
#include "elements/output/point_memory.h"
#include "elements/output/probe.h"
#include "elements/output/section_forces.h"
#include "elements/output/small_strain_watch.h"
#include "elements/output/stress_points.h"
#include "elements/output/support_forces.h"
#include "elements/solids/initial_state.h"
#include "elements/system/held_loads.h"
#include "elements/system/linear_solver_deck.h"
#include "elements/system/memory_estimate.h"
#include "elements/system/solid_system.h"
#include "materials/section/material_section.h"
#include "meshes/mesh_file_entries.h"
#include "solver/draws_sectors.h"
#include "solver/structure.h"

namespace symdyn
{
template <int dim>
class MeshParts;
template <int dim>
class BodyMotions;
class MotionHold;

/// A solid body as a deck describes it: mesh, materials, supports, loads, damping, initial fields, probes; and points on it and beside it.
template <int dim>
class Solid : public Structure, public DrawsSectors
{
public:
  Solid();
  void declare(Parameters &root) override;
  void document(Parameters &root) override;
  void build() override;

  MechanicalSystem &system() override;
  const SolidBody<dim> &solid_body() const { return *body; }
  const AssembledSystem &assembled_system() const { return *assembled; }
  ModelFacts facts() const override;
  void initialise(State &state) const override;
  bool projects_start() const override { return points.all_sections().model.parts.project; }
  std::string free_motions(const Vector &q, const Units &units) const override;
  StructureSupports &supports() const override { return *of_supports; }
  std::unique_ptr<StructurePlaces> places() const override;
  std::vector<Column> momentum_columns(const Units &units) const override;
  std::vector<Column> report_columns(const Units &units) const override;
  std::vector<double> momenta(const State &state, const Vector &Mv) const override;
  std::vector<double> report(const State &state, bool statics) const override;
  PrintPlan print_plan() const override { return {tables.file_name(), tables.of_modes()}; }
  std::string print(const State &state, const OutputTime &moment) override;
  std::string print(const State &about, const PrintedField &field, const OutputTime &moment) override;
  std::vector<std::string> write_frame(const State &state, const std::string &folder, unsigned int number) const override;
  std::vector<std::string> write_shape(const Vector &shape, const std::string &folder, const std::string &stem,
                                       const std::vector<PointValues> &fields) const override;
  StressPoints stresses(const State &state, const std::vector<Vector> &motions) const override;
  void observe(const State &state, bool counts, bool row) override;
  void save(Archive &archive) const override;
  void load(const Archive &archive) override;
  std::vector<std::string> write_maxima(double time, const std::string &folder) const override;
  std::string mesh_description(const Units &units) const override;

private:
  DrawnShapes drawn(const std::vector<Vector> &shapes) const override;
  struct DeckMaterial : MaterialSection
  {
    std::string name, where, where_law;
  };

  class OfSupports;
  class OfHolds;
  class OfPlaces;

  std::vector<std::string> write_sectors(const std::vector<Vector> &shapes, const std::string &folder,
                                         const std::string &stem) const override;

  void declare_mesh(Parameters p);
  void declare_fields(Parameters p);
  void declare_reports(Parameters &root);
  static void document_reports(Parameters &root);
  void declare_materials(Parameters p);
  void declare_loads(Parameters p);
  void declare_system(Parameters &root);
  void declare_initial(Parameters p);
  /// Warns of an expansion without temperatures, and of temperatures that nothing feels. Errors: InputError of nodes.
  void prepare_temperature();
  bool is_heated() const;
  /// Whether the law has a memory here, if only one of temperatures or of the start.
  bool remembers(const DeckMaterial &material) const { return inelastic(*material.law) || is_heated() || material.initial; }
  MaterialInUse in_use(const DeckMaterial &material) const;
  std::map<unsigned int, MaterialInUse> assign_materials(const std::map<dealii::types::material_id, std::string> &groups) const;
  /// Errors: InputError for a law with a memory in an element that cannot integrate it.
  void check_memory_of_laws() const;
  CoarseMesh<dim> make_mesh();
  std::shared_ptr<Discretisation<dim>> discretise(CoarseMesh<dim> &&coarse);
  /// A mesh of second order has elements of its own nodes. Errors: InputError if the deck asks for others.
  void take_order_of(const CoarseMesh<dim> &mesh);
  /// Errors: InputError for what the deck asks of wedges, pyramids or cells of several shapes that they cannot.
  void check_choice_for_shapes(const CoarseMesh<dim> &mesh) const;
  /// Errors: InputError if the mesh is too large for the machine.
  void check_size_of(MeshForecast mesh) const;
  void initialise_body(State &state) const;
  void make_system();
  /// Appends the sites of points and parts to the nodes. Collective.
  void append_sites();
  /// Collective. Errors: InputError.
  void prepare_probes();
  void join_surface();
  /// Adds the loads of the surface, the points and the parts. Errors: InputError.
  void add_others(AssembledSystem::Parts &system);
  BodyMotions<dim> motions_about(const Vector &q) const;
  void prepare_hold();
  /// Finds the parts of the mesh; warns of nodes at one place that are not merged.
  void find_parts();
  std::vector<double> report_parts(const State &state, bool statics) const;
  std::vector<double> report_body(const State &state, bool statics) const;
  void add_probes(const State &state, std::vector<double> &values) const;
  std::map<std::string, const ReportsContact *> contacts() const
  {
    return sites ? sites->template shared<NamedContacts>().all : std::map<std::string, const ReportsContact *>();
  }
  void add_section_forces(const State &state, bool statics, std::vector<double> &values) const;
  /// What terms beside the cells add to f_int, less the forces of constraints [N]; empty: there are none.
  Vector forces_beside_cells(const State &state, bool statics) const;

  struct MeshChoice
  {
    MeshFileEntries entries;
    std::string type = "box", file_path, cell_shape = "hexahedra", element = "standard", where, where_size, where_element;
    std::vector<int> cells;
    int degree = 1, refinements = 0;
    bool degree_given = false, element_given = false;
    double memory_limit = 0;  ///< [GiB]
    std::shared_ptr<MeshGenerator<dim>> generator;
  } mesh_choice;
  LinearSolverChoice solver_choice;
  std::vector<DeckMaterial> materials;
  std::vector<std::pair<std::string, double>> speeds_of_waves;  ///< by material
  std::shared_ptr<TemperatureField> temperature = std::make_shared<TemperatureField>();
  std::shared_ptr<InitialState<dim>> initial_state = std::make_shared<InitialState<dim>>();
  typename SolidBody<dim>::Parts parts;
  std::vector<Expression> initial_displacement, initial_velocity;
  std::array<std::string, 2> where_initial;  ///< those in the deck
  std::vector<Probe<dim>> probes;
  std::vector<std::vector<PointMemory<dim>>> memory_of_probes;  ///< beside their motion
  std::map<std::size_t, StressProbe<dim>> stress_of_probes;     ///< of those that want it
  std::map<std::size_t, ContactProbe> contact_of_probes;
  std::vector<SectionForce<dim>> section_forces;
  std::vector<FieldError<dim>> errors;
  std::vector<FieldIntegral<dim>> integrals;
  HeldLoads<dim> held_loads;
  mutable SmallStrainWatch<dim> small_strains;
  mutable LogarithmWatch<dim> logarithms;
  Maxima<dim> maxima;
  std::vector<std::string> load_names, fields = FieldOutput<dim>::usual_fields();
  std::string mass_name = "consistent", precision = "single";

  std::unique_ptr<SolidBody<dim>> body;
  std::unique_ptr<AssembledSystem> assembled;
  std::unique_ptr<SupportForces<dim>> support_forces;
  std::unique_ptr<StructureSupports> of_supports;
  std::unique_ptr<HeldMotions> held_motions;
  bool may_hold_motions = false;            ///< a stage of the deck does, if there are any
  std::shared_ptr<MotionHold> motion_hold;  ///< nullptr: none does
  std::shared_ptr<const MeshParts<dim>> mesh_parts;
  std::vector<bool> equations_hold;  ///< at present; empty: all
  std::unique_ptr<MeshPoints> mesh_points;
  std::unique_ptr<SitePlan> sites;
  SolidPoints points;
  StructureParts structure_parts;
  SurfaceModel surface;  ///< of shells and beams in space
  std::shared_ptr<BaseMotion> base;
  mutable std::unique_ptr<CellFrames<dim>> cell_frames;
  mutable std::unique_ptr<FieldOutput<dim>> field_output;
  const CellFrames<dim> &frames() const;
  PrintTables<dim> tables;
  typename PrintTables<dim>::PointMotion motion_of_points(const std::vector<double> &u, const std::vector<double> &v,
                                                          const std::vector<double> &forces) const;
  void add_parts(const State &state, typename PrintTables<dim>::PointMotion &motion) const;
  mutable double memory = 0;  ///< estimate of the peak [bytes]
};
}  // namespace symdyn
