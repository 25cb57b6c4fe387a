#pragma once
#include <array>
#include <string>
#include <vector>

#include "elements/output/section_cut.h"
#include "solver/base/units.h"
#include "solver/column.h"

namespace symdyn
{
class Parameters;

/// Resultant over a cut through the body, what the part before the plane (X - P)·n = 0 does to the part behind it, F
/// [N] and the moment M about P [N m]: F·n > 0 pulls. Both are those of the assembled equations: with the forces r_a of
/// the nodes of each cell (internal forces, damping, inertia, less the loads of the cell) summed over the cells at the
/// plane as SectionCut has it, F and M balance all that acts on the part behind (loads, supports, inertia, damping)
/// exactly, wherever the faces of the cells run. Where the plane passes between nodes, inertia and loads of the cells
/// that it divides count up to the plane. What acts on nodes of the plane itself (nodal forces, supports) counts as
/// before it. x = X + u, P stays in place, on the base where that moves; a geometrically linear material has x = X, for
/// which its moments are in equilibrium. Pinned by SectionForces.*
template <int dim>
class SectionForce
{
public:
  void declare(const std::string &name, Parameters &p);
  /// Errors: InputError if one of the sides has no cells, or they share no node. Collective.
  void prepare(const SolidBody<dim> &system);

  static void document(Parameters p);
  std::vector<Column> columns(const Units &units) const;
  /// F and M: six numbers; in 2-D F_x, F_y, M_z. On this rank: to be summed over all. State with ghost values; of a
  /// static stage neither v nor a counts. `carried`: where the base has taken P, if q counts that, too [m].
  std::vector<double> partial(const SolidBody<dim> &system, const State &state, bool statics,
                              const dealii::Tensor<1, dim> &carried = {}) const;

private:
  struct Part
  {
    const CellRegion<dim> *region;
    std::size_t batch;
    std::vector<std::pair<int, SectionCut<dim>>> cells;  ///< lane, cell
  };
  /// Of a cell, by its nodes: on which sides of the plane it has some.
  struct Sides
  {
    bool behind = false, before = false;
    std::vector<int> of_node;  ///< -1 behind, 0 on the plane, 1 before
  };
  void check_groups(const Discretisation<dim> &mesh) const;
  /// Whether a cell belongs to the part of the body that is looked at.
  bool counts(const Discretisation<dim> &mesh, const CellRegion<dim> &region, std::size_t batch, int lane) const;
  Sides sides(const Discretisation<dim> &mesh, const CellRegion<dim> &region, std::size_t batch, int lane) const;
  /// Nodes of cells before the plane are 1. Counts the cells behind, before.
  Vector nodes_before(const Discretisation<dim> &mesh, std::array<std::uint64_t, 3> &cells) const;
  void take_cells(const SolidBody<dim> &system, const Vector &before);
  void take_faces(const SolidBody<dim> &system);

  std::string own_name, where;
  Plane<dim> plane;
  double radius = 0;  ///< [m]; 0: the whole plane
  std::vector<std::string> groups;
  std::vector<Part> parts;
};
}  // namespace symdyn
