#pragma once
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "elements/system/cell_stress.h"
#include "solver/base/units.h"
#include "solver/column.h"
#include "solver/stress_points.h"

namespace symdyn
{
/// Cauchy's stress at the nodes of the owned cells, cell by cell, and along small motions. q of the state needs no ghost values.
/// Collective.
template <int dim>
StressPoints stresses_at_nodes(const SolidBody<dim> &body, const State &state, const std::vector<Vector> &motions);

/// Cauchy's stress at a place, the mean of the cells that meet there [Pa]: NAME.S_xx, S_yy, S_zz, S_xy (in space S_yz, S_zx, too), and
/// NAME.S_mises, sqrt(3/2 s:s) with the deviator s of that mean.
template <int dim>
class StressProbe
{
public:
  /// `body` must outlive this. `where`: of the deck. Collective. Errors: InputError for a place in no cell.
  StressProbe(const SolidBody<dim> &body, const dealii::Point<dim> &X, const std::string &where);
  static std::vector<Column> columns(const std::string &probe, const Units &units);
  /// In the order of the columns, on every rank. Collective.
  std::vector<double> at(const State &state) const;

private:
  struct Place
  {
    typename Discretisation<dim>::Cell cell;
    std::vector<dealii::Tensor<1, dim>> gradient;  ///< of the functions of its nodes
    std::shared_ptr<const CellStress<dim>> stress;
  };
  const SolidBody<dim> *body;
  std::vector<Place> places;
};
}  // namespace symdyn
