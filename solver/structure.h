#pragma once
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "solver/actions.h"
#include "solver/base/units.h"
#include "solver/column.h"
#include "solver/drawn_shapes.h"
#include "solver/mechanical_system.h"
#include "solver/stress_points.h"
#include "solver/structure_places.h"
#include "solver/structure_supports.h"

namespace symdyn
{
class Archive;
class Deck;
class Parameters;

/// What `symdyn check` prints and summary.json holds.
struct ModelFacts
{
  int dimension = 3;
  std::uint64_t cells = 0, nodes = 0, dofs = 0, held_nodes = 0;
  std::string cell_type;
  int degree = 0;                                              ///< of finite elements; 0: there are points and lines
  double mass = 0;                                             ///< [kg]
  std::array<double, 3> centre{}, lower{}, upper{};            ///< centre of mass, corners of the bounding box [m]
  std::vector<std::pair<std::string, double>> boundaries;      ///< name, area [m²]
  std::vector<std::pair<std::string, std::string>> materials;  ///< name, law
  std::vector<std::pair<std::string, double>> wave_speeds;     ///< of longitudinal waves in materials at rest [m/s]
  std::vector<std::string> supports, loads;
  double memory = 0;  ///< estimate of the peak over all ranks [bytes]; 0: none was made
  std::string linear_solver;
};

/// A moment of a run at which tables are written.
struct OutputTime
{
  std::string stage;
  double part = 1;    ///< of a static stage: how much of it is done, 0 to 1
  bool last = false;  ///< the stage ends here
  double since = 0;   ///< the start of the stage [s]
};

/// A field of displacements about a state at rest: a mode, a part of an amplitude of vibration.
struct PrintedField
{
  const Vector &field;
  double value;              ///< stands in the place of the time: a frequency; not a number: that of a table's stage
  std::string heading = "";  ///< before its tables
};

/// Tables that a deck asks for beside history.csv.
struct PrintPlan
{
  std::string file = "";  ///< in the folder of the results; "": there are none
  bool modes = false;     ///< of modes, too
};

/// What a deck describes: a mechanical system and how it is reported. Registered by name; the run sees no dim and no
/// mesh.
class Structure
{
public:
  virtual ~Structure() = default;

  bool needs_tangent = true;                 ///< set by who runs it, before build(): an explicit run has no matrix
  int modes = 0;                             ///< likewise: as many are looked for, so that matrices are solved with often
  bool solves_complex = false;               ///< likewise: harmonic equations of all degrees of freedom
  std::string needs_true_mass;               ///< likewise: a stage that solves equations with the mass, which scaling would spoil; "": none
  std::vector<std::string> first_supports;   ///< likewise: the names of those that hold in the first stage; "all", "none"
  const Actions *actions = &Actions::all();  ///< likewise: the system refers to it
  int reported_ratios = 0;                   ///< set by declare(): the log reports damping ratios of as many of the first modes
  /// Reads its sections of the deck. Errors: InputError.
  virtual void declare(Parameters &root) = 0;
  /// Adds every section that could stand in a deck, for the deck reference.
  virtual void document(Parameters &root) = 0;
  /// Makes mesh and system. Collective. Errors: InputError.
  virtual void build() = 0;

  virtual MechanicalSystem &system() = 0;
  virtual ModelFacts facts() const = 0;
  /// Initial displacement and velocity; prescribed motion stands over them.
  virtual void initialise(State &state) const = 0;

  /// Whether the initial state is to be moved onto the constraints.
  virtual bool projects_start() const { return false; }

  /// Rigid motions of parts that nothing resists about a state at rest: "part 2 of 3 (around (1.6, 0.5, 0.5)) may turn about z through
  /// (1.6, 0.5, 0.5) m", or "". Collective.
  virtual std::string free_motions(const Vector &q, const Units &units) const = 0;

  virtual StructureSupports &supports() const;
  virtual std::unique_ptr<StructurePlaces> places() const { return std::make_unique<StructurePlaces>(); }

  /// Columns of history.csv for momenta, and for probes and supports.
  virtual std::vector<Column> momentum_columns(const Units &units) const = 0;
  virtual std::vector<Column> report_columns(const Units &units) const = 0;
  /// P = sum of M v [kg m/s] and J = sum of (X + u) x M v about the origin [kg m²/s]; in 2-D P_x, P_y, J_z.
  virtual std::vector<double> momenta(const State &state, const Vector &Mv) const = 0;
  /// Probes: u, v, a; supports: F_int (strain alone) and R = reaction (f_int + C v + M a - f_applied; without C v and M a in
  /// a static stage), summed over their nodes.
  virtual std::vector<double> report(const State &state, bool statics) const = 0;

  virtual PrintPlan print_plan() const { return {}; }
  /// The tables that are due at this state, as text for the end of the file; to be asked once after each step or increment. Collective.
  /// Errors: InputError.
  virtual std::string print(const State &, const OutputTime &) { return ""; }
  /// The same for a field about a state. Errors: InputError for a quantity that it does not have.
  virtual std::string print(const State & /*about*/, const PrintedField &, const OutputTime &) { return ""; }

  /// Writes one frame into `folder` and returns the names of its files for the collection, one a part.
  virtual std::vector<std::string> write_frame(const State &state, const std::string &folder, unsigned int number) const = 0;
  /// Writes a field of displacements, a mode for instance, into folder/stem with the ending of its kind, as write_frame() does with a
  /// state. `fields`: at the points of stresses(), beside it; beams and shells then have their sections.
  virtual std::vector<std::string> write_shape(const Vector &shape, const std::string &folder, const std::string &stem,
                                               const std::vector<PointValues> &fields) const = 0;
  /// What write_shape() would draw, of several fields and all ranks; empty of points alone. Collective.
  virtual DrawnShapes drawn(const std::vector<Vector> & /*shapes*/) const { return {}; }
  /// In a state, and along small motions from it; empty of points and lines. Collective.
  virtual StressPoints stresses(const State &, const std::vector<Vector> & /*motions*/) const { return {}; }

  /// After a step. Envelopes keep what is largest, where it counts; with each row of the history laws say where they are beyond their
  /// range. Collective.
  virtual void observe(const State &, bool /*counts*/, bool /*row*/) {}
  /// What observe() has kept, for a restart; load() comes after build().
  virtual void save(Archive &) const {}
  virtual void load(const Archive &) {}
  /// Writes the envelopes into `folder` and returns the names of their files; none if the deck wants none. Collective.
  virtual std::vector<std::string> write_maxima(double, const std::string &) const { return {}; }
  /// Lines of `symdyn check` on sets and cells; warns of bad ones. Collective.
  virtual std::string mesh_description(const Units &) const { return ""; }
};

inline StructureSupports &Structure::supports() const
{
  static StructureSupports none;
  return none;
}
}  // namespace symdyn
