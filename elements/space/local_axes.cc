#include "elements/space/local_axes.h"

#include <fmt/format.h>

#include <cmath>

#include "solver/error.h"
#include "solver/parameters.h"

namespace symdyn
{
namespace
{
constexpr double parallel = 1e-10;
}

void LocalAxes::declare(Parameters &p, const int dim)
{
  p.add("Axes", type, "of the components: global; rectangular, cylindrical: see Axes points", {"global", "rectangular", "cylindrical"});
  p.add(
      "Axes points", points,
      "a1, a2, a3, b1, b2, b3: rectangular: the first axis along a, the second in the plane of a and b; cylindrical: the third axis from a to b, the first away from it at each "
      "node, the second around it");
  where = p.where("Axes points");
  if (given() != !points.empty())
    p.fail(given() ? "Axes points" : "Axes",
           given() ? "axes need six numbers" : "says rectangular or cylindrical where Axes points are given");
  if (!given())
    return;
  if (points.size() != 6)
    p.fail("Axes points", fmt::format("are six numbers, a1, a2, a3, b1, b2, b3; here are {}", points.size()));
  for (int d = 0; d < 3; ++d)
  {
    a[d] = points[d];
    b[d] = points[3 + d];
  }
  const bool degenerate = type == "cylindrical" ? (b - a).norm() == 0. : !(cross_product_3d(a, b).norm() > parallel * a.norm() * b.norm());
  if (degenerate)
    p.fail("Axes points",
           type == "cylindrical" ? "a and b are one point: they give no axis" : "a and b are parallel, or one is zero: they span no plane");
  const dealii::Tensor<1, 3> third = type == "cylindrical" ? b - a : cross_product_3d(a, b);
  if (dim == 2 && std::hypot(third[0], third[1]) > parallel * third.norm())
    p.fail("Axes points", "the third axis must be the normal of the plane");
}

template <int dim>
dealii::Tensor<2, dim> LocalAxes::at(const dealii::Point<dim> &X) const
{
  dealii::Tensor<1, 3> e[3], x;
  for (int d = 0; d < dim; ++d)
    x[d] = X[d];
  if (type == "rectangular")
  {
    e[0] = a / a.norm();
    e[2] = cross_product_3d(a, b);
  }
  else
  {
    e[2] = b - a;
    e[2] /= e[2].norm();
    e[0] = x - a;
    const double far = e[0].norm();
    e[0] -= (e[0] * e[2]) * e[2];
    if (!(e[0].norm() > parallel * std::max(far, (b - a).norm())))
      throw InputError(
          fmt::format("{}: the node at ({:g}, {:g}, {:g}) m is on the axis, where no direction leads away from it. Leave it out", where,
                      x[0], x[1], x[2]));
    e[0] /= e[0].norm();
  }
  e[2] /= e[2].norm();
  e[1] = cross_product_3d(e[2], e[0]);
  dealii::Tensor<2, dim> rows;
  for (int i = 0; i < dim; ++i)
    for (int d = 0; d < dim; ++d)
      rows[i][d] = e[i][d];
  return rows;
}

dealii::SymmetricTensor<2, 3> LocalAxes::components(const dealii::SymmetricTensor<2, 3> &tensor) const
{
  const dealii::Tensor<2, 3> e = at(dealii::Point<3>());
  return dealii::symmetrize(e * dealii::Tensor<2, 3>(tensor) * dealii::transpose(e));
}

template dealii::Tensor<2, 2> LocalAxes::at(const dealii::Point<2> &) const;
template dealii::Tensor<2, 3> LocalAxes::at(const dealii::Point<3> &) const;
}  // namespace symdyn
