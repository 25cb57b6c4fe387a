#pragma once
#include <string>
#include <vector>

#include "elements/finite_element_system.h"
#include "solver/units.h"

namespace symdyn
{
class Parameters;

/// Resultant of the stress over a cut through the mesh. The plane (X - P)·n = 0 in the undeformed body tells cells behind it (centre with (X - P)·n < 0) from those before it. With f_a the internal
/// forces (elastic stress alone; neither damping nor inertia) of the cells behind, and a over the nodes that they share with cells before it,
///     F = sum_a f_a [N],   M = sum_a (x_a - P) x f_a [N m]
/// is what the part before the plane does to the part behind it: F·n > 0 pulls. x = X + u, P stays in place, on the base where that moves; a geometrically linear material has x = X, for which its moments are in
/// equilibrium. The f_a of each cell are in equilibrium, so F and M balance all that acts on the part behind (loads, supports, inertia) exactly, wherever the faces of the cells run; what
/// acts on nodes of the cut itself belongs to neither part. Pinned by Results.SectionForcesBalanceTheTipLoad
template <int dim>
class SectionForce
{
public:
  void declare(const std::string &name, Parameters &p);
  /// Errors: InputError if one of the sides has no cells, or they share no node. Collective.
  void prepare(const FiniteElementSystem<dim> &system);

  static void document(Parameters p);
  std::vector<std::string> columns(const Units &units) const;
  /// F and M: six numbers; in 2-D F_x, F_y, M_z, per unit thickness. On this rank: to be summed over all. q with ghost values. `carried`: where the base has taken P, if q counts that, too [m].
  std::vector<double> partial(const FiniteElementSystem<dim> &system, const Vector &q, const dealii::Tensor<1, dim> &carried = {}) const;

private:
  struct Part
  {
    std::size_t batch;
    std::vector<int> places;  ///< a * lanes + lane: node a, on the cut, of a cell behind
  };
  void check_groups(const Discretisation<dim> &mesh) const;
  /// Whether a cell belongs to the part of the body that is looked at; `side`: (centre - P)·n.
  bool counts(const Discretisation<dim> &mesh, std::size_t batch, int lane, double &side) const;

  std::string own_name, where;
  dealii::Point<dim> point;
  dealii::Tensor<1, dim> normal;
  double radius = 0;  ///< [m]; 0: the whole plane
  std::vector<std::string> groups;
  std::vector<Part> parts;
};
}  // namespace symdyn
