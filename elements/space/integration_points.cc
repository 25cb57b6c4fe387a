#include "elements/space/integration_points.h"

#include <cmath>

namespace symdyn
{
namespace
{
/// Points of Gauss's rules on [0, 1].
std::vector<double> gauss(const unsigned int n)
{
  if (n == 1)
    return {0.5};
  const double half = n == 2 ? 0.5 / std::sqrt(3.) : 0.5 * std::sqrt(0.6);
  return n == 2 ? std::vector<double>{0.5 - half, 0.5 + half} : std::vector<double>{0.5 - half, 0.5, 0.5 + half};
}
}  // namespace

template <int dim>
std::vector<dealii::Point<dim>> points_of_tables(const dealii::ReferenceCell &cell, const unsigned int count)
{
  std::vector<dealii::Point<dim>> points;
  if (cell == dealii::ReferenceCells::Wedge)
  {
    const unsigned int layers = count == 2 ? 2 : 3;
    for (const double z : gauss(layers))
      for (const dealii::Point<2> &x : points_of_tables<2>(dealii::ReferenceCells::Triangle, count / layers))
      {
        points.emplace_back();
        for (int d = 0; d < dim; ++d)
          points.back()[d] = d < 2 ? x[d] : z;
      }
    return points;
  }
  if (cell.is_hyper_cube())
  {
    const std::vector<double> x = gauss(count == 1 ? 1 : count == 8 ? 2 : 3);
    const std::size_t n = x.size();
    for (std::size_t k = 0; k < (dim == 3 ? n : 1); ++k)
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t i = 0; i < n; ++i)
        {
          const double place[] = {x[i], x[j], x[k]};
          points.emplace_back();
          for (int d = 0; d < dim; ++d)
            points.back()[d] = place[d];
        }
    return points;
  }
  if (count == 1 || count == 2)  // C3D4; a triangle, as a wedge of two layers
  {
    points.emplace_back();
    for (int d = 0; d < dim; ++d)
      points.back()[d] = 1. / (dim + 1);
    return points;
  }
  const double near = dim == 3 ? (5. - std::sqrt(5.)) / 20. : 1. / 6., far = 1. - dim * near;  // of C3D10; of a triangle of 3 points
  for (int corner = -1; corner < dim; ++corner)
  {
    points.emplace_back();
    for (int d = 0; d < dim; ++d)
      points.back()[d] = d == corner ? far : near;
  }
  return points;
}

template std::vector<dealii::Point<2>> points_of_tables<2>(const dealii::ReferenceCell &, unsigned int);
template std::vector<dealii::Point<3>> points_of_tables<3>(const dealii::ReferenceCell &, unsigned int);
}  // namespace symdyn
