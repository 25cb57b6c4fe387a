#pragma once
#include <cmath>

#include "elements/contact/obstacles/obstacle.h"
#include "solver/deck/formula/expression_series.h"

namespace symdyn
{
/// sqrt(a) of a scalar of distances.
inline double root(const double a) { return std::sqrt(a); }
template <int order, int N>
Series<order, N> root(const Series<order, N> &a)
{
  return compose(a, formula::series(formula::Code::sqrt, value_of(a)));
}

/// An obstacle whose distance is one formula, `T Shape::distance(const std::array<T, 3> &x) const` for a scalar T: its derivatives are
/// exact.
template <class Shape>
class ShapedObstacle : public Obstacle
{
public:
  double gap(const Place &x) const override { return shape().distance(x); }
  double gap(const Place &x, Place &n) const override
  {
    const auto g = on_line<0>(x, {});
    for (int d = 0; d < 3; ++d)
      n[d] = g.e[0][d];
    return g.c[0];
  }
  PlaceMatrix curvature(const Place &x) const override
  {
    PlaceMatrix H;
    for (int i = 0; i < 3; ++i)
    {
      Place axis{};
      axis[i] = 1.;
      const auto g = on_line<1>(x, axis);
      for (int j = 0; j < 3; ++j)
        H[3 * i + j] = g.e[1][j];
    }
    return H;
  }
  Place third(const Place &x, const Place &a) const override
  {
    const auto g = on_line<2>(x, a);
    return {2. * g.e[2][0], 2. * g.e[2][1], 2. * g.e[2][2]};
  }

private:
  const Shape &shape() const { return static_cast<const Shape &>(*this); }
  /// g on x + s a, with its slopes along x, y, z.
  template <int order>
  Series<order, 3> on_line(const Place &x, const Place &a) const
  {
    std::array<Series<order, 3>, 3> X;
    for (int d = 0; d < 3; ++d)
    {
      X[d] = Series<order, 3>(x[d]);
      if constexpr (order >= 1)
        X[d].c[1] = a[d];
      X[d].e[0][d] = 1.;
    }
    return shape().distance(X);
  }
};
}  // namespace symdyn
