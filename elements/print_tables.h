#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "elements/finite_element_system.h"
#include "elements/local_axes.h"
#include "elements/named_nodes.h"
#include "elements/point_stress.h"
#include "solver/structure.h"

namespace symdyn
{
/// Tables of nodes and of points of integration as CalculiX writes them into its .dat file, for comparisons and for scripts that read it.
///
///     displacements, velocities    of the nodes of a set that the mesh's file names
///     forces                       on these nodes: f_strain + C v + M a [N], all that acts from outside: loads and supports
///     stresses, strains, energy    at the points of integration of the file's elements, of the solution of this mesh
template <int dim>
class PrintTables
{
public:
  /// Of points beside the body: u, v and the force on it (3 dim numbers), by name; and what is joined to nodes of the body adds to the forces on them (empty: nothing).
  struct PointMotion
  {
    std::map<std::string, std::vector<double>> by_name;
    Vector on_nodes;
  };
  void declare(const Parameters &p);
  static void document(Parameters p);
  bool wanted() const { return !tables.empty(); }
  bool of_modes() const { return modes; }
  /// Appends the tables that are due. `q`, `v`: of the body; `force`: see above, computed if a table needs it. Collective. Errors: ComputationError.
  void print(const FiniteElementSystem<dim> &system, const State &state, bool statics, const PrintMoment &moment, const PointMotion &points);
  /// The same for a displacement about a state, with forces K u. Errors: InputError for velocities, and for stresses where the law is not linear.
  void print(const FiniteElementSystem<dim> &system, const State &about, const PrintedField &field, const PrintMoment &moment, const PointMotion &points);
  /// Collective. Errors: ComputationError.
  void append(const std::string &text, const PrintMoment &moment, MPI_Comm communicator);

private:
  struct Table
  {
    std::string stage, nodes, elements, totals = "no", where;
    std::vector<std::string> quantities, points, axes_of;
    std::vector<int> numbers;
    LocalAxes axes;
    int every = 1;
    double start = 0, period = 0;
    bool in_time = true, starts = false;  ///< Period is not given; Start is
    std::vector<double> times;
    mutable long count = 0;
    mutable double reached = 0;

    /// Whether the table is written now.
    bool due(const PrintMoment &moment) const;

    void declare(Parameters &p);
    void check(const Parameters &section) const;
  };
  struct Cell
  {
    typename Discretisation<dim>::Cell cell;
    std::vector<dealii::Point<dim>> points;  ///< of the cell of the mesh
  };
  using Rows = std::vector<std::vector<double>>;

  void add_entries(Parameters &p);
  void look_at(const FiniteElementSystem<dim> &system, const State &state, const Vector *about, bool statics);
  std::string written(const Table &table, double time);
  std::string of_nodes(const Table &table, const std::string &quantity, double time);
  std::string of_cells(const Table &table, const std::string &quantity, double time);
  /// Numbers of the nodes of a set, ascending, and their values; zeros of those that no cell has.
  std::map<long, std::vector<double>> at_nodes(const std::string &set, const Vector &field) const;
  /// Values at the nodes of the set, on all ranks.
  /// Turns the rows of nodes into the table's axes, and adds those of points.
  void complete(const Table &table, const std::string &quantity, std::map<long, std::vector<double>> &rows) const;
  Rows gathered(const std::vector<typename NamedNodes<dim>::Node> &nodes, const Vector &field) const;
  Vector forces(bool statics) const;
  std::vector<PointStress> at_points(const FileCell<dim> &cell) const;
  Cell locate(const FileCell<dim> &cell) const;

  std::string file;
  std::vector<Table> tables;
  std::uint64_t last = 0;
  const FiniteElementSystem<dim> *system = nullptr;
  const State *state = nullptr;
  const PointMotion *of_points = nullptr;
  const Vector *about = nullptr;  ///< where the state is a field about another one
  bool statics = false, begun = false, modes = false;
  std::unique_ptr<NamedNodes<dim>> names;
};
}  // namespace symdyn
