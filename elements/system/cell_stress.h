#pragma once
#include <deal.II/base/quadrature.h>
#include <deal.II/fe/fe_values.h>

#include <functional>
#include <vector>

#include "elements/cells/point_stress.h"
#include "elements/solids/solid_body.h"

namespace symdyn
{
/// Stress cell by cell, at given points of the reference cell, from what the law sees there of the displacements.
template <int dim>
class CellStress
{
public:
  using Cell = typename Discretisation<dim>::Cell;
  /// `nodes`: local numbers of the cell's nodes. `values`: of the scalar element at the points.
  using Visit = std::function<void(const Cell &cell, const std::vector<unsigned int> &nodes, const dealii::FEValues<dim> &values,
                                   const std::vector<PointStress> &stress)>;

  CellStress(const SolidBody<dim> &system, const dealii::Quadrature<dim> &points)
      : system(system), points(points), table(*system.mesh().family.fe, points)
  {
  }

  /// Of one cell. F: I + grad u at the points. X: its vertices, u: its nodal values.
  std::vector<PointStress> at(std::vector<dealii::Tensor<2, 3>> F, const std::vector<Wide> &X, const std::vector<Wide> &u,
                              const Material &material) const;

  /// Visits the owned cells; `with_ghosts` all that this rank knows, so that the cells around an owned node are complete. q needs no ghost
  /// values.
  void visit(const Vector &q, bool with_ghosts, const Visit &visit) const;

private:
  const SolidBody<dim> &system;
  dealii::Quadrature<dim> points;
  ReferenceElement<dim> table;
};
}  // namespace symdyn
