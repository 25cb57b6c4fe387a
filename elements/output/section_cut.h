#pragma once
#include <functional>
#include <vector>

#include "elements/loads/cell_load.h"
#include "elements/solids/solid_body.h"

namespace symdyn
{
/// Force and moment on the part of a body behind a plane.
template <int dim>
struct Resultant
{
  dealii::Tensor<1, 3> F, M;
  void add(const dealii::Tensor<1, dim> &force, const dealii::Tensor<1, dim> &arm);
};

/// A plane (X - point)·normal = 0 in the undeformed body.
template <int dim>
struct Plane
{
  dealii::Point<dim> point;
  dealii::Tensor<1, dim> normal;  ///< of unit length
  /// Negative behind the plane [m].
  double level(const dealii::Point<dim> &X) const { return (X - point) * normal; }
};

/// What a cell that touches a plane from behind, or reaches across it, contributes to the resultant on the part behind.
/// With the forces of its nodes
///     r_a = (f_int + f_damping + inertia - loads)_a,    sum_a r_a = L: inertia less loads of the cell
/// these are r_a of the nodes on the plane of a cell behind it, and of a cell that reaches across
///     L_behind - sum of r_a over the nodes behind:  L_behind is the integral over its part behind.
/// Over all cells that is the inertia of the part behind, less its loads and less the forces on its nodes (supports,
/// nodal forces), for each residual of the assembled equations is one of these.
template <int dim>
class SectionCut
{
public:
  using Cell = typename Discretisation<dim>::Cell;
  using Vector_d = dealii::Tensor<1, dim>;
  /// Nodal values in this cell, at the state.
  struct Nodal
  {
    std::vector<Vector_d> force;     ///< r_a but for the loads of the cell [N]
    std::vector<Vector_d> inertia;   ///< density times what accelerates its mass [N/m³]
    std::vector<Vector_d> arm;       ///< x_a - P [m]
    std::vector<Vector_d> position;  ///< X_a
    std::vector<Vector_d> displacement;
  };

  /// `sign` of the forces of each node in the sum: 1, -1, or 0.
  SectionCut(const SolidBody<dim> &system, const Cell &cell, bool affine, const Plane<dim> &plane, std::vector<int> sign, bool across);
  /// A face of this cell on which a load acts.
  void add_face(std::size_t load, unsigned int number, const typename SurfaceIntegral<dim>::Face &face);
  const Cell &place() const { return cell; }

  void add(double t, Nodal &nodal, Resultant<dim> &sum) const;

private:
  using Face = typename SurfaceIntegral<dim>::Face;
  struct LoadedFace
  {
    std::size_t load;
    Face whole, behind;
  };
  double level(const dealii::Point<dim> &xi) const;
  int bisections() const;
  int degree() const;
  const CellRegion<dim> &region() const { return system->mesh().region_of(cell); }
  void take_volume_loads();
  void divide();
  const CellLoad<dim> *load(std::size_t number) const;
  void add_volume_loads(double t, Nodal &nodal) const;
  void add_part_behind(double t, const Nodal &nodal, Resultant<dim> &sum) const;
  /// Calls use(force, shape of its point), over the points of a face.
  void visit(const Face &face, std::size_t load, double t, const Nodal &nodal,
             const std::function<void(const Vector_d &, const double *)> &use) const;

  const SolidBody<dim> *system;
  Cell cell;
  bool affine, across;
  std::vector<int> sign;
  std::vector<double> levels;  ///< of the nodes [m]
  std::vector<std::size_t> volume_loads;
  std::vector<dealii::Point<dim>> points;  ///< of the loads of the volume
  std::vector<double> weights;             ///< [q][a]: N_a dX
  std::vector<double> behind;              ///< [a][b]: ∫ N_a N_b dX over the part behind [m³]
  Plane<dim> plane;
  std::vector<LoadedFace> faces;
};
}  // namespace symdyn
