#include <cmath>

#include "elements/contact/obstacles/shaped_obstacle.h"

namespace symdyn
{
/// g = N·(x - P)
class PlaneObstacle : public ShapedObstacle<PlaneObstacle>
{
public:
  void declare(Parameters &p) override
  {
    p.add("Point", point, "of plane, cylinder: a place on the plane or the axis [m]");
    p.add("Normal", normal, "of plane: direction towards the free side");
    if (normal.empty())
      p.fail("Normal", "Type = plane needs its Normal, towards the free side: `0, 0, 1`");
  }
  void prepare(const int dimension, const Parameters &p) override
  {
    for (auto *vector : {&point, &normal})
    {
      if (vector->empty())
        vector->assign(dimension, 0.);
      if (int(vector->size()) != dimension)
        p.fail(vector == &point ? "Point" : "Normal", "needs as many components as the body has dimensions, separated by commas");
      for (int d = 0; d < dimension; ++d)
        (vector == &point ? P : n)[d] = (*vector)[d];
    }
    const double length = std::sqrt(along(n, n));
    if (length == 0.)
      p.fail("Normal", "has the length 0. Give a direction");
    for (double &component : n)
      component /= length;
  }
  template <class T>
  T distance(const std::array<T, 3> &x) const
  {
    return n[0] * (x[0] - T(P[0])) + n[1] * (x[1] - T(P[1])) + n[2] * (x[2] - T(P[2]));
  }
  Place mean_normal(const Place &, const Place &, PlaceMatrix *change) const override
  {
    if (change)
      change->fill(0.);
    return n;
  }
  bool keeps_momenta() const override { return true; }
  std::vector<std::array<Place, 4>> drawing(const Place &centre, const double size) const override
  {
    Place s{}, t{};
    int least = 0;
    for (int d = 1; d < 3; ++d)
      if (std::abs(n[d]) < std::abs(n[least]))
        least = d;
    s[least] = 1.;
    t = {n[1] * s[2] - n[2] * s[1], n[2] * s[0] - n[0] * s[2], n[0] * s[1] - n[1] * s[0]};
    const double length = std::sqrt(along(t, t));
    for (double &component : t)
      component /= length;
    s = {t[1] * n[2] - t[2] * n[1], t[2] * n[0] - t[0] * n[2], t[0] * n[1] - t[1] * n[0]};
    const double g = gap(centre);
    std::array<Place, 4> corners;
    constexpr std::array<std::array<double, 2>, 4> sides{{{-1., -1.}, {1., -1.}, {1., 1.}, {-1., 1.}}};
    for (int c = 0; c < 4; ++c)
      for (int d = 0; d < 3; ++d)
        corners[c][d] = centre[d] - g * n[d] + size * (sides[c][0] * s[d] + sides[c][1] * t[d]);
    return {corners};
  }

private:
  std::vector<double> point, normal;
  Place P{}, n{};
};
SYMDYN_REGISTER(Obstacle, PlaneObstacle, "plane");
}  // namespace symdyn
