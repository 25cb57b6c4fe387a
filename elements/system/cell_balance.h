#pragma once
#include "elements/solids/solid_body.h"

namespace symdyn
{
/// The forces of the nodes of one batch of cells in the equations of motion, but for loads:
///     f_int + C v + M a     [N],   M a with the acceleration in space, damping by the mass from the velocity relative
///     to the base
template <int dim>
class CellBalance
{
public:
  /// State with ghost values; of a static stage f_int alone.
  CellBalance(const SolidBody<dim> &system, const CellRegion<dim> &region, std::size_t batch, const State &state, bool statics);
  dealii::Tensor<1, dim> force(int node, int lane) const { return at(f, node, lane); }
  /// Density times the rate of its momentum and what damps it [N/m³].
  dealii::Tensor<1, dim> inertia(int node, int lane) const { return at(w, node, lane, density); }
  dealii::Tensor<1, dim> displacement(int node, int lane) const { return at(u, node, lane); }

private:
  static dealii::Tensor<1, dim> at(const std::vector<Wide> &x, const int node, const int lane, const double factor = 1.)
  {
    dealii::Tensor<1, dim> value;
    for (int d = 0; d < dim; ++d)
      value[d] = factor * x[node * dim + d][lane];
    return value;
  }
  void add_stiffness_damping(const SolidBody<dim> &system, const CellRegion<dim> &region, std::size_t batch, const std::vector<Wide> &v,
                             StepLaws<dim> &laws);
  void add_inertia(const SolidBody<dim> &system, const CellRegion<dim> &region, std::size_t batch, const State &state,
                   const std::vector<Wide> &v);

  std::vector<Wide> u, f, w;  ///< w: what M acts on [m/s²]
  double density;
};
}  // namespace symdyn
