#pragma once
#include <functional>
#include <vector>

#include "elements/cells/point_stress.h"
#include "elements/solids/solid_body.h"
#include "elements/space/cell_values.h"
#include "elements/system/remembered_fields.h"

namespace symdyn
{
/// Stress cell by cell, at given points of the reference cell, from the strain that the law uses there; of a law with a memory that of
/// the quadrature point that is nearest in the reference cell.
template <int dim>
class CellStress
{
public:
  using Cell = typename Discretisation<dim>::Cell;
  /// `nodes`: local numbers of the cell's nodes. `values`: of the scalar element at the points.
  using Visit = std::function<void(const Cell &cell, const std::vector<unsigned int> &nodes, const dealii::FEValues<dim> &values,
                                   const std::vector<PointStress> &stress)>;

  /// `points` of the cells of a region.
  CellStress(const SolidBody<dim> &system, const typename CellValues<dim>::Points &points);

  /// Of a cell that this rank knows, in a state whose q has ghost values. F: I + grad u at the points. X: its vertices, u: its nodal
  /// values.
  std::vector<PointStress> at(const Cell &cell, const std::vector<Matrix<3>> &F, const std::vector<Wide> &X, const std::vector<Wide> &u,
                              const State &state) const;

  /// The same from the gradients of the functions of its nodes at the points.
  using Gradient = std::function<dealii::Tensor<1, dim>(unsigned int node, unsigned int point)>;
  std::vector<PointStress> at(const Cell &cell, unsigned int points, const Gradient &gradient, const State &state) const;

  /// Visits the owned cells; `with_ghosts` all that this rank knows, so that the cells around an owned node are complete. q of the
  /// state needs no ghost values.
  void visit(const State &state, bool with_ghosts, const Visit &visit) const;

  /// For small motions w: (sigma(q + w) - sigma(q - w))/2 at the points of the owned cells, one cell after the other for each motion.
  using VisitSlopes = std::function<void(std::size_t motion, const std::vector<dealii::SymmetricTensor<2, 3>> &half)>;
  void visit_slopes(const State &state, const std::vector<Vector> &motions, const VisitSlopes &visit) const;

  /// Scalars that laws remember, which PointStress holds in this order.
  const std::vector<std::string> &remembered() const { return fields.names(); }

private:
  const SolidBody<dim> &system;
  RememberedFields fields;
  using EachCell = std::function<void(const Cell &cell, const dealii::FEValues<dim> &values, const Gradient &gradient)>;
  void each_cell(const State &state, bool with_ghosts, const EachCell &visit) const;
  static std::vector<Matrix<3>> gradients(const std::vector<Wide> &u, unsigned int points, const Gradient &gradient);
  /// at(), of as many motions u from one state as there are lanes.
  std::vector<StressLanes> lanes_at(const Cell &cell, std::vector<Matrix<3>> F, const std::vector<Wide> &X, const std::vector<Wide> &u,
                                    const State &state) const;
  const InelasticMaterial *with_memory(const Cell &cell) const;
  std::vector<Wide> history_of(const Cell &cell, const State &state) const;
  std::vector<StressLanes> of_memory(const Cell &cell, const InelasticMaterial &law, const std::vector<Wide> &u, const State &state) const;
  struct At
  {
    dealii::Quadrature<dim> points;
    ReferenceElement<dim> table;
    std::vector<int> nearest;  ///< quadrature point to each point
  };
  std::vector<At> of_region;
};
}  // namespace symdyn
