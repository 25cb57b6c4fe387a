#pragma once
#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "elements/body_surface.h"
#include "elements/couplings/off_plane.h"
#include "elements/files/node_files.h"
#include "elements/models/director_constraints.h"
#include "elements/models/scaled_inertia.h"
#include "elements/space/dense_block.h"
#include "elements/structure_part.h"
#include "elements/system/assembled_system.h"
#include "solver/structure.h"

namespace symdyn
{
/// The parts that a deck gives in sections of registered names (StructurePart).
class StructureParts
{
public:
  /// `of_body`: there is a body beside the parts. Errors: InputError.
  void declare(Parameters &root, bool of_body);
  static void document(Parameters &root);
  /// The entry Rotary inertia of the section Elements, beside Mass = `mass`. Errors: InputError.
  void declare_inertia(Parameters elements, const std::string &mass);
  /// Whether cells of a body share points of frames.
  bool shared_points() const { return points == "shared"; }
  bool any() const { return !parts.empty(); }
  bool any_elements() const
  {
    return std::any_of(parts.begin(), parts.end(), [](const Part &one) { return one.part->has_elements(); });
  }
  /// What all parts name: groups of the mesh, materials.
  std::vector<std::string> names(std::vector<std::string> (StructurePart::*named)() const) const;
  /// Moves nodes of a mesh, as its parts want them. Collective. Errors: InputError.
  void adjust(BodySurface &surface) const;
  /// `lumped`: the deck asks for a diagonal mass. Collective. Errors: InputError.
  void plan(SitePlan &plan, bool lumped);
  struct Choices
  {
    bool lumped = false;            ///< masses of pairs join sites of one node alone
    Place gravity{};                ///< acts on their masses [m/s²]
    bool exact = false;             ///< directors keep their shape by constraints
    std::string where{};            ///< the deck says that
    std::string needs_true_mass{};  ///< a stage (Structure)
  };
  /// `plan` must outlive this. Collective. Errors: InputError.
  void add_to(AssembledSystem::Parts &system, SitePlan &plan, const Choices &choices);
  /// Whether a part of small displacements has this director.
  bool is_linear(const SitePlan::Site director) const { return of_linear.count(director) > 0; }
  void initialise(State &state) const;
  /// f += what the parts add to the internal force in a state, at sites of this rank [N].
  void add_force(const State &state, Vector &f) const;
  /// The same without weights: the force of the strain.
  void add_strain_force(const State &state, Vector &f) const;
  void add_columns(const Units &units, std::vector<Column> &columns) const;
  /// `multipliers`: of all relations of the parts [N], computed where some part reports of its own.
  void add_values(const State &state, const std::function<std::vector<double>()> &multipliers, std::vector<double> &values) const;
  /// Rows of a quantity of elements in a state, by the numbers of elements and points, the same on every rank. Collective. `of_field`: the
  /// state has a field of displacements about another one; errors: InputError where displacements of parts are not small.
  ElementTables tabulate(const State &state, const std::string &quantity, const ElementNumbers &elements, bool of_field = false) const;
  /// StructurePart::rotation of all parts that have one, by name. Collective.
  std::map<std::string, std::vector<double>> rotations(const State &state, const State *about = nullptr) const;
  void add_facts(ModelFacts &facts) const;
  /// Displacements from which pictures show a small displacement about rest, also of what moves in another way than its sites. Collective.
  Vector drawn_shape(const Vector &shape) const;
  /// Of elements, with a shape as their displacement. Collective.
  NodeFrame frame_of_shape(const Vector &shape) const;
  /// Appends the files of a frame in which the parts are drawn, FOLDER/solution-NUMBER-parts.vtu, and what they draw on surfaces
  /// (StructurePart::draw_surfaces), contact-NUMBER.vtu. Collective.
  void write_frame(const State &state, const std::string &folder, int number, std::vector<std::string> &files) const;
  /// The parts in a motion of any size, as it is in modes, STEM-parts.vtu: the displacement alone, as stresses are not those of an
  /// amplitude of 1, and `fields` whose values from `first` on are at their points. Collective.
  /// `sectors`: each has a displacement in its own axes, from which it is turned to its place in the `whole`; one alone with nullptr.
  void write_shape(const std::vector<State> &sectors, const CyclicSymmetry *whole, const std::string &folder, const std::string &stem,
                   const std::vector<PointValues> &fields, std::size_t first, std::vector<std::string> &files) const;
  /// Appends those of the parts (Structure::stresses). Collective.
  void add_stresses(const State &state, const std::vector<Vector> &motions, StressPoints &points) const;
  /// Lines of `symdyn check`; "": there is no part.
  std::string description() const;

private:
  struct Part
  {
    std::string kind, name;
    std::shared_ptr<StructurePart> part;
    std::size_t first_relation = 0;
  };
  /// The entries Points and Thickness of the section Output, `of_body`: beside a body. Errors: InputError.
  void declare_frames(Parameters output, bool of_body);
  /// Elements share points, where the deck says so. Collective.
  void share_points(NodeFrame &frame, MPI_Comm communicator) const;
  NodeFrame frame_of(const State &state, void (StructurePart::*draw)(const State &, NodeFrame &) const, bool stressed = false) const;

  std::vector<Part> parts;
  std::string inertia = "physical", where_inertia, thickness = "real", points = "shared";
  std::optional<PlannedSites> sites;
  std::vector<std::pair<SitePlan::Site, OffPlaneReference>> off_plane;
  std::set<SitePlan::Site> of_linear;  ///< directors of parts of small displacements
  std::vector<std::shared_ptr<Term>> terms;
  std::shared_ptr<const DirectorConstraints> exact;    ///< of hinges
  std::shared_ptr<const HolonomicConstraints> joined;  ///< those of points, and these
  bool all_linear = true;
  std::size_t first_term = 0;  ///< in the system
  std::vector<PairMass> lumped_pairs;
  std::vector<PairMass> pairs;    ///< of mass between sites: what weighs
  std::vector<DenseBlock> dense;  ///< masses likewise
  std::vector<double> of_loads;   ///< their weight that stands in loads of the body, at owned degrees of freedom [N]
  std::vector<char> has_part;     ///< of owned sites: some part has forces there
  /// Of all ranks.
  struct Facts
  {
    std::uint64_t sites = 0, places = 0, held = 0;  ///< held places
    double mass = 0;
    Place moment{}, lower{}, upper{};           ///< of places
    std::array<std::uint64_t, 4> nodes_with{};  ///< nodes with so many directors
  };
  /// Errors: InputError for a part that what the deck chooses would make wrong.
  static void refuse(const PartInSystem &built, const Choices &choices);
  /// Raises the rotary inertia of directors in `masses`. Collective. Errors: InputError where a stage needs the true one.
  void scale(const ScaledInertia &scaled, const Choices &choices, std::vector<double> &masses, AssembledSystem::Parts &system) const;
  struct Sum;
  void add_part(Part &one, const Choices &choices, AssembledSystem::Parts &system, Sum &sum);
  /// has_part
  void mark_sites_of_terms(std::size_t owned);
  void add_terms(const State &state, bool weights, Vector &f) const;
  /// M g of owned sites, of masses of sites and of pairs [N].
  std::vector<double> weight(const std::vector<double> &masses, const Place &gravity) const;
  void add_weights(const std::vector<double> &masses, const Place &gravity, AssembledSystem::Parts &system);
  /// How large forces of the parts round: `stiffness` is the diagonal of V'' at owned degrees of freedom [N]. Collective.
  double force_rounding(const Vector &q, const std::vector<double> &stiffness) const;
  void add_loads(const PartInSystem &built, AssembledSystem::Parts &system) const;
  void add_relations(const PartInSystem &built, AssembledSystem::Parts &system) const;
  /// Masses of directors that have none. Collective.
  void add_light(const std::vector<PartInSystem::Light> &light, const AssembledSystem::Parts &system, std::vector<double> &masses) const;
  void add_masses(const PartInSystem &built, std::vector<double> &masses);
  void add_dense_masses(const PartInSystem &built, AssembledSystem::Parts &system);
  /// Their mass and moment, this rank's share.
  void find_dense_facts();
  /// `where`: the deck asks for it.
  void count_directors(const std::vector<std::vector<SitePlan::Site>> &nodes);
  void constrain(std::vector<std::vector<SitePlan::Site>> nodes, const std::set<SitePlan::Site> &related, HingeNames &names,
                 const std::string &where, AssembledSystem::Parts &system);
  void find_facts(const std::vector<double> &masses, const std::vector<std::shared_ptr<const SiteSupports>> &supports,
                  const SitePlan &plan);
  Facts found;
  std::size_t first_site = 0;  ///< of the sites that the plan appends
};
}  // namespace symdyn
