#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "elements/finite_element_system.h"
#include "elements/named_nodes.h"
#include "elements/point_stress.h"
#include "solver/structure.h"

namespace symdyn
{
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
  void declare(const Parameters &p);
  static void document(Parameters p);
  std::string file_name() const { return file; }
  /// Counts the step or increment that led to the n-th state; whether one of the tables is due there.
  bool are_due(std::uint64_t n, const PrintMoment &moment);
  /// The text of the tables that are due. `state`: of the body. Collective. Errors: InputError for sets that the mesh does not have.
  std::string print(const FiniteElementSystem<dim> &system, const State &state, const PrintMoment &moment);
  /// What has been counted, for a restart: the last step, then the steps of each table.
  std::vector<std::uint64_t> saved() const;
  void load(const std::vector<std::uint64_t> &saved);

private:
  struct Table
  {
    std::string stage, nodes, elements, totals = "no", where;
    std::vector<std::string> quantities;
    int every = 1;
    double start = 0, period = 0;
    bool in_time = true, due = false;
    std::uint64_t count = 0;

    void declare(Parameters &p);
  };
  struct Cell
  {
    typename Discretisation<dim>::Cell cell;
    std::vector<dealii::Point<dim>> points;  ///< of the cell of the mesh
  };
  using Rows = std::vector<std::vector<double>>;

  std::string of_nodes(const Table &table, const std::string &quantity, double time);
  std::string of_cells(const Table &table, const std::string &quantity, double time);
  /// Values at the nodes of the set, on all ranks.
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
  std::unique_ptr<NamedNodes<dim>> names;
  mutable std::map<const FileCell<dim> *, Cell> located;
};
}  // namespace symdyn
