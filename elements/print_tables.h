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
/// A line of a table: what it is of, and its values.
std::string table_row(const std::string &start, const std::vector<double> &values);

/// Tables of nodes and of points of integration as CalculiX writes them into its .dat file, for comparisons and for scripts that read it.
///
///     displacements, velocities    of the nodes of a set that the mesh's file names
///     forces                       on these nodes: f_int, of the strain alone [N], neither inertia nor damping: as CalculiX 2.20 prints RF in static and dynamic steps. Pinned by
///                                  Prints.ForcesAreThoseOfCalculix
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
  std::string file_name() const { return file; }
  bool wanted() const { return !tables.empty(); }
  bool of_modes() const { return modes; }
  /// Counts the step or increment that led to the n-th state; whether one of the tables is due there.
  bool are_due(std::uint64_t n, const PrintMoment &moment);
  /// The text of the tables that are due. `state`: of the body. Collective. Errors: InputError for sets that the mesh does not have.
  std::string print(const FiniteElementSystem<dim> &system, const State &state, const PrintMoment &moment, const PointMotion &points);
  /// The same for a displacement about a state, with forces K u. Errors: InputError for velocities, and for stresses where the law is not linear.
  std::string print(const FiniteElementSystem<dim> &system, const State &about, const PrintedField &field, const PrintMoment &moment, const PointMotion &points);
  /// What has been counted, for a restart: the last step, then of each table its steps and the last of its times.
  std::vector<double> saved() const;
  void load(const std::vector<double> &saved);

private:
  struct Table
  {
    std::string stage, nodes, elements, totals = "no", where;
    std::vector<std::string> quantities, points, axes_of;
    std::vector<int> numbers;
    LocalAxes axes;
    int every = 1;
    double start = 0, period = 0;
    bool in_time = true, starts = false, now = false;  ///< Period is not given; Start is; it is due
    std::vector<double> times;
    long count = 0;
    double reached = 0;

    /// Counts; whether the table is written now.
    bool due(const PrintMoment &moment);

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
  void look_at(const FiniteElementSystem<dim> &system, const State &state, const Vector *about);
  std::string written(const Table &table, double time);
  std::string of_nodes(const Table &table, const std::string &quantity, double time);
  std::string of_cells(const Table &table, const std::string &quantity, double time);
  /// Numbers of the nodes of a set, ascending, and their values; zeros of those that no cell has.
  std::map<long, std::vector<double>> at_nodes(const std::string &set, const Vector &field) const;
  /// Turns the rows of nodes into the table's axes, and adds those of points.
  void complete(const Table &table, const std::string &quantity, std::map<long, std::vector<double>> &rows) const;
  Rows gathered(const std::vector<typename NamedNodes<dim>::Node> &nodes, const Vector &field) const;
  Vector forces() const;
  std::vector<PointStress> at_points(const FileCell<dim> &cell) const;
  const Cell &locate(const FileCell<dim> &cell) const;
  Cell search(const FileCell<dim> &cell) const;

  std::string file;
  std::vector<Table> tables;
  std::uint64_t last = 0;
  const FiniteElementSystem<dim> *system = nullptr;
  const State *state = nullptr;
  const PointMotion *of_points = nullptr;
  const Vector *about = nullptr;  ///< where the state is a field about another one
  bool modes = false;
  std::unique_ptr<NamedNodes<dim>> names;
  mutable std::map<const FileCell<dim> *, Cell> located;
};
}  // namespace symdyn
