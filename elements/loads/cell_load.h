#pragma once
#include <string>
#include <vector>

#include "elements/space/discretisation.h"
#include "solver/actions.h"

namespace symdyn
{
/// A load that acts on cells, as a density: for sums over parts of the body (section forces). A Load that has this
/// interface, too, acts on cells; every other one is a set of forces on nodes. Amplitudes are included, the load
/// factors of stages are not.
template <int dim>
class CellLoad
{
public:
  using Cell = typename Discretisation<dim>::Cell;
  virtual ~CellLoad() = default;

  /// Force per volume at X [N/m³] (of a plane body: times its thickness [N/m²]); 0 in cells on which it does not act.
  virtual dealii::Tensor<1, dim> per_volume(const Cell & /*cell*/, const dealii::Point<dim> & /*X*/, const Moment & /*now*/) const
  {
    return {};
  }
  /// Of a field of forces per mass: it at X and t, without its amplitude [m/s²].
  virtual dealii::Tensor<1, dim> per_mass(const dealii::Point<dim> & /*X*/, double /*t*/) const { return {}; }
  /// Names of the boundaries on which it acts; none: it acts in the volume.
  virtual std::vector<std::string> on_boundaries() const { return {}; }
  /// Force per reference area [Pa] at X with the outer normal N of the undeformed body and F = I + du/dX.
  virtual dealii::Tensor<1, dim> per_area(const dealii::Point<dim> & /*X*/, const dealii::Tensor<1, dim> & /*N*/,
                                          const dealii::Tensor<2, dim> & /*F*/, const Moment & /*now*/) const
  {
    return {};
  }
};
}  // namespace symdyn
