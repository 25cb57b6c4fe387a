#pragma once
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "meshes/abaqus/model.h"
#include "solver/deck/deck_format.h"

namespace symdyn::abaqus
{
/// A number as a deck has it.
std::string written(double value);
std::string written(const std::vector<double> &values);

/// *AMPLITUDE: a(t), linear between the points, constant beyond them.
struct AmplitudeTable
{
  std::vector<double> t, a;
  bool total_time = false;
  double at(double time) const;
  /// The same as an expression of the time t of the deck, where the table begins at `start`: piece by piece, found by halving.
  std::string formula(double start) const;
};

/// What *STEP ... *END STEP says.
struct Step
{
  std::size_t line = 0;
  std::string name, procedure;
  Keyword card;                 ///< the procedure
  std::vector<Keyword> inside;  ///< all other keywords
  bool nonlinear = false, perturbation = false;
  std::string amplitude;                           ///< AMPLITUDE=STEP or RAMP of this step or of one before
  std::map<std::string, std::string> loads;        ///< names of the loads that begin here, by what they act on
  std::set<std::string> removes;                   ///< kinds of loads of earlier steps that end here
  std::vector<std::string> quadrature;             ///< loads of LOAD CASE=2: a quarter of a period ahead
  long increments = 0;                             ///< INC; 0: not given
  std::map<std::string, const Keyword *> varying;  ///< cards of loads that begin here with an AMPLITUDE, by what they act on
  double start = 0;                                ///< of the deck's time: statics take none [s]
  double total_start = 0;                          ///< of the total time of the file
  double period = 1;
  /// Linear motion about the state before, with loads of its own.
  bool is_linear() const { return procedure == "MODAL DYNAMIC" || procedure == "STEADY STATE DYNAMICS"; }
  bool periodic = false;  ///< *STEADY STATE DYNAMICS, HARMONIC=NO
  /// Whether amplitudes are functions of time, and where theirs begins in the deck.
  bool follows_amplitudes() const { return takes_time() || periodic; }
  double start_of(const AmplitudeTable &table) const { return periodic ? 0. : table.total_time ? start - total_start : start; }
  /// Its loads take the place of earlier ones, and act in later steps.
  bool carries_loads() const { return procedure != "FREQUENCY" && procedure != "STEADY STATE DYNAMICS"; }
  bool takes_time() const { return procedure == "DYNAMIC" || procedure == "MODAL DYNAMIC"; }
};

/// Writes the deck that an Abaqus or CalculiX file amounts to. Errors: InputError naming file, line, keyword and the way out.
class DeckWriter
{
public:
  explicit DeckWriter(const std::string &file);
  DeckText write();

private:
  // The deck.
  void add(std::size_t line, const std::string &path, const std::string &name, const std::string &value);
  void warn(std::size_t line, const std::string &what, const std::string &text);
  [[noreturn]] void fail(std::size_t line, const std::string &value, const std::string &rule) const
  {
    model.scanner.fail_at(line, value, rule);
  }
  /// "name", or "name (2)", ... the first that the section does not have yet; without what a deck's names cannot hold.
  std::string fresh(const std::string &section, const std::string &name);
  double real(const Line &line, std::size_t word, const char *what) const;
  double real_or(const Line &line, std::size_t word, double otherwise, const char *what) const;
  std::string word(const Line &line, std::size_t i) const { return model.word(line, i); }
  const Line &only_line(const Keyword &keyword, const char *what) const;

  // What the file says, in the order in which it is read.
  void sort_keywords();
  void begin_step(const Keyword &keyword);
  void find_nonlinearity();
  // What nothing reads (unread.cc).
  /// Errors: InputError for words and lines of data that no keyword has.
  void refuse_unread() const;
  /// Errors: InputError for keywords behind a step and in none.
  void refuse_between_steps() const;
  void warn_if_empty(const Keyword &card);
  void warn_of_remarks();
  /// Keywords of materials that only temperatures make use of.
  static const std::set<std::string> &without_effect();
  /// Which files of fields are written: none, unless the file asks for some (files.cc).
  void write_files();
  void write_mesh();
  void write_materials();
  struct Section;
  void read_section(const Keyword &card);
  /// Errors: InputError for numbers other than 1 in the lines of a section of cells in space.
  void refuse_numbers_of_solid(const Keyword &section) const;
  void read_material(const std::vector<Keyword> &cards, const Section &section);
  void elastic(const Keyword &card, const Section &section, const std::string &path);
  void anisotropic(const Keyword &card, const Section &section, const std::string &path, const std::string &type);
  /// Errors: InputError for an *ORIENTATION that does not exist, or that no law can have.
  const Keyword &read_orientation(const Keyword &section) const;
  /// Six coordinates of two points that give its axes.
  std::vector<double> points_of_axes(const Keyword &orientation) const;
  std::vector<double> turned_axes(const std::vector<double> &given, const Line &points, const Line &turn) const;
  /// Rows: unit vectors along a, across it in the plane of a and b, and normal to the plane; not finite where a and b span none.
  static std::array<std::array<double, 3>, 3> axes_from(const std::array<double, 3> &a, const std::array<double, 3> &b);
  void hyperelastic(const Keyword &card, const std::string &path);
  void ogden(const Keyword &card, const Line &line, long order, const std::string &path);
  void add_bulk_modulus(const Line &line, std::size_t i, double shear, const std::string &path);
  void damping(const Keyword &card);
  void read_amplitude(const Keyword &card);
  void write_supports();
  /// `first`: the step in which it begins.
  void read_boundary(const Keyword &card, std::size_t first);
  // *BASE MOTION: all that holds a component moves along it (base_motion.cc).
  struct BaseMotion
  {
    int component;
    bool acceleration;
  };
  BaseMotion read_base_motion(const Keyword &card, const Step &step) const;
  void move_base(std::size_t step);
  void write_base_motion(const Step &step, const std::string &path);
  void write_loads();
  void read_loads(const Keyword &card, Step &step);
  void cload(const Keyword &card, Step &step);
  /// On a node that no cell has, along its own axes. Returns the name of the load.
  std::string write_outer_force(const Keyword &card, const Step &step, std::size_t line, std::size_t node,
                                const std::vector<double> &components);
  /// The same components on all of these nodes and sets, along the axes of each node. Returns the names of the loads.
  std::string write_nodal_forces(const Keyword &card, const Step &step, std::size_t line, const std::string &on,
                                 const std::vector<std::string> &nodes, const std::vector<double> &components);
  void dload(const Keyword &card, Step &step);
  void dsload(const Keyword &card, Step &step);
  /// Of faces, by name.
  Sets surfaces() const;
  std::array<double, 3> unit_vector(const Line &line, std::size_t first) const;
  std::vector<std::string> centrifugal(const Line &line, double value);
  void body_load(const Keyword &card, const Line &line, const std::string &label, Step &step);
  bool is_whole_body(const Line &line, const std::string &elements) const;
  /// Errors: InputError for elements without a density.
  void require_density(const Line &line, const std::string &label) const;
  /// Where a load acts: components of nodes, faces by their nodes, elements.
  struct Region
  {
    std::string sort, word;  ///< "CLOAD", "DLOAD faces", "DLOAD GRAV 0, 0, -1": what takes the place of each other; as the file names it
    std::size_t line;
    std::set<std::array<std::size_t, 4>> places = {};
    std::vector<double> components = {};  ///< of a force
    bool varies = false;                  ///< has an amplitude
    /// Its key in Step::loads.
    std::string on() const;
  };
  /// The load of this name ("": none, its value is 0) acts from this step on in place of those of earlier steps in the same places; in one
  /// step loads add up. Errors: InputError if it takes the place of a part of an earlier load.
  void begin_load(const Keyword &card, Step &step, Region region, const std::string &name);
  std::vector<double> kept_forces(const Region &earlier, std::size_t line, const std::string &on,
                                  const std::vector<std::string> &nodes) const;
  void find_given_forces(const Step &step);
  void write_force(const Keyword &card, Step &step, std::size_t line, const std::string &on, const std::vector<std::string> &nodes,
                   const std::array<std::optional<double>, 3> &given);
  void pressure(const Keyword &card, const Line &line, const std::vector<std::string> &boundaries, double p, Step &step);
  /// P1NP: what *BOUNDARY prescribes as component 2 of a node of no element (node_pressure.cc).
  void pressure_of_node(const Keyword &card, const Line &line, const std::string &face, Step &step);
  /// Errors: InputError for a load of an earlier step whose amplitude would begin anew in this one.
  void require_same_amplitudes(const Step &step, const std::map<std::string, std::string> &now) const;
  void end_step_of_loads(const Step &step);
  void write_amplitude(const Keyword &card, const Step &step, const std::string &path);
  /// The factor that an amplitude has at the end of a static step.
  double static_factor(const Keyword &card, const Step &step) const;
  /// TIME DELAY of the card [s].
  double delay(const Keyword &card) const;
  const AmplitudeTable *amplitude(const Keyword &card) const;
  struct Held;
  // Nodes that no cell has, and what is joined to nodes: points of the deck (points.cc, springs.cc, equations.cc).
  bool is_outer(std::size_t node) const { return !in_body[node]; }
  /// "n12", a point of the deck from now on.
  std::string point(std::size_t node, std::size_t line);
  void find_outer_nodes();
  void write_points();
  void write_outer_point(std::size_t node, const std::string &path);
  /// value*amplitude, of a component that *BOUNDARY moves.
  std::string motion_of(const Held &by, int d) const;
  // Files without cells: a discrete structure (discrete.cc).
  void find_dimension();
  void write_discrete();
  void refuse_without_cells(const Keyword &card, const std::string &why) const;
  void write_alone(std::size_t node, const std::string &path);
  bool rests(std::size_t node, int d) const;
  /// The start of a component of nodes in a file without cells; a warning for those where it has no effect.
  void start_alone(const Line &line, const std::string &name, const std::set<std::size_t> &nodes, int component);
  void write_start(std::size_t node, const std::string &path);
  void write_print_lines(const Keyword &card, const Set &set, const std::string &path);
  void write_springs();
  void write_spring(const Keyword &card);
  void write_dashpot(const Keyword &card);
  /// The line of degrees of freedom of SPRING1, SPRING2, DASHPOT1, DASHPOT2 is taken from the card's data; the type of the card's elements.
  struct Dofs
  {
    std::string type;
    std::array<int, 2> component{};
  };
  Dofs take_dofs(Keyword &card, const std::string &kind) const;
  void join_dofs(std::size_t element, const Dofs &dofs, const std::string &path);
  void write_mass(const Keyword &card);
  void write_bars(const Keyword &card);
  /// E and the density of the material of a section of bars.
  std::pair<double, double> bar_material(const Keyword &section) const;
  std::vector<std::size_t> elements_of(const Keyword &card, const std::vector<std::string> &types) const;
  void join_ends(std::size_t element, const std::string &path);
  void write_equations();
  void read_equations(const Keyword &card);
  /// *EQUATION, REMOVE in a step: those of which the first term is named go.
  void remove_equations(const Keyword &card, std::size_t step);
  /// A term of an *EQUATION.
  struct Term
  {
    std::size_t node;
    int component;
    double factor;
  };
  void write_equation(const std::vector<Term> &terms, std::size_t line);
  // *TRANSFORM: axes of nodes (transform.cc).
  void read_transforms();
  /// Rows: unit vectors of the node's axes.
  std::array<std::array<double, 3>, 3> axes_at(std::size_t node) const;
  int transform_of(std::size_t node) const;
  void write_axes(std::size_t line, const std::string &path, int transform);
  void write_initial();
  void write_stages();
  void check_geometry(const Step &step);
  void read_limits_of_increments(const Line &line) const;
  void write_static(Step &step, const std::string &path);
  void write_dynamic(Step &step, const std::string &path);
  void write_modes(Step &step, const std::string &path);
  void write_modal(Step &step, const std::string &path);
  void write_harmonic(Step &step, const std::string &path);
  void write_waveform(const Line &line, const std::string &path);
  void write_mode_entries(const Keyword &card, const std::string &path);
  void write_modal_damping(const Step &step, const std::string &path);
  void write_structural_damping(const std::string &path);
  void write_stage_loads();
  void write_prints();
  std::vector<std::string> quantities_of(const Keyword &card, const Step &step);
  void write_print(const Keyword &card, const Step &step, std::size_t stage);
  /// Which nodes of the set are points, and along which axes the table has its components.
  void write_print_places(const Keyword &card, const Set &set, const std::string &path);
  void write_print_axes_of_elements(const Keyword &card, const Set &set, const std::string &path);
  void write_time_points(const Keyword &card, const Step &step, const std::string &path);
  void refuse_others() const;

  Model model;
  DeckText text;
  std::map<std::string, int> names;
  int dim = 3;
  bool bodiless = false;                                                   ///< there are no cells
  std::array<bool, 3> spanned{};                                           ///< springs and bars go along this direction
  std::map<std::size_t, std::pair<std::string, double>> sections_of_bars;  ///< by element: its section in Springs, and its area
  std::map<std::string, std::map<std::size_t, std::array<double, 3>>>
      start_of_nodes;  ///< "Velocity", "Displacement" of files without cells
  bool plane_stress = false, nonlinear = false;
  std::vector<Keyword> before;  ///< the steps
  std::vector<Step> steps;
  std::map<std::string, AmplitudeTable> amplitudes;
  std::vector<double> densities;
  struct Weightless
  {
    std::string material;
    std::vector<std::string> groups;
  };
  std::vector<Weightless> weightless;  ///< materials without a density, and their sets of elements
  /// Cells of one material, orientation and thickness.
  struct Section
  {
    std::string material, orientation;
    double thickness;
    std::vector<std::string> groups;
  };
  std::vector<Section> sections;
  std::vector<std::pair<std::string, std::string>> modes;  ///< entries that the last *FREQUENCY amounts to; empty: there is none
  long mode_count = 0;                                     ///< that it asks for
  std::map<std::string, std::string> modal_damping;        ///< entries of the last *MODAL DAMPING, which stays in force
  double mass_damping = 0, stiffness_damping = 0, structural_damping = 0;
  std::size_t damping_line = 0;

  struct PointUse
  {
    std::size_t line;
    double mass = 0;
    bool joined = false;                  ///< to springs, bars or dashpots
    std::array<bool, 3> stiff{};          ///< springs and bars hold it along this component
    std::array<std::size_t, 3> forced{};  ///< lines of forces that act along it; 0: none
    std::array<bool, 3> in_equation{};
  };
  std::map<std::size_t, PointUse> points;  ///< by node
  std::vector<bool> in_body;               ///< nodes of cells
  struct Written
  {
    std::string name;
    std::size_t node;  ///< of the first term
    int component;
    std::size_t gone;  ///< the step in which it holds no more
  };
  std::vector<Written> equations;
  struct Transform
  {
    bool cylindrical;
    std::array<double, 6> given;
    std::size_t line;
  };
  std::vector<Transform> transforms;
  std::map<std::size_t, int> transform_of_node;
  std::set<std::pair<std::size_t, long>> given_forces;                       ///< nodes and components with a *CLOAD in the present step
  std::vector<Region> acting, begun;                                         ///< loads: of earlier steps, of this one
  std::map<std::array<std::size_t, 4>, std::vector<std::size_t>> acting_at;  ///< place: which of `acting`
  std::map<std::string, std::size_t> acting_on;                              ///< key: which of `acting`

  /// One *BOUNDARY: what it says of a set or node.
  struct Held
  {
    std::string word;
    std::size_t line, first;  ///< first: the step in which it begins
    bool stands = false;      ///< FIXED
    std::array<std::optional<double>, 3> value{};
    std::array<std::size_t, 3> lines{};
    const Keyword *card = nullptr;
    std::vector<std::size_t> nodes{};  ///< of *BASE MOTION, which names none
    std::string text(int d) const;
    bool says_the_same(const Held &other, int d) const;
  };
  using Owners = std::map<std::pair<std::size_t, int>, std::size_t>;  ///< of a node and a component: index into held
  std::vector<Owners> owners_of_steps() const;
  void write_held(std::size_t h);
  std::vector<std::size_t> nodes_of(const Held &by) const { return by.nodes.empty() ? model.nodes_of({by.line, {}}, by.word) : by.nodes; }
  /// Errors: InputError for a motion of a step that carries on into another one, where its amplitude would begin anew; `instead`: the way
  /// out.
  void require_same_motion(const Held &by, const std::set<std::size_t> &when, const std::string &instead) const;
  void write_stage_supports();
  std::vector<Owners> owners;                     ///< of each step
  std::vector<std::vector<std::string>> in_step;  ///< names of supports and equations
  std::vector<Held> held;
  std::set<std::size_t> frees_all;  ///< steps with OP=NEW
  std::map<std::tuple<std::string, std::size_t, bool, const Keyword *>, std::size_t>
      held_on;  ///< word, first step, stands, card with an amplitude: index into held
};
}  // namespace symdyn::abaqus
