#pragma once
#include <deal.II/base/quadrature.h>

#include <cmath>
#include <vector>

namespace symdyn
{
/// Points of Gauss's rules on [0, 1], of one to three.
inline std::vector<double> gauss_line(const unsigned int n)
{
  if (n == 1)
    return {0.5};
  const double half = n == 2 ? 0.5 / std::sqrt(3.) : 0.5 * std::sqrt(0.6);
  return n == 2 ? std::vector<double>{0.5 - half, 0.5 + half} : std::vector<double>{0.5 - half, 0.5, 0.5 + half};
}

/// Points of integration inside simplices: one, or one near each corner.
template <class Point>
std::vector<Point> points_in_simplex(const int dim, const bool one)
{
  std::vector<Point> points;
  const double near = dim == 3 ? (5. - std::sqrt(5.)) / 20. : 1. / 6., far = 1. - dim * near;
  for (int corner = -1; corner < (one ? 0 : dim); ++corner)
  {
    points.emplace_back();
    for (int d = 0; d < dim; ++d)
      points.back()[d] = one ? 1. / (dim + 1) : d == corner ? far : near;
  }
  return points;
}

/// The rule with those points and equal weights: exact of degree 1 with one point, of degree 2 with dim + 1 (Hammer, Marlowe and Stroud
/// 1956).
template <int dim>
dealii::Quadrature<dim> small_simplex_rule(const int degree)
{
  const std::vector<dealii::Point<dim>> points = points_in_simplex<dealii::Point<dim>>(dim, degree == 1);
  constexpr double volume = dim == 3 ? 1. / 6. : 0.5;
  return {points, std::vector<double>(points.size(), volume / points.size())};
}
}  // namespace symdyn
