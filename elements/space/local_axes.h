#pragma once
#include <deal.II/base/point.h>
#include <deal.II/base/symmetric_tensor.h>
#include <deal.II/base/tensor.h>

#include <string>
#include <vector>

namespace symdyn
{
class Parameters;

/// Axes in which a support, a force or a table has its components, at the place X of a node in the undeformed body:
///     rectangular    e1 along a, e2 in the plane of a and b, on the side of b
///     cylindrical    e3 from a to b, the axis; e1 from it to X, e2 = e3 x e1 around it
/// as Abaqus and CalculiX have them (*TRANSFORM, *ORIENTATION).
class LocalAxes
{
public:
  void declare(Parameters &p, int dim);
  bool given() const { return type != "global"; }
  /// Whether they are the same everywhere.
  bool uniform() const { return type != "cylindrical"; }
  /// Rows: the unit vectors. Errors: InputError for a place on the axis.
  template <int dim>
  dealii::Tensor<2, dim> at(const dealii::Point<dim> &X) const;
  /// Of a tensor, along axes that are the same everywhere.
  dealii::SymmetricTensor<2, 3> components(const dealii::SymmetricTensor<2, 3> &tensor) const;

private:
  std::string type = "global", where;
  std::vector<double> points;
  dealii::Tensor<1, 3> a, b;
};
}  // namespace symdyn
