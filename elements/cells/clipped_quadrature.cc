#include "elements/cells/clipped_quadrature.h"

#include <deal.II/base/quadrature_lib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace symdyn
{
namespace
{
/// Vertices of the simplices that make up a reference cell.
std::vector<std::vector<unsigned int>> simplices_of(const dealii::ReferenceCell &shape)
{
  namespace cells = dealii::ReferenceCells;
  if (shape == cells::Line)
    return {{0, 1}};
  if (shape == cells::Triangle)
    return {{0, 1, 2}};
  if (shape == cells::Quadrilateral)
    return {{0, 1, 3}, {0, 2, 3}};
  if (shape == cells::Tetrahedron)
    return {{0, 1, 2, 3}};
  if (shape == cells::Wedge)
    return {{0, 1, 2, 3}, {1, 2, 5, 3}, {1, 5, 4, 3}};
  if (shape == cells::Pyramid)
    return {{0, 1, 3, 4}, {0, 3, 2, 4}};
  if (shape == cells::Hexahedron)
    return {{0, 1, 3, 7}, {0, 1, 5, 7}, {0, 2, 3, 7}, {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 4, 6, 7}};
  throw std::logic_error("clipped_quadrature: " + shape.to_string());
}

/// Gauss's rule of the cube, collapsed to the simplex (Duffy 1982): exact for this total degree.
template <int dim>
dealii::Quadrature<dim> rule_of_simplex(const int degree)
{
  const dealii::QGauss<dim> cube((degree + dim + 1) / 2);
  std::vector<dealii::Point<dim>> places;
  std::vector<double> weights;
  for (unsigned int q = 0; q < cube.size(); ++q)
  {
    dealii::Point<dim> x;
    double rest = 1., weight = cube.weight(q);
    for (int d = 0; d < dim; ++d)
    {
      x[d] = rest * cube.point(q)[d];
      weight *= rest;
      rest -= x[d];
    }
    places.push_back(x);
    weights.push_back(weight);
  }
  return {places, weights};
}

template <int dim>
class Clipping
{
public:
  using Place = dealii::Point<dim>;
  using Function = std::function<double(const Place &)>;
  struct Corner
  {
    Place x;
    double g;
  };
  using Simplex = std::array<Corner, dim + 1>;

  Clipping(const Function &g, const int degree) : g(g), rule(rule_of_simplex<dim>(degree)) {}

  void add(const dealii::ReferenceCell &shape, const int bisections)
  {
    double largest = 0;
    for (const unsigned int v : shape.vertex_indices())
      largest = std::max(largest, std::abs(g(shape.template vertex<dim>(v))));
    rounding = 1e-13 * largest;
    for (const auto &vertices : simplices_of(shape))
    {
      Simplex simplex;
      for (int i = 0; i <= dim; ++i)
        simplex[i] = corner(shape.template vertex<dim>(vertices[i]));
      divide(simplex, bisections);
    }
  }
  dealii::Quadrature<dim> result() const { return dealii::Quadrature<dim>(places, weights); }

private:
  Corner corner(const Place &x) const
  {
    const double value = g(x);
    return {x, std::abs(value) <= rounding ? 0. : value};
  }

  static bool has(const Simplex &simplex, const double sign)
  {
    return std::any_of(simplex.begin(), simplex.end(), [sign](const Corner &c) { return sign * c.g > 0.; });
  }

  /// Halves the longest edge until that has been done often enough.
  void divide(const Simplex &simplex, const int bisections)
  {
    if (bisections == 0 || !has(simplex, 1.) || !has(simplex, -1.))
      return clip(simplex);
    int first = 0, second = 1;
    for (int i = 0; i <= dim; ++i)
      for (int j = i + 1; j <= dim; ++j)
        if (simplex[i].x.distance(simplex[j].x) > simplex[first].x.distance(simplex[second].x))
        {
          first = i;
          second = j;
        }
    split(simplex, first, second, corner(Place((simplex[first].x + simplex[second].x) / 2.)),
          [&](const Simplex &half) { divide(half, bisections - 1); });
  }

  /// Splits at zeros of g on edges until no simplex has both signs.
  void clip(const Simplex &simplex)
  {
    if (!has(simplex, -1.))
      return;
    for (int i = 0; i <= dim; ++i)
      for (int j = 0; j <= dim; ++j)
        if (simplex[i].g < 0. && simplex[j].g > 0.)
          return split(simplex, i, j, {zero_between(simplex[i], simplex[j]), 0.}, [&](const Simplex &part) { clip(part); });
    integrate(simplex);
  }

  template <class Use>
  static void split(const Simplex &simplex, const int i, const int j, const Corner &between, const Use &use)
  {
    for (const int replaced : {i, j})
    {
      Simplex part = simplex;
      part[replaced] = between;
      use(part);
    }
  }

  /// By the Illinois rule (Dowell, Jarratt 1971); at once where g is linear.
  Place zero_between(Corner a, Corner b) const
  {
    constexpr int most = 30;
    Place x;
    for (int n = 0; n < most; ++n)
    {
      x = Place(a.x + (a.g / (a.g - b.g)) * (b.x - a.x));
      const double value = g(x);
      if (std::abs(value) <= rounding)
        break;
      if ((value < 0.) == (b.g < 0.))
        a.g /= 2.;
      else
        a = b;
      b = {x, value};
    }
    return x;
  }

  void integrate(const Simplex &simplex)
  {
    dealii::Tensor<2, dim> edges;
    for (int i = 0; i < dim; ++i)
      edges[i] = simplex[i + 1].x - simplex[0].x;
    const double size = std::abs(dealii::determinant(edges));
    for (unsigned int q = 0; q < rule.size() && size > 0.; ++q)
    {
      places.push_back(simplex[0].x);
      for (int i = 0; i < dim; ++i)
        places.back() += rule.point(q)[i] * edges[i];
      weights.push_back(size * rule.weight(q));
    }
  }

  const Function &g;
  const dealii::Quadrature<dim> rule;
  double rounding = 0;
  std::vector<Place> places;
  std::vector<double> weights;
};
}  // namespace

template <int dim>
dealii::Quadrature<dim> clipped_quadrature(const dealii::ReferenceCell &shape, const std::function<double(const dealii::Point<dim> &)> &g,
                                           const int degree, const int bisections)
{
  Clipping<dim> clipping(g, degree);
  clipping.add(shape, bisections);
  return clipping.result();
}

template dealii::Quadrature<1> clipped_quadrature<1>(const dealii::ReferenceCell &, const std::function<double(const dealii::Point<1> &)> &,
                                                     int, int);
template dealii::Quadrature<2> clipped_quadrature<2>(const dealii::ReferenceCell &, const std::function<double(const dealii::Point<2> &)> &,
                                                     int, int);
template dealii::Quadrature<3> clipped_quadrature<3>(const dealii::ReferenceCell &, const std::function<double(const dealii::Point<3> &)> &,
                                                     int, int);
}  // namespace symdyn
